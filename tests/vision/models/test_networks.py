"""Networks have the real Paddle's parameters, train a step and infer, eagerly and compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar
from twinoar import config
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.vision import models

# Trained parameters and entries of the state, as the real Paddle 3.3.1 has them: with 7 classes,
# of AlexNet and VGG without classes, whose linear layers are large.
SIZES = {
    "vgg11": (9_220_480, 16),
    "vgg13": (9_404_992, 20),
    "vgg16": (14_714_688, 26),
    "vgg19": (20_024_384, 32),
    "mobilenet_v1": (3_214_151, 137),
    "mobilenet_v2": (2_232_839, 262),
    "mobilenet_v3_small": (1_525_031, 210),
    "mobilenet_v3_large": (4_210_999, 266),
    "densenet121": (6_961_031, 606),
    "densenet161": (26_487_463, 806),
    "densenet169": (12_496_135, 846),
    "densenet201": (18_106_375, 1006),
    "densenet264": (30_667_527, 1326),
    "alexnet": (2_469_696, 10),
    "inception_v3": (21_799_911, 472),
    "squeezenet1_0": (739_015, 52),
    "squeezenet1_1": (726_087, 52),
    "googlenet": (8_482_261, 69),
    "shufflenet_v2_x0_25": (94_279, 282),
    "shufflenet_v2_x0_33": (137_863, 282),
    "shufflenet_v2_x0_5": (348_967, 282),
    "shufflenet_v2_x1_0": (1_260_779, 282),
    "shufflenet_v2_x1_5": (2_485_799, 282),
    "shufflenet_v2_x2_0": (5_331_879, 282),
    "shufflenet_v2_swish": (1_260_779, 282),
}
# What makes a small one, and the size of the images.
SMALL = {
    "alexnet": ({"num_classes": 0}, 63),
    "vgg11": ({"num_classes": 0, "batch_norm": True}, 32),
    "mobilenet_v1": ({"scale": 0.25, "num_classes": 3}, 32),
    "mobilenet_v2": ({"scale": 0.25, "num_classes": 3}, 32),
    "mobilenet_v3_small": ({"scale": 0.35, "num_classes": 3}, 32),
    "densenet121": ({"num_classes": 3, "bn_size": 1, "dropout": 0.1}, 32),
    "googlenet": ({"num_classes": 0, "with_pool": False}, 64),
    "inception_v3": ({"num_classes": 3}, 75),
    "shufflenet_v2_x0_25": ({"num_classes": 3, "act": "swish"}, 32),
    "squeezenet1_1": ({"num_classes": 3}, 32),
}
RATE = 0.5
SLOW_TO_COMPILE = {"densenet121", "inception_v3"}  # hundreds of layers


def made(name: str, seed: int = 5) -> Any:
    twinoar.seed(seed)
    return getattr(models, name)(**SMALL[name][0])


def images(name: str) -> Any:
    size = SMALL[name][1]
    random = np.random.RandomState(2)
    return twinoar.to_tensor(random.normal(size=(2, 3, size, size)).astype("float32"))


def total(outs: Any) -> Any:
    outs = outs if isinstance(outs, list) else [outs]
    return sum(((out - 1.0) ** 2).mean() for out in outs)


@pytest.mark.parametrize("name", SIZES)
def test_number_of_parameters(name: str) -> None:
    classes = 0 if name.startswith(("alexnet", "vgg")) else 7
    with twinoar.LazyGuard():  # random numbers for a hundred million parameters tell nothing here
        model = getattr(models, name)(num_classes=classes)
    trained = sum(p.size for p in model.parameters() if not p.stop_gradient)
    assert (trained, len(model.state_dict())) == SIZES[name]


@pytest.mark.parametrize("name", SMALL)
def test_a_step_of_training_is_the_same_compiled(name: str) -> None:
    eager, compiled = made(name), made(name)
    for model in (eager, compiled):
        model.eval()  # statistics of the few pixels that are left at the end are noise
    optimizer = twinoar.optimizer.SGD(RATE, parameters=compiled.parameters())

    @twinoar.jit.to_static
    def step(x: Any) -> Any:
        loss = total(compiled(x))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    loss = total(eager(images(name)))
    loss.backward()
    with config.override(backend="numpy" if name in SLOW_TO_COMPILE else "native"):
        assert np.isclose(float(step(images(name))), float(loss), rtol=1e-4)
    after = dict(compiled.named_parameters())
    trained = {key: p for key, p in eager.named_parameters() if not p.stop_gradient}
    changes = {key: (p.numpy() - after[key].numpy()) / RATE for key, p in trained.items()}
    gradients = {key: p.grad.numpy() for key, p in trained.items()}
    scale = max(np.abs(gradient).max() for gradient in gradients.values())
    assert {
        key: np.abs(changes[key] - gradient).max() / scale
        for key, gradient in gradients.items()
        if np.abs(changes[key] - gradient).max() > 1e-3 * scale
    } == {}


@pytest.mark.parametrize("name", sorted(SMALL))
def test_every_trained_parameter_gets_a_gradient(name: str) -> None:
    model = made(name)
    total(model(images(name))).backward()
    parameters = [p for p in model.parameters() if not p.stop_gradient]
    assert all(p.grad is not None and np.isfinite(p.grad.numpy()).all() for p in parameters)


@pytest.mark.parametrize("name", SMALL)
def test_inference_is_the_same_compiled(name: str) -> None:
    model = made(name)
    model.eval()
    x = images(name)
    with twinoar.no_grad():
        expected = model(x)  # its operators run on NumPy, or compiled each by itself
        with config.override(backend="native"):
            received = twinoar.jit.to_static(model)(x)
    pairs = zip(
        *(outs if isinstance(outs, list) else [outs] for outs in (received, expected)), strict=True
    )
    for own, other in pairs:
        assert np.allclose(own.numpy(), other.numpy(), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(
    ("name", "options", "size", "shape"),
    [
        ("mobilenet_v1", {"scale": 0.25}, 64, [1, 256, 2, 2]),
        ("mobilenet_v2", {"scale": 0.25}, 64, [1, 1280, 2, 2]),
        ("mobilenet_v3_large", {"scale": 0.35}, 64, [1, 336, 2, 2]),
        ("densenet121", {}, 64, [1, 1024, 2, 2]),
        ("inception_v3", {}, 107, [1, 2048, 2, 2]),
        ("shufflenet_v2_x0_33", {}, 64, [1, 512, 2, 2]),
        ("squeezenet1_0", {}, 64, [1, 512, 2, 2]),
        ("vgg11", {}, 64, [1, 512, 2, 2]),
    ],
)
def test_features_without_pool_and_classes(
    name: str, options: dict, size: int, shape: list[int]
) -> None:
    model = getattr(models, name)(num_classes=0, with_pool=False, **options)
    model.eval()
    assert model(twinoar.zeros([1, 3, size, size])).shape == shape


def test_googlenet_gives_scores_at_three_places() -> None:
    model = models.googlenet(num_classes=4)
    model.eval()
    assert [out.shape for out in model(twinoar.zeros([1, 3, 224, 224]))] == [[1, 4]] * 3


@pytest.mark.parametrize("name", SIZES)
def test_pretrained_weights_are_an_error_that_says_what_to_do(name: str) -> None:
    with pytest.raises(UnsupportedError, match="no place to load trained weights from"):
        getattr(models, name)(pretrained=True)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: models.DenseNet(120), "received 120"),
        (lambda: models.SqueezeNet("2.0"), "received '2.0'"),
        (lambda: models.ShuffleNetV2(0.7), "received 0.7"),
        (lambda: models.ShuffleNetV2(act="gelu"), "received 'gelu'"),
    ],
)
def test_other_sizes_are_errors(make: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        make()
