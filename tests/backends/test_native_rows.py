"""Rows put into a table that a state is: in its memory, unless somebody would see the change."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.ops.index.rows import merge_rows, put_rows, take_rows

pytestmark = pytest.mark.usefixtures("native")


ROWS = paddle.to_tensor([3, 1, 3, 700])
VALUES = paddle.arange(4 * 8, dtype="float32").reshape([4, 8])


def tables():
    start = np.random.default_rng(0).standard_normal((1000, 8)).astype(np.float32)
    return start, paddle.to_tensor(start)


def merged_step(table):
    @paddle.jit.to_static
    def step(rows, values):
        rows, sums = merge_rows(rows, values, 1000)
        table.set_value(put_rows(table, rows, take_rows(table, rows) - sums))

    return step


def subtracted(start, times=1):
    expected = start.copy()
    for _ in range(times):
        np.subtract.at(expected, ROWS.numpy(), VALUES.numpy())
    return expected


def test_a_table_is_changed_where_it_lies():
    start, table = tables()
    step = merged_step(table)
    step(ROWS, VALUES)
    address = table._data.ctypes.data
    for _ in range(3):
        step(ROWS, VALUES)
    assert table._data.ctypes.data == address
    np.testing.assert_allclose(table.numpy(), subtracted(start, 4), rtol=1e-6)


def test_who_holds_the_table_keeps_what_it_has():
    start, table = tables()
    step = merged_step(table)
    step(ROWS, VALUES)
    held = table._data
    kept = held.copy()
    step(ROWS, VALUES)
    np.testing.assert_array_equal(held, kept)
    np.testing.assert_allclose(table.numpy(), subtracted(start, 2), rtol=1e-6)


def test_another_table_may_begin_as_this_one():
    start, table = tables()
    other = paddle.zeros([1000, 8])

    @paddle.jit.to_static
    def step(rows, values):
        other.set_value(put_rows(table, rows, values))

    for _ in range(2):
        step(ROWS, VALUES)
    expected = start.copy()
    expected[ROWS.numpy()] = VALUES.numpy()
    np.testing.assert_array_equal(other.numpy(), expected)
    np.testing.assert_array_equal(table.numpy(), start)


def test_a_table_that_is_read_afterwards_is_not_changed_before():
    start, table = tables()

    @paddle.jit.to_static
    def step(rows, values):
        new = put_rows(table, rows, values)
        before = table * 1.0
        table.set_value(new)
        return before

    np.testing.assert_array_equal(step(ROWS, VALUES).numpy(), start)
    assert table.numpy()[1].tolist() == VALUES.numpy()[1].tolist()


def test_a_step_that_fails_leaves_the_table_alone():
    _, table = tables()

    @paddle.jit.to_static
    def step(rows, values, more):
        table.set_value(put_rows(table, rows, values))
        return paddle.take_along_axis(values, more, 0)

    more = paddle.zeros([1, 8], "int64")
    step(ROWS, VALUES * 0.0, more)
    before = table.numpy()
    with pytest.raises(paddle.errors.AxisError):
        step(ROWS, VALUES, more + 9)
    np.testing.assert_array_equal(table.numpy(), before)


@pytest.mark.parametrize("count", [0, 1, 200, 5000])
def test_rows_are_merged_as_numpy_does(count):
    draws = np.random.default_rng(count)
    rows, values = draws.integers(-2, 60, count), draws.standard_normal((count, 5))
    values = values.astype(np.float32)
    merged = paddle.jit.to_static(lambda r, v: merge_rows(r, v, 50))
    found_rows, sums = merged(paddle.to_tensor(rows), paddle.to_tensor(values))
    expected_rows, expected = merge_rows.kernel_rule(rows, values, 50)
    np.testing.assert_array_equal(found_rows.numpy(), expected_rows)
    np.testing.assert_allclose(sums.numpy(), expected, rtol=1e-4, atol=1e-4)  # in another order
