"""Layer normalization."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from twinoar.core.dim import is_known
from twinoar.core.op.declare import Desc, Spec, Tensor, function, op
from twinoar.errors import AxisError, ShapeError
from twinoar.ops.math.cast import astype
from twinoar.ops.norm._moments import (
    LEAST,
    array_moments,
    standardize,
    standardize_grad,
    standardized_back,
)
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.reshape import reshape
from twinoar.ops.window._geometry import array_spec, check_floating, working


@function
def layer_norm(
    x: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    epsilon: float = 1e-5,
) -> Tensor:
    """x with mean 0 and variance 1 over its last dimensions, then scaled and shifted.

    x: [*, normalized_shape], floating. normalized_shape: a number or a list of sizes. weight, bias:
    one number for each normalized element, flat or in normalized_shape. Returns the shape of x.
    Raises ShapeError. Source: arXiv 1607.06450, equation 4.

    >>> x = twinoar.to_tensor([[1.0, 3.0]])
    >>> twinoar.nn.functional.layer_norm(x, 2, epsilon=0.0).tolist()
    [[-1.0, 1.0]]
    """
    given = normalized_shape if isinstance(normalized_shape, Sequence) else [normalized_shape]
    sizes, shape = tuple(map(int, given)), x.spec.shape
    first = len(shape) - len(sizes)
    own = shape[first:] if first >= 0 else ()
    if first < 0 or (own != sizes and is_known(*own)):
        raise ShapeError(
            f"the last dimensions of x must be {list(sizes)}, received shape {x.shape}",
            cure="give the sizes of the dimensions to normalize over as normalized_shape",
        )
    return layer_norm_op.function(x, weight, bias, first, epsilon)


@op(
    slow_kernel=True,
    name="layer_norm",
    compiled_from=LEAST,
    amp="high",
    amp_operands=("x",),
    desc=Desc(
        "layer_norm",
        {"X": "x", "Scale": "weight", "Bias": "bias"},
        outputs=("Y",),
        attrs={"begin_norm_axis": "begin_norm_axis", "epsilon": "epsilon"},
        extra_outputs=("Mean", "Variance"),
    ),
)
def layer_norm_op(
    x: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    begin_norm_axis: int = 1,
    epsilon: float = 1e-5,
) -> Tensor:
    """x standardized over its dimensions from begin_norm_axis on, scaled and shifted.

    x: [*]. weight, bias: as many elements as the normalized dimensions. The operator under
    `layer_norm`.
    """
    inner = x.spec.shape[begin_norm_axis:]
    out = standardize(x, _from(x.spec.ndim, begin_norm_axis), epsilon)
    out = out if weight is None else out * reshape(weight, inner)
    return astype(out if bias is None else out + reshape(bias, inner), x.dtype)


@layer_norm_op.infer
def _(x, weight, bias, begin_norm_axis, epsilon):
    check_floating(x)
    if not 0 <= begin_norm_axis < x.ndim:
        raise AxisError(f"begin_norm_axis must be in [0, {x.ndim - 1}], received {begin_norm_axis}")
    size = math.prod(x.shape[begin_norm_axis:])
    for name, parameter in (("weight", weight), ("bias", bias)):
        if parameter is not None and is_known(size, parameter.size) and parameter.size != size:
            raise ShapeError(
                f"{name} has {parameter.size} elements, {size} are normalized",
                cure="give one number for each normalized element",
            )
    return x


@layer_norm_op.kernel
def _(x, weight, bias, begin_norm_axis, epsilon):
    specs = [None if p is None else array_spec(p) for p in (x, weight, bias)]
    layer_norm_op.rules["infer"](*specs, begin_norm_axis, epsilon)
    inner = x.shape[begin_norm_axis:]
    out, inverse = array_moments(x, _from(x.ndim, begin_norm_axis), epsilon)
    out *= inverse
    if weight is not None:
        out *= weight.reshape(inner)
    if bias is not None:
        out += bias.reshape(inner)
    return out.astype(x.dtype, copy=False)


@layer_norm_op.grad
def _(g, x, weight, specs, begin_norm_axis, epsilon):
    dx, scaled, summed = layer_norm_grad(g, x, weight, begin_norm_axis, epsilon)
    return dx, _like(scaled, specs[1]), _like(summed, specs[2])


@layer_norm_op.samples
def _(s):
    yield s(s.randn(2, 3, 4), s.randn(12), s.randn(12))
    yield s(s.randn(2, 3, 4), s.randn(4), s.randn(4), 2, 1e-3)
    yield s(s.randn(2, 3, 4), s.randn(3, 4), None)
    yield s(s.randn(4, 5), None, s.randn(5))
    yield s(s.randn(4, 5))
    yield s(s.randn(4), s.randn(4), s.randn(4), 0)
    yield s(s.zeros(0, 3), s.randn(3), s.randn(3))
    yield s.bad(ShapeError, "weight has 3 elements", s.randn(2, 4), s.randn(3))
    yield s.bad(AxisError, "begin_norm_axis", s.randn(2, 4), begin_norm_axis=2)


@op(slow_kernel=True)
def layer_norm_grad(
    dy: Tensor,
    x: Tensor,
    weight: Tensor | None,
    begin_norm_axis: int = 1,
    epsilon: float = 1e-5,
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of `layer_norm` with respect to x, weight and bias.

    dy, x: [*]. The last two results have the shape of the normalized dimensions.
    """
    axes, lead = _from(x.spec.ndim, begin_norm_axis), tuple(range(begin_norm_axis))
    y = standardize(x, axes, epsilon)
    inner = x.spec.shape[begin_norm_axis:]
    scaled = dy if weight is None else astype(dy * reshape(weight, inner), x.dtype)
    dx = standardize_grad(scaled, x, axes, epsilon)
    return dx, *(total(v, axis=lead) if lead else v for v in (dy * y, dy))


@layer_norm_grad.infer
def _(dy, x, weight, begin_norm_axis, epsilon):
    inner = Spec(x.shape[begin_norm_axis:], x.dtype)
    return x, inner, inner


@layer_norm_grad.kernel
def _(dy, x, weight, begin_norm_axis, epsilon):
    axes, lead = _from(x.ndim, begin_norm_axis), tuple(range(begin_norm_axis))
    y, inverse = array_moments(x, axes, epsilon)
    y *= inverse
    (wide,) = working(dy)
    sums = (wide * y).sum(axis=lead), wide.sum(axis=lead)
    scaled = wide if weight is None else wide * weight.reshape(x.shape[begin_norm_axis:])
    dx = standardized_back(scaled, y, inverse, axes)
    return tuple(v.astype(x.dtype, copy=False) for v in (dx, *sums))


@layer_norm_grad.samples
def _(s):
    yield s(s.randn(2, 3, 4), s.randn(2, 3, 4), s.randn(12), 1)
    yield s(s.randn(2, 3, 4), s.randn(2, 3, 4), None, 2, 1e-3)


def _from(ndim: int, first: int) -> tuple[int, ...]:
    return tuple(range(first, ndim))


def _like(g: Tensor, spec: Spec | None) -> Tensor | None:
    """A gradient in the shape and dtype of its operand."""
    return None if spec is None else astype(reshape(g, spec.shape), spec.dtype)
