"""Sums of neighbours along the last axis, then differences of them; x[..., 0] stays as it is.
(polynb leaves zeros where an output is not written: so they are there before.)"""

import numpy as np

SIZES = {"Nx": 4, "Ny": 5, "Nz": 7}


def inputs(random, Nx, Ny, Nz):
    a, x = random.integers(-1000, 1000, (2, Nx, Ny, Nz), dtype=np.int32)
    return {"a": a, "x": x, "rho": np.zeros_like(a)}


def expected(Nx, Ny, Nz, a, x, rho):
    sums = np.concatenate([x[..., :1], a[..., 1:] + a[..., :-1]], axis=-1)
    differences = a[..., :-1] + np.diff(sums)
    return {"x": sums, "rho": np.concatenate([differences, rho[..., -1:]], axis=-1)}
