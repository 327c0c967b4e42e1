"""Initializers: bounds and deviations by their formulas, defaults of layers as Paddle has them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from twinoar.core.dtype import dtype_of
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError
from twinoar.nn import (
    BatchNorm1D,
    Conv1D,
    Conv2D,
    Conv2DTranspose,
    Embedding,
    LayerNorm,
    Linear,
)
from twinoar.nn.initializer import (
    Assign,
    Bilinear,
    Constant,
    Dirac,
    KaimingNormal,
    KaimingUniform,
    Normal,
    Orthogonal,
    TruncatedNormal,
    Uniform,
    XavierNormal,
    XavierUniform,
    calculate_gain,
    set_global_initializer,
)
from twinoar.nn.initializer.initializer import fans
from twinoar.ops.random.uniform import generator

MATRIX = Spec((200, 100))
KERNEL = Spec((40, 20, 3, 5))
NUMBERS_NEEDED = 10_000  # so that a deviation is within 5 % of its formula


@pytest.fixture(autouse=True)
def same_numbers() -> None:
    generator.manual_seed(7)


def numbers(value) -> np.ndarray:
    return value.numpy().astype(np.float64)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ((), (1, 1)),
        ((500,), (500, 500)),
        ((100, 300), (100, 300)),
        ((64, 3, 5, 5), (75, 1600)),
        ((8, 4, 3), (12, 24)),
    ],
)
def test_fans(shape: tuple[int, ...], expected: tuple[int, int]) -> None:
    assert fans(Spec(shape)) == expected


@pytest.mark.parametrize(
    ("initializer", "spec", "deviation"),
    [
        (Normal(0.0, 2.0), MATRIX, 2.0),
        (XavierNormal(), MATRIX, math.sqrt(2 / 300)),
        (XavierNormal(), KERNEL, math.sqrt(2 / (300 + 600))),
        (XavierNormal(fan_in=10, fan_out=10), MATRIX, math.sqrt(2 / 20)),
        (XavierNormal(gain=3.0), MATRIX, 3 * math.sqrt(2 / 300)),
        (KaimingNormal(), MATRIX, math.sqrt(2 / 200)),
        (KaimingNormal(), KERNEL, math.sqrt(2 / 300)),
        (KaimingNormal(mode="fan_out"), MATRIX, math.sqrt(2 / 100)),
        (KaimingNormal(fan_in=10), MATRIX, math.sqrt(2 / 10)),
        (
            KaimingNormal(negative_slope=0.5, nonlinearity="leaky_relu"),
            MATRIX,
            math.sqrt(2 / 1.25 / 200),
        ),
    ],
)
def test_normal_numbers_have_the_deviation(initializer, spec: Spec, deviation: float) -> None:
    made = numbers(initializer(spec))
    assert made.shape == spec.shape
    assert made.size >= NUMBERS_NEEDED
    assert made.std() == pytest.approx(deviation, rel=0.05)
    assert abs(made.mean()) < 0.05 * deviation
    assert np.abs(made).max() > 3 * deviation  # the tails are there


@pytest.mark.parametrize(
    ("initializer", "spec", "bound"),
    [
        (Uniform(-3.0, 3.0), MATRIX, 3.0),
        (XavierUniform(), MATRIX, math.sqrt(6 / 300)),
        (XavierUniform(), KERNEL, math.sqrt(6 / (300 + 600))),
        (XavierUniform(), Spec((20000,)), math.sqrt(6 / 40000)),
        (KaimingUniform(), MATRIX, math.sqrt(6 / 200)),
        (KaimingUniform(nonlinearity="tanh"), MATRIX, 5 / 3 * math.sqrt(3 / 200)),
    ],
)
def test_uniform_numbers_fill_their_bounds(initializer, spec: Spec, bound: float) -> None:
    made = numbers(initializer(spec))
    assert 0.99 * bound < made.max() <= bound * (1 + 1e-6)
    assert -bound * (1 + 1e-6) <= made.min() < -0.99 * bound
    assert made.std() == pytest.approx(bound / math.sqrt(3), rel=0.05)


def test_normal_numbers_have_the_mean() -> None:
    assert numbers(Normal(5.0, 1.0)(MATRIX)).mean() == pytest.approx(5.0, abs=0.05)


def test_truncated_numbers_stay_within_the_bounds_themselves() -> None:
    made = numbers(TruncatedNormal(1.0, 2.0)(MATRIX))
    assert -2.0 <= made.min() < -1.9
    assert 1.9 < made.max() <= 2.0
    assert made.mean() == pytest.approx(0.293, abs=0.05)  # of a normal (1, 2) cut to [-2, 2]


def test_narrow_truncated_numbers_are_normal() -> None:
    made = numbers(TruncatedNormal(0.0, 0.1)(MATRIX))
    assert made.std() == pytest.approx(0.1, rel=0.05)
    assert np.abs(made).max() > 0.3


@pytest.mark.parametrize("initializer", [Normal(), Uniform(), TruncatedNormal(), XavierUniform()])
@pytest.mark.parametrize("shape", [(), (0, 3), (1,)])
@pytest.mark.parametrize("dtype", ["float64", "bfloat16", "float32"])
def test_any_shape_and_floating_type_is_made(initializer, shape, dtype: str) -> None:
    made = initializer(Spec(shape, dtype_of(dtype)))
    assert (made.shape, made.dtype) == (list(shape), dtype)


def test_the_seed_decides_the_numbers() -> None:
    first = Normal()(MATRIX).numpy()
    other = Normal()(MATRIX).numpy()
    generator.manual_seed(7)
    assert np.array_equal(Normal()(MATRIX).numpy(), first)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(
    ("name", "param", "gain"),
    [
        ("sigmoid", None, 1.0),
        ("conv2d", None, 1.0),
        ("tanh", None, 5 / 3),
        ("relu", None, math.sqrt(2)),
        ("selu", None, 0.75),
        ("leaky_relu", None, 1.4141428569978354),
        ("leaky_relu", 0.2, 1.3867504905630728),
    ],
)
def test_gains(name: str, param: float | None, gain: float) -> None:
    assert calculate_gain(name, param) == pytest.approx(gain, rel=1e-12)


def test_an_unknown_gain_is_refused() -> None:
    with pytest.raises(ArgumentError, match="nonlinearity must be one of"):
        calculate_gain("foo")


def test_assign_takes_lists_arrays_and_tensors() -> None:
    spec = Spec((2,))
    for given in ([1, 2], np.array([1.0, 2.0]), to_tensor([1, 2])):
        made = Assign(given)(spec)
        assert (made.tolist(), made.dtype) == ([1.0, 2.0], "float32")


def test_assign_refuses_another_shape() -> None:
    with pytest.raises(ShapeError, match=r"the parameter has shape \[3\], the value \[2\]"):
        Assign([1, 2])(Spec((3,)))


def test_dirac_passes_channels_through() -> None:
    middle = Dirac()(Spec((4, 3, 3))).numpy()[:, :, 1]
    assert np.array_equal(middle, np.eye(4, 3))
    grouped = Dirac(groups=2)(Spec((4, 2, 3))).numpy()
    assert np.array_equal(grouped[:, :, 1], np.tile(np.eye(2), (2, 1)))
    assert grouped.sum() == 4


def test_dirac_is_for_kernels() -> None:
    with pytest.raises(ShapeError, match="Dirac is for weights"):
        Dirac()(Spec((4, 3)))


def test_an_initializer_fills_a_parameter_in_place() -> None:
    weight = Linear(2, 2).weight
    assert Constant(0.5)(weight) is None
    assert weight.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert (weight.stop_gradient, weight.is_leaf) == (False, True)


@pytest.mark.parametrize(
    ("layer", "bound"),
    [
        (lambda: Linear(100, 300).weight, math.sqrt(6 / 400)),
        (lambda: Embedding(100, 300).weight, math.sqrt(6 / 400)),
        (lambda: Conv2DTranspose(8, 200, 5).weight, math.sqrt(6 / (5000 + 200))),
        (lambda: Conv2DTranspose(8, 200, 5, groups=4).weight, math.sqrt(6 / (1250 + 200))),
    ],
)
def test_weights_that_start_xavier_uniform(layer, bound: float) -> None:
    made = numbers(layer())
    assert 0.98 * bound < np.abs(made).max() <= bound * (1 + 1e-6)


@pytest.mark.parametrize(
    ("layer", "deviation"),
    [
        (lambda: Conv2D(8, 200, 5), 0.1),
        (lambda: Conv2D(8, 200, 5, groups=4), 0.1),
        (lambda: Conv1D(8, 400, 5), math.sqrt(2 / 40)),
    ],
)
def test_weights_of_convolutions_start_normal(layer, deviation: float) -> None:
    made = layer()
    assert numbers(made.weight).std() == pytest.approx(deviation, rel=0.05)
    assert not made.bias.numpy().any()


@pytest.mark.parametrize("layer", [BatchNorm1D, LayerNorm])
def test_normalizations_start_as_the_identity(layer) -> None:
    made = layer(3)
    assert (made.weight.tolist(), made.bias.tolist()) == ([1.0] * 3, [0.0] * 3)


def test_the_row_of_padding_starts_at_zero() -> None:
    for attr in (None, Constant(2.0)):
        weight = Embedding(4, 3, padding_idx=-1, weight_attr=attr).weight.numpy()
        assert not weight[3].any()
        assert weight[:3].all()


@pytest.fixture
def two_and_three():
    set_global_initializer(Constant(2.0), Constant(3.0))
    yield
    set_global_initializer(None)


def test_the_global_initializer_wins_over_a_layers_own(two_and_three) -> None:
    for layer in (Linear(1, 1), BatchNorm1D(1), Conv2D(1, 1, 1)):
        assert (float(layer.weight), float(layer.bias)) == (2.0, 3.0)
    assert float(BatchNorm1D(1)._mean) == 0.0


def test_the_attr_wins_over_the_global_initializer(two_and_three) -> None:
    assert float(Linear(1, 1, weight_attr=Constant(9.0)).weight) == 9.0


def test_the_global_initializer_is_an_initializer() -> None:
    with pytest.raises(TypeMismatchError, match="expected an initializer or None, received int"):
        set_global_initializer(3)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: Uniform(1.0, 0.0), "low must not exceed high"),
        (lambda: TruncatedNormal(a=1.0, b=1.0), "a must be below b"),
        (lambda: KaimingNormal(mode="sideways"), "mode must be 'fan_in' or 'fan_out'"),
        (lambda: Dirac(0), "groups must be at least 1"),
    ],
)
def test_initializers_check_their_arguments(make, match: str) -> None:
    with pytest.raises(ArgumentError, match=match):
        make()


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 2, 2)])
def test_orthogonal_weights_keep_lengths(shape: tuple[int, ...]) -> None:
    made = Orthogonal(2.0).make(Spec(shape, dtype_of("float32")))
    matrix = made.numpy().reshape(shape[0], -1)
    matrix = matrix if len(matrix) <= matrix.shape[1] else matrix.T
    np.testing.assert_allclose(matrix @ matrix.T, 4 * np.eye(len(matrix)), atol=1e-5)


def test_bilinear_kernels_are_those_of_paddle() -> None:
    made = Bilinear().make(Spec((2, 1, 3, 3), dtype_of("float32"))).numpy()
    kernel = [[0.0625, 0.3125, 0.4375], [0.1875, 0.6875, 0.6875], [0.1875, 0.4375, 0.3125]]
    np.testing.assert_array_equal(made[0, 0], np.array(kernel, "float32"))  # of Paddle 3.3.1
    np.testing.assert_array_equal(made[0], made[1])
