"""The OpenMP programs of Rodinia 3.1, as they lie in a person's own clone: how each is built, and
run on a small input that is generated here. Nothing of the suite is in polynb."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

Files = dict[str, str]


def no_files() -> Files:
    """The input of a program that makes up its own."""
    return {}


@dataclass(frozen=True)
class SuiteProgram:
    """A program of the suite: `sources` and `include` within its folder, what it is called with,
    and the files it reads (by their place beside the directory that it runs in)."""

    name: str
    folder: str
    sources: tuple[str, ...]
    arguments: tuple[str, ...]
    flags: tuple[str, ...] = ()
    files: Callable[[], Files] = field(default=no_files)


def _numbers(count: int, low: float, high: float, seed: int = 1) -> Iterator[float]:
    """Pseudo-random numbers, the same ones every time."""
    source = random.Random(seed)
    return (source.uniform(low, high) for _ in range(count))


def _column(count: int, low: float, high: float) -> str:
    return "".join(f"{x:.4f}\n" for x in _numbers(count, low, high))


def graph(nodes: int = 600, degree: int = 4) -> str:
    """bfs: the number of nodes; of each its first edge and how many; the source; the edges."""
    source = random.Random(2)
    heads = "".join(f"{degree * k} {degree}\n" for k in range(nodes))
    edges = "".join(f"{source.randrange(nodes)} 1\n" for _ in range(nodes * degree))
    return f"{nodes}\n{heads}\n0\n\n{nodes * degree}\n{edges}"


def mesh(elements: int = 8) -> str:
    """cfd: of each element its area, and of each of four neighbours the number (-1: a wing, -2: far
    away; from 1) and a normal."""
    lines = [str(elements)]
    for k in range(elements):
        around = [k or -1, k + 2 if k + 1 < elements else -2, (k + 7) % elements + 1, -2]
        normals = _numbers(12, -0.05, 0.05, seed=k)
        sides = " ".join(f"{n} " + " ".join(f"{next(normals):.5f}" for _ in "xyz") for n in around)
        lines.append(f"0.5 {sides}")
    return "\n".join(lines) + "\n"


def records(count: int, seed: int) -> str:
    """nn: hurricanes in lines of 49 characters, the place in columns 28 to 38."""
    source, lines = random.Random(seed), []
    for k in range(count):
        place = f"{source.uniform(7, 63):5.1f} {source.uniform(0, 358):5.1f}"
        lines.append(f"{1950 + k % 60} {k % 12 + 1:2d} {k % 28 + 1:2d} 12 {k:3d} POLYNB  "
                     .ljust(27)[:27] + place + f" {k % 150:4d} {k % 900:4d}".ljust(10))  # fmt: skip
    return "".join(line[:48].ljust(48) + "\n" for line in lines)


def points(count: int = 120, attributes: int = 6) -> str:
    """kmeans: a number and the attributes of each point."""
    values = _numbers(count * attributes, 0, 100)
    rows = (" ".join(f"{next(values):.3f}" for _ in range(attributes)) for _ in range(count))
    return "".join(f"{k} {row}\n" for k, row in enumerate(rows))


def image(rows: int, columns: int) -> str:
    """srad: a picture in PGM's text form."""
    pixels = " ".join(str(int(x)) for x in _numbers(rows * columns, 1, 255))
    return f"P2\n{columns} {rows}\n255\n{pixels}\n"


def keys(count: int = 800) -> str:
    """b+tree: how many numbers there are, then the numbers."""
    numbers = list(range(count))
    random.Random(3).shuffle(numbers)
    return f"{count}\n" + "".join(f"{n}\n" for n in numbers)


NN: Final = [f"data/cane{k}.db" for k in range(4)]

PROGRAMS: Final = (
    SuiteProgram(
        "backprop", "backprop",
        ("backprop.c", "backprop_kernel.c", "facetrain.c", "imagenet.c"), ("4096",),
        ("-std=gnu89", "-w"),
    ),
    SuiteProgram("bfs", "bfs", ("bfs.cpp",), ("1", "../data/graph.txt"),
            files=lambda: {"data/graph.txt": graph()}),
    SuiteProgram(
        "b+tree", "b+tree",
        ("main.c", "kernel/kernel_cpu.c", "kernel/kernel_cpu_2.c", "util/timer/timer.c",
         "util/num/num.c"),
        ("cores", "1", "file", "../data/keys.txt", "command", "../data/command.txt"),
        files=lambda: {"data/keys.txt": keys(), "data/command.txt": "j 60 30\nk 100\n"},
    ),
    SuiteProgram("cfd", "cfd", ("euler3d_cpu.cpp",), ("../data/mesh.domn",), ("-Dblock_length=8",),
            files=lambda: {"data/mesh.domn": mesh()}),
    SuiteProgram(
        "hotspot", "hotspot", ("hotspot_openmp.cpp",),
        ("64", "64", "4", "1", "../data/temp", "../data/power", "out"),
        files=lambda: {"data/temp": _column(4096, 320, 340), "data/power": _column(4096, 0, 0.01)},
    ),
    SuiteProgram(
        "hotspot3D", "hotspot3D", ("3D.c",),
        ("32", "4", "4", "../data/power", "../data/temp", "out"),
        files=lambda: {"data/temp": _column(4096, 320, 340), "data/power": _column(4096, 0, 0.01)},
    ),
    SuiteProgram(
        "kmeans", "kmeans/kmeans_openmp",
        ("cluster.c", "getopt.c", "kmeans.c", "kmeans_clustering.c"),
        ("-n", "1", "-i", "../data/points.txt"), ("-std=gnu89", "-w"),
        files=lambda: {"data/points.txt": points()},
    ),
    SuiteProgram(
        "lavaMD", "lavaMD",
        ("main.c", "kernel/kernel_cpu.c", "util/num/num.c", "util/timer/timer.c"),
        ("-cores", "1", "-boxes1d", "1"),
    ),
    SuiteProgram("lud", "lud", ("omp/lud.c", "omp/lud_omp.c", "common/common.c"),
            ("-n", "1", "-s", "96"), ("-Icommon",)),
    SuiteProgram(
        "myocyte", "myocyte", ("main.c",), ("2", "1", "0", "1"), ("-w",),
        files=lambda: {"../data/myocyte/y.txt": _column(91, 0.1, 1),
                       "../data/myocyte/params.txt": _column(16, 0.1, 1)},
    ),
    SuiteProgram("nn", "nn", ("nn_openmp.c",), ("../data/list", "5", "30", "90"),
            files=lambda: {"data/list": "".join(f"../{n}\n" for n in NN)}
            | {n: records(200, k) for k, n in enumerate(NN)}),
    SuiteProgram("nw", "nw", ("needle.cpp",), ("256", "10", "1")),
    SuiteProgram("particlefilter", "particlefilter", ("ex_particle_OPENMP_seq.c",),
            ("-x", "16", "-y", "16", "-z", "4", "-np", "60")),
    SuiteProgram("pathfinder", "pathfinder", ("pathfinder.cpp",), ("2000", "20")),
    SuiteProgram("srad_v1", "srad/srad_v1", ("main.c",), ("4", "0.5", "64", "48", "1"), ("-w",),
            files=lambda: {"../../data/srad/image.pgm": image(502, 458)}),
    SuiteProgram("srad_v2", "srad/srad_v2", ("srad.cpp",),
            ("64", "64", "0", "15", "0", "15", "1", "0.5", "3")),
    SuiteProgram("streamcluster", "streamcluster", ("streamcluster_omp.cpp",),
            ("3", "6", "8", "128", "128", "60", "none", "out", "1")),
)  # fmt: skip

LEFT_OUT: Final = {
    "heartwall": "it reads a video (AVI), which is not generated here",
    "leukocyte": "it reads a video (AVI), which is not generated here",
}


def lay_out(program: SuiteProgram, room: Path) -> Path:
    """Write a program's input under `room`; the directory that it is to run in."""
    directory = room / "a" / "b" / "run"
    directory.mkdir(parents=True, exist_ok=True)
    for place, text in program.files().items():
        path = (directory / ".." / place).resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return directory
