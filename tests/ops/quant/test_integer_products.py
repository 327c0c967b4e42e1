"""Integer products: exact sums, on NumPy and compiled, with oneDNN and without."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config
from twinoar.ops.quant.int8 import from_int8, to_int8
from twinoar.ops.quant.integer_conv2d import integer_conv2d
from twinoar.ops.quant.integer_linear import integer_linear

ONE = np.array([1.0], np.float32)


def integers(random, *shape, low=-128, dtype=np.int8):
    return random.integers(low, 128, shape).astype(dtype)


def convolved(x, weight, stride, padding, groups):
    """Sums of products of integers, by definition."""
    x = np.pad(x.astype(np.int64), ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    o, channels, kh, kw = weight.shape
    height, width = ((n - k) // stride + 1 for n, k in zip(x.shape[2:], (kh, kw), strict=True))
    out = np.zeros((len(x), o, height, width), np.int64)
    for filter_ in range(o):
        first = filter_ // (o // groups) * channels
        for i, j in np.ndindex(kh, kw):
            seen = x[:, first : first + channels, i:, j:][
                :, :, : height * stride : stride, : width * stride : stride
            ]
            taps = weight[filter_, :, i, j].astype(np.int64)
            out[:, filter_] += (seen * taps[:, None, None]).sum(1)
    return out


@pytest.fixture(params=["numpy", "library", "loops"])
def way(request, monkeypatch):
    """How operators run, eagerly and under to_static."""
    if request.param == "numpy":
        monkeypatch.setattr(config, "backend", "numpy")
    if request.param == "loops":
        monkeypatch.setattr(config, "onednn", False)
    return request.param


def run(function, *arrays):
    spec = [paddle.to_tensor(a) for a in arrays]
    return paddle.jit.to_static(function)(*spec).numpy()


@pytest.mark.parametrize(
    ("channels", "filters", "groups", "size", "stride", "padding"),
    [(3, 16, 1, 3, 1, 1), (33, 7, 1, 1, 1, 0), (8, 8, 8, 3, 2, 1), (12, 6, 3, 5, 1, 2)],
)
@pytest.mark.parametrize("low", [-128, 0])
def test_sums_of_a_convolution_are_exact(
    way, channels, filters, groups, size, stride, padding, low
) -> None:
    random = np.random.default_rng(channels)
    x = integers(random, 2, channels, 9, 11, low=low)
    weight = integers(random, filters, channels // groups, size, size)

    def convolve(x, weight, scale):
        steps, edge = (stride, stride), (padding,) * 4
        given = {"stride": steps, "padding": edge, "groups": groups, "nonnegative": low == 0}
        return integer_conv2d(x, weight, scale, **given)

    expected = convolved(x, weight, stride, padding, groups)
    assert np.abs(expected).max() < 2**24, "float32 would not hold the sums"
    np.testing.assert_array_equal(run(convolve, x, weight, ONE), expected)


@pytest.mark.parametrize(("rows", "inner", "columns"), [(1, 700, 10), (5, 33, 65), (64, 64, 64)])
@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_sums_of_a_product_are_exact(way, rows, inner, columns, dtype) -> None:
    random = np.random.default_rng(rows)
    x = integers(random, rows, inner, low=0 if dtype is np.uint8 else -128, dtype=dtype)
    weight = integers(random, inner, columns)
    expected = x.astype(np.int64) @ weight.astype(np.int64)
    np.testing.assert_array_equal(run(integer_linear, x, weight, ONE), expected)


def test_extreme_sums_do_not_saturate(way) -> None:
    """Pairs of products of 255 and -128 are more than 16 bits hold."""
    x, weight = np.full((3, 4096), 255, np.uint8), np.full((4096, 16), -128, np.int8)
    found = run(integer_linear, x, weight, np.array([2.0**-15], np.float32))
    np.testing.assert_array_equal(found, np.full((3, 16), 255 * -128 * 4096 / 2**15))


@pytest.mark.parametrize("activation", ["", "relu", "relu6", "hardswish"])
@pytest.mark.parametrize("kind", [np.int8, np.float32])
def test_what_is_done_to_sums_is_within_a_quantum_of_numpys(way, activation, kind) -> None:
    random = np.random.default_rng(3)
    x, weight = integers(random, 2, 16, 7, 7), integers(random, 24, 16, 3, 3)
    scale = random.uniform(1e-4, 1e-3, 24).astype(np.float32)
    bias = random.normal(size=24).astype(np.float32)
    residual = (random.normal(size=(2, 24, 7, 7)) * 4).astype(kind)
    factor = np.array([9.0], np.float32)
    names = {"padding": (1, 1, 1, 1), "activation": activation, "dtype": "int8"}

    def whole(*operands):
        return integer_conv2d(*operands, **names)

    out = convolved(x, weight, 1, 1, 1) * scale[:, None, None] + bias[:, None, None] + residual
    functions = {
        "": lambda v: v,
        "relu": lambda v: np.maximum(v, 0),
        "relu6": lambda v: np.clip(v, 0, 6),
        "hardswish": lambda v: v * np.clip(v + 3, 0, 6) / 6,
    }
    expected = np.clip(np.rint(functions[activation](out) * 9.0), -128, 127)
    found = run(whole, x, weight, scale, bias, residual, factor)
    assert found.dtype == np.int8
    assert np.abs(found - expected).max() <= 1
    assert (found != expected).mean() < 0.01


def test_batches_of_matrices_are_multiplied_with_one(way) -> None:
    random = np.random.default_rng(4)
    x, weight = integers(random, 2, 3, 5, 8), integers(random, 8, 6)

    def turned(x, weight, scale):
        return integer_linear(paddle.transpose(x, [1, 0, 2, 3]), weight, scale)

    expected = x.transpose(1, 0, 2, 3).astype(np.int64) @ weight
    np.testing.assert_array_equal(run(turned, x, weight, ONE), expected)


def test_halves_go_to_even_integers_and_bounds_hold(way) -> None:
    x = np.array([0.5, 1.5, -0.5, 126.5, 1e9, -1e9], np.float32)
    np.testing.assert_array_equal(run(to_int8, x, ONE), [0, 2, 0, 126, 127, -128])


def test_integers_by_channel_are_floats_again(way) -> None:
    x, steps = np.array([[1, 2], [-3, 4]], np.int8), np.array([0.5, 0.25], np.float32)
    found = run(lambda x, s: from_int8(x, s, 0), x, steps)
    np.testing.assert_array_equal(found, [[0.5, 1.0], [-0.75, 1.0]])
