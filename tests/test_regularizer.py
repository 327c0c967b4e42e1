"""Regularizers: the terms they add to gradients."""

from __future__ import annotations

import pytest

from twinoar.eager.tensor import to_tensor
from twinoar.errors import TypeMismatchError
from twinoar.regularizer import L1Decay, L2Decay


def test_l1_adds_the_sign_and_nothing_at_zero() -> None:
    assert L1Decay(0.5)(to_tensor([3.0, -2.0, 0.0])).tolist() == [0.5, -0.5, 0.0]


def test_l2_adds_the_parameter_itself() -> None:
    assert L2Decay(0.5)(to_tensor([3.0, -2.0, 0.0])).tolist() == [1.5, -1.0, 0.0]


@pytest.mark.parametrize("kind", [L1Decay, L2Decay])
def test_a_regularizer_says_what_it_is(kind: type) -> None:
    assert str(kind(0.1)) == f"{kind.__name__}, coeff=0.100000"


@pytest.mark.parametrize("kind", [L1Decay, L2Decay])
def test_a_coefficient_is_zero_unless_given(kind: type) -> None:
    assert kind()(to_tensor([3.0])).tolist() == [0.0]


@pytest.mark.parametrize("wrong", ["0.1", None, True])
def test_a_coefficient_must_be_a_number(wrong: object) -> None:
    with pytest.raises(TypeMismatchError, match="coeff must be a number"):
        L2Decay(wrong)
