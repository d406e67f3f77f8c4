"""One leapfrog step of the fields at a time, whole fields by differences."""

import numpy as np

SIZES = {"tmax": 4, "nx": 7, "ny": 9}


def inputs(random, tmax, nx, ny):
    return {
        "ex": random.normal(size=(nx, ny)),
        "ey": random.normal(size=(nx, ny)),
        "hz": random.normal(size=(nx, ny)),
        "pulse": random.normal(size=tmax),
    }


def expected(tmax, nx, ny, ex, ey, hz, pulse):
    ex, ey, hz = ex.copy(), ey.copy(), hz.copy()
    for t in range(tmax):
        ey[0] = pulse[t]
        ey[1:] -= np.diff(hz, axis=0) / 2
        ex[:, 1:] -= np.diff(hz, axis=1) / 2
        curl = np.diff(ex, axis=1)[:-1] + np.diff(ey, axis=0)[:, :-1]
        hz[:-1, :-1] -= 0.7 * curl
    return {"ex": ex, "ey": ey, "hz": hz}
