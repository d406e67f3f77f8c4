"""The classic kernels in NumPy, as one would write them there: whole arrays at a time.

Each takes the program's inputs and gives its outputs by name; what has no such form (a sweep in
place, as Gauss and Seidel's) is not here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

Arrays = dict[str, np.ndarray]
Array = np.ndarray


def gemm(alpha: Array, beta: Array, C: Array, A: Array, B: Array) -> Arrays:
    return {"C": alpha * (A @ B) + beta * C}


def two_mm(alpha: Array, beta: Array, A: Array, B: Array, C: Array, D: Array) -> Arrays:
    return {"D": alpha * A @ B @ C + beta * D}


def trmm(alpha: Array, A: Array, B: Array) -> Arrays:
    """The diagonal of A, which is not read, is 1."""
    return {"B": alpha * (B + np.tril(A, -1).T @ B)}


def atax(A: Array, x: Array) -> Arrays:
    return {"y": A.T @ (A @ x)}


def mvt(x1: Array, x2: Array, y_1: Array, y_2: Array, A: Array) -> Arrays:
    return {"x1": x1 + A @ y_1, "x2": x2 + A.T @ y_2}


def lu(A: Array) -> Arrays:
    """A column of L and what it takes from the rest at a time."""
    A = A.copy()
    for k in range(len(A)):
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return {"A": A}


def cholesky(A: Array) -> Arrays:
    """Above the diagonal A stays as it is."""
    return {"A": np.linalg.cholesky(A) + np.triu(A, 1)}


def durbin(r: Array) -> Arrays:
    y = np.zeros_like(r)
    y[0] = alpha = -r[0]
    beta = 1.0
    for k in range(1, len(r)):
        beta *= 1 - alpha * alpha
        alpha = -(r[k] + r[k - 1 :: -1] @ y[:k]) / beta
        y[:k] += alpha * y[k - 1 :: -1]
        y[k] = alpha
    return {"y": y}


def covariance(data: Array) -> Arrays:
    centred = data - data.mean(axis=0)
    return {"data": centred, "cov": centred.T @ centred / (len(data) - 1)}


def floyd_warshall(path: Array) -> Arrays:
    path = path.copy()
    for k in range(len(path)):
        np.minimum(path, path[:, k, None] + path[k], out=path)
    return {"path": path}


def jacobi_1d(tsteps: int, A: Array, B: Array) -> Arrays:
    A, B = A.copy(), B.copy()
    for _ in range(tsteps):
        for source, target in ((A, B), (B, A)):
            target[1:-1] = (source[:-2] + source[1:-1] + source[2:]) / 3
    return {"A": A, "B": B}


def jacobi_2d(tsteps: int, A: Array, B: Array) -> Arrays:
    A, B = A.copy(), B.copy()
    for _ in range(tsteps):
        for s, target in ((A, B), (B, A)):
            beside = s[1:-1, 1:-1] + s[1:-1, :-2] + s[1:-1, 2:]
            target[1:-1, 1:-1] = 0.2 * (beside + s[:-2, 1:-1] + s[2:, 1:-1])
    return {"A": A, "B": B}


def fdtd_2d(tmax: int, ex: Array, ey: Array, hz: Array, pulse: Array) -> Arrays:
    ex, ey, hz = ex.copy(), ey.copy(), hz.copy()
    for t in range(tmax):
        ey[0] = pulse[t]
        ey[1:] -= 0.5 * (hz[1:] - hz[:-1])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return {"ex": ex, "ey": ey, "hz": hz}


KERNELS: Final[Mapping[str, Callable[..., Arrays]]] = {
    "gemm": gemm,
    "gemm_accumulator": gemm,
    "2mm": two_mm,
    "trmm": trmm,
    "atax": atax,
    "mvt": mvt,
    "lu": lu,
    "cholesky": cholesky,
    "durbin": durbin,
    "covariance": covariance,
    "floyd_warshall": floyd_warshall,
    "jacobi_1d": jacobi_1d,
    "jacobi_2d": jacobi_2d,
    "fdtd_2d": fdtd_2d,
}
