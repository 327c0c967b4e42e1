"""How parameters start, by the names and arguments of Paddle 1.8."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.public import declared
from twinoar.core.spec import Spec
from twinoar.errors import ShapeError, UnsupportedError
from twinoar.fluid.absent import refusing
from twinoar.nn import initializer
from twinoar.nn.initializer import (
    Initializer,
    set_global_initializer,  # noqa: F401  # exported
)
from twinoar.nn.initializer.random import normal_of, truncated_normal_of, uniform_of

TRUNCATED_AT = 2.0  # standard deviations


class ConstantInitializer(initializer.Constant):
    """One number everywhere. force_cpu: accepted."""

    def __init__(self, value: float = 0.0, force_cpu: bool = False):
        super().__init__(value)


class UniformInitializer(Initializer):
    """Uniform numbers in [low, high).

    seed: other than 0 gives the same numbers at each start. Raises UnsupportedError where diag_num
    is not 0.
    """

    def __init__(
        self,
        low: float = -1.0,
        high: float = 1.0,
        seed: int = 0,
        diag_num: int = 0,
        diag_step: int = 0,
        diag_val: float = 1.0,
    ):
        if diag_num:
            raise UnsupportedError(
                "Uniform sets no diagonal", cure="use NumpyArrayInitializer with the values"
            )
        self.low, self.high, self.seed = low, high, seed

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        return uniform_of(spec, self.low, self.high, self.seed)


class NormalInitializer(Initializer):
    """Normal numbers of mean `loc` and standard deviation `scale`. seed: as of Uniform."""

    def __init__(self, loc: float = 0.0, scale: float = 1.0, seed: int = 0):
        self.loc, self.scale, self.seed = loc, scale, seed

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        return normal_of(spec, self.loc, self.scale, self.seed)


class TruncatedNormalInitializer(NormalInitializer):
    """Normal numbers at most two standard deviations away from the mean."""

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        reach = TRUNCATED_AT * self.scale
        return truncated_normal_of(
            spec, self.loc, self.scale, self.loc - reach, self.loc + reach, self.seed
        )


class XavierInitializer(Initializer):
    """Standard deviation sqrt(2 / (fan_in + fan_out)), uniform or normal; see XavierUniform."""

    def __init__(
        self,
        uniform: bool = True,
        fan_in: float | None = None,
        fan_out: float | None = None,
        seed: int = 0,
    ):
        self._rule = initializer.XavierUniform(fan_in, fan_out)
        self.uniform, self.seed = uniform, seed

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        return _of_deviation(spec, self._rule.deviation(spec), self.uniform, self.seed)


class MSRAInitializer(Initializer):
    """Standard deviation sqrt(2 / fan_in), uniform or normal; see KaimingUniform."""

    def __init__(self, uniform: bool = True, fan_in: float | None = None, seed: int = 0):
        self._rule = initializer.KaimingUniform(fan_in)
        self.uniform, self.seed = uniform, seed

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        return _of_deviation(spec, self._rule.deviation(spec), self.uniform, self.seed)


class BilinearInitializer(Initializer):
    """The kernel with which a transposed convolution interpolates linearly: [out,in,k,k].

    >>> from twinoar.fluid import initializer
    >>> from twinoar.core.dtype import float32
    >>> initializer.Bilinear().make(Spec((1, 1, 2, 2), float32)).tolist()
    [[[[1.0, 0.0], [0.0, 0.0]]]]
    """

    def make(self, spec: Spec) -> Any:
        """A value of `spec`. Raises ShapeError where it is not [out,in,k,k]."""
        if spec.ndim != 4 or spec.shape[2] != spec.shape[3]:
            raise ShapeError(f"Bilinear is for weights [out,in,k,k], received {spec}")
        shape: tuple[Any, ...] = spec.shape
        size = shape[3]
        reach = np.ceil(size / 2.0)
        center = (2 * reach - 1 - reach % 2) / (2.0 * reach)
        along = 1 - np.abs(np.arange(size) / reach - center)  # [k]
        kernel = np.broadcast_to(np.outer(along, along), shape)
        return initializer.Assign(kernel.astype(spec.dtype.numpy)).make(spec)


class NumpyArrayInitializer(initializer.Assign):
    """The numbers of an ndarray. Raises ShapeError where the shape differs."""


def _of_deviation(spec: Spec, deviation: float, is_uniform: bool, seed: int) -> Any:
    if not is_uniform:
        return normal_of(spec, 0.0, deviation, seed)
    bound = np.sqrt(3.0) * deviation
    return uniform_of(spec, -float(bound), float(bound), seed)


Constant = ConstantInitializer
Uniform = UniformInitializer
Normal = NormalInitializer
TruncatedNormal = TruncatedNormalInitializer
Xavier = XavierInitializer
MSRA = MSRAInitializer
Bilinear = BilinearInitializer

__getattr__ = refusing(
    __name__,
    {"force_init_on_cpu": "leave it out", "init_on_cpu": "leave it out"},
)

__all__ = declared(globals(), "set_global_initializer")
