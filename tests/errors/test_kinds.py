"""Errors are also Python's own, of each kind that Paddle raises for the same mistake."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import twinoar
from twinoar import nn
from twinoar.errors import TwinoarError

X = twinoar.ones([2, 3])
INTS = twinoar.ones([2, 3], "int64")


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: nn.functional.sigmoid([1, "a"]), ValueError),
        (lambda: twinoar.mean(object()), TypeError),
        (lambda: nn.functional.cosine_similarity({}, X), AttributeError),
        (lambda: twinoar.linalg.lu(INTS), RuntimeError),
        (lambda: twinoar.linalg.lstsq(INTS, INTS), ValueError),
        (lambda: nn.functional.prelu(X, twinoar.ones([2, 2])), AssertionError),
        (lambda: twinoar.reshape(X, [4]), ValueError),
        (lambda: twinoar.sum(X, axis=5), ValueError),
        (lambda: X[4], IndexError),
        (lambda: twinoar.create_parameter([2.5], "float32"), TypeError),
        (lambda: twinoar.create_parameter(2.5, "float32"), TypeError),
        (lambda: nn.Sequential(nn.ReLU()).insert(7, nn.ReLU()), IndexError),
        (lambda: nn.LayerList([nn.ReLU()]).insert(7, nn.ReLU()), AssertionError),
        (lambda: nn.Sequential(nn.ReLU()).insert(0, 3), AssertionError),
    ],
)
def test_an_error_is_of_the_kind_that_paddle_raises(
    call: Callable[[], object], kind: type[Exception]
) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, TwinoarError)
    assert caught.value.cure
