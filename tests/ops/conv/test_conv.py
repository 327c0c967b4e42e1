"""Convolution: wrappers, data formats, unknown sizes; the rest is in test_ops."""

import numpy as np
import pytest

from twinoar.autograd.api import grad
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.conv.conv import conv1d, conv2d
from twinoar.ops.conv.operator import conv2d_op
from twinoar.ops.conv.transpose import conv1d_transpose, conv2d_transpose
from twinoar.ops.window import _columns as columns

random = np.random.default_rng(0)


def normal(*shape):
    return random.standard_normal(shape).astype("float32")


def plainly(x, weight, stride=(1, 1), padding=(0, 0, 0, 0), dilation=(1, 1), groups=1):
    """Convolution as its definition says, one output element at a time."""
    top, bottom, left, right = padding
    x = np.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)))
    o, c, kh, kw = weight.shape
    reach = [d * (k - 1) + 1 for d, k in zip(dilation, (kh, kw), strict=True)]
    oh, ow = ((n - r) // s + 1 for n, r, s in zip(x.shape[2:], reach, stride, strict=True))
    out = np.zeros((len(x), o, oh, ow), "float64")
    for k in range(o):
        first = k // (o // groups) * c
        for i in range(oh):
            for j in range(ow):
                rows = slice(i * stride[0], i * stride[0] + reach[0], dilation[0])
                cols = slice(j * stride[1], j * stride[1] + reach[1], dilation[1])
                part = x[:, first : first + c, rows, cols]
                out[:, k, i, j] = (part * weight[k]).sum(axis=(1, 2, 3))
    return out


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"stride": (2, 1), "padding": (1, 0, 2, 1)},
        {"dilation": (2, 3), "padding": (2, 2, 2, 2)},
        {"groups": 2},
        {"groups": 4, "stride": (2, 2)},
    ],
)
def test_conv2d_is_its_definition(options):
    x, weight = normal(2, 4, 7, 9), normal(8, 4 // options.get("groups", 1), 3, 2)
    found = conv2d(to_tensor(x), to_tensor(weight), **options).numpy()
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, plainly(x, weight, **options), rtol=1e-4, atol=1e-4)


def test_conv2d_adds_the_bias_by_channel():
    x, weight, bias = normal(2, 3, 5, 5), normal(4, 3, 3, 3), normal(4)
    with_bias = conv2d(*map(to_tensor, (x, weight, bias))).numpy()
    without = conv2d(to_tensor(x), to_tensor(weight)).numpy()
    np.testing.assert_allclose(with_bias, without + bias[:, None, None], rtol=1e-6)


def test_channels_last_is_channels_first_transposed():
    x, weight, bias = normal(2, 3, 5, 6), normal(4, 3, 3, 3), normal(4)
    first = conv2d(*map(to_tensor, (x, weight, bias)), stride=2, padding=[1, 0]).numpy()
    images = to_tensor(np.ascontiguousarray(x.transpose(0, 2, 3, 1)))
    last = conv2d(images, to_tensor(weight), to_tensor(bias), 2, [1, 0], data_format="NHWC")
    np.testing.assert_allclose(last.numpy().transpose(0, 3, 1, 2), first, rtol=1e-5, atol=1e-6)


def test_same_padding_keeps_the_size_and_sets_dilation_to_1():
    x, weight = to_tensor(normal(1, 2, 7, 8)), to_tensor(normal(3, 2, 3, 3))
    assert conv2d(x, weight, padding="SAME").shape == [1, 3, 7, 8]
    assert conv2d(x, weight, stride=2, padding="SAME").shape == [1, 3, 4, 4]
    dilated = conv2d(x, weight, padding="SAME", dilation=2).numpy()
    np.testing.assert_array_equal(dilated, conv2d(x, weight, padding="SAME").numpy())


def test_a_batch_larger_than_the_column_buffer_gives_the_same(monkeypatch):
    x, weight = to_tensor(normal(5, 2, 6, 6)), to_tensor(normal(3, 2, 3, 3))
    x.stop_gradient = weight.stop_gradient = False
    whole = [conv2d(x, weight), *grad(conv2d(x, weight).sum(), [x, weight])]
    monkeypatch.setattr(columns, "COLUMN_BYTES", 2 * 2 * 9 * 16 * 4)
    parts = [conv2d(x, weight), *grad(conv2d(x, weight).sum(), [x, weight])]
    for a, b in zip(whole, parts, strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5, atol=1e-5)


def test_unknown_batch_and_size_are_inferred_as_expressions():
    x, weight = Spec.parse("f32[N,3,H,2*W]"), Spec((4, 3, 3, 3))
    program = trace(lambda x, weight: conv2d(x, weight, stride=(1, 2), padding=1), x, weight)
    (out,) = program.main.outputs
    assert str(out.spec) == "f32[N,4,H,((2*W-1)//(2))+1]"


def test_gradients_have_the_unknown_sizes_of_their_operands():
    specs = Spec.parse("f32[N,3,H,W]"), Spec((4, 3, 3, 3))
    program = trace(lambda x, weight: conv2d_op(x, weight, (2, 2), (1, 1, 1, 1)), *specs)
    (conv,) = program.main.ops
    rule = conv2d_op.grad_rule.function
    with_gradient = trace(
        lambda g, x, weight: rule(g, x, weight, (x.spec, weight.spec), (True, True), **conv.attrs),
        conv.results[0].spec,
        *specs,
    )
    assert [v.spec for v in with_gradient.main.outputs] == list(specs)


@pytest.mark.parametrize(
    ("options", "size"),
    [
        ({}, [9, 11]),
        ({"stride": 2}, [15, 19]),
        ({"stride": 2, "padding": 1, "output_padding": 1}, [14, 18]),
        ({"stride": 2, "output_size": [16, 20]}, [16, 20]),
        ({"stride": 2, "padding": "SAME"}, [13, 17]),
        ({"stride": 3, "padding": "SAME"}, [19, 27]),
        ({"stride": 2, "dilation": 2, "padding": [1, 0, 2, 1]}, [16, 18]),
    ],
)
def test_transposed_convolution_has_paddles_sizes(options, size):
    x, weight = to_tensor(normal(2, 4, 7, 9)), to_tensor(normal(4, 3, 3, 3))
    assert conv2d_transpose(x, weight, **options).shape == [2, 3, *size]


def test_transposed_convolution_is_the_adjoint_of_convolution():
    weight = to_tensor(normal(4, 3, 3, 3))
    small, large = to_tensor(normal(2, 4, 4, 5)), to_tensor(normal(2, 3, 8, 9))
    up = conv2d_transpose(small, weight, stride=2, padding=1, output_size=[8, 9])
    down = conv2d(large, weight, stride=2, padding=1)
    left, right = (up.numpy() * large.numpy()).sum(), (down.numpy() * small.numpy()).sum()
    assert left == pytest.approx(right, rel=1e-4)


def test_an_impossible_output_size_is_refused():
    x, weight = to_tensor(normal(1, 4, 7, 9)), to_tensor(normal(4, 3, 3, 3))
    with pytest.raises(ShapeError, match=r"output_size \[20, 20\] is not possible"):
        conv2d_transpose(x, weight, stride=2, output_size=[20, 20])
    with pytest.raises(ArgumentError, match="output_padding must be less than stride"):
        conv2d_transpose(x, weight, stride=2, output_padding=2)


@pytest.mark.parametrize("data_format", ["NCL", "NLC"])
def test_conv1d_is_conv2d_with_one_row(data_format):
    x, weight, bias = normal(2, 4, 9), normal(6, 2, 3), normal(6)
    given = x if data_format == "NCL" else np.ascontiguousarray(x.transpose(0, 2, 1))
    tensors = map(to_tensor, (given, weight, bias))
    out = conv1d(*tensors, stride=2, padding=[1, 2], groups=2, data_format=data_format).numpy()
    out = out if data_format == "NCL" else out.transpose(0, 2, 1)
    rows = plainly(x[:, :, None], weight[:, :, None], (1, 2), (0, 0, 1, 2), groups=2)[:, :, 0]
    np.testing.assert_allclose(out, rows + bias[:, None], rtol=1e-4, atol=1e-5)


def test_conv1d_transpose_is_conv2d_transpose_with_one_row():
    x, weight = normal(2, 4, 5), normal(4, 3, 3)
    row = conv1d_transpose(to_tensor(x), to_tensor(weight), stride=2, padding=1, output_padding=1)
    image = conv2d_transpose(
        to_tensor(x[:, :, None]), to_tensor(weight[:, :, None]), None, (1, 2), (0, 1), (0, 1)
    )
    np.testing.assert_array_equal(row.numpy(), image.numpy()[:, :, 0])


@pytest.mark.parametrize(
    ("x", "weight", "message"),
    [
        ((3, 7, 7), (4, 3, 3, 3), "x must have 4 dimensions"),
        ((1, 3, 7, 7), (4, 5, 3, 3), "x has 3 channels, weight expects 5"),
        ((1, 3, 2, 2), (4, 3, 3, 3), "a window of 3 elements does not fit into 2"),
    ],
)
def test_wrong_shapes_are_refused(x, weight, message):
    with pytest.raises(ShapeError, match=message):
        conv2d(to_tensor(normal(*x)), to_tensor(normal(*weight)))
