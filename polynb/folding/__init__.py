"""Folding (TACO'19): streams of points with labels -> polyhedra with label functions.

`fold` takes arrays; `Folder` is the readable reference, point by point; `engine` holds the same in
C, for long streams and for the runtimes of `tracing`.
"""

from polynb.folding.conversion import label_functions
from polynb.folding.folder import Folder
from polynb.folding.labels import BOTTOM, TOP, LabelFunction, Sign
from polynb.folding.model import Folded, Kind, Stream, Variant, variant_of
from polynb.folding.pieces import FoldedPiece
from polynb.folding.polyhedra import Bounds
from polynb.folding.streams import FoldingError, fold, fold_arrays, fold_stepwise

__all__ = [
    "BOTTOM",
    "TOP",
    "Bounds",
    "Folded",
    "FoldedPiece",
    "Folder",
    "FoldingError",
    "Kind",
    "LabelFunction",
    "Sign",
    "Stream",
    "Variant",
    "fold",
    "fold_arrays",
    "fold_stepwise",
    "label_functions",
    "variant_of",
]
