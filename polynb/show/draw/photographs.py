"""Pictures side by side, as a notebook shows photographs: small files."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from polynb.arguments import named
from polynb.errors import PolynbError
from polynb.show.draw.plots import Drawing

WIDTH: Final = 4.2  # inches of each
TALLEST: Final = 6.0


class Photographs(Drawing):
    """A figure that a notebook shows as JPEG: of photographs a fifth of a PNG."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        file = io.BytesIO()
        FigureCanvasAgg(self).print_jpg(file, pil_kwargs={"quality": 85})
        return {"text/plain": self.described, "image/jpeg": file.getvalue()}


def show_pictures(pictures: Mapping[str, Any]) -> Photographs:
    """Pictures with their titles, side by side: `show_pictures({"before": a, "after": b})`.

    A picture is an array of rows and columns (grey, from its darkest to its brightest value), or of
    these and three colours from 0 to 1, which may also come first. Raises PolynbError for others.
    """
    shown = {title: _colours_last(title, p) for title, p in named("pictures", pictures).items()}
    if not shown:
        raise PolynbError("there is no picture to show", hint='{"before": picture}')
    tallest = max(p.shape[0] / p.shape[1] for p in shown.values())
    size = WIDTH * len(shown), min(WIDTH * tallest, TALLEST) + 0.4
    figure = Photographs(figsize=size, layout="constrained", dpi=100)
    figure.described = f"<Pictures: {', '.join(shown)}>"
    FigureCanvasAgg(figure)
    axes: Any = figure.subplots(1, len(shown), squeeze=False)
    for ax, (title, picture) in zip(axes[0], shown.items(), strict=True):
        ax.imshow(picture, cmap="gray")
        ax.set_title(title)
        ax.axis("off")
    return figure


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
    return found if found.ndim == 2 or found.dtype.kind in "iu" else np.clip(found, 0, 1)
