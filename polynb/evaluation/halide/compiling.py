"""What runs in a process of its own: `python -m polynb.evaluation.halide.compiling OBJECT`, with a
request as JSON on its input, makes an object file of a pipeline with Halide."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Final

from polynb.evaluation.halide.model import Pipeline
from polynb.evaluation.halide.writers import PIPELINES

FUNCTION: Final = "pipeline"
"""What the function in the object file is called."""


@dataclass(frozen=True)
class Request:
    """A pipeline at some sizes, by an autoscheduler ("": by hand), which is told the `shapes` of
    all arrays by name, which of them is the `output`, and the number of `threads`."""

    name: str
    sizes: Mapping[str, int]
    shapes: Mapping[str, tuple[int, ...]]
    output: str
    scheduler: str
    threads: int

    def to_json(self) -> str:
        return json.dumps(asdict(self))


@dataclass(frozen=True)
class Made:
    """How the function in the object file is called: the names of its arguments, in order, the
    last of which is the result without a `frame`."""

    arguments: tuple[str, ...]
    frame: tuple[int, int]


def compiled(request: Request, file: Path) -> Made:
    """Write the object file. Raises what Halide raises."""
    hl = importlib.import_module("halide")
    made = PIPELINES[request.name](hl, request.sizes)
    target = hl.get_host_target()
    if request.scheduler:
        _estimate(hl, made, request)
        _schedule(hl, made, request, target)
    else:
        made.schedule()
    made.output.compile_to_object(str(file), list(made.inputs.values()), FUNCTION, target)
    return Made((*made.inputs, request.output), made.frame)


def _estimate(hl: ModuleType, made: Pipeline, request: Request) -> None:
    """The sizes that an autoscheduler counts on."""
    for name, given in made.inputs.items():
        extents = reversed(request.shapes[name])
        if request.shapes[name]:
            given.set_estimates([hl.Range(0, e) for e in extents])
        else:
            given.set_estimate(1)
    before, behind = made.frame
    shape = request.shapes[request.output][::-1]
    ends = [(before, e - before - behind) if k < 2 else (0, e) for k, e in enumerate(shape)]
    made.output.set_estimates([hl.Range(*end) for end in ends])


def _schedule(hl: ModuleType, made: Pipeline, request: Request, target: object) -> None:
    plugin = f"libautoschedule_{request.scheduler.lower()}.so"
    (file,) = Path(str(hl.__file__)).parent.glob(f"lib*/{plugin}")
    hl.load_plugin(str(file))
    parameters = {"parallelism": request.threads}
    chosen = hl.AutoschedulerParams(request.scheduler, parameters)
    hl.Pipeline(made.output).apply_autoscheduler(target, chosen)


if __name__ == "__main__":
    try:
        made = compiled(Request(**json.load(sys.stdin)), Path(sys.argv[1]))
        print(json.dumps(asdict(made)))
    except Exception as error:  # whatever Halide raises, in a line
        sys.exit(" ".join(str(error).split()))
