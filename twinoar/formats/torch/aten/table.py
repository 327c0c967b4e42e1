"""The table of ATen's operators: functions of ours, with ATen's names of arguments and defaults.

A target such as `aten.add.Tensor` is looked up with its overload first, then without. What such a
function gets are Variables of the Program that is being built, Python's numbers, and symbols of
unknown sizes; what it calls appends operators.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from twinoar.core.dim import SymbolicDim
from twinoar.core.dtype import (
    BOOLEAN,
    COMPLEX,
    COMPLEX_OF,
    FLOATING,
    INTEGER,
    DType,
    bool_,
    complex64,
    float32,
    int64,
    promote,
)
from twinoar.core.op.declare import op_named
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.ops.create.fill import full
from twinoar.ops.math.cast import astype

Target = Callable[..., Any]
TARGETS: dict[str, Target] = {}
DEFAULT_OF = {BOOLEAN: bool_, INTEGER: int64, FLOATING: float32, COMPLEX: complex64}


def target(*names: str) -> Callable[[Target], Target]:
    """Enter a function as these targets of ATen, with an overload or for all of them."""

    def enter(function: Target) -> Target:
        for name in names:
            if name in TARGETS:
                raise ValueError(f"{name} is in the table of ATen's operators already")
            TARGETS[name] = function
        return function

    return enter


def found_target(name: str) -> Target | None:
    """The function of a target, of its very overload if there is one of its own."""
    return TARGETS.get(name) or TARGETS.get(name.rpartition(".")[0])


def category(x: Any) -> int:
    """Whether a tensor or number is boolean, integer, floating or complex."""
    if isinstance(x, Value):
        return x.dtype.category
    if isinstance(x, bool):
        return BOOLEAN
    if isinstance(x, (int, SymbolicDim)):
        return INTEGER
    return FLOATING if isinstance(x, float) else COMPLEX


def result_dtype(*operands: Any) -> DType:
    """The dtype in which ATen computes with these tensors and numbers.

    Tensors with dimensions decide, unless those without are of a higher category, or numbers of a
    higher one still. Source: torch.result_type, "type promotion" in the documentation of tensors.
    """
    tensors = [x for x in operands if isinstance(x, Value)]
    found: DType | None = None
    for group in ([x for x in tensors if x.ndim], [x for x in tensors if not x.ndim]):
        if group:
            mine = group[0].dtype
            for x in group[1:]:
                mine = promote(mine, x.dtype)
            found = _combined(found, mine)
    numbers = [category(x) for x in operands if not isinstance(x, Value)]
    if numbers:
        found = _combined(found, DEFAULT_OF[max(numbers)])
    if found is None:
        raise UnsupportedError("expected a tensor or a number among the operands")
    return found


def _combined(higher: DType | None, lower: DType) -> DType:
    """The dtype of a group of operands, and of one that has less to say."""
    if higher is None:
        return lower
    if lower.category <= higher.category:
        return higher
    if higher.category == FLOATING and lower.category == COMPLEX:
        return COMPLEX_OF.get(higher, complex64)
    return lower


def tensor(x: Any, dtype: DType | None = None) -> Value:
    """A tensor of this dtype: numbers and sizes as one without dimensions."""
    if not isinstance(x, Value):
        return full([], x, dtype=dtype or result_dtype(x))
    return astype(x, dtype) if dtype is not None else x


def together(*operands: Any) -> list[Any]:
    """The operands in the one dtype in which ATen computes with them."""
    dtype = result_dtype(*operands)
    return [tensor(x, dtype) for x in operands]


def floating(x: Value) -> Value:
    """x, as float32 if it is of integers or booleans."""
    return astype(x, float32) if x.dtype.is_whole else x


def one(given: Sequence[Any] | Any, rank: int) -> list[Any]:
    """A size for each of `rank` dimensions, of one for all or one for each."""
    numbers = list(given) if isinstance(given, (list, tuple)) else [given]
    return numbers * rank if len(numbers) == 1 else numbers


def same(names: str, prepare: Callable[[Value], Value] = lambda x: x) -> None:
    """Enter operators of one operand that ATen and we call alike, or as `theirs=ours`."""
    for entry in names.split():
        theirs, _, ours = entry.partition("=")
        operator = op_named(ours or theirs)

        def call(self: Value, operator: Any = operator) -> Any:
            return operator(prepare(self))

        target(f"aten.{theirs}")(call)
