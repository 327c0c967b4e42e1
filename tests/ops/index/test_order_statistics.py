"""The public functions of ops.order."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("x", "among"),
    [
        ([1.0, 2.0, NAN], [NAN, 2.0]),
        ([-0.0, INF, 3.0], [0.0, INF, INF]),
        ([[1, 2], [3, 4]], [[4], [1]]),
        (2, [1, 2]),
        ([1, 2], 2),
        ([True, False], [False]),
        ([1 + 2j, 3j], [3j]),
        ([9007199254740993, 5], [9007199254740992]),
        ([1.5, 2.0], [2]),
    ],
)
def test_isin_against_numpy(x, among) -> None:
    x, among = paddle.to_tensor(x), paddle.to_tensor(among)
    expected = np.isin(x.numpy(), among.numpy())
    for found in (paddle.isin(x, among), paddle.jit.to_static(paddle.isin)(x, among)):
        np.testing.assert_array_equal(found.numpy(), expected)
    np.testing.assert_array_equal(paddle.isin(x, among, invert=True).numpy(), ~expected)


def test_isin_of_nothing() -> None:
    x, nothing = paddle.ones([2]), paddle.zeros([0])
    assert x.isin(nothing).tolist() == [False, False]
    assert nothing.isin(x).tolist() == []


def test_isin_does_not_compare_each_with_each() -> None:
    many = paddle.arange(10**6)
    assert many.isin(many).all().item()  # 10**12 truth values would be needed


@pytest.mark.parametrize(("how", "expected"), [("lower", -3), ("higher", -1), ("nearest", -1)])
def test_a_quantile_that_is_an_element_has_its_dtype(how: str, expected: int) -> None:
    found = paddle.quantile(paddle.to_tensor([3, -1, -3]), 0.33, interpolation=how)
    assert (found.dtype, found.item()) == (paddle.int64, expected)


@pytest.mark.parametrize("scan", [paddle.cummax, paddle.cummin, paddle.logcumsumexp, paddle.cumsum])
@pytest.mark.parametrize(("axis", "shape"), [(None, [1]), (0, []), (-1, [])])
def test_a_number_is_flattened_without_an_axis(scan, axis: int | None, shape: list[int]) -> None:
    found = scan(paddle.to_tensor(2.0), axis=axis)
    for part in found if isinstance(found, tuple) else (found,):
        assert part.shape == shape
    with pytest.raises(paddle.errors.AxisError):
        scan(paddle.to_tensor(2.0), axis=3)


@pytest.mark.parametrize("function", [paddle.quantile, paddle.nanquantile])
@pytest.mark.parametrize(("q", "shape"), [(0.5, []), ([0.5], []), ([0.5, 1.0], [2])])
def test_one_quantile_has_no_dimension_of_its_own(function, q, shape) -> None:
    assert function(paddle.to_tensor([1.0, 2.0, 5.0]), q).shape == shape


@pytest.mark.parametrize("function", [paddle.quantile, paddle.nanquantile])
@pytest.mark.parametrize("q", [[], paddle.zeros([0]), paddle.ones([1, 1]), paddle.ones([0, 3])])
def test_the_probabilities_of_quantiles_are_a_number_or_some(function, q) -> None:
    with pytest.raises(ArgumentError, match="q must"):
        function(paddle.ones([2, 2]), q)


@pytest.mark.parametrize("interpolation", ["linear", "lower", "higher", "midpoint", "nearest"])
@pytest.mark.parametrize("q", [0.0, 0.4, 1.0])
def test_a_quantile_that_is_no_number_gives_its_gradient_to_the_last_that_is_none(
    interpolation: str, q: float
) -> None:
    x = paddle.to_tensor([[1.0, NAN, NAN, 4.0], [NAN, 1.0, 2.0, 3.0]], stop_gradient=False)
    found = paddle.quantile(x, q, axis=1, interpolation=interpolation)
    found.sum().backward()
    assert np.isnan(found.numpy()).all()
    assert x.grad.tolist() == [[0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]]


@pytest.mark.parametrize("order", [paddle.median, paddle.nanmedian, paddle.quantile])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "int64"])
@pytest.mark.parametrize("axis", [None, 1])
def test_order_statistics_of_integers_are_the_same_in_a_program(order, dtype, axis) -> None:
    x = paddle.to_tensor(np.random.default_rng(1).integers(0, 100, (3, 4, 2)).astype(dtype))
    rest = (0.25,) if order is paddle.quantile else ()
    function = lambda x: order(x, *rest, axis=axis)  # noqa: E731
    np.testing.assert_allclose(
        paddle.jit.to_static(function)(x).numpy(), function(x).numpy(), rtol=1e-6
    )
