"""HTML that survives in an unsigned notebook: no scripts, no style sheets, no inline SVG.

A notebook that its reader has not run is sanitised. What stays is inline `style=` (colours as
hex, rgb or rgba; `currentColor` is dropped), tables, `<details>` and `<img>` with a data address.
Text has no colour of its own and backgrounds are translucent, so both themes can be read.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from polynb.show.glossary import in_terms

LINE: Final = "1px solid rgba(127,127,127,0.35)"
SHADE: Final = "rgba(127,127,127,0.1)"
MONO: Final = "font-family:Menlo, Consolas, monospace;font-size:13px"


class Html(str):
    """Markup: text that is put into a page as it is. Everything else is escaped."""

    __slots__ = ()


def element(name: str, *children: str, style: str = "", **attributes: str) -> Html:
    """`<name ...>children</name>`, children that are not markup escaped."""
    given = {"style": style, **attributes} if style else attributes
    said = "".join(f' {k}="{escape(v)}"' for k, v in given.items())
    if name in ("img", "br", "hr"):
        return Html(f"<{name}{said}>")
    return Html(f"<{name}{said}>{join(children)}</{name}>")


def join(parts: Iterable[str], between: str = "") -> Html:
    """Parts one after the other, each escaped unless it is markup."""
    glue = _safe(between)
    return Html(glue.join(_safe(p) for p in parts))


def _safe(text: str) -> str:
    return text if isinstance(text, Html) else escape(text)


# -- pieces ----------------------------------------------------------------------------


def page(*children: str) -> Html:
    """The outermost element of a display."""
    return element("div", *children, style="line-height:1.5;max-width:78em")


def paragraph(*children: str, muted: bool = False) -> Html:
    """Text with its code and its terms told, as `sentence` does; markup stays as it is."""
    shown = "margin:0.5em 0" + (";opacity:0.75" if muted else "")
    known: set[str] = set()
    said = (c if isinstance(c, Html) else sentence(c, known) for c in children)
    return element("p", *said, style=shown)


def code(text: str) -> Html:
    return element("code", text, style=MONO + ";background-color:transparent;padding:0")


def sentence(text: str, known: set[str] | None = None) -> Html:
    """A sentence in which what stands between backquotes is code, and the papers' terms are told
    where the pointer rests on them: each once, and not those that are `known` from sentences
    before (a set, which grows)."""
    told: set[str] = set() if known is None else known
    parts = text.split("`")
    return join([code(p) if k % 2 else _explained(p, told) for k, p in enumerate(parts)])


def _explained(text: str, known: set[str]) -> Html:
    pieces = in_terms(text, known)
    return join([element("abbr", p, title=t.told, style=_TERM) if t else p for p, t in pieces])


_TERM: Final = "cursor:help"  # browsers underline them with dots


def program(lines: Sequence[str], shades: Sequence[str] = (), margin: int = 0) -> Html:
    """The lines of a program; each may have a shade (a style), and begins after a `margin` of so
    many characters. Long lines are broken, and go on further to the right than they began."""
    shown = []
    for k, line in enumerate(lines):
        own = line[margin:]
        indent = 0.6 * (margin + len(own) - len(own.lstrip("+− ")) + 6)
        style = f"display:block;padding-left:{indent:.1f}em;text-indent:-{indent:.1f}em"
        shade = shades[k] if k < len(shades) else ""
        shown.append(element("span", line or " ", style=style + (f";{shade}" if shade else "")))
    return element("pre", *shown, style=_PRE)


_PRE: Final = (
    "margin:0.4em 0;padding:8px 12px;white-space:pre-wrap;overflow-wrap:break-word;"
    "word-break:normal;line-height:1.45;"
    f"{MONO};background-color:{SHADE};border-radius:4px"
)


def details(summary: str, *children: str) -> Html:
    """Folded until it is clicked."""
    head = element("summary", summary, style="cursor:pointer")
    body = element(
        "div", *children, style="margin:0.3em 0 0.6em 1em;overflow-x:auto;max-width:52em"
    )
    return element("details", head, body, style="margin:0")


def columns(*children: str) -> Html:
    """Side by side where there is room, one below the other where there is not."""
    boxes = [element("div", c, style="flex:1 1 320px;min-width:0;max-width:100%") for c in children]
    return element("div", *boxes, style="display:flex;flex-wrap:wrap;gap:4px 24px")


def table(
    caption: str,
    headers: Sequence[str],
    rows: Iterable[Sequence[str]],
    right: Sequence[int] = (),
    wrap: Sequence[int] = (),
) -> Html:
    """A table that is as wide as what it holds. Where there is less room, lines are broken: of
    heads and of columns `wrap`, which hold sentences, between words; of columns `right`, which are
    numbers, between a figure and what is said of it. What is still too wide scrolls sideways.
    Without a caption it has none."""
    dense = len(headers) + bool(wrap) > MANY
    known: set[str] = set()

    def cell(tag: str, k: int, text: str, **attributes: str) -> Html:
        side = "right" if k in right else "left"
        style = f"text-align:{side};vertical-align:top;padding:3px {8 if dense else 12}px 3px 0"
        broken = len(_TAG.sub("", text) if isinstance(text, Html) else text) > SHORT
        if k in wrap:
            style += ";min-width:6em;max-width:44em"
        if isinstance(text, Html):
            shown = text
        elif tag == "th":
            pieces = [text] if "`" in text else text.split("_")
            shown, broken = join([sentence(p, known) for p in pieces], _UNDERSCORE), True
        elif k in wrap:
            shown, broken = sentence(text, known), True
        elif k in right:
            figures = _BETWEEN.split(text)
            parted = len(figures) > 1
            broken = broken or (parted and not wrap)
            parts = [element("span", f, style=_WHOLE) if parted else f for f in figures]
            shown = join(parts, " ")
        else:
            shown, broken = join(text.split("_"), _UNDERSCORE if dense else "_"), broken or dense
        style += "" if broken else f";{_WHOLE}"
        shown = Html(_ARROW.sub(_kept_whole, shown))
        return element(tag, shown, style=f"{style};border-bottom:{LINE}", **attributes)

    head = element(
        "tr", *(cell("th", k, h, scope="col") for k, h in enumerate(headers)), style=_ROW
    )
    body = [
        element("tr", *(cell("td", k, c) for k, c in enumerate(row)), style=_ROW) for row in rows
    ]
    above = "text-align:left;font-weight:bold;caption-side:top;padding:4px 0"
    title = [element("caption", caption, style=above)] if caption else []
    whole = element(
        "table",
        *title,
        element("thead", head, style="border-bottom:none"),
        element("tbody", *body),
        style=f"border-collapse:collapse;margin:0.4em 0;font-size:{12 if dense else 14}px",
    )
    return element("div", whole, style="overflow-x:auto;max-width:100%")


MANY: Final = 6  # columns, a sentence counts as two; tables of more are set in a smaller type
SHORT: Final = 16  # characters of a text that is never broken


def _kept_whole(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith("<") else element("span", "->", style=_WHOLE)


_WHOLE: Final = "white-space:nowrap"
_UNDERSCORE: Final = Html("_<wbr>")  # a name may be broken behind it
_TAG: Final = re.compile("<[^>]*>")
_ARROW: Final = re.compile("<[^>]*>|-&gt;")  # browsers break a line behind a hyphen
_BETWEEN: Final = re.compile(r"(?<=,) | (?=\()|(?<=[–→]) (?![^(]*\))")
"""`21 ms, 1.31 (1.25 – 1.37)` is three figures, none of which is broken."""
_ROW: Final = "background-color:transparent"


def image(svg: str, alt: str, width: int, room: str = "max-width:100%;height:auto") -> Html:
    """An SVG as a picture, which may shrink on a narrow screen."""
    data = base64.b64encode(svg.encode()).decode()
    return element(
        "img",
        alt=alt,
        src=f"data:image/svg+xml;base64,{data}",
        width=str(width),
        style=f"{room};vertical-align:middle;display:inline",
    )


def next_line(*lines: str) -> Html:
    """What to type next, the last thing of every display."""
    said = join([code(line) for line in lines], Html(" &nbsp;or&nbsp; "))
    return element(
        "p", "next: ", said, style=f"margin:0.8em 0 0 0;padding:4px 0 0 0;border-top:{LINE}"
    )
