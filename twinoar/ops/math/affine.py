"""Scaled sums: scale, neg, lerp, add_n."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.op.declare import (
    Desc,
    Spec,
    Tensor,
    Value,
    function,
    method,
    op,
    op_named,
    primitive,
)
from twinoar.errors import ArgumentError, DTypeError, ShapeError, TypeMismatchError
from twinoar.ops.math.cast import cast, elementwise, promote_operands


def _read_scale(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
    factor = (slots.get("ScaleTensor") or [attrs.get("scale", 1.0)])[0]
    bias, after = attrs.get("bias", 0.0), attrs.get("bias_after_scale", True)
    return scale(slots["X"][0], factor, bias, after)


@primitive(
    name="scale",
    infer=lambda x, scale, bias, bias_after_scale: Spec(x.shape, x.dtype),
    grad=lambda g, scale: scale_op(g, scale),
    desc=Desc(
        "scale",
        {"X": "x"},
        attrs={"scale": "scale", "bias": "bias", "bias_after_scale": "bias_after_scale"},
        read=_read_scale,
    ),
)
def scale_op(
    x: Tensor, scale: float = 1.0, bias: float = 0.0, bias_after_scale: bool = True
) -> Tensor:
    """scale * x + bias, or scale * (x + bias): the operator under `scale` and `neg`.

    x: [*]. Returns [*] in the dtype of x, to which the numbers are converted.
    """


@scale_op.kernel
def _(x, scale, bias, bias_after_scale):
    scale, bias = x.dtype.type(scale), x.dtype.type(bias)
    if not bias:
        return x * scale
    return x * scale + bias if bias_after_scale else (x + bias) * scale


@scale_op.scalar
def _(s, x, scale, bias, bias_after_scale):
    if not bias:
        return s.mul(x, scale)
    return s.add(s.mul(x, scale), bias) if bias_after_scale else s.mul(s.add(x, bias), scale)


@scale_op.samples
def _(s):
    yield s(s.randn(2, 3), 2.5, 1.0)
    yield s(s.randn(2, 3), 2.5, 1.0, False)
    yield s(s.randn(3, dtype="float64"), -1.0)
    yield s(s.randn())
    yield s(s.zeros(0, 2), 2.0)
    yield s(s.ints(-9, 9, 4), 2.5, 1.0, gradient=False)


@function(method=True, inplace=True)
def scale(
    x: Tensor,
    scale: Any = 1.0,
    bias: float = 0.0,
    bias_after_scale: bool = True,
    act: str | None = None,
) -> Tensor:
    """scale * x + bias, or scale * (x + bias) without `bias_after_scale`; `act` is applied to that.

    x: [*]. scale: a number, or a tensor of one element. act: the name of an activation, such as
    "relu". Returns [*] in the dtype of x, to which scale and bias are converted.

    >>> twinoar.scale(twinoar.to_tensor([1.0, 2.0]), scale=2.0, bias=1.0).tolist()
    [3.0, 5.0]
    """
    if isinstance(scale, Value):
        factor = cast(scale, x.dtype)
        out = x * factor + bias if bias_after_scale else (x + bias) * factor
        out = cast(out, x.dtype)
    else:
        out = scale_op(x, scale, bias, bias_after_scale)
    if act is not None:
        out = op_named(act)(out)
    return out


@method("__pos__")
def pos(x: Tensor) -> Tensor:
    """+x, which is x itself. Raises DTypeError for truth values."""
    if x.dtype == "bool":
        raise DTypeError(
            f"+ wants numbers, received {x.spec}", cure="convert it: x.astype('int64')"
        )
    return x


@op(
    one_function=True,
    method="__neg__ neg",
    inplace=True,
    infer=elementwise,
    kernel=np.negative,
    grad=lambda g: -g,
    scalar=lambda s, x: s.neg(x),
)
def neg(x: Tensor) -> Tensor:
    """-x. In Paddle's files it is a `scale` by -1.

    x: [*]. Returns [*], dtype of x.

    >>> (-twinoar.to_tensor([1, -2])).tolist()
    [-1, 2]
    """
    return scale_op(x, -1.0)


@neg.samples
def _(s):
    yield s(s.randn(2, 3))
    yield s(s.randn())
    yield s(s.zeros(0))
    yield s(s.ints(-4, 4, 3), gradient=False)


@op(
    method=True,
    inplace=True,
    promote=promote_operands,
    desc=Desc("lerp", {"X": "x", "Y": "y", "Weight": "weight"}),
)
def lerp(x: Tensor, y: Tensor, weight: Tensor) -> Tensor:
    """x + weight * (y - x): linear interpolation.

    x, y, weight: shapes that broadcast; weight may be a number. Returns the broadcast shape. Raises
    ShapeError where the shapes do not broadcast.

    >>> twinoar.to_tensor([0.0, 4.0]).lerp(twinoar.to_tensor([1.0, 8.0]), 0.25).tolist()
    [0.25, 5.0]
    """
    return x + weight * (y - x)


@lerp.samples
def _(s):
    yield s(s.randn(2, 3), s.randn(2, 3), s.uniform(0, 1, 2, 3))
    yield s(s.randn(2, 3), s.randn(3), 0.25)
    yield s(s.randn(2, 1), s.randn(3), s.uniform(0, 1))
    yield s(s.zeros(0), s.zeros(0), 0.5)
    yield s.bad(ShapeError, "do not broadcast", s.randn(2, 3), s.randn(4), 0.5)


def _same_spec(*specs: Spec) -> Spec:
    if not specs:
        raise ArgumentError("expected at least one tensor, received none")
    for s in specs[1:]:
        if s.ndim != specs[0].ndim or any(
            isinstance(m, int) and isinstance(n, int) and m != n
            for m, n in zip(s.shape, specs[0].shape, strict=True)
        ):
            raise ShapeError(
                f"expected one shape, received {list(specs[0].shape)} and {list(s.shape)}"
            )
        if s.dtype is not specs[0].dtype:
            raise DTypeError(
                f"expected tensors of one dtype, received {specs[0].dtype.name} and {s.dtype.name}",
                cure="cast them to one",
            )
    return specs[0]


@primitive(
    name="add_n",
    infer=_same_spec,
    grad=lambda g, specs: (g,) * len(specs),
    scalar=lambda s, *inputs: functools.reduce(s.add, inputs),
    desc=Desc("sum", {"X": "inputs"}),
)
def add_n_op(inputs: Sequence[Tensor]) -> Tensor:
    """The sum of tensors of one shape and dtype: the operator under `add_n`."""


@add_n_op.kernel
def _(*inputs):
    _same_spec(*(Spec(a.shape, a.dtype) for a in inputs))
    total = inputs[0]
    for a in inputs[1:]:
        total = total + a
    return total


@add_n_op.samples
def _(s):
    yield s([s.randn(2, 3), s.randn(2, 3), s.randn(2, 3)])
    yield s([s.randn(2)])
    yield s([s.randn(), s.randn()])
    yield s([s.zeros(0), s.zeros(0)])
    yield s([s.ints(0, 9, 3), s.ints(0, 9, 3)], gradient=False)
    yield s.bad(ShapeError, "expected one shape", [s.randn(2, 3), s.randn(3)])
    yield s.bad(DTypeError, "one dtype", [s.randn(3), s.ints(0, 9, 3)])


@function
def add_n(inputs: Tensor | Sequence[Tensor]) -> Tensor:
    """The sum of a list of tensors of one shape and dtype; a single tensor is itself the sum.

    inputs: tensors [*], or one. Returns [*]. Raises ShapeError or DTypeError where they differ,
    TypeMismatchError for an empty list.

    >>> x = twinoar.to_tensor([1.0, 2.0])
    >>> twinoar.add_n([x, x, x]).tolist()
    [3.0, 6.0]
    """
    tensors = [inputs] if isinstance(inputs, Value) else list(inputs)
    if not tensors:
        raise TypeMismatchError(
            "add_n expects a Tensor or a list of Tensors, received an empty list"
        )
    return add_n_op(tensors)


@function(method=True)
def negative(x: Tensor) -> Tensor:
    """-x.

    >>> twinoar.negative(twinoar.to_tensor([1.0])).tolist()
    [-1.0]
    """
    return neg(x)


@function(method=True)
def positive(x: Tensor) -> Tensor:
    """+x, which is x itself. Raises DTypeError for truth values.

    >>> twinoar.positive(twinoar.to_tensor([1.0])).tolist()
    [1.0]
    """
    return pos(x)
