"""Keywords as other frameworks spell them."""

from __future__ import annotations

import copy
import functools
import inspect
import pickle

import pytest

import twinoar as paddle
from twinoar.core.keyword import SPELLINGS, respelled
from twinoar.errors import TypeMismatchError
from twinoar.late import LateSignature
from twinoar.nn import functional as F

X = paddle.to_tensor([[1.0, 2.0], [3.0, 5.0]])


def total(x=None, axis=None, keepdim=False):
    return {"x": x, "axis": axis, "keepdim": keepdim}


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"input": 1, "dim": 2}, {"x": 1, "axis": 2, "keepdim": False}),
        ({"dim": 2, "keepdim": True}, {"x": None, "axis": 2, "keepdim": True}),
    ],
)
def test_keywords_are_respelled_where_they_stand_for_one_that_is_free(given, found) -> None:
    assert respelled(total, given)() == found


@pytest.mark.parametrize("given", [{"x": 1}, {"dim": 2, "axis": 2}, {"nothing": 1}, {}])
def test_other_keywords_are_left_alone(given) -> None:
    assert respelled(total, given) is None


@pytest.mark.parametrize("out", [{"out": paddle.zeros([2])}, {"out": paddle.zeros([7], "int32")}])
@pytest.mark.parametrize(
    "call", [lambda **out: paddle.add(X[0], X[1], **out), lambda **out: paddle.sum(X, 0, **out)]
)
def test_out_takes_the_result_and_is_returned(call, out) -> None:
    assert call(**out) is out["out"] and out["out"].tolist() == [4.0, 7.0]


def test_out_may_be_several() -> None:
    out = paddle.zeros([1]), paddle.zeros([1])
    assert paddle.topk(X[0], 1, out=out) is out
    assert [x.item() for x in out] == [2.0, 1]


def test_out_has_the_gradient_of_the_result() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    out = paddle.zeros([2])
    paddle.multiply(x, x, out=out)
    out.sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]


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
        (lambda: paddle.add(X[0], X[1], alpha=2), [7.0, 12.0]),
        (lambda: X[0].add(X[1], alpha=2), [7.0, 12.0]),
        (lambda: (X[0] * 1).add_(X[1], alpha=2), [7.0, 12.0]),
        (lambda: paddle.subtract(input=X[0], other=X[1], alpha=0.5), [-0.5, -0.5]),
        (lambda: (X[0] * 1).subtract_(X[1], alpha=2), [-5.0, -8.0]),
        (lambda: X[1].divide(X[0], rounding_mode="floor"), [3.0, 2.0]),
        (lambda: paddle.divide(X[1], X[0], rounding_mode="trunc"), [3.0, 2.0]),
        (lambda: paddle.median(input=X), 2.0),
        (lambda: paddle.median(X, dim=1)[0], [1.0, 3.0]),
        (lambda: X.median(dim=1, keepdim=True)[1], [[0], [0]]),
        (lambda: paddle.median(input=X, axis=1, mode="avg"), [1.5, 4.0]),
        (lambda: paddle.index_select(X, 1, paddle.to_tensor([0])), [[1.0], [3.0]]),
        (lambda: X.index_select(dim=1, index=paddle.to_tensor([0])), [[1.0], [3.0]]),
        (lambda: X[0].index_add(0, paddle.to_tensor([0, 0]), X[1], alpha=2), [17.0, 2.0]),
        (
            lambda: X[0].index_add(dim=0, index=paddle.to_tensor([0]), source=X[1, :1]),
            [4.0, 2.0],
        ),
        (lambda: paddle.tensor_split(X[0], sections=2)[1], [2.0]),
        (lambda: paddle.flatten(X, start_dim=0, end_dim=1), [1.0, 2.0, 3.0, 5.0]),
        (lambda: paddle.transpose(X, dim0=0, dim1=1), [[1.0, 3.0], [2.0, 5.0]]),
        (lambda: X.transpose(dim0=0, dim1=1), [[1.0, 3.0], [2.0, 5.0]]),
        (lambda: X[0].expand(2, -1), [[1.0, 2.0], [1.0, 2.0]]),
        (lambda: X.view(1, 4), [[1.0, 2.0, 3.0, 5.0]]),
        (lambda: X.view(size=[4]), [1.0, 2.0, 3.0, 5.0]),
        (lambda: X[0].view(dtype="int32"), [1065353216, 1073741824]),
        (lambda: paddle.sum(X, 1, True), [[3.0], [8.0]]),
        (lambda: X.sum(1, True, "int64"), [[3], [8]]),
        (lambda: X.sum(1, False, "int64"), [3, 8]),
        (lambda: paddle.dot(input=X[0], tensor=X[1]), 13.0),
        (lambda: paddle.outer(input=X[0], vec2=X[1]), [[3.0, 5.0], [6.0, 10.0]]),
        (lambda: paddle.ones(1, 2), [[1.0, 1.0]]),
        (lambda: paddle.zeros(2), [0.0, 0.0]),
        (lambda: paddle.empty(2, 0, dtype="int32"), [[], []]),
        (lambda: paddle.tensor_split(X[0], indices=[1])[1], [2.0]),
    ],
)
def test_operators_functions_and_methods_take_them(call, wanted) -> None:
    assert call().tolist() == wanted


@pytest.mark.parametrize("name", ["max", "min", "sort"])
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


def test_keywords_that_a_function_lacks_are_in_its_signature() -> None:
    assert "alpha" in inspect.signature(paddle.add).parameters
    assert "rounding_mode" in inspect.signature(paddle.divide).parameters


def test_out_takes_what_the_wider_function_returns() -> None:
    out = paddle.zeros([2])
    assert paddle.add(X[0], X[1], alpha=2, out=out) is out
    assert out.tolist() == [7.0, 12.0]


def test_alpha_has_its_gradient_in_a_program_too() -> None:
    program = paddle.jit.to_static(lambda x: paddle.subtract(x, x, alpha=3).sum())
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    program(x).backward()
    assert x.grad.tolist() == [-2.0, -2.0]


def test_a_signature_that_is_worked_out_late_is_as_one_that_is_there() -> None:
    asked = []

    def made() -> inspect.Signature:
        asked.append(1)
        return there

    there, late = inspect.signature(total), LateSignature(made)
    assert not asked
    total_too = functools.partial(total)
    total_too.__signature__ = late
    assert inspect.signature(total_too) == there and hash(late) == hash(there)
    assert str(late) == str(there) and late.bind(1, keepdim=True) == there.bind(1, keepdim=True)
    assert late.replace(parameters=[]) == there.replace(parameters=[])
    assert copy.copy(late) == pickle.loads(pickle.dumps(late)) == there
    assert asked == [1]
