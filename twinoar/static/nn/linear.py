"""Layers that are products with a matrix: fully connected, bilinear, embedding."""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.dtype import dtype_of
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.nn import functional
from twinoar.nn.param_attr import ParamAttr
from twinoar.ops.linalg.bilinear import bilinear_op
from twinoar.ops.linalg.matmul import fc_mul
from twinoar.ops.math.arithmetic import add
from twinoar.static.builder import results_of
from twinoar.static.nn.parameter import (
    Parameters,
    activation_named,
    check_choice,
    check_rank,
    check_variable,
    known_sizes,
    positive,
)

TABLES = ("MemorySparseTable", "CommonSparseTable", "SSDSparseTable")


def fc(
    x: Any,
    size: int,
    num_flatten_dims: int = 1,
    weight_attr: Any = None,
    bias_attr: Any = None,
    activation: str | None = None,
    name: str | None = None,
) -> Any:
    """A fully connected layer: activation(x W + b), summed over several x.

    x: [*batch, *features], or a list of such; the first `num_flatten_dims` dimensions are kept, the
    others flattened. weight_attr: one, or a list with one for each x. Returns [*batch, size].
    Parameters: one W [features, size] per x, b [size] unless bias_attr is False. activation: the
    name of a function of nn.functional. Raises ShapeError where the features are not known,
    ArgumentError for an unknown activation.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     y = static.nn.fc(static.data("x", [None, 4]), 3)
    >>> y.shape
    [N, 3]
    """
    positive(size, "size")
    activate = activation_named(activation)
    operands = list(x) if isinstance(x, (list, tuple)) else [x]
    features = [_features(v, num_flatten_dims) for v in operands]
    attrs = _one_each(ParamAttr._to_attr(weight_attr), len(operands))
    parameters = Parameters("fc", name)
    with results_of(parameters.name):
        total = None
        for v, sizes, attr in zip(operands, features, attrs, strict=True):
            weight = parameters.make((math.prod(sizes), size), v.dtype, attr)
            product = fc_mul(v, weight, v.ndim - len(sizes), 1)
            total = product if total is None else add(total, product)
        bias = parameters.make((size,), operands[0].dtype, bias_attr, is_bias=True)
        return activate(total if bias is None else add(total, bias))


def _features(v: Any, num_flatten_dims: int) -> tuple[int, ...]:
    check_variable(v, "fc")
    kept = v.ndim - 1 if num_flatten_dims == -1 else num_flatten_dims
    if not 0 < kept < v.ndim:
        raise ArgumentError(
            f"num_flatten_dims must be in [1, {v.ndim - 1}] for {v.spec}, "
            f"received {num_flatten_dims}",
            cure="1 keeps the batch alone",
        )
    return known_sizes(v, range(kept, v.ndim), "fc")


def _one_each(attr: Any, count: int) -> list[Any]:
    attrs = attr if isinstance(attr, list) else [attr] * count
    if len(attrs) != count:
        raise ArgumentError(f"{count} operands need as many weight_attr, received {len(attrs)}")
    return attrs


def bilinear_tensor_product(
    x: Any,
    y: Any,
    size: int,
    act: str | None = None,
    name: str | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
) -> Any:
    """act(x W_i y + b_i) for each of `size` matrices W_i.

    x: [N,M]. y: [N,K]. Parameters: W [size,M,K], b [1,size] unless bias_attr is False. Returns
    [N,size]. Raises ShapeError for operands of another rank or of unknown width.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     x, y = static.data("x", [7, 4]), static.data("y", [7, 3])
    ...     print(static.nn.bilinear_tensor_product(x, y, 5).shape)
    [7, 5]
    """
    positive(size, "size")
    activate = activation_named(act)
    check_rank(x, (2,), "bilinear_tensor_product")
    check_rank(y, (2,), "bilinear_tensor_product")
    widths = [known_sizes(v, (1,), "bilinear_tensor_product")[0] for v in (x, y)]
    parameters = Parameters("bilinear_tensor_product", name)
    weight = parameters.make((size, *widths), x.dtype, param_attr)
    bias = parameters.make((1, size), x.dtype, bias_attr, is_bias=True)
    return activate(bilinear_op(x, y, weight, bias))


def embedding(
    input: Any,
    size: Any,
    is_sparse: bool = False,
    is_distributed: bool = False,
    padding_idx: int | None = None,
    param_attr: Any = None,
    dtype: Any = "float32",
) -> Any:
    """Rows of a table that is learned, by number.

    input: [*], integer, in [0,size[0]). size: [rows,width]. padding_idx: a row that gives zeros and
    gets no gradient; negative counts from the end. is_sparse: the gradient is SelectedRows, of the
    rows that are looked up alone. Where there are parameter servers, they keep the rows of a table
    that is sparse or is_distributed; else that changes nothing. Parameter:
    [rows,width], of `dtype`. Returns [*,width]. Raises DTypeError for input that is not integer,
    ShapeError for another size.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     print(static.nn.embedding(static.data("x", [None, 7], "int64"), [10, 4]).shape)
    [N, 7, 4]
    """
    found, table = _embedding("embedding", input, size, padding_idx, param_attr, dtype, is_sparse)
    table.on_servers = is_sparse or is_distributed
    return found


def sparse_embedding(
    input: Any,
    size: Any,
    padding_idx: int | None = None,
    is_test: bool = False,
    entry: Any = None,
    table_class: str = "MemorySparseTable",
    param_attr: Any = None,
    dtype: Any = "float32",
    slot: int | None = None,
) -> Any:
    """`embedding` with a table that servers keep, where there are any; else it is one parameter.

    Its gradient is SelectedRows, of the rows that are looked up. entry: which rows servers take in,
    an entry of `distributed`. is_test: the lookup adds none. table_class and slot change nothing.
    Raises as `embedding`, and ArgumentError for another table_class or entry.
    """
    check_choice(table_class, TABLES, "table_class")
    if entry is not None and not hasattr(entry, "_to_attr"):
        raise ArgumentError(
            f"entry: expected an entry policy, received {entry!r}",
            cure="pass distributed.CountFilterEntry(10)",
        )
    kind = "sparse_embedding"
    found, table = _embedding(kind, input, size, padding_idx, param_attr, dtype, True)
    table.on_servers, table.adds_rows = True, not is_test
    table.entry = "" if entry is None else entry._to_attr()
    return found


def _embedding(
    kind: str,
    x: Any,
    size: Any,
    padding_idx: int | None,
    param_attr: Any,
    dtype: Any,
    sparse: bool,
) -> tuple[Any, Any]:
    check_variable(x, kind)
    if not x.dtype.is_integer:
        raise DTypeError(
            f"{kind} looks up integers, received {x.spec}", cure="declare the input as int64"
        )
    if not isinstance(size, (list, tuple)) or len(size) != 2:
        raise ShapeError(
            f"size must be [rows, width], received {size!r}", cure="such as size=[1000, 64]"
        )
    rows, width = positive(size[0], "size[0]"), positive(size[1], "size[1]")
    weight = Parameters(kind).make((rows, width), dtype_of(dtype), param_attr)
    return functional.embedding(x, weight, padding_idx=padding_idx, sparse=bool(sparse)), weight
