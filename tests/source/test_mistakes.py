"""Every row of the tables of mistakes is told for its example, at the place that it marks. (That
its fix mends the example, conftest.py sees.)"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import polynb as pn
import polynb.source
from polynb.errors import PolynbError, Source
from polynb.source import isl_notation
from polynb.source.mistakes import TABLES, table

LANGUAGE = {"c": "c", "scop": "scop", "unexpected": "scop", "foreign": "auto"}
NESTED = "".join(f"for i{k} = 0 to 1 do " for k in range(34))
NESTED_C = "".join(f"for (int i{k} = 0; i{k} < n; i{k}++) " for k in range(34))
DOUBLED = "\n".join(f"#define M{k + 1} M{k} M{k}" for k in range(25))
# Examples that are too long for a table.
LONG = {
    "scop.integer-far-too-large": f"A[0] = ‹{'9' * 400}›;",
    "scop.too-deep": f"x = {'(' * 80}‹{'(' * 9}1{')' * 9}›{')' * 80};",
    "scop.many-operands": f"param N; A[‹N{' + N' * 300}›] = 1;",
    "scop.statements-too-deep": f"param N; {'if N then ' * 65}‹if› N then x = 1; {'fi ' * 66}",
    "scop.loops-too-deep": NESTED.replace("for i32 ", "‹for› i32 ") + "A[i0] = 1; " + "done " * 34,
    "c.too-deep": f"x = {'(' * 4000}1{')' * 4000};",
    "c.macros-too-large": f"#define M0 x = 1;\n{DOUBLED}\nM25",
    "c.loops-too-deep": NESTED_C.replace("for (int i32 ", "‹for› (int i32 ") + "A[i0] = 1;",
}
# What no text shows: arguments of calls, what is printed, accidents of pcpp; and sizeof, which is
# told as a habit of other languages before.
ELSEWHERE = {
    *("scop.language", "scop.no-literal", "scop.no-array", "scop.no-condition", "c.no-function"),
    *("c.literal", "c.no-definition", "c.math-arguments", "c.name", "c.step-zero-printed"),
    *("c.preprocessor", "c.sizeof"),
}


def rows() -> Iterator[tuple[str, str]]:
    for name in TABLES:
        for key, row in table(name).items():
            given = LONG.get(f"{name}.{key}", row.get("example", []))
            for example in [given] if isinstance(given, str) else given:
                yield f"{name}.{key}", example


def read(name: str, text: str) -> None:
    if name == "isl":
        isl_notation.read(Source(text))
    else:
        pn.parse(text, language=LANGUAGE[name])


def said(template: str) -> re.Pattern[str]:
    """What a sentence may become: anything stands for its words in braces."""
    parts = re.split(r"(\{\{|\}\}|\{[^{}]*\})", template)
    return re.compile(
        "".join(".*" if len(p) > 2 and p[0] == "{" else re.escape(p[:1] if p in ("{{", "}}") else p)
                for p in parts),
        re.DOTALL,
    )  # fmt: skip


@pytest.mark.parametrize(("row", "example"), [*rows()])
def test_an_example_is_told_at_its_place(row: str, example: str) -> None:
    name, _, key = row.partition(".")
    with pytest.raises(PolynbError) as caught:
        read(name, example.replace("‹", "").replace("›", ""))
    error, known = caught.value, table(name)[key]
    assert said(known["says"]).fullmatch(error.message)
    if row not in LONG:
        assert said(known.get("because", "")).fullmatch(error.reason or "")
        assert said(known.get("try", "")).fullmatch(error.hint or "")
    if "‹" in example:
        assert error.span is not None
        assert (error.span.start, error.span.end) == (example.index("‹"), example.index("›") - 1)


def test_every_row_has_an_example() -> None:
    names = {f"{name}.{key}" for name in TABLES for key in table(name) if key != "words"}
    assert names - {row for row, _ in rows()} == ELSEWHERE


def named() -> Iterator[tuple[str, set[str]]]:
    """The rows that code names, with the words that it gives."""
    for path in Path(polynb.source.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="mistake"), args=[ast.Constant(value=row), *_]):
                    words = {k.arg for k in node.keywords}
                    if None not in words:
                        yield row, {str(w) for w in words}


def test_code_gives_the_words_of_the_rows_that_it_names() -> None:
    """Also of those that no text shows."""
    seen = set()
    for row, words in named():
        name, _, key = row.partition(".")
        rows = table(name)
        said = "".join(rows[key].get(k, "") for k in ("says", "because", "try", "fix"))
        wanted = {re.split(r"[.\[]", w)[0] for _, w, *_ in Formatter().parse(said) if w}
        assert wanted <= words | {*rows.get("words", {})}, row
        seen.add(row)
    assert seen >= ELSEWHERE
