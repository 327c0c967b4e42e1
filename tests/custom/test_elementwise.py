"""Elementwise operators follow from one expression: results, gradients, modes, dtypes, shapes."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

import twinoar as paddle
from twinoar import custom, nn, static
from twinoar.backends.choice import make_executable, may_compile
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.custom import language as s
from twinoar.errors import ArgumentError, DTypeError, ShapeError, TypeMismatchError

X = np.linspace(-2.0, 2.1, 12, dtype=np.float32).reshape(3, 4)
Y = np.array([0.5, 1.0, 1.5, 2.0], np.float32)


def relu():
    @custom.elementwise
    def my_relu(x):
        return s.select(x <= 0, 0, x)

    return my_relu


def swish():
    @custom.elementwise
    def my_swish(x, beta: float = 1.0):
        """x * sigmoid(beta * x)."""
        return x * s.sigmoid(beta * x)

    return my_swish


def mixture():
    @custom.elementwise
    def mixture(x, y):
        return s.exp(-(x**2)) * y + s.max(x, y) ** 1.5 + sum(k * x for k in range(3))

    return mixture


def mixed(x, y):
    return np.exp(-(x**2)) * y + np.maximum(x, y) ** 1.5 + 3 * x


@pytest.mark.parametrize(
    ("make", "operands", "attrs"),
    [
        (relu, [X], {}),
        (swish, [X], {}),
        (swish, [X], {"beta": 2.5}),
        (swish, [X[:0]], {}),
        (swish, [np.array(0.3, np.float32)], {}),
        (mixture, [X + 2.5, Y], {}),
        (mixture, [X[:, :1] + 2.5, Y], {}),
        (mixture, [X + 2.5, 0.6], {}),
        (mixture, [0.6, X + 2.5], {}),
    ],
)
def test_all_that_is_derived_agrees(make, operands, attrs):
    lines = custom.check(make(), *operands, **attrs)
    assert "the second gradient is the slope of the first" in lines


def test_results_and_gradients_are_those_of_the_built_in():
    x, same = (paddle.to_tensor(X, stop_gradient=False) for _ in range(2))
    swish()(x).sum().backward()
    nn.functional.swish(same).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), same.grad.numpy(), rtol=1e-5)


def test_operands_broadcast_and_numbers_stand_for_them():
    op = mixture()
    x, y = X + 2.5, Y
    np.testing.assert_allclose(op(paddle.to_tensor(x), paddle.to_tensor(y)), mixed(x, y), rtol=1e-5)
    np.testing.assert_allclose(op(paddle.to_tensor(x), 0.5), mixed(x, 0.5), rtol=1e-5)
    with pytest.raises(ShapeError, match=r"mixture: shapes \[3, 4\] and \[5\] do not broadcast"):
        op(paddle.to_tensor(x), paddle.ones([5]))


@pytest.mark.parametrize("dtype", ["float64", "float16", "bfloat16"])
def test_results_and_gradients_have_the_dtype_of_the_operand(dtype):
    x = paddle.to_tensor(X).astype(dtype)
    x.stop_gradient = False
    y = swish()(x)
    y.sum().backward()
    assert y.dtype == x.grad.dtype == dtype


def test_16_bit_floats_are_worked_on_in_float32():
    x = X.astype(ml_dtypes.bfloat16)
    exact = x.astype(np.float64) / (1 + np.exp(-x.astype(np.float64)))
    found = swish()(paddle.to_tensor(x)).numpy()
    np.testing.assert_array_equal(found, exact.astype(ml_dtypes.bfloat16))


def test_integers_count_as_floats_unless_they_stay_integers():
    @custom.elementwise(integers=True)
    def half_rounded_down(x):
        return x // 2

    whole = paddle.to_tensor([3, -3])
    assert relu()(whole).dtype == paddle.float32
    assert half_rounded_down(whole).tolist() == [1, -2]
    assert half_rounded_down(whole).dtype == paddle.int64


def test_a_comparison_gives_truth_values():
    @custom.elementwise
    def is_near(x, y, distance: float = 0.1):
        return abs(x - y) < distance

    found = is_near(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([1.05, 3.0]))
    assert found.dtype == paddle.bool and found.tolist() == [True, False]


@pytest.mark.skipif(not may_compile(), reason="Programs run on NumPy here")
def test_it_is_one_line_in_a_program_and_fuses():
    op = relu()
    program = trace(lambda x: paddle.exp(op(x * 2.0)), Spec.parse("f32[N,4]"))
    assert [o.op.name for o in program.main.ops] == ["multiply", "my_relu", "exp"]
    executable = make_executable(program)
    (found,), _ = executable.run({"x": X}, {})
    np.testing.assert_allclose(found, np.exp(np.maximum(2 * X, 0)), rtol=1e-6)
    assert "multiply, my_relu, exp" in executable.explain()


def test_unknown_batch_sizes_get_gradients_in_programs():
    op = mixture()

    @paddle.jit.to_static(input_spec=[static.InputSpec([None, 4])])
    def loss(x):
        return op(x, paddle.to_tensor(Y)).sum()

    for rows in (1, 3):
        x = paddle.to_tensor(X[:rows] + 2.5, stop_gradient=False)
        loss(x).backward()
        plain = paddle.to_tensor(X[:rows] + 2.5, stop_gradient=False)
        op(plain, paddle.to_tensor(Y)).sum().backward()
        np.testing.assert_allclose(x.grad.numpy(), plain.grad.numpy(), rtol=1e-5)


def test_large_arrays_take_the_same_way_as_those_of_built_in_operators():
    x = np.random.default_rng(0).standard_normal((300, 200)).astype(np.float32)
    a, b = (paddle.to_tensor(x, stop_gradient=False) for _ in range(2))
    mine, theirs = relu()(a), nn.functional.relu(b)
    mine.backward(mine.detach())
    theirs.backward(theirs.detach())
    np.testing.assert_array_equal(mine.numpy(), theirs.numpy())
    np.testing.assert_array_equal(a.grad.numpy(), b.grad.numpy())


def test_a_given_gradient_takes_the_place_of_the_derived_one():
    op = relu()

    @op.grad
    def _(g, x):
        return g * 7.0

    x = paddle.to_tensor(X, stop_gradient=False)
    op(x).sum().backward()
    assert (x.grad.numpy() == 7.0).all()


@pytest.mark.parametrize("name", [n for n in s.FUNCTIONS if n not in ("atan2", "pow", "acosh")])
def test_every_function_has_a_derivative(name):
    @custom.elementwise
    def one(x):
        return s.call(name, x)

    custom.check(one, np.linspace(0.2, 0.8, 5, dtype=np.float32), tolerance=1e-4)


def rule_with_if(x):
    if x > 0:
        return x
    return -x


def rule_of_numpy(x):
    return np.exp(x)


def rule_with_math(x):
    return math.exp(x)


def rule_with_typing_error(x):
    return s.sigmoyd(x)


def rule_of_two_dtypes(x):
    return s.cast(x, paddle.float64) * x


def rule_without_return(x):
    s.exp(x)


@pytest.mark.parametrize(
    ("rule", "error", "messages"),
    [
        (rule_with_if, ArgumentError, ["no truth", "s.select(condition, a, b)", "if x > 0:"]),
        (rule_of_numpy, ArgumentError, ["custom.language", "return np.exp(x)"]),
        (rule_with_math, ArgumentError, ["custom.language"]),
        (rule_with_typing_error, ArgumentError, ["no sigmoyd: the nearest are sigmoid"]),
        (rule_of_two_dtypes, DTypeError, ["float64 and float32 meet", "s.cast(y, x.dtype)"]),
        (rule_without_return, TypeMismatchError, ["received NoneType", "return the expression"]),
    ],
)
def test_a_wrong_rule_is_named_with_its_line_and_a_cure(rule, error, messages):
    op = custom.elementwise(rule)
    with pytest.raises(error) as caught:
        op(paddle.to_tensor(X))
    for message in [rule.__name__, *messages]:
        assert message in str(caught.value)


def test_reductions_are_refused():
    @custom.elementwise
    def tripled(x):
        return s.sum([3], lambda k: s.cast(k, x.dtype) * x)

    with pytest.raises(ArgumentError, match="has a reduction") as caught:
        tripled(paddle.to_tensor(X))
    assert "custom.loop" in str(caught.value)


def test_functions_of_floats_refuse_integers():
    @custom.elementwise(integers=True)
    def root(x):
        return s.sqrt(x)

    with pytest.raises(DTypeError, match=r"root: its expression has sqrt of .*int64"):
        root(paddle.to_tensor([4]))
