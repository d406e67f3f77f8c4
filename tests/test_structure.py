"""The house: a room imports only rooms above it, and there are no cycles."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import polynb

ROOT = Path(polynb.__file__).parent
ROOMS = [
    *(
        "errors",
        "words",
        "arguments",
        "isl",
        "source",
        "scop",
        "derivation",
        "dependences",
        "legality",
    ),
    *("schedules", "rewriting", "recurrences"),
    *("propagation", "delicm", "reordering", "violations"),
    *("codegen", "run", "tracing", "folding", "tuning", "gallery", "evaluation", "labs", "show"),
]
# derivation names Scop, and scop/model its printers and displays, inside methods only.
CONVENIENCES = {"__str__", "to_c", "_repr_mimebundle_", "to_html", "to_svg", "draw", "step"}
PAPERS = {"propagation", "delicm", "reordering", "violations"}
JUPYTER = {"IPython", "ipywidgets", "anywidget", "matplotlib"}


def imports(tree: ast.AST, path: Path) -> list[tuple[str, int]]:
    """(module, line) of every import outside TYPE_CHECKING blocks and convenience methods."""
    found = []
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        named = isinstance(node, ast.FunctionDef) and node.name in CONVENIENCES
        checking = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if named or checking:
            skipped.update(ast.walk(node))
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            found += [(a.name, node.lineno) for a in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            found += [(f"{module}.{a.name}", node.lineno) for a in node.names]
    return found


def room(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if parts[0] == "polynb" and len(parts) > 1 and parts[1] in ROOMS else None


def test_a_room_imports_only_rooms_above_it() -> None:
    wrong = []
    for path in sorted(ROOT.rglob("*.py")):
        own = path.relative_to(ROOT).with_suffix("").parts[0]
        if own == "__init__":
            continue
        assert own in ROOMS, f"{own} is not a room of the house"
        for module, line in imports(ast.parse(path.read_text()), path):
            other = room(module)
            if other is None or other == own:
                continue
            if ROOMS.index(other) > ROOMS.index(own) or {own, other} <= PAPERS:
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {other}")
    assert not wrong


def test_only_show_knows_jupyter_and_only_isl_knows_islpy() -> None:
    wrong = []
    for path in sorted(ROOT.rglob("*.py")):
        place = path.relative_to(ROOT)
        for module, line in imports(ast.parse(path.read_text()), path):
            top = module.split(".")[0]
            if (top in JUPYTER and place.parts[0] != "show") or (
                top == "islpy" and place.parts[0] != "isl"
            ):
                wrong.append(f"{place}:{line} imports {top}")
    assert not wrong


def test_no_public_function_bears_a_rooms_name() -> None:
    assert not set(ROOMS) & set(polynb.__all__) - {"gallery"}


def test_files_stay_small() -> None:
    long = [p.name for p in ROOT.rglob("*.py") if len(p.read_text().splitlines()) > 400]
    assert not long


def definitions() -> Iterator[tuple[str, ast.ClassDef | ast.FunctionDef]]:
    """The classes and functions of the house, each with its file."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                yield str(path.relative_to(ROOT)), node


def test_no_two_public_classes_have_one_name() -> None:
    places: dict[str, list[str]] = {}
    for file, node in definitions():
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            places.setdefault(node.name, []).append(file)
    assert not {name: files for name, files in places.items() if len(files) > 1}


LONG = {"reordering/algorithm.py: reorder", "run/kernel.py: compile"}
"""Functions that are still too long; let there be no more of them."""


def test_functions_stay_small() -> None:
    sizes = {
        f"{file}: {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for file, node in definitions()
        if isinstance(node, ast.FunctionDef)
    }
    assert len(sizes) > 2000
    assert {name for name, lines in sizes.items() if lines > 60} <= LONG
