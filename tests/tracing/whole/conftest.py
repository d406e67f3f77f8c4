"""Whole programs: built once per session, traced with their raw entries kept."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from polynb.tracing.model import Folding
from polynb.tracing.programs import (
    HookedCompilers,
    RunCommand,
    RunLimits,
    TracedProgram,
    build,
    tools,
    trace,
)
from polynb.tracing.records import Instruction, LoopOf

SOURCES = Path(__file__).parent.parent / "programs"

Point = tuple[int, ...]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if shutil.which("gcc") is None or shutil.which("addr2line") is None:
        mark = pytest.mark.skip(reason="gcc or binutils are not here: whole programs need both")
        for item in items:
            if Path(item.fspath).parent == Path(__file__).parent:
                item.add_marker(mark)


@dataclass(frozen=True, eq=False)
class Program:
    """A traced program of `tests/tracing/programs`, and its texts' marks: `/* name */` in a line
    names what stands there."""

    name: str
    traced: TracedProgram

    @functools.cached_property
    def folding(self) -> Folding:
        return self.traced.folding()

    @functools.cached_property
    def marks(self) -> dict[str, tuple[str, int]]:
        found = {}
        for path in sorted((SOURCES / self.name).iterdir()):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if "/* " in line:
                    found[line.split("/* ")[1].split(" */")[0]] = (str(path), number)
        return found

    def loop(self, mark: str) -> LoopOf:
        """The one loop in the line of a mark."""
        (found,) = [
            o for o in self.folding.loops
            if (o.file, o.line) == self.marks[mark] and not o.recursion
        ]  # fmt: skip
        return found

    def accesses(self, mark: str, kind: str) -> list[Instruction]:
        return [
            i for i in self.folding.instructions.values()
            if (i.file, i.line) == self.marks[mark] and i.kind == kind
        ]  # fmt: skip

    def access(self, mark: str, kind: str) -> Instruction:
        """The last access of a kind in the line of a mark (the one whose address others give)."""
        return self.accesses(mark, kind)[-1]

    def around(self, instruction: Instruction) -> list[str]:
        """The marks of the loops around an instruction; those without one by name."""
        by_place = {place: mark for mark, place in self.marks.items()}
        loops = {o.name: o for o in self.folding.loops}
        found = []
        for name in instruction.loops:
            o = loops[name]
            mark = by_place.get((o.file, o.line))
            found.append(mark if mark and not o.recursion else f"<{o.function}>")
        return found

    def points(self, instruction: Instruction) -> list[Point]:
        rows, _ = self.folding.streams[instruction.name]
        return [tuple(map(int, row)) for row in rows]

    def addresses(self, instruction: Instruction) -> list[int]:
        _, labels = self.folding.streams[instruction.name]
        return [int(row[0]) for row in labels]

    def flow(self, source: Instruction, target: Instruction) -> dict[Point, Point]:
        """The raw dependence: of each consumer's vector the producer's."""
        ours, theirs = self.folding.streams.get((source.name, target.name), ((), ()))
        pairs = zip(ours, theirs, strict=True)
        return {tuple(map(int, c)): tuple(map(int, p)) for c, p in pairs}


@pytest.fixture(scope="session")
def compilers(tmp_path_factory: pytest.TempPathFactory) -> HookedCompilers:
    return tools(tmp_path_factory.mktemp("compilers"))


@pytest.fixture(scope="session")
def clang(tmp_path_factory: pytest.TempPathFactory) -> HookedCompilers:
    if shutil.which("clang") is None:
        pytest.skip("clang is not here: it alone shows local variables")
    return tools(tmp_path_factory.mktemp("clang"), scalars=True)


@pytest.fixture(scope="session")
def program(
    compilers: HookedCompilers, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Program]]:
    """`program("rows", "12")`: built, traced, kept for the session."""

    @functools.cache
    def traced(name: str, *arguments: str) -> Program:
        room = tmp_path_factory.mktemp(name)
        sources = [p for p in sorted((SOURCES / name).iterdir()) if p.suffix in (".c", ".cpp")]
        built = build(sources, room / name, compilers)
        command = RunCommand(built, arguments, room)
        return Program(name, trace(command, limits=RunLimits(60), raw=True))

    return traced


@pytest.fixture
def written(compilers: HookedCompilers, tmp_path: Path) -> Callable[..., RunCommand]:
    """`written("int main...")`: a program from a text."""

    def made(text: str, *arguments: str, suffix: str = ".c") -> RunCommand:
        source = tmp_path / f"text{suffix}"
        source.write_text(text)
        return RunCommand(build([source], tmp_path / "text", compilers), arguments, tmp_path)

    return made
