"""An expression of the loop language as operators: what gradients and files are made from."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from twinoar.core.dtype import DType, bool_
from twinoar.core.loop.expression import Expr, walk
from twinoar.core.op.definition import op_named
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.ops.math.cast import astype
from twinoar.ops.math.fill import fill
from twinoar.ops.shape.reshape import reshape_op as reshape

SAME = {
    "neg": "neg", "abs": "abs", "sqrt": "sqrt", "floor": "floor", "ceil": "ceil", "round": "round",
    "trunc": "trunc", "add": "add", "sub": "subtract", "mul": "multiply", "div": "divide",
    "min": "minimum", "max": "maximum", "floordiv": "floor_divide", "mod": "remainder",
    "lt": "less_than", "le": "less_equal", "eq": "equal", "select": "select",
}  # fmt: skip
LOGICAL = ("and", "or", "xor", "not")
INLINE: dict[str, Callable[[Any], Any]] = {
    "exp2": lambda x: op_named("exp")(x * math.log(2.0)),
    "exp_flushing": lambda x: op_named("exp")(x),
    "erfc": lambda x: 1.0 - op_named("erf")(x),
    "trigamma": lambda x: op_named("derivative_of_digamma")(x, 1),
}  # functions that are no operator


def as_operators(name: str, e: Expr, known: Mapping[Expr, Any]) -> Any:
    """The value of an expression without axes, where the values of some nodes in it are `known`.

    name: of the operator that has it, for messages. Raises UnsupportedError for a node that no
    operators compute.
    """
    values: dict[Expr, Any] = dict(known)
    for node in walk(e):
        if node not in values:
            values[node] = value_of(name, node, [values[c] for c in node.children])
    return as_tensor(values[e], e.dtype)


def as_tensor(x: Any, dtype: DType, rank: int = 0) -> Value:
    """A number as a tensor of one element; a tensor with at least `rank` dimensions."""
    if not isinstance(x, Value):
        return fill((1,) * rank, x, dtype)
    return x if x.ndim >= rank else reshape(x, [*[1] * (rank - x.ndim), *x.shape])


def value_of(name: str, e: Expr, x: list[Any]) -> Any:
    """The value of a node from those of its children: tensors, and numbers for constants."""
    if e.kind == "const":
        return e.args[0]
    free = x[1:] if e.kind == "select" else x  # one of these must be a tensor
    if not any(isinstance(v, Value) for v in free):
        x = [*x[:-1], as_tensor(x[-1], e.children[-1].dtype)]
    if e.kind == "linear":
        constant, terms = e.args
        return reduce(_sum, (v * c for v, (_, c) in zip(x, terms, strict=True)), constant)
    if e.kind == "cast":
        return astype(x[0], e.dtype)
    if e.kind == "fma":
        return x[0] * x[1] + x[2]
    if e.kind == "call":
        function = e.args[0]
        return INLINE[function](*x) if function in INLINE else op_named(function)(*x)
    if e.kind in LOGICAL:
        return op_named(f"{'logical' if e.dtype is bool_ else 'bitwise'}_{e.kind}")(*x)
    if e.kind in SAME:
        return op_named(SAME[e.kind])(*x)
    raise UnsupportedError(
        f"its expression has {e.kind}, which operators do not compute: it has no derived gradient, "
        "and an elementwise operator with it no form in files",
        cure="define it with custom.loop, which is saved under its own name, and give it grad=",
    ).attach(name, ())


def _sum(x: Any, y: Any) -> Any:
    return y if isinstance(x, int) and x == 0 else x + y
