"""Pictures side by side, as a notebook shows photographs: small files, on the page's own ground."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from matplotlib.image import imsave

from polynb.arguments import named
from polynb.errors import PolynbError
from polynb.show.html import Html, element, page, paragraph

WIDEST: Final = 420  # pixels of the page for each
NARROWEST: Final = 160
QUALITY: Final = 85  # of a JPEG: of photographs a fifth of a PNG


@dataclass(frozen=True, eq=False)
class Photographs:
    """Pictures by their titles, and a sentence about them."""

    pictures: Mapping[str, Any]
    note: str = ""

    def __repr__(self) -> str:
        about = f"\n{self.note}" if self.note else ""
        return f"<Pictures: {', '.join(self.pictures)}>{about}"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        shown = [_titled(title, picture) for title, picture in self.pictures.items()]
        row = element("div", *shown, style="display:flex;flex-wrap:wrap;gap:4px 12px")
        about = [paragraph(self.note)] if self.note else []
        return {"text/plain": repr(self), "text/html": page(row, *about)}


def show_pictures(pictures: Mapping[str, Any], note: object = "") -> Photographs:
    """Pictures with their titles, side by side: `show_pictures({"before": a, "after": b})`, and a
    sentence below them, the `note`.

    A picture is an array of rows and columns (grey, from its darkest to its brightest value), or of
    these and three colours from 0 to 1, which may also come first. Raises PolynbError for others.
    """
    shown = {title: _colours_last(title, p) for title, p in named("pictures", pictures).items()}
    if not shown:
        raise PolynbError("there is no picture to show", hint='{"before": picture}')
    return Photographs(shown, str(note))


def _titled(title: str, picture: Any) -> Html:
    file = io.BytesIO()
    imsave(file, picture, format="jpeg", cmap="gray", pil_kwargs={"quality": QUALITY})
    data = base64.b64encode(file.getvalue()).decode()
    img = element(
        "img",
        alt=title,
        src=f"data:image/jpeg;base64,{data}",
        style="width:100%;height:auto;display:block",
    )
    return element("div", element("div", title, style="text-align:center"), img,
                   style=f"flex:1 1 {NARROWEST}px;max-width:{WIDEST}px")  # fmt: skip


def _colours_last(title: str, picture: Any) -> Any:
    found = np.asarray(picture)
    if found.ndim == 3 and found.shape[0] == 3 and found.shape[2] != 3:
        found = np.moveaxis(found, 0, 2)
    is_picture = found.ndim == 2 or (found.ndim == 3 and found.shape[2] == 3)
    if not is_picture or not found.size or found.dtype.kind not in "biuf":
        raise PolynbError(
            f"{title!r} is no picture: an array of shape {found.shape}",
            hint="rows x columns, or rows x columns x 3",
        )
    if found.ndim == 2:
        return found
    return found.clip(0, 255).astype(np.uint8) if found.dtype.kind in "iu" else found.clip(0, 1)
