"""Clipping of gradients, in the form optimizers call: [(parameter, gradient)] in, the same out.

Made of ordinary operators, so it works eagerly and as part of a Program. A pair without a gradient
is left out; a parameter with need_clip=False keeps its gradient as it is.
"""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

from twinoar.core.interpreter import recording, using
from twinoar.core.op.explain import Told
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError
from twinoar.ops.index.selected_rows import SelectedRows, elements, merged, with_elements
from twinoar.ops.math.root import sqrt
from twinoar.ops.math.select import clip, maximum
from twinoar.ops.reduce.reduction import sum as sum_of

Pairs = Sequence[tuple[Any, Any]]


class ClipGradBase(Told):
    """Changes gradients before an optimizer uses them; subclasses define `clipped(gradients)`.

    Row-sparse gradients come to it merged: each row stands once.
    """

    def __call__(self, params_grads: Pairs) -> list[tuple[Any, Any]]:
        """The pairs that have a gradient, with the gradients clipped."""
        with using(recording(False)):
            pairs = [(p, g) for p, g in params_grads if g is not None]
            wanted = [merged(g) for p, g in pairs if needs_clip(p)]
            clipped = iter(self.clipped(wanted))
            return [(p, next(clipped) if needs_clip(p) else g) for p, g in pairs]

    def clipped(self, gradients: list[Any]) -> list[Any]:
        """The gradients, clipped."""
        raise NotImplementedError(f"{type(self).__name__} must define clipped(gradients)")


class ClipGradByValue(ClipGradBase):
    """Each element of a gradient is brought into [min, max]; min None means -max.

    Raises ArgumentError where min would exceed max.

    >>> clip = twinoar.nn.ClipGradByValue(1.0)
    >>> weight = twinoar.nn.Linear(1, 1).weight
    >>> [(_, g)] = clip([(weight, twinoar.to_tensor([[3.0]]))])
    >>> g.item()
    1.0
    """

    def __init__(self, max: float, min: float | None = None):
        self.max = float(max)
        self.min = -self.max if min is None else float(min)
        if self.min > self.max:
            raise ArgumentError(f"min must not exceed max, received min={self.min}, max={self.max}")

    def clipped(self, gradients: list[Any]) -> list[Any]:
        """The gradients, clipped."""
        return [self._bounded(g) for g in gradients]

    def _bounded(self, g: Any) -> Any:
        if isinstance(g, SelectedRows) and not self.min <= 0 <= self.max:
            raise UnsupportedError(
                f"the rows that a row-sparse gradient does not have are 0, which is outside of "
                f"[{self.min}, {self.max}]",
                cure="use an embedding with sparse=False",
            )
        return with_elements(g, clip(elements(g), self.min, self.max))

    def __str__(self) -> str:
        return f"Clip Gradient By Value, min = {self.min:f}, max={self.max:f}"


class ClipGradByNorm(ClipGradBase):
    """A gradient whose 2-norm exceeds clip_norm is scaled down: g clip_norm / max(|g|, clip_norm).

    >>> clip = twinoar.nn.ClipGradByNorm(1.0)
    >>> weight = twinoar.nn.Linear(1, 2).weight
    >>> [(_, g)] = clip([(weight, twinoar.to_tensor([[3.0, 4.0]]))])
    >>> [round(v, 2) for v in g.flatten().tolist()]
    [0.6, 0.8]
    """

    def __init__(self, clip_norm: float):
        self.clip_norm = _positive(clip_norm)

    def clipped(self, gradients: list[Any]) -> list[Any]:
        """The gradients, clipped."""
        return [scaled(g, sqrt(squared_norm(g)), self.clip_norm) for g in gradients]

    def __str__(self) -> str:
        return f"Gradient Clip By Norm, clip_norm={self.clip_norm:f}"


class ClipGradByGlobalNorm(ClipGradBase):
    """All gradients are scaled by clip_norm / max(n, clip_norm), n the 2-norm of them all together.

    group_name, auto_skip_clip: accepted. Source: arXiv 1211.5063, algorithm 1.

    >>> clip = twinoar.nn.ClipGradByGlobalNorm(1.0)
    >>> layer = twinoar.nn.Linear(1, 1)
    >>> three, four = twinoar.to_tensor([[3.0]]), twinoar.to_tensor([4.0])
    >>> [(_, a), (_, b)] = clip([(layer.weight, three), (layer.bias, four)])
    >>> round(a.item(), 2), round(b.item(), 2)
    (0.6, 0.8)
    """

    def __init__(
        self, clip_norm: float, group_name: str = "default_group", auto_skip_clip: bool = False
    ):
        self.clip_norm = _positive(clip_norm)
        self.group_name, self.auto_skip_clip = group_name, auto_skip_clip

    def clipped(self, gradients: list[Any]) -> list[Any]:
        """The gradients, clipped."""
        if not gradients:
            return []
        total = squared_norm(gradients[0])
        for g in gradients[1:]:
            total = total + squared_norm(g)
        norm = sqrt(total)
        return [scaled(g, norm, self.clip_norm) for g in gradients]

    def __str__(self) -> str:
        return f"Gradient Clip By GlobalNorm, global_norm={self.clip_norm:f}"


def needs_clip(parameter: Any) -> bool:
    """False where the parameter's ParamAttr keeps clipping away."""
    return getattr(parameter, "need_clip", True)


def squared_norm(g: Any) -> Any:
    """Sum of squares, []; 16-bit floats are summed in float32."""
    g = elements(g)
    if g.dtype.is_floating and g.dtype.itemsize == 2:
        g = g.astype("float32")
    return sum_of(g * g)


def scaled(g: Any, norm: Any, limit: float) -> Any:
    """g times limit / max(norm, limit)."""
    factor = limit / maximum(norm, limit)
    return g * factor.astype(g.dtype)


def _positive(limit: float) -> float:
    if not isinstance(limit, numbers.Real):
        kind = type(limit).__name__
        raise TypeMismatchError(
            f"clip_norm must be a number, received {limit!r} ({kind})",
            cure="pass an int or a float",
        )
    if not limit >= 0:
        raise ArgumentError(
            f"clip_norm must not be negative, received {limit}",
            cure="pass the largest norm that gradients may have",
        )
    return float(limit)
