"""Displays: what they say, that they survive in an unsigned notebook, that they are repeatable."""

import base64
import importlib
import pkgutil
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import polynb
import polynb as pn
from polynb.conveniences import Conveniences
from polynb.dependences import analyze
from polynb.propagation import propagate
from polynb.run import Timing
from polynb.scop import parse
from polynb.show import mimebundle
from polynb.tuning.demands import Demand
from polynb.tuning.limits import MachineLimits
from polynb.tuning.results import Row, Sweep
from polynb.tuning.roofs import under
from polynb.tuning.space import AS_IT_IS
from polynb.tuning.tables import Table

TAGS = {
    *(
        "abbr",
        "b",
        "br",
        "caption",
        "code",
        "details",
        "div",
        "i",
        "img",
        "li",
        "ol",
        "p",
        "pre",
        "span",
    ),
    *("summary", "table", "tbody", "td", "th", "thead", "tr"),
}
# A part of what JupyterLab's sanitiser lets through.
PROPERTIES = {
    *("background-color", "border-bottom", "border-collapse", "border-left", "border-radius"),
    "border-top",
    *(
        "overflow-wrap",
        "word-break",
        "text-indent",
        "caption-side",
        "cursor",
        "display",
        "flex",
        "flex-wrap",
        "font-family",
        "font-size",
    ),
    *("font-weight", "gap", "height", "line-height", "margin", "max-width", "min-width", "opacity"),
    *("overflow-x", "padding", "padding-left", "padding-right", "text-align", "vertical-align"),
    "white-space",
}


def timing(**changes):
    values = {
        "labels": ("blur", "propagate"),
        "samples": (
            (0.030, 0.031, 0.0305, 0.033, 0.03),
            (0.010, 0.0103, 0.0102, 0.0111, 0.01),
        ),
        "memory": (96_000_000, 64_000_000),
        "parameters": {"N": 4_000_000},
        "data": "seeded random",
        "agreement": "results equal bit for bit",
        "compiler": "gcc 12.2.0",
        "flags": ("-O3",),
        "threads": 2,
        "heap": "kept",
        "warnings": (),
    }
    return Timing(**(values | changes))


SUMS = "param N; temp t; for i = 0 to N do t = A[i]; B[i] = t; done"
TWICE = "param N; for i = 0 to N do A[i] = B[i] * 2; done"
BACK = "param N; for i = 0 to N do A[N-i] = B[N-i] * 2; done"
THRICE = "param N; for i = 0 to N do A[i] = B[i] * 3; done"
APART = "{ S0[i] -> [0, i]; S1[i] -> [1, i] }"


def proof(after):
    return pn.prove(pn.parse(TWICE), pn.parse(after))


def searched():
    """A search in which a move wins, whatever the machine's times are."""
    found = pn.search(pn.parse(TWICE), moves="reverse", depth=1, trial_seconds=0.01, N=20)
    rows = [Row(r.name, {}, "lost") if r.name == AS_IT_IS else r for r in found.sweep.rows]
    return replace(found, sweep=Sweep(tuple(rows)))


def one(variant):
    return {"value": variant}


def traced():
    """A program with two loops, one of which carries a dependence."""
    text = """#include <stdio.h>
int main(void) {
  double a[9][9] = {{0}}; int s = 0;
  for (int i = 0; i < 9; i++) for (int j = 1; j < 9; j++) { a[j][i] = a[j - 1][i] + 1; s += j; }
  printf("%d <b>", s); return 0; }"""
    return pn.trace(text)


EXAMPLES = {
    "Assessment": lambda: pn.labs.check("lab1.triangle", "{ S[i, j] : i = 0 and j < 3 }"),
    "Dependences": lambda: pn.analyze(pn.parse(SUMS)),
    "Derivation": lambda: pn.propagate(pn.parse(SUMS)),
    "Exercise": lambda: pn.labs.exercise("lab1.triangle"),
    "Feedback": lambda: pn.feedback(traced()),
    "Folded": lambda: pn.fold([[0], [1], [2]], [0, 2, 4]),
    "Folding": lambda: traced(),
    "Proof": lambda: proof(BACK),
    "ReadBack": lambda: pn.read_back(pn.parse(SUMS)),
    "Repairs": lambda: pn.check(pn.parse(SUMS), APART).repairs,
    "Scop": lambda: pn.parse(SUMS),
    "Search": searched,
    "Roofline": lambda: under(
        MachineLimits(bandwidth=20e9, peak=60e9, type="double", cache=32_000_000, threads=2),
        timing(),
        [Demand({"double": 2 * n}, 32_000_000, 32_000_000, n) for n in (8_000_000, 32_000_000)],
    ),
    "Sweep": lambda: pn.sweep({"a": 1}, one, progress=False),
    "Table": lambda: Table(("a", "b"), [("one", 1)], caption="Table"),
    "Timing": timing,
    "Transformation": lambda: pn.transform(pn.parse(TWICE)).reverse("i"),
    "Verdict": lambda: pn.check(pn.parse(SUMS), APART),
    "ViolatedRanges": lambda: pn.violated_ranges(pn.parse(SUMS), APART),
}


WITHOUT = (pn.Table, Sweep, pn.Verdict)  # what is read, and leads nowhere in particular


OF = ("matrix", "kept", "blocked", "refuted", "unknown", *EXAMPLES)


@pytest.fixture(scope="module", params=OF)
def shown(request, texts):
    """One of everything that is shown."""
    match request.param:
        case "matrix":
            return parse(texts["matrix"])
        case "refuted":
            return proof(THRICE)
        case "unknown":
            return pn.Proof(reason="the time is over")
        case name if name in EXAMPLES:
            return EXAMPLES[name]()
        case name:
            return propagate(parse(texts[name]))


class Safe(HTMLParser):
    """Complains about everything that a sanitiser would drop."""

    def __init__(self):
        super().__init__()
        self.problems, self.images, self.open = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in TAGS:
            self.problems.append(tag)
        if tag not in ("img", "br", "wbr"):
            self.open.append(tag)
        for name, value in attrs:
            if name not in ("style", "alt", "src", "width", "scope", "title"):
                self.problems.append(f"{tag} {name}")
            if name == "style":
                self.style(value)
        if tag == "img":
            given = dict(attrs)
            self.images.append(given)
            if not given["src"].startswith("data:image/svg+xml;base64,") or "alt" not in given:
                self.problems.append("img")

    def style(self, value):
        for declaration in value.split(";"):
            name, _, said = declaration.partition(":")
            if name not in PROPERTIES or re.search(r"currentcolor|var\(|url\(|inherit", said, re.I):
                self.problems.append(declaration)

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            self.problems.append(f"/{tag}")


@pytest.mark.long
def test_html_survives_in_an_unsigned_notebook(shown):
    safe = Safe()
    safe.feed(mimebundle(shown)["text/html"])
    safe.close()
    assert safe.problems == []
    assert safe.open == []


def test_html_is_the_same_each_time(shown):
    assert mimebundle(shown) == mimebundle(shown)


def test_objects_are_shown_by_their_protocol(shown):
    assert shown._repr_mimebundle_() == mimebundle(shown)


def test_pictures_say_what_they_show(shown):
    safe = Safe()
    safe.feed(mimebundle(shown)["text/html"])
    for picture in safe.images:
        svg = base64.b64decode(picture["src"].partition(",")[2]).decode()
        assert svg.startswith("<svg ")
        assert "<script" not in svg
        if int(picture["width"]) > 100:
            assert len(picture["alt"]) > 10


def test_every_display_ends_with_the_next_line(shown):
    if isinstance(shown, WITHOUT):
        return
    bundle = mimebundle(shown)
    assert bundle["text/plain"].splitlines()[-1].startswith("next: ")
    assert "next: " in bundle["text/html"][-400:]


def test_text_and_html_carry_no_trailing_addresses(shown):
    assert "0x" not in mimebundle(shown)["text/plain"]


# -- Scop --------------------------------------------------------------------------------


def test_a_scop_shows_arrays_with_role_extents_and_reason(blur):
    text = mimebundle(blur)["text/plain"]
    assert "blur: 2 statements, parameter N, assumed N >= 2" in text
    assert re.search(r"t\[N\+1\] +temp +double +\(declared temp", text)
    assert re.search(r"out\[N\] +output +double +\(written and not temp, so live-out", text)
    assert "RAW t: halve → add" in text


def test_labels_and_program_are_in_the_html(blur):
    markup = mimebundle(blur)["text/html"]
    assert "halve" in markup
    assert "assumed N &gt;= 2" in markup
    assert markup.count("<img") >= 3  # the space, a sample of RAW in the legend and in the table


def test_conditions_on_parameters_are_shown():
    scop = parse("param N, M; input A[M]; for i = 0 to N do B[i] = A[i]; done")
    assert "in bounds only if" in mimebundle(scop)["text/plain"]
    assert "in bounds only if" in mimebundle(scop)["text/html"]


def test_over_approximations_are_shown():
    scop = parse("param N; input int32 p[N+1]; for i = 0 to N do B[i] = A[p[i]]; done")
    assert "may read any cell of A" in mimebundle(scop)["text/html"]


def test_user_text_is_escaped():
    from dataclasses import replace

    scop = parse("param N; for i = 0 to N do A[i] = 1; done", name="x")
    hostile = replace(scop, name="<script>alert(1)</script>")
    for thing in (hostile, analyze(hostile)):
        markup = mimebundle(thing)["text/html"]
        assert "<script" not in markup
        assert "&lt;script&gt;" in markup
    assert "<script" not in mimebundle(timing(labels=("<script>", "b")))["text/html"]


# -- Derivation ----------------------------------------------------------------------------


def test_a_derivation_begins_with_its_verdict(blur):
    text = mimebundle(propagate(blur))["text/plain"]
    assert text.startswith("t is removed: 2 statements became 1.")
    assert "− " in text
    assert "+ " in text
    assert re.search(r"t +removed: add evaluates the expression of halve, which is removed\.", text)


def test_before_and_after_are_marked_by_signs(blur):
    markup = mimebundle(propagate(blur))["text/html"]
    assert re.search(r">− +halve: t\[i\] = |>− .*t\[i\] = ", markup)
    assert re.search(r">\+ .*out\[i\] = ", markup)
    assert "before: 2 statements" in markup
    assert "after propagate: 1 statement<" in markup


def test_an_array_kept_because_it_is_live_out_says_how_to_change_that(texts):
    bundle = mimebundle(propagate(parse(texts["kept"])))
    assert "Nothing is propagated" in bundle["text/plain"]
    for said in bundle.values():
        assert "temp t;" in said
        assert "--temp t" in said
    assert "after propagate" not in bundle["text/html"]  # one program, not the same twice


def test_a_rejection_shows_its_witness(texts):
    bundle = mimebundle(propagate(parse(texts["blocked"])))
    assert "kept" in bundle["text/plain"]
    assert re.search(r"S1\(\d\) overwrites A\[\d\]", bundle["text/html"])


def test_steps_are_a_folded_list(blur):
    derivation = propagate(blur)
    markup = mimebundle(derivation)["text/html"]
    assert markup.count("<li") == len(derivation.steps)
    assert f"{len(derivation.steps)} steps</summary>" in markup


# -- Timing --------------------------------------------------------------------------------


def test_a_timing_says_which_is_faster_and_that_results_are_equal():
    text = mimebundle(timing())["text/plain"]
    said = "propagate is 3.00 times faster than blur (2.91 – 3.09); results equal bit for bit."
    assert text.startswith(said)
    slower = timing(samples=((0.01,) * 6, (0.02,) * 6))
    assert "is 2.00 times slower than blur (1.94 – 2.06)" in mimebundle(slower)["text/plain"]
    noisy = timing(samples=((1.0, 1.1, 0.9, 1.0, 1.0, 0.95), (1.0, 1.0, 1.0, 0.9, 1.1, 1.0)))
    for said in mimebundle(noisy).values():
        assert "between propagate and blur no difference seen: 0.97 × (0.90 – 1.11)" in said
    few = timing(samples=((0.03,), (0.01,)))
    said = "propagate ran 3.00 times faster than blur (1 round: too few to be sure)"
    assert mimebundle(few)["text/plain"].startswith(said)
    alone = timing(labels=("blur",), samples=((0.01,),), memory=(8,))
    assert mimebundle(alone)["text/plain"].startswith("blur takes 10 ms.")


def test_bars_are_as_long_as_the_medians():
    markup = mimebundle(timing())["text/html"]
    bars = [base64.b64decode(x).decode() for x in re.findall(r"base64,([^\"]+)", markup)]
    widths = [float(re.search(r'<rect[^>]* width="([\d.]+)"', b)[1]) for b in bars]
    assert widths[0] / widths[1] == pytest.approx(30.5 / 10.2, rel=0.01)


def test_circumstances_and_warnings_are_shown():
    markup = mimebundle(timing(warnings=("no OpenMP",)))["text/html"]
    for said in ("N = 4000000", "seeded random", "2 threads", "heap kept", "-O3", "no OpenMP"):
        assert said in markup
    assert "96" in markup


# -- light ---------------------------------------------------------------------------------


def test_displays_need_neither_ipython_nor_matplotlib():
    program = (
        "import sys; from polynb.scop import parse; from polynb.show import mimebundle\n"
        "mimebundle(parse('param N; for i = 0 to N do A[i] = 1; done'))\n"
        "loaded = {'IPython', 'matplotlib', 'ipywidgets'} & set(sys.modules)\n"
        "assert not loaded, loaded"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_next_line_can_be_typed(shell):
    from polynb.show.displays.scop import next_of_dependences, next_of_scop

    scop = parse("param N; temp t; for i = 0 to N do t[i] = A[i]; B[i] = t[i]; done")
    d = propagate(scop)
    assert next_of_scop(scop) == "fast = %propagate _"
    shell.user_ns["d"] = d
    assert next_of_scop(scop) == "fast = %propagate d.before"
    assert next_of_scop(d.result) == "print(d.result.to_c())"
    assert next_of_dependences(analyze(scop)) == "_.raw"
    shell.user_ns["scop"] = scop
    assert next_of_scop(scop) == "fast = %propagate scop"


def test_what_became_slower_leads_to_the_search_for_what_is_faster(shell):
    from polynb.show.displays.timing import next_of

    shell.user_ns["d"] = propagate(parse(SUMS))
    slow = timing(labels=("d.before", "d"))
    assert next_of(slow) == "print(d.result.to_c())"
    slow = replace(slow, samples=slow.samples[::-1])
    assert next_of(slow) == "%bench d.before N=4000000 --tune"


def shown_classes():
    for module in pkgutil.walk_packages(polynb.__path__, "polynb."):
        if not module.name.endswith("__main__") and not module.name.startswith("polynb.site.live."):
            importlib.import_module(module.name)
    todo = list(Conveniences.__subclasses__())
    while todo:
        found = todo.pop()
        todo += found.__subclasses__()
        yield found


def test_every_class_that_a_notebook_shows_has_an_example():
    assert {c.__name__ for c in shown_classes()} - set(EXAMPLES) == {
        "Reached",
        "TracedScop",
    }  # which is shown as a Scop


def test_repairs_say_once_what_they_take():
    """What changes is in one column, and the memory in the next."""
    markup = mimebundle(EXAMPLES["Repairs"]())["text/html"]
    assert re.search(r">expand t by i</td><td[^>]*>t: N \+ 1 cells, not 1</td>", markup)
    assert markup.count("cells") == 1
