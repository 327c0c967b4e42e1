"""ATen's operators that draw numbers, anew at each run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.dtype import DType, float32, int64
from twinoar.core.op.declare import op_named
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.formats.torch.aten.table import target
from twinoar.ops.create.fill import full
from twinoar.ops.math.cast import astype
from twinoar.ops.random.categorical import bernoulli, multinomial
from twinoar.ops.random.integers import randint, randperm
from twinoar.ops.random.uniform import rand, randn


@target("aten.rand")
def rand_(size: Sequence[Any], dtype: DType | None = None) -> Any:
    """Numbers between 0 and 1."""
    return rand(list(size), dtype or float32)


@target("aten.randn")
def randn_(size: Sequence[Any], dtype: DType | None = None) -> Any:
    """Normal numbers."""
    return randn(list(size), dtype or float32)


@target("aten.rand_like")
def rand_like(self: Value, dtype: DType | None = None) -> Any:
    """Numbers between 0 and 1 in the shape of self."""
    return rand(list(self.spec.shape), dtype or self.dtype)


@target("aten.randn_like")
def randn_like(self: Value, dtype: DType | None = None) -> Any:
    """Normal numbers in the shape of self."""
    return randn(list(self.spec.shape), dtype or self.dtype)


@target("aten.randint")
def randint_(high: int, size: Sequence[Any], low: int = 0, dtype: DType | None = None) -> Any:
    """Whole numbers from `low` to below `high`."""
    return astype(randint(low, high, list(size)), dtype or int64)


@target("aten.randint_like")
def randint_like(self: Value, high: int, low: int = 0, dtype: DType | None = None) -> Any:
    """Whole numbers in the shape of self."""
    return randint_(high, self.spec.shape, low, dtype or self.dtype)


@target("aten.randperm")
def randperm_(n: int, dtype: DType | None = None) -> Any:
    """The numbers below n in some order."""
    return astype(randperm(n), dtype or int64)


@target("aten.bernoulli")
def bernoulli_(self: Value, p: Any = None) -> Any:
    """1 as often as self or p says, otherwise 0."""
    if p is None:
        return bernoulli(self)
    if isinstance(p, Value):
        raise UnsupportedError("draws by the elements of another tensor")
    return astype(rand(list(self.spec.shape)) < p, self.dtype)


@target("aten.multinomial")
def multinomial_(self: Value, num_samples: int, replacement: bool = False) -> Any:
    """Positions, as often as the weights in rows say."""
    return multinomial(self, num_samples, replacement)


@target("aten.normal", "aten.normal_functional")
def normal(self: Value, mean: float = 0.0, std: float = 1.0) -> Any:
    """Normal numbers in the shape of self."""
    return randn(list(self.spec.shape), self.dtype) * std + mean


@target("aten.normal.float_float")
def normal_of_numbers(
    mean: float, std: float, size: Sequence[Any], dtype: DType | None = None
) -> Any:
    """Normal numbers of one mean and deviation."""
    return randn(list(size), dtype or float32) * std + mean


@target("aten.normal.Tensor_float", "aten.normal.float_Tensor", "aten.normal.Tensor_Tensor")
def normal_of_tensors(mean: Any, std: Any = 1.0) -> Any:
    """Normal numbers, each of a mean and deviation of its own."""
    like = next(x for x in (mean, std) if isinstance(x, Value))
    if isinstance(mean, Value) and isinstance(std, Value):
        like = mean + std
    return randn(list(like.spec.shape), like.dtype) * std + mean


@target("aten.uniform")
def uniform(self: Value, **bounds: float) -> Any:
    """Numbers between `from` and `to` in the shape of self."""
    low, high = bounds.get("from", 0.0), bounds.get("to", 1.0)
    return rand(list(self.spec.shape), self.dtype) * (high - low) + low


@target("aten.exponential")
def exponential(self: Value, lambd: float = 1.0) -> Any:
    """Exponential numbers in the shape of self."""
    drawn = full([], 1.0, self.dtype) - rand(list(self.spec.shape), self.dtype)  # (0, 1]
    return op_named("log")(drawn) * (-1.0 / lambd)
