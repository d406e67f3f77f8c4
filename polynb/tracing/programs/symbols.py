"""What a program's tables say of its code: functions, and the line of an address (binutils)."""

from __future__ import annotations

import re
import subprocess
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError

SYSTEM: Final = re.compile(r"^/usr/(include|lib)/|/include/c\+\+/|^\?\?$")


@dataclass(frozen=True)
class CodePlace:
    """A place in a text: the function, the file and the line (0: not known)."""

    function: str
    file: str
    line: int


@dataclass(frozen=True)
class CodeSymbol:
    """A function of the program; addresses count from the start of its executable segment."""

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class CodeSymbols:
    """The functions of a program, by address; `code` is where its executable segment starts."""

    program: Path
    code: int
    functions: tuple[CodeSymbol, ...]
    variables: tuple[CodeSymbol, ...] = ()

    def named(self, name: str) -> CodeSymbol | None:
        return next((s for s in self.functions if s.name == name), None)


def symbols(program: Path) -> CodeSymbols:
    """Raises PolynbError for a file that is no program, or where binutils are missing."""
    code = _code(program)
    found: dict[int, CodeSymbol] = {}
    for line in said("nm", "-n", "--defined-only", str(program)).splitlines():
        address, kind, name = line.split(maxsplit=2)
        if kind in "tTwWi" and int(address, 16) >= code and not name.startswith(".L"):
            start = int(address, 16) - code
            found.setdefault(start, CodeSymbol(name, start, start))
    starts = sorted(found)
    ends = [*starts[1:], *(start + (1 << 20) for start in starts[-1:])]
    functions = tuple(
        CodeSymbol(found[start].name, start, end) for start, end in zip(starts, ends, strict=True)
    )
    return CodeSymbols(program, code, functions, _variables(program, code))


def _variables(program: Path, code: int) -> tuple[CodeSymbol, ...]:
    """Global and static variables, which lie after the code (or before it: counted from there)."""
    found = []
    for line in said("nm", "-n", "-S", "-C", "--defined-only", str(program)).splitlines():
        words = line.split(maxsplit=3)
        if len(words) == 4 and words[2] in "bBdDrRuV":
            start = int(words[0], 16) - code
            found.append(CodeSymbol(_plain(words[3]), start, start + int(words[1], 16)))
    return tuple(found)


def _plain(name: str) -> str:
    """Without what compilers add to variables that a function keeps: `kept.1`, `function.kept`."""
    parts = [part for part in name.split(".") if not part.isdigit()]
    return parts[-1] if parts else name


def _code(program: Path) -> int:
    for line in said("readelf", "-lW", str(program)).splitlines():
        words = line.split()
        if words[:1] == ["LOAD"] and "E" in words[6:8]:
            return int(words[2], 16)
    raise PolynbError(f"{program} is not a program", hint="what the build made, e.g. ./prog")


def said(*command: str, text: str | None = None) -> str:
    """What one of binutils says. Raises PolynbError where it is not here, or refuses."""
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, errors="replace", check=False
        )
    except FileNotFoundError:
        raise PolynbError(
            f"{command[0]} is not here", hint="on Debian and Ubuntu: sudo apt install binutils"
        ) from None
    if done.returncode:
        raise PolynbError(f"{command[0]} cannot read {command[-1]}", reason=done.stderr.strip())
    return done.stdout


def places(table: CodeSymbols, ats: Iterable[int]) -> dict[int, tuple[CodePlace, ...]]:
    """For each return address: the places that it stands for, the innermost inlined one first."""
    wanted = sorted(set(ats))
    asked = "".join(f"{table.code + at - 1:#x}\n" for at in wanted)
    text = said("addr2line", "-a", "-f", "-i", "-C", "-e", str(table.program), text=asked)
    found: dict[int, tuple[CodePlace, ...]] = {}
    chains: list[list[CodePlace]] = []
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("0x"):
            chains.append([])
        else:
            chains[-1].append(_place(line, next(lines)))
    for at, chain in zip(wanted, chains, strict=True):
        found[at] = tuple(chain)
    return found


def _place(function: str, where: str) -> CodePlace:
    file, _, line = where.split(" (discriminator")[0].rpartition(":")
    return CodePlace(function, file, int(line) if line.isdigit() else 0)


def demangled(names: Iterable[str]) -> list[str]:
    """Names as they are in the text."""
    wanted = list(names)
    return said("c++filt", text="\n".join(wanted)).split("\n")[: len(wanted)] if wanted else []


def own(chain: Sequence[CodePlace]) -> CodePlace:
    """The innermost place in the program's own text: not in a header of the system."""
    for place in chain:
        if not SYSTEM.search(place.file):
            return place
    return chain[0] if chain else CodePlace("??", "??", 0)


ROW: Final = re.compile(
    r"Set column to (?P<column>\d+)|(?P<copy>Copy\b)|End of (?P<end>Sequence)"
    r"|Extended opcode 2: set Address to (?P<set>0x[0-9a-f]+)"
    r"|Special opcode \d+: advance Address by \d+ to (?P<row>0x[0-9a-f]+)"
    r"|Advance PC by.* to (?P<moved>0x[0-9a-f]+)"
)


def columns(table: CodeSymbols, ats: Iterable[int]) -> dict[int, int]:
    """The column of each return address in the text (0: not known), from the debug information."""
    rows: list[tuple[int, int]] = []
    address = column = 0
    for line in said("objdump", "--dwarf=rawline", str(table.program)).splitlines():
        if (m := ROW.search(line)) is None:
            continue
        if m["column"]:
            column = int(m["column"])
            continue
        if m["end"]:
            rows.append((address, 0))
            column = 0
            continue
        if moved := m["set"] or m["row"] or m["moved"]:
            address = int(moved, 16)
        if m["row"] or m["copy"]:
            rows.append((address, column))
    rows.sort(key=lambda row: row[0])
    starts = [row[0] for row in rows]
    found = {}
    for at in ats:
        k = bisect_right(starts, table.code + at - 1) - 1
        found[at] = rows[k][1] if k >= 0 else 0
    return found
