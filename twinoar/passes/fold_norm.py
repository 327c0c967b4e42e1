"""Batch normalization in inference becomes part of the weights of what comes before it."""

from __future__ import annotations

from typing import Any

from twinoar.core.ir.program import Program, State, Variable
from twinoar.core.ir.rewrite import Attr, Rule, apply_rules, rewrite
from twinoar.core.op.definition import Op
from twinoar.ops.conv.operator import conv2d_op, conv3d_op
from twinoar.ops.linalg.matmul import linear
from twinoar.ops.math.arithmetic import add, multiply, subtract
from twinoar.ops.math.root import rsqrt
from twinoar.ops.norm.batch_norm import batch_norm_op
from twinoar.ops.shape.reshape import reshape_op
from twinoar.passes.registry import enabled

CONV = ("stride", "padding", "dilation", "groups", "data_format")


def _norm(x: Any, mean: Any, variance: Any, gain: Any, shift: Any) -> Any:
    """The pattern of batch norm in inference."""
    numbers = (Attr("momentum"), Attr("epsilon"), Attr("layout"))
    return batch_norm_op(x, mean, variance, gain, shift, False, *numbers)


def _factor(variance: Variable, gain: Variable | None, epsilon: float) -> Variable:
    """What batch norm multiplies each channel by."""
    inverse: Variable = rsqrt(add(variance, epsilon))
    return inverse if gain is None else multiply(gain, inverse)


def _are_weights(*values: Variable | None) -> bool:
    """True for states of one dtype; None stands for one that is absent."""
    dtypes = {v.spec.dtype for v in values if v is not None}
    return len(dtypes) == 1 and all(v is None or isinstance(v, State) for v in values)


def _rules_of(conv: Op) -> list[Rule]:
    """The rules for one kind of convolution: with a bias that is added after it, and without."""

    def convolved(x: Any, w: Any) -> Any:
        return conv(x, w, *map(Attr, CONV))

    def bare(x: Any, w: Any, m: Any, v: Any, g: Any, b: Any) -> Any:
        return _norm(convolved(x, w), m, v, g, b)[0]

    def biased(x: Any, w: Any, c: Any, m: Any, v: Any, g: Any, b: Any) -> Any:
        return _norm(add(convolved(x, w), c), m, v, g, b)[0]

    def fold_conv(
        x: Any, w: Any, m: Any, v: Any, g: Any, b: Any, c: Any = None, **attrs: Any
    ) -> Any:
        """batch_norm(conv(x, w) + c) = conv(x, w * factor) + (c * factor + offset)."""
        if not _are_weights(w, m, v, g, b) or w.spec.dtype is not x.spec.dtype:
            return None
        filters, *size = w.spec.shape
        by_last = attrs["data_format"].endswith("C")
        ones = (1,) * len(size)
        along = (*ones, filters) if by_last else (1, filters, *ones[1:])
        if by_last != (attrs["layout"] == "NHWC") or not _is_by_channel(c, along):
            return None
        factor = _factor(v, g, attrs["epsilon"])
        offset = multiply(m, factor)
        offset = reshape_op(subtract(0.0 if b is None else b, offset), along)
        if c is not None:
            offset = add(multiply(c, reshape_op(factor, along)), offset)
        scaled = multiply(w, reshape_op(factor, (filters, *ones)))
        return add(conv(x, scaled, *(attrs[name] for name in CONV)), offset)

    return [rewrite(bare)(fold_conv), rewrite(biased)(fold_conv)]


def _is_by_channel(v: Any, along: tuple[Any, ...]) -> bool:
    """True for one number for each channel, in a shape that broadcasts to it; and for None."""
    if not isinstance(v, Variable):
        return v is None
    shape = v.spec.shape
    return (1,) * (len(along) - len(shape)) + tuple(shape) == along


CONV_RULES: list[Rule] = [rule for conv in (conv2d_op, conv3d_op) for rule in _rules_of(conv)]


@rewrite(lambda x, w, c, m, v, g, b: _norm(linear(x, w, c), m, v, g, b)[0])
def fold_linear(
    x: Any, w: Any, c: Any, m: Any, v: Any, g: Any, b: Any, epsilon: float, layout: str
) -> Any:
    """batch_norm(linear(x, w, c)) = linear(x, w * factor, (c - mean) * factor + shift)."""
    if x.spec.ndim != 2 and layout == "NCHW":
        return None  # channels are another axis than what linear gives
    if not _are_weights(w, c, m, v, g, b) or w.spec.dtype is not x.spec.dtype:
        return None
    factor = _factor(v, g, epsilon)
    offset = multiply(subtract(0.0, m) if c is None else subtract(c, m), factor)
    return linear(x, multiply(w, factor), offset if b is None else add(offset, b))


@rewrite(
    lambda x, m, v, g, b: _norm(x, m, v, g, b)[1:],
    where=lambda m: isinstance(m, State),
    shared=True,
)
def keep_statistics(m: Variable, v: Variable) -> Any:
    """In inference the new statistics are the old ones."""
    return m, v


def _folded(program: Program, rules: list[Rule]) -> Program:
    apply_rules(program, enabled([keep_statistics, *rules]))
    program.updates = {s: v for s, v in program.updates.items() if v is not s}
    return program


def fold_conv_bn(program: Program) -> Program:
    """Let convolutions, in place, do what batch norm in inference does after them.

    The new filters are computed from the weights by operators, which `fold_weights` turns into
    weights. Returns the program.
    """
    return _folded(program, CONV_RULES)


def fold_linear_bn(program: Program) -> Program:
    """As `fold_conv_bn`, for `linear`. Returns the program."""
    return _folded(program, [fold_linear])
