"""The dtypes of results: of reductions with `dtype`, of narrow integers, of changes in place."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import DTypeError


def t(values, dtype=None):
    return paddle.to_tensor(values, dtype=dtype)


@pytest.mark.parametrize("function", [paddle.sum, paddle.nansum, paddle.cumsum])
@pytest.mark.parametrize("given", ["bool", "uint8", "int32", "float32", "float64"])
@pytest.mark.parametrize("asked", ["int32", "int64", "float32", "float64"])
def test_a_sum_has_the_dtype_that_is_asked_for(function, given, asked):
    out = function(t([[1, 0], [2, 2]]).astype(given), dtype=asked)
    wanted = getattr(np, function.__name__)(np.array([[1, 0], [2, 2]]).astype(given), dtype=asked)
    assert out.dtype == asked and out.tolist() == wanted.tolist()


def test_a_sum_of_truth_values_as_truth_values_asks_whether_any_is_true():
    assert paddle.sum(t([2, 0, 3]), dtype="bool").item() is True


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "bool"])
@pytest.mark.parametrize("shape", [[5], [], [0], [2, 3]])
def test_running_sums_of_integers_do_not_overflow(dtype, shape):
    x = paddle.full(shape, 100, dtype)
    out = paddle.cumsum(x, axis=-1)
    assert out.dtype == "int64"
    assert (
        out.tolist()
        == np.cumsum(x.numpy().astype("int64").reshape(shape or [1]), -1).reshape(shape).tolist()
    )


@pytest.mark.parametrize(
    ("result", "dtype", "values"),
    [
        (lambda: t([3, 1, 2, 5]).median(mode="min"), "int64", 2),
        (lambda: t([3, 1, 2, 5]).median(), "float32", 2.5),
        (lambda: t([2**60, 2**60 + 1, 2**60 + 3]).median(mode="min"), "int64", 2**60 + 1),
        (lambda: t([1.0, 2.0]).astype("float16").median(), "float32", 1.5),
        (lambda: t([15, 25, -35, 101, 151]).round(-1), "int64", [20, 20, -40, 100, 150]),
        (lambda: t([15, 25, 151], "int32").round(-2), "int32", [0, 0, 200]),
        (lambda: t([2**60 + 1]).round(2), "int64", [2**60 + 1]),
        (lambda: t([100, 50], "int8").round(-3), "int8", [0, 0]),
        (lambda: paddle.trace(t([[1, 2], [3, 4]], "int32")), "int32", 5),
        (lambda: paddle.reduce_as(t([[1, 2]], "int32"), t([0])), "int64", [3]),
        (lambda: paddle.reduce_as(t([1, 2], "int32"), t([0, 0])), "int32", [1, 2]),
        (lambda: paddle.reduce_as(t([[True, True]]), t([0])), "int64", [2]),
        (lambda: paddle.bincount(t([0, 1, 1]), t([1, 2, 3])), "float64", [1, 5]),
        (lambda: paddle.bincount(t([0, 1]), t([1.0, 2.0])), "float32", [1, 2]),
        (lambda: paddle.index_fill(t([True, False]), t([1]), 0, 2.5), "bool", [True, True]),
        (lambda: t([True, False]).masked_fill(t([False, True]), 3), "bool", [True, True]),
        (lambda: t([3], "int32").clip(t(1), t(2)), "int32", [2]),
        (lambda: t([3.0]).clip(t([1.0], "float64"), t([2.0], "float64")), "float32", [2]),
        (lambda: t([3]).clip(max=t(2.5)), "float32", [2.5]),
        (lambda: paddle.copysign(t([1, -2]), -2.5), "int64", [-1, -2]),
        (lambda: paddle.ldexp(t([1.0]).astype("float16"), t([20])), "float32", [2.0**20]),
        (lambda: paddle.histogram(t([0, 1, 2, 3]), 4, 0.5, 3.7), "int64", [1, 1, 1, 1]),
        (lambda: paddle.histogram(t([0, 1]), 2, weight=t([3, 4])), "float32", [3, 4]),
        (lambda: paddle.histogram(t([0.0, 3.0]), 3, 2.5, 2.5), "int64", [1, 0, 1]),
    ],
)
def test_results_have_the_dtype_of_their_operands_kind(result, dtype, values):
    out = result()
    assert out.dtype == dtype and out.tolist() == values


@pytest.mark.parametrize(("mean", "rows"), [(-5, [[1], [-4], [-7]]), (5, [[1], [4], [7]])])
def test_means_of_whole_messages_are_cut_towards_zero(mean, rows):
    out = paddle.geometric.send_u_recv(t(rows), t([1, 2]), t([0, 0]), "mean")
    assert out.dtype == "int64" and out.tolist() == [[mean], [0], [0]]


@pytest.mark.parametrize(
    ("given", "change", "dtype", "values"),
    [
        (t([2, 2], "int32"), lambda x: x.clip_(0.5, 1.5), "int32", [1, 1]),
        (t([3, -1]), lambda x: x.clip_(-0.5, 2.5), "int64", [2, 0]),
        (t([[1, 0], [3, 2]]), lambda x: x.fill_diagonal_(2.5), "int64", [[2, 0], [3, 2]]),
        (
            t([[True, False]] * 2),
            lambda x: x.fill_diagonal_(2),
            "bool",
            [[True, False], [True, True]],
        ),
        (t([True, False]), lambda x: x.index_fill_(t([1]), 0, 2.5), "bool", [True, True]),
        (t([100, 100], "int8"), lambda x: x.cumsum_(), "int8", [100, -56]),
        (t([1, 2], "int32"), lambda x: x.cumsum_(dtype="int64"), "int64", [1, 3]),
        (t([1.0]), lambda x: x.add_(t(2.0, "float64")), "float64", [3.0]),
        (t([1.0]), lambda x: x.div_(t(2.0, "float64")), "float64", [0.5]),
        (t([1.0]), lambda x: x.multiply_(t([2.0])), "float32", [2.0]),
        (t([True, False]), lambda x: x.__setitem__(x, 1e10), "bool", [True, False]),
        (t([True, False]), lambda x: x.__setitem__(x, 0.0), "bool", [False, False]),
        (t([1, 2]), lambda x: x.__setitem__(x > 1, 2.7), "int64", [1, 2]),
    ],
)
def test_a_change_in_place_keeps_the_dtype_but_where_arithmetic_widens(
    given, change, dtype, values
):
    x = given.clone()
    change(x)
    assert x.dtype == dtype and x.tolist() == values


@pytest.mark.parametrize(
    "change",
    [
        lambda x: paddle.index_fill(x, t([0]), 0, 1 + 2j),
        lambda x: paddle.masked_fill(x, t([True, False]), 1 + 2j),
        lambda x: x.__setitem__(x > 1, 1 + 2j),
        lambda x: x.astype("int64").masked_fill(t([True, False]), float("nan")),
    ],
)
def test_numbers_that_a_tensor_cannot_hold_are_refused(change):
    with pytest.raises(DTypeError, match=r"that (float32|int64) holds"):
        change(t([1.0, 2.0]))


def test_the_position_of_a_median_that_is_nan_is_that_of_the_first_nan():
    value, place = t([3.0, float("nan"), 1.0, float("nan")]).median(axis=0, mode="min")
    assert np.isnan(value.item()) and place.item() == 1
