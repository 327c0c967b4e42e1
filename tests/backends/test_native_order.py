"""Order as compiled loops: what NumPy's kernels say, to the bit, and the same bits each time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.backends.compiled_calls import compiled, same, sample
from twinoar.core.dtype import int64
from twinoar.errors import ArgumentError, AxisError
from twinoar.ops.index.cumulative_extreme import cummax_op, cummin_op
from twinoar.ops.index.order_statistic import order_statistic_op
from twinoar.ops.index.sort import mode_op, sort_op, topk_op
from twinoar.ops.index.unique import searchsorted

pytestmark = pytest.mark.usefixtures("one_pass_for_most", "strict")

DTYPES = [
    "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64",
]  # fmt: skip
LENGTHS = [1, 2, 7, 8, 9, 64, 192, 193, 1000, 5000]


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_sort(dtype: str, descending: bool) -> None:
    for n in LENGTHS:
        for shape, axis in (((3, n), -1), ((n, 2), 0), ((2, n, 3), 1)):
            x = sample(shape, dtype, n)
            wanted = sort_op.kernel_rule(x, axis, descending)
            same(compiled(lambda x: sort_op(x, axis, descending), x), wanted)  # noqa: B023


@pytest.mark.parametrize("dtype", DTYPES)
def test_sort_of_long_lines(dtype: str) -> None:
    for shape, axis in (((140_001,), 0), ((140_001, 2), 0)):
        x = sample(shape, dtype)
        same(compiled(lambda x: sort_op(x, axis, False), x), sort_op.kernel_rule(x, axis, False))  # noqa: B023


def test_sort_leaves_out_digits_that_all_share() -> None:
    x = np.random.default_rng(0).integers(0, 300, 200_000) << 20
    for part in (x, x[:5000], x * 0):
        wanted = sort_op.kernel_rule(part, 0, True)
        same(compiled(lambda x: sort_op(x, 0, True), part), wanted)


def test_sort_of_an_operand_that_does_not_lie_in_rows() -> None:
    x = sample((300, 40), "float32")
    for turned in (x.T, x[::-2], np.asfortranarray(x)):
        found = sort_op(paddle.to_tensor(x).t() if turned is x.T else paddle.to_tensor(turned), -1)
        same([part.numpy() for part in found], sort_op.kernel_rule(turned, -1, False))


TOPK = [  # the shape, the axis, k: by the whole order, by collecting
    ((3, 50), 1, 7), ((3, 1000), 1, 300), ((3, 1000), 1, 20), ((999, 3), 0, 1),
    ((2, 999, 2), 1, 9),
]  # fmt: skip
TOPK_OF_LONG_LINES = [((140_000,), 0, 5), ((140_000, 2), 0, 300), ((150_001,), 0, 10_000)]


@pytest.mark.parametrize("largest", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_topk(dtype: str, largest: bool) -> None:
    is_one_of_each_kind = dtype in ("bfloat16", "float32", "int64")
    for shape, axis, k in TOPK + TOPK_OF_LONG_LINES * is_one_of_each_kind:
        x = sample(shape, dtype, k)
        wanted = topk_op.kernel_rule(x, k, axis, largest, True)
        same(compiled(lambda x: topk_op(x, k, axis, largest), x), wanted)  # noqa: B023


@pytest.mark.parametrize("n", [1000, 300_000])
def test_topk_of_lines_that_stand_in_the_worst_order(n: int) -> None:
    x = np.arange(n)[None] * np.array([[1], [-1]])
    for largest in (False, True):
        wanted = topk_op.kernel_rule(x, 30, 1, largest, True)
        same(compiled(lambda x: topk_op(x, 30, 1, largest), x), wanted)  # noqa: B023


STATISTICS = [
    ((3, 1), 1), ((3, 32), 1), ((5, 33), 1), ((70, 200), 1), ((3, 5000), 1), ((5000, 3), 0),
    ((2, 700, 3), 1), ((100_000,), 0),
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
def test_order_statistic(dtype: str) -> None:
    random = np.random.default_rng(1)
    for shape, axis in STATISTICS:
        x, n = sample(shape, dtype, 3), shape[axis]
        parts = sort_op.kernel_rule(x, axis, False)
        for ranks in (
            random.integers(0, n, 3),
            random.integers(-n, n, (*shape[:axis], 4, *shape[axis + 1 :])),
        ):
            take = np.take if ranks.ndim == 1 and x.ndim > 1 else np.take_along_axis
            wanted = tuple(take(part, ranks, axis) for part in parts)
            same(compiled(lambda x, r: order_statistic_op(x, r, axis), x, ranks), wanted)  # noqa: B023


def test_order_statistic_of_keys_that_are_near_each_other_and_far_apart() -> None:
    random = np.random.default_rng(0)
    limits = np.iinfo("int64")
    for spread in (1, 3, 5000, 1 << 40):
        x = random.integers(0, spread, 20_000) + 10**12
        x[:2] = limits.min, limits.max
        for part in (x, x[2:]):
            ranks = np.array([0, 5, 9_000, 9_001, -1])
            wanted = tuple(p[ranks] for p in sort_op.kernel_rule(part, 0, False))
            same(compiled(lambda x, r: order_statistic_op(x, r, 0), part, ranks), wanted)


def test_a_place_that_is_none_is_an_error() -> None:
    for rank in (-101, 100):
        with pytest.raises(AxisError, match="out of range"):
            compiled(
                lambda x, r: order_statistic_op(x, r, 0), sample((100,), "int8"), np.array([rank])
            )


@pytest.mark.parametrize("n", [1, 6, 7, 5001, 6000])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_medians_and_quantiles_are_those_of_numpy(dtype: str, n: int) -> None:
    x = sample((3, n), dtype)
    if dtype != "int64":
        x = np.where(np.isfinite(x), x, 1.5).astype(dtype)
        x[2, n // 2] = np.nan if n > 1 else 1.5
    given = x.astype("float64")
    calls = [
        (lambda x: paddle.median(x, 1), np.median(given, 1)),
        (lambda x: paddle.nanmedian(x.astype("float64"), 1), np.nanmedian(given, 1)),
        (
            lambda x: paddle.quantile(x, [0.1, 0.5, 0.77], 1),
            np.quantile(given, [0.1, 0.5, 0.77], 1),
        ),
        (lambda x: paddle.nanquantile(x, 0.3, 1), np.nanquantile(given, 0.3, 1)),
        (
            lambda x: paddle.quantile(x, 0.3, 0, interpolation="higher"),
            np.quantile(given, 0.3, 0, method="higher"),
        ),
    ]
    for call, wanted in calls:
        (found,) = compiled(call, x)
        np.testing.assert_allclose(found.astype("float64"), wanted, 1e-6)


SCANNED = [
    ((5,), 0), ((3, 70), 1), ((70, 3), 0), ((2, 9, 4), 1), ((40_001,), 0), ((2, 70_003), 1),
    ((70, 20_000), 1),
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("op", [cummax_op, cummin_op], ids=str)
def test_running_extrema(op: Any, dtype: str) -> None:
    for shape, axis in SCANNED:
        for x in (sample(shape, dtype), np.sort(sample(shape, dtype), axis)):
            wanted = op.kernel_rule(x, axis, int64)
            found = compiled(lambda x: op(x, axis), x)  # noqa: B023
            values = [part.astype("float64") for part in (found[0], wanted[0])]
            np.testing.assert_array_equal(*values)  # either zero may stand for both
            same(found[1:], wanted[1:])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_running_sums_of_exponentials(dtype: str) -> None:
    for shape, axis in SCANNED:
        x = np.random.default_rng(0).standard_normal(shape).astype(dtype) * 5
        with np.errstate(all="ignore"):
            wanted = np.logaddexp.accumulate(x.astype("float64"), axis)
        (found,) = compiled(lambda x: paddle.logcumsumexp(x, axis), x)  # noqa: B023
        np.testing.assert_allclose(found, wanted, 1e-4 if dtype == "float32" else 1e-12)


def test_running_sums_of_exponentials_of_infinities() -> None:
    x = np.full(40_000, -np.inf, "float32")
    x[20_000], x[30_000] = 1.0, np.inf
    (found,) = compiled(lambda x: paddle.logcumsumexp(x, 0), x)
    assert (found[:20_000] == -np.inf).all() and (found[30_000:] == np.inf).all()
    np.testing.assert_allclose(found[20_000:30_000], 1.0)
    x[35_000] = np.nan
    (found,) = compiled(lambda x: paddle.logcumsumexp(x, 0), x)
    assert np.isnan(found[35_000:]).all() and not np.isnan(found[:35_000]).any()


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_searchsorted(dtype: str, right: bool) -> None:
    for n in (0, 1, 2, 7, 8, 1000):
        for rows in ((), (1,), (2, 3)):
            x = sort_op.kernel_rule(sample((*rows, n), dtype, n), -1, False)[0]
            values = sample((*rows, 1100), dtype, n + 1)
            wanted = searchsorted.kernel_rule(x, values, False, right)
            same(
                compiled(lambda x, v: paddle.searchsorted(x, v, right=right), x, values), (wanted,)
            )
        found = compiled(lambda x: paddle.bucketize(x, x.reshape([-1])[:1], True, right), values)
        same(found, (searchsorted.kernel_rule(values.reshape(-1)[:1], values, True, right),))


@pytest.mark.parametrize("value", [2, -1.5, 300.0])
def test_searchsorted_of_a_number(value: float) -> None:
    x = np.arange(9, dtype="float32")
    (found,) = compiled(lambda x: paddle.searchsorted(x, value), x)
    assert found == np.searchsorted(x, value)


@pytest.mark.parametrize("dtype", DTYPES)
def test_mode(dtype: str) -> None:
    for shape, axis in (((3, 1), 1), ((9, 40), 1), ((2, 700), 1), ((700, 2), 0), ((2, 5, 3), 1)):
        x = sample(shape, dtype, shape[0])
        same(compiled(lambda x: mode_op(x, axis), x), mode_op.kernel_rule(x, axis, False))  # noqa: B023


def test_mode_of_nothing_is_an_error() -> None:
    with pytest.raises(ArgumentError, match="none of 0 elements"):
        compiled(lambda x: mode_op(x, 1), sample((3, 0), "float32"))


SEVERAL = """
import hashlib, sys
import numpy as np
sys.path.insert(0, {tests!r})
from tests.backends.compiled_calls import compiled, sample
import twinoar as paddle
{calls}
found = hashlib.sha256()
for call in calls:
    for shape in ((300_000,), (70, 500), (500, 70), (3, 5000)):
        for out in compiled(call, sample(shape, "float32")):
            found.update(out.tobytes())
print(found.hexdigest())
"""
CALLS = """
calls = [
    lambda x: paddle.sort(x, axis=0), lambda x: paddle.argsort(x, axis=-1, descending=True),
    lambda x: paddle.topk(x, 40), lambda x: paddle.kthvalue(x, 40), paddle.median,
    lambda x: paddle.cummax(x, -1), lambda x: paddle.cummin(x, 0),
    lambda x: paddle.logcumsumexp(x, -1), lambda x: paddle.cumsum(x, -1),
    lambda x: paddle.bucketize(x, x.flatten()[:400].sort()),
    lambda x: paddle.mode(x), lambda x: paddle.histogram(x, 99, -2, 2, weight=x),
    lambda x: paddle.quantile(x, [0.2, 0.9], axis=0),
]
"""


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    text = SEVERAL.format(tests=str(Path(__file__).parents[2]), calls=CALLS)
    found = {
        subprocess.run(
            [sys.executable, "-c", text],
            env={**os.environ, "OMP_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2", "3")
    }
    assert len(found) == 1
