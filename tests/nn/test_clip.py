"""Clipping of gradients: in optimizers, and in place."""

from __future__ import annotations

import math

import numpy as np
import pytest

from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, GradientError, ShapeError
from twinoar.nn import (
    ClipGradByGlobalNorm,
    ClipGradByNorm,
    ClipGradByValue,
    Layer,
    Linear,
)
from twinoar.nn.param_attr import ParamAttr
from twinoar.nn.utils import (
    clip_grad_norm_,
    clip_grad_value_,
    parameters_to_vector,
    vector_to_parameters,
)


def pairs() -> list:
    def pair(gradient, need_clip: bool = True) -> tuple:
        parameter = Layer().create_parameter([2], ParamAttr(need_clip=need_clip))
        return parameter, None if gradient is None else to_tensor(gradient)

    return [pair([3.0, 4.0]), pair([1.0, -2.0], False), pair(None), pair([0.3, 0.4])]


@pytest.mark.parametrize(
    ("clip", "expected"),
    [
        (ClipGradByValue(1.0), [[1.0, 1.0], [1.0, -2.0], [0.3, 0.4]]),
        (ClipGradByValue(1.0, 0.35), [[1.0, 1.0], [1.0, -2.0], [0.35, 0.4]]),
        (ClipGradByNorm(1.0), [[0.6, 0.8], [1.0, -2.0], [0.3, 0.4]]),
        (
            ClipGradByGlobalNorm(1.0),
            [
                [3 / math.sqrt(25.25), 4 / math.sqrt(25.25)],
                [1.0, -2.0],
                [0.3 / math.sqrt(25.25), 0.4 / math.sqrt(25.25)],
            ],
        ),
        (ClipGradByGlobalNorm(100.0), [[3.0, 4.0], [1.0, -2.0], [0.3, 0.4]]),
    ],
)
def test_gradients_are_clipped_but_those_that_do_not_need_it(clip, expected) -> None:
    given = pairs()
    found = clip(given)
    assert [p for p, _ in found] == [given[0][0], given[1][0], given[3][0]]
    np.testing.assert_allclose([g.numpy() for _, g in found], expected, rtol=1e-6)


def test_the_gradients_given_stay_as_they_are() -> None:
    given = pairs()
    ClipGradByGlobalNorm(1.0)(given)
    assert given[0][1].tolist() == [3.0, 4.0]


@pytest.mark.parametrize(
    "clip", [ClipGradByValue(1.0), ClipGradByNorm(1.0), ClipGradByGlobalNorm(1.0)]
)
def test_nothing_to_clip_is_nothing(clip) -> None:
    assert clip([]) == []


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_the_norm_of_short_floats_does_not_overflow(dtype: str) -> None:
    parameter = Layer().create_parameter([2], dtype=dtype)
    gradient = to_tensor([300.0, 400.0], dtype=dtype)
    [(_, g)] = ClipGradByGlobalNorm(1.0)([(parameter, gradient)])
    assert g.dtype == dtype
    np.testing.assert_allclose(g.astype("float32").numpy(), [0.6, 0.8], rtol=1e-2)


def test_a_zero_gradient_stays_zero() -> None:
    parameter = Layer().create_parameter([2])
    [(_, g)] = ClipGradByNorm(0.0)([(parameter, to_tensor([0.0, 0.0]))])
    assert not np.any(g.numpy() > 0)


def test_clipping_is_made_of_operators() -> None:
    parameter = Layer().create_parameter([2])
    program = trace(lambda g: ClipGradByGlobalNorm(1.0)([(parameter, g)])[0][1], Spec((2,)))
    assert program.main.outputs[0].spec == Spec((2,))
    assert "sqrt" in program.to_text()


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: ClipGradByValue(-1.0), "min must not exceed max"),
        (lambda: ClipGradByNorm(-1.0), "clip_norm must not be negative"),
        (lambda: ClipGradByGlobalNorm(float("nan")), "clip_norm must not be negative"),
    ],
)
def test_clips_check_their_arguments(make, match: str) -> None:
    with pytest.raises(ArgumentError, match=match):
        make()


@pytest.mark.parametrize(
    ("clip", "text"),
    [
        (ClipGradByValue(1.0), "Clip Gradient By Value, min = -1.000000, max=1.000000"),
        (ClipGradByNorm(1.0), "Gradient Clip By Norm, clip_norm=1.000000"),
        (ClipGradByGlobalNorm(1.0), "Gradient Clip By GlobalNorm, global_norm=1.000000"),
    ],
)
def test_clips_print_as_paddles(clip, text: str) -> None:
    assert str(clip) == text


@pytest.fixture
def layer() -> Linear:
    made = Linear(2, 2)
    made(to_tensor([[1.0, 1.0]])).backward()
    return made


def test_clip_grad_norm_scales_all_together(layer: Linear) -> None:
    norm = clip_grad_norm_(layer.parameters(), 1.0)
    assert float(norm) == pytest.approx(math.sqrt(6), rel=1e-6)
    np.testing.assert_allclose(layer.weight.grad.numpy(), 1 / math.sqrt(6), rtol=1e-5)


def test_clip_grad_norm_by_the_largest(layer: Linear) -> None:
    assert float(clip_grad_norm_(layer.parameters(), 0.5, norm_type=float("inf"))) == 1.0
    np.testing.assert_allclose(layer.bias.grad.numpy(), 0.5, rtol=1e-5)


def test_clip_grad_norm_leaves_small_gradients(layer: Linear) -> None:
    clip_grad_norm_(layer.parameters(), 100.0)
    assert layer.weight.grad.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_clip_grad_norm_of_nothing_is_zero() -> None:
    assert float(clip_grad_norm_([], 1.0)) == 0.0
    assert float(clip_grad_norm_(Linear(1, 1).parameters(), 1.0)) == 0.0


def test_clip_grad_norm_may_refuse_what_is_not_finite(layer: Linear) -> None:
    layer.weight.grad = to_tensor([[math.inf, 0.0], [0.0, 0.0]])
    with pytest.raises(GradientError, match="the norm of the gradients is inf"):
        clip_grad_norm_(layer.parameters(), 1.0, error_if_nonfinite=True)


def test_clip_grad_value(layer: Linear) -> None:
    clip_grad_value_(layer.weight, 0.25)
    assert layer.weight.grad.tolist() == [[0.25, 0.25], [0.25, 0.25]]
    assert layer.bias.grad.tolist() == [1.0, 1.0]


def test_a_vector_of_parameters_and_back(layer: Linear) -> None:
    vector = parameters_to_vector(layer.parameters())
    assert (vector.shape, vector.stop_gradient) == ([6], False)
    weight = layer.weight
    vector_to_parameters(to_tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), layer.parameters())
    assert layer.weight is weight
    assert (weight.tolist(), layer.bias.tolist()) == ([[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0])
    assert weight.is_leaf
    assert not weight.stop_gradient


def test_a_vector_of_another_length_changes_nothing(layer: Linear) -> None:
    before = layer.weight.tolist()
    with pytest.raises(ShapeError, match=r"have 6 elements, the vector has shape \[5\]"):
        vector_to_parameters(to_tensor([0.0] * 5), layer.parameters())
    assert layer.weight.tolist() == before
