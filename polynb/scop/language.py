"""The SCoP language's page, in Markdown: its grammar, words, types and functions as the parser has
them, and what it says of what is no program of it.

    python -m polynb.scop.language notebooks/language.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError, edited
from polynb.scop.parsing import parse
from polynb.source.functions import MATH_FUNCTIONS
from polynb.source.names import BUILTINS, RESERVED, ROLES
from polynb.source.operators import PRECEDENCE, WORDS
from polynb.source.types import FLOAT, TYPES

PLACE: Final = "notebooks/language.md"
EXAMPLE: Final = """param N;  assume N >= 2;        // sizes, and what is known of them
temp t;                         // not needed afterwards

for i = 1 to N do               // both bounds are included
  t[i] = A[i] / 2;              // halve
done
for i = 1 to N-1 do
  if i > 1 then
    B[i] = t[i-1] + t[i+1];
  else
    B[i] = sqrt(t[i]);
  fi
done
"""
MEANS: Final = {
    "input": "only read",
    "output": "a result: written before it is read, and needed afterwards",
    "inout": "read and changed, and needed afterwards",
    "temp": "written, and not needed afterwards: passes may remove it",
}
REFUSED: Final = (
    "param N = 100; A[N] = 1;",
    "param int N; A[N] = 1;",
    "array A[9]; A[0] = 1;",
    "param N; for i = 0 to N do A[i] = 1 done",
    "param N; for i = 0 to N do A[i] = 1;",
    "param N; for i = 0 to N { A[i] = 1; }",
    "param N; for (i = 0; i < N; i++) A[i] = 1;",
    "param N; for i in range(N): A[i] = 1",
    "param N; for i = N downto 0 do A[i] = 1; done",
    "param N; for i = 0 to N step 2 do A[i] = 1; done",
    "param N; for i = 0 to M do A[i] = 1; done",
    "param N; for i = 0 to N*N do A[i] = 1; done",
    "param N; while i < N do i = i + 1; done",
    "param N; for i = 0 to N do s += A[i]; done",
    "param N; for i = 0 to N do A[i, 0] = 1; done",
    "param N; for i = 0 to N do B[i] = A[i]**2; done",
    "param N; for i = 0 to N do B[i] = A[i]^2; done",
    "param N; for i = 0 to N do B[i] = 2A[i]; done",
    "param N; for i = 0 to N do if A[i] = 0 then B[i] = 1; fi done",
    "param N; input A[N]; for i = 0 to N do B[i] = A[i]; done",
    "param N; input A; for i = 0 to N do A[i] = 1; done",
)


def page() -> str:
    """The whole page."""
    return "\n".join([*_first(), *_words(), *_values(), *_meaning(), *_refused()])


def _first() -> list[str]:
    return [
        "# The SCoP language",
        "",
        "The little language of polynb's cells and of `pn.parse`: nests of loops over arrays "
        "whose bounds are known before they run. (The other language is C; a cell's is found "
        "out, or `--language` says it.) This page is made from the grammar and the tables of the "
        "parser: `python -m polynb.scop.language` prints it.",
        "",
        _block(EXAMPLE),
        "Sizes are declared. Arrays and scalars need no declaration: one that is only read is an "
        "input, one that is written is a result unless `temp` says otherwise. Loops count up by 1, "
        "by another step with `by 2`, down with `for i = N to 0 by -1`. A statement is called by "
        "its label, `S: A[i] = 0;`, or by a comment of one word behind it; else it is S0, S1, ... "
        "The comment `// is meant` (in C, too) answers what is asked about what it stands behind.",
        "",
        "## Grammar",
        "",
        _block(_grammar()),
    ]


def _grammar() -> str:
    text = files("polynb.source.scoplang").joinpath("scop.lark").read_text(encoding="utf-8")
    rules = [line for line in text.splitlines() if not line.startswith(("//", "%ignore"))]
    return "\n".join(rules).strip() + "\n"


def _words() -> list[str]:
    roles = [(f"`{role} A;`", MEANS[role]) for role in ROLES]
    levels: dict[int, list[str]] = {}
    for op, level in PRECEDENCE.items():
        levels.setdefault(level, []).append(op)
    tightest = [", ".join(f"`{op}`" for op in levels[k]) for k in sorted(levels, reverse=True)]
    words = ", ".join(f"`{word}` is `{op}`" for word, op in WORDS.items())
    return [
        "## Roles of arrays",
        "",
        *_table(("declaration", "the array is"), roles),
        "",
        "A declaration may have a type and sizes, `temp double t[N+1];`, or a type alone, "
        "`int64 idx;`. What it leaves out follows from the program.",
        "",
        "## Operators",
        "",
        f"C's; signs, `!` and `~` bind most tightly, then {'; '.join(tightest)}; "
        f"`c ? a : b` binds least. {words[:1].upper()}{words[1:]}.",
        "",
        f"Reserved are {', '.join(f'`{w}`' for w in sorted(RESERVED))}.",
        "",
    ]


def _values() -> list[str]:
    rows = [(f"`{t}`", f"`{t.c_name}`", str(8 * t.size)) for t in TYPES.values()]
    by_count: dict[int, list[str]] = {}
    for f in MATH_FUNCTIONS.values():
        if not (f.result is FLOAT or FLOAT in f.arguments):
            by_count.setdefault(len(f.arguments), []).append(f.name)
    functions = [(f"{n}", ", ".join(f"`{f}`" for f in names)) for n, names in by_count.items()]
    return [
        "## Types",
        "",
        *_table(("type", "in C", "bits"), rows),
        "",
        "What nothing declares is `double`; what stands in a subscript is `int64`. Values are "
        "computed as in C: `1 / 2` in a value is 0, `1 / 2.0` is a half.",
        "",
        "## Functions",
        "",
        f"{', '.join(f'`{b}`' for b in BUILTINS)}, and C's:",
        "",
        *_table(("arguments", "functions"), functions),
        "",
        "With an `f` behind the name they compute in `float`, as in C. Others are defined, "
        "`define blur(x, y) = (x + y) / 2;`, or belong to a library that the kernel gets.",
        "",
    ]


def _meaning() -> list[str]:
    return [
        "## What must be affine",
        "",
        "Bounds, steps, sizes and assumptions are sums of iterators and parameters, times "
        "constants: `2*i + N - 1`; also `floord`, `mod`, `/`, `%` (there floor division and its "
        "remainder), `min` and `max`. So the iterations are known before the program runs. "
        "Subscripts and conditions may depend on data, `A[idx[i]]` and `if A[i] > 0`, and are then "
        "known only approximately. A step is a constant other than 0.",
        "",
    ]


def _refused() -> list[str]:
    rows = [(_code(text), *(_cell(part) for part in answer(text))) for text in REFUSED]
    return [
        "## What is refused, and what to write",
        "",
        *_table(("program", "what is said", "what to write"), rows),
        "",
    ]


def answer(text: str) -> tuple[str, str]:
    """What is said of a text that is no program, and what to write instead: the whole text where
    the error has it."""
    try:
        parse(text, "scop")
    except PolynbError as error:
        mended = edited(error.fix) if error.fix else ""
        return error.message, f"`{mended.strip()}`" if mended else error.hint or ""
    raise AssertionError(f"this is a program: {text}")


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    return [_row(head), _row(("---",) * len(head)), *map(_row, rows)]


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def _code(text: str) -> str:
    return _cell(f"`{text}`")


def _block(text: str) -> str:
    return f"```text\n{text}```\n"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(page(), encoding="utf-8")
    else:
        print(page())
