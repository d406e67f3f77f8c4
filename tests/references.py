"""What a kernel of the gallery computes, by other means (`end_to_end/references`)."""

import runpy
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "end_to_end" / "references"
# Kernels that compute the same in another way: what the values are is said once.
SAME = {
    **{f"delicm_listing{k}": "delicm_listing1" for k in (2, 3, 4, 6)},
    "gemm_accumulator": "gemm",
    "lrr_listing1_scalar": "lrr_listing1",
}


def names() -> set[str]:
    """The kernels that have a reference."""
    return {p.stem for p in FOLDER.glob("*.py")} | SAME.keys()


def reference(name: str) -> dict[str, Any]:
    """SIZES, inputs(random, **sizes) and expected(**sizes, **inputs) of a kernel."""
    name = name.removesuffix("_o1")
    return runpy.run_path(str(FOLDER / f"{SAME.get(name, name)}.py"))
