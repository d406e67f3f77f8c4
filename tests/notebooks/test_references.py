"""What the course says of a place in a paper (`Figure 7b`, `equation (12)`, `section 4.3.2`,
`Algorithm 1, line 12`), the paper has: a reader who looks it up finds something there."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from polynb import labs
from polynb.evaluation.coverage import REPRODUCTIONS, papers
from polynb.evaluation.errata import ENTRIES

from .conftest import PATHS, read

SHEETS = Path(labs.__file__).parent / "sheets"

SECTIONS = {  # as each paper numbers them: how many subsections a section has
    "CC'18": {"2": 2, "3": 4, "4": 4, "5": 5, "6": 3},
    "IMPACT'16": {"2": 5, "3": 3, "4": 3},
    "DeLICM": {"1": 1, "2": 1, "3": 1, "4": 1, "5": 1},
    "GRAPHITE": {"4": 4, "4.1": 1, "4.2": 2, "4.3": 2},
    "TACO'19": {"2": 2, "4": 3, "5": 3, "5.1": 2, "5.2": 4},
}
LAST = {"CC'18": 8, "IMPACT'16": 5, "DeLICM": 7, "GRAPHITE": 6, "TACO'19": 7}
PARTS = {  # figures with parts; that of TACO'19 has more, of which its text names one
    "CC'18": {"4": "abc", "5": "ab", "6": "abc", "7": "ab", "9": "ab", "10": "ab"},
    "TACO'19": {"6": "c"},
}
LINES = {
    "CC'18": {"Algorithm 1": 11},
    "IMPACT'16": {"Algorithm 1": 20},
    "DeLICM": {"Listing 5": 21, "Listing 7": 12, "Listing 8": 12},
    "GRAPHITE": {},
    "TACO'19": {"Algorithm 1": 39, "Algorithm 2": 18, "Algorithm 3": 24, "Algorithm 4": 25},
}
ABOUT = {  # which paper a notebook is about that is about one
    "01_instances": "CC'18",
    "03_dependences": "CC'18",
    "04_legality": "GRAPHITE",
    "06_propagation": "CC'18",
    "07_limits_of_propagation": "CC'18",
    "08_live_ranges": "IMPACT'16",
    "09_bands": "IMPACT'16",
    "10_scalars": "DeLICM",
    "11_folding": "TACO'19",
    "pipelines": "CC'18",
    "figures_measured": "CC'18",
    "evaluation": "CC'18",
} | {path.partition("/")[2]: paper for paper, path in REPRODUCTIONS.items()}
OF_LABS = {4: "GRAPHITE", 6: "CC'18", 7: "CC'18", 8: "IMPACT'16", 9: "IMPACT'16", 10: "DeLICM",
           11: "TACO'19", 12: "CC'18"}  # fmt: skip
ELSEWHERE = re.compile(r"Figure 12 of (Baghdadi|TACO 2013|the paper that the technique builds on)")


def sections(paper: str) -> set[str]:
    found = {str(n) for n in range(1, LAST[paper] + 1)}
    return found | {f"{s}.{n + 1}" for s, count in SECTIONS[paper].items() for n in range(count)}


def items(paper: str) -> set[str]:
    return {row.item for row in papers()[paper]}


def missing(text: str, paper: str) -> Iterator[str]:
    """What the text names, and the paper has not."""
    text = ELSEWHERE.sub("", re.sub(r"\s+", " ", text))
    have, several = items(paper), r"(?:(?:, | and | or | to )\(?[\d.]*\d\)?)*"
    for said in re.findall(rf"[Ss]ections? [\d.]*\d{several}", text):
        dotted = [n for n in re.findall(r"[\d.]*\d", said) if "." in n]  # else it may be one's own
        yield from (f"section {n}" for n in dotted if n not in sections(paper))
    for said in re.findall(rf"(?:[Ee]quations?|[Ss]chedule) \(?\d+\)?{several}", text):
        yield from (f"({n})" for n in re.findall(r"\d+", said) if f"({n})" not in have)
    for kind, number, part in re.findall(r"(Figure|Listing|Algorithm|Table) (\d+)([a-c])?\b", text):
        if f"{kind} {number}" not in have:
            yield f"{kind} {number}"
        elif part and part not in PARTS.get(paper, {}).get(number, ""):
            yield f"{kind} {number}{part}"
    lines = r"((?:Algorithm|Listing) \d)(?: \(|, )lines? (\d+)(?: (?:to|and) (\d+))?"
    for item, *numbers in re.findall(lines, text):
        most = LINES[paper].get(item, 0)
        yield from (f"{item}, line {n}" for n in numbers if n and int(n) > most)


def prose(name: str) -> str:
    return "\n\n".join(c.source for c in read(name).cells if c.cell_type == "markdown")


def headed(name: str, level: str) -> Iterator[tuple[str, str]]:
    """The headings of a level, each with what is said under it."""
    for text in re.split(rf"^{level}", prose(name), flags=re.M)[1:]:
        yield text.partition("\n")[0], re.split(r"^#+ ", text, flags=re.M)[0]


def said() -> Iterator[tuple[str, str, str]]:
    """Where, of which paper, and what: notebooks, sheets of labs, the seminar of lesson 12, and
    the entries of the errata."""
    yield from ((name, paper, prose(name)) for name, paper in ABOUT.items())
    for number, paper in OF_LABS.items():
        (name,) = (n for n in PATHS if n.startswith(f"lab_{number:02}_"))
        yield name, paper, prose(name)
    for path in sorted(SHEETS.glob("lab*/*.toml")):
        if paper := OF_LABS.get(int(path.parent.name[3:])):
            yield f"{path.parent.name}/{path.name}", paper, path.read_text("utf-8")
    for heading, text in headed("12_which_of_the_five", "### "):
        if (paper := heading.partition(":")[0]) in SECTIONS:
            yield f"seminar, {paper}", paper, text
    found = {int(heading.partition(".")[0]): text for heading, text in headed("errata", "## ")
             if heading[0].isdigit()}  # fmt: skip
    for entry in ENTRIES:
        yield f"entry {entry.number}", entry.paper, f"{found[entry.number]}\n{entry.place}"


TEXTS = {where: (paper, text) for where, paper, text in said()}


@pytest.mark.parametrize("where", TEXTS)
def test_the_paper_has_what_is_named(where):
    paper, text = TEXTS[where]
    assert not list(missing(text, paper))


def test_names_that_the_papers_have_not_are_found():
    text = "Figure 8c, equations (3) and (4), sections 3.2 and 3.5, Algorithm 1, line 12; Table 5."
    found = ["section 3.5", "(4)", "Figure 8c", "Table 5", "Algorithm 1, line 12"]
    assert list(missing(text, "CC'18")) == found
    assert list(missing("equation (1), section 4.3.3", "GRAPHITE")) == ["section 4.3.3", "(1)"]
    assert not list(missing("It is Figure 12 of Baghdadi and others.", "IMPACT'16"))


def test_piw_and_or_have_no_number():
    """Those of Definition 3.1 are (1) and (2)."""
    for where, (paper, text) in TEXTS.items():
        for sentence in re.split(r"(?<=[.:;!?])\s", text) if paper == "CC'18" else ():
            if re.search(r"\b(PIW|OR)\b", sentence):
                assert not re.search(r"[Ee]quations? \(?\d", sentence), where


def test_errata_that_are_named_are_there():
    named = r"(?:[Ee]ntr(?:y|ies)|errat(?:um|a)) (\d+(?:(?:, | and | to )\d+)*)"
    for name in PATHS:
        for numbers in re.findall(named, prose(name)):
            for number in re.findall(r"\d+", numbers):
                assert 1 <= int(number) <= len(ENTRIES), (name, number)


@pytest.mark.parametrize("path", sorted(SHEETS.glob("lab*/*.toml")), ids=lambda p: p.stem)
def test_the_lab_of_a_lesson_sends_to_it(path):
    sheet = tomllib.loads(path.read_text("utf-8"))
    if "read" in sheet:
        assert sheet["read"]["lesson"] == int(path.parent.name[3:])
