"""Quantized Programs on integer units: what is rounded and made a float again stays integers.

A quantized Program rounds values and makes them floats again before each product. Here the product
is one of integers (`integer_conv2d`, `integer_linear`), which then does what follows it; see
`integer_sums`. So values between two products are integers of 8 bits. Source: arXiv 1712.05877,
section 2.4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.core.dtype import float32, int8
from twinoar.core.ir.pattern import Attr
from twinoar.core.ir.program import Operator, Program, State, Variable
from twinoar.core.ir.rewrite import Rule, apply_rules, rewrite
from twinoar.core.op.definition import Op
from twinoar.eager.tensor import Parameter
from twinoar.ops.conv.operator import conv2d_op
from twinoar.ops.linalg.matmul import fc_mul, linear, matmul
from twinoar.ops.math.arithmetic import divide, multiply
from twinoar.ops.math.cast import cast
from twinoar.ops.pool.maximum import max_pool2d_op
from twinoar.ops.quant._integers import limit_of, slope
from twinoar.ops.quant.int8 import ALL, from_int8, to_int8
from twinoar.ops.quant.integer_conv2d import integer_conv2d
from twinoar.ops.quant.integer_linear import integer_linear
from twinoar.ops.quant.linear import dequantize_linear, quantize_linear
from twinoar.ops.shape.concat import concat_op
from twinoar.ops.shape.reshape import flatten, reshape_op, squeeze_op, transpose_op, unsqueeze_op
from twinoar.passes.cse import share_common
from twinoar.passes.dead import eliminate_dead
from twinoar.passes.integer_sums import WINDOW, are_floats, rules_of
from twinoar.passes.registry import enabled
from twinoar.passes.sites import Site, drop_unread_operands, sites

BITS = 8
QUANTIZE = ("quant_axis", "bit_length", "qmin", "qmax", "round_type", "only_observer")
DEQUANTIZE = ("quant_axis", "bit_length", "qmin", "qmax", "only_observer")
POOL = ("kernel_size", "stride", "padding", "ceil_mode", "data_format")
# What gives elements of its operand as they are, and how many attributes say which.
MOVES = ((reshape_op, 1), (flatten, 2), (squeeze_op, 1), (unsqueeze_op, 1), (transpose_op, 1))


def use_integers(program: Program) -> Program:
    """Let products of what was rounded, in place, be products of integers. Returns the program.

    A result differs from that of rounded floats by no more than a quantum, where a sum lies in the
    middle between two integers. A Program in which nothing is rounded stays as it is.
    """
    if not any(o.op in (quantize_linear, dequantize_linear) for o in program.main.walk()):
        return program
    _narrow_weights(program)
    _share_equal_scales(program)
    drop_unread_operands(program)
    share_common(apply_rules(program, enabled(ROUNDINGS)))
    return eliminate_dead(apply_rules(program, enabled(PRODUCTS)))


def _narrow_weights(program: Program) -> None:
    """Let whole numbers of 8 bits that files keep in floats, as Paddle's do, be integers."""
    made: dict[State, State] = {}
    for site, o in _rounding(program):
        whole = site.origin(o.operands[0]) if o.op is dequantize_linear else None
        if not isinstance(whole, State) or whole.data is None or whole in program.updates:
            continue
        if whole not in made:
            values = np.asarray(whole.data)
            if values.dtype != np.float32 or not _are_int8(values):
                continue
            name = f"{whole.name}.int8"
            data = Parameter(values.astype(np.int8), True, name)
            made[whole] = program.add_state(data.spec, name, data=data, is_parameter=True)
        o.operands = (site.bring(made[whole]), *o.operands[1:])


def _are_int8(values: np.ndarray) -> bool:
    with np.errstate(invalid="ignore"):  # what is not finite is not equal
        return bool((values.astype(np.int8) == values).all())


def _share_equal_scales(program: Program) -> None:
    """Let scales with equal numbers be one: networks hold one for each layer that reads a value."""
    first: dict[Any, State] = {}
    for site, o in _rounding(program):
        kept = [_first_equal(site.origin(x), first, program) for x in o.operands[1:]]
        scales = zip(o.operands[1:], kept, strict=True)
        o.operands = (o.operands[0], *(x if s is None else site.bring(s) for x, s in scales))


def _rounding(program: Program) -> list[tuple[Site, Operator]]:
    """The operators that round, and those that make floats of integers, with their blocks."""
    kinds = (quantize_linear, dequantize_linear)
    return [(site, o) for site in sites(program) for o in site.block.ops if o.op in kinds]


def _first_equal(scale: Any, first: dict[Any, State], program: Program) -> State | None:
    """The first state with the numbers of a scale; None where these are not known."""
    if not isinstance(scale, State) or scale.data is None or scale in program.updates:
        return None
    data = np.asarray(scale.data)
    return first.setdefault((data.dtype, data.shape, data.tobytes()), scale)


# From rounded floats to integers.


@rewrite(lambda x, s, z: quantize_linear(x, s, z, *map(Attr, QUANTIZE)))
def round_to_integers(x: Any, s: Any, **how: Any) -> Any:
    """Whole numbers of 8 bits that are held in floats are integers."""
    if not _is_of_8_bits(x, s, **how) or how["bit_length"] != BITS:
        return None
    factor = slope(_vector(s), limit_of(BITS))
    return cast(to_int8(x, factor, how["quant_axis"]), float32)


@rewrite(
    lambda q, s, z: dequantize_linear(cast(q, Attr("dtype")), s, z, *map(Attr, DEQUANTIZE)),
    shared=True,
)
def read_integers(q: Any, s: Any, dtype: Any, **how: Any) -> Any:
    """Integers that were held in floats are made floats by their scale."""
    return _made_float(q, s, **how) if dtype is float32 else None


@rewrite(lambda q, s, z: dequantize_linear(q, s, z, *map(Attr, DEQUANTIZE)))
def read_weights(q: Any, s: Any, **how: Any) -> Any:
    """Weights that are integers."""
    return _made_float(q, s, **how)


def _is_of_8_bits(x: Any, s: Any, **how: Any) -> bool:
    bounds = how["qmin"], how["qmax"]
    is_plain = bounds in ((0, 0), (-128, 127), (-127, 127)) and not how["only_observer"]
    dtypes = (x.spec.dtype, s.spec.dtype)
    return is_plain and dtypes in ((float32, float32), (int8, float32)) and s.spec.ndim < 2


def _made_float(q: Any, s: Any, **how: Any) -> Any:
    if q.spec.dtype is not int8 or not _is_of_8_bits(q, s, **how):
        return None
    return from_int8(q, divide(_vector(s), limit_of(how["bit_length"])), how["quant_axis"])


def _vector(s: Any) -> Any:
    return s if s.spec.ndim else reshape_op(s, (1,))


# Products.


@rewrite(
    lambda x, a, w, b: conv2d_op(
        from_int8(x, a, ALL), from_int8(w, b, Attr("axis")), *map(Attr, WINDOW)
    ),
    shared=True,
)
def convolve_integers(x: Any, a: Any, w: Any, b: Any, axis: int, **window: Any) -> Any:
    """conv(a x, b w) = a b conv(x, w), with a number b for all, or for each filter."""
    if axis not in (ALL, 0) or w.spec.dtype is not int8:
        return None
    given = [window[name] for name in WINDOW]
    return integer_conv2d(x, w, multiply(a, b), None, None, None, *given)


@rewrite(
    lambda x, a, w, b, c: linear(from_int8(x, a, ALL), from_int8(w, b, Attr("axis")), c),
    shared=True,
)
def linear_of_integers(x: Any, a: Any, w: Any, b: Any, c: Any, axis: int) -> Any:
    """linear(a x, b w, c) = a b (x w) + c."""
    if c is not None and (c.spec.shape != w.spec.shape[1:] or not are_floats(c)):
        return None
    return _product(x, a, w, b, c, axis)


@rewrite(
    lambda x, a, w, b: fc_mul(
        from_int8(x, a, ALL), from_int8(w, b, Attr("axis")), Attr("rows"), Attr("cut")
    ),
    shared=True,
)
def multiply_flattened_integers(
    x: Any, a: Any, w: Any, b: Any, axis: int, rows: int, cut: int
) -> Any:
    """The same where dimensions of x are columns together."""
    if cut != 1 or w.spec.ndim != 2:
        return None
    return _product(flatten(x, rows, x.spec.ndim - 1), a, w, b, None, axis)


@rewrite(
    lambda x, a, w, b: matmul(
        from_int8(x, a, ALL), from_int8(w, b, Attr("axis")), False, Attr("transpose_y")
    ),
    shared=True,
)
def multiply_integers(x: Any, a: Any, w: Any, b: Any, axis: int, transpose_y: bool) -> Any:
    """(a x) (b w) = a b (x w)."""
    if transpose_y and w.spec.ndim == 2:
        return _product(x, a, transpose_op(w, (1, 0)), b, None, axis if axis == ALL else 1 - axis)
    return _product(x, a, w, b, None, axis)


def _product(x: Any, a: Any, w: Any, b: Any, c: Any, axis: int) -> Any:
    """None where w is no matrix with a number for all, or for each of its columns."""
    fits = w.spec.ndim == 2 and x.spec.ndim > 1 and w.spec.dtype is int8 and axis in (ALL, 1)
    return integer_linear(x, w, multiply(a, b), c) if fits else None


# What gives integers for integers.


def _moved(op: Op, count: int) -> Rule:
    names = [f"attr_{n}" for n in range(count)]

    @rewrite(lambda x, m: to_int8(op(x, *map(Attr, names)), m, ALL))
    def round_earlier(x: Any, m: Any, **attrs: Any) -> Any:
        """round(m x[...]) = round(m x)[...]."""
        return op(to_int8(x, m, ALL), *(attrs[name] for name in names))

    return round_earlier


@rewrite(lambda x, m: to_int8(max_pool2d_op(x, *map(Attr, POOL)), m, ALL))
def round_before_maximum(x: Any, m: Any, **window: Any) -> Any:
    """round(max(m x)) = max(round(m x)): rounding keeps the order; integers are exact floats."""
    if isinstance(x, Variable) and x.producer is not None and x.producer.op is cast:
        return None
    whole = cast(to_int8(x, m, ALL), float32)
    return cast(max_pool2d_op(whole, *(window[name] for name in POOL)), int8)


def _joined(pattern: Callable[..., Any]) -> Rule:
    """The rule for a number of parts."""

    @rewrite(pattern)
    def round_parts(m: Any, axis: int, **parts: Any) -> Any:
        """round(m [x, y]) = [round(m x), round(m y)]."""
        return concat_op([to_int8(parts[name], m, ALL) for name in sorted(parts)], axis)

    return round_parts


def _concat(*parts: Any) -> Any:
    return concat_op(parts, Attr("axis"))


JOINS = [
    _joined(lambda a, b, m: to_int8(_concat(a, b), m, ALL)),
    _joined(lambda a, b, c, m: to_int8(_concat(a, b, c), m, ALL)),
    _joined(lambda a, b, c, d, m: to_int8(_concat(a, b, c, d), m, ALL)),
]
ROUNDINGS: list[Rule] = [round_to_integers, read_integers, read_weights]
PRODUCTS: list[Rule] = [
    convolve_integers,
    linear_of_integers,
    multiply_flattened_integers,
    multiply_integers,
    round_before_maximum,
    *(_moved(op, count) for op, count in MOVES),
    *JOINS,
    *rules_of(integer_conv2d),
    *rules_of(integer_linear),
]
