"""How objects with sets and maps pickle: those as text, with the names of their dimensions.

(islpy's own way fails where two dimensions have one name, as in `{ S[i] -> S[i + 1] }`.) islpy's
classes pickle as they always did for everybody else: what is ours is a stream of its own inside of
the other.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from typing import Any, Final

from polynb import isl
from polynb.conveniences import Portable

KINDS: Final = (isl.Set, isl.Map, isl.UnionSet, isl.UnionMap, isl.PwAff)


def portable(x: Portable) -> tuple[Callable[[bytes], object], tuple[bytes]]:
    """What `__reduce_ex__` gives."""
    return pickle.loads, (dumps(x),)


def dumps(x: object) -> bytes:
    """The pickle of an object that holds sets and maps, or is one."""
    stream = io.BytesIO()
    _Pickler(stream).dump(x)
    return stream.getvalue()


class _Pickler(pickle.Pickler):
    def reducer_override(self, x: Any) -> Any:
        if isinstance(x, KINDS):
            return _as_text(x)
        return object.__reduce_ex__(x, 4) if isinstance(x, Portable) else NotImplemented


def _as_text(x: isl.Set | isl.Map | isl.UnionSet | isl.UnionMap | isl.PwAff) -> tuple[object, ...]:
    kinds = {isl.Map: (isl.IN, isl.OUT), isl.Set: (isl.SET,)}.get(type(x), ())
    return _read, (type(x), str(x), [(k.name, isl.dim_names(x, k)) for k in kinds])


def _read(kind: Any, text: str, names: list[tuple[str, tuple[str, ...]]]) -> Any:
    x = kind(text)
    for which, found in names:
        x = isl.with_dim_names(x, getattr(isl.dim_type, which), found)
    return x
