"""The targets of a graph that compute sizes and numbers, and those that only check or order."""

from __future__ import annotations

import math
import operator
from typing import Any

from twinoar.core.dim import SymbolicDim, max_dim
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.formats.torch.aten.table import target

for name in (
    "add", "sub", "mul", "floordiv", "mod", "neg", "pow", "truediv", "eq", "ne", "lt", "le", "gt",
    "ge", "and_", "or_", "not_",
):  # fmt: skip
    target(f"_operator.{name}")(getattr(operator, name))


@target("_operator.getitem")
def getitem(a: Any, b: int) -> Any:
    """One of several results."""
    return a[b]


@target("aten.sym_size")
def sym_size(self: Value, dim: int | None = None) -> Any:
    """A size of a tensor, or all."""
    return list(self.spec.shape) if dim is None else self.spec.shape[dim]


@target("aten.sym_numel")
def sym_numel(self: Value) -> Any:
    """How many elements a tensor has."""
    return self.spec.size


@target("torch.sym_max")
def sym_max(a: Any, b: Any) -> Any:
    """The greater size."""
    return max_dim(a, b)


@target("torch.sym_int", "math.trunc")
def sym_int(a: Any) -> Any:
    """A number without what stands behind the point."""
    return a if isinstance(a, SymbolicDim) else int(a)


@target("torch.sym_float")
def sym_float(a: Any) -> Any:
    """A number as a float."""
    if isinstance(a, SymbolicDim):
        raise UnsupportedError("a size that only a run knows is taken for a float")
    return float(a)


@target("torch._sym_sqrt", "math.sqrt")
def sym_sqrt(a: Any) -> Any:
    """The root of a number."""
    return math.sqrt(sym_float(a))


@target(
    "aten._assert_async",
    "aten._assert_scalar",
    "aten._assert_tensor_metadata",
    "aten._linalg_check_errors",
    "aten.sym_constrain_range",
    "aten.sym_constrain_range_for_size",
    "torch._check",
)
def assertion(*operands: Any, **told: Any) -> None:
    """A check of what the model was exported with."""
