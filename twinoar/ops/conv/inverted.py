"""An inverted residual's three convolutions as one operator, which keeps little between them."""

from __future__ import annotations

from typing import Literal

from twinoar.core.dtype import float32, float64
from twinoar.core.op.declare import Tensor, op
from twinoar.core.op.library import Convolution, Inverted
from twinoar.errors import ShapeError
from twinoar.ops.activation.rectifier import hardswish, relu, relu6
from twinoar.ops.conv.operator import conv2d_op
from twinoar.ops.math.arithmetic import add
from twinoar.ops.shape.reshape import reshape_op

ACTIVATIONS = {"relu": relu, "relu6": relu6, "hardswish": hardswish}


@op
def inverted_residual(
    x: Tensor,
    weight: Tensor,
    bias: Tensor,
    depthwise: Tensor,
    depthwise_bias: Tensor,
    narrow: Tensor,
    stride: tuple[int, ...] = (1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0),
    depthwise_stride: tuple[int, ...] = (1, 1),
    depthwise_padding: tuple[int, ...] = (1, 1, 1, 1),
    activation: Literal["relu", "relu6", "hardswish"] = "relu6",
    data_format: Literal["NCHW", "NHWC"] = "NCHW",
) -> Tensor:
    """conv2d(a(conv2d(a(conv2d(x, weight) + bias), depthwise) + depthwise_bias), narrow).

    x: [N,I,H,W] or [N,H,W,I], floating; strip by strip in float32 and float64. weight: [C,I,KH,KW].
    depthwise: [C,1,KH,KW]. The biases: [C]. narrow: [O,C,1,1]. stride, padding: of the first
    convolution, as of `conv2d`. activation: a. Returns [N,O,OH,OW] or [N,OH,OW,O]. Raises
    ShapeError. Source: arXiv 1801.04381, table 1.
    """
    channels = weight.spec.shape[0]
    if depthwise.spec.shape[:2] != (channels, 1):
        raise ShapeError(f"depthwise must be [{channels},1,*], received {depthwise.spec}")
    if narrow.spec.shape[2:] != (1, 1):
        raise ShapeError(f"narrow must be [O,C,1,1], received {narrow.spec}")
    act, one, none = ACTIVATIONS[activation], (1, 1), (0, 0, 0, 0)
    form = (channels,) if data_format == "NHWC" else (1, channels, 1, 1)
    wide = conv2d_op(x, weight, stride, padding, one, 1, data_format)
    wide = act(add(wide, reshape_op(bias, form)))
    each = conv2d_op(
        wide, depthwise, depthwise_stride, depthwise_padding, one, channels, data_format
    )
    each = act(add(each, reshape_op(depthwise_bias, form)))
    return conv2d_op(each, narrow, one, none, one, 1, data_format)


@inverted_residual.library
def _(specs, stride, padding, depthwise_stride, depthwise_padding, activation, data_format):
    if specs[0].dtype not in (float32, float64):
        return None
    one, is_last, channels = (1, 1), data_format == "NHWC", specs[1].shape[0]
    return Inverted(
        Convolution("forward", stride, one, padding, 1, is_last),
        Convolution("forward", depthwise_stride, one, depthwise_padding, channels, is_last),
        activation,
    )


@inverted_residual.flops
def _(x, weight, bias, depthwise, depthwise_bias, narrow, *, stride, padding, depthwise_stride,
      depthwise_padding, data_format, **rest):  # fmt: skip
    one, none, channels = (1, 1), (0, 0, 0, 0), weight.shape[0]
    count, rules = conv2d_op.rules["flops"], conv2d_op.rules["infer"]
    first = (stride, padding, one, 1, data_format)
    second = (depthwise_stride, depthwise_padding, one, channels, data_format)
    wide = rules(x, weight, *first)
    each = rules(wide, depthwise, *second)
    third = count(each, narrow, one, none, one, 1, data_format)
    return count(x, weight, *first) + count(wide, depthwise, *second) + third


@inverted_residual.samples
def _(s):
    def given(i, c, o, size, kernel=1, height=3):
        return (
            s.randn(*size), s.randn(c, i, kernel, kernel), s.randn(c), s.randn(c, 1, height, 3),
            s.randn(c), s.randn(o, c, 1, 1),
        )  # fmt: skip

    yield s(*given(2, 6, 3, (2, 2, 5, 4)), gradient=False, tolerance=1e-4)
    yield s(
        *given(3, 5, 2, (1, 3, 9, 7), 3), (2, 2), (1, 1, 1, 1), (2, 2), (1, 0, 1, 1), "hardswish",
        gradient=False, tolerance=1e-4,
    )  # fmt: skip
    yield s(
        *given(2, 4, 3, (1, 6, 5, 2), 1, 5), depthwise_padding=(2, 2, 1, 1), activation="relu",
        data_format="NHWC", gradient=False, tolerance=1e-4,
    )  # fmt: skip
    yield s(*given(2, 3, 3, (0, 2, 4, 4)))
    yield s.bad(ShapeError, "depthwise must be", *given(2, 6, 3, (1, 2, 5, 4))[:3],
                s.randn(5, 1, 3, 3), s.randn(6), s.randn(3, 6, 1, 1))  # fmt: skip
    yield s.bad(ShapeError, "narrow must be", *given(2, 6, 3, (1, 2, 5, 4))[:5],
                s.randn(3, 6, 3, 3))  # fmt: skip
