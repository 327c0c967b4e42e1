"""Window functions: hann_window, hamming_window, blackman_window, bartlett_window, kaiser_window.

Each gives a vector that is made in float64 and rounded once. A periodic window is the symmetric one
of one element more, without its last.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.core.dtype import dtype_of
from twinoar.core.interpreter import placing
from twinoar.core.op.declare import Tensor, function
from twinoar.errors import ArgumentError, DTypeError
from twinoar.ops.create.fill import assign


def _window(
    symmetric: Callable[[int], np.ndarray],
    length: int,
    periodic: bool,
    dtype: Any,
    requires_grad: bool,
    device: Any = None,
) -> Tensor:
    """A window of the elements that `symmetric(n)` has. It is no less than 0 long."""
    if length < 0:
        raise ArgumentError(f"window_length must be 0 or more, received {length}")
    wanted = dtype_of("float32" if dtype is None else dtype)
    if not wanted.is_floating:
        raise DTypeError(
            f"a window has a floating dtype, received {wanted.name}", cure="use float32 or float64"
        )
    values = symmetric(length + 1)[:length] if periodic and length > 1 else symmetric(length)
    with placing(device):
        out = assign(values.astype(wanted.numpy))
    out.stop_gradient = not requires_grad  # type: ignore[misc]  # a slot of each subclass
    return out


def _cosines(alpha: float, beta: float, n: int) -> np.ndarray:
    """alpha - beta cos(2 pi k / (n - 1)); of one element its middle."""
    if n < 2:
        return np.full(n, alpha + beta)
    return alpha - beta * np.cos(2 * np.pi * np.arange(n) / (n - 1))


@function(named=False)
def hann_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: Any = "float32",
    layout: str | None = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """The Hann window: 0.5 - 0.5 cos(2 pi k / n). Raises ArgumentError, DTypeError.

    Returns [window_length]. device: where it lies. layout, pin_memory: make no difference.

    >>> twinoar.hann_window(4, dtype="float64").numpy().round(3).tolist()
    [0.0, 0.5, 1.0, 0.5]
    """
    return _window(
        functools.partial(_cosines, 0.5, 0.5), window_length, periodic, dtype, requires_grad, device
    )


@function(named=False)
def hamming_window(
    window_length: int,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    *,
    dtype: Any = "float32",
    layout: str | None = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """The Hamming window: alpha - beta cos(2 pi k / n). See `hann_window`.

    >>> [round(w, 2) for w in twinoar.hamming_window(4).tolist()]
    [0.08, 0.54, 1.0, 0.54]
    """
    symmetric = functools.partial(_cosines, alpha, beta)
    return _window(symmetric, window_length, periodic, dtype, requires_grad, device)


@function(named=False)
def blackman_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: Any = "float32",
    layout: str | None = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """The Blackman window: 0.42 - 0.5 cos(2 pi k / n) + 0.08 cos(4 pi k / n). See `hann_window`.

    >>> [round(w, 2) for w in twinoar.blackman_window(4).tolist()]
    [-0.0, 0.34, 1.0, 0.34]
    """
    return _window(np.blackman, window_length, periodic, dtype, requires_grad, device)


@function(named=False)
def bartlett_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: Any = "float32",
    layout: str | None = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """The Bartlett window, a triangle that begins with 0. See `hann_window`.

    >>> twinoar.bartlett_window(4).tolist()
    [0.0, 0.5, 1.0, 0.5]
    """
    return _window(np.bartlett, window_length, periodic, dtype, requires_grad, device)


@function(named=False)
def kaiser_window(
    window_length: int,
    periodic: bool = True,
    beta: float = 12.0,
    *,
    dtype: Any = "float32",
    layout: str | None = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """The Kaiser window of shape `beta`, from the Bessel function I0. See `hann_window`.

    >>> [round(w, 2) for w in twinoar.kaiser_window(4, beta=5.0).tolist()]
    [0.04, 0.55, 1.0, 0.55]
    """
    return _window(
        lambda n: np.kaiser(n, beta), window_length, periodic, dtype, requires_grad, device
    )
