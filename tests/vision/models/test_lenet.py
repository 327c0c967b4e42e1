"""LeNet has the layers and the parameters that Paddle's has."""

from __future__ import annotations

import pytest

import twinoar
from twinoar.vision.models import LeNet

SHAPES = {
    "features.0.weight": [6, 1, 3, 3],
    "features.0.bias": [6],
    "features.3.weight": [16, 6, 5, 5],
    "features.3.bias": [16],
    "fc.0.weight": [400, 120],
    "fc.0.bias": [120],
    "fc.1.weight": [120, 84],
    "fc.1.bias": [84],
    "fc.2.weight": [84, 10],
    "fc.2.bias": [10],
}


def test_parameters_are_those_of_paddle() -> None:
    assert {name: p.shape for name, p in LeNet().named_parameters()} == SHAPES


@pytest.mark.parametrize(("classes", "shape"), [(10, [2, 10]), (3, [2, 3]), (0, [2, 16, 5, 5])])
def test_output_shape(classes: int, shape: list[int]) -> None:
    assert LeNet(classes)(twinoar.zeros([2, 1, 28, 28])).shape == shape


def test_without_classes_there_are_no_linear_layers() -> None:
    assert [name for name, _ in LeNet(0).named_children()] == ["features"]


def test_every_parameter_gets_a_gradient() -> None:
    model = LeNet()
    model(twinoar.ones([2, 1, 28, 28])).sum().backward()
    assert all(parameter.grad is not None for parameter in model.parameters())
