"""The values on a %bench line: `N=4096 in=photo`, where what follows `=` is Python."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

from polynb.derivation import Derivation, as_scop
from polynb.errors import Edit, PolynbError, Span
from polynb.run.intervals import interval_text
from polynb.scop.model import Array, Scop
from polynb.scop.needs import declared_size, unsized
from polynb.show.displays.sizes import suggested
from polynb.show.magics.arguments import MagicLine, Word
from polynb.show.magics.progress import Progress
from polynb.source.typos import meant

VALUE: Final = re.compile(r"[^\W\d]\w*=(?!=)", re.UNICODE)


def words_of(
    line: MagicLine, positional: Sequence[str], variables: Mapping[str, Any]
) -> list[Word]:
    """The positional words that are no values.

    Raises PolynbError for a value of %bench or %step with blanks around its `=`, or with no name
    but that of a program, which is among the `variables`.
    """
    takes_values = line.magic.endswith(("bench", "compare", "fold", "step"))
    if takes_values:
        _refuse_blanks(line, variables)
    left = list(positional)
    found = []
    for word in line.words:
        if word.text in left:
            left.remove(word.text)
            if not (takes_values and VALUE.match(word.text)):
                found.append(word)
    return found


def _refuse_blanks(line: MagicLine, variables: Mapping[str, Any]) -> None:
    """`N = 100`, `N =100` and `N= 100` are several words."""
    typed = [w.span.text for w in line.words]
    for k, text in enumerate(typed):
        following = typed[k + 1 : k + 3]
        if re.fullmatch(r"[^\W\d]\w*=", text):
            parts = [text, *following[:1]]
        elif text.isidentifier() and following and re.match("=(?!=)", following[0]):
            parts = [text, *following[: 2 if following[0] == "=" else 1]]
        else:
            continue
        program = variables.get(text)
        if isinstance(program, Scop | Derivation) and text not in as_scop(program).arrays:
            raise _nameless(line.words[k + 1], as_scop(program))
        together = "".join(parts)
        raise PolynbError(
            "a value has no blanks around its `=`",
            span=line.words[k].span.to(line.words[k + len(parts) - 1].span),
            reason="blanks separate the words of a line",
            hint=f"write {together if not together.endswith('=') else together + '100'}",
            fix=[Edit(line.words[k].span.to(line.words[k + len(parts) - 1].span), together)]
            if not together.endswith("=")
            else (),
        )


def _nameless(word: Word, scop: Scop) -> PolynbError:
    """The error for `%bench blur =3`."""
    name = next(iter((*scop.parameters, *scop.arrays)), None)
    at = Span(word.span.source, word.span.start, word.span.start)
    typed = word.span.source.text
    return PolynbError(
        "this value has no name",
        span=word.span,
        reason=f"what stands before it, {scop.name}, is a program",
        hint="without it" if name is None else f"{typed[: at.start]}{name}{typed[at.start :]}",
        fix=() if name is None else [Edit(at, name)],
    )


def arguments_of(line: MagicLine, shell: Any) -> dict[str, Any]:
    """The values by name. Raises PolynbError for an expression that fails."""
    found: dict[str, Any] = {}
    for word in line.words:
        if not VALUE.match(word.text):
            continue
        name, _, expression = word.text.partition("=")
        if name in found:
            raise PolynbError(f"{name} is given twice", span=word.span, hint="once")
        found[name] = _evaluated(word, expression, shell)
    return found


def _evaluated(word: Word, expression: str, shell: Any) -> Any:
    try:
        return eval(compile(expression, "<value>", "eval"), shell.user_global_ns, shell.user_ns)
    except NameError as error:
        close = get_close_matches(error.name or "", list(shell.user_ns), 1)
        hint = close[0] if close else f"a cell that says what {error.name} is"
        raise PolynbError(f"{word.text}: {error}", span=word.span, hint=hint) from None
    except Exception as error:  # whatever the person's own expression raises
        raise PolynbError(
            f"{word.text}: {type(error).__name__}: {error}",
            span=word.span,
            hint="an expression with blanks needs quotes or brackets: in='a + b'",
        ) from None


def variants(programs: Sequence[Scop | Derivation], names: Sequence[str]) -> dict[str, Scop]:
    """What to time, by what the reader calls it: a Derivation d stands for `d.before`, the stages
    after it and `d`; every program once."""
    found: dict[str, Scop] = {}
    for program, name in zip(programs, names, strict=True):
        stages: dict[str, Scop] = {}
        if isinstance(program, Derivation):
            first = (program.before,) if program.rewrites else ()
            for k, stage in enumerate(program.stages[:-1] or first):
                stages[f"{name}.stages[{k}]" if k else f"{name}.before"] = stage
        stages[name] = as_scop(program)
        for label, scop in stages.items():
            if not any(scop is known for known in found.values()):
                found[label] = scop
    return found


def speeds(
    programs: Mapping[str, Scop], values: Mapping[str, Any], progress: Progress
) -> dict[str, str]:
    """How many times as fast as the first of some programs each other one is, measured in one run,
    with the 95 % interval; or why it could not be compiled."""
    from polynb.run import Kernel, compile, measure

    (first, baseline), *others = programs.items()
    kernels: dict[str, Kernel] = {first: compile(baseline)}
    said: dict[str, str] = {}
    for name, program in others:
        try:
            kernels[name] = compile(program)
        except PolynbError as error:
            said[name] = error.message
    timing = measure(kernels, values, progress=progress)
    for name in timing.labels[1:]:
        interval = interval_text(timing.interval(name))
        said[name] = f"{timing.ratio(name):.2f}{interval and f' ({interval})'}"
    return said


def refuse_missing(
    programs: Sequence[Scop | Derivation], values: Mapping[str, Any], line: MagicLine
) -> None:
    """Refuse values of what no program has; those that leave a parameter open, with a size that
    makes about 64 MB of arrays; and inputs that nobody knows the size of."""
    from polynb.run.measurement import sizes_of

    _refuse_unknown(programs, values, line)
    for program in programs:
        scop = as_scop(program)
        if isinstance(program, Derivation) and program.rewrites:
            scop = program.before
        values = {**values, **sizes_of(scop, values)}
        missing = [p for p in scop.parameters if p not in values]
        if missing:
            known = {p: v for p, v in values.items() if p in scop.parameters and isinstance(v, int)}
            sizes = " ".join(f"{p}={v}" for p, v in suggested(scop, known).items())
            typed = " ".join((line.magic, *(w.span.text for w in line.words)))
            end = line.words[-1].span.end if line.words else line.start.end
            raise PolynbError(
                f"{' and '.join(missing)} {'has' if len(missing) == 1 else 'have'} no value",
                span=line.start,
                reason=f"{scop.name} is compiled for all values, and timed at one",
                hint=f"{typed} {sizes} (about 64 MB of arrays)",
                fix=[Edit(Span(line.source, end, end), f" {sizes}")],
            )
        _refuse_unsized(scop, values)


def _refuse_unknown(
    programs: Sequence[Scop | Derivation], values: Mapping[str, Any], line: MagicLine
) -> None:
    scops = [as_scop(p) for p in programs]
    scops += [p.before for p in programs if isinstance(p, Derivation) and p.rewrites]
    known = list(dict.fromkeys(n for s in scops for n in (*s.parameters, *s.arrays)))
    open_ = [n for s in scops for n in s.parameters if n not in values]
    for name in values:
        if name not in known:
            word = next(w for w in line.words if w.text.startswith(f"{name}="))
            place = Span(line.source, word.span.start, word.span.start + len(name))
            other = meant(name, known) or (open_[0] if len(set(open_)) == 1 else None)
            raise PolynbError(
                f"{scops[0].name} has no parameter or array {name!r}",
                span=word.span,
                hint=f"one of: {', '.join(known)}"
                if other is None
                else line.source.text[: place.start] + other + line.source.text[place.end :],
                fix=() if other is None else [Edit(place, other)],
            )


def _refuse_unsized(scop: Scop, values: Mapping[str, Any]) -> None:
    for array in unsized(scop):
        if array.live_in and array.name not in values:
            raise PolynbError(
                f"nothing says how large {array.name} is",
                span=array.span
                or next(
                    (r.span for s in scop.statements for r in s.reads if r.array == array.name),
                    None,
                ),
                reason="nothing in the program bounds its subscripts",
                hint=f"declare it, as `{declared_size(array, scop)}`, or give an array: "
                f"{array.name}=numpy.ones(100)",
                fix=_sized(array, scop),
            )


def _sized(array: Array, scop: Scop) -> list[Edit]:
    """The program's text with extents for an array."""
    declaration = declared_size(array, scop)
    if array.span is not None:
        return [Edit(array.span, declaration.split()[-1].rstrip(";"))]
    first = scop.program.body[0].span if scop.program is not None else None
    return (
        []
        if first is None
        else [Edit(Span(first.source, first.start, first.start), declaration + " ")]
    )
