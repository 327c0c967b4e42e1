"""Arguments of activations that have none."""

import pytest

import twinoar as paddle
from twinoar.errors import TypeMismatchError


@pytest.mark.parametrize("name", ["ReLU", "Sigmoid", "Tanh", "Hardswish", "LogSigmoid", "Mish"])
def test_activations_without_arguments_take_none(name):
    with pytest.raises(TypeMismatchError, match="alpha"):
        getattr(paddle.nn, name)(alpha=1.0)
    assert getattr(paddle.nn, name)(name="own").extra_repr() == "name=own"
