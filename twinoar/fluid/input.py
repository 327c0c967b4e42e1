"""`fluid.data`, `fluid.embedding` and `fluid.one_hot`: what goes into a Program."""

from __future__ import annotations

from typing import Any

from twinoar.core.ir.program import Variable
from twinoar.fluid.mode import begin_static, begins_static
from twinoar.nn import functional
from twinoar.ops.create.range import arange
from twinoar.ops.math.cast import cast
from twinoar.ops.math.compare import equal
from twinoar.ops.shape.reshape import unsqueeze
from twinoar.static import input as modern
from twinoar.static.nn import embedding as static_embedding


def data(name: str, shape: Any, dtype: Any = "float32", lod_level: int = 0) -> Variable:
    """Declare the input `name` of the default main Program.

    shape: all sizes, that of the batch too; None or -1 for one that each run decides. Raises
    ArgumentError where the name is taken.

    >>> from twinoar import fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     fluid.data("x", [None, 3]).shape
    [N, 3]
    """
    begin_static()
    return modern.data(name, shape, dtype, lod_level)


@begins_static
def embedding(
    input: Any,
    size: Any,
    is_sparse: bool = False,
    is_distributed: bool = False,
    padding_idx: int | None = None,
    param_attr: Any = None,
    dtype: Any = "float32",
) -> Any:
    """The rows of a table of parameters that `input` names. input: [*], int64; size: [rows, width].

    Returns [*,width].
    """
    return static_embedding(input, size, is_sparse, is_distributed, padding_idx, param_attr, dtype)


@begins_static
def one_hot(input: Any, depth: int, allow_out_of_range: bool = False) -> Any:
    """Vectors with a one at the place that `input` names. input: [*]; returns [*,depth], float32.

    allow_out_of_range: a number outside [0, depth) gives zeros; otherwise it is an error.
    """
    if not allow_out_of_range:
        return functional.one_hot(input, depth)
    return cast(equal(unsqueeze(input, -1), arange(depth, dtype=input.dtype)), "float32")


__all__ = ["data", "embedding", "one_hot"]
