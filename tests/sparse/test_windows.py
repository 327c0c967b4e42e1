"""Sparse convolution and pooling against the dense ones, and against what Paddle 3.3.1 gives."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError
from twinoar.nn import functional as dense
from twinoar.sparse import nn as sparse
from twinoar.sparse import sparse_coo_tensor

PLACES = [[0, 0, 0, 1], [0, 1, 2, 0], [1, 2, 0, 2], [3, 0, 2, 1]]
FUNCTIONS = sparse.functional


def tensor(array):
    return paddle.to_tensor(np.asarray(array, "float64"), stop_gradient=False)


def volume(sign=1.0):
    values = tensor(sign * np.arange(1, 9).reshape(4, 2))
    return sparse_coo_tensor(PLACES, values, [2, 3, 3, 4, 2])


def picture():
    values = tensor(np.arange(1, 7).reshape(3, 2))
    return sparse_coo_tensor([[0, 0, 1], [0, 1, 2], [1, 2, 0]], values, [2, 3, 3, 2])


def ramp(*shape):
    return tensor(np.linspace(-1, 1, int(np.prod(shape))).reshape(shape))


def channels_first(rank):
    return [0, rank + 1, *range(1, rank + 1)]


def dense_result(x, weight, bias, rank, **window):
    """What the dense convolution gives, with channels last."""
    function = dense.conv2d if rank == 2 else dense.conv3d
    filters = weight.transpose([rank + 1, rank, *range(rank)])
    out = function(x.to_dense().transpose(channels_first(rank)), filters, bias, **window)
    return out.transpose([0, *range(2, rank + 2), 1])


@pytest.mark.parametrize(
    "window",
    [
        {},
        {"padding": 1},
        {"padding": [1, 0, 1], "stride": [1, 2, 1]},
        {"stride": 2, "padding": "SAME"},
        {"padding": [[0, 0], [1, 0], [0, 1], [2, 2], [0, 0]], "dilation": [1, 1, 2]},
        {"padding": [1, 1, 0, 0, 1, 1]},
    ],
)
def test_a_convolution_holds_what_the_dense_one_gives_there(window):
    x, weight, bias = volume(), ramp(2, 2, 2, 2, 3), tensor([0.5, 0.0, -0.5])
    y = FUNCTIONS.conv3d(x, weight, bias, **window)
    plain = {**window, "padding": window.get("padding", 0)}
    if isinstance(plain["padding"], list) and isinstance(plain["padding"][0], list):
        first, *axes, last = plain["padding"]
        plain["padding"] = [first, last, *axes]
    expected = dense_result(x, weight, bias, 3, **plain)
    assert y.shape == expected.shape
    held = tuple(np.asarray(y.indices()))
    np.testing.assert_allclose(y.values(), np.asarray(expected)[held], atol=1e-12)
    untouched = np.ones(y.shape[:-1], bool)
    untouched[held] = False
    outside = np.asarray(expected)[untouched]
    np.testing.assert_allclose(outside, np.broadcast_to(bias, outside.shape))


@pytest.mark.parametrize("name", ["conv2d", "subm_conv2d"])
def test_images_are_convolved_as_volumes_are(name):
    x, weight = picture(), ramp(3, 3, 2, 3)
    y = getattr(FUNCTIONS, name)(x, weight, None, 1, 1)
    expected = np.asarray(dense_result(x, weight, None, 2, padding=1))
    np.testing.assert_allclose(y.values(), expected[tuple(np.asarray(y.indices()))], atol=1e-12)
    assert y.nnz() == (12 if name == "conv2d" else 3)


@pytest.mark.parametrize("name", ["subm_conv3d", "subm_conv3d_igemm"])
@pytest.mark.parametrize("dilation", [1, 2, (1, 2, 1)])
@pytest.mark.parametrize(("stride", "padding"), [(1, 0), (2, 1), (1, "SAME")])
def test_positions_are_kept_whatever_stride_and_padding_say(name, dilation, stride, padding):
    x, weight = volume(), ramp(3, 3, 3, 2, 3)
    y = getattr(FUNCTIONS, name)(x, weight, None, stride, padding, dilation)
    np.testing.assert_array_equal(y.indices(), PLACES)
    expected = np.asarray(dense_result(x, weight, None, 3, padding=dilation, dilation=dilation))
    np.testing.assert_allclose(y.values(), expected[tuple(PLACES)], atol=1e-12)


def test_pooling_compares_the_elements_that_are_held():
    y = FUNCTIONS.max_pool3d(volume(-1.0), 3, 1)
    assert y.indices().tolist() == [[0, 0, 1, 1], [0] * 4, [0] * 4, [0, 1, 0, 1]]
    assert y.values().tolist() == [[-3.0, -4.0], [-1.0, -2.0], [-7.0, -8.0], [-7.0, -8.0]]


def test_pooled_windows_may_hang_over_the_edge():
    assert FUNCTIONS.max_pool3d(volume(), 2).shape == [2, 1, 1, 2, 2]
    y = FUNCTIONS.max_pool3d(volume(), 2, ceil_mode=True)
    assert (y.shape, y.nnz()) == ([2, 2, 2, 2, 2], 4)


def test_equal_elements_get_the_whole_gradient_of_a_maximum():
    values = tensor([[2.0], [2.0], [-1.0]])
    x = sparse_coo_tensor([[0, 0, 0], [0, 0, 2], [0, 1, 2], [0, 0, 2]], values, [1, 3, 3, 3, 1])
    FUNCTIONS.max_pool3d(x, 2, 1).values().sum().backward()
    assert values.grad.tolist() == [[1.0], [2.0], [1.0]]


@pytest.mark.parametrize("name", ["conv3d", "subm_conv3d"])
def test_gradients_are_those_of_the_dense_convolution(name):
    x, weight, bias = volume(), ramp(3, 3, 3, 2, 3), tensor([0.5, 0.0, -0.5])
    y = getattr(FUNCTIONS, name)(x, weight, bias, 1, 1)
    got = paddle.grad((y.values() ** 2).sum(), [x.values(), weight, bias])
    out = dense_result(x, weight, bias, 3, padding=1)
    held = paddle.gather_nd(out, paddle.to_tensor(np.asarray(y.indices()).T))
    for a, b in zip(got, paddle.grad((held**2).sum(), [x.values(), weight, bias]), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-9)


def test_elements_of_one_position_add_up_before():
    places = [[0, 0, 0], [2, 0, 2], [1, 1, 1]]
    x = sparse_coo_tensor(places, tensor([[1.0], [2.0], [3.0]]), [1, 3, 3, 1])
    weight = ramp(3, 3, 1, 1)
    joined = x.coalesce()
    for function in (FUNCTIONS.conv2d, FUNCTIONS.subm_conv2d):
        one, other = function(x, weight), function(joined, weight)
        np.testing.assert_array_equal(one.indices(), other.indices())
        np.testing.assert_array_equal(one.values(), other.values())


def test_an_image_of_nothing_stays_one():
    x = sparse_coo_tensor(np.zeros([3, 0], "int64"), paddle.zeros([0, 1]), [1, 3, 3, 1])
    y = FUNCTIONS.conv2d(x, paddle.ones([3, 3, 1, 2]), paddle.ones([2]), 1, 1)
    assert (y.shape, y.nnz()) == ([1, 3, 3, 2], 0)
    empty = sparse_coo_tensor(np.zeros([4, 0], "int64"), paddle.zeros([0, 1]), [1, 3, 3, 3, 1])
    assert FUNCTIONS.max_pool3d(empty, 3).nnz() == 0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: FUNCTIONS.conv3d(x, ramp(2, 2, 2, 3, 1)), ShapeError, "2 channels"),
        (lambda x: FUNCTIONS.conv3d(x, ramp(2, 2, 2, 2)), ShapeError, "dimensions"),
        (lambda x: FUNCTIONS.conv3d(x, ramp(4, 1, 1, 2, 1)), ShapeError, "does not fit"),
        (lambda x: FUNCTIONS.conv2d(x, ramp(2, 2, 2, 1)), ShapeError, "NHWC"),
        (
            lambda x: FUNCTIONS.conv3d(x.to_dense(), ramp(1, 1, 1, 2, 1)),
            TypeMismatchError,
            "sparse",
        ),
        (lambda x: FUNCTIONS.conv3d(x, ramp(1, 1, 1, 2, 1), groups=2), ArgumentError, "groups"),
        (
            lambda x: FUNCTIONS.conv3d(x, ramp(1, 1, 1, 2, 1), data_format="NCDHW"),
            ArgumentError,
            "NDHWC",
        ),
        (lambda x: FUNCTIONS.subm_conv3d(x, ramp(2, 2, 2, 2, 1)), ArgumentError, "odd"),
        (lambda x: FUNCTIONS.max_pool3d(x, [1, 2]), ArgumentError, "kernel_size"),
        (lambda x: sparse.Conv3D(2, 2, 1, groups=2), ArgumentError, "groups"),
        (lambda x: sparse.Conv3D(2, 2, 1, padding_mode="reflect"), ArgumentError, "padding_mode"),
        (lambda x: sparse.SubmConv3D(2, 2, 1, backend="gemm"), ArgumentError, "backend"),
        (lambda x: sparse.MaxPool3D(2, return_mask=True), ArgumentError, "return_mask"),
        (lambda x: sparse.BatchNorm(2, data_format="NCDHW"), ArgumentError, "data_format"),
    ],
)
def test_what_does_not_fit_is_told(call, error, message):
    with pytest.raises(error, match=message):
        call(volume())


def test_layers_are_shown_as_paddle_shows_them():
    assert str(sparse.Conv3D(2, 3, 3)) == ("Conv3D(2, 3, kernel_size=[3, 3, 3], data_format=NDHWC)")
    assert str(sparse.SubmConv2D(2, 3, 3, padding=1)) == (
        "SubmConv2D(2, 3, kernel_size=[3, 3], padding=1, data_format=NHWC)"
    )
    assert str(sparse.MaxPool3D(2)) == "MaxPool3D(kernel_size=2, stride=None, padding=0)"


def test_weights_begin_as_those_of_paddle():
    paddle.seed(0)
    layer = sparse.Conv3D(16, 32, 3)
    assert layer.weight.shape == [3, 3, 3, 16, 32]
    np.testing.assert_allclose(layer.weight.numpy().std(), (2 / (27 * 16)) ** 0.5, rtol=0.02)
    assert layer.bias.tolist() == [0.0] * 32
    assert sparse.SubmConv3D(2, 3, 3, bias_attr=False).bias is None


def test_normalization_is_of_the_elements_held():
    x = volume().astype("float32")
    layer = sparse.BatchNorm(2)
    y = layer(x)
    np.testing.assert_allclose(
        y.values()[:, 0], [-1.3416394, -0.4472132, 0.4472132, 1.3416394], 1e-6
    )
    np.testing.assert_allclose(layer._mean, [0.4, 0.5], 1e-6)
    np.testing.assert_allclose(layer._variance, [1.4, 1.4], 1e-6)
    layer.eval()
    np.testing.assert_allclose(
        layer(x).values()[:, 0], (np.array([1, 3, 5, 7]) - 0.4) / 1.4**0.5, 1e-4
    )


def test_layers_are_synchronized_by_their_kind():
    net = paddle.nn.Sequential(sparse.BatchNorm(3), paddle.nn.BatchNorm2D(3))
    for convert in (sparse.SyncBatchNorm, paddle.nn.SyncBatchNorm):
        made = convert.convert_sync_batchnorm(net)
        assert type(made[0]) is sparse.SyncBatchNorm
        assert type(made[1]) is paddle.nn.SyncBatchNorm


def test_a_network_learns():
    paddle.seed(0)
    net = paddle.nn.Sequential(
        sparse.SubmConv3D(2, 4, 3), sparse.BatchNorm(4), sparse.ReLU(), sparse.MaxPool3D(2, 1),
        sparse.Conv3D(4, 1, 2),
    )  # fmt: skip
    optimizer = paddle.optimizer.Adam(0.05, parameters=net.parameters())
    losses = []
    for _ in range(20):
        loss = ((net(volume().astype("float32")).values() - 1.0) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 10
