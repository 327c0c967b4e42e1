"""Clipping of gradients that are there already, in place."""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.interpreter import recording, using
from twinoar.core.values import Value
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, GradientError
from twinoar.ops.index.selected_rows import elements, merged, with_elements
from twinoar.ops.math.fill import fill
from twinoar.ops.math.select import clip
from twinoar.ops.reduce.extreme import max as max_of
from twinoar.ops.reduce.reduction import sum as sum_of
from twinoar.ops.shape.concat import stack


def clip_grad_norm_(
    parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False
) -> Tensor:
    """Scale the gradients down so that the norm of them all together is at most max_norm.

    parameters: one or several; those without a gradient are passed over. norm_type: of the norm,
    inf for the largest element. Returns the norm that the gradients had, []. Raises GradientError
    where that is not finite and error_if_nonfinite.

    >>> layer = twinoar.nn.Linear(2, 2)
    >>> layer(twinoar.ones([1, 2])).sum().backward()
    >>> round(twinoar.nn.utils.clip_grad_norm_(layer.parameters(), 1.0).item(), 4)
    2.4495
    """
    with using(recording(False)):
        given = _with_gradient(parameters)
        if not given:
            return fill((), 0.0)
        magnitudes = [elements(merged(p.grad)).astype("float32").abs() for p in given]
        if math.isinf(norm_type):
            norm: Any = max_of(stack([max_of(m) for m in magnitudes]))
        elif norm_type > 0:
            norm = sum_of(stack([sum_of(m**norm_type) for m in magnitudes])) ** (1.0 / norm_type)
        else:
            raise ArgumentError(f"norm_type must be positive, received {norm_type}")
        if error_if_nonfinite and not math.isfinite(float(norm)):
            raise GradientError(f"the norm of the gradients is {float(norm)}")
        factor = clip(float(max_norm) / (norm + 1e-6), max=1.0)
        for p in given:
            p.grad = p.grad * factor.astype(p.grad.dtype)
        return norm


def clip_grad_value_(parameters: Any, clip_value: float) -> None:
    """Bring each element of the gradients into [-clip_value, clip_value].

    >>> layer = twinoar.nn.Linear(1, 1)
    >>> layer(twinoar.to_tensor([[5.0]])).sum().backward()
    >>> twinoar.nn.utils.clip_grad_value_(layer.parameters(), 2.0)
    >>> layer.weight.grad.item()
    2.0
    """
    if clip_value < 0:
        raise ArgumentError(f"clip_value must not be negative, received {clip_value}")
    with using(recording(False)):
        for p in _with_gradient(parameters):
            g = merged(p.grad)
            p.grad = with_elements(g, clip(elements(g), -float(clip_value), float(clip_value)))


def _with_gradient(parameters: Any) -> list[Any]:
    given = [parameters] if isinstance(parameters, Value) else parameters
    return [p for p in given if p.grad is not None]
