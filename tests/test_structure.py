"""The house: a room imports only rooms above it, and there are no cycles.

All imports count, also those inside functions and those for a type checker alone. What is imported
by its name, as text, is listed here.
"""

import ast
import functools
import importlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import polynb
from polynb.conveniences import BELOW

ROOT = Path(polynb.__file__).parent
# In the order of the map in the package's docstring: `    isl          the only door to isl`.
ROOMS = re.findall(r"^    (\w+) +\S", polynb.__doc__ or "", re.MULTILINE)
# The folders of a room (and its own modules), in the order in which they may import each other;
# the modules of a room that stand between or after its folders are named.
FOLDERS = {
    "show": [
        *(
            "glossary",
            "html",
            "words",
            "draw",
            "displays",
            "trace",
            "play",
            "passes",
            "magics",
            "bundle",
            "__init__",
            "page_widgets",
            "session",
            "headless",
        ),
    ],
    "source": ["", "c/read", "c/meaning", "c/print", "c", "scoplang", "foreign", "parse"],
}
PAPERS = {"propagation", "delicm", "reordering", "violations"}
OWN_TO_A_PASS = (
    *("passes/", "play/", "trace/propagation/", "trace/reordering/", "trace/delicm/"),
    *("trace/transformation.py", "displays/transformation.py"),
    *("displays/arrays.py", "displays/reordering.py", "displays/reordering_summary.py"),
    *("displays/scalars.py", "displays/repairs.py", "displays/order_tree.py"),
)
LONGEST_CHAIN = 25
JUPYTER = {"IPython", "ipywidgets", "anywidget", "matplotlib"}
# Where a module is imported by a name that is no import statement: what is public, what reaches
# down, the frames that a pass names, what shows a class, a pipeline of the gallery, a peer that may
# not be there.
BY_NAME = {
    *("__init__.py", "conveniences.py", "show/__init__.py", "show/displays/registry.py"),
    *(
        "show/displays/static.py",
        "gallery/catalogue.py",
        "evaluation/halide/compiling.py",
        "evaluation/numba_kernel.py",
    ),
    *("site/reference/library.py", "site/live/warming.py"),
}


def modules() -> dict[str, Path]:
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def executed(node: ast.AST) -> Iterator[ast.AST]:
    """What runs when a module is imported: no functions, and nothing for a type checker alone."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            yield from (x for other in child.orelse for x in (other, *executed(other)))
        elif not isinstance(child, ast.FunctionDef | ast.Lambda):
            yield from (child, *executed(child))


@dataclass
class File:
    """What is asked of a file, which is parsed once for all tests."""

    imports: list[tuple[str, int]]  # (module, line) of every import, wherever it stands
    at_once: list[tuple[str, int]]  # of those that importing it needs
    definitions: list[tuple[type, str, int]]  # of every class and function: kind, name, lines
    last: list[bool]  # of `if __name__ == "__main__"`: whether it is the last statement


@functools.cache
def read(path: Path) -> File:
    tree = ast.parse(path.read_text())
    found = File([], list(imports(executed(tree))), [], [])
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            found.definitions.append((type(node), node.name, lines))
        else:
            found.imports += imports([node])
    for x in tree.body:
        if isinstance(x, ast.If) and "'__main__'" in ast.unparse(x.test):
            found.last.append(x is tree.body[-1])
    return found


def imports(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((a.name, node.lineno) for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute"
            yield from ((f"{node.module}.{a.name}", node.lineno) for a in node.names)


def imported(path: Path, *, at_once: bool = False) -> set[str]:
    """The modules of polynb that a file imports; `from m import x` is x where that is a module."""
    found = set()
    for name, _ in read(path).at_once if at_once else read(path).imports:
        if name.split(".")[0] == "polynb":
            found.add(name if name in MODULES else name.rpartition(".")[0])
    return found


def room(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if parts[0] == "polynb" and len(parts) > 1 and parts[1] in ROOMS else None


def test_a_room_imports_only_rooms_above_it() -> None:
    wrong = []
    for path in sorted(ROOT.rglob("*.py")):
        own = path.relative_to(ROOT).with_suffix("").parts[0]
        if own in ("__init__", "__main__"):
            continue
        assert own in ROOMS, f"{own} is not a room of the house"
        for module, line in read(path).imports:
            other = room(module)
            if other is None or other == own:
                continue
            if ROOMS.index(other) > ROOMS.index(own) or {own, other} <= PAPERS:
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {other}")
    assert not wrong


def place(module: str, order: list[str]) -> int | None:
    """The number of the last of the folders or modules that has the module."""
    own = MODULES[module].relative_to(ROOT).with_suffix("").as_posix().partition("/")[2]
    return max(
        (k for k, name in enumerate(order) if own == name or own.startswith(name and f"{name}/")),
        key=lambda k: len(order[k]),
        default=None,
    )


@pytest.mark.parametrize("room", FOLDERS)
def test_a_folder_of_a_room_imports_only_folders_before_it(room: str) -> None:
    order = FOLDERS[room]
    inside = [m for m in MODULES if m.startswith(f"polynb.{room}.") or m == f"polynb.{room}"]
    wrong = []
    for module in inside:
        own = place(module, order)
        assert own is not None, f"{module} has no place in {room}"
        for other in imported(MODULES[module]) & set(inside):
            if place(other, order) > own:
                wrong.append(f"{module} imports {other}")
    assert not wrong


def test_only_what_a_pass_looks_like_knows_the_pass() -> None:
    """In show, the rooms of the papers are known to their views, their frames and their reports."""
    wrong = []
    for path in sorted((ROOT / "show").rglob("*.py")):
        own = path.relative_to(ROOT / "show").as_posix()
        rooms = {room(module) for module, _ in read(path).imports} & {
            *PAPERS,
            "recurrences",
            "scalarizing",
        }
        if rooms and not own.startswith(OWN_TO_A_PASS):
            wrong.append(f"show/{own} imports {', '.join(map(str, rooms))}")
    assert not wrong


def test_no_module_imports_itself_through_others() -> None:
    graph = {m: imported(p) & MODULES.keys() - {m} for m, p in MODULES.items()}
    del graph["polynb"]  # the public names, which load when they are used
    assert not [m for m, found in graph.items() if "polynb" in found]
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_no_chain_of_imports_is_long() -> None:
    """Whoever follows a value down the house opens so many files at most, one after the other."""
    graph = {
        m: imported(p, at_once=True) & MODULES.keys() - {m, "polynb"} for m, p in MODULES.items()
    }

    @functools.cache
    def chain(module: str) -> tuple[str, ...]:
        return (module, *max(map(chain, sorted(graph[module])), key=len, default=()))

    longest = max(map(chain, sorted(graph)), key=len)
    assert len(longest) <= LONGEST_CHAIN, " imports\n".join(longest)


def test_only_known_modules_import_by_name() -> None:
    found = set()
    for path in ROOT.rglob("*.py"):
        text = path.read_text()
        if "import_module(" in text or "__import__" in text:
            found.add(path.relative_to(ROOT).as_posix())
    assert found == BY_NAME


@pytest.mark.parametrize("name", BELOW)
def test_every_convenience_is_a_function_below(name: str) -> None:
    module, _, function = BELOW[name].partition(":")
    assert callable(getattr(importlib.import_module(module), function))


def test_only_show_knows_jupyter_and_only_isl_knows_islpy() -> None:
    wrong = []
    for path in sorted(ROOT.rglob("*.py")):
        place = path.relative_to(ROOT)
        for module, line in read(path).imports:
            top = module.split(".")[0]
            if (top in JUPYTER and place.parts[0] != "show") or (
                top == "islpy" and place.parts[0] != "isl"
            ):
                wrong.append(f"{place}:{line} imports {top}")
    assert not wrong


def test_everybody_merges_by_the_one_door() -> None:
    """islpy's method fails by a defect of isl's, which `isl.coalesced` knows."""
    files = (f for f in ROOT.rglob("*.py") if f.parent.name != "isl")
    assert not [str(f) for f in files if ".coalesce()" in f.read_text()]


def test_the_map_for_contributors_has_the_same_rooms_in_the_same_order() -> None:
    text = (ROOT.parent / "CONTRIBUTING.md").read_text()
    rows = re.findall(r"^\| (`.*?`) \|", text, re.MULTILINE)
    rooms = [
        name.removesuffix(".py").rstrip("/") for r in rows for name in re.findall(r"`(.*?)`", r)
    ]
    assert [name for name in rooms if name in ROOMS] == ROOMS


def test_type_checkers_see_what_is_public() -> None:
    tree = ast.parse(Path(polynb.__file__).read_text())
    block = next(n for n in tree.body if isinstance(n, ast.If))
    seen = {
        a.asname: n.module for n in block.body if isinstance(n, ast.ImportFrom) for a in n.names
    }
    assert sorted(name for name in seen if name) == polynb.__all__
    homes = {name: getattr(polynb, name) for name in polynb.__all__}
    for name, module in seen.items():
        assert getattr(importlib.import_module(str(module)), str(name)) is homes[str(name)]


def test_no_public_function_bears_a_rooms_name() -> None:
    assert not set(ROOMS) & set(polynb.__all__) - {"gallery", "labs"}


def test_what_runs_as_a_command_has_all_its_names() -> None:
    """`if __name__ == "__main__"` is the last statement: what stands behind it is not there yet."""
    found = 0
    for path in sorted(ROOT.rglob("*.py")):
        last = read(path).last
        assert last in ([], [True]), path
        found += len(last)
    assert found > 10


def test_files_stay_small() -> None:
    long = [p.name for p in ROOT.rglob("*.py") if len(p.read_text().splitlines()) > 400]
    assert not long


def definitions(kind: type) -> Iterator[tuple[str, str, int]]:
    """The classes or functions of the house: file, name, lines."""
    for path in sorted(ROOT.rglob("*.py")):
        for own, name, lines in read(path).definitions:
            if own is kind:
                yield str(path.relative_to(ROOT)), name, lines


def test_no_two_public_classes_have_one_name() -> None:
    places: dict[str, list[str]] = {}
    for file, name, _ in definitions(ast.ClassDef):
        if not name.startswith("_"):
            places.setdefault(name, []).append(file)
    assert not {name: files for name, files in places.items() if len(files) > 1}


def test_functions_stay_small() -> None:
    sizes = {f"{file}: {name}": lines for file, name, lines in definitions(ast.FunctionDef)}
    assert len(sizes) > 2000
    assert not {name for name, lines in sizes.items() if lines > 60}
