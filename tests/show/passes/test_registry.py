"""A pass of one's own, registered in a few lines: magic, progress, display, stepper and page."""

import inspect
import json
from dataclasses import dataclass, replace
from importlib.resources import files

import jsonschema
import pytest

import polynb as pn
from polynb import show
from polynb.derivation import GaveUp, Step, derivation
from polynb.errors import PolynbError
from polynb.isl import BudgetExhausted
from polynb.show.displays import registry
from polynb.show.displays.registry import PassMagic, PassView, Position, option, register
from polynb.show.displays.reports import PLAIN
from polynb.show.trace.builder import trace
from polynb.show.trace.unfolding import phase, unfold


@dataclass(frozen=True, eq=False)
class Renamed(Step):
    """A statement has another name."""

    old: str
    new: str

    @property
    def about(self):
        return (self.old,)

    @property
    def sentence(self):
        return "{old} is called {new}.", {"old": self.old, "new": self.new}


@derivation(paper="TOY'26")
def shout(scop, *, mark="x"):
    """Make all labels longer."""
    for s in scop.statements:
        yield Renamed(s.name, s.name + mark)
    return replace(scop, name=scop.name + mark)


@unfold.register
def _(step: Renamed, builder):
    yield builder.frame(step, section="1", detail=f"It was {step.old}.")


@phase.register
def _(step: Renamed, builder):
    return "shouting"


VIEW = PassView(
    replace(PLAIN, verdict=lambda d: f"{len(d.steps)} louder."),
    begins=(Renamed,),
    progress=lambda step, now: Position(f"shouting {step.old}", now.done + 1, 9),
    magic=PassMagic(
        "Make labels longer.",
        (option("--mark", "What is added.", of="written", metavar="TEXT"),),
    ),
)


@pytest.fixture
def toy(shell):
    registry.registered()
    before = dict(registry._known)
    register(shout.info, VIEW)
    show.load(shell)
    yield shell
    registry._known.clear()
    registry._known.update(before)
    show.load(shell)


def run(shell, cell):
    result = shell.run_cell(cell)
    result.raise_error()
    return result.result


def test_it_has_a_magic(toy, blur):
    toy.user_ns["blur"] = blur
    found = run(toy, "%shout blur --mark y")
    assert found.result.name == "blury"
    assert [s.new for s in found.steps] == [s.name + "y" for s in blur.statements]
    assert "Make labels longer." in toy.find_line_magic("shout").__doc__
    run(toy, "%%shout loud\nparam N; for i = 0 to N do B[i] = A[i]; done")
    assert toy.user_ns["loud"].name == "shout"
    with pytest.raises(PolynbError, match="--mork"):
        run(toy, "%shout blur --mork y")


def test_its_magic_is_gone_with_it(toy):
    show.unload(toy)
    assert toy.find_line_magic("shout") is None
    show.load(toy)


def test_bench_applies_it(toy, blur):
    toy.user_ns["blur"] = blur
    found = run(toy, "%bench blur --apply propagate,shout N=8 --rounds 1")
    assert found.labels == ("blur.before", "blur.stages[1]", "blur")


def test_its_names_are_completed(toy, blur):
    toy.user_ns["blur"] = blur
    from IPython.core.completer import provisionalcompleter

    with provisionalcompleter():
        texts = {t: [c.text for c in toy.Completer.completions(t, len(t))] for t in (
            "%bench blur --apply sh", "%shout blur --ma", "%shout blur --mark o")}  # fmt: skip
    assert list(texts.values()) == [["shout"], ["--mark"], ["out"]]


def test_it_moves_the_progress(toy, blur, monkeypatch):
    said = []
    monkeypatch.setattr(
        "polynb.show.magics.progress.Progress.__call__", lambda self, *args: said.append(args)
    )
    toy.user_ns["blur"] = blur
    run(toy, "%shout blur")
    names = [s.name for s in blur.statements]
    assert said == [(f"shouting {n}", k, 9) for k, n in enumerate(names, 1)]


def test_it_is_displayed(toy, blur):
    shown = shout(blur)._repr_mimebundle_()
    assert shown["text/plain"].startswith("2 louder.")
    assert "<b>halve is called halvex.</b>" in shown["text/html"]


def test_it_steps(toy, blur):
    found = trace(shout(blur))
    schema = files("polynb.show.trace") / "trace.schema.json"
    jsonschema.validate(json.loads(json.dumps(found)), json.loads(schema.read_text()))
    assert [p["name"] for p in found["phases"]] == ["the question", "shouting", "the result"]
    frame = found["steps"][1]
    assert frame["kind"] == "Renamed"
    assert frame["section"] == "TOY'26, section 1"
    assert frame["detail"] == "It was halve."
    assert "It was halve." in shout(blur).to_html()


def test_a_pass_that_nobody_registered_tells_its_steps(blur):
    assert "shout" not in registry.registered()
    shown = shout(blur)._repr_mimebundle_()
    assert shown["text/plain"].startswith("shout: 2 steps.")
    assert trace(shout(blur))["steps"][1]["section"] == "section 1"


# -- from anything to anything ---------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Seen(Step):
    number: int

    @property
    def sentence(self):
        return "{n} was seen.", {"n": self.number}


@derivation(takes=list)
def filled(numbers):
    """A program that writes these numbers."""
    for n in numbers:
        yield Seen(n)
    body = " ".join(f"A[{k}] = {n};" for k, n in enumerate(numbers))
    return pn.parse(f"param N; output double A[{len(numbers)}]; {body}")


@derivation(takes=pn.Scop, gives=list)
def sizes(scop):
    yield Seen(len(scop.statements))
    return [len(scop.statements)]


def test_a_derivation_starts_from_a_list():
    found = filled([3, 5])
    assert found.before == [3, 5]
    assert isinstance(found.result, pn.Scop)
    assert found.stages == (found.result,)
    text = found._repr_mimebundle_()
    assert "before: a list\n[3, 5]" in text["text/plain"]
    assert "5 was seen." in text["text/html"]
    further = shout(found)
    assert further.before is found.result
    assert further.stages == (found.result, further.result)
    assert pn.propagate(found).stages[0] is found.result
    assert pn.equivalent(further, N=1)
    assert [label for label, _ in pn.run.measurement.variants([found])] == ["kernel"]


def test_a_derivation_ends_in_a_list():
    found = sizes(filled([3, 5]))
    assert found.result == [2]
    assert len(found.stages) == 1
    assert "after sizes: a list\n[2]" in found._repr_mimebundle_()["text/plain"]
    assert filled(found).before == [2]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda d: pn.equivalent(d), "filled starts from a list"),
        (lambda d: d.to_html(), "filled starts from a list"),
        (lambda d: pn.check(d), "filled starts from a list"),
        (lambda d: filled(3), "filled starts from a list, not an int"),
        (lambda d: filled(d), "filled starts from a list, not a Scop"),
        (lambda d: shout([3]), "a program is needed, not list"),
        (lambda d: pn.propagate(sizes(d)), "a program is needed, and sizes ends in a list"),
        (lambda d: pn.measure([sizes(d)]), "a program is needed, not list"),
    ],
)
def test_what_needs_programs_says_so(call, said):
    with pytest.raises(PolynbError) as caught:
        call(filled([3, 5]))
    assert said in str(caught.value)
    assert caught.value.hint


def test_what_has_nothing_to_fall_back_on_raises_what_used_up_its_budget():
    def squander(given):
        yield Seen(0)
        raise BudgetExhausted("so far", hint="more")

    assert isinstance(derivation(squander)(pn.parse("param N; A[0] = 1;")).steps[-1], GaveUp)
    with pytest.raises(BudgetExhausted) as caught:
        derivation(takes=list)(squander)([3])
    assert [type(s) for s in caught.value.steps] == [Seen]


# -- what a person asks of a pass ------------------------------------------------------------


def test_help_shows_what_is_called(capsys):
    help(pn.propagate)
    said = capsys.readouterr().out
    assert "cache_lines" in said
    assert "-> 'Derivation'" in said
    assert "Evaluate expressions where their values are needed" in said
    assert "Generator" not in said


def test_a_question_mark_shows_what_is_called(shell):
    shell.user_ns["pn"] = pn
    said = shell.object_inspect_text("pn.propagate")
    assert "cache_lines" in said
    assert "Evaluate expressions" in said
    assert "Generator" not in said


def test_each_option_is_a_parameter_of_its_pass():
    """Or is seen to by the magic's own functions."""
    others = {
        f"{name} {o.flag}"
        for name, p in registry.with_magics().items()
        for o in p.view.magic.options
        if o.name not in inspect.signature(p.info.run).parameters
    }
    assert others == {"propagate --explain", "reorder --no-privatize"}
