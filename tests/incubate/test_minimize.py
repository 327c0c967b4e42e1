"""BFGS and L-BFGS find the minima that the real Paddle 3.3.1 finds."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, DTypeError, ProgramError, ShapeError, UnsupportedError
from twinoar.incubate.optimizer.functional import minimize_bfgs, minimize_lbfgs

BOTH = pytest.mark.parametrize("minimize", [minimize_bfgs, minimize_lbfgs])
MATRIX = [[3.0, 1.0], [1.0, 2.0]]


def bowl(x):
    d = x - paddle.to_tensor([1.0, -2.0], dtype=x.dtype)
    return (d * paddle.matmul(paddle.to_tensor(MATRIX, dtype=x.dtype), d)).sum()


def valley(x):
    return 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2


@BOTH
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("function", "expected"), [(bowl, [1.0, -2.0]), (valley, [1.0, 1.0])])
def test_the_minimum_is_found(minimize, dtype, function, expected):
    start = paddle.to_tensor([-1.2, 1.0])
    converged, calls, position, value, gradient, *_ = minimize(function, start, dtype=dtype)
    assert (converged.tolist(), converged.shape) == ([True], [1])
    assert (calls.dtype, calls.shape) == (paddle.int64, [1])
    assert 5 <= calls.item() <= 80
    np.testing.assert_allclose(position, expected, atol=1e-4)
    assert value.shape == []
    assert value.item() < 1e-8
    assert {x.dtype.name for x in (position, value, gradient)} == {dtype}


def test_the_inverse_hessian_is_learned():
    *_, inverse = minimize_bfgs(bowl, paddle.to_tensor([-1.2, 1.0]), dtype="float64")
    np.testing.assert_allclose(inverse, np.linalg.inv(2 * np.array(MATRIX)), atol=1e-4)


@BOTH
def test_what_is_known_of_the_curvature_helps(minimize):
    inverse = paddle.to_tensor(np.linalg.inv(2 * np.array(MATRIX)))
    found = minimize(
        bowl,
        paddle.to_tensor([5.0, 7.0]),
        initial_inverse_hessian_estimate=inverse,
        dtype="float64",
    )
    assert found[0].item()
    assert found[1].item() <= 4


@BOTH
def test_it_stops_after_so_many_steps(minimize):
    converged, *_ = minimize(valley, paddle.to_tensor([-1.2, 1.0]), max_iters=2)
    assert not converged.item()


@BOTH
def test_a_minimum_at_the_start_is_one(minimize):
    found = minimize(bowl, paddle.to_tensor([1.0, -2.0]))
    assert (found[0].item(), found[1].item()) == (True, 1)


@BOTH
@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"dtype": "float16"}, DTypeError, "float32 or float64"),
        ({"line_search_fn": "x"}, UnsupportedError, "strong_wolfe"),
        (
            {"initial_inverse_hessian_estimate": [[1.0, 2.0], [0.0, 1.0]]},
            ArgumentError,
            "symmetric",
        ),
        (
            {"initial_inverse_hessian_estimate": [[1.0, 0.0], [0.0, -1.0]]},
            ArgumentError,
            "definite",
        ),
        ({"initial_inverse_hessian_estimate": [[1.0]]}, ShapeError, "2,2"),
        ({"objective_func": lambda x: x}, ShapeError, "one number"),
        ({"initial_position": [[1.0]]}, ShapeError, "vector"),
    ],
)
def test_mistakes_are_told(minimize, settings, error, message):
    given = {"objective_func": bowl, "initial_position": paddle.ones([2]), **settings}
    with pytest.raises(error, match=message):
        minimize(**given)


def test_it_is_no_part_of_a_program():
    with pytest.raises(ProgramError, match="eager"):
        paddle.jit.to_static(lambda x: minimize_bfgs(bowl, x)[2])(paddle.ones([2]))
