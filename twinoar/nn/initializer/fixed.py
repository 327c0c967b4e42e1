"""Initializers that leave nothing to chance: Constant, Assign, Dirac."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.nn.initializer.initializer import Initializer
from twinoar.ops.create import fill


class Constant(Initializer):
    """One number everywhere.

    >>> import twinoar
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

    >>> import twinoar
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

    >>> import twinoar
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
