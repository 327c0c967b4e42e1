"""Models compute, learn and keep what they do in transformers, as recorded by it."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.pretrained.conftest import ARCHIVE
from twinoar import pretrained
from twinoar.formats import safetensors

NAMES = (
    "bert", "bert_words", "bert_classes", "bert_kinds", "bert_answers", "gpt2", "gpt2_words",
    "llama", "llama_words", "llama_tied", "vit", "vit_classes", "resnet", "resnet_classes",
)  # fmt: skip
CLOSE = {"rtol": 1e-4, "atol": 1e-5}  # float32 in another order, after a few layers
GRADIENT = "gradient "


def io_of(folder: Path) -> tuple[dict[str, Any], np.ndarray, tuple[str, np.ndarray]]:
    """Inputs, the output, and the name and gradient of a parameter."""
    with np.load(folder / "io.npz") as kept:
        found = dict(kept)
    output = found.pop("output")
    name = next(n for n in found if n.startswith(GRADIENT))
    gradient = found.pop(name)
    inputs = {name: paddle.to_tensor(array) for name, array in found.items()}
    return inputs, output, (name.removeprefix(GRADIENT), gradient)


def first(outputs: Any) -> paddle.Tensor:
    return outputs[0] if isinstance(outputs, tuple) else outputs


def seen(inputs: dict[str, Any], output: np.ndarray) -> np.ndarray:
    """Where what is computed is said: not for padding."""
    if "attention_mask" not in inputs or output.shape[:2] != (2, 7):
        return np.ones(output.shape, bool)
    mask = inputs["attention_mask"].numpy() > 0
    return np.broadcast_to(mask.reshape(mask.shape + (1,) * (output.ndim - 2)), output.shape)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_computes_what_transformers_does(folders: Path, name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = pretrained.load(folders / name)
    inputs, output, _ = io_of(folders / name)
    found, where = first(model(**inputs)).numpy(), seen(inputs, output)
    np.testing.assert_allclose(found[where], output[where], **CLOSE)


@pytest.mark.parametrize("name", ["bert_classes", "gpt2_words", "llama", "vit_classes", "resnet"])
def test_the_gradient_is_that_of_torch(folders: Path, name: str) -> None:
    model = pretrained.load(folders / name)
    inputs, output, (parameter, gradient) = io_of(folders / name)
    (first(model(**inputs)) ** 2).mean().backward()
    found = dict(model.named_parameters())[parameter].grad.numpy()
    assert seen(inputs, output).all() or name in {"gpt2_words", "llama"}
    if seen(inputs, output).all():  # what padding sees differs, and is part of the loss
        np.testing.assert_allclose(found, gradient, rtol=1e-3, atol=1e-5)
    else:
        assert found.shape == gradient.shape and np.isfinite(found).all() and found.any()


def test_the_names_are_all_that_are_recorded(folders: Path) -> None:
    assert {path.name for path in folders.iterdir()} == set(NAMES)
    assert ARCHIVE.stat().st_size < 200_000


@pytest.mark.parametrize("name", ["bert_words", "llama_words", "gpt2", "resnet_classes"])
def test_what_is_saved_holds_the_same_weights(folders: Path, tmp_path: Path, name: str) -> None:
    model = pretrained.load(folders / name)
    pretrained.save(model, tmp_path / "again")
    pieces = [safetensors.opened(str(p)) for p in sorted((folders / name).glob("*.safetensors"))]
    before = {key: array for piece in pieces for key, array in piece.items()}
    after = safetensors.opened(str(tmp_path / "again" / "model.safetensors"))
    assert set(after) == set(before) - {"lm_head.weight"} | set(after) & {"lm_head.weight"}
    for key, array in after.items():
        if not key.endswith("num_batches_tracked"):
            np.testing.assert_array_equal(array, before[key])


@pytest.mark.parametrize("name", NAMES)
def test_what_is_saved_loads_and_computes_the_same(
    folders: Path, tmp_path: Path, name: str
) -> None:
    model = pretrained.load(folders / name)
    pretrained.save(model, tmp_path / "again")
    inputs, _, _ = io_of(folders / name)
    again = pretrained.load(tmp_path / "again")
    assert type(again) is type(model)
    assert (first(again(**inputs)).numpy() == first(model(**inputs)).numpy()).all()


def test_a_saved_config_says_the_type_of_the_weights(folders: Path, tmp_path: Path) -> None:
    pretrained.save(pretrained.load(folders / "gpt2"), tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    assert config["dtype"] == "float32" and config["architectures"] == ["GPT2Model"]


@pytest.mark.parametrize("name", ["bert_classes", "llama_words", "vit_classes", "resnet_classes"])
def test_a_model_learns(folders: Path, name: str) -> None:
    paddle.seed(0)
    model = pretrained.load(folders / name)
    inputs, output, _ = io_of(folders / name)
    goal = paddle.zeros(list(output.shape))
    optimizer = paddle.optimizer.Adam(3e-3, parameters=model.parameters())
    losses = []
    for _ in range(6):
        loss = ((model(**inputs) - goal) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(loss.item())
    assert losses[-1] < 0.9 * losses[0]


@pytest.mark.parametrize("name", ["bert_words", "llama_words", "vit_classes", "resnet_classes"])
def test_a_compiled_model_computes_the_same(folders: Path, name: str) -> None:
    model = pretrained.load(folders / name)
    inputs, _, _ = io_of(folders / name)
    inputs.pop("attention_mask", None)
    expected = model(**inputs).numpy()
    found = paddle.jit.to_static(model)(**inputs).numpy()
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_a_saved_program_takes_texts_of_any_length(folders: Path, tmp_path: Path) -> None:
    model = pretrained.load(folders / "llama")
    spec = [paddle.static.InputSpec([None, None], "int64", name="input_ids")]
    paddle.jit.save(model, str(tmp_path / "net"), input_spec=spec)
    loaded = paddle.jit.load(str(tmp_path / "net"))
    for shape in ([1, 1], [2, 5], [3, 40]):
        ids = paddle.randint(0, 20, shape)
        np.testing.assert_allclose(loaded(ids).numpy(), model(ids).numpy(), **CLOSE)


def test_dropout_is_off_until_training(folders: Path) -> None:
    model = pretrained.load(folders / "bert_classes")
    inputs, _, _ = io_of(folders / "bert_classes")
    assert (model(**inputs).numpy() == model(**inputs).numpy()).all()
    model.train()
    paddle.seed(1)
    assert (model(**inputs).numpy() != model(**inputs).numpy()).any()


def test_padding_changes_nothing_of_a_text(folders: Path) -> None:
    model = pretrained.load(folders / "gpt2_words")
    short = paddle.to_tensor([[3, 4, 5]])
    longer, mask = paddle.to_tensor([[3, 4, 5, 0, 0]]), paddle.to_tensor([[1, 1, 1, 0, 0]])
    found = model(longer, mask).numpy()[:, :3]
    np.testing.assert_allclose(found, model(short).numpy(), **CLOSE)


def test_a_loaded_head_may_be_replaced(folders: Path, recwarn: Any) -> None:
    fresh = {"changed": {"num_labels": 5}, "fresh": ["classifier"]}
    model = pretrained.load(folders / "bert_classes", **fresh)
    assert model.classifier.weight.shape == [16, 5] and not recwarn.list
    inputs, _, _ = io_of(folders / "bert_classes")
    body = pretrained.load(folders / "bert", "BertForSequenceClassification", fresh=["classifier"])
    assert body(**inputs).shape == [2, 2]


def test_a_model_with_a_head_may_be_loaded_without_it(folders: Path, recwarn: Any) -> None:
    body = pretrained.load(folders / "bert_classes", architecture="BertModel")
    assert isinstance(body, pretrained.BertModel)
    assert "classifier.weight" in str(recwarn[0].message)
