"""What copying is worth, counted and judged in a made-up class."""

import os
from fractions import Fraction

import pytest

from polynb.errors import PolynbError
from polynb.labs import variety
from polynb.labs.__main__ import main
from polynb.labs.catalogue import exercises


def test_who_has_the_same_variant_has_all_points():
    """Where there is one, and of another, a set has some instances."""
    (found,) = variety.varieties(["lab1.triangle"], students=60, pairs=6)
    assert 20 <= found.variants <= 60
    assert 0 < found.alike < found.copied < Fraction(1, 4)


def test_what_is_right_elsewhere_is_worth_all(monkeypatch):
    monkeypatch.setattr(variety, "_earned", lambda of, answer: Fraction(1))
    (found,) = variety.varieties(["lab1.triangle"], students=30, pairs=3)
    assert found.copied == 1
    monkeypatch.setattr(variety, "_earned", lambda of, answer: Fraction(0))
    (found,) = variety.varieties(["lab1.triangle"], students=30, pairs=3)
    assert found.copied == found.alike


@pytest.mark.parametrize("name", ["lab12.fast", "lab12.kernel"])
def test_times_are_not_taken(name):
    (found,) = variety.varieties([name], students=40, pairs=2)
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


EACH = exercises() if os.environ.get("POLYNB_LARGE") else exercises()[::4]


@pytest.mark.long
@pytest.mark.parametrize("name", EACH)
def test_a_classmates_answer_is_worth_little(name):
    (found,) = variety.varieties([name], pairs=40)
    assert found.variants >= 20
    assert found.copied <= Fraction(25, 100), "15 % is the most of any, and what chance adds"
