"""How often each brightness occurs."""

import numpy as np

SIZES = {"rows": 17, "columns": 19}


def inputs(random, rows, columns):
    return {
        "image": random.integers(0, 256, (rows, columns), dtype=np.uint8),
        "count": random.integers(0, 9, 256, dtype=np.int32),
    }


def expected(rows, columns, image, count):
    return {"count": np.bincount(image.ravel(), minlength=256)}
