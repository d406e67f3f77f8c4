"""What a typed program computes, read back beside its headline: a reader sees more in that than in
the text that they typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from polynb.derivation import Derivation
from polynb.gallery.catalogue import origin
from polynb.reading import ReadBack, read_back
from polynb.reading.trying import ALONE, SmallRun
from polynb.scop.model import Scop
from polynb.show.displays.display import Display
from polynb.show.html import MONO, Html, element, paragraph
from polynb.show.words import first, taken_as_given

ASKED: Final = "Is this what you meant?"
ROWS: Final = 8
COLUMNS: Final = 12


def display(back: ReadBack) -> Display:
    return Display(str(back), [_box(back)], ["fast = pn.propagate(scop)"])


def read_back_lines(program: Scop | Derivation[Any, Any]) -> tuple[str, ...]:
    """What a program that somebody typed computes, and of what, in lines; none for any other."""
    typed = _typed(program)
    if typed is None:
        return ()
    back, given = read_back(typed), taken_as_given(typed)
    if not back:
        return (given,) if given else ()
    return ("it computes:", *(f"  {x}" for x in (*back.lines, given, ASKED) if x))


def read_back_box(program: Scop | Derivation[Any, Any]) -> Iterator[Html]:
    """The same as HTML."""
    typed = _typed(program)
    if typed is not None:
        back, given = read_back(typed), taken_as_given(typed)
        if back:
            yield _box(back, given, ASKED)
        elif given:
            yield _box(ReadBack(), given)


def _typed(program: Scop | Derivation[Any, Any]) -> Scop | None:
    scop = first(program)
    if scop is None or origin(scop) is not None:
        return None
    return scop if scop.program is not None and scop.program.source is not None else None


def _box(back: ReadBack, given: str = "", asked: str = "") -> Html:
    said = [element("div", line, style=_CODE) for line in back.lines[: -1 if back.tried else None]]
    numbers = [] if back.tried is None else _numbers(back.tried)
    end = [*([_label(given)] if given else []), *([paragraph(asked, muted=True)] if asked else [])]
    return element(
        "div", *([_label("It computes")] if said else []), *said, *numbers, *end, style=_BOX
    )


def _numbers(trial: SmallRun) -> Iterator[Html]:
    sizes = ", ".join(f"{n} = {v}" for n, v in trial.sizes.items())
    note = f"; {ALONE} keeps what it had" if trial.leaves_alone else ""
    yield _label(f"Tried{' with ' * bool(sizes)}{sizes}{note}")
    named = [*((g.name, g) for g in trial.given), *((f"→ {g.name}", g) for g in trial.left)]
    if any(len(g.rows) > 1 for _, g in named):
        blocks = (element("div", name, *_lines(g.rows[:ROWS]), style=_CODE) for name, g in named)
        yield element("div", *blocks, style="display:flex;flex-wrap:wrap;gap:6px 32px")
        return
    width = max(len(name) for name, _ in named)
    beside = zip(named, _aligned(g.rows[0] for _, g in named), strict=True)
    yield element(
        "div", *(element("div", f"{n:{width}}   {line}") for (n, _), line in beside), style=_CODE
    )


def _lines(rows: Iterable[tuple[str, ...]]) -> Iterator[Html]:
    return (element("div", line) for line in _aligned(rows))


def _aligned(rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Cells one below the other."""
    known = [r[:COLUMNS] for r in rows]
    width = max((len(c) for r in known for c in r), default=0)
    return [" ".join(f"{c:>{width}}" for c in r) for r in known]


def _label(text: str) -> Html:
    return element("div", text, style="opacity:0.75;margin:2px 0")


_CODE: Final = (
    f"white-space:pre-wrap;overflow-wrap:anywhere;{MONO};line-height:1.45;margin:2px 0 4px 0"
)
_BOX: Final = "border-left:3px solid rgba(127,127,127,0.35);padding:2px 0 2px 12px;margin:0.6em 0"
