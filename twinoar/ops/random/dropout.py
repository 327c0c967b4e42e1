"""Dropout: elements left out at random, by a mask that the key of the draw gives again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from twinoar.core.dtype import bool_
from twinoar.core.op.declare import (
    Desc,
    Shape,
    Spec,
    Tensor,
    function,
    loop,
    normalize_axis,
    op,
    primitive,
)
from twinoar.errors import ArgumentError, DTypeError, ShapeError, UnsupportedError
from twinoar.ops.math.arithmetic import add, multiply
from twinoar.ops.math.fill import ones_of
from twinoar.ops.math.select import select
from twinoar.ops.random.philox import filled, word
from twinoar.ops.random.uniform import check_key, count_of, generator

Mode = Literal["upscale_in_train", "downscale_in_infer"]
PADDLE_MODES = {  # what Paddle's files call them
    "upscale_in_train": "upscale_in_train",
    "downscale_in_infer": "downgrade_in_infer",
}
OUR_MODES = {theirs: ours for ours, theirs in PADDLE_MODES.items()}
# Of selu, whose fixed point is mean 0 and variance 1. Source: arXiv 1706.02515, eq. 14.
SELU_SCALE = 1.0507009873554805
SELU_ALPHA = 1.6732632423543772


@primitive(elements=count_of)
def dropout_mask(key: Tensor, p: float, shape: tuple[int, ...]) -> Tensor:
    """True with probability 1 - p: where the element's narrow word is at least p * 2**32.

    Returns bool of `shape`.
    """


@dropout_mask.infer
def _(key, p, shape):
    check_key(key)
    return Spec(shape, bool_)


@dropout_mask.kernel
def drawn(key, p, shape):
    """The mask in NumPy."""
    least = round(p * 2**32)
    return filled(key, math.prod(shape), 1, np.bool_, lambda w: w >= least).reshape(shape)


@dropout_mask.lower
def _(i, key, p, shape):
    return loop.le(round(p * 2**32), word(key, loop.flatten(i, shape)))


@dropout_mask.samples
def _(s):
    yield s(np.array([3, 1]), 0.25, (4, 5))
    yield s(np.array([3, 1]), 1.0, ())
    yield s.bad(ShapeError, "a key must be", s.ints(0, 9, 3), 0.5, (2,))


def _mask_shape(shape: Shape, axis: tuple[int, ...]) -> Shape:
    """The shape of a mask: 1 except along the axes, which are all where there are none."""
    along = {normalize_axis(a, len(shape)) for a in axis} or range(len(shape))
    return tuple(n if i in along else 1 for i, n in enumerate(shape))


def _dropout_spec(
    x: Spec, key: Spec | None, p: float, axis: tuple[int, ...], training: bool, mode: str
) -> Spec:
    if not 0 <= p <= 1:
        raise ArgumentError(
            f"p must be in [0, 1], received {p}", cure="p is the share that is dropped, such as 0.5"
        )
    if not x.dtype.is_floating:
        raise DTypeError(
            f"x must be floating, received {x}", cure="convert it: x.astype('float32')"
        )
    if training and key is None:
        raise ArgumentError("dropout in training needs a key")
    if key is not None:
        check_key(key)
    for a in axis:
        normalize_axis(a, x.ndim)
    return x


def _write_dropout(attrs: dict[str, Any], specs: Any) -> dict[str, Any]:
    if attrs["axis"] and attrs["training"]:
        raise UnsupportedError(
            "dropout along axes has no form in Paddle's files",
            cure="save the program for inference",
        )
    return {}


def _read_dropout(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Any:
    training = not attrs.get("is_test", False)
    key = generator.next_key() if training else None
    mode = OUR_MODES[attrs.get("dropout_implementation", "downgrade_in_infer")]
    return dropout_op(slots["X"][0], key, attrs["dropout_prob"], (), training, mode)


@op(
    slow_kernel=True,
    name="dropout",
    infer=_dropout_spec,
    grad=lambda g, key, p, axis, training, mode: (
        dropout_op(g, key, p, axis, training, mode),
        None,
    ),
    factor=lambda spec, key, **attrs: dropout_op(ones_of(spec), key, **attrs),
    desc=Desc(
        "dropout",
        {"X": "x"},
        attrs={
            "dropout_prob": "p",
            "is_test": ("training", lambda t: not t, lambda t: not t),
            "dropout_implementation": ("mode", PADDLE_MODES.get, OUR_MODES.get),
        },
        extra_outputs=("Mask",),
        write=_write_dropout,
        read=_read_dropout,
    ),
)
def dropout_op(
    x: Tensor,
    key: Tensor | None = None,
    p: float = 0.5,
    axis: tuple[int, ...] = (),
    training: bool = True,
    mode: Mode = "upscale_in_train",
) -> Tensor:
    """x with elements left out at random in training; linear in x, and so its own gradient.

    See `dropout`.
    """
    if not training:
        return x if mode == "upscale_in_train" else x * (1 - p)
    assert key is not None
    kept = select(dropout_mask(key, p, _mask_shape(x.spec.shape, axis)), x, 0.0)
    return kept / (1 - p) if mode == "upscale_in_train" and p < 1 else kept


@dropout_op.kernel
def _(x, key, p, axis, training, mode):
    if x.dtype.kind not in "fV" or not 0 <= p <= 1:
        raise TypeError
    if not training:
        return x if mode == "upscale_in_train" else x * x.dtype.type(1 - p)
    kept = np.where(drawn(key, p, _mask_shape(x.shape, axis)), x, x.dtype.type(0))
    return kept / x.dtype.type(1 - p) if mode == "upscale_in_train" and p < 1 else kept


@dropout_op.samples
def _(s):
    key = np.array([3, 1])
    yield s(s.randn(4, 5), key)
    yield s(s.randn(4, 5), key, 0.25, (0,), mode="downscale_in_infer")
    yield s(s.randn(2, 3, 4), key, 0.5, (0, -2))
    yield s(s.randn(3), None, 0.25, training=False)
    yield s(s.randn(3), None, 0.25, training=False, mode="downscale_in_infer")
    yield s(s.randn(3), key, 1.0)
    yield s(s.randn(3), key, 0.0)
    yield s(s.zeros(0, 2), key)
    yield s.bad(ArgumentError, "p must be in [0, 1]", s.randn(3), key, 1.5)
    yield s.bad(DTypeError, "must be floating", s.ints(0, 9, 3), key)
    yield s.bad(ArgumentError, "needs a key", s.randn(3))


@function
def dropout(
    x: Tensor,
    p: float = 0.5,
    axis: int | Sequence[int] | None = None,
    training: bool = True,
    mode: str = "upscale_in_train",
) -> Tensor:
    """x with elements left out, each with probability p, in training.

    x: [*], floating. axis: draw for each position along these axes only. mode: "upscale_in_train"
    divides what is kept by 1 - p in training; "downscale_in_infer" multiplies by 1 - p outside of
    it. Returns [*]. Raises ArgumentError for p outside [0, 1], DTypeError.

    >>> sorted(set(twinoar.nn.functional.dropout(twinoar.ones([100]), 0.5).tolist()))
    [0.0, 2.0]
    """
    if mode in ("upscale_in_train", "downscale_in_infer") and p == 0:
        training = False
    axes = () if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    key = generator.next_key() if training else None
    return dropout_op.function(x, key, p, axes, training, mode)


def _channel_axes(x: Tensor, data_format: str, allowed: tuple[str, ...]) -> tuple[int, int]:
    if data_format not in allowed:
        raise ArgumentError(f"data_format must be {' or '.join(allowed)}, received {data_format!r}")
    return (0, 1) if data_format.startswith("NC") else (0, x.ndim - 1)


@function(named=False)
def dropout1d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """input, [N,C,L] or [C,L], with whole channels left out, each with probability p, in training.

    inplace: input becomes the result. Raises ShapeError for other ranks.

    >>> twinoar.nn.functional.dropout1d(twinoar.ones([1, 2, 3]), 0.5).shape
    [1, 2, 3]
    """
    if input.ndim not in (2, 3):
        raise ShapeError(f"input must be [N,C,L] or [C,L], received {input.spec}")
    out = dropout(input, p, tuple(range(input.ndim - 1)), training)
    return input.copy_(out) if inplace else out


@function
def dropout2d(
    x: Tensor, p: float = 0.5, training: bool = True, data_format: str = "NCHW"
) -> Tensor:
    """x, [N,C,H,W] or [N,H,W,C], with whole channels left out, each with probability p, in
    training.

    >>> twinoar.nn.functional.dropout2d(twinoar.ones([1, 2, 3, 3]), 0.5).shape
    [1, 2, 3, 3]
    """
    return dropout(x, p, _channel_axes(x, data_format, ("NCHW", "NHWC")), training)


@function
def dropout3d(
    x: Tensor, p: float = 0.5, training: bool = True, data_format: str = "NCDHW"
) -> Tensor:
    """x, [N,C,D,H,W] or [N,D,H,W,C], with whole channels left out, each with probability p, in
    training.

    >>> twinoar.nn.functional.dropout3d(twinoar.ones([1, 2, 3, 3, 3]), 0.5).shape
    [1, 2, 3, 3, 3]
    """
    return dropout(x, p, _channel_axes(x, data_format, ("NCDHW", "NDHWC")), training)


@function
def alpha_dropout(x: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """x with elements replaced by selu's lower bound, and scaled so that mean 0 and variance 1
    stay, in training.

    Source: arXiv 1706.02515, section "New dropout technique".

    >>> twinoar.nn.functional.alpha_dropout(twinoar.ones([2]), training=False).tolist()
    [1.0, 1.0]
    """
    return _with_bound(x, p, None, training)


@function
def feature_alpha_dropout(x: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """`alpha_dropout` of whole channels.

    x: [N,C,*], floating. Returns [N,C,*]. Raises ShapeError for less than 2 dimensions.

    >>> twinoar.nn.functional.feature_alpha_dropout(twinoar.ones([1, 2, 3])).shape
    [1, 2, 3]
    """
    if x.ndim < 2:
        raise ShapeError(f"x must be [N,C,*], received {x.spec}", cure="use alpha_dropout")
    return _with_bound(x, p, (0, 1), training)


def _with_bound(x: Tensor, p: float, axis: tuple[int, ...] | None, training: bool) -> Tensor:
    """x with selu's lower bound in place of what is left out, drawn along `axis`, and scaled."""
    if not training or p == 0:
        return dropout(x, p, training=False)
    if p == 1:
        return multiply(x, 0.0)
    bound = -SELU_ALPHA * SELU_SCALE
    scale = ((1 - p) * (1 + p * bound**2)) ** -0.5
    shifted = dropout(add(x, -bound), p, axis, mode="downscale_in_infer")  # 0 where left out
    return add(multiply(add(shifted, bound), scale), -scale * bound * p)
