"""Initializers that leave nothing to chance: Constant, Assign, Dirac, Bilinear."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.nn.initializer.initializer import Initializer
from twinoar.ops.math.fill import fill


class Constant(Initializer):
    """One number everywhere.

    >>> layer = twinoar.nn.Linear(1, 2, weight_attr=twinoar.nn.initializer.Constant(0.5))
    >>> layer.weight.tolist()
    [[0.5, 0.5]]
    """

    def __init__(self, value: float = 0.0):
        self.value = value

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        return fill(spec.shape, self.value, spec.dtype)


class Assign(Initializer):
    """The numbers of an ndarray, a nested list or a tensor.

    Raises ShapeError where the shape differs.

    >>> layer = twinoar.nn.Linear(1, 2, weight_attr=twinoar.nn.initializer.Assign([[1.0, 2.0]]))
    >>> layer.weight.tolist()
    [[1.0, 2.0]]
    """

    def __init__(self, value: Any, name: str | None = None):
        self.value = value

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        given = to_tensor(self.value, spec.dtype)
        if given.spec.shape != spec.shape:
            raise ShapeError(
                f"the parameter has shape {list(spec.shape)}, the value {list(given.shape)}",
                cure="give a value of the parameter's shape",
            )
        return given


class Dirac(Initializer):
    """A convolution that passes its input through: [out,in,*kernel] with ones in the middle.

    groups: the output channels are so many groups, each passing the first channels through.

    >>> keep = twinoar.nn.initializer.Dirac()
    >>> twinoar.nn.Conv1D(1, 1, 3, weight_attr=keep).weight.tolist()
    [[[0.0, 1.0, 0.0]]]
    """

    def __init__(self, groups: int = 1, name: str | None = None):
        if groups < 1:
            raise ArgumentError(f"groups must be at least 1, received {groups}")
        self.groups = groups

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        if not 3 <= spec.ndim <= 5:
            raise ShapeError(f"Dirac is for weights [out,in,*kernel], received {spec}")
        outputs, inputs, *kernel = spec.shape
        if outputs % self.groups:
            raise ShapeError(
                f"{self.groups} groups do not divide {outputs} output channels",
                cure="choose a number of groups that divides the channels",
            )
        per_group = outputs // self.groups
        weight = np.zeros(spec.shape, spec.dtype.numpy)
        middle = tuple(size // 2 for size in kernel)
        for group in range(self.groups):
            for channel in range(min(per_group, inputs)):
                weight[(group * per_group + channel, channel, *middle)] = 1
        return to_tensor(weight)


class Bilinear(Initializer):
    """A transposed convolution that enlarges images: [out,in,K,K], each kernel the same.

    The kernel is (1 - |x / f - c|) (1 - |y / f - c|) with f = ceil(K / 2) and
    c = (2 f - 1 - f % 2) / (2 f), where x are columns, and y counts rows in steps of 1 / K, as in
    Paddle. Raises ShapeError for a weight that is no square kernel.

    >>> enlarge = twinoar.nn.initializer.Bilinear()
    >>> twinoar.nn.Conv2DTranspose(1, 1, 4, weight_attr=enlarge).weight[0, 0, 1].tolist()
    [0.1875, 0.65625, 0.75, 0.21875]
    """

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        if spec.ndim != 4 or spec.shape[2] != spec.shape[3]:
            raise ShapeError(f"Bilinear is for weights [out,in,size,size], received {spec}")
        shape: tuple[Any, ...] = spec.shape
        size = shape[3]
        factor = (size + 1) // 2
        center = (2 * factor - 1 - factor % 2) / (2 * factor)
        at = np.arange(size * size)
        columns, rows = at % size, at / size % size
        kernel = (1 - abs(columns / factor - center)) * (1 - abs(rows / factor - center))
        weight = np.broadcast_to(kernel.reshape(size, size), shape)
        return to_tensor(weight.astype(spec.dtype.numpy))
