"""The engine: folding in C, equal to the reference piece for piece (`fold.h` is its interface)."""

from polynb.folding.engine.library import available, text
from polynb.folding.engine.streaming import EngineFolder

__all__ = ["EngineFolder", "available", "text"]
