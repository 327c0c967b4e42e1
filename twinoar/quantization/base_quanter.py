"""BaseQuanter: a layer that rounds what passes through it, and tells how it rounds."""

from __future__ import annotations

import abc
from collections.abc import Iterable
from typing import Any

from twinoar.nn.layer import Layer


class BaseQuanter(Layer, metaclass=abc.ABCMeta):
    """A layer through which values pass, and that tells by what scale they become integers.

    A value x becomes the integer round(x / scales() * (2^(bit_length() - 1) - 1)): scales are the
    largest magnitudes, for all elements together or for each index along an axis. Subclasses have
    `forward` and the four methods below.

    >>> class Constant(BaseQuanter):
    ...     def __init__(self, layer, scale=1.0):
    ...         super().__init__()
    ...         self.scale = scale
    ...     def forward(self, x):
    ...         return (x / self.scale * 127).round() * self.scale / 127
    ...     def scales(self):
    ...         return twinoar.to_tensor(self.scale)
    ...     def zero_points(self):
    ...         return None
    ...     def quant_axis(self):
    ...         return -1
    ...     def bit_length(self):
    ...         return 8
    >>> Constant(None, scale=127.0)(twinoar.to_tensor([1.2, 2.6])).tolist()
    [1.0, 3.0]
    """

    @abc.abstractmethod
    def forward(self, input: Any) -> Any:  # Paddle's name
        """What becomes of a value that passes."""

    @abc.abstractmethod
    def scales(self) -> Any:
        """The largest magnitudes, [] or one for each index along `quant_axis()`; None if none."""

    @abc.abstractmethod
    def zero_points(self) -> Any:
        """The integers that stand for 0, of the shape of `scales()`; None for 0 itself."""

    @abc.abstractmethod
    def quant_axis(self) -> int | Iterable[int] | None:
        """The axis whose indices have scales of their own; -1 or None for one scale for all."""

    @abc.abstractmethod
    def bit_length(self) -> int | Iterable[int]:
        """How many bits the integers have."""
