"""Scripts as people type them, and hints that help: each is followed here."""

import pytest
from cases import beside

import polynb as pn
from polynb.errors import PolynbError, edited
from polynb.moves import Distribute, Schedule, Shift, named_loops
from polynb.moves.script import read, read_all
from polynb.scop.schedule import Band

CASES = beside(__file__)

STENCIL = """param N; assume N >= 2; inout A[N+2][N+2];
for i = 1 to N do for j = 1 to N do S: A[i][j] = A[i-1][j+1] + A[i-1][j]; done done"""
CHAIN = """param N; input A[N+1]; temp t[N+1]; output B[N+1];
for i = 0 to N do S: t[i] = f(A[i]); done
for i = 0 to N do T: B[i] = t[i]; done"""
PAIRS = """param N; input A[N+1][N+1]; temp t[N+1][N+1]; output B[N+1][N+1];
for i = 0 to N do for j = 0 to N do S: t[i][j] = f(A[i][j]); T: B[i][j] = t[i][j]; done done"""
SCALAR = PAIRS.replace("t[i][j]", "t").replace("t[N+1][N+1]", "t")
THREE = CHAIN.replace("output B[N+1]", "output B[N+1], C[N+1]")
THREE += " for i = 0 to N do U: C[i] = B[i]; done"
FOUR = THREE + " for i = 0 to N do V: D[i] = C[i]; done"
UNEQUAL = """param N; input A[N+1]; output B[N+1], C[N+1][N+1];
for i = 0 to N do S: B[i] = f(A[i]); done
for i = 0 to N do for j = 0 to N do T: C[i][j] = A[j]; done done"""
BESIDE = """param N; input A[N+1]; output B[N+1], C[N+1][N+1];
for i = 0 to N do S: B[i] = f(A[i]); for j = 0 to N do T: C[i][j] = A[j]; done done"""
FIRST = "param N; output z; output B[N+1]; Z: z = 1; for i = 0 to N do S: B[i] = 2; done"


@pytest.mark.parametrize(
    ("typed", "meant"),
    CASES["lines_are_read_as_they_are_meant"],
)  # fmt: skip
def test_lines_are_read_as_they_are_meant(typed, meant):
    assert "\n".join(str(line.move) for line in read(typed)) == meant


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_caret_is_at_its_line_whatever_ends_it(end):
    with pytest.raises(PolynbError) as caught:
        read(f"reverse i{end}{end}skew j by{end}")
    assert (caught.value.span.line, caught.value.span.column) == (3, 10)


def error(program, script):
    with pytest.raises(PolynbError) as caught:
        pn.transform(pn.parse(program), script)
    return caught.value


@pytest.mark.parametrize(
    ("line", "at", "bound"),
    CASES["numbers_out_of_bounds"],
)
def test_numbers_out_of_bounds(line, at, bound):
    found = error(STENCIL, line)
    name = line.split()[0]
    assert found.message.startswith(f"{name} takes a number of {bound}")
    assert found.span.text == at
    read(found.hint.strip("`"))  # an example of such a line
    assert "=" not in found.hint


@pytest.mark.parametrize(
    ("line", "missing", "at"),
    [
        ("reverse", "the name of a loop", len("reverse")),
        ("peel", "the name of a loop", len("peel")),
        ("reverse 3", "the name of a loop", len("reverse ")),
        ("strip-mine i 8", "`by`", len("strip-mine i ")),
        ("strip-mine i by", "a number", len("strip-mine i by")),
        ("strip-mine i by x", "a number", len("strip-mine i by ")),
    ],
)
def test_a_word_that_is_missing_is_missed_at_its_place(line, missing, at):
    found = error(STENCIL, line)
    assert found.message == f"{line.split()[0]} takes {missing} here"
    assert found.span.start == at


HELPED = {
    "jammed twice": (
        PAIRS, "unroll-and-jam i by 2\nunroll-and-jam i by 3", "`unroll-and-jam i by 6`, instead",
        "unroll-and-jam i by 6",
    ),
    "strips jammed": (
        PAIRS, "unroll-and-jam i by 2\nunroll-and-jam ii by 2", "a multiple of 2: 8, say",
        "unroll-and-jam i by 2\nunroll-and-jam ii by 8",
    ),
    "jammed beside a statement": (
        BESIDE, "unroll-and-jam i by 2", "`distribute i` first, then `unroll-and-jam T.i by 2`",
        "distribute i\nunroll-and-jam T.i by 2",
    ),
    "jammed, innermost": (PAIRS, "unroll-and-jam j by 2", "`unroll j by 2`", "unroll j by 2"),
    "fused twice": (CHAIN, "fuse\nfuse", "without this line: nothing is left", "fuse"),
    "fused twice by name": (
        THREE, "fuse S T\nfuse S T", "`fuse S U`", "fuse S T\nfuse S U",
    ),
    "fused, apart": (THREE, "fuse S U", "`fuse S T` first", "fuse S T\nfuse S U"),
    "fused, the other way round": (THREE, "fuse U S", "`fuse U T` first", "fuse U T\nfuse U S"),
    "fused, far apart": (FOUR, "fuse S V", "another move: `fuse S T` is not", "fuse S T\nfuse S U"),
    "fused, far apart, the other way round": (
        FOUR, "fuse V S", "another move: `fuse V U` is not", "fuse V U\nfuse V T"),
    "fused, of unequal depth": (UNEQUAL, "fuse", "`fuse S T`", "fuse S T"),
    "fused without a loop": (FIRST, "fuse Z S", "without this line: nothing is left", ""),
    "a loop that follows none": (THREE, "fuse i:1 S", "`fuse S T`", "fuse S T"),
    "fused with itself": (CHAIN, "fuse S S", "`fuse S T`", "fuse S T"),
    "an input expanded": (CHAIN, "expand A", "`expand t`", "expand t"),
    "an input private": (SCALAR, "privatize A", "`privatize t`", "privatize t"),
    "an input private, and nothing can be": (CHAIN, "privatize A", "`expand t`", "expand t"),
    "flow to another nest": (CHAIN, "privatize t", "`expand t`", "expand t"),
    "no array to expand": (CHAIN, "expand q", "`expand t`", "expand t"),
    "no array to be private": (SCALAR, "privatize q", "`privatize t`", "privatize t"),
    "undone": (CHAIN, "reverse S.i\nfuse\nundo", "without this line, and the one before it",
               "reverse S.i"),
    "nothing to undo": (CHAIN, "# so\nundo\nfuse", "without this line", "fuse"),
}  # fmt: skip


@pytest.mark.parametrize("name", HELPED)
def test_a_hint_helps(name):
    program, script, hint, mended = HELPED[name]
    found = error(program, script)
    assert found.hint.startswith(hint)
    pn.transform(pn.parse(program), mended)


@pytest.mark.parametrize("move", ["expand", "privatize"])
def test_an_output_is_declared_otherwise(move):
    program = SCALAR.replace("output B[N+1][N+1]", "output C[N+1][N+1], B[N+1]")
    program = program.replace("B[i][j] = t;", "B[i] = t; U: C[i][j] = B[i];")
    assert error(program, f"{move} B").hint.startswith("`temp B;` in the program")
    mended = program.replace(", B[N+1]", "; temp B")
    pn.transform(pn.parse(mended), f"{move} B")


def test_a_statement_is_in_its_own_loops_only():
    found = error(BESIDE, "fuse S T")
    assert found.message == "S has no loop of its own that could be fused"


def test_nests_are_told_apart():
    found = error(THREE, "fuse S T\nfuse S T")
    assert found.reason == "the loops are i around S and T; i around U"


def test_a_repair_says_each_thing_once():
    scop = pn.parse(SCALAR)
    times = "{ S[i, j] -> [0, i, j]; T[i, j] -> [1, i, j] }"
    first = pn.check(scop, times).repairs[0]
    assert str(first) == "expand t by i and j ((N + 1) * (N + 1) cells, not 1)"
    assert first.change == "expand t by i and j"
    assert first.cost == "t: (N + 1) * (N + 1) cells, not 1"


def test_what_is_before_the_first_move_is_no_line_to_delete():
    assert error(CHAIN, "# so\nundo\nfuse").hint == "without this line"


def test_an_empty_line_comes_first():
    lines = read("\nreverse i\nreverse j")
    assert [str(line.move) for line in lines] == ["reverse i", "reverse j"]


def test_a_word_that_may_be_left_out():
    (line,) = read("unroll i")
    assert line.move.by is None
    (line,) = read("unroll i by 4")
    assert line.move.by == 4


def test_the_word_that_is_wrong_is_shown():
    scop = pn.parse("param N; for i = 0 to N do for j = 0 to N do A[i][j] = 1; done done")
    with pytest.raises(PolynbError) as caught:
        pn.transform(scop, "tile i j by 32\ntile ii jj by 4")
    assert caught.value.span.text == "ii"


@pytest.mark.parametrize(("said", "by"), [("1", 1), ("1, 0", (1, 0))])
def test_a_line_makes_the_move_that_a_call_makes(said, by):
    (line,) = read(f"shift S by {said}")
    assert line.move == Shift("S", by)


def test_a_word_that_is_like_no_move_is_left_alone():
    assert not error(STENCIL, "qwxyz").fix


def test_a_move_that_fails_somewhere_is_shown_as_a_line():
    found = error(STENCIL, "fuse")
    assert found.span.text == "fuse"
    times = "schedule { S[i, j] -> [i, j] : i > 3 }"
    assert error(STENCIL, times).span.text == times


def test_a_loop_that_is_left_out_before_a_place():
    (line,) = read("distribute at T")
    assert line.move == Distribute(at="T")


def test_a_script_is_text():
    with pytest.raises(PolynbError, match="script"):
        pn.transform(pn.parse("A[0] = 1;"), 3)


def test_a_script_may_begin_with_passes_and_goes_on_behind_them():
    """The moves are about what the passes give; what was given is its first stage."""
    scop = pn.parse(CHAIN)
    chain = pn.transform(scop, "Remove-Scalars\npropagate  keep=A # all else\n\nreverse i")
    assert chain.script == "remove_scalars\npropagate keep=A\nreverse i"
    assert chain.stages[0] is scop
    assert str(chain.before) == str(pn.propagate(scop).result)
    assert pn.transform(scop, chain.script).script == chain.script
    assert chain.undo().script == "remove_scalars\npropagate keep=A"
    assert pn.equivalent(scop, chain.result, N=4)
    assert str(pn.prove(scop, chain.result)).startswith("the same")


def test_sizes_of_tiles_are_given_to_passes_with_commas():
    scop = pn.gallery.load("gemm")
    tiled = pn.transform(scop, "reorder tile=8,16,4").result
    assert str(tiled) == str(pn.reorder(scop, tile=[8, 16, 4]).result)


def test_truth_values_are_given_to_passes_in_words():
    (line,), _ = read_all("reorder contract=True privatize=false scheduler=isl")
    assert line.options == {"contract": True, "privatize": False, "scheduler": "isl"}


@pytest.mark.long
def test_values_of_parameters_are_given_to_passes_by_their_names():
    """Matrices that fit into a cache need no tiles."""
    scop = pn.gallery.load("gemm")
    small, large = (pn.transform(scop, f"optimise ni={n}, nj={n} nk={n}") for n in (90, 1900))
    assert small.script == "optimise ni=90 nj=90 nk=90"
    assert str(small.before) == str(pn.optimise(scop, {"ni": 90, "nj": 90, "nk": 90}).result)
    assert str(small.before) != str(large.before)


@pytest.mark.parametrize(("script", "at", "said", "hint"), CASES["passes_that_are_none"])
def test_what_is_wrong_with_a_pass_is_shown_at_its_words(script, at, said, hint):
    found = error(CHAIN, script)
    assert found.message.startswith(said)
    assert found.span.text == at
    assert hint in found.hint


def test_moves_of_one_line_are_made_lines():
    """A search calls its programs so, and its table is what is copied."""
    found = error(CHAIN, "propagate;fuse ; # two\n")
    assert [edit.text for edit in found.fix] == ["\n", ""]
    pn.transform(pn.parse(CHAIN), "propagate\nreverse i")


def test_the_playground_takes_moves_alone():
    with pytest.raises(PolynbError, match="propagate is a pass, and no move"):
        read("propagate")


@pytest.mark.parametrize(
    ("call", "line"),
    [
        ("reverse(i)", "reverse i"),
        ("interchange(i, j)", "interchange i j"),
        ("interchange (S.i, 'j');", "interchange S.i j"),
        ("interchange(i j)", "interchange i j"),
        ("interchange(i)", "interchange i j"),  # it is short of one
        (".interchange(j, k)", "interchange j k"),
        ("q.interchange(j, k).parallel(k)", "interchange j k\nparallel k"),
        ("tile(i, j, 32)", "tile i j by 32"),
        ("tile([i, j], by=[16, 8])", "tile i j by 16, 8"),
        ("strip-mine(i, 8)", "strip-mine i by 8"),
        ("unroll_and_jam(i, by=4)", "unroll-and-jam i by 4"),
        ("skew(j, i, 2)", "skew j by 2*i"),
        ("distribute(i, T)", "distribute i at T"),
        ("distribute(i, at=T)", "distribute i at T"),
        ("peel(i, last=2)", "peel last 2 of i"),
        ('schedule("{ S[i] -> [-i] }")', "schedule { S[i] -> [-i] }"),
        ("propagate(windows=32)", "propagate windows=32"),
        ("remove_scalars()", "remove_scalars"),
    ],
)
def test_a_call_is_a_line_without_brackets(call, line):
    found = error(CHAIN, call)
    assert found.message == "a move is a line, and no call"
    assert edited(found.fix) == line
    assert all(f"`{one}`" in found.hint for one in line.split("\n"))


@pytest.mark.parametrize(
    "text",
    ["f(i)", "reverse(i).f(j)", "interchange(", "interchange(i j, (k))", "reverse(" + "(" * 500],
)
def test_what_is_no_call_of_a_move_is_none(text):
    assert "no call" not in error(CHAIN, text).message


def test_a_schedule_is_said():
    scop = pn.parse("param N; for i = 0 to N do B[i] = A[i]; done")
    with pytest.raises(PolynbError, match="schedule takes a schedule here"):
        pn.transform(scop, "schedule")


def test_what_iterations_pass_on_can_be_expanded():
    body = "s = A[i]; t = t + s; B[i] = t;"  # s, which could be private, is another matter
    scop = pn.parse(f"param N; temp s, t; t = 0; for i = 0 to N do {body} done")
    with pytest.raises(PolynbError, match="cannot be private") as found:
        pn.transform(scop, "privatize t")
    assert found.value.hint == "`expand t`"


def test_what_is_private_stays_so_when_others_are_expanded():
    scop = pn.parse(
        "param N; temp s, t[N+1]; for i = 0 to N do s = A[i]; t[i] = s; B[i] = s + t[i]; done"
    )
    assert pn.transform(scop, "privatize s\nexpand t\nparallel i").steps[-1].verdict


def test_times_of_few_values_are_loops_and_those_of_one_are_none():
    few = pn.parse("for i = 0 to 3 do B[i] = A[i]; done")
    assert "by -1" in str(pn.transform(few, "schedule { S0[i] -> [-i] }").result)
    head, times = "param N;", Schedule("[N] -> { S0[i] -> [N, i] }")
    for assumed, loops in (("", 2), ("assume N == 3;", 1)):
        scop = pn.parse(f"{head} {assumed} for i = 0 to N do B[i] = A[i]; done")
        made = times.applied(scop)
        assert len(named_loops(made)) == loops
        assert isinstance(made.schedule, Band)  # no sequence of one part


def test_digits_that_are_none_of_ours_are_no_number() -> None:
    with pytest.raises(PolynbError, match="windows"):
        pn.transform(pn.gallery.load("harris"), "propagate windows=²")


def test_what_is_wrong_in_the_times_of_a_line_is_shown_there():
    scop = pn.parse("param N; for i = 0 to N do S: A[i] = 1; T: B[i] = 2; done")
    for times, wrong in (("S[i,j] -> [i]", "S[i,j]"), ("S[i] -> [1.5]", "1.5")):
        script = f"reverse i\nschedule {{ {times}; T[i] -> [i] }}"
        with pytest.raises(PolynbError) as error:
            pn.transform(scop, script)
        assert (error.value.span.start, error.value.span.text) == (script.index(wrong), wrong)
