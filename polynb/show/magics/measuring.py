"""The values on a %bench line: `N=4096 in=photo`, where what follows `=` is Python."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.scop import Scop
from polynb.show.displays.sizes import suggested
from polynb.show.magics.arguments import MagicLine, Word

VALUE: Final = re.compile(r"[^\W\d]\w*=(?!=)", re.UNICODE)


def words_of(line: MagicLine, positional: Sequence[str]) -> list[Word]:
    """The positional words that are no values.

    Raises PolynbError for a value of %bench or %step with blanks around its `=`.
    """
    takes_values = line.magic.endswith(("bench", "step"))
    if takes_values:
        _refuse_blanks(line)
    left = list(positional)
    found = []
    for word in line.words:
        if word.text in left:
            left.remove(word.text)
            if not (takes_values and VALUE.match(word.text)):
                found.append(word)
    return found


def _refuse_blanks(line: MagicLine) -> None:
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
        together = "".join(parts)
        raise PolynbError(
            "a value has no blanks around its `=`",
            span=line.words[k].span.to(line.words[k + len(parts) - 1].span),
            reason="blanks separate the words of a line",
            hint=f"write {together if not together.endswith('=') else together + '100'}",
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


def refuse_missing(
    programs: Sequence[Scop | Derivation], values: Mapping[str, Any], line: MagicLine
) -> None:
    """Refuse values that leave a parameter open, with a size that makes about 64 MB of arrays."""
    from polynb.run.measurement import sizes_of

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
            raise PolynbError(
                f"{' and '.join(missing)} {'has' if len(missing) == 1 else 'have'} no value",
                span=line.start,
                reason=f"{scop.name} is compiled for all values, and timed at one",
                hint=f"{typed} {sizes} (about 64 MB of arrays)",
            )
