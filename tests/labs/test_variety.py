"""What copying is worth, counted and judged in a made-up class."""

from fractions import Fraction

import pytest

from polynb.errors import PolynbError
from polynb.labs import variety
from polynb.labs.__main__ import main


def test_who_has_the_same_variant_has_all_points():
    """Three variants, each with other numbers in it, of which a classmate's set has some."""
    (found,) = variety.varieties(["lab1.triangle"], students=60, pairs=6)
    assert found.variants == 3
    assert Fraction(1, 4) < found.alike < Fraction(1, 2)
    assert found.alike < found.copied < 1


def test_what_is_right_elsewhere_is_worth_all(monkeypatch):
    monkeypatch.setattr(variety, "_earned", lambda of, answer: Fraction(1))
    (found,) = variety.varieties(["lab1.triangle"], students=30, pairs=3)
    assert found.copied == 1
    monkeypatch.setattr(variety, "_earned", lambda of, answer: Fraction(0))
    (found,) = variety.varieties(["lab1.triangle"], students=30, pairs=3)
    assert found.copied == found.alike


def test_times_are_not_taken():
    (found,) = variety.varieties(["lab11.fast"], students=40, pairs=2)
    assert found.copied == found.alike  # another factor is another program


def test_the_command_prints_both_tables(capsys):
    assert main(["variants", "lab1.count", "lab1.hole", "--students", "20", "--pairs", "2"]) == 0
    told = capsys.readouterr().out
    copying, variants = told.split("\n\n")
    assert "a classmate's answer earns" in copying
    assert copying.splitlines()[-1].startswith("all")
    assert "two students have the same" in variants
    assert [line.split()[0] for line in variants.splitlines()[1:]] == ["lab1.count", "lab1.hole"]
    assert main(["variants", "lab1.count", "--students", "1"]) == 2
    with pytest.raises(PolynbError):
        next(variety.varieties(["lab1.nothing"]))


VARIED = (
    *("lab1.stride", "lab2.interchange", "lab2.fuse", "lab2.rows", "lab3.reads"),
    *("lab3.carried", "lab3.memory", "lab3.values", "lab3.overwritten", "lab4.backwards"),
    *("lab4.exchanged", "lab4.one_cell", "lab4.too_early", "lab5.noise", "lab5.intervals"),
    *("lab7.anti", "lab7.reversed", "lab7.cells", "lab8.reset", "lab9.lifetime", "lab11.claim"),
)
"""Whose variants are other programs, and not other constants alone."""


@pytest.mark.long
@pytest.mark.parametrize("name", VARIED)
def test_a_classmates_answer_is_worth_little(name):
    (found,) = variety.varieties([name], pairs=30)
    assert found.variants >= 20
    assert found.copied <= Fraction(20, 100), "drawn: 15 %, and what chance adds"
