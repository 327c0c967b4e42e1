"""Special functions against their defining integrals and recurrences, and their gradients."""

from __future__ import annotations

import math

import numpy as np
import pytest

import twinoar as paddle
from tests.compile.decimal_functions import expected_of_gammainc
from tests.ops.slope import require_slope

NATIVE = 20_000  # elements that native code computes
POSITIVE = np.array([[0.3, 1.0, 2.5], [7.0, 20.0, 45.0]])
ANGLES = (np.arange(4000) + 0.5) * math.pi / 4000  # midpoints: exact for smooth periodic integrands


@pytest.mark.parametrize(("order", "name"), [(0, "i0"), (1, "i1")])
def test_bessel_functions_are_their_integral(order: int, name: str) -> None:
    """DLMF 10.32.3: I_n(x) is the mean of exp(x cos t) cos(n t) over t in [0, pi]."""
    for x in (-40.0, -3.0, 0.0, 0.5, 29.0, 31.0):
        expected = np.mean(np.exp(x * np.cos(ANGLES) - abs(x)) * np.cos(order * ANGLES))
        found = getattr(paddle, f"{name}e")(paddle.to_tensor(np.array(x))).item()
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-14)
        plain = getattr(paddle, name)(paddle.to_tensor(np.array(x))).item()
        assert plain == pytest.approx(expected * math.exp(abs(x)), rel=1e-12, abs=1e-14)


def test_incomplete_gamma_functions_of_parameter_one_are_exponentials() -> None:
    x, one = paddle.to_tensor(POSITIVE), paddle.ones([2, 3], "float64")
    np.testing.assert_allclose(paddle.gammaincc(one, x).numpy(), np.exp(-POSITIVE), rtol=1e-12)
    np.testing.assert_allclose(paddle.gammainc(one, x).numpy(), -np.expm1(-POSITIVE), rtol=1e-12)


def test_incomplete_gamma_functions_at_their_ends() -> None:
    a = paddle.to_tensor([2.0, 2.0, 0.0, -1.0])
    x = paddle.to_tensor([0.0, math.inf, 3.0, 1.0])
    np.testing.assert_array_equal(paddle.gammainc(a, x).numpy(), [0.0, 1.0, 1.0, math.nan])


def parameters(kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Parameters and arguments of a region of the incomplete gamma functions."""
    rng, count = np.random.default_rng(0), 60
    a = {
        "everyday": rng.uniform(0.05, 20, count),
        "small": 10.0 ** rng.uniform(-9, 0, count),
        "large": 10.0 ** rng.uniform(1.7, 4, count),
        "apart": 10.0 ** rng.uniform(1, 2.6, count),
    }[kind]
    x = {
        "everyday": rng.uniform(0.05, 20, count),
        "small": 10.0 ** rng.uniform(-5, 1.4, count),
        "large": a * (1 + rng.normal(size=count) / np.sqrt(a)),
        "apart": a * rng.uniform(0.5, 1.6, count),
    }[kind]
    return a, x


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("kind", ["everyday", "small", "large", "apart"])
def test_incomplete_gamma_functions_are_their_series(kind: str, native: bool) -> None:
    a, x = parameters(kind)
    operands = [paddle.to_tensor(np.resize(v, NATIVE) if native else v) for v in (a, x)]
    wanted = expected_of_gammainc(a, x)
    for function, expected in zip((paddle.gammainc, paddle.gammaincc), wanted, strict=True):
        found = function(*operands).numpy()[: a.size]
        np.testing.assert_allclose(found, expected, rtol=1e-13)


@pytest.mark.parametrize("count", [3, NATIVE])
def test_incomplete_gamma_functions_of_huge_parameters_are_halves(count: int) -> None:
    a = paddle.full([count], 1e12, "float64")
    above = 1 / (3 * math.sqrt(2 * math.pi * 1e12))  # DLMF 8.11.12
    assert paddle.gammainc(a, a)[0].item() == pytest.approx(0.5 + above, abs=1e-15)
    assert paddle.gammaincc(a, a)[0].item() == pytest.approx(0.5 - above, abs=1e-15)


@pytest.mark.parametrize("count", [49, NATIVE])
def test_incomplete_gamma_functions_of_special_numbers(count: int) -> None:
    numbers = [0.0, 1e-300, 0.5, 1e300, math.inf, -1.0, math.nan]
    a, x = (np.resize(v.ravel(), count) for v in np.meshgrid(numbers, numbers, indexing="ij"))
    lower = paddle.gammainc(paddle.to_tensor(a), paddle.to_tensor(x)).numpy()[:49].reshape(7, 7)
    upper = paddle.gammaincc(paddle.to_tensor(a), paddle.to_tensor(x)).numpy()[:49].reshape(7, 7)
    nan, half = math.nan, math.erf(math.sqrt(0.5))
    expected = [
        [nan, 1, 1, 1, 1],
        [0, 1, 1, 1, 1],
        [0, math.sqrt(4e-300 / math.pi), half, 1, 1],
        [0, 0, 0, 0.5, 1],
        [0, 0, 0, 0, nan],
    ]
    np.testing.assert_allclose(lower[:5, :5], expected, rtol=1e-14)
    np.testing.assert_allclose(upper[:5, :5], 1 - np.array(expected), rtol=1e-14, atol=1e-297)
    assert np.isnan([lower[5:], upper[5:]]).all() and np.isnan([lower[:, 5:], upper[:, 5:]]).all()


FUNCTIONS = {
    "i0": paddle.i0,
    "i0e": paddle.i0e,
    "i1": paddle.i1,
    "i1e": paddle.i1e,
    "gammainc": lambda y: paddle.gammainc(paddle.to_tensor(2.0), y),
    "gammaincc": lambda y: paddle.gammaincc(paddle.to_tensor(2.0), y),
    "multigammaln": lambda x: paddle.multigammaln(x + 2.0, 3),
    "logit": lambda x: paddle.logit(x / 50.0),
    "sinc": paddle.sinc,
    "logaddexp": lambda x: paddle.logaddexp(x, x * 0.5),
    "hypot": lambda x: paddle.hypot(x, x + 1.0),
    "ldexp": lambda x: paddle.ldexp(x, paddle.to_tensor([3])),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradient_is_the_slope(name: str) -> None:
    require_slope(FUNCTIONS[name], POSITIVE[:, :2] / 4)


@pytest.mark.parametrize("eps", [None, 0.0, 0.25])
def test_logit_has_no_slope_outside_of_its_domain(eps: float | None) -> None:
    x = paddle.to_tensor([-1.0, 0.5, 2.0], stop_gradient=False)
    paddle.logit(x, eps).sum().backward()
    outside = 0.0 if eps else np.nan
    np.testing.assert_allclose(x.grad.numpy(), [outside, 4.0, outside])


def test_the_slope_of_logit_is_infinite_at_the_ends_of_its_domain() -> None:
    x = paddle.to_tensor([0.0, 1.0], stop_gradient=False)
    paddle.logit(x).sum().backward()
    assert x.grad.tolist() == [np.inf, np.inf]


@pytest.mark.parametrize("eps", [None, 0.25])
def test_the_slope_of_logit_stays_nan(eps: float | None) -> None:
    x = paddle.to_tensor(np.nan, stop_gradient=False)
    paddle.logit(x, eps).backward()
    assert np.isnan(x.grad.item())


def test_hypot_in_place_widens_as_arithmetic_does() -> None:
    x = paddle.to_tensor([3.0])
    assert x.hypot_(paddle.to_tensor(4.0, dtype="float64")).dtype == "float64"
    assert x.tolist() == [5.0]


def test_sinc_at_zero_is_one_and_flat() -> None:
    x = paddle.to_tensor([0.0, 1.0], stop_gradient=False)
    paddle.sinc(x).sum().backward()
    np.testing.assert_allclose(paddle.sinc(x).numpy(), [1.0, 0.0], atol=1e-7)
    np.testing.assert_allclose(x.grad.numpy(), [0.0, -1.0], atol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("function", "odd"), [(paddle.i0, False), (paddle.i1, True)])
def test_bessel_functions_of_infinity_are_infinite(function, odd, dtype):
    x = paddle.to_tensor([np.inf, -np.inf, 1e30, np.nan], dtype=dtype)
    found = function(x).numpy()
    np.testing.assert_array_equal(found, [np.inf, -np.inf if odd else np.inf, np.inf, np.nan])


@pytest.mark.parametrize("function", [paddle.i0, paddle.i1])
def test_bessel_functions_of_the_greatest_numbers_are_infinite(function):
    assert function(paddle.to_tensor(np.array([1e308]))).tolist() == [np.inf]


@pytest.mark.parametrize("function", [paddle.i0e, paddle.i1e])
def test_scaled_bessel_functions_do_not_vanish_early(function):
    found = function(paddle.to_tensor(np.array([1e308]))).item()
    assert found == pytest.approx(1 / math.sqrt(2 * math.pi) / 1e154, rel=1e-14)


def test_bessel_functions_are_finite_where_the_exponential_is_not():
    x = paddle.to_tensor([711.5], dtype="float64")
    expected = np.log(paddle.i0e(x).item()) + 711.5
    np.testing.assert_allclose(np.log(paddle.i0(x).item()), expected, rtol=1e-14)


def test_a_slow_element_of_gammainc_does_not_hold_up_the_others():
    from twinoar.ops.math import _incomplete

    lengths = []

    def step(k, x, total):
        lengths.append(len(x))
        return x, total + 1

    found = _incomplete._each_until_settled(
        step, np.array([3.0, 1.0, 50.0]), np.zeros(3), settled=lambda x, total: total >= x
    )
    assert found.tolist() == [3.0, 1.0, 50.0]
    assert (lengths[:4], len(lengths)) == ([3, 2, 2, 1], 50)


@pytest.mark.parametrize("y", [paddle.to_tensor([1.0, 1.0]), -1.0], ids=["tensor", "number"])
def test_the_slope_of_copysign_at_nan_is_nan(y) -> None:
    x = paddle.to_tensor([math.nan, 2.0], stop_gradient=False)
    paddle.copysign(x, y).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy()[:1], [np.nan])
    assert abs(x.grad.numpy()[1]) == 1.0


def test_combinations_of_no_elements_do_not_depend_on_the_vector() -> None:
    found = paddle.combinations(paddle.to_tensor([1.0, 2.0], stop_gradient=False), 0)
    assert found.shape == [0, 0] and found.stop_gradient


@pytest.mark.parametrize("compiled", [False, True])
def test_sinc_of_half_precision_is_rounded_once(compiled):
    x = np.array([0.0, 0.5, 1.0, 1.5, -2.0, 3.25], np.float16)
    found = (paddle.jit.to_static(paddle.sinc) if compiled else paddle.sinc)(paddle.to_tensor(x))
    assert found.dtype == "float16"
    np.testing.assert_allclose(found.numpy(), np.sinc(x.astype(np.float64)), rtol=2**-10, atol=1e-7)
