"""A real photograph at any size, to run the image pipelines on.

It is matplotlib's sample: Grace Hopper, by James S. Davis (public domain). Only its file is
used, and Pillow, which comes with matplotlib, to read and resample it.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np

from polynb.arguments import count
from polynb.errors import Missing, PolynbError

LARGEST = 100_000  # rows or columns
SAMPLE = "mpl-data/sample_data/grace_hopper.jpg"
HINT = 'pip install "polynb[lab]" brings matplotlib and its sample pictures'


def photograph(rows: int, columns: int, channels: int = 3) -> np.ndarray:
    """A photograph as a float32 NumPy array with values from 0 to 1.

    The shape is (rows, columns, 3): red, green, blue; or, if `channels` is 1, (rows, columns):
    grey. The largest part from the middle that has these proportions is resampled to the size.
    Raises PolynbError for other sizes, and where matplotlib's sample pictures are missing.
    """
    rows, columns = count("rows", rows, most=LARGEST), count("columns", columns, most=LARGEST)
    if count("channels", channels) not in (1, 3):
        raise PolynbError(
            f"no picture has {channels} channels", hint="channels=3 (colour) or channels=1 (grey)"
        )
    file = _sample()
    try:
        import numpy as np
        from PIL import Image
    except ImportError as missing:
        raise Missing(f"there is no {missing.name} to read pictures", hint=HINT) from missing
    with Image.open(file) as picture:
        width, height = picture.size
        scale = min(width / columns, height / rows)
        left, top = (width - scale * columns) / 2, (height - scale * rows) / 2
        part = picture.convert("L" if channels == 1 else "RGB").resize(
            (columns, rows),
            Image.Resampling.BICUBIC,
            box=(left, top, width - left, height - top),
        )
    return np.asarray(part, np.float32) / np.float32(255)


def _sample() -> Path:
    found = find_spec("matplotlib")
    for place in (found and found.submodule_search_locations) or ():
        if (file := Path(place) / SAMPLE).is_file():
            return file
    raise Missing("matplotlib's sample photograph is not on this machine", hint=HINT)
