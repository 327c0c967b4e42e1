"""`paddle.audio.functional`: the mel scale, decibels, cosine transforms and windows."""

from __future__ import annotations

import math
from typing import Any

from twinoar.audio.windows import get_window  # noqa: F401  # exported
from twinoar.core.op.explain import told
from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.errors import ArgumentError
from twinoar.nn.functional import normalize
from twinoar.ops.create.fill import full_like, zeros_like
from twinoar.ops.create.range import arange, linspace
from twinoar.ops.index.mask import where
from twinoar.ops.math.exponential import exp, log, log10
from twinoar.ops.math.select import maximum, minimum
from twinoar.ops.math.trigonometry import cos
from twinoar.ops.reduce.extreme import max as largest
from twinoar.ops.shape.reshape import unsqueeze

# The mel scale of Slaney's Auditory Toolbox: linear up to 1,000 Hz, logarithmic above.
HZ_PER_MEL = 200.0 / 3
LOG_HZ = 1000.0
LOG_MEL = LOG_HZ / HZ_PER_MEL
LOG_STEP = math.log(6.4) / 27.0
# That of HTK.
HTK_FACTOR, HTK_HZ = 2595.0, 700.0
LEAST = 1e-10


@told
def hz_to_mel(freq: Any, htk: bool = False) -> Any:
    """The mel of a frequency in Hz, a number or a tensor. htk: by HTK's formula, not Slaney's.

    >>> round(hz_to_mel(500.0), 6)
    7.5
    """
    is_tensor = isinstance(freq, Tensor)
    if htk:
        ratio = 1.0 + freq / HTK_HZ
        return HTK_FACTOR * (log10(ratio) if is_tensor else math.log10(ratio))
    linear = freq / HZ_PER_MEL
    if is_tensor:
        high = LOG_MEL + log(maximum(freq, zeros_like(freq)) / LOG_HZ + LEAST) / LOG_STEP
        return where(freq > LOG_HZ, high, linear)
    return linear if freq < LOG_HZ else LOG_MEL + math.log(freq / LOG_HZ + LEAST) / LOG_STEP


@told
def mel_to_hz(mel: Any, htk: bool = False) -> Any:
    """The frequency in Hz of a mel, a number or a tensor. See `hz_to_mel`.

    >>> round(mel_to_hz(7.5), 6)
    500.0
    """
    if htk:
        return HTK_HZ * (10.0 ** (mel / HTK_FACTOR) - 1.0)
    linear = HZ_PER_MEL * mel
    if isinstance(mel, Tensor):
        return where(mel > LOG_MEL, LOG_HZ * exp(LOG_STEP * (mel - LOG_MEL)), linear)
    return linear if mel < LOG_MEL else LOG_HZ * math.exp(LOG_STEP * (mel - LOG_MEL))


@told
def mel_frequencies(
    n_mels: int = 64,
    f_min: float = 0.0,
    f_max: float = 11025.0,
    htk: bool = False,
    dtype: Any = "float32",
) -> Tensor:
    """Frequencies in Hz whose mels are evenly apart, [n_mels].

    >>> mel_frequencies(3, 0.0, 400.0).tolist()
    [0.0, 200.0, 400.0]
    """
    mels = linspace(hz_to_mel(f_min, htk), hz_to_mel(f_max, htk), n_mels, dtype=dtype)
    return mel_to_hz(mels, htk)


@told
def fft_frequencies(sr: int, n_fft: int, dtype: Any = "float32") -> Tensor:
    """The frequencies in Hz of a Fourier transform of n_fft numbers, [n_fft // 2 + 1].

    >>> fft_frequencies(8, 4).tolist()
    [0.0, 2.0, 4.0]
    """
    return linspace(0, float(sr) / 2, 1 + n_fft // 2, dtype=dtype)


@told
def compute_fbank_matrix(
    sr: int,
    n_fft: int,
    n_mels: int = 64,
    f_min: float = 0.0,
    f_max: float | None = None,
    htk: bool = False,
    norm: str | float = "slaney",
    dtype: Any = "float32",
) -> Tensor:
    """Triangles over the frequencies of a spectrum, one for each mel, [n_mels,n_fft // 2 + 1].

    f_max: half of sr by default. norm: "slaney", each triangle has the area 1; a number, rows have
    that norm 1; otherwise triangles have the height 1.

    >>> compute_fbank_matrix(8000, 8, 2, norm=None).shape
    [2, 5]
    """
    top = float(sr) / 2 if f_max is None else f_max
    edges = mel_frequencies(n_mels + 2, f_min, top, htk, dtype)
    gaps = unsqueeze(edges[1:] - edges[:-1], 1)
    ramps = unsqueeze(edges, 1) - unsqueeze(fft_frequencies(sr, n_fft, dtype), 0)
    rising, falling = -ramps[:-2] / gaps[:-1], ramps[2:] / gaps[1:]
    weights = maximum(zeros_like(rising), minimum(rising, falling))
    if norm == "slaney":
        return weights * unsqueeze(2.0 / (edges[2:] - edges[:-2]), 1)
    if isinstance(norm, int | float):
        return normalize(weights, p=norm, axis=-1)
    return weights


@told
def power_to_db(
    spect: Tensor, ref_value: float = 1.0, amin: float = LEAST, top_db: float | None = 80.0
) -> Tensor:
    """A spectrum of powers in decibels of `ref_value`.

    amin: what smaller powers are taken for. top_db: nothing is further below the largest. Raises
    ArgumentError for what is not positive.

    >>> [round(x, 4) for x in power_to_db(twinoar.to_tensor([1.0, 100.0])).tolist()]
    [0.0, 20.0]
    """
    for name, value in (("amin", amin), ("ref_value", ref_value)):
        if value <= 0:
            raise ArgumentError(f"{name} has to be positive, received {value}")
    if top_db is not None and top_db < 0:
        raise ArgumentError(f"top_db has to be 0 or more, received {top_db}")
    found = 10.0 * log10(maximum(full_like(spect, amin), spect))
    found = found - 10.0 * math.log10(max(ref_value, amin))
    return found if top_db is None else maximum(found, largest(found) - top_db)


@told
def create_dct(
    n_mfcc: int, n_mels: int, norm: str | None = "ortho", dtype: Any = "float32"
) -> Tensor:
    """The matrix of a cosine transform, [n_mels,n_mfcc]. norm: "ortho", or None.

    >>> create_dct(2, 4).shape
    [4, 2]
    """
    if norm not in ("ortho", None):
        raise ArgumentError(f"norm: expected 'ortho' or None, received {norm!r}")
    places = arange(n_mels, dtype=dtype)
    waves = unsqueeze(arange(n_mfcc, dtype=dtype), 1)
    found = cos(math.pi / float(n_mels) * (places + 0.5) * waves)
    if norm is None:
        return (found * 2.0).T
    scale = where(waves == 0, waves + math.sqrt(1.0 / n_mels), waves * 0 + math.sqrt(2.0 / n_mels))
    return (found * scale).T


__all__ = declared(globals(), "get_window")
