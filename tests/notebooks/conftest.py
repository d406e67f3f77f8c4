"""The notebooks as they are stored."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from IPython.core.inputtransformer2 import TransformerManager

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
PATHS = {
    p.stem: p for p in sorted(NOTEBOOKS.rglob("*.ipynb")) if ".ipynb_checkpoints" not in p.parts
}


def read(name: str) -> Any:
    return nbformat.read(PATHS[name], 4)


def source(name: str, cell: str) -> str:
    """The source of one cell, by its id."""
    return str(next(c.source for c in read(name).cells if c.id == cell))


def code_cells(name: str) -> Iterator[Any]:
    return (c for c in read(name).cells if c.cell_type == "code")


def parsed(cell: Any) -> ast.Module:
    """A cell as Python: magics are calls, and the bodies of cell magics texts."""
    return ast.parse(TransformerManager().transform_cell(cell.source))


def shown(name: str, cell: str) -> str:
    """The plain text of a cell's stored outputs."""
    (found,) = (c for c in code_cells(name) if c.id == cell)
    parts = [o.text if o.output_type == "stream" else o.get("data", {}).get("text/plain", "")
             for o in found.outputs]  # fmt: skip
    return "\n".join(parts)
