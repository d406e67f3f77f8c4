"""Programs as newcomers write them: nothing is asked about one that is right, and a slip is no
success: it is refused or asked about, by the name that was meant, and what is said mends it."""

import re
import tomllib
from pathlib import Path

import pytest

import polynb as pn
from polynb.errors import edited

SLIP = re.compile(r"«([^|]*)\|([^»]*)»")
PROGRAMS = tomllib.loads(Path(__file__).with_name("first_programs.toml").read_text("utf-8"))[
    "program"
]
RIGHT = [p for p in PROGRAMS if not SLIP.search(p["text"])]
WRONG = [p for p in PROGRAMS if SLIP.search(p["text"])]


def test_there_are_twenty_of_each():
    assert (len(RIGHT), len(WRONG)) == (20, 20)


@pytest.mark.parametrize("program", RIGHT, ids=lambda p: p["text"])
def test_nothing_is_asked_about_a_program_that_is_right(program):
    assert not [str(d) for d in pn.parse(program["text"], program.get("language", "scop")).doubts]


@pytest.mark.parametrize("program", WRONG, ids=lambda p: p["text"])
def test_a_slip_is_refused_or_asked_about_and_mended(program):
    text, language = program["text"], program.get("language", "scop")
    typed, meant = SLIP.search(text).groups()
    wrong, right = SLIP.sub(r"\1", text), SLIP.sub(r"\2", text)
    try:
        (doubt,) = pn.parse(wrong, language).doubts
    except pn.PolynbError as error:
        doubt, said, mended = None, re.findall(r"\w+", error.hint or ""), edited(error.fix)
    if doubt is None:
        assert meant in said
    else:
        assert {doubt.name, doubt.meant} == {typed, meant}, str(doubt)
        mended = re.sub(rf"\b{doubt.name}\b", doubt.meant, wrong)
        right = right if doubt.name == typed else re.sub(rf"\b{meant}\b", typed, right)
    assert mended == right
    assert not pn.parse(right, language).doubts
