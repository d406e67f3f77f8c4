"""How a Timing is shown: a table with a bar and its spread in every row. The verdict above it says
how the results agree; a column of that would leave no room for the others."""

from __future__ import annotations

from polynb.derivation import Derivation
from polynb.run.intervals import interval_text
from polynb.run.shared import readable
from polynb.run.timing import Timing, seconds
from polynb.scop.witness import values_text
from polynb.show.displays.display import Display
from polynb.show.displays.naming import namespace, variable_of
from polynb.show.draw.svg import BLUE, INK, Svg
from polynb.show.html import Html, element, image, paragraph, table
from polynb.words import counted, listed

BAR, ROOM = 220.0, 26.0


def display(timing: Timing) -> Display:
    """Which is faster, the times, and under which conditions they were taken."""
    parts = (
        paragraph(element("b", _verdict(timing))),
        _table(timing),
        *(paragraph(line, muted=True) for line in circumstances(timing)),
        *(paragraph("⚠ ", w) for w in timing.warnings),
    )
    return Display(f"{_verdict(timing)}\n\n{timing}", parts, (next_of(timing),))


def _verdict(timing: Timing) -> str:
    first = timing.labels[0]
    if len(timing.labels) == 1:
        return f"{first} takes {seconds(timing.median())}."
    parts = [timing.comparison(k) for k in range(1, len(timing.labels))]
    return f"{listed(parts)}; {timing.agreement}."


def _table(timing: Timing) -> Html:
    longest = max(high for k in range(len(timing.labels)) for high in (timing.spread(k)[1],))
    rows = []
    for k, label in enumerate(timing.labels):
        low, high = timing.spread(k)
        rows.append(
            (
                element("b", label),
                _bar(timing, k, longest),
                seconds(timing.median(k)),
                f"{seconds(low)} – {seconds(high)}",
                "1 (baseline)" if k == 0 else _speed(timing, k),
                readable(timing.memory[k]),
            )
        )
    headers = ("program", "time", "median", "middle half", "speed", "arrays")
    caption = f"Times of {counted(timing.rounds, 'interleaved round')}"
    if len(timing.labels) > 1 and timing.interval() is not None:
        caption += "; speeds with their 95 % intervals"
    return table(caption, headers, rows, right=(2, 3, 4, 5))


def _speed(timing: Timing, k: int) -> str:
    interval = interval_text(timing.interval(k))
    return f"{timing.ratio(k):.2f} ×" + (f" ({interval})" if interval else "")


def _bar(timing: Timing, k: int, longest: float) -> Html:
    """A bar as long as the median, with the quartiles as a whisker. All become narrower together,
    and no lower, where there is little room."""
    low, high = timing.spread(k)
    scale = (BAR - 8) / longest if longest > 0 else 0
    svg = Svg(BAR, ROOM, stretches=True)
    svg.rectangle(0, 5, max(scale * timing.median(k), 1), ROOM - 10, BLUE, 0.85)
    y = ROOM / 2
    x, right = scale * low, scale * high
    svg.path(f"M{x:.1f} {y}H{right:.1f}M{x:.1f} 9V{ROOM - 9}M{right:.1f} 9V{ROOM - 9}", INK, 2)
    alt = f"{timing.labels[k]}: {seconds(timing.median(k))}, {seconds(low)} to {seconds(high)}"
    return image(str(svg), alt, round(BAR), f"max-width:100%;min-width:80px;height:{ROOM:.0f}px")


def circumstances(timing: Timing) -> list[str]:
    """Under which conditions the times were taken."""
    values = values_text(timing.parameters)
    first = [values, f"data: {timing.data}", counted(timing.threads, "thread")]
    return [
        "; ".join(t for t in (*first, f"heap {timing.heap}") if t) + ".",
        f"{timing.compiler}: {' '.join(timing.flags)}",
    ]


def next_of(timing: Timing) -> str:
    """The C of what was timed, if a variable holds it, or, where that is slower than the program
    it was made of, the search for what is not; else the figures."""
    slower = len(timing.labels) > 1 and timing.differs() and timing.ratio() < 1
    for name, value in namespace().items():
        if name.startswith("_") or not isinstance(value, Derivation) or not value.rewrites:
            continue
        pairs = ({value.before.name, value.name}, {f"{name}.before", name})
        if any(pair <= set(timing.labels) for pair in pairs):
            if slower:
                sizes = " ".join(f"{p}={n}" for p, n in timing.parameters.items())
                return f"%bench {name}.before {sizes} --tune"
            return f"print({name}.result.to_c())"
    return f"{variable_of(timing) or '_'}.rows"
