"""Layers: what they print, what they compute, what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from twinoar import nn
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ShapeError, TwinoarError, TypeMismatchError
from twinoar.nn.initializer import Constant

rng = np.random.default_rng(3)


def array(*shape: int) -> np.ndarray:
    return rng.standard_normal(shape).astype("float32")


PRINTED = [
    (lambda: nn.Linear(2, 3), "Linear(in_features=2, out_features=3, dtype=float32)"),
    (
        lambda: nn.Linear(2, 3, name="foo"),
        "Linear(in_features=2, out_features=3, dtype=float32, name=foo)",
    ),
    (lambda: nn.Identity(1, a=2), "Identity()"),
    (lambda: nn.Conv1D(2, 4, 3), "Conv1D(2, 4, kernel_size=[3], data_format=NCL)"),
    (
        lambda: nn.Conv2D(2, 4, (3, 5), 2, 1, 2, 2, padding_mode="reflect"),
        "Conv2D(2, 4, kernel_size=[3, 5], stride=[2, 2], padding=1, padding_mode=reflect, "
        "dilation=[2, 2], groups=2, data_format=NCHW)",
    ),
    (
        lambda: nn.Conv2D(3, 4, 3, padding="SAME"),
        "Conv2D(3, 4, kernel_size=[3, 3], padding=SAME, data_format=NCHW)",
    ),
    (
        lambda: nn.Conv2DTranspose(1, 1, 2, output_padding=1, stride=2),
        "Conv2DTranspose(1, 1, kernel_size=[2, 2], stride=[2, 2], output_padding=1, "
        "data_format=NCHW)",
    ),
    (lambda: nn.MaxPool1D(2), "MaxPool1D(kernel_size=2, stride=None, padding=0)"),
    (lambda: nn.MaxPool2D(2, 2), "MaxPool2D(kernel_size=2, stride=2, padding=0)"),
    (lambda: nn.AvgPool1D(2), "AvgPool1D(kernel_size=2, stride=None, padding=0)"),
    (lambda: nn.AvgPool2D(2, padding=1), "AvgPool2D(kernel_size=2, stride=None, padding=1)"),
    (lambda: nn.AdaptiveAvgPool1D(3), "AdaptiveAvgPool1D(output_size=3)"),
    (lambda: nn.AdaptiveAvgPool2D((3, 4)), "AdaptiveAvgPool2D(output_size=(3, 4))"),
    (lambda: nn.AdaptiveMaxPool2D(2), "AdaptiveMaxPool2D(output_size=2, return_mask=False)"),
    (lambda: nn.BatchNorm(3), "BatchNorm()"),
    (
        lambda: nn.BatchNorm1D(3),
        "BatchNorm1D(num_features=3, momentum=0.9, epsilon=1e-05, data_format=NCL)",
    ),
    (
        lambda: nn.BatchNorm2D(3, momentum=0.5),
        "BatchNorm2D(num_features=3, momentum=0.5, epsilon=1e-05)",
    ),
    (
        lambda: nn.BatchNorm3D(3),
        "BatchNorm3D(num_features=3, momentum=0.9, epsilon=1e-05, data_format=NCDHW)",
    ),
    (
        lambda: nn.SyncBatchNorm(3),
        "SyncBatchNorm(num_features=3, momentum=0.9, epsilon=1e-05)",
    ),
    (lambda: nn.LayerNorm((3, 4)), "LayerNorm(normalized_shape=[3, 4], epsilon=1e-05)"),
    (lambda: nn.GroupNorm(2, 4), "GroupNorm(num_groups=2, num_channels=4, epsilon=1e-05)"),
    (lambda: nn.InstanceNorm2D(3), "InstanceNorm2D(num_features=3, epsilon=1e-05)"),
    (
        lambda: nn.Dropout(0.3, axis=1, mode="downscale_in_infer"),
        "Dropout(p=0.3, axis=1, mode=downscale_in_infer, inplace=False)",
    ),
    (lambda: nn.Dropout2D(), "Dropout2D(p=0.5, data_format=NCHW)"),
    (lambda: nn.Dropout3D(), "Dropout3D(p=0.5, data_format=NCDHW)"),
    (
        lambda: nn.Embedding(5, 3, padding_idx=-1),
        "Embedding(5, 3, padding_idx=-1, sparse=False, scale_grad_by_freq=False)",
    ),
    (lambda: nn.Flatten(), "Flatten()"),
    (lambda: nn.Unflatten(1, [2, 2]), "Unflatten(axis=1, shape=[2, 2])"),
    (
        lambda: nn.Pad2D([1, 2, 3, 4], mode="reflect"),
        "Pad2D(padding=[1, 2, 3, 4], mode=reflect, value=0.0, data_format=NCHW)",
    ),
    (
        lambda: nn.ZeroPad2D(1),
        "ZeroPad2D(padding=[1, 1, 1, 1], mode=constant, value=0.0, data_format=NCHW)",
    ),
    (lambda: nn.ReLU(), "ReLU()"),
    (lambda: nn.ReLU(name="r"), "ReLU(name=r)"),
    (lambda: nn.LeakyReLU(), "LeakyReLU(negative_slope=0.01)"),
    (
        lambda: nn.PReLU(3, 0.1),
        "PReLU(num_parameters=3, data_format=NCHW, init=0.1, dtype=float32)",
    ),
    (lambda: nn.SELU(), "SELU(scale=1.0507009873554805, alpha=1.6732632423543772)"),
    (lambda: nn.GELU(True), "GELU(approximate=True)"),
    (lambda: nn.Hardtanh(), "Hardtanh(min=-1.0, max=1.0)"),
    (lambda: nn.Softplus(), "Softplus(beta=1, threshold=20)"),
    (lambda: nn.Silu(), "Silu(inplace=False)"),
    (lambda: nn.ThresholdedReLU(), "ThresholdedReLU(threshold=1.0, value=0.0)"),
    (lambda: nn.Softmax(name="x"), "Softmax(axis=-1, name=x)"),
    (lambda: nn.Maxout(2), "Maxout(groups=2, axis=1)"),
    (lambda: nn.CrossEntropyLoss(), "CrossEntropyLoss()"),
]


@pytest.mark.parametrize(("make", "printed"), PRINTED, ids=[text for _, text in PRINTED])
def test_layers_print_as_paddles(make, printed: str) -> None:
    assert repr(make()) == printed


REFUSED = [
    (lambda: nn.Conv2D(3, 4, 3, groups=2), ShapeError, "groups must divide the channels"),
    (lambda: nn.Conv2D(4, 3, 3, groups=2), ShapeError, "groups must divide the channels"),
    (lambda: nn.Conv2D(3, 4, 3, padding_mode="foo"), ArgumentError, "padding_mode must be one of"),
    (lambda: nn.Conv2D(3, 4, (3, 3, 3)), ArgumentError, "kernel_size must be"),
    (lambda: nn.Conv2D(3, 4, 3, data_format="NCL"), ArgumentError, "must be NCHW or NHWC"),
    (
        lambda: nn.Conv2D(3, 4, 3, padding=[1, 2], padding_mode="reflect"),
        TypeMismatchError,
        "padding must be an integer",
    ),
    (lambda: nn.GroupNorm(3, 4), ShapeError, "3 groups do not divide 4 channels"),
    (lambda: nn.LayerNorm("x"), TypeMismatchError, "normalized_shape must be integers"),
    (lambda: nn.Embedding(3, 4, padding_idx=7), ArgumentError, r"must be in \[-3, 3\), received 7"),
    (lambda: nn.Embedding(0, 4), ArgumentError, "must be positive"),
    (lambda: nn.Dropout(2.0), ArgumentError, r"p must be a probability in \[0, 1\], received 2.0"),
    (lambda: nn.Dropout(mode="x"), ArgumentError, "mode must be one of"),
    (lambda: nn.Dropout2D(data_format="x"), ArgumentError, "data_format must be NCHW or NHWC"),
    (lambda: nn.BatchNorm(2, act="foo"), ArgumentError, "act must be the name of an activation"),
    (lambda: nn.MSELoss("x"), ArgumentError, "reduction of MSELoss must be"),
    (lambda: nn.KLDivLoss("x"), ArgumentError, "reduction of KLDivLoss must be"),
]


@pytest.mark.parametrize(("make", "error", "match"), REFUSED, ids=[m for _, _, m in REFUSED])
def test_layers_refuse_wrong_arguments(make, error: type[TwinoarError], match: str) -> None:
    with pytest.raises(error, match=match):
        make()


@pytest.mark.parametrize(
    ("layer", "shape", "expected"),
    [
        (lambda: nn.Linear(4, 2), (3, 5, 4), [3, 5, 2]),
        (lambda: nn.Conv1D(2, 4, 3, stride=2, padding=1), (1, 2, 9), [1, 4, 5]),
        (lambda: nn.Conv2D(2, 4, 3, groups=2), (1, 2, 9, 8), [1, 4, 7, 6]),
        (lambda: nn.Conv2D(2, 4, 3, padding="SAME", stride=2), (1, 2, 9, 8), [1, 4, 5, 4]),
        (lambda: nn.Conv2D(2, 4, 3, data_format="NHWC"), (1, 9, 8, 2), [1, 7, 6, 4]),
        (
            lambda: nn.Conv2D(2, 4, 3, padding=1, padding_mode="circular"),
            (1, 2, 9, 8),
            [1, 4, 9, 8],
        ),
        (lambda: nn.Conv2DTranspose(2, 4, 2, stride=2), (1, 2, 5, 4), [1, 4, 10, 8]),
        (lambda: nn.MaxPool1D(2), (1, 2, 9), [1, 2, 4]),
        (lambda: nn.MaxPool2D(2, ceil_mode=True), (1, 2, 9, 8), [1, 2, 5, 4]),
        (lambda: nn.AvgPool1D(3, stride=1, padding=1), (1, 2, 9), [1, 2, 9]),
        (lambda: nn.AvgPool2D((1, 2)), (1, 2, 9, 8), [1, 2, 9, 4]),
        (lambda: nn.AdaptiveAvgPool1D(2), (1, 2, 9), [1, 2, 2]),
        (lambda: nn.AdaptiveAvgPool2D((3, None)), (1, 2, 9, 8), [1, 2, 3, 8]),
        (lambda: nn.AdaptiveMaxPool2D(2), (1, 2, 9, 8), [1, 2, 2, 2]),
        (lambda: nn.BatchNorm1D(3), (4, 3), [4, 3]),
        (lambda: nn.BatchNorm1D(3), (4, 3, 5), [4, 3, 5]),
        (lambda: nn.BatchNorm2D(3, data_format="NHWC"), (4, 5, 6, 3), [4, 5, 6, 3]),
        (lambda: nn.BatchNorm3D(3), (2, 3, 2, 2, 2), [2, 3, 2, 2, 2]),
        (lambda: nn.GroupNorm(2, 4), (2, 4, 3, 3), [2, 4, 3, 3]),
        (lambda: nn.InstanceNorm1D(3), (2, 3, 5), [2, 3, 5]),
        (lambda: nn.Dropout2D(), (2, 3, 5, 5), [2, 3, 5, 5]),
        (lambda: nn.Flatten(), (2, 3, 4), [2, 12]),
        (lambda: nn.Flatten(0, 1), (2, 3, 4), [6, 4]),
        (lambda: nn.Unflatten(-1, [2, -1]), (3, 4), [3, 2, 2]),
        (lambda: nn.Pad1D([1, 2]), (1, 1, 3), [1, 1, 6]),
        (lambda: nn.Pad2D([1, 2, 3, 4]), (1, 1, 2, 2), [1, 1, 9, 5]),
        (lambda: nn.Pad3D(1), (1, 1, 2, 2, 2), [1, 1, 4, 4, 4]),
        (lambda: nn.GLU(), (2, 6), [2, 3]),
        (lambda: nn.Maxout(2), (1, 4, 3, 3), [1, 2, 3, 3]),
    ],
)
def test_shapes_of_results(layer, shape: tuple[int, ...], expected: list[int]) -> None:
    assert layer()(to_tensor(array(*shape))).shape == expected


def test_linear_is_x_times_w_plus_b() -> None:
    layer, x = nn.Linear(3, 2), array(4, 3)
    expected = x @ layer.weight.numpy() + layer.bias.numpy()
    np.testing.assert_allclose(layer(to_tensor(x)).numpy(), expected, rtol=1e-5, atol=1e-6)


def test_linear_without_bias() -> None:
    layer = nn.Linear(2, 2, bias_attr=False)
    assert layer.bias is None
    assert list(layer.state_dict()) == ["weight"]
    assert not layer(to_tensor([[0.0, 0.0]])).numpy().any()


def test_linear_refuses_another_width() -> None:
    with pytest.raises(ShapeError):
        nn.Linear(2, 2)(to_tensor(array(2, 3)))


def test_a_convolution_sums_products() -> None:
    layer, x = nn.Conv2D(2, 3, 2), array(1, 2, 3, 3)
    weight = layer.weight.numpy()
    expected = np.array(
        [
            [[np.sum(x[0, :, i : i + 2, j : j + 2] * w) for j in (0, 1)] for i in (0, 1)]
            for w in weight
        ]
    )
    np.testing.assert_allclose(layer(to_tensor(x)).numpy()[0], expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("mode", ["reflect", "replicate", "circular"])
def test_a_convolution_pads_in_its_mode(mode: str) -> None:
    x = array(1, 1, 4, 4)
    layer = nn.Conv2D(1, 1, 1, padding=1, padding_mode=mode, weight_attr=Constant(1.0))
    numpy_mode = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}[mode]
    expected = np.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)], numpy_mode)
    np.testing.assert_allclose(layer(to_tensor(x)).numpy(), expected, rtol=1e-6)


def test_a_transposed_convolution_takes_an_output_size() -> None:
    layer = nn.Conv2DTranspose(1, 1, 3, stride=2)
    x = to_tensor(array(1, 1, 4, 4))
    assert layer(x).shape == [1, 1, 9, 9]
    assert layer(x, output_size=[10, 10]).shape == [1, 1, 10, 10]


def test_max_pool_gives_the_mask_on_request() -> None:
    x = np.array([[[[1, 2], [4, 3]]]], "float32")
    out, mask = nn.MaxPool2D(2, return_mask=True)(to_tensor(x))
    assert (out.item(), mask.item()) == (4.0, 2)


def test_batch_norm_uses_the_batch_and_moves_its_statistics_in_training() -> None:
    layer = nn.BatchNorm2D(2)
    x = np.arange(16, dtype="float32").reshape(2, 2, 2, 2)
    out = layer(to_tensor(x)).numpy()
    np.testing.assert_allclose(out.mean((0, 2, 3)), 0, atol=1e-6)
    np.testing.assert_allclose(out.std((0, 2, 3)), 1, rtol=1e-4)
    np.testing.assert_allclose(layer._mean.numpy(), [0.55, 0.95], rtol=1e-5)
    np.testing.assert_allclose(layer._variance.numpy(), [2.625, 2.625], rtol=1e-5)


def test_batch_norm_keeps_and_uses_its_statistics_in_use() -> None:
    layer = nn.BatchNorm2D(2).eval()
    layer._mean.set_value(np.array([1.0, 2.0], "float32"))
    x = array(2, 2, 3, 3)
    expected = (x - np.array([1.0, 2.0]).reshape(1, 2, 1, 1)) / np.sqrt(1 + 1e-5)
    np.testing.assert_allclose(layer(to_tensor(x)).numpy(), expected, rtol=1e-5, atol=1e-6)
    assert layer._mean.tolist() == [1.0, 2.0]


def test_batch_norm_with_global_statistics_keeps_them_in_training() -> None:
    layer = nn.BatchNorm1D(2, use_global_stats=True)
    layer(to_tensor(array(4, 2)))
    assert layer._mean.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("layer", "shape", "match"),
    [
        (nn.BatchNorm1D, (1, 2, 3, 3), "expected 2D or 3D input, received 4D"),
        (nn.BatchNorm2D, (1, 2), "expected 4D input, received 2D"),
        (nn.BatchNorm3D, (1, 2, 3, 3), "expected 5D input, received 4D"),
        (nn.InstanceNorm2D, (1, 2, 3), "expected 4D input, received 3D"),
    ],
)
def test_normalizations_want_their_rank(layer, shape, match: str) -> None:
    with pytest.raises(ShapeError, match=match):
        layer(2)(to_tensor(array(*shape)))


def test_the_statistics_take_the_names_of_the_layer() -> None:
    named = nn.BatchNorm2D(2, name="bn")
    assert (named._mean.name, named._variance.name) == ("bn_mean", "bn_variance")
    assert nn.BatchNorm(2, moving_mean_name="mm")._mean.name == "mm"


def test_the_older_batch_norm_applies_its_activation() -> None:
    out = nn.BatchNorm(2, act="relu")(to_tensor(array(8, 2))).numpy()
    assert out.min() == 0.0 < out.max()


def test_the_older_batch_norm_uses_its_statistics_in_use() -> None:
    layer, x = nn.BatchNorm(2, epsilon=0.0), array(8, 2)
    np.testing.assert_allclose(layer.eval()(to_tensor(x)).numpy(), x, rtol=1e-6)
    frozen = nn.BatchNorm(2, epsilon=0.0, is_test=True)
    np.testing.assert_allclose(frozen(to_tensor(x)).numpy(), x, rtol=1e-6)


def test_batch_norms_become_synchronized_ones_with_the_same_values() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.BatchNorm1D(2)))
    inner = net[1][0]
    converted = nn.SyncBatchNorm.convert_sync_batchnorm(net)
    assert isinstance(converted[1][0], nn.SyncBatchNorm)
    assert converted[1][0].weight is inner.weight
    assert converted[1][0]._mean is inner._mean


def normalized(x: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    mean, variance = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5)


def test_layer_norm_normalizes_the_last_dimensions() -> None:
    x = array(2, 3, 4)
    out = nn.LayerNorm([3, 4])(to_tensor(x)).numpy()
    np.testing.assert_allclose(out, normalized(x, (1, 2)), rtol=1e-4, atol=1e-5)


def test_instance_norm_normalizes_each_channel() -> None:
    x = array(2, 3, 4, 4)
    out = nn.InstanceNorm2D(3)(to_tensor(x)).numpy()
    np.testing.assert_allclose(out, normalized(x, (2, 3)), rtol=1e-4, atol=1e-5)


def test_group_norm_normalizes_groups_of_channels() -> None:
    x = array(2, 4, 3, 3)
    out = nn.GroupNorm(2, 4)(to_tensor(x)).numpy()
    expected = normalized(x.reshape(2, 2, 2, 3, 3), (2, 3, 4)).reshape(x.shape)
    np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("make", "members"),
    [
        (lambda: nn.LayerNorm(2, weight_attr=False, bias_attr=False), []),
        (lambda: nn.GroupNorm(2, 4, weight_attr=False, bias_attr=False), []),
        (lambda: nn.InstanceNorm2D(2, weight_attr=False, bias_attr=False), []),
        (lambda: nn.BatchNorm1D(2, weight_attr=False, bias_attr=False), ["_mean", "_variance"]),
        (lambda: nn.InstanceNorm2D(2), ["scale", "bias"]),
    ],
)
def test_normalizations_without_weight_and_bias(make, members: list[str]) -> None:
    assert list(make().state_dict()) == members


def test_dropout_thins_in_training_only() -> None:
    layer, x = nn.Dropout(0.5), to_tensor(np.ones(1000, "float32"))
    out = layer(x).numpy()
    assert set(np.unique(out)) == {0.0, 2.0}
    assert 400 < np.count_nonzero(out) < 600
    assert layer.eval()(x).numpy().min() == 1.0


def test_dropout2d_drops_whole_channels() -> None:
    out = nn.Dropout2D(0.5)(to_tensor(np.ones((8, 16, 3, 3), "float32"))).numpy()
    per_channel = out.reshape(8 * 16, 9)
    assert np.all(per_channel == per_channel[:, :1])
    assert set(np.unique(out)) == {0.0, 2.0}


def test_embedding_gives_rows() -> None:
    layer = nn.Embedding(5, 3)
    ids = np.array([[0, 4], [4, 2]])
    assert np.array_equal(layer(to_tensor(ids)).numpy(), layer.weight.numpy()[ids])


def test_the_padding_row_of_an_embedding_gets_no_gradient() -> None:
    layer = nn.Embedding(3, 2, padding_idx=1)
    layer(to_tensor([0, 1, 1])).sum().backward()
    assert layer.weight.grad.tolist() == [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("shared", [True, False])
def test_prelu_has_one_slope_or_one_for_each_channel(shared: bool) -> None:
    layer = nn.PReLU(1 if shared else 2)
    if not shared:
        layer._weight.set_value(np.array([0.25, 0.5], "float32"))
    out = layer(to_tensor([[-4.0, -4.0], [1.0, 2.0]]))
    assert out.tolist() == [[-1.0, -1.0 if shared else -2.0], [1.0, 2.0]]


def test_a_convolution_takes_the_keywords_of_paddle_3() -> None:
    layer = nn.Conv2d(2, 3, 3, bias=False, dtype="float64", device="cpu")
    assert type(layer) is nn.Conv2D and layer.bias is None
    assert layer.weight.dtype.name == "float64"


def test_an_embedding_takes_the_keywords_of_paddle_3() -> None:
    table = np.array([[3.0, 4.0], [1.0, 0.0], [0.0, 0.5]], "float32")
    layer = nn.Embedding(3, 2, _weight=to_tensor(table), max_norm=1.0, scale_grad_by_freq=True)
    out = layer(to_tensor([0, 2, 2]))
    np.testing.assert_allclose(out.numpy(), [[0.6, 0.8], [0.0, 0.5], [0.0, 0.5]], rtol=1e-6)
    np.testing.assert_allclose(layer.weight.numpy()[1], table[1])
    out.sum().backward()
    assert layer.weight.grad.tolist() == [[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]
    frozen = nn.Embedding(3, 2, _freeze=True, dtype="float64").weight
    assert frozen.stop_gradient and frozen.dtype.name == "float64"
