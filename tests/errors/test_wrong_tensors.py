"""Wrong data, and wrong uses of tensors and of gradients."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from tests.errors.wrong import Wrong, assert_helpful, leaf, ones
from twinoar.errors import (
    ArgumentError,
    AxisError,
    DTypeError,
    GradientError,
    NotTensorError,
    ShapeError,
    TypeMismatchError,
)


def backward_twice() -> None:
    loss = (leaf(2) * 2).sum()
    loss.backward()
    loss.backward()


def gradient_of_what_was_freed() -> None:
    x = leaf(2)
    y = x * x
    y.sum().backward()
    paddle.grad(y, x)


def gradient_of_the_wrong_shape() -> None:
    leaf(2).grad = ones(3)


def in_place_on_a_leaf() -> None:
    leaf(2).add_(ones(2))


def in_place_that_grows() -> None:
    ones(2).add_(ones(3, 2))


class OneGradientForTwo(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx: object, x: paddle.Tensor, y: paddle.Tensor) -> paddle.Tensor:
        return x + y

    @staticmethod
    def backward(ctx: object, g: paddle.Tensor) -> paddle.Tensor:
        return g


DATA = {
    "ragged lists": Wrong(
        lambda: paddle.to_tensor([[1, 2], [3]]), ArgumentError, "equal lengths", "(2,)"
    ),
    "text": Wrong(lambda: paddle.to_tensor("abc"), TypeMismatchError, "numbers", "str"),
    "texts": Wrong(lambda: paddle.to_tensor(["a", "b"]), TypeMismatchError, "numbers", "list"),
    "None": Wrong(lambda: paddle.to_tensor(None), TypeMismatchError, "numbers", "NoneType"),
    "an object": Wrong(lambda: paddle.to_tensor(object()), TypeMismatchError, "numbers", "object"),
    "a dict": Wrong(lambda: paddle.to_tensor({"a": 1}), TypeMismatchError, "numbers", "dict"),
    "an array of text": Wrong(
        lambda: paddle.to_tensor(np.array(["a"])), DTypeError, "numbers", "<U1"
    ),
    "an array of dates": Wrong(
        lambda: paddle.to_tensor(np.array(["2020-01-01"], "M8[D]")),
        DTypeError,
        "numbers",
        "datetime64[D]",
    ),
    "a dtype that is none": Wrong(
        lambda: paddle.to_tensor([1.0], dtype="float31"), DTypeError, "float32", "float31"
    ),
    "a dtype of the wrong type": Wrong(
        lambda: paddle.to_tensor([1.0], dtype=3.5), DTypeError, "float32", "3.5"
    ),
    "a device that is none": Wrong(
        lambda: paddle.to_tensor([1.0], place="gpu:0"), ArgumentError, "cpu", "gpu:0"
    ),
    "a shape of text": Wrong(lambda: paddle.zeros("3"), TypeMismatchError, "integers", "str"),
    "a shape with a fraction": Wrong(
        lambda: paddle.zeros([2.5]), TypeMismatchError, "integers", "2.5"
    ),
    "a value of text": Wrong(
        lambda: paddle.full([2], "a"), TypeMismatchError, "the text of one", "'a'"
    ),
}

TENSORS = {
    "truth of many": Wrong(lambda: bool(ones(3)), ArgumentError, ".any()", "3 elements"),
    "if on many": Wrong(lambda: 1 if ones(2) > 0 else 2, ArgumentError, ".all()", "2 elements"),
    "int of many": Wrong(lambda: int(ones(3)), ArgumentError, "one element", "has 3"),
    "float of many": Wrong(lambda: float(ones(3)), ArgumentError, "one element", "has 3"),
    "item of many": Wrong(lambda: ones(3).item(), ArgumentError, "x.item(0)", "has 3"),
    "item out of range": Wrong(lambda: ones(3).item(3), AxisError, "[3]", "received 3"),
    "len of a 0-d tensor": Wrong(
        lambda: len(paddle.to_tensor(1.0)), TypeMismatchError, "dimensions", "f32[]"
    ),
    "iteration over a 0-d tensor": Wrong(
        lambda: list(paddle.to_tensor(1.0)), TypeMismatchError, "dimensions", "f32[]"
    ),
    "an index of floats": Wrong(
        lambda: range(3)[paddle.to_tensor(1.0)], DTypeError, "integer", "f32[]"
    ),
    "set_value": Wrong(
        lambda: ones(2).set_value(np.ones(3, "float32")), ArgumentError, "[2]", "[3]"
    ),
    "set_value of text": Wrong(
        lambda: ones(2).set_value(["a", "b"]), TypeMismatchError, "numbers", "list"
    ),
    "copy_": Wrong(lambda: ones(2).copy_(ones(3)), ArgumentError, "[2]", "[3]"),
    "in place with another shape": Wrong(in_place_that_grows, ShapeError, "[2]", "[3, 2]"),
    "in place on a list": Wrong(
        lambda: paddle.nn.functional.relu_([1.0]), TypeMismatchError, "Tensor", "list"
    ),
    "a state of random numbers": Wrong(
        lambda: paddle.set_rng_state([1, 2]), ArgumentError, "get_rng_state", "2"
    ),
    "print options": Wrong(
        lambda: paddle.set_printoptions(precision=-1), ArgumentError, "not be negative", "-1"
    ),
    "a default dtype": Wrong(
        lambda: paddle.set_default_dtype("float128"), DTypeError, "float64", "float128"
    ),
}

GRADIENTS = {
    "backward twice": Wrong(backward_twice, GradientError, "retain_graph", "freed"),
    "grad of what was freed": Wrong(
        gradient_of_what_was_freed, GradientError, "retain_graph", "freed"
    ),
    "backward without a leaf": Wrong(
        lambda: ones(2).sum().backward(), GradientError, "stop_gradient=False", "True"
    ),
    "backward under no_grad": Wrong(
        lambda: paddle.no_grad(lambda x: x.sum())(leaf(2)).backward(),
        GradientError,
        "stop_gradient=False",
        "True",
    ),
    "backward with a gradient of another shape": Wrong(
        lambda: (leaf(2) * 2).backward(ones(3)), ShapeError, "[2]", "[3]"
    ),
    "backward with a gradient of text": Wrong(
        lambda: (leaf(2) * 2).backward("ones"), NotTensorError, "Tensor", "str"
    ),
    "backward of no tensor": Wrong(
        lambda: paddle.autograd.backward([3.0]), NotTensorError, "Tensor", "float"
    ),
    "backward with too few gradients": Wrong(
        lambda: paddle.autograd.backward([leaf(2) * 2, leaf(2) * 2], [ones(2)]),
        ArgumentError,
        "2 tensors",
        "received 1",
    ),
    "grad of an unused input": Wrong(
        lambda: paddle.grad(leaf(2) * 2, leaf(3)), GradientError, "allow_unused=True", "[3]"
    ),
    "grad of an input that is no tensor": Wrong(
        lambda: paddle.grad(leaf(2) * 2, "x"), NotTensorError, "Tensor", "str"
    ),
    "grad with stop_gradient": Wrong(
        lambda: paddle.grad(ones(2) * 2, ones(2)),
        GradientError,
        "allow_unused",
        "stop_gradient=True",
    ),
    "grad of only some leaves": Wrong(
        lambda: paddle.grad(leaf(2) * 2, leaf(2), only_inputs=False),
        ArgumentError,
        "backward()",
        "only_inputs=False",
    ),
    "in place on a leaf": Wrong(in_place_on_a_leaf, ArgumentError, "clone()", "leaf"),
    "a gradient of another shape": Wrong(gradient_of_the_wrong_shape, ArgumentError, "[2]", "[3]"),
    "a hook on stop_gradient": Wrong(
        lambda: ones(2).register_hook(print), GradientError, "stop_gradient=False", "True"
    ),
    "a hook that is no function": Wrong(
        lambda: leaf(2).register_hook("print"), TypeMismatchError, "function", "'print'"
    ),
    "too few gradients of a PyLayer": Wrong(
        lambda: OneGradientForTwo.apply(leaf(2), leaf(2)).sum().backward(),
        GradientError,
        "2 tensor operands",
        "returned 1",
    ),
}

CASES = {
    f"{kind}-{name}": wrong
    for kind, table in (("data", DATA), ("tensor", TENSORS), ("gradient", GRADIENTS))
    for name, wrong in table.items()
}


@pytest.mark.parametrize("name", CASES)
def test_the_error_is_helpful(name: str) -> None:
    assert_helpful(CASES[name])


def test_a_refused_change_in_place_leaves_the_leaf_as_it_was() -> None:
    x = leaf(2)
    with pytest.raises(ArgumentError):
        x.add_(ones(2))
    assert x.tolist() == [1.0, 1.0]
