"""The checks of arguments: what they give back, and what they say."""

import numpy as np
import pytest

from polynb import arguments
from polynb.errors import PolynbError


def refusal(check, *args, **kwargs):
    with pytest.raises(PolynbError) as caught:
        check(*args, **kwargs)
    return str(caught.value)


@pytest.mark.parametrize("given", [3, np.int8(3), np.uint64(3), np.array(3)])
def test_integers_of_any_kind_become_pythons(given):
    assert type(arguments.count("n", given)) is int
    assert arguments.count("n", given) == 3
    assert arguments.integers("n", [given, given]) == (3, 3)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (True, "n must be an integer of at least 1, not True"),
        (4.0, "n must be an integer of at least 1, not 4.0\ntry: n=4"),
        (float("nan"), "n must be an integer of at least 1, not nan"),
        ("x" * 100, "n must be an integer of at least 1, not 'xxx"),
        ([10**4000], "n must be an integer of at least 1, not list"),
        (0, "n must be at least 1, not 0"),
        (11, "n must be at most 10, not 11"),
        (
            2**70,
            "n = 1180591620717411303424 does not fit 64 bits\ntry: a smaller value: at most 10",
        ),
        (10**4000, "n = 10**60 or more does not fit 64 bits"),
        (-(10**4000), "n = -10**60 or less does not fit 64 bits"),
    ],
)
def test_what_is_no_count_is_named(given, said):
    found = refusal(arguments.count, "n", given, most=10)
    assert found.startswith(said)
    assert len(found) < 200


def test_seconds_are_positive_and_end():
    assert arguments.seconds("timeout", np.float32(0.5)) == 0.5
    assert arguments.optional(arguments.seconds, "timeout", None) is None
    for given in (0, -1, float("nan"), float("inf"), 1e300, True, "2", [2]):
        assert "timeout must be" in refusal(arguments.seconds, "timeout", given)


def test_flags_are_no_numbers():
    assert arguments.flag("f", np.True_) is True
    for given in (0, 1, "yes", None, []):
        assert "f must be True or False" in refusal(arguments.flag, "f", given)


def test_names_in_one_text_or_several():
    for given in ("a, b", "a b", ["a", "b"], ("a", "b"), np.array(["a", "b"])):
        assert arguments.several_names("names", given, "abc") == ("a", "b")
    assert arguments.several_names("names", "a a") == ("a", "a")
    assert "names 'a' twice" in refusal(arguments.several_names, "names", "a a", once=True).replace(
        "array ", ""
    )
    assert "there is no array 'tnp'\ntry: tmp" in refusal(
        arguments.several_names, "names", "tnp", ["tmp", "s"]
    )


def test_words_of_a_command_line():
    assert arguments.command_line("flags", "-O2 -DX='a b'") == ("-O2", "-DX=a b")
    assert arguments.command_line("flags", ["-O2"]) == ("-O2",)
    assert "No closing quotation" in refusal(arguments.command_line, "flags", "-DX='")


def test_a_file_is_in_a_folder_that_there_is(tmp_path):
    assert arguments.file("file", str(tmp_path / "a.html")) == tmp_path / "a.html"
    assert "is a folder" in refusal(arguments.file, "file", tmp_path)
    assert "there is no folder" in refusal(arguments.file, "file", tmp_path / "b" / "a.html")
