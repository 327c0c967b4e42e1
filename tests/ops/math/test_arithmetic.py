"""Arithmetic as users write it: operators, promotion, division with rounding, powers."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.autograd.api import grad
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, DTypeError, TypeMismatchError
from twinoar.jit import to_static
from twinoar.ops.create.fill import ones
from twinoar.ops.math.arithmetic import (
    add,
    div,
    divide,
    floor_divide,
    multiply,
    pow,
    remainder,
    subtract,
)

NAN, INF = float("nan"), float("inf")


def leaf(data, dtype="float32"):
    return to_tensor(data, dtype=dtype, stop_gradient=False)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (lambda x: x + 1, [3.0, 5.0]),
        (lambda x: 1 + x, [3.0, 5.0]),
        (lambda x: x - 1, [1.0, 3.0]),
        (lambda x: 1 - x, [-1.0, -3.0]),
        (lambda x: x * 3, [6.0, 12.0]),
        (lambda x: 3 * x, [6.0, 12.0]),
        (lambda x: x / 4, [0.5, 1.0]),
        (lambda x: 4 / x, [2.0, 1.0]),
        (lambda x: x // 3, [0.0, 1.0]),
        (lambda x: 9 // x, [4.0, 2.0]),
        (lambda x: x % 3, [2.0, 1.0]),
        (lambda x: 9 % x, [1.0, 1.0]),
        (lambda x: x**2, [4.0, 16.0]),
        (lambda x: 2**x, [4.0, 16.0]),
        (lambda x: -x, [-2.0, -4.0]),
        (lambda x: abs(-x), [2.0, 4.0]),
    ],
)
def test_python_numbers_stand_on_either_side(expression, expected):
    out = expression(to_tensor([2.0, 4.0]))
    assert out.tolist() == expected and out.dtype == "float32"


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        ("float32", "float64", "float32"),
        ("bfloat16", "float32", "bfloat16"),
        ("bfloat16", "float16", "bfloat16"),
        ("int8", "int64", "int8"),
        ("uint8", "int8", "uint8"),
        ("complex64", "complex128", "complex64"),
        ("float64", "float32", "float64"),
        ("int32", "float64", "float64"),
        ("float32", "int64", "float32"),
        ("complex64", "float64", "complex128"),
        ("bool", "int8", "int8"),
    ],
)
@pytest.mark.parametrize("shape", [[2], [1], [0, 2]])
@pytest.mark.parametrize("function", [add, subtract, multiply])
def test_a_tensor_without_dimensions_decides_only_over_lower_kinds(x, y, expected, shape, function):
    x, y = ones(shape, x), ones([], y)
    assert function(x, y).dtype == expected == function(y, x).dtype


@pytest.mark.parametrize(("x", "y"), [("float32", "float64"), ("float64", "float32")])
def test_two_tensors_without_dimensions_promote_to_the_wider(x, y):
    assert (ones([], x) * ones([], y)).dtype == "float64"


def test_the_gradient_of_a_wide_number_beside_a_narrow_tensor_is_wide():
    x, y = leaf([1.0, 2.0]), leaf(3.0, "float64")
    (x * y).sum().backward()
    assert (x.grad.dtype, y.grad.dtype) == ("float32", "float64") and y.grad.item() == 3.0


@pytest.mark.parametrize("compare", ["equal", "less_equal", "greater_equal"])
def test_a_comparison_with_a_number_in_a_tensor_is_in_the_dtype_of_the_other(compare):
    x, y = to_tensor([0.1]), to_tensor(0.1, dtype="float64")
    assert getattr(x, compare)(y).item() and getattr(y, compare)(x).item()


@pytest.mark.parametrize(
    ("expression", "dtype"),
    [
        (lambda i: i + 2, "int64"),
        (lambda i: i + 2.5, "float32"),
        (lambda i: i / 2, "float32"),
        (lambda i: i / i, "float32"),
        (lambda i: 2 / i, "float32"),
        (lambda i: i // 2, "int64"),
        (lambda i: i // 2.0, "float32"),
        (lambda i: i % 2.5, "float32"),
        (lambda i: i**2, "int64"),
        (lambda i: i**0.5, "float32"),
        (lambda i: i.astype("int32") ** 2.0, "float32"),
        (lambda i: i.astype("bool") + 1, "int64"),
        (lambda i: i.astype("bool") + 1.5, "float32"),
        (lambda i: i.astype("bool") ** 2, "int64"),
        (lambda i: i.astype("float16") + to_tensor([1.0]), "float32"),
        (lambda i: i.astype("bfloat16") * 2.5, "bfloat16"),
    ],
)
def test_dtype_of_mixed_arithmetic(expression, dtype):
    assert expression(to_tensor([7, 9])).dtype == dtype


def test_ndarray_on_the_left_gives_a_tensor():
    out = np.ones(2, np.float32) - to_tensor([2.0, 3.0])
    assert out.tolist() == [-1.0, -2.0]


def test_floor_division_rounds_down_and_remainder_has_the_sign_of_the_divisor():
    x, y = to_tensor([7, -7, 7, -7]), to_tensor([3, 3, -3, -3])
    assert floor_divide(x, y).tolist() == [2, -3, -3, 2]
    assert remainder(x, y).tolist() == [1, 2, -2, -1]


@pytest.mark.parametrize("operation", [floor_divide, remainder])
def test_integer_division_by_zero_is_refused(operation):
    with pytest.raises(ArgumentError, match="an integer is divided by zero"):
        operation(to_tensor([1, 2]), to_tensor([1, 0]))
    with pytest.raises(ArgumentError, match="an integer is divided by zero"):
        operation(to_tensor([1, 2]), 0)


@pytest.mark.filterwarnings("error")
def test_float_division_by_zero_is_silent():
    x = to_tensor([1.0, -1.0, 0.0])
    np.testing.assert_array_equal((x / 0.0).numpy(), np.array([INF, -INF, NAN], np.float32))
    assert np.isnan((x % 0.0).numpy()).all()


@pytest.mark.parametrize(
    ("mode", "expected"), [(None, [-3.5, 3.5]), ("floor", [-4.0, 3.0]), ("trunc", [-3.0, 3.0])]
)
def test_div_rounds_as_asked(mode, expected):
    assert div(to_tensor([-7.0, 7.0]), 2.0, rounding_mode=mode).tolist() == expected


def test_div_with_rounding_keeps_integers():
    out = div(to_tensor([-7, 7]), to_tensor([2, 2]), rounding_mode="trunc")
    assert out.tolist() == [-3, 3] and out.dtype == "int64"


def test_div_refuses_another_rounding_mode():
    with pytest.raises(ArgumentError, match="rounding_mode must be None, 'floor' or 'trunc'"):
        div(to_tensor([1.0]), 2.0, rounding_mode="ceil")


def test_floor_division_stops_gradients_and_remainder_passes_them():
    x, y = leaf([5.0, -5.0]), leaf([3.0, 3.0])
    dx, dy = grad((x % y + x // y).sum(), [x, y])
    assert dx.tolist() == [1.0, 1.0] and dy.tolist() == [-1.0, 2.0]
    assert (x // y).stop_gradient and not (x % y).stop_gradient


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        ([0.0, 2.0], 0.0, [0.0, 0.0]),
        ([0.0, 2.0], 1.0, [1.0, 1.0]),
        ([0.0, 2.0], 2, [0.0, 4.0]),
        ([0.0], 0.5, [INF]),
    ],
)
def test_slope_of_a_power_at_zero(x, y, expected):
    x = leaf(x)
    (slope,) = grad((x**y).sum(), [x])
    assert slope.tolist() == expected


def test_slopes_of_a_power_are_zero_where_base_and_exponent_vanish():
    x, y = leaf([0.0, 0.0]), leaf([0.0, 2.0])
    slopes = grad(pow(x, y).sum(), [x, y])
    assert [s.tolist() for s in slopes] == [[0.0, 0.0], [0.0, 0.0]]


def test_slope_in_the_exponent_of_a_zero_base_is_zero():
    y = leaf([0.0, 2.0])
    assert grad((0**y).sum(), [y])[0].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("base", [0.0, to_tensor([0.0], "float32")], ids=["number", "tensor"])
@pytest.mark.parametrize("run", [lambda f: f, to_static], ids=["eager", "to_static"])
def test_slope_in_the_exponent_where_a_power_of_zero_is_infinite(run, base):
    y = to_tensor([3.0, 0.0, -0.5, -3.0, -INF, NAN], stop_gradient=False)
    run(lambda y: (base**y).sum())(y).backward()
    np.testing.assert_array_equal(y.grad.numpy(), [0.0, 0.0, -INF, -INF, -INF, NAN])


@pytest.mark.parametrize("base", [0.0, -1.0, INF, NAN])
@pytest.mark.parametrize("run", [lambda f: f, to_static], ids=["eager", "to_static"])
def test_slope_of_what_has_the_power_of_zero_is_zero(run, base):
    x = to_tensor([base], stop_gradient=False)
    run(lambda x: x ** to_tensor([0.0]))(x).backward()
    assert x.grad.tolist() == [0.0]


def test_integers_to_negative_powers_are_refused():
    with pytest.raises(ArgumentError, match="negative integer powers"):
        to_tensor([2, 3]) ** -1


def test_in_place_arithmetic_changes_the_tensor_and_returns_it():
    x = to_tensor([1.0, 2.0])
    assert x.add_(1.0) is x
    assert x.multiply_(to_tensor(2.0)).subtract_(1.0).tolist() == [3.0, 5.0]


@pytest.mark.parametrize("name", ["remainder_", "mod_", "floor_mod_"])
def test_remainder_in_place_has_three_names(name):
    x = to_tensor([7, -7])
    assert getattr(x, name)(3) is x and x.tolist() == [1, 2]


def test_in_place_arithmetic_on_an_intermediate_keeps_gradients():
    x = leaf([1.0, 2.0])
    y = x * 3.0
    y.multiply_(y)
    assert grad(y.sum(), [x])[0].tolist() == [18.0, 36.0]


def test_what_is_not_a_number_is_refused():
    with pytest.raises(TypeMismatchError, match="expected a Tensor or a number, received str"):
        add(to_tensor([1.0]), "2")


def test_truth_values_are_not_subtracted():
    with pytest.raises(DTypeError, match="subtract"):
        to_tensor([True]) - to_tensor([True])


def test_unknown_sizes_broadcast():
    program = trace(lambda x, y: divide(x, y), Spec.parse("f32[N,3]"), Spec.parse("f32[3]"))
    assert str(program.main.outputs[0].spec) == "f32[N,3]"


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_div_truncates_whole_numbers_exactly(dtype):
    x, y = (paddle.to_tensor(v, dtype) for v in ([-7, 7, -6, 7, 0], [2, -2, 3, 2, -5]))
    found = paddle.div(x, y, rounding_mode="trunc")
    assert (found.tolist(), found.dtype.name) == ([-3, -3, -2, 3, 0], dtype)


def test_div_truncates_whole_numbers_that_floats_do_not_hold():
    x = paddle.to_tensor([2**62 + 1])
    assert paddle.divide(x, paddle.to_tensor([1]), rounding_mode="trunc").tolist() == [2**62 + 1]


@pytest.mark.parametrize("mode", ["floor", "trunc"])
def test_rounded_quotients_have_no_gradient(mode):
    x = paddle.to_tensor([7.0], stop_gradient=False)
    assert paddle.divide(x, x, rounding_mode=mode).stop_gradient


@pytest.mark.parametrize("zero", [0, 0.0])
def test_the_remainder_of_floats_by_zero_is_nan(zero):
    x = paddle.to_tensor([1.0, -2.0, 0.0])
    assert np.isnan((x % zero).numpy()).all()
    assert np.isnan(paddle.jit.to_static(lambda x: x % zero)(x).numpy()).all()


def test_whole_numbers_to_negative_powers_in_a_tensor_lose_their_fraction():
    base = paddle.to_tensor([0, 1, -1, -1, 2, 3])
    power = paddle.to_tensor([-1, -2, -2, -3, -1, 2])
    assert (base**power).tolist() == [0, 1, 1, -1, 0, 9]
    assert paddle.jit.to_static(lambda x, y: x**y)(base, power).tolist() == [0, 1, 1, -1, 0, 9]
    assert (2 ** paddle.to_tensor([-1, 2])).tolist() == [0, 4]


def test_numbers_are_shifted_by_tensors():
    places = paddle.to_tensor([0, 1, 3])
    assert (2 << places).tolist() == [2, 4, 16]
    assert (9 >> places).tolist() == [9, 4, 1]
    assert paddle.jit.to_static(lambda p: 9 >> p)(places).tolist() == [9, 4, 1]


@pytest.mark.parametrize("base", [1j, -2 + 1j, 3 + 0j])
def test_a_complex_number_to_a_power_has_its_slope(base):
    def parts(x):
        y = base**x
        return 2.0 * paddle.real(y) + paddle.imag(y)

    data, step = np.array([-1.3, 0.4, 2.0]), 1e-6
    x = leaf(data, "float64")
    (g,) = grad(parts(x).sum(), [x])
    slope = (parts(to_tensor(data + step)) - parts(to_tensor(data - step))) / (2 * step)
    np.testing.assert_allclose(g.numpy(), slope.numpy(), rtol=1e-6)
    program = paddle.jit.to_static(parts)
    (g,) = grad(program(x).sum(), [x])
    np.testing.assert_allclose(g.numpy(), slope.numpy(), rtol=1e-6)


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [(1, 2, -1), (-1, 2, 1), (3 + 1j, 2, -1 - 1j), (2 + 2j, 1 + 1j, 0), (5, 1 + 1j, -1)],
)
def test_the_remainder_of_complex_numbers_is_the_nearest(x, y, expected):
    x, y = to_tensor([x], "complex64"), to_tensor([y], "complex64")
    assert (x % y).tolist() == [expected]
    assert paddle.jit.to_static(lambda x, y: x % y)(x, y).tolist() == [expected]
