"""Wrong calls of operators: shapes, dtypes, axes, attributes, indices."""

from __future__ import annotations

import pytest

import twinoar as paddle
import twinoar.nn.functional as F
from tests.errors.wrong import Wrong, assert_helpful, ints, ones, raised
from twinoar.errors import (
    ArgumentError,
    AxisError,
    DTypeError,
    NotTensorError,
    ShapeError,
    TypeMismatchError,
)

SHAPES = {
    "add": Wrong(lambda: ones(2, 3) + ones(4), ShapeError, "do not broadcast", "[2, 3] and [4]"),
    "multiply": Wrong(
        lambda: paddle.multiply(ones(2, 3), ones(3, 2)), ShapeError, "do not broadcast", "[3, 2]"
    ),
    "equal": Wrong(lambda: ones(2) == ones(3), ShapeError, "do not broadcast", "[2] and [3]"),
    "maximum": Wrong(
        lambda: paddle.maximum(ones(2), ones(3)), ShapeError, "do not broadcast", "[2] and [3]"
    ),
    "where": Wrong(
        lambda: paddle.where(ones(2) > 0, ones(3), ones(3)), ShapeError, "broadcast", "[2]"
    ),
    "matmul": Wrong(lambda: ones(2, 3) @ ones(4, 5), ShapeError, "3", "4"),
    "matmul: batches": Wrong(
        lambda: paddle.matmul(ones(2, 3, 4), ones(3, 4, 5)), ShapeError, "broadcast", "[3]"
    ),
    "matmul: no dimensions": Wrong(
        lambda: paddle.matmul(paddle.to_tensor(1.0), ones(2)), ShapeError, "dimension", "f32[]"
    ),
    "mm": Wrong(lambda: paddle.mm(ones(2, 3), ones(2, 3)), ShapeError, "3", "2"),
    "bmm": Wrong(lambda: paddle.bmm(ones(2, 3), ones(3, 4)), ShapeError, "3 dimensions", "[2, 3]"),
    "dot": Wrong(lambda: paddle.dot(ones(3), ones(4)), ShapeError, "equal", "[4]"),
    "mv": Wrong(lambda: paddle.mv(ones(2, 3), ones(2)), ShapeError, "3", "[2]"),
    "addmm": Wrong(
        lambda: paddle.addmm(ones(2, 2), ones(2, 3), ones(2, 2)), ShapeError, "3", "[2, 2]"
    ),
    "linear": Wrong(lambda: F.linear(ones(2, 3), ones(4, 5)), ShapeError, "3", "[4, 5]"),
    "linear: bias": Wrong(
        lambda: F.linear(ones(2, 3), ones(3, 5), ones(4)), ShapeError, "broadcast", "[4]"
    ),
    "conv2d: channels": Wrong(
        lambda: F.conv2d(ones(1, 3, 8, 8), ones(4, 5, 3, 3)), ShapeError, "3 channels", "5"
    ),
    "conv2d: no batch": Wrong(
        lambda: F.conv2d(ones(3, 8, 8), ones(4, 3, 3, 3)), ShapeError, "4 dimensions", "3"
    ),
    "conv2d: window": Wrong(
        lambda: F.conv2d(ones(1, 3, 2, 2), ones(4, 3, 3, 3)), ShapeError, "3 elements", "into 2"
    ),
    "conv2d: groups": Wrong(
        lambda: F.conv2d(ones(1, 4, 8, 8), ones(4, 4, 3, 3), groups=3),
        ShapeError,
        "3 groups",
        "4 channels",
    ),
    "conv1d": Wrong(lambda: F.conv1d(ones(1, 3, 8), ones(4, 5, 3)), ShapeError, "3 channels", "5"),
    "conv2d_transpose": Wrong(
        lambda: F.conv2d_transpose(ones(1, 3, 8, 8), ones(4, 5, 3, 3)), ShapeError, "3", "4"
    ),
    "max_pool2d": Wrong(
        lambda: F.max_pool2d(ones(3, 8), kernel_size=2), ShapeError, "4 dimensions", "received 2"
    ),
    "avg_pool2d: window": Wrong(
        lambda: F.avg_pool2d(ones(1, 1, 2, 2), 5), ShapeError, "5 elements", "2"
    ),
    "reshape": Wrong(lambda: ones(2, 3).reshape([4, 2]), ShapeError, "6 elements", "[4, 2]"),
    "reshape: -1": Wrong(
        lambda: paddle.reshape(ones(2, 3), [4, -1]), ShapeError, "6 elements", "[4, -1]"
    ),
    "reshape: -1 twice": Wrong(
        lambda: paddle.reshape(ones(2, 3), [-1, -1]), ShapeError, "-1 once", "[-1, -1]"
    ),
    "reshape: 0": Wrong(
        lambda: paddle.reshape(ones(6), [2, 0]), ShapeError, "1 dimension", "[2, 0]"
    ),
    "concat": Wrong(
        lambda: paddle.concat([ones(2, 3), ones(2, 4)]), ShapeError, "[2, 3]", "[2, 4]"
    ),
    "concat: dimensions": Wrong(
        lambda: paddle.concat([ones(2, 3), ones(2)]), ShapeError, "[2, 3]", "[2]"
    ),
    "stack": Wrong(lambda: paddle.stack([ones(2), ones(3)]), ShapeError, "[2]", "[3]"),
    "split: parts": Wrong(lambda: paddle.split(ones(7, 2), 3), ShapeError, "equal", "7"),
    "split: sizes": Wrong(lambda: paddle.split(ones(7, 2), [3, 3]), ShapeError, "7", "[3, 3]"),
    "expand": Wrong(lambda: ones(2, 3).expand([4, 3]), ShapeError, "[2, 3]", "[4, 3]"),
    "expand: fewer": Wrong(lambda: paddle.expand(ones(2, 3), [3]), ShapeError, "[2, 3]", "[3]"),
    "broadcast_to": Wrong(
        lambda: paddle.broadcast_to(ones(2, 3), [2, 4]), ShapeError, "[2, 3]", "[2, 4]"
    ),
    "expand_as": Wrong(
        lambda: paddle.expand_as(ones(2, 3), ones(4, 3)), ShapeError, "[2, 3]", "[4, 3]"
    ),
    "batch_norm": Wrong(
        lambda: F.batch_norm(ones(2, 3, 4, 4), ones(5), ones(5)), ShapeError, "3", "[5]"
    ),
    "layer_norm": Wrong(lambda: F.layer_norm(ones(2, 3), [4]), ShapeError, "[4]", "[2, 3]"),
    "layer_norm: weight": Wrong(
        lambda: F.layer_norm(ones(2, 3), [3], weight=ones(4)), ShapeError, "3", "4 elements"
    ),
    "group_norm": Wrong(lambda: F.group_norm(ones(2, 3, 4), 2), ShapeError, "groups", "3"),
    "cross_entropy": Wrong(
        lambda: F.cross_entropy(ones(2, 3), ints(0, 1, 2)), ShapeError, "[2, 1]", "[3, 1]"
    ),
    "mse_loss": Wrong(
        lambda: F.mse_loss(ones(2, 3), ones(4, 3)), ShapeError, "broadcast", "[4, 3]"
    ),
    "t": Wrong(lambda: paddle.t(ones(2, 3, 4)), ShapeError, "2 dimensions", "[2,3,4]"),
    "pad": Wrong(lambda: F.pad(ones(1, 3, 4, 4), [1, 1, 1]), ArgumentError, "two numbers", "[1"),
    "pad: reflect": Wrong(
        lambda: F.pad(ones(1, 1, 2, 2), [3, 3, 3, 3], mode="reflect"),
        ArgumentError,
        "size 2",
        "(3, 3)",
    ),
    "gather_nd": Wrong(
        lambda: paddle.gather_nd(ones(2, 3), paddle.to_tensor([[0, 0, 0]])), ShapeError, "2", "3"
    ),
    "scatter": Wrong(
        lambda: paddle.scatter(ones(4, 3), ints(0, 1), ones(2, 2)), ShapeError, "[2, 3]", "[2, 2]"
    ),
    "index_add": Wrong(
        lambda: paddle.index_add(ones(4, 3), ints(0), 0, ones(2, 3)),
        ShapeError,
        "i64[1]",
        "f32[2,3]",
    ),
    "setitem": Wrong(lambda: ones(4, 3).__setitem__(0, ones(2)), ShapeError, "[3]", "[2]"),
    "masked_select": Wrong(
        lambda: paddle.masked_select(ones(2, 3), ones(4) > 0), ShapeError, "broadcast", "[4]"
    ),
    "mask index": Wrong(lambda: ones(3)[ones(4) > 0], AxisError, "size 3", "[4]"),
    "full: negative size": Wrong(lambda: paddle.full([2, -3], 1.0), ShapeError, "0", "[2, -3]"),
    "prelu": Wrong(lambda: F.prelu(ones(1, 3, 2), ones(2)), ShapeError, "3", "2"),
    "one_hot": Wrong(lambda: F.one_hot(ints(1), 0), AxisError, "0 classes", "x holds 1"),
    "tile": Wrong(
        lambda: paddle.tile(ones(2), [2, -1]), ArgumentError, "not be negative", "[2, -1]"
    ),
}

AXES = {
    "sum": Wrong(lambda: ones(2, 3).sum(axis=2), AxisError, "[-2, 1]", "received 2"),
    "mean of one dimension twice": Wrong(
        lambda: paddle.mean(ones(2, 3), axis=[0, -2]), AxisError, "twice", "[0, -2]"
    ),
    "softmax": Wrong(lambda: F.softmax(ones(2, 3), axis=5), AxisError, "[-2, 1]", "received 5"),
    "argmax": Wrong(lambda: paddle.argmax(ones(2), axis=-2), AxisError, "[-1, 0]", "received -2"),
    "concat": Wrong(
        lambda: paddle.concat([ones(2), ones(2)], axis=1), AxisError, "[-1, 0]", "received 1"
    ),
    "stack": Wrong(
        lambda: paddle.stack([ones(2), ones(2)], axis=3), AxisError, "[-2, 1]", "received 3"
    ),
    "split": Wrong(lambda: paddle.split(ones(4), 2, axis=1), AxisError, "[-1, 0]", "received 1"),
    "transpose": Wrong(
        lambda: ones(2, 3).transpose([0, 0]), AxisError, "each of 2 axes once", "[0, 0]"
    ),
    "transpose: too few": Wrong(
        lambda: paddle.transpose(ones(2, 3, 4), [1, 0]), AxisError, "each of 3 axes", "[1, 0]"
    ),
    "unsqueeze": Wrong(lambda: paddle.unsqueeze(ones(2), 3), AxisError, "[-2, 1]", "received 3"),
    "squeeze": Wrong(lambda: paddle.squeeze(ones(2, 1), 2), AxisError, "[-2, 1]", "received 2"),
    "flatten": Wrong(
        lambda: paddle.flatten(ones(2, 3, 4), 2, 1), AxisError, "start_axis 2", "stop_axis 1"
    ),
    "cumsum": Wrong(lambda: paddle.cumsum(ones(2), axis=1), AxisError, "[-1, 0]", "received 1"),
    "sort": Wrong(lambda: paddle.sort(ones(2), axis=1), AxisError, "[-1, 0]", "received 1"),
    "topk": Wrong(lambda: paddle.topk(ones(2), 1, axis=2), AxisError, "[-1, 0]", "received 2"),
    "flip": Wrong(lambda: paddle.flip(ones(2), axis=1), AxisError, "[-1, 0]", "received 1"),
    "roll": Wrong(lambda: paddle.roll(ones(2), 1, axis=1), AxisError, "[-1, 0]", "received 1"),
    "gather": Wrong(
        lambda: paddle.gather(ones(2), ints(0), axis=1), AxisError, "[-1, 0]", "received 1"
    ),
    "index_select": Wrong(
        lambda: paddle.index_select(ones(2), ints(0), axis=1), AxisError, "[-1, 0]", "received 1"
    ),
    "logsumexp of a 0-d tensor": Wrong(
        lambda: paddle.logsumexp(paddle.to_tensor(1.0), axis=1), AxisError, "no dimensions", "1"
    ),
    "moveaxis": Wrong(
        lambda: paddle.moveaxis(ones(2, 3), [0, 1], [0]), AxisError, "as many", "[0]"
    ),
    "normalize": Wrong(lambda: F.normalize(ones(2, 3), axis=4), AxisError, "[-2, 1]", "received 4"),
    "diagonal": Wrong(
        lambda: paddle.diagonal(ones(2, 3), axis1=0, axis2=0), AxisError, "axis2", "same axis 0"
    ),
    "unbind": Wrong(lambda: paddle.unbind(ones(2), axis=1), AxisError, "[-1, 0]", "received 1"),
}

INDICES = {
    "getitem": Wrong(lambda: ones(3)[5], AxisError, "size 3", "5"),
    "getitem: too many": Wrong(lambda: ones(3)[0, 0], AxisError, "shape [3]", "2 indices"),
    "getitem: a float": Wrong(lambda: ones(3)[1.5], TypeMismatchError, "integer", "1.5"),
    "getitem: text": Wrong(lambda: ones(3)["a"], TypeMismatchError, "integer", "'a'"),
    "getitem: two ellipses": Wrong(
        lambda: ones(3)[..., ...], AxisError, "one Ellipsis", "received 2"
    ),
    "getitem: a tensor": Wrong(lambda: ones(3)[ints(0, 4)], AxisError, "size 3", "4"),
    "setitem": Wrong(lambda: ones(3).__setitem__(7, 1.0), AxisError, "size 3", "7"),
    "gather": Wrong(lambda: paddle.gather(ones(3, 2), ints(3)), AxisError, "size 3", "3"),
    "index_select": Wrong(
        lambda: paddle.index_select(ones(3, 2), ints(-4)), AxisError, "size 3", "-4"
    ),
    "take_along_axis": Wrong(
        lambda: paddle.take_along_axis(ones(1, 3), paddle.to_tensor([[3]]), 1),
        AxisError,
        "size 3",
        "3",
    ),
    "gather_nd": Wrong(
        lambda: paddle.gather_nd(ones(2, 3), paddle.to_tensor([[0, 3]])), AxisError, "size 3", "3"
    ),
    "scatter": Wrong(
        lambda: paddle.scatter(ones(4, 3), ints(4), ones(1, 3)), AxisError, "size 4", "4"
    ),
    "embedding": Wrong(lambda: F.embedding(ints(7), ones(5, 2)), AxisError, "5", "7"),
    "embedding: negative": Wrong(lambda: F.embedding(ints(-1), ones(5, 2)), AxisError, "5", "-1"),
    "cross_entropy: label": Wrong(
        lambda: F.cross_entropy(ones(1, 3), ints(3)), AxisError, "0 to 2", "label 3"
    ),
    "cross_entropy: negative label": Wrong(
        lambda: F.cross_entropy(ones(1, 3), ints(-1)), AxisError, "0 to 2", "label -1"
    ),
    "one_hot": Wrong(lambda: F.one_hot(ints(5), 3), AxisError, "3 classes", "5"),
    "topk": Wrong(lambda: paddle.topk(ones(3), 5), ArgumentError, "between 1 and", "received 5"),
    "topk: 0": Wrong(lambda: paddle.topk(ones(3), 0), ArgumentError, "between 1 and", "received 0"),
    "item": Wrong(lambda: ones(3).item(5), AxisError, "3", "5"),
    "multinomial": Wrong(lambda: paddle.multinomial(ones(3), 5), ArgumentError, "3", "5"),
}

DTYPES = {
    "bitwise_and": Wrong(
        lambda: paddle.bitwise_and(ones(2), ones(2)), DTypeError, "integer", "float32"
    ),
    "embedding": Wrong(lambda: F.embedding(ones(2), ones(5, 2)), DTypeError, "integer", "f32"),
    "gather": Wrong(lambda: paddle.gather(ones(3), ones(1)), DTypeError, "integer", "f32"),
    "cross_entropy: input": Wrong(
        lambda: F.cross_entropy(paddle.to_tensor([[1, 2]]), ints(0)), DTypeError, "float", "i64"
    ),
    "where": Wrong(
        lambda: paddle.where(ones(2), ones(2), ones(2)), DTypeError, "truth values", "f32"
    ),
    "masked_select": Wrong(
        lambda: paddle.masked_select(ones(2), ints(0, 1)), DTypeError, "truth values", "i64"
    ),
    "layer_norm": Wrong(lambda: F.layer_norm(ints(1, 2), [2]), DTypeError, "float", "i64"),
    "dropout": Wrong(lambda: F.dropout(ints(1, 2)), DTypeError, "float", "i64"),
    "cast": Wrong(lambda: ones(2).astype("float99"), DTypeError, "float32", "float99"),
    "zeros": Wrong(lambda: paddle.zeros([2], dtype="int77"), DTypeError, "int64", "int77"),
    "invert": Wrong(lambda: ~ones(2), DTypeError, "integer", "float32"),
    "bincount": Wrong(lambda: paddle.bincount(ones(2)), DTypeError, "integers", "f32"),
    "one_hot": Wrong(lambda: F.one_hot(ones(2), 3), DTypeError, "integer", "f32"),
    "index of a float tensor": Wrong(
        lambda: [1, 2, 3][paddle.to_tensor(1.0)], DTypeError, "integer", "f32"
    ),
    "set_default_dtype": Wrong(
        lambda: paddle.set_default_dtype("int32"), DTypeError, "floating", "int32"
    ),
}

ATTRIBUTES = {
    "reduction": Wrong(
        lambda: F.mse_loss(ones(2), ones(2), reduction="avg"), ArgumentError, "'mean'", "'avg'"
    ),
    "cross_entropy: reduction": Wrong(
        lambda: F.cross_entropy(ones(2, 3), ints(0, 1), reduction="max"),
        ArgumentError,
        "'mean'",
        "'max'",
    ),
    "data_format": Wrong(
        lambda: F.conv2d(ones(1, 1, 3, 3), ones(1, 1, 3, 3), data_format="CHWN"),
        ArgumentError,
        "NCHW",
        "CHWN",
    ),
    "padding": Wrong(
        lambda: F.conv2d(ones(1, 1, 3, 3), ones(1, 1, 3, 3), padding="FULL"),
        ArgumentError,
        "SAME",
        "FULL",
    ),
    "stride": Wrong(
        lambda: F.max_pool2d(ones(1, 1, 4, 4), 2, stride=0), ArgumentError, "positive", "0"
    ),
    "stride: three": Wrong(
        lambda: F.conv2d(ones(1, 1, 3, 3), ones(1, 1, 3, 3), stride=[1, 1, 1]),
        ArgumentError,
        "2 integers",
        "[1, 1, 1]",
    ),
    "pad mode": Wrong(
        lambda: F.pad(ones(1, 1, 2, 2), [1, 1, 1, 1], mode="mirror"),
        ArgumentError,
        "reflect",
        "'mirror'",
    ),
    "axis of text": Wrong(
        lambda: paddle.sum(ones(2), axis="0"), TypeMismatchError, "integers", "str"
    ),
    "axis of a fraction": Wrong(
        lambda: F.softmax(ones(2), axis=0.5), TypeMismatchError, "int", "0.5"
    ),
    "shape of text": Wrong(
        lambda: paddle.reshape(ones(2, 3), "6"), TypeMismatchError, "integer", "str"
    ),
    "shape with text": Wrong(
        lambda: paddle.reshape(ones(2, 3), ["6"]), TypeMismatchError, "integers", "'6'"
    ),
    "dropout: p": Wrong(lambda: F.dropout(ones(2), p=1.5), ArgumentError, "[0, 1]", "1.5"),
    "dropout: p of text": Wrong(
        lambda: F.dropout(ones(2), p="0.5"), TypeMismatchError, "float", "'0.5'"
    ),
    "dropout: mode": Wrong(
        lambda: F.dropout(ones(2), mode="x"), ArgumentError, "upscale_in_train", "'x'"
    ),
    "gelu": Wrong(lambda: F.gelu(ones(2), approximate="tan"), ArgumentError, "bool", "'tan'"),
    "clip": Wrong(lambda: paddle.clip(ones(2), 3.0, 1.0), ArgumentError, "min <= max", "3.0"),
    "leaky_relu": Wrong(
        lambda: F.leaky_relu(ones(2), negative_slope="a"), TypeMismatchError, "float", "'a'"
    ),
    "keepdim": Wrong(lambda: ones(2).sum(keepdim="yes"), TypeMismatchError, "bool", "'yes'"),
    "topk: k": Wrong(lambda: paddle.topk(ones(2), 1.5), TypeMismatchError, "int", "1.5"),
    "arange: step": Wrong(lambda: paddle.arange(0, 4, 0), ArgumentError, "step", "0"),
    "linspace": Wrong(lambda: paddle.linspace(0.0, 1.0, 0), ArgumentError, "1", "0"),
    "randint": Wrong(lambda: paddle.randint(5, 5, [2]), ArgumentError, "low", "5"),
    "one_hot: classes": Wrong(lambda: F.one_hot(ints(0), "3"), TypeMismatchError, "int", "'3'"),
    "split: parts": Wrong(lambda: paddle.split(ones(4), "2"), TypeMismatchError, "int", "'2'"),
    "split: none": Wrong(lambda: paddle.split(ones(4), 0), ShapeError, "equal parts", "0"),
    "concat of nothing": Wrong(lambda: paddle.concat([]), NotTensorError, "at least one", "()"),
    "stack of text": Wrong(
        lambda: paddle.stack(["a", "b"]), NotTensorError, "Tensor", "('a', 'b')"
    ),
    "add of text": Wrong(lambda: paddle.add(ones(2), "a"), NotTensorError, "Tensor", "str"),
    "operator of text": Wrong(lambda: ones(2) * "a", NotTensorError, "Tensor", "str"),
    "matmul of a list": Wrong(
        lambda: paddle.matmul(ones(2, 2), [[1.0], [2.0]]), NotTensorError, "Tensor", "list"
    ),
    "relu of None": Wrong(lambda: F.relu(None), NotTensorError, "Tensor", "None"),
    "sum of a list": Wrong(lambda: paddle.sum([1.0, 2.0]), NotTensorError, "Tensor", "list"),
    "relu of a string": Wrong(lambda: F.relu("x"), NotTensorError, "Tensor", "str"),
    "an operand too few": Wrong(lambda: paddle.add(ones(2)), TypeMismatchError, "(x, y", "'y'"),
    "an operand too many": Wrong(
        lambda: F.relu(ones(2), ones(2), ones(2)), TypeMismatchError, "(x", "3"
    ),
    "an unknown attribute": Wrong(
        lambda: paddle.matmul(ones(2), ones(2), transpose_z=True),
        TypeMismatchError,
        "transpose_y",
        "transpose_z",
    ),
    "a wrapper's operand too few": Wrong(
        lambda: paddle.topk(ones(2)), TypeMismatchError, "topk(x, k", "'k'"
    ),
    "bernoulli": Wrong(lambda: paddle.bernoulli(ones(2) * 2), ArgumentError, "[0, 1]", "2"),
    "seed": Wrong(lambda: paddle.seed(-1), ArgumentError, "[0, 2**63)", "-1"),
    "set_device": Wrong(lambda: paddle.set_device("tpu:0"), ArgumentError, "cpu", "tpu:0"),
}

OPERATORS = {
    f"{kind}-{name}": wrong
    for kind, table in (
        ("shape", SHAPES),
        ("axis", AXES),
        ("index", INDICES),
        ("dtype", DTYPES),
        ("attribute", ATTRIBUTES),
    )
    for name, wrong in table.items()
}


@pytest.mark.parametrize("name", OPERATORS)
def test_the_error_says_what_was_expected_what_was_received_where_and_the_cure(name: str) -> None:
    assert_helpful(OPERATORS[name])


# Python's brackets and conversions name no operator; these others have no operand.
WITHOUT_OPERANDS = frozenset(
    {
        "attribute-a wrapper's operand too few",
        "attribute-concat of nothing",
        "attribute-relu of None",
        "attribute-seed",
        "attribute-set_device",
        "dtype-cast",
        "dtype-index of a float tensor",
        "dtype-set_default_dtype",
        "dtype-zeros",
        "index-getitem: a float",
        "index-getitem: text",
        "index-getitem: too many",
        "index-getitem: two ellipses",
        "index-item",
        "index-setitem",
        "shape-full: negative size",
        "shape-mask index",
    }
)


@pytest.mark.parametrize("name", [name for name in OPERATORS if name not in WITHOUT_OPERANDS])
def test_the_error_shows_the_operator_and_its_operands(name: str) -> None:
    error = raised(OPERATORS[name].call)
    assert error.operator
    assert error.operands
    assert str(error).startswith(f"{error.operator}: {error.message}\n  operands: ")
    assert all(operand in str(error) for operand in error.operands)
