"""All points are for answers that are right at every size, as a whole, and said once."""

import json
import os
import re
import time
from types import SimpleNamespace

import pytest

import polynb as pn
from polynb import isl, labs
from polynb.errors import PolynbError
from polynb.labs.apart import received
from polynb.labs.grading.submissions import submissions
from polynb.labs.tasks import programs
from polynb.labs.tasks.sizes import smallest
from polynb.labs.tasks.values import ValuesTask
from polynb.proofs import Proof, prove
from polynb.show.headless import _answer


def of(name):
    return labs.exercise(name, student="")


# -- programs ------------------------------------------------------------------------------

WRONG_LATER = "if N >= {} then B[0] = 3; fi"


@pytest.mark.parametrize(
    ("header", "last", "said"),
    [
        ("param N;  assume N <= 8;", WRONG_LATER.format(9), "the program is not for N = 9"),
        ("param N;  assume N <= 6;", "", "the program is not for N = 7"),
        ("param N;  assume N >= 2;", "", "the program is not for N = 0"),
        ("param N, M;", WRONG_LATER.format(20), "M is no parameter of this exercise"),
        ("param N;", WRONG_LATER.format(20), "for N = 20: B[0] differs"),
    ],
)
@pytest.mark.parametrize("name", ["lab6.repair", "lab6.by_hand"])
def test_a_program_is_right_for_every_size(name, header, last, said):
    text = of(name)._right[0].replace("param N;", header)
    found = labs.check(of(name), f"{text}\n{last}")
    assert found.points == 0
    assert said in str(found)


def test_sizes_at_which_nothing_runs_may_be_excluded():
    right = of("lab6.repair")._right[0]
    assert labs.check(of("lab6.repair"), right.replace("param N;", "param N;  assume N >= 0;"))


def test_a_proof_says_where_it_could_not_look(monkeypatch):
    """And without having seen it run there, there are no points."""
    right = of("lab6.by_hand")._right[0]
    far = prove(of("lab6.by_hand").scop, pn.parse(f"{right}\n{WRONG_LATER.format(10**8)}"))
    assert (far.answer, far.doubted) == ("not known", {"N": 10**8})
    near = prove(of("lab6.by_hand").scop, pn.parse(f"{right}\n{WRONG_LATER.format(20)}"))
    assert (near.answer, near.doubted) == ("different", None)
    monkeypatch.setattr(programs, "prove", lambda *a, **k: far)
    found = labs.check("lab6.by_hand", right, student="")
    assert found.points == 0
    assert "not shown to have the same results: for N = 100000000" in str(found)


def test_larger_sizes_are_run_where_nothing_is_proved(monkeypatch):
    monkeypatch.setattr(programs, "prove", lambda *a, **k: Proof())
    found = labs.check("lab6.repair", of("lab6.repair")._right[0], student="")
    assert "run for 9 parameter values" in found.shown
    text = f"{of('lab6.repair')._right[0]}\n{WRONG_LATER.format(20)}"
    assert "for N = 21" in str(labs.check("lab6.repair", text, student=""))


def test_one_loop_is_one():
    right = of("lab6.by_hand")._right[0]
    first = right.replace("param N;", "param N;\nfor k = 0 to N do\n  B[k] = 7;\ndone")
    found = labs.check(of("lab6.by_hand"), first)
    assert 0 < found.points < found.of
    assert "there are 2 loop nests" in str(found)


# -- orders ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "whole"),
    [
        ("{{ S[i, j] -> [2i, 2j, 9]; T[i, j] -> [2*({row}), 2*({column}) + 1, 0] }}", True),
        ("{{ S[i, j] -> [2i, 2j]; T[i, j] -> [2*({row}), 2*({column}) + 1] }}", False),
        ("{{ S[i, j] -> [i, j, 0, 0]; T[i, j] -> [{row}, {column}, 1, 0] }}", False),
    ],
)
def test_a_band_of_two_has_a_third_number(answer, whole):
    """What comes behind the band may fall; how many numbers there are was asked for."""
    exercise = of("lab9.transposed")
    row, column = re.search(r"T\[i, j\] -> \[(.*), (.*), 1\]", exercise._right[0]).groups()
    assert bool(labs.check(exercise, answer.format(row=row, column=column))) is whole


# -- instances -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "size"),
    [
        ("{sum} <= {c} and -{c} <= {difference} <= {c}", 3),
        ("-{c} < {sum} <= {c} and -{c} <= {difference} <= {c}", 3),
        ("-{c} <= {sum} <= {c} and -{c} <= {difference} <= {c} and (N < 20 or i != {row})", 20),
    ],
)
def test_the_size_that_is_shown_is_the_smallest(answer, size):
    right = of("lab1.diamond")._right[0]
    c, sum_, difference = re.search(r": -(\d) <= (.*) <= \d and -\d <= (.*) <= ", right).groups()
    row = re.search(r"from the cell \(([^,]*),", of("lab1.diamond").text)[1]
    text = answer.format(c=c, sum=sum_, difference=difference, row=row)
    text = "[N] -> { S[i, j] : " + text + " }"
    found = labs.check(of("lab1.diamond"), text)
    assert found.witness.parameters == {"N": size}


def test_sizes_are_not_negative():
    right = of("lab1.diamond")._right[0]
    assert labs.check(of("lab1.diamond"), right.replace("S[i, j] : ", "S[i, j] : N >= 0 and "))


def test_the_smallest_size_has_the_smallest_sum():
    both = "[T, N] -> { S[i] : T = 1 and N = 5; R[i] : T = 2 and N = 2; Q[] : T = -9 and N = 0 }"
    assert smallest(isl.sets(isl.read_union_set(both))) == {"T": 2, "N": 2}
    assert smallest(isl.sets(isl.read_union_set("[N] -> { S[i] : N = -3 }"))) == {"N": -3}
    assert smallest(isl.sets(isl.read_union_set("{ S[3] }"))) == {}
    assert smallest([]) is None


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (", N = 9", "N stands here twice"),
        (", write S(1, 1)", "write stands here twice"),
        (f", N = {'9' * 5000}", "N stands here twice"),
    ],
)
def test_a_witness_is_said_once(more, said):
    exercise = of("lab4.exchanged")
    found = labs.check(exercise, exercise._right[0] + more)
    assert found.points == 0
    assert said in str(found)


def test_a_large_witness_is_refused_at_once():
    begun = time.monotonic()
    for n, said in (("9" * 11, "is a large example"), ("9" * 5000, "this number is very large")):
        assert said in str(labs.check("lab4.exchanged", f"write S(1, 1), read S(2, 0), N = {n}"))
    assert time.monotonic() - begun < 5


def test_a_product_has_a_dot():
    right = of("lab11.fold")._right[0].replace("cj", "·cj").replace("ck", " · ck")
    assert "·" in right
    assert labs.check(of("lab11.fold"), right)
    assert labs.check(of("lab11.fold"), "9" * 5000 + "cj").points == 0


# -- objects that lie, and processes that stay ------------------------------------------------


class Stripped(str):
    def strip(self, *_):
        raise ValueError("no")


class Claims:
    """Says that it is a truth value, and equal to everything."""

    __class__ = property(lambda self: bool)
    __hash__ = None

    def __eq__(self, other):
        return True


def test_no_object_makes_the_check_fail():
    right = {name: Stripped(word) for name, word in of("lab5.noise")._right[0].items()}
    assert labs.check("lab5.noise", right, student="")
    assert labs.check("lab1.triangle", Stripped(" "), student="").points == 0


def test_what_says_that_it_is_true_is_not(monkeypatch):
    exercise = of("lab5.noise")
    monkeypatch.setitem(exercise.__dict__, "_task", ValuesTask({"": True}))
    assert labs.check(exercise, True)
    assert labs.check(exercise, Claims()).points == 0


def test_a_pipe_that_others_keep_open_is_read_when_its_process_has_ended():
    read, write = os.pipe()
    os.write(write, b"answers")
    assert received(read, time.monotonic() + 5, ended=lambda: True) == b"answers"
    assert received(read, time.monotonic() + 0.1) is None
    os.close(write)
    os.close(read)


@pytest.mark.parametrize(
    "answer", [10**5000, {str(k): "x" * 20_000 for k in range(90)}], ids=["huge", "long"]
)
def test_an_answer_that_cannot_travel_takes_no_other_with_it(answer):
    said = _answer(SimpleNamespace(user_ns={"x_answer": answer}), "x_answer", [])
    assert set(said) == {"refused"}


def test_a_lab_of_many_digits_is_none(tmp_path):
    cell = {"cell_type": "code", "source": f"labs.exercise('lab{'1' * 5000}.x')"}
    (tmp_path / "ada.ipynb").write_text(json.dumps({"cells": [cell]}))
    with pytest.raises(PolynbError, match="which lab"):
        submissions([tmp_path])


@pytest.mark.parametrize(
    ("name", "destroyed"),
    [
        ("lab6.by_hand", "for k = 0 to N do A[k] = 0; done"),
        ("lab11.mend", "for k = 0 to N-1 do A[0][k] = 0; done"),
        ("lab12.fast", "for k = 0 to N-1 do A[0][k] = 0; done"),
        ("lab6.by_hand", "for k = 0 to N do scratch[k] = 0; done"),
    ],
)
def test_an_answer_that_leaves_more_behind_is_wrong(name, destroyed):
    """Its input in pieces, or an array of its own that is no temporary."""
    right = of(name)._right[0].replace(" input A[N+2][N+2];", "")
    found = labs.check(of(name), f"{right}\n{destroyed}")
    assert found.points == 0
    assert "not the same results: for N = " in str(found)
    assert "[0] differs" in str(found)


def test_what_is_the_same_but_for_form_is_not_called_different():
    text = "param N; input int32 A[N+2]; for i = 0 to N do B[i] = {}; done"
    before, after = (pn.parse(text.format(e)) for e in ("A[i] + A[0] + 1", "A[i] + (A[0] + 1)"))
    shown, finding = programs.same(before, after)
    assert not shown
    assert "not shown to have the same results, only the same but for form" in str(finding)
