"""ResNets have the parameters of the papers, train, and say what they cannot do."""

from __future__ import annotations

import pytest

import twinoar
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.vision import models
from twinoar.vision.models.resnet import BasicBlock, BottleneckBlock, ResNet

# Trainable parameters, as the papers' authors and the real Paddle count them.
SIZES = {
    "resnet18": 11_689_512,
    "resnet34": 21_797_672,
    "resnet50": 25_557_032,
    "resnext50_32x4d": 25_028_904,
}


@pytest.mark.parametrize("name", SIZES)
def test_number_of_parameters(name: str) -> None:
    parameters = getattr(models, name)().parameters()
    assert sum(p.size for p in parameters if not p.stop_gradient) == SIZES[name]


def test_a_wide_network_has_twice_the_channels_inside() -> None:
    state = models.wide_resnet50_2().state_dict()
    assert state["layer1.0.conv2.weight"].shape == [128, 128, 3, 3]
    assert state["layer1.0.conv3.weight"].shape == [256, 128, 1, 1]


@pytest.mark.parametrize(
    ("options", "shape"),
    [
        ({"num_classes": 7}, [2, 7]),
        ({"num_classes": 0}, [2, 512, 1, 1]),
        ({"num_classes": 0, "with_pool": False}, [2, 512, 2, 2]),
    ],
)
def test_output_shape(options: dict, shape: list[int]) -> None:
    model = models.resnet18(**options)
    model.eval()
    assert model(twinoar.zeros([2, 3, 64, 64])).shape == shape


@pytest.mark.parametrize("block", [BasicBlock, BottleneckBlock])
def test_a_block_adds_its_input(block: type) -> None:
    layer = block(8 * block.expansion, 8)
    layer.eval()
    for name, parameter in layer.named_parameters():
        if name.startswith("conv"):
            parameter.set_value(twinoar.zeros(parameter.shape))
    x = twinoar.rand([1, 8 * block.expansion, 4, 4])
    assert layer(x).tolist() == x.tolist()


def test_every_trained_parameter_gets_a_gradient() -> None:
    model = models.resnet18(num_classes=4)
    model(twinoar.rand([2, 3, 32, 32])).sum().backward()
    assert all(p.grad is not None for p in model.parameters() if not p.stop_gradient)


def test_pretrained_weights_are_an_error_that_says_what_to_do() -> None:
    with pytest.raises(UnsupportedError, match="no place to load trained weights from"):
        models.resnet18(pretrained=True)


def test_another_depth_is_an_error() -> None:
    with pytest.raises(ArgumentError, match="received 20"):
        ResNet(BasicBlock, 20)


def test_a_basic_block_has_no_dilation() -> None:
    with pytest.raises(UnsupportedError, match="received 2"):
        BasicBlock(8, 8, dilation=2)
