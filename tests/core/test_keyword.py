"""Keywords as other frameworks spell them."""

from __future__ import annotations

import pytest

import twinoar as paddle
from twinoar.core.keyword import SPELLINGS, respelled
from twinoar.errors import TypeMismatchError
from twinoar.nn import functional as F

X = paddle.to_tensor([[1.0, 2.0], [3.0, 5.0]])


def total(x, axis=None, keepdim=False): ...


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"input": 1, "dim": 2}, {"x": 1, "axis": 2}),
        ({"dim": 2, "keepdim": True}, {"axis": 2, "keepdim": True}),
        ({"x": 1, "axis": 2}, None),
        ({"dim": 2, "axis": 2}, None),
        ({"nothing": 1}, None),
        ({}, None),
    ],
)
def test_keywords_are_respelled_where_they_stand_for_one_that_is_free(given, found) -> None:
    assert respelled(total, given) == found


def test_a_function_of_any_keywords_is_left_alone() -> None:
    assert respelled(lambda x, **more: 0, {"input": 1}) is None


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        (lambda: paddle.sum(input=X, dim=1), [3.0, 8.0]),
        (lambda: X.sum(dim=1), [3.0, 8.0]),
        (lambda: paddle.add(input=X[0], other=X[1]), [4.0, 7.0]),
        (lambda: X[0].add(other=X[1]), [4.0, 7.0]),
        (lambda: X[0].pow(exponent=2), [1.0, 4.0]),
        (lambda: paddle.concat(tensors=[X[0], X[1]], dim=0), [1.0, 2.0, 3.0, 5.0]),
        (lambda: paddle.zeros(size=[2]), [0.0, 0.0]),
        (lambda: F.hardshrink(X[0], lambd=1.5), [0.0, 2.0]),
    ],
)
def test_operators_functions_and_methods_take_them(call, wanted) -> None:
    assert call().tolist() == wanted


@pytest.mark.parametrize("name", ["max", "min", "sort", "median"])
def test_they_are_refused_where_the_results_are_others_elsewhere(name: str) -> None:
    with pytest.raises(TypeMismatchError, match="the arguments do not fit"):
        getattr(paddle, name)(X, dim=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'dim'"):
        getattr(X, name)(dim=1)


def test_a_type_error_from_within_passes() -> None:
    with pytest.raises(TypeMismatchError, match="x must be a Tensor"):
        paddle.sum(input="a", dim=0)


def test_no_keyword_stands_for_itself() -> None:
    assert not [k for k, names in SPELLINGS.items() if k in names]
