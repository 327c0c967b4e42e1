"""Loop nests follow from a shape and an element: results, gradients, modes, and where they read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import twinoar as paddle
from twinoar import Tensor, custom, static
from twinoar.backends.choice import make_executable, may_compile
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.custom import language as s
from twinoar.errors import ArgumentError, AxisError, ShapeError, TypeMismatchError

X = np.random.default_rng(0).standard_normal((4, 6)).astype(np.float32)


def window_mean():
    @custom.loop
    def window_mean(x, size: int = 3):
        rows, columns = x.shape

        def element(i, j):
            return s.sum([size], lambda k: x[i, j + k]) / size

        return custom.Elements([rows, columns - size + 1], element)

    return window_mean


def row_norm():
    @custom.loop
    def row_norm(x, eps: float = 1e-5):
        columns = x.shape[1]

        def element(i, j):
            mean = s.sum([columns], lambda k: x[i, k]) / columns
            variance = s.sum([columns], lambda k: (x[i, k] - mean) ** 2) / columns
            return (x[i, j] - mean) / s.sqrt(variance + eps)

        return custom.Elements(x.shape, element)

    return row_norm


def product():
    @custom.loop
    def product(x, y):
        (n, k), (_, m) = x.shape, y.shape
        return custom.Elements([n, m], lambda i, j: s.sum([k], lambda p: x[i, p] * y[p, j]))

    return product


def picked():
    @custom.loop
    def picked(x, index):
        rows, columns = x.shape
        return custom.Elements(
            [*index.shape, columns], lambda i, j: x[s.bounded(index[i], rows, "index"), j]
        )

    return picked


def extremes():
    @custom.loop
    def extremes(x):
        rows, columns = x.shape
        greatest = custom.Elements([rows], lambda i: s.reduce("max", [columns], lambda k: x[i, k]))
        place = custom.Elements([rows], lambda i: s.argmax([columns], lambda k: x[i, k]), "int64")
        shifted = custom.Elements([columns, rows], lambda j, i: x.padded((i - 1, j), 0.5) * x[i, j])
        return greatest, place, shifted

    return extremes


def joined():
    @custom.loop
    def joined(xs: Sequence[Tensor], scale: float = 2.0):
        return custom.Elements(
            [sum(x.shape[0] for x in xs)],
            lambda i: _nth(xs, i) * scale,
        )

    return joined


def offset():
    @custom.loop
    def offset(x, bias: Tensor | None = None, count: int = 2):
        def element(i, j):
            return x[i, j] * count if bias is None else x[i, j] * count + bias[j]

        return custom.Elements(x.shape, element)

    return offset


def _nth(xs, i):
    """Element i of rows put one after the other."""
    found, first = 0.0, 0
    for x in xs:
        inside = (i >= first) & (i < first + x.shape[0])
        found = s.select(inside, x[s.clamped(i - first, x.shape[0])], found)
        first += x.shape[0]
    return found


CASES = [
    (window_mean, [X], {}),
    (window_mean, [X], {"size": 5}),
    (window_mean, [X[:0]], {}),
    (row_norm, [X], {}),
    (product, [X, X.T.copy()], {}),
    (picked, [X, np.array([2, 0, 2])], {}),
    (extremes, [X], {}),
    (joined, [[X[0], X[1, :2]]], {"scale": 3.0}),
    (offset, [X], {"count": 3}),
    (offset, [X, X[0]], {}),
]


@pytest.mark.parametrize(("make", "operands", "attrs"), CASES)
def test_all_that_is_derived_agrees(make, operands, attrs):
    lines = custom.check(make(), *operands, **attrs)
    assert "the second gradient is the slope of the first" in lines


def test_results_are_those_of_numpy():
    x = paddle.to_tensor(X)
    windows = np.lib.stride_tricks.sliding_window_view(X, 3, axis=1).mean(-1)
    np.testing.assert_allclose(window_mean()(x).numpy(), windows, rtol=1e-5)
    np.testing.assert_allclose(product()(x, x.t()).numpy(), X @ X.T, rtol=1e-5)
    assert picked()(x, paddle.to_tensor([2, 0])).tolist() == X[[2, 0]].tolist()


def test_a_size_that_the_run_decides_serves_any_batch():
    op = window_mean()

    @paddle.jit.to_static(input_spec=[static.InputSpec([None, 6])])
    def loss(x):
        return (op(x) ** 2).sum()

    assert "f32[N,4] = window_mean(" in str(loss.main_program)
    for rows in (1, 4):
        traced, plain = (paddle.to_tensor(X[:rows], stop_gradient=False) for _ in range(2))
        loss(traced).backward()
        (op(plain) ** 2).sum().backward()
        np.testing.assert_allclose(traced.grad.numpy(), plain.grad.numpy(), rtol=1e-5)


@pytest.mark.skipif(not may_compile(), reason="Programs run on NumPy here")
def test_it_fuses_with_its_neighbours():
    op = window_mean()
    program = trace(lambda x: paddle.exp(op(x)), Spec.parse("f32[N,6]"))
    executable = make_executable(program)
    executable.run({"x": X}, {})
    assert "window_mean, exp" in executable.explain()


def test_a_given_gradient_takes_the_place_of_the_derived_one():
    op = window_mean()

    @op.grad
    def _(g, x, size):
        return x * float(size)

    x = paddle.to_tensor(X, stop_gradient=False)
    op(x, size=2).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), X * 2)


@pytest.mark.parametrize("dtype", ["float64", "float16", "bfloat16", "int64"])
def test_results_have_the_dtype_of_the_first_operand(dtype):
    @custom.loop
    def row_sums(x):
        rows, columns = x.shape
        return custom.Elements([rows], lambda i: s.sum([columns], lambda k: x[i, k]))

    assert row_sums(paddle.ones([2, 3]).astype(dtype)).dtype == dtype


def outside(index):
    @custom.loop
    def reads_outside(x):
        return custom.Elements(x.shape, lambda i: x[index(i)])

    return reads_outside


@pytest.mark.parametrize("index", [lambda i: i + 1, lambda i: i - 1, lambda i: i * i])
@pytest.mark.parametrize("size", [3, 100_000])
def test_an_index_that_may_lie_outside_is_refused_before_anything_is_read(index, size):
    with pytest.raises(AxisError, match="index 0 of x may be") as caught:
        outside(index)(paddle.ones([size]))
    assert "x.padded" in str(caught.value) and "reads_outside" in str(caught.value)


def test_an_index_is_checked_when_its_sizes_are_known():
    op = outside(lambda i: i + 1)

    @paddle.jit.to_static(input_spec=[static.InputSpec([None])])
    def run(x):
        return op(x)

    with pytest.raises(AxisError, match="index 0 of x may be 1 to 5, and the size is 5"):
        run(paddle.ones([5]))


def test_wrong_data_are_noticed():
    with pytest.raises(AxisError, match="index 7 is out of range for size 4"):
        picked()(paddle.to_tensor(X), paddle.to_tensor([7]))


def too_few_indices(x):
    return custom.Elements(x.shape, lambda i, j: x[i])


def no_elements(x):
    return x


def of_three_dimensions(x):
    n, m, k = x.shape
    return custom.Elements([n * m * k], lambda i: x[i, i, i])


@pytest.mark.parametrize(
    ("nest", "error", "messages"),
    [
        (too_few_indices, ArgumentError, ["2 dimensions, received 1 indices", "x[i, j]"]),
        (no_elements, TypeMismatchError, ["must return Elements, received", "custom.Elements("]),
        (of_three_dimensions, ArgumentError, ["not enough values", "n, m, k = x.shape"]),
    ],
)
def test_a_wrong_nest_is_named_with_its_line_and_a_cure(nest, error, messages):
    op = custom.loop(nest)
    with pytest.raises(error) as caught:
        op(paddle.to_tensor(X))
    for message in [nest.__name__, *messages]:
        assert message in str(caught.value)


def test_elements_are_not_read_where_the_shape_is_made():
    @custom.loop
    def too_early(x):
        first = x[0]
        return custom.Elements(x.shape, lambda i: x[i] - first)

    with pytest.raises(ShapeError, match="before its sizes are known"):
        trace(lambda x: too_early(x), Spec.parse("f32[N]"))
