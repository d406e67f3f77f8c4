"""The playground's state in Python: moves, verdicts, what is offered, what a notebook keeps."""

import json
from pathlib import Path

import jsonschema
import pytest

import polynb as pn
from polynb import isl
from polynb.errors import PolynbError
from polynb.moves.script import read
from polynb.run.oracle import equivalent
from polynb.show.play import (
    format as play_format,
    playground as module,
    view as view_module,
)
from polynb.show.play.code import code_lines, handles
from polynb.show.play.view import offers

pytest.importorskip("anywidget")

HEAT = """param T, N;  assume T >= 1;  assume N >= 3;
for t = 0 to T-1 do for i = 1 to N-2 do
  A[t+1][i] = A[t][i-1] + A[t][i] + A[t][i+1];  // S
done done"""
PRODUCT = """param n;  assume n >= 1;  temp t;
for i = 0 to n-1 do for j = 0 to n-1 do
  C[i][j] = 0;  // S1
  for k = 0 to n-1 do
    t = A[i][k] * B[k][j];  // S2
    C[i][j] = C[i][j] + t;  // S3
  done
done done"""
TWO = """param N;  assume N >= 2;  temp t[N+1];
for i = 0 to N do
  t[i] = A[i];  // S
done
for i = 0 to N do
  B[i] = t[i] + i;  // T
  D[i] = 2 * B[i];  // U
done"""
SCHEMA = json.loads((Path(play_format.__file__).parent / "play.schema.json").read_text())


def endless():
    while True:
        isl.check_time()


class Player:
    """A playground, and the front end's part: messages, and every answer that came."""

    def __init__(self, text):
        self.p = pn.play(pn.parse(text, name="given"))
        self.answers = []
        self.p.observe(lambda change: self.answers.append(change["new"]), "shown")

    def ask(self, action, line=""):
        self.answers.clear()
        number = self.p.asked.get("number", 0) + 1
        self.p.asked = {"number": number, "action": action, "line": line}
        for answer in self.answers:
            jsonschema.validate(answer, SCHEMA)
            assert answer["number"] == number
        return self.answers[-1]


@pytest.fixture
def heat():
    return Player(HEAT)


@pytest.fixture
def product():
    return Player(PRODUCT)


# -- verdicts --------------------------------------------------------------------------------


def test_an_illegal_move_is_told_at_once_and_its_repair_later(heat):
    seen = heat.ask("do", "interchange t i")
    first, second = heat.answers
    assert (first["legal"], first["searching"], first["ways"]) == (False, True, [])
    assert (second["searching"], second["ways"][0]) == (False, {"line": "skew i by t", "cost": ""})
    assert first["said"] == second["said"]
    assert "S(1, 1) needs what S(0, 2) writes to A" in seen["said"]
    assert {c["handle"] for c in seen["code"] if c["bad"]} == {"s:S"}
    assert seen["marks"] == ["a:S:w", "a:S:0", "a:S:1", "a:S:2"]
    with pytest.raises(PolynbError, match="interchange t i"):
        _ = heat.p.transformation.result


def test_after_an_illegal_move_another_one_takes_its_place(heat):
    before = heat.ask("pick", "l:t")["offers"]
    seen = heat.ask("do", "interchange t i")
    assert seen["offers"] == before
    assert heat.ask("do", "skew i by t")["legal"]
    assert heat.p.script == "skew i by t"


def test_a_move_is_judged_before_it_is_made(heat):
    heat.ask("pick", "l:t")
    for line, sign, said in (
        ("interchange t i", "✗", "S(1, 1) needs what S(0, 2) writes to A"),
        ("skew i by 1*t", "✓", "legal"),
        ("tile k by 4", "?", "no loop 'k'"),
    ):
        heat.p.asked = {"number": 7, "action": "look", "line": line}
        looked = heat.p.looked
        assert (looked["number"], looked["cell"]) == (7, heat.p.shown["cell"])
        assert looked["verdicts"][line]["sign"] == sign
        assert said in looked["verdicts"][line]["said"]
    assert heat.p.script == ""
    heat.ask("do", "interchange t i")
    heat.p.asked = {"number": 9, "action": "look", "line": "reverse i"}
    assert heat.p.looked["verdicts"]["reverse i"]["sign"] == "✓"  # in the place of the illegal one


def test_a_repair_is_made_before_the_illegal_move(heat):
    heat.ask("do", "interchange t i")
    seen = heat.ask("first", "skew i by t")
    assert seen["legal"]
    assert not any(c["bad"] for c in seen["code"])
    assert heat.p.script == "skew i by t\ninterchange t i"
    assert equivalent(heat.p.transformation, N=[3, 6], T=[1, 4])


def test_live_ranges_that_collide(product):
    seen = product.ask("do", "distribute k")
    assert not seen["legal"]
    assert seen["ways"] == [{"line": "expand t", "cost": "n * n * n cells, not 1"}]
    assert seen["marks"] == ["a:S2:w", "a:S3:1"]
    line = seen["pictures"][0]
    assert line["title"] == "Live ranges of t, n = 2"
    assert "as written: S2(0, 0, 0) → S3(0, 0, 0), S2(0, 0, 1) → S3(0, 0, 1)" in line["alt"]
    assert product.ask("first", "expand t")["legal"]
    assert equivalent(product.p.transformation, n=[1, 3])


@pytest.mark.long
def test_a_value_that_flows_backwards_is_drawn_so_whatever_the_size(product):
    """The next tile reads the sum of the one before, which now comes after it: n is 33 at least."""
    product.ask("do", "tile k by 32")
    seen = product.ask("do", "reverse kk")
    line, _ = seen["pictures"]
    assert not seen["legal"]
    assert line["title"] == "Live ranges of C, n = 33"
    assert line["alt"].endswith("now: S3(0, 0, 31) → S3(0, 0, 32)")
    assert line["svg"].count("stroke-dasharray") == 1  # the one that is backwards


def test_a_loop_that_cannot_run_in_parallel_is_red_itself(product):
    seen = product.ask("do", "parallel i")
    assert {c["handle"] for c in seen["code"] if c["bad"]} == {"l:i", "s:S2", "s:S3"}
    assert seen["ways"] == [
        {"line": "privatize t", "cost": "one per thread or lane"},
        {"line": "expand t", "cost": "n * n * n cells, not 1"},
    ]
    assert "iterations of i run at once" in seen["pictures"][0]["alt"]


def test_what_was_seen_is_not_computed_again(product, monkeypatch):
    """The second answer to an illegal move has the first one's text; and undone is undone."""
    printed, tried = [], []
    lines, offered = view_module.code_lines, view_module.offers
    monkeypatch.setattr(view_module, "code_lines", lambda *a: printed.append(a) or lines(*a))
    monkeypatch.setattr(
        view_module, "offers", lambda *a, **k: tried.append(k["tried"]) or offered(*a, **k)
    )
    at_first = product.p.shown["code"]
    seen = product.ask("do", "distribute k")
    first, second = product.answers
    assert first["code"] == second["code"] == seen["code"] != at_first
    assert first["pictures"] == second["pictures"]
    assert len(printed) == 1
    assert product.ask("undo")["code"] == at_first
    assert product.ask("redo")["code"] == seen["code"]
    assert len(printed) == 1
    assert tried == [True]
    monkeypatch.setattr(view_module, "MOST", 2)
    offers_made = product.ask("pick", "l:j")["offers"]
    assert tried[-1] is False
    assert any(o["forms"] for o in offers_made)


def test_views_are_kept_of_chains_that_can_be_gone_back_to(heat):
    for by in (1, 2, 3):
        heat.ask("do" if by == 1 else "replace", f"skew i by {by}*t")
    assert len(heat.p._history.chains) == 2
    assert len(heat.p._views) <= 2


def test_pictures_enumerate_what_is_turned_around(heat):
    """S(t, i) feeds S(t+1, i-1), which runs before it when i is the outer loop: 5 x 5 pairs."""
    *_, picture = heat.ask("do", "interchange t i")["pictures"]
    assert picture["title"].endswith("T = 6, N = 8")
    assert picture["alt"].endswith("; 80 flow dependences, 25 turned around")
    *_, picture = heat.ask("first", "skew i by t")["pictures"]
    assert picture["alt"].endswith("80 flow dependences, 0 turned around")


# -- back and forth --------------------------------------------------------------------------


def test_undo_redo_and_reset(heat):
    heat.ask("do", "skew i by t")
    heat.ask("do", "reverse i")
    assert not heat.p.shown["redo"]
    seen = heat.ask("undo")
    assert (seen["undo"], seen["redo"], heat.p.script) == (True, True, "skew i by t")
    assert heat.ask("redo")["steps"][-1]["line"] == "reverse i"
    seen = heat.ask("reset")
    assert (seen["undo"], seen["redo"], heat.p.script) == (False, True, "")
    heat.ask("redo")
    heat.ask("do", "interchange t i")
    assert not heat.p.shown["redo"]


def test_another_number_takes_the_place_of_the_last_move(heat):
    heat.ask("do", "skew i by 1*t")
    assert heat.ask("replace", "skew i by 2*t")["legal"]
    assert heat.p.script == "skew i by 2*t"
    assert not heat.ask("replace", "interchange t i")["legal"]
    assert heat.ask("replace", "skew i by -1*t")["legal"]  # also after an illegal one


def test_python_plays_too(heat):
    heat.p.do("interchange t i")
    assert heat.p.shown["ways"]
    heat.p.undo()
    heat.p.do("skew i by t")
    assert heat.answers[-1]["steps"][0]["line"] == "skew i by t"
    with pytest.raises(PolynbError, match="no loop 'x'"):
        heat.p.do("reverse x")
    heat.p.reset()
    heat.p.redo()
    assert heat.p.script == "skew i by t"
    assert repr(heat.p) == "<Playground of given: 1 moves>"


def test_a_chain_is_gone_on_with():
    chain = pn.transform(pn.parse(HEAT)).skew("i", "t").interchange("t", "i")
    p = pn.play(chain)
    assert p.transformation is chain
    p.undo()
    assert p.script == "skew i by t"
    p.undo()
    assert p.script == ""
    p.redo()
    p.redo()
    assert p.transformation is chain


# -- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "line", "said"),
    [
        ("do", "reverse x", "there is no loop 'x'"),
        ("do", "reverze i", "there is no move 'reverze'"),
        ("do", "tile t k by 4", "there is no loop 'k'"),
        ("first", "reverse x", "there is no loop 'x'"),
        ("jump", "", "no action 'jump'"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(heat, action, line, said):
    heat.ask("do", "skew i by t")
    seen = heat.ask(action, line)
    assert said in seen["refused"]
    assert heat.p.script == "skew i by t"
    assert not heat.ask("undo")["refused"]


def test_what_is_illegal_itself_repairs_nothing(heat):
    heat.ask("do", "interchange t i")
    assert "is illegal itself" in heat.ask("first", "reverse t")["refused"]
    assert heat.p.script == "interchange t i"


def test_a_repair_is_made_once_and_of_what_is_illegal(heat):
    assert "nothing is illegal any more" in heat.ask("first", "skew i by t")["refused"]
    heat.ask("do", "interchange t i")
    heat.ask("first", "skew i by t")
    made = heat.p.script
    assert "nothing is illegal any more" in heat.ask("first", "skew i by t")["refused"]
    assert heat.p.script == made


def test_what_takes_too_long_is_too_hard(heat, monkeypatch):
    monkeypatch.setattr(module, "SECONDS", 0.05)
    monkeypatch.setitem(module.ACTIONS, "do", lambda *_: endless())
    seen = heat.ask("do", "interchange t i")
    assert seen["refused"] == "Too hard: no answer within 0.05 seconds. Nothing was changed."
    assert heat.p.script == ""
    monkeypatch.undo()
    assert not heat.ask("do", "skew i by t")["refused"]


# -- handles and offers ----------------------------------------------------------------------

PLAYED = [
    (HEAT, ""),
    (HEAT, "skew i by t\ninterchange t i\ntile i t by 4"),
    (PRODUCT, ""),
    (PRODUCT, "distribute j"),
    (PRODUCT, "peel first 1 of i"),
    (PRODUCT, "tile i j by 8\nexpand t"),
    (TWO, ""),
    (TWO, "shift U by 1"),
]


@pytest.mark.parametrize(("text", "script"), PLAYED)
def test_every_loop_and_statement_has_its_lines(text, script):
    program = pn.transform(pn.parse(text), script).result
    known = handles(program)
    lines = code_lines(program, known)
    assert {c.handle for c in lines if c.handle} == {h.id for h in known}
    by_id = {h.id: h for h in known}
    for c in lines:
        word, *rest = c.text.split()
        if word == "for":
            handle = by_id[c.handle]
            assert handle.loop is not None
            assert handle.loop.name == rest[0]
        elif word not in ("done", "if", "else", "fi"):
            assert c.handle is not None
            assert by_id[c.handle].loop is None


@pytest.mark.parametrize(("text", "script"), PLAYED)
@pytest.mark.long
def test_what_is_offered_can_be_made(text, script):
    """Only of a temporary it is found out by trying whether it can be private."""
    chain = pn.transform(pn.parse(text), script)
    program = chain.result
    known = handles(program)
    counted = 0
    for handle in known:
        for offer in offers(program, handle, known):
            assert bool(offer.forms) != bool(offer.why)
            for form in offer.forms:
                (line,) = read(form.line.replace("#", str(offer.number)))
                assert line.move.name == offer.move
                if offer.move != "privatize":
                    chain.then(line.move, search=False)
                counted += 1
    assert counted > 20


def test_what_is_offered_depends_on_what_is_picked():
    player = Player(TWO)
    of = {o["move"]: o for o in player.ask("pick", "l:S.i")["offers"]}
    assert [f["line"] for f in of["fuse"]["forms"]] == ["fuse S.i T.i"]
    assert not of["interchange"]["forms"]
    assert not of["distribute"]["forms"]
    of = {o["move"]: o for o in player.ask("pick", "s:U")["offers"]}
    assert [f["line"] for f in of["distribute"]["forms"]] == ["distribute at U"]
    assert [f["line"] for f in of["shift"]["forms"]] == ["shift U.i by #"]
    assert not of["tile"]["forms"]
    assert player.p.shown["picked"] == "s:U"
    seen = player.ask("do", "fuse S T")
    assert seen["picked"] == "s:U"  # it is still there
    player.ask("undo")
    player.ask("pick", "l:T.i")
    assert player.ask("redo")["picked"] == "l:i"  # what it has become


def test_where_trying_takes_too_long_moves_are_offered_untried(monkeypatch):
    """`tile i k` is not possible, for something stands beside k."""

    def tile(p):
        return [f["line"] for o in p.ask("pick", "l:j")["offers"] if o["move"] == "tile"
                for f in o["forms"]]  # fmt: skip

    player = Player(PRODUCT)
    assert tile(player) == []
    monkeypatch.setattr(view_module, "_possible", lambda *_: endless())
    monkeypatch.setattr(view_module, "SECONDS", 0.05)
    assert tile(player) == []  # as it was found
    assert tile(Player(PRODUCT)) == ["tile j k by #"]


# -- in a notebook ---------------------------------------------------------------------------


def test_a_saved_notebook_needs_no_kernel(product):
    product.ask("do", "distribute k")
    bundle = product.p._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle[module.MIME] == "polynb-play 1"
    assert bundle["text/plain"].startswith(
        "Playground of given\n✗ distribute k: illegal: S2(0, 0, 1)"
    )
    assert "!       t = A[i][k]" in bundle["text/plain"]
    html = bundle["text/html"]
    assert html.count("<img") == 2
    assert "✗ illegal" in html
    for tag in ("<script", "<style", "<svg", "currentColor"):
        assert tag not in html


def test_types_are_those_of_the_schema():
    for name, entry in {**SCHEMA["$defs"], "Shown": SCHEMA}.items():
        typed = getattr(play_format, f"{name}Json")
        assert set(entry["required"]) == set(entry["properties"]) == set(typed.__annotations__)


def test_the_magic_and_the_cell_that_is_copied(shell):
    def run(cell):
        result = shell.run_cell(cell)
        result.raise_error()
        return result.result

    run(f"%%scop --quiet heat\n{HEAT}")
    played = run("%play heat")
    played.do("skew i by t")
    played.do("interchange t i")
    cell = played.shown["cell"]
    assert cell == "%%transform fast --from heat\nskew i by t\ninterchange t i\n"
    run(cell)
    assert shell.user_ns["fast"].script == played.script
    assert run("%play fast").script == played.script
    assert (
        run("%play gallery:fig1").shown["cell"].startswith("%%transform faster --from gallery:fig1")
    )
    del shell.user_ns["heat"]
    assert run("%play fast").shown["cell"].startswith("%%transform faster --from fast.before\n")
    played = run(f"%%play mine\n{HEAT}")
    cell = played.shown["cell"]
    assert cell.startswith("%%transform faster --from mine.transformation.before\n")
    run(cell + "skew i by t")
    run(f"%%scop --quiet heat\n{HEAT}")
    for line, at in (("%play", "%play"), ("%play heat heat", "heat"), ("%play heet", "heet")):
        with pytest.raises(PolynbError) as caught:
            run(line)
        assert caught.value.span.text == at
        assert caught.value.hint


def test_the_cell_names_the_program_that_was_moved(shell):
    def run(cell):
        shell.run_cell(cell).raise_error()
        return shell.user_ns

    def text(name):
        return str(shell.user_ns[name].result)

    copy = "param N; temp t; for i = 0 to N do t = A[i]; B[i] = t; done"
    run(f"%%scop --quiet copy\n{copy}")
    run("%%transform t --from copy\npropagate\nreverse i")
    played = run("p = %play t")["p"]
    assert played.shown["cell"] == "%%transform fast --from t.before\nreverse i\n"
    run(played.shown["cell"])
    assert text("fast") == text("t")
    run("fast = %propagate gallery:fig1")  # another one of that name stays what it is
    cell = run("p = %play copy")["p"].shown["cell"]
    assert cell.startswith("%%transform faster --from copy\n")


def test_the_cell_names_no_program_that_declares_less(shell):
    """`gallery:lrr_listing1_live` has an output t; a temporary may be expanded."""
    shell.run_cell("p = %play gallery:lrr_listing1_live --temp t").raise_error()
    played = shell.user_ns["p"]
    played._repr_mimebundle_()
    assert played.shown["cell"].startswith("%%transform fast --from p.transformation.before\n")
