"""What the extension of JupyterLab knows of polynb's cells (widgets/labextension/src/cells): the
words of the language, and how errors say where they are."""

import json
import re
from pathlib import Path

from polynb.errors import LONGEST, PolynbError, Span
from polynb.moves import MOVES, SAME
from polynb.show.displays.registry import with_magics
from polynb.show.magics.arguments import split
from polynb.show.magics.programs import body_source
from polynb.source.functions import MATH_FUNCTIONS
from polynb.source.names import BUILTINS, RESERVED
from polynb.source.types import TYPES

WIDGETS = Path(__file__).parents[2] / "widgets"
WORDS = WIDGETS / "labextension" / "src" / "cells" / "words.json"
ERRORS = WIDGETS / "tests" / "fixtures" / "errors.json"  # what its tests take for said

WORDS_OF = re.compile(r"[a-z][a-z-]+")  # of how a line is written, where capitals stand for names
LONG = " + ".join(f"B[{k}]" for k in range(60))
# Lines of a cell, and the place of an error between ⟦ and ⟧.
PLACES = [
    "param N;\nfor i = 0 to N do\n  A[i] = B[⟦i*i⟧];\ndone",
    "A = B⟦⟧\n",
    "A[i] ⟦= B⟧",
    "\t\tA[i] =\t⟦B⟧[i];",
    "\tA[i] =\tB[⟦i\t*\ti⟧];",
    "A[i] = B; // x\n\tA[⟦\ti⟧] = B;",
    "A /* 数\U0001f600 */ = ⟦B⟧ ＋ C;",
    "A /* 数 */ = B ⟦＋⟧ C;",
    "A = B;\r\nfor i = 0 to N do\r\n  A = ⟦B - C⟧;\r\ndone",
    "⟦for i = 0 to N do\n  A[i] = 1;\ndone⟧",
    f"A = {LONG.replace('B[40]', '⟦B[40]⟧')};",
    f"\tA =\t{LONG.replace('B[59]', '⟦B[59]⟧')};",
    f"A = ⟦{LONG}⟧;",
]


def test_words_are_those_of_the_language():
    assert {kind: text.split() for kind, text in json.loads(WORDS.read_text("utf-8")).items()} == {
        "magics": sorted(("scop", "bench", "fold", "play", *with_magics())),
        "moves": sorted({*SAME, *(w for f in MOVES.values() for w in WORDS_OF.findall(f.usage))}),
        "keywords": sorted(RESERVED.difference(TYPES, BUILTINS)),
        "types": list(TYPES),
        "functions": sorted((*BUILTINS, *MATH_FUNCTIONS)),
    }


def said(place: str) -> dict[str, str]:
    """A cell, what polynb says of the place, and what is to be marked: of a place of several
    lines, or in a long one, only what the error shows."""
    before, marked, _ = place.replace("⟧", "⟦").split("⟦")
    body = place.replace("⟦", "").replace("⟧", "")
    source = body_source(body, split("", "%%scop"))
    span = Span(source, 1 + len(before), 1 + len(before) + len(marked))
    error = PolynbError("it is wrong", span=span, reason="so it is", hint="another")
    shown = marked.splitlines()[0][:LONGEST] if marked else ""
    return {"cell": f"%%scop x\n{body}", "said": str(error), "marked": shown}


def test_errors_say_where_they_are_as_the_extension_reads_it():
    assert json.loads(ERRORS.read_text("utf-8")) == [said(place) for place in PLACES]
