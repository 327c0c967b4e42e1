"""The gamma function and its derivatives, against Python's own and against identities."""

import math
from fractions import Fraction

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError
from twinoar.ops.math.gamma import digamma, lgamma, polygamma

POINTS = np.array([-7.3, -2.5, -0.5, 1e-3, 0.3, 1.0, 2.0, 7.5, 40.0, 1e5])
EULER = 0.5772156649015329


def test_lgamma_is_pythons():
    expected = [math.lgamma(x) for x in POINTS]
    np.testing.assert_allclose(lgamma(paddle.to_tensor(POINTS)), expected, rtol=1e-14)


def test_digamma_at_known_points():
    found = digamma(paddle.to_tensor(np.array([1.0, 0.5, 2.0])))
    expected = [-EULER, -EULER - 2 * math.log(2), 1 - EULER]
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_polygamma_at_known_points():
    found = polygamma(paddle.to_tensor(np.array([1.0, 0.5])), 1)
    np.testing.assert_allclose(found, [math.pi**2 / 6, math.pi**2 / 2], rtol=1e-13)


@pytest.mark.parametrize("order", [0, 1, 2, 5])
def test_polygamma_keeps_its_recurrence(order):
    x = POINTS[:-1]
    step = polygamma(paddle.to_tensor(x + 1), order) - polygamma(paddle.to_tensor(x), order)
    expected = (-1.0) ** order * math.factorial(order) / x ** (order + 1)
    np.testing.assert_allclose(step, expected, rtol=1e-7)  # differences of large values


def test_poles_are_paddles():
    poles = paddle.to_tensor([0.0, -0.0, -1.0])
    assert lgamma(poles).tolist() == [math.inf] * 3
    np.testing.assert_array_equal(digamma(poles), [-math.inf, math.inf, math.nan])
    assert polygamma(poles, 1).tolist() == [math.inf] * 3
    assert polygamma(poles, 2).tolist() == [-math.inf] * 3


@pytest.mark.parametrize("order", [1, 2, 7, 25])
def test_polygamma_vanishes_at_infinity(order):
    assert polygamma(paddle.to_tensor(math.inf), order).item() == 0.0


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(("order", "x"), [(21, 3.0), (100, 2000.0), (171, 30.0), (120, -7.25)])
def test_polygamma_of_high_order_is_the_sum_over_the_poles(order, x, compiled):
    """DLMF 5.15.1: (-1)^(n + 1) n! times the sum of (x + k)^-(n + 1)."""
    terms = [Fraction(1, Fraction(x + k) ** (order + 1)) for k in range(500)]
    # of what follows, the integral from the middle before
    rest = Fraction(1, order) / Fraction(x + 499.5) ** order
    expected = float((-1) ** (order + 1) * math.factorial(order) * (sum(terms) + rest))
    function = paddle.jit.to_static(polygamma) if compiled else polygamma
    found = function(paddle.to_tensor(np.array([x])), order).item()
    assert found == pytest.approx(expected, rel=1e-12)


def test_a_negative_order_is_refused():
    with pytest.raises(ArgumentError, match="at least 0"):
        polygamma(paddle.ones([1]), -1)


@pytest.mark.parametrize(
    ("x", "slope"),
    [(-1e-310, np.inf), (5e-324, -np.inf), (-5e-324, np.inf), (-1e-300, 1e300)],
)
def test_slopes_next_to_zero_are_infinite_and_never_unknown(x, slope):
    given = paddle.to_tensor(x, dtype="float64", stop_gradient=False)
    lgamma(given).backward()
    np.testing.assert_allclose(given.grad.item(), slope, rtol=1e-12)
    assert polygamma(given.detach(), 1).item() == np.inf
