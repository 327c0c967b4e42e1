"""The forms of convolutions, pooling, normalization and activations."""

from __future__ import annotations

from twinoar.errors import UnsupportedError
from twinoar.formats.onnx.forms import Call, channels_first, form


def pads_of(padding: tuple[int, ...]) -> list[int]:
    """Ours are before and after of each dimension, theirs all before and then all after."""
    return [*padding[::2], *padding[1::2]]


@form("conv2d", "conv3d")
@channels_first
def _(call: Call) -> None:
    if call.out.dtype.name == "bfloat16":
        call.since(22, "Conv of bfloat16")
    call.gives(
        "Conv",
        call.x,
        strides=list(call.stride),
        pads=pads_of(call.padding),
        dilations=list(call.dilation),
        group=call.groups,
    )


@form("max_pool2d", "avg_pool2d", "max_pool3d", "avg_pool3d")
@channels_first
def _(call: Call) -> None:
    is_mean = call.operator.op.name.startswith("avg")
    call.gives(
        "AveragePool" if is_mean else "MaxPool",
        call.x,
        kernel_shape=list(call.kernel_size),
        strides=list(call.stride),
        pads=pads_of(call.padding),
        ceil_mode=int(call.ceil_mode),
        count_include_pad=int(not call.exclusive) if is_mean else None,
    )


@form("batch_norm")
@channels_first
def _(call: Call) -> None:
    if call.training:
        raise UnsupportedError("batch_norm in training has no form in ONNX", cure="call eval()")
    x, mean, variance, weight, bias = call.x
    size, dtype = call.specs[1].shape[0], call.specs[1].dtype
    weight = weight or call.graph.constant([1.0] * size, dtype)
    bias = bias or call.graph.constant([0.0] * size, dtype)
    operands = [x, weight, bias, mean, variance]
    call.graph.node("BatchNormalization", operands, call.results[:1], epsilon=float(call.epsilon))
    for name, before in zip(call.results[1:], (mean, variance), strict=False):
        if name:
            call.graph.node("Identity", [before], [name])


@form("softmax", "log_softmax")
def _(call: Call) -> None:
    type = {"softmax": "Softmax", "log_softmax": "LogSoftmax"}[call.operator.op.name]
    if not call.rank:
        row = call.node("Reshape", [call.x[0], call.ints([1])])
        call.gives("Reshape", [call.node(type, [row], axis=0), call.ints([])])
        return
    axis = call.axis % call.rank
    if call.opset >= 13 or axis == call.rank - 1:
        call.gives(type, call.x, axis=axis)
        return
    perm = list(range(call.rank))  # before, all dimensions from the axis on were one
    perm[axis], perm[-1] = perm[-1], perm[axis]
    moved = call.node(type, [call.node("Transpose", call.x, perm=perm)], axis=call.rank - 1)
    call.gives("Transpose", [moved], perm=perm)


@form("dropout")
def _(call: Call) -> None:
    if call.training:
        raise UnsupportedError("dropout in training has no form in ONNX", cure="call eval()")
    if call.mode == "upscale_in_train":
        call.gives("Identity", call.x[:1])
    else:
        call.gives("Mul", [call.x[0], call.number(1.0 - call.p)])


@form("leaky_relu")
def _(call: Call) -> None:
    call.gives("LeakyRelu", call.x, alpha=float(call.negative_slope))


@form("elu")
def _(call: Call) -> None:
    call.gives("Elu", call.x, alpha=float(call.alpha))


@form("hardsigmoid")
def _(call: Call) -> None:
    call.gives("HardSigmoid", call.x, alpha=float(call.slope), beta=float(call.offset))


@form("relu6")
def _(call: Call) -> None:
    call.gives("Clip", [call.x[0], call.number(0.0), call.number(6.0)])


@form("embedding")
def _(call: Call) -> None:
    index, weight = call.x
    if call.padding_idx is None:
        call.gives("Gather", [weight, index], axis=0)
        return
    rows = call.node("Gather", [weight, index], axis=0)
    pad = call.number(call.padding_idx)
    is_pad = call.node("Equal", [index, pad])
    is_pad = call.graph.with_axes("Unsqueeze", is_pad, [call.rank], since=13)
    zero = call.graph.constant(0.0, call.out.dtype)
    call.gives("Where", [is_pad, zero, rows])
