"""Links of texts and notebooks lead to files that are there, and to headings of them."""

import itertools
import re
from pathlib import Path

import pytest

from polynb.site.anchors import anchor
from polynb.site.reference.terms import prose
from polynb.site.sources import found

ROOT = Path(__file__).parents[2]
MARKDOWN = [*ROOT.glob("*.md"), *(ROOT / "notebooks").rglob("*.md"), ROOT / "widgets" / "README.md"]
TEXTS = [*MARKDOWN, *found(ROOT)]
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)|(?:href|src)=\"([^\"]+)\"")


def text_of(path):
    """What is read of it, without code."""
    if path.suffix == ".ipynb":
        return prose(path)
    return re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.S)


def links(path):
    text = re.sub(r"`[^`\n]*`", "", text_of(path))
    return [a or b for a, b in LINK.findall(text)]


def headings(path):
    return {anchor(h) for h in re.findall(r"^#+ (.+?)\s*$", text_of(path), re.MULTILINE)}


def problem(path, link):
    """What is wrong with a link of a file; "" if nothing."""
    if re.match(r"[a-z]+:", link):
        return "" if link.startswith(("https://", "http://", "mailto:", "data:")) else "what is it?"
    target, _, heading = link.partition("#")
    file = (path.parent / target).resolve() if target else path
    if not file.is_file():
        return "is no file"
    if ROOT not in file.parents:
        return "leads out of the repository"
    return "" if not heading or anchor(heading) in headings(file) else "has no such heading"


@pytest.mark.parametrize("path", TEXTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    assert not [f"{link} {said}" for link in links(path) if (said := problem(path, link))]


def test_what_is_wrong_with_a_link(tmp_path):
    readme = ROOT / "README.md"
    assert problem(readme, "#what-it-does") == problem(readme, "LICENSE") == ""
    assert problem(readme, "notebooks/README.md#labs") == ""
    assert problem(readme, "notebooks/README.md#nothing") == "has no such heading"
    assert problem(readme, "nothing.md") == problem(readme, "notebooks") == "is no file"
    assert problem(readme, "/etc/passwd") == "leads out of the repository"
    assert len(links(readme)) > 10


@pytest.mark.parametrize("path", TEXTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_pictures_say_what_is_to_be_seen(path):
    text = text_of(path)
    assert not re.findall(r"!\[\s*\]\([^)]*\)", text)
    assert all(re.search(r"\balt=\"[^\"]+\"", image) for image in re.findall(r"<img[^>]*>", text))


@pytest.mark.parametrize("path", TEXTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_level_of_headings_is_left_out(path):
    levels = [len(h) for h in re.findall(r"^(#+) ", text_of(path), re.MULTILINE)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(below - above <= 1 for above, below in itertools.pairwise(levels))
