"""What the paper's seven image pipelines compute, written again with NumPy, mostly in double
precision and in another way: to be compared with, not to be fast.

They share nothing with the programs of the gallery but what is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import EllipsisType, ModuleType
from typing import Final

import numpy as np

from polynb.arguments import one_of
from polynb.evaluation.references import (
    bilateral_grid,
    camera_pipe,
    harris,
    interpolate,
    local_laplacian,
    pyramid_blending,
    unsharp_mask,
)

WRITTEN: Final[Mapping[str, ModuleType]] = {
    "unsharp_mask": unsharp_mask,
    "harris": harris,
    "bilateral_grid": bilateral_grid,
    "camera_pipe": camera_pipe,
    "pyramid_blending": pyramid_blending,
    "interpolate": interpolate,
    "local_laplacian": local_laplacian,
}


@dataclass(frozen=True)
class Reference:
    """A pipeline in NumPy.

    `expected(**sizes, **inputs)` is the output by name, without what borders leave undefined;
    `frame` cuts that from a kernel's output. `inputs(random, **sizes)` are inputs to try it on,
    and `sizes` the parameter values that are large enough and quick.
    """

    sizes: Mapping[str, int]
    inputs: Callable[..., Mapping[str, np.ndarray | np.float32]]
    expected: Callable[..., Mapping[str, np.ndarray]]
    frame: tuple[slice, ...] | EllipsisType


def reference(name: str) -> Reference:
    """The reference of a pipeline of the gallery. Raises PolynbError for what has none."""
    module = WRITTEN[one_of("name", name, WRITTEN, "reference")]
    frame = getattr(module, "FRAME", ...)
    return Reference(module.SIZES, module.inputs, module.expected, frame)
