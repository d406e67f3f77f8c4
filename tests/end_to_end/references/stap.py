"""The chain in complex numbers. (Whole numbers: the sums are exact, each quotient is rounded
once.)"""

import numpy as np

SIZES = {"antennas": 3, "pulses": 4, "ranges": 6, "taps": 5}


def inputs(random, antennas, pulses, ranges, taps):
    shapes = {
        "echo": (antennas, pulses, ranges + taps),
        "chirp": (taps,),
        "weight": (pulses, antennas, pulses),
        "cov": (antennas, antennas),
    }
    given = {
        f"{name}_{part}": random.integers(-4, 5, shape).astype(np.float32)
        for name, shape in shapes.items()
        for part in ("re", "im")
    }
    return {**given, "contrast": np.zeros((pulses, ranges), np.float32)}


def expected(antennas, pulses, ranges, taps, **given):
    echo, chirp, weight = (
        given[f"{name}_re"] + 1j * given[f"{name}_im"] for name in ("echo", "chirp", "weight")
    )
    windows = np.lib.stride_tricks.sliding_window_view(echo, taps, axis=-1)[:, :, :ranges]
    sharp = windows @ chirp.conj()
    cov = np.einsum("apr,bpr->ab", sharp, sharp.conj())
    bins = np.einsum("dap,apr->dr", weight.conj(), sharp)
    energy = (bins.real**2 + bins.imag**2).astype(np.float32)
    count = np.float32(pulses * ranges)
    return {
        "cov_re": cov.real.astype(np.float32) / count,
        "cov_im": cov.imag.astype(np.float32) / count,
        "contrast": energy / energy.sum(axis=0),
    }
