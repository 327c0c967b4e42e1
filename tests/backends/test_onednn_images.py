"""Convolution and pooling of oneDNN against the NumPy kernels of the operators."""

import numpy as np
import pytest

from tests.backends.onednn_calls import run
from twinoar.autograd.api import grad
from twinoar.backends.onednn import (
    Binary,
    Eltwise,
    Layout,
    Sum,
    Window,
    available,
    convolution_backward_data,
    convolution_backward_weights,
    convolution_forward,
    deconvolution_forward,
    pooling_backward,
    pooling_forward,
    unavailable_reason,
)
from twinoar.core.dtype import dtype_of
from twinoar.core.op.definition import op_named
from twinoar.eager.tensor import to_tensor
from twinoar.ops.conv.transpose import conv2d_transpose

pytestmark = pytest.mark.skipif(not available(), reason=str(unavailable_reason()))

random = np.random.default_rng(0)

# images, filters, (stride, padding, dilation, groups)
CONVOLUTIONS = {
    "3x3": ((2, 16, 9, 8), (32, 16, 3, 3), ((1, 1), (1, 1, 1, 1), (1, 1), 1)),
    "stem": ((2, 3, 16, 16), (8, 3, 7, 7), ((2, 2), (3, 3, 3, 3), (1, 1), 1)),
    "downsample": ((2, 16, 8, 8), (32, 16, 1, 1), ((2, 2), (0, 0, 0, 0), (1, 1), 1)),
    "odd": ((1, 5, 7, 6), (7, 5, 3, 2), ((2, 1), (1, 0, 2, 1), (1, 1), 1)),
    "dilated": ((1, 4, 9, 9), (6, 4, 3, 2), ((1, 2), (2, 1, 0, 3), (2, 3), 1)),
    "grouped": ((2, 8, 6, 5), (12, 4, 3, 3), ((1, 1), (1, 1, 1, 1), (1, 1), 2)),
    "depthwise": ((2, 16, 7, 7), (16, 1, 3, 3), ((2, 2), (1, 1, 1, 1), (1, 1), 16)),
}
IMAGES = [Layout.row_major, Layout.channels_last, Layout.any]
FILTERS = [Layout.row_major, Layout.any]


def normal(*shape, dtype="float32"):
    return random.standard_normal(shape).astype(dtype_of(dtype).numpy)


def result_dims(images, filters, stride, padding, dilation, groups):
    def sizes():
        for axis in (0, 1):
            room = images[2 + axis] + sum(padding[2 * axis : 2 * axis + 2])
            yield (room - dilation[axis] * (filters[2 + axis] - 1) - 1) // stride[axis] + 1

    return (images[0], filters[0], *sizes())


def oracle(operator, *arrays_and_attributes):
    given = [to_tensor(a) if isinstance(a, np.ndarray) else a for a in arrays_and_attributes]
    return op_named(operator)(*given).numpy()


def gradient_of(operator, x, dy, *attributes):
    leaf = to_tensor(x, stop_gradient=False)
    (found,) = grad(op_named(operator)(leaf, *attributes), leaf, to_tensor(dy))
    return found.numpy()


def close(found, expected, dtype="float32"):
    """bfloat16 keeps 8 bits, float16 11; the sums here have up to a few hundred terms."""
    rtol = {"float32": 2e-5, "float16": 2e-3, "bfloat16": 1.6e-2}[dtype]
    scale = np.abs(expected.astype("float32")).max()
    np.testing.assert_allclose(
        found.reshape(expected.shape).astype("float32"),
        expected.astype("float32"),
        rtol=rtol,
        atol=rtol * scale,
    )


class Case:
    """One convolution: arrays, and their layouts in the library's terms."""

    def __init__(self, name, dtype="float32", images=Layout.channels_last, filters=Layout.any):
        self.images, self.filters, self.attributes = CONVOLUTIONS[name]
        self.results = result_dims(self.images, self.filters, *self.attributes)
        self.window = Window(*self.attributes)
        self.x, self.weight = normal(*self.images, dtype=dtype), normal(*self.filters, dtype=dtype)
        self.dy = normal(*self.results, dtype=dtype)
        kind = dtype_of(dtype)
        self.src, self.dst = images(self.images, kind), images(self.results, kind)
        self.weights = filters(self.filters, kind)
        self.bias = Layout.row_major((self.filters[0],), kind)


@pytest.mark.parametrize("filters", FILTERS)
@pytest.mark.parametrize("images", IMAGES)
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolution_forward_is_the_operator(name, images, filters):
    case = Case(name, images=images, filters=filters)
    primitive = convolution_forward(case.src, case.weights, case.dst, case.window)
    (found,) = run(primitive, "dst", src=case.x, weights=case.weight)
    close(found, oracle("conv2d", case.x, case.weight, *case.attributes))


@pytest.mark.parametrize("filters", FILTERS)
@pytest.mark.parametrize("images", IMAGES)
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolution_backward_data_is_the_gradient_of_the_images(name, images, filters):
    case = Case(name, images=images, filters=filters)
    primitive = convolution_backward_data(case.src, case.weights, case.dst, case.window)
    (found,) = run(primitive, "diff_src", diff_dst=case.dy, weights=case.weight)
    close(found, oracle("conv2d_grad_x", case.dy, case.weight, case.images[2:], *case.attributes))


@pytest.mark.parametrize("filters", FILTERS)
@pytest.mark.parametrize("images", IMAGES)
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolution_backward_weights_is_the_gradient_of_filters_and_bias(name, images, filters):
    case = Case(name, images=images, filters=filters)
    primitive = convolution_backward_weights(
        case.src, case.weights, case.dst, case.window, diff_bias=case.bias
    )
    found, bias = run(primitive, "diff_weights", "diff_bias", src=case.x, diff_dst=case.dy)
    expected = oracle("conv2d_grad_weight", case.x, case.dy, case.filters[2:], *case.attributes)
    close(found, expected)
    close(bias, case.dy.sum(axis=(0, 2, 3)))


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("name", ["3x3", "odd", "depthwise"])
def test_convolution_in_half_precision_is_the_operator_where_the_processor_has_it(name, dtype):
    case = Case(name, dtype)
    primitive = convolution_forward(case.src, case.weights, case.dst, case.window)
    if primitive is None:
        pytest.skip(f"the library has no {dtype} convolution on this processor")
    (found,) = run(primitive, "dst", src=case.x, weights=case.weight)
    close(found, oracle("conv2d", case.x, case.weight, *case.attributes), dtype)


def test_there_is_no_convolution_of_integers_or_of_float64():
    for dtype in ("int64", "int32", "float64"):
        kind = dtype_of(dtype)
        x, weights = Layout.row_major((1, 2, 4, 4), kind), Layout.row_major((3, 2, 3, 3), kind)
        dst = Layout.row_major((1, 3, 2, 2), kind)
        assert convolution_forward(x, weights, dst, Window()) is None


def test_bias_residual_and_activation_are_part_of_the_convolution():
    case = Case("3x3")
    residual, bias = normal(*case.results), normal(case.filters[0])
    primitive = convolution_forward(
        case.src,
        case.weights,
        case.dst,
        case.window,
        bias=case.bias,
        post=[Binary("add", case.dst), Eltwise("relu")],
    )
    (found,) = run(primitive, "dst", src=case.x, weights=case.weight, bias=bias, post_0=residual)
    out = oracle("conv2d", case.x, case.weight, *case.attributes)
    close(found, np.maximum(out + bias.reshape(-1, 1, 1) + residual, 0))


def test_a_sum_adds_to_what_the_destination_held():
    case = Case("3x3")
    before = normal(*case.results)
    primitive = convolution_forward(
        case.src, case.weights, case.dst, case.window, post=[Sum(0.5), Eltwise("relu")]
    )
    (found,) = run(primitive, "dst", src=case.x, weights=case.weight, dst=before)
    out = oracle("conv2d", case.x, case.weight, *case.attributes)
    close(found, np.maximum(out + 0.5 * before, 0))


@pytest.mark.parametrize("groups", [1, 2])
def test_deconvolution_is_the_transposed_convolution_with_bias_and_activation(groups):
    x, weight, bias = normal(2, 8, 5, 4), normal(8, 6, 3, 3), normal(6 * groups)
    attributes = ((2, 2), (1, 1, 1, 0), (1, 1), groups)
    expected = conv2d_transpose(
        to_tensor(x), to_tensor(weight), to_tensor(bias), 2, [1, 1, 1, 0], groups=groups
    ).numpy()
    primitive = deconvolution_forward(
        Layout.channels_last(x.shape, dtype_of("float32")),
        Layout.any(weight.shape, dtype_of("float32")),
        Layout.channels_last(expected.shape, dtype_of("float32")),
        Window(*attributes),
        bias=Layout.of(bias),
        post=[Eltwise("tanh")],
    )
    split = weight.reshape(groups, 8 // groups, 6, 3, 3).swapaxes(1, 2)
    (found,) = run(primitive, "dst", src=x, weights=split, bias=bias)
    close(found, np.tanh(expected))


def test_convolution_serves_sequences_and_volumes():
    for sizes in ((9,), (5, 6, 7)):
        rank = len(sizes)
        x, weight = normal(2, 4, *sizes), normal(6, 4, *(1,) * rank)
        dst = Layout.any((2, 6, *sizes), dtype_of("float32"))
        window = Window((1,) * rank, (0, 0) * rank, (1,) * rank)
        primitive = convolution_forward(Layout.of(x), Layout.of(weight), dst, window)
        (found,) = run(primitive, "dst", src=x, weights=weight)
        close(found, np.einsum("nc...,oc->no...", x, weight.reshape(6, 4)))


# images, kernel size, stride, padding, ceil mode
POOLS = {
    "2x2": ((2, 16, 8, 8), (2, 2), (2, 2), (0, 0, 0, 0), False),
    "stem": ((2, 16, 9, 9), (3, 3), (2, 2), (1, 1, 1, 1), False),
    "odd": ((1, 5, 7, 6), (3, 2), (2, 1), (1, 0, 1, 1), False),
    "ceil": ((1, 8, 6, 6), (3, 3), (2, 2), (0, 0, 1, 0), True),
    "whole": ((2, 16, 7, 7), (7, 7), (1, 1), (0, 0, 0, 0), False),
}


def pool_layouts(images, name, expected):
    kind = dtype_of("float32")
    _, kernel_size, stride, padding, _ = POOLS[name]
    dims = POOLS[name][0]
    return images(dims, kind), images(expected.shape, kind), kernel_size, Window(stride, padding)


@pytest.mark.parametrize("images", [Layout.row_major, Layout.channels_last])
@pytest.mark.parametrize("name", POOLS)
def test_maxima_and_their_gradient_are_the_operators(name, images):
    dims, *attributes = POOLS[name]
    x = random.integers(0, 4, dims).astype("float32")  # with many equal maxima
    expected = oracle("max_pool2d", x, *attributes)
    src, dst, kernel_size, window = pool_layouts(images, name, expected)
    forward = pooling_forward(src, dst, "max", kernel_size, window, training=True)
    found, workspace = run(forward, "dst", "workspace", src=x)
    np.testing.assert_array_equal(found, expected)

    dy = normal(*expected.shape)
    backward = pooling_backward(src, dst, "max", kernel_size, window, forward)
    (gradient,) = run(backward, "diff_src", diff_dst=dy, workspace=workspace)
    close(gradient, gradient_of("max_pool2d", x, dy, *attributes))


@pytest.mark.parametrize("images", [Layout.row_major, Layout.channels_last])
@pytest.mark.parametrize("exclusive", [True, False])
@pytest.mark.parametrize("name", POOLS)
def test_averages_and_their_gradient_are_the_operators(name, exclusive, images):
    dims, *attributes = POOLS[name]
    x = normal(*dims)
    expected = oracle("avg_pool2d", x, *attributes, exclusive)
    src, dst, kernel_size, window = pool_layouts(images, name, expected)
    kind = "average" if exclusive else "average_with_padding"
    forward = pooling_forward(src, dst, kind, kernel_size, window, training=True)
    if name == "ceil" and not exclusive:
        assert forward is None  # the library would count what hangs over the padding
        return
    (found,) = run(forward, "dst", src=x)
    close(found, expected)

    dy = normal(*expected.shape)
    backward = pooling_backward(src, dst, kind, kernel_size, window, forward)
    (gradient,) = run(backward, "diff_src", diff_dst=dy)
    close(gradient, gradient_of("avg_pool2d", x, dy, *attributes, exclusive))


def test_a_maximum_for_inference_keeps_no_workspace():
    src, dst, kernel_size, window = pool_layouts(
        Layout.channels_last, "2x2", np.empty((2, 16, 4, 4))
    )
    primitive = pooling_forward(src, dst, "max", kernel_size, window)
    assert "workspace" not in primitive.arguments
