"""Reductions over an axis in the middle, compiled: loops over strips of what lies beside it."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.backends.llvm.strips import WIDTH
from twinoar.jit import to_static
from twinoar.nn import functional as F

COLUMNS = [1, 7, 8, WIDTH - 1, WIDTH, WIDTH + 1, 2 * WIDTH + 3]


def compiled(function, *arrays):
    static = to_static(function, full_graph=True)
    return static(*map(paddle.to_tensor, arrays)).numpy()


def numbers(*shape):
    return np.random.default_rng(1).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize(
    ("function", "oracle"),
    [
        (lambda x: x.sum(1), lambda x: x.sum(1)),
        (lambda x: paddle.exp(x).mean(1) * 2, lambda x: np.exp(x).mean(1) * 2),
        (lambda x: x.max(1) - x.min(1), lambda x: x.max(1) - x.min(1)),
        (lambda x: (x > 2).any(1), lambda x: (x > 2).any(1)),
        (lambda x: (x * 0.1 + 1).prod(1), lambda x: (x * 0.1 + 1).prod(1)),
    ],
)
def test_each_column_is_reduced(columns, function, oracle):
    x = numbers(3, 40, columns)
    np.testing.assert_allclose(compiled(function, x), oracle(x), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("columns", COLUMNS)
def test_a_reduction_reads_another_of_its_column(columns):
    x = numbers(3, 40, columns)
    wanted = np.exp(x - x.max(1, keepdims=True))
    wanted /= wanted.sum(1, keepdims=True)
    np.testing.assert_allclose(compiled(lambda x: F.softmax(x, 1), x), wanted, rtol=1e-5)
    spread = compiled(lambda x: ((x - x.mean(1, keepdim=True)) ** 2).sum(1), x)
    np.testing.assert_allclose(spread, 40 * x.var(1), rtol=1e-4)


def test_columns_of_a_product_with_a_vector_for_each_row():
    x, w = numbers(3, 300), numbers(300, 520)
    found = compiled(lambda x, w: (x.unsqueeze(2) * w).sum(1), x, w)
    np.testing.assert_allclose(found, x @ w, rtol=1e-4, atol=1e-4)


def test_more_ones_than_float32_can_count():
    count = (1 << 24) + 64
    found = compiled(lambda x: (x + 0.0).expand([2, count, 8]).sum(1), np.ones((2, 1, 8), "f4"))
    assert (found == count).all()


@pytest.mark.parametrize("rows", [5, 40])
def test_a_size_that_is_not_known_yet(rows):
    static = to_static(
        lambda x: x.sum(1),
        full_graph=True,
        input_spec=[paddle.static.InputSpec([None, 50, None], "float32")],
    )
    for columns in (rows, WIDTH + rows):
        x = numbers(2, 50, columns)
        found = static(paddle.to_tensor(x)).numpy()
        np.testing.assert_allclose(found, x.sum(1), rtol=1e-4, atol=1e-5)


def test_what_is_narrow_or_lies_side_by_side_has_no_strips():
    for function, shape in ((lambda x: x.sum(1), (3, 40, 3)), (lambda x: x.sum(2), (3, 4, 40))):
        x = numbers(*shape)
        axis = 1 if shape[2] == 3 else 2
        np.testing.assert_allclose(compiled(function, x), x.sum(axis), rtol=1e-4, atol=1e-5)
