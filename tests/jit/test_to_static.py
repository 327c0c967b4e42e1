"""to_static: converted functions equal plain ones, in values and gradients."""

import functools

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, ConversionError, DTypeError, ShapeError, TypeMismatchError
from twinoar.jit import enable_to_static, not_to_static, to_static
from twinoar.static import InputSpec


def tensor(*values, stop_gradient=True):
    return paddle.to_tensor(list(values), dtype="float32", stop_gradient=stop_gradient)


def branch(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 1
    return y


def branch_without_else(x):
    y = x
    if x.sum() > 0:
        y = y * y
    return y + 1


def nested_branches(x):
    if x.sum() > 0:
        if x.max() > 2:
            y = x * 3
        else:
            y = x * 2
    else:
        y = -x
    return y


def conditional_expression(x):
    return x * 2 if x.sum() > 0 else x - 1


def loop_on_a_tensor(x):
    while x.sum() < 100:
        x = x * 2 + 1
    return x


def loop_over_range(x):
    total = x
    for i in range(3):
        total = total + x * i
    return total


def loop_over_rows(x):
    total = paddle.zeros_like(x[0:1])
    for row in x:
        total = total + row * row
    return total


def logic(x):
    if x.sum() > 0 and x.max() < 10 or not x.min() > -5:
        y = x + 1
    else:
        y = x - 1
    return y


def chained_comparison(x):
    s = x.sum()
    if 0 < s < 5:
        y = x * 2
    else:
        y = x * 3
    return y


def helper(x):
    if x.sum() > 0:
        y = x * 5
    else:
        y = x
    return y


def calls_a_function(x):
    return helper(x) + functools.partial(helper)(x)


def plain_condition(x, flag=True):
    if flag:
        return x + 1
    return x - 1


def item_assignment_in_a_branch(x):
    y = x + 0
    if x.sum() > 0:
        y[0] = 7.0
    return y


def loop_with_plain_break(x):
    for i in range(10):
        if i == 3:
            break
        x = x + i
    return x


FUNCTIONS = [
    branch, branch_without_else, nested_branches, conditional_expression, loop_on_a_tensor,
    loop_over_range, loop_over_rows, logic, chained_comparison, calls_a_function, plain_condition,
    item_assignment_in_a_branch, loop_with_plain_break,
]  # fmt: skip
INPUTS = [(1.0, 2.0), (-1.0, -2.0), (0.5, 0.25), (3.0, 40.0)]


@pytest.mark.parametrize("values", INPUTS, ids=str)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_converted_function_equals_plain_one(function, values):
    if function is loop_on_a_tensor and sum(values) < 0:
        pytest.skip("the loop would not end")
    x, y = tensor(*values, stop_gradient=False), tensor(*values, stop_gradient=False)
    expected, found = function(x), to_static(function)(y)
    np.testing.assert_array_equal(found.numpy(), expected.numpy())
    expected.sum().backward()
    found.sum().backward()
    np.testing.assert_allclose(y.grad.numpy(), x.grad.numpy(), rtol=1e-6)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_one_program_serves_both_sides(function):
    static = to_static(function, input_spec=[InputSpec([None], "float32")])
    for values in INPUTS:
        if function is loop_on_a_tensor and sum(values) < 0:
            continue
        np.testing.assert_array_equal(
            static(tensor(*values)).numpy(), function(tensor(*values)).numpy()
        )
    assert len(static.program_cache) == 1


def test_range_over_a_tensor_runs_as_often_as_it_says():
    @to_static
    def total(x, n):
        y = x
        for i in range(n):
            y = y + i
        return y

    for n in (0, 1, 4):
        found = total(tensor(1.0), paddle.to_tensor(n))
        assert found.item() == 1.0 + sum(range(n))
    assert len(total.program_cache) == 1


def test_second_and_third_derivatives_flow_through():
    cube = to_static(lambda_free_cube)
    x = tensor(1.0, 2.0, stop_gradient=False)
    (first,) = paddle.grad(cube(x), x, create_graph=True)
    (second,) = paddle.grad(first, x, create_graph=True)
    (third,) = paddle.grad(second, x)
    assert second.tolist() == [6.0, 12.0] and third.tolist() == [6.0, 6.0]


def lambda_free_cube(x):
    return x * x * x


def test_shapes_without_a_spec_make_a_program_each():
    static = to_static(branch)
    for n in (1, 2, 2, 3):
        static(paddle.ones([n]))
    assert len(static.program_cache) == 3


def test_plain_arguments_are_part_of_the_signature():
    static = to_static(plain_condition)
    x = tensor(1.0)
    assert static(x).item() == 2.0
    assert static(x, False).item() == 0.0
    assert static(x, flag=True).item() == 2.0
    assert len(static.program_cache) == 2


def test_structures_come_back_as_they_are():
    @to_static
    def structured(x):
        return {"a": x, "b": [x * 2, (x * 3, 4)], "c": None}

    out = structured(tensor(1.0))
    assert out["b"][0].item() == 2.0 and out["b"][1][0].item() == 3.0
    assert out["b"][1][1] == 4 and out["c"] is None and isinstance(out["b"][1], tuple)


@pytest.mark.parametrize(
    ("value", "error", "match"),
    [
        (np.ones((2, 3), "float32"), ShapeError, "dimension 1 is 3"),
        (np.ones((2,), "float32"), ShapeError, "1 dimensions"),
        (np.ones((2, 4), "float64"), DTypeError, "must be float32, received float64"),
    ],
)
def test_input_spec_is_enforced(value, error, match):
    static = to_static(branch, input_spec=[InputSpec([None, 4], "float32", "x")])
    static(paddle.ones([5, 4]))
    with pytest.raises(error, match=match) as caught:
        static(paddle.to_tensor(value))
    assert "test_to_static.py" in str(caught.value)


def test_named_sizes_must_agree():
    @to_static(input_spec=[InputSpec(["B", 2], "float32", "x"), InputSpec(["B"], "float32", "y")])
    def product(x, y):
        return x.sum(axis=1) * y

    assert product(paddle.ones([3, 2]), paddle.ones([3])).shape == [3]
    with pytest.raises(ShapeError, match="size B is 3 in dimension 0 of x, and 4"):
        product(paddle.ones([3, 2]), paddle.ones([4]))


def test_too_few_tensors_for_the_spec_are_refused():
    static = to_static(plain_condition, input_spec=[InputSpec([1]), InputSpec([1])])
    with pytest.raises(ArgumentError, match="describes 2 tensors, received 1"):
        static(tensor(1.0))


def test_side_effect_inside_a_tensor_branch_is_refused():
    seen = []

    @to_static
    def watch(x):
        if x.sum() > 0:
            seen.append(1)
            y = x
        else:
            y = -x
        return y

    with pytest.raises(ConversionError, match=r"the contents of a list"):
        watch(tensor(1.0))


def test_name_born_in_one_branch_is_refused_where_it_is_read():
    @to_static
    def born(x):
        if x.sum() > 0:
            z = x
        return z + 1

    with pytest.raises(ConversionError, match="z may be undefined"):
        born(tensor(1.0))


def test_switch_runs_plain_python():
    static = to_static(branch)
    enable_to_static(False)
    try:
        assert static(tensor(1.0)).item() == 2.0
        assert not static.program_cache
    finally:
        enable_to_static(True)
    with pytest.raises(TypeMismatchError, match="True or False"):
        enable_to_static(1)


def test_not_to_static_is_called_as_it_is():
    @not_to_static
    def kept(x):
        if type(x) is paddle.Tensor:  # converted code sees a tensor here
            return x
        return x * 3

    @to_static
    def outer(x):
        return kept(x) + 1

    assert outer(tensor(1.0)).item() == 4.0


def test_tracebacks_show_the_users_line():
    @to_static
    def broken(x):
        y = x + 1
        return paddle.matmul(y, paddle.ones([3, 4]))

    with pytest.raises(ShapeError) as caught:
        broken(paddle.ones([2, 2]))
    assert "return paddle.matmul(y, paddle.ones([3, 4]))" in str(caught.value)
    assert "operands" in str(caught.value)


def test_code_is_python_that_parses():
    compile(to_static(nested_branches).code, "<code>", "exec")


def test_program_prints_and_has_the_branch():
    static = to_static(branch, input_spec=[InputSpec([None], "float32", "x")])
    assert "if(" in str(static.main_program) and "%x: f32[N]" in str(static.main_program)


def test_conversion_wants_something_callable():
    with pytest.raises(TypeMismatchError, match="received int"):
        to_static(3)


def test_side_effect_of_a_loop_inside_a_tensor_branch_is_refused():
    seen = []

    @to_static
    def watch(x):
        y = x
        if x.sum() > 0:
            for i in range(2):
                seen.append(i)
        return y

    with pytest.raises(ConversionError, match=r"seen\.append"):
        watch(tensor(1.0))


def test_a_captured_tensor_is_read_anew_at_each_call():
    factor = tensor(2.0)

    @to_static
    def scaled(x):
        return x * factor

    assert scaled(tensor(3.0)).item() == 6.0
    factor.set_value([5.0])
    assert scaled(tensor(3.0)).item() == 15.0


def test_gradients_flow_to_a_captured_tensor():
    factor = tensor(2.0, stop_gradient=False)

    @to_static
    def scaled(x):
        return x * factor

    scaled(tensor(3.0)).backward()
    assert factor.grad.item() == 3.0


def test_an_argument_without_a_value_of_its_own_is_refused():
    @to_static
    def member(x, allowed):
        return x * len(allowed)

    with pytest.raises(TypeMismatchError, match="set"):
        member(tensor(1.0), {1, 2})


def test_a_function_that_a_converted_one_defines_is_converted_once():
    def make(factor):
        def scale(x):
            return branch(x) * factor

        return scale

    @to_static
    def scaled(x):
        return make(3.0)(x)

    assert scaled(tensor(1.0)).item() == 6.0
