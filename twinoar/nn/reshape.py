"""Layers that only change the shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.nn.layer import Layer
from twinoar.ops.shape.reshape import flatten, reshape


class Flatten(Layer):
    """The axes from start_axis to stop_axis become one: [N,C,H,W] becomes [N,C H W].

    >>> twinoar.nn.Flatten()(twinoar.ones([2, 3, 4])).shape
    [2, 12]
    """

    def __init__(self, start_axis: int = 1, stop_axis: int = -1):
        super().__init__()
        self.start_axis, self.stop_axis = start_axis, stop_axis

    def forward(self, input: Any) -> Any:
        """The input, flat."""
        return flatten(input, self.start_axis, self.stop_axis)


class Unflatten(Layer):
    """One axis becomes several, of the sizes in `shape`; a -1 among them is what is left.

    >>> twinoar.nn.Unflatten(1, [3, -1])(twinoar.ones([2, 12])).shape
    [2, 3, 4]
    """

    def __init__(self, axis: int, shape: Sequence[int], name: str | None = None):
        super().__init__()
        self.axis, self.shape, self.name = axis, shape, name

    def forward(self, input: Any) -> Any:
        """The input in its new shape."""
        axis = self.axis % input.ndim
        return reshape(input, [*input.shape[:axis], *self.shape, *input.shape[axis + 1 :]])

    def extra_repr(self) -> str:
        """The arguments."""
        name = f", name={self.name}" if self.name else ""
        return f"axis={self.axis}, shape={self.shape}{name}"
