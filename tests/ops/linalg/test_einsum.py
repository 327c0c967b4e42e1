"""Sums of products against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from tests.ops.slope import require_slope

RANDOM = np.random.default_rng(0)
SIZES = {"a": 3, "b": 2, "h": 3, "i": 2, "j": 3, "k": 4, "l": 5, "m": 5, "n": 4}
EQUATIONS = [
    "ij,jk->ik", "i,i->", "i,j->ij", "ij->ji", "ii->i", "ii->", "iij->j", "bij,bjk->bik",
    "...ij,...jk->...ik", "bhik,bhjk->bhij", "ij,jk,kl->il", "ijk->k", "i,ij,j->", "ij,jk", "ba",
    "...i->...", "b...,b...->b...", "ijk,jil->kl", "bn,anm,bm->ba", "i...,i",
]  # fmt: skip


def operands_of(equation: str) -> list[np.ndarray]:
    terms = equation.partition("->")[0].replace("...", "bh").split(",")
    return [RANDOM.standard_normal([SIZES[label] for label in term]) for term in terms]


@pytest.mark.parametrize("equation", EQUATIONS)
def test_einsum_is_numpys(equation: str) -> None:
    operands = operands_of(equation)
    found = paddle.einsum(equation, *map(paddle.to_tensor, operands)).numpy()
    np.testing.assert_allclose(found, np.einsum(equation, *operands))


@pytest.mark.parametrize("equation", ["ij,jk->ik", "ii->i", "...i,i->..."])
def test_gradient_is_the_slope(equation: str) -> None:
    first, *others = operands_of(equation)
    rest = [paddle.to_tensor(x) for x in others]
    require_slope(lambda x: paddle.einsum(equation, x, *rest), first)


def test_a_size_that_is_not_known_stays_unknown() -> None:
    x = RANDOM.standard_normal((2, 3, 4)).astype("float32")
    paddle.enable_static()
    try:
        program = paddle.static.Program()
        with paddle.static.program_guard(program):
            data = paddle.static.data("x", [None, 3, 4], "float32")
            out = paddle.einsum("bij,bkj->bik", data, data)
        (found,) = paddle.static.Executor().run(program, {"x": x}, [out])
    finally:
        paddle.disable_static()
    np.testing.assert_allclose(found, x @ x.swapaxes(1, 2), rtol=1e-5)


@pytest.mark.parametrize(
    ("equation", "message"),
    [
        ("ij,jk->ik", "2 operands, received 1"),
        ("ijk->k", "meets an operand of 2 dimensions"),
        ("ij->ix", "'x', which must be in an operand"),
        ("i1->i", "has not one letter a dimension"),
    ],
)
def test_a_wrong_equation_is_refused(equation: str, message: str) -> None:
    with pytest.raises(paddle.errors.ArgumentError, match=message):
        paddle.einsum(equation, paddle.ones([2, 3]))


def test_sizes_that_differ_are_refused() -> None:
    with pytest.raises(paddle.errors.ShapeError, match="'j' is both 3 and 4"):
        paddle.einsum("ij,jk->ik", paddle.ones([2, 3]), paddle.ones([4, 2]))


@pytest.mark.parametrize(
    ("axes", "shape"),
    [(2, (3, 4, 5)), (0, (2,)), ([[1, 2], [0, 1]], (3, 4, 5)), ([1, 2], (5, 3, 4))],
)
def test_tensordot_is_numpys(axes, shape: tuple[int, ...]) -> None:
    x, y = RANDOM.standard_normal((2, 3, 4)), RANDOM.standard_normal(shape)
    expected = np.tensordot(x, y, (axes, axes) if axes == [1, 2] else axes)
    found = paddle.tensordot(paddle.to_tensor(x), paddle.to_tensor(y), axes).numpy()
    np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize("shapes", [[(5, 2), (2, 9), (9, 3), (3, 4)], [(5,), (5, 9), (9,)]])
def test_multi_dot_is_numpys(shapes: list[tuple[int, ...]]) -> None:
    x = [RANDOM.standard_normal(shape) for shape in shapes]
    found = paddle.linalg.multi_dot(list(map(paddle.to_tensor, x))).numpy()
    np.testing.assert_allclose(found, np.linalg.multi_dot(x))
