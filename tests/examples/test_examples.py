"""The examples at a size for tests: losses fall; a text written with a cache is the same one."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.io import TensorDataset
from twinoar.visual.curves import read_curves

FOLDER = Path(__file__).parents[2] / "examples"
STEPS = 24


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_demo_trains_saves_and_answers_in_a_process_of_its_own(tmp_path) -> None:
    environment = {k: v for k, v in os.environ.items() if k != "TWINOAR_DATA_HOME"}
    command = [sys.executable, FOLDER / "mnist.py", "--output", tmp_path]
    found = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "loaded a TranslatedLayer with 10 parameters" in found.stdout
    assert (tmp_path / "digits.png").read_bytes().startswith(b"\x89PNG")


@pytest.fixture(scope="module")
def shakespeare() -> ModuleType:
    found = example("shakespeare")
    found.LENGTH, found.BATCH_SIZE, found.RATE, found.WARM_UP_STEPS = 8, 4, 0.03, 2
    return found


@pytest.fixture(scope="module")
def text(shakespeare: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> tuple:
    file = tmp_path_factory.mktemp("text") / "input.txt"
    file.write_text("All:\nSpeak, speak.\n" * 40)
    return shakespeare.Text.read(file)


def model_of(shakespeare: ModuleType, text: tuple, name: str) -> nn.Layer:
    paddle.seed(3)
    return shakespeare.MODELS[name](len(text.alphabet), shakespeare.Sizes(16, 2, 1, heads=2))


@pytest.mark.parametrize("name", ["transformer", "lstm"])
def test_both_ways_of_training_lower_the_loss_alike(shakespeare, text, name, tmp_path) -> None:
    windows = shakespeare.Windows(text.numbers)
    fitted, compiled = (model_of(shakespeare, text, name) for _ in range(2))
    shakespeare.fit(fitted, windows, windows, STEPS, tmp_path / "fit")
    shakespeare.train_by_hand(compiled, windows, STEPS, tmp_path / "by_hand")
    curves = [
        [loss for _, loss in read_curves(tmp_path / folder)["train/loss"]]
        for folder in ("fit", "by_hand")
    ]
    assert len(curves[0]) == STEPS
    np.testing.assert_allclose(curves[0], curves[1], rtol=1e-3)
    assert curves[0][-1] < 0.95 * curves[0][0], curves
    assert shakespeare.loss_on(compiled, windows) < curves[0][0]


@pytest.mark.parametrize("name", ["transformer", "lstm"])
def test_text_with_and_without_a_cache_is_the_same(shakespeare, text, name) -> None:
    model = model_of(shakespeare, text, name)
    prompt = text.encode("All:\n")
    cached, whole = (shakespeare.write(model, prompt, 20, cached) for cached in (True, False))
    assert text.decode(cached) == text.decode(whole)
    assert text.decode(cached).startswith("All:\n") and len(cached) == 25


def test_the_mask_hides_what_comes_later_and_fades_what_is_far(shakespeare, text) -> None:
    mask = model_of(shakespeare, text, "transformer").mask(past=1, count=2).numpy()
    assert mask.shape == (2, 2, 3)
    assert mask[0, 0, 2] <= -1e9
    assert (mask[0, 1, 0], mask[0, 1, 2]) == (2 * mask[0, 1, 1], 0)


def small(num_classes: int) -> nn.Layer:
    """In the place of ResNet-18, which takes long to compile."""
    return nn.Sequential(
        nn.Conv2D(3, 4, 3, 4), nn.ReLU(), nn.Flatten(), nn.Linear(196, num_classes)
    )


def test_digits_are_learned_through_a_model(monkeypatch, tmp_path, capsys) -> None:
    module = example("resnet_mnist")
    numbers = np.random.default_rng(0)
    labels = numbers.integers(0, 2, (24, 1))
    images = numbers.normal(size=(24, 3, 28, 28)) + 2 * labels[:, :, None, None]
    data = TensorDataset([paddle.to_tensor(images, "float32"), paddle.to_tensor(labels)])
    monkeypatch.setattr(module, "digits", lambda mode, count: data)
    monkeypatch.setattr(module, "resnet18", small)
    monkeypatch.setattr(module, "BATCH_SIZE", 8)
    arguments = ["resnet_mnist.py", "--samples", "24", "--epochs", "20", "--output", str(tmp_path)]
    monkeypatch.setattr("sys.argv", arguments)
    module.main()
    losses = [loss for _, loss in read_curves(tmp_path / "resnet_mnist")["train/loss"]]
    assert losses[-1] < 0.5 * losses[0]
    assert "accuracy on 24 digits" in capsys.readouterr().out
    assert (tmp_path / "resnet_mnist" / "curves.png").is_file()
