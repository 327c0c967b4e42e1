"""Windows, by which parts of a signal are multiplied: made in float64 and rounded once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.core.dtype import dtype_of
from twinoar.core.op.explain import told
from twinoar.core.values import Value as Tensor
from twinoar.eager.convert import as_tensor
from twinoar.errors import ArgumentError, DTypeError, TypeMismatchError

NUTTALL = (0.3635819, 0.4891775, 0.1365995, 0.0106411)
BLACKMAN = (0.42, 0.5, 0.08)
WITH_PARAMETERS = ("gaussian", "exponential", "kaiser")

Window = Callable[..., np.ndarray]


@told
def get_window(
    window: str | tuple[Any, ...], win_length: int, fftbins: bool = True, dtype: Any = "float64"
) -> Tensor:
    """A window of so many elements, [win_length].

    window: "hamming", "hann", "bartlett", "nuttall", "triang", "bohman", "blackman", "cosine",
    "tukey" or "taylor"; with parameters a tuple, ("kaiser", beta), ("gaussian", std),
    ("exponential", center, tau), ("general_gaussian", p, sig), ("tukey", alpha). fftbins: periodic,
    for spectra; False for a symmetric one. Raises ArgumentError, TypeMismatchError.

    >>> get_window("hann", 4).tolist()
    [0.0, 0.5, 1.0, 0.5]
    """
    name, parameters = _parts(window)
    if isinstance(win_length, bool) or int(win_length) != win_length or win_length < 0:
        raise ArgumentError(f"win_length: expected an integer of 0 or more, received {win_length}")
    wanted = dtype_of(dtype)
    if not wanted.is_floating:
        raise DTypeError(
            f"a window has a floating dtype, received {wanted.name}", cure="use float32 or float64"
        )
    length = int(win_length)
    values = _values(WINDOWS[name], length, parameters, periodic=fftbins)
    return as_tensor(values.astype(wanted.numpy))


def _parts(window: Any) -> tuple[str, tuple[Any, ...]]:
    """The name of a window, which there is, and its parameters."""
    if isinstance(window, str) and window in WITH_PARAMETERS:
        raise ArgumentError(
            f"the window {window!r} needs parameters", cure=f"pass a tuple such as ({window!r}, 7)"
        )
    name, *parameters = window if isinstance(window, tuple) and window else (window,)
    if not isinstance(name, str):
        raise TypeMismatchError(
            f"window: expected a name or a tuple, received {type(window).__name__}"
        )
    if name not in WINDOWS:
        raise ArgumentError(f"no window {name!r}", cure=f"windows: {', '.join(WINDOWS)}")
    return name, tuple(parameters)


def _values(
    window: Window, length: int, parameters: tuple[Any, ...], *, periodic: bool
) -> np.ndarray:
    if window is _exponential and parameters[:1] not in ((), (None,)) and not periodic:
        raise ArgumentError("a symmetric exponential window has its center in the middle")
    if length <= 1:
        return np.ones(length)
    if not periodic:
        return window(length, *parameters)
    return window(length + 1, *parameters)[:-1]


def _cosines(length: int, weights: Sequence[float]) -> np.ndarray:
    """A sum of cosines of multiples of one angle, which goes from -pi to pi."""
    angles = np.linspace(-math.pi, math.pi, length)
    return sum(w * np.cos(k * angles) for k, w in enumerate(weights))  # type: ignore[return-value]


def _hamming(length: int) -> np.ndarray:
    return _cosines(length, (0.54, 0.46))


def _hann(length: int) -> np.ndarray:
    return _cosines(length, (0.5, 0.5))


def _general_hamming(length: int, alpha: float) -> np.ndarray:
    return _cosines(length, (alpha, 1.0 - alpha))


def _nuttall(length: int) -> np.ndarray:
    return _cosines(length, NUTTALL)


def _blackman(length: int) -> np.ndarray:
    return _cosines(length, BLACKMAN)


def _bartlett(length: int) -> np.ndarray:
    return 1 - np.abs(2 * np.arange(length) / (length - 1) - 1)


def _triang(length: int) -> np.ndarray:
    size = length + length % 2
    return 1 - np.abs(2 * np.arange(length) - (length - 1)) / size


def _kaiser(length: int, beta: float) -> np.ndarray:
    return np.kaiser(length, beta)


def _gaussian(length: int, std: float) -> np.ndarray:
    return _general_gaussian(length, 1, std)


def _general_gaussian(length: int, p: float, sig: float) -> np.ndarray:
    return np.exp(-0.5 * np.abs((np.arange(length) - (length - 1) / 2) / sig) ** (2 * p))


def _exponential(length: int, center: float | None = None, tau: float = 1.0) -> np.ndarray:
    middle = (length - 1) / 2 if center is None else center
    return np.exp(-np.abs(np.arange(length) - middle) / tau)


def _bohman(length: int) -> np.ndarray:
    places = np.abs(np.linspace(-1, 1, length))
    values = (1 - places) * np.cos(math.pi * places) + np.sin(math.pi * places) / math.pi
    values[[0, -1]] = 0
    return values


def _cosine(length: int) -> np.ndarray:
    return np.sin(math.pi / length * (np.arange(length) + 0.5))


def _tukey(length: int, alpha: float = 0.5) -> np.ndarray:
    """One, with halves of a Hann window as its ends, together a part `alpha` of it."""
    if alpha <= 0:
        return np.ones(length)
    if alpha >= 1:
        return _hann(length)
    places = np.arange(length) / (length - 1)
    nearest = np.minimum(places, 1 - places)
    return np.where(nearest < alpha / 2, 0.5 * (1 - np.cos(2 * math.pi * nearest / alpha)), 1.0)


def _taylor(length: int, nbar: int = 4, sll: float = 30, norm: bool = True) -> np.ndarray:
    """Side lobes of one height, `sll` decibels below the main one, for `nbar` of them."""
    a = math.acosh(10 ** (sll / 20)) / math.pi
    spread = nbar**2 / (a**2 + (nbar - 0.5) ** 2)
    m = np.arange(1, nbar)
    weights = np.array([_taylor_weight(int(k), m, a, spread) for k in m])

    def at(n: Any) -> np.ndarray:
        angles = 2 * math.pi * m[:, None] * (n - length / 2 + 0.5) / length
        return 1 + 2 * weights @ np.cos(angles)

    values = at(np.arange(length))
    return values / at((length - 1) / 2) if norm else values


def _taylor_weight(k: int, m: np.ndarray, a: float, spread: float) -> float:
    others = m[m != k]
    above = np.prod(1 - k**2 / spread / (a**2 + (m - 0.5) ** 2))
    return (-1) ** (k + 1) * above / (2 * np.prod(1 - k**2 / others**2))


WINDOWS: dict[str, Window] = {
    "hamming": _hamming,
    "hann": _hann,
    "general_hamming": _general_hamming,
    "nuttall": _nuttall,
    "blackman": _blackman,
    "bartlett": _bartlett,
    "triang": _triang,
    "kaiser": _kaiser,
    "gaussian": _gaussian,
    "general_gaussian": _general_gaussian,
    "general_cosine": _cosines,
    "exponential": _exponential,
    "bohman": _bohman,
    "cosine": _cosine,
    "tukey": _tukey,
    "taylor": _taylor,
}
