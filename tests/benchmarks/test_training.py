"""The training benchmark compares like with like: one set of weights, results that agree."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import training
import works
import works_paddle

import twinoar

MODELS = [
    "mlp", "lenet", "enc", "r18", "mobilenet_v2", "lm", "lstm", "deepfm",
    "vit", "unet", "bert", "mobilenet_v3",
]  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_weights_are_those_of_the_model(name: str) -> None:
    state = works_paddle.models(twinoar)[name]().state_dict()
    own = {key: tuple(p.shape) for key, p in state.items() if ".cell." not in key}  # second names
    assert own == works.parameters(name)


def test_every_peer_reads_the_same_weights_and_data(tmp_path: Path) -> None:
    works.write("mlp", tmp_path)
    x, labels, weights = works.read("mlp", tmp_path)
    assert (x.shape, labels.shape, labels.max() < 10) == ((64, 784), (64,), True)
    assert {key: weight.shape for key, weight in weights.items()} == works.parameters("mlp")
    works.write("mlp", tmp_path)
    assert np.array_equal(works.read("mlp", tmp_path)[0], x)


def test_a_step_of_training_lowers_the_loss(tmp_path: Path) -> None:
    works.write("mlp_adam", tmp_path)
    step = works_paddle.make(twinoar, "eager", tmp_path, "mlp_adam")
    losses = [works.mean(step()) for _ in range(3)]
    assert losses[0] > losses[1] > losses[2]


def test_a_compiled_model_and_its_eager_twin_have_the_same_losses(tmp_path: Path) -> None:
    works.write("mlp", tmp_path)
    eager, static = (
        works_paddle.make(twinoar, mode, tmp_path, "mlp") for mode in ("eager", "to_static")
    )
    results = {"eager": [works.mean(eager())] * 2, "static": [works.mean(static())] * 2}
    assert training.disagreement(results, training.TOLERANCE) is None


@pytest.mark.parametrize("mode", ["eager", "to_static"])
def test_what_is_written_with_kept_keys_is_what_the_whole_text_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    for name, size in (("VOCABULARY", 50), ("WIDTH", 16), ("ENCODER_LAYERS", 2)):
        monkeypatch.setattr(works, name, size)
    monkeypatch.setattr(works_paddle, "WRITTEN", 6)
    model = works_paddle.models(twinoar)["lm"]()
    works.write("lm_write", tmp_path)
    x, _, weights = works.read("lm_write", tmp_path)
    x %= 50
    np.savez(tmp_path / "lm_write.npz", **weights, x=x, labels=x)
    model.set_state_dict(weights)
    text = twinoar.to_tensor(x)
    for _ in range(6):
        scores = model(text)[:, -1:]
        text = twinoar.concat([text, scores.argmax(-1)], 1)
    found = works_paddle.make(twinoar, mode, tmp_path, "lm_write")()
    np.testing.assert_allclose(found.numpy(), scores.numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("strange", [1.01, math.nan, math.inf])
def test_who_comes_to_another_result_is_named(strange: float) -> None:
    results = {"a": [2.0, 1.0], "b": [2.0, strange], "c": [2.0, 1.0001]}
    found = training.disagreement(results, 1e-3)
    assert found is not None
    assert found.startswith("expected 2, 1") and "b: 2," in found and "c:" not in found


def test_the_table_compares_with_the_fastest_of_the_others() -> None:
    peers = ["twinoar eager", "torch eager", "jax jit"]
    times = {"twinoar eager": 1e-3, "torch eager": 2e-3, "jax jit": 4e-3}
    assert training.header(peers).count("|") == 2 * training.line("mlp", times, peers).count("|")
    assert training.line("mlp", times, peers) == "| `mlp` | 1 (2.00) | 2 (1.00) | 4 (0.50) |"
    assert training.line("silu", {"jax jit": 4e-3}, peers) == "| `silu` |  |  | 4 (1.00) |"


def test_peers_and_works_are_chosen_by_pattern() -> None:
    names = ["mlp", "mlp_adam", "r18"]
    assert training.chosen(names, "mlp*,r18") == names
    assert training.chosen(names, None) == names
    with pytest.raises(SystemExit, match="no name fits 'enc'"):
        training.chosen(names, "enc")


def explained(function: object, *given: object) -> str:
    static = twinoar.jit.to_static(function)
    with twinoar.no_grad():
        static(*given)
    return static.explain()


def test_a_work_of_which_python_runs_a_part_is_refused() -> None:
    x = twinoar.ones([2, 2])
    whole = explained(lambda x: x * 2.0, x)
    works_paddle.refuse_host_commands("mlp", whole)
    for text, message in (
        (explained(lambda x: twinoar.linalg.eig(x)[0], x), "mlp leaves .*Python: .* 1: eig"),
        ("forward:\nhost commands: 0\nbackward:\nhost commands: 1: eig (why)", "mlp leaves"),
        ("not compiled yet", "mlp is not compiled"),
    ):
        with pytest.raises(RuntimeError, match=message):
            works_paddle.refuse_host_commands("mlp", text)


@pytest.mark.parametrize("mode", ["to_static", "train_step"])
def test_what_the_works_compile_has_no_host_commands(tmp_path: Path, mode: str) -> None:
    compiled: dict[str, Any] = {}
    for name in ("mlp", "lenet") if mode == "train_step" else ("mlp", "silu"):
        works.write(name, tmp_path)
        works_paddle.make(twinoar, mode, tmp_path, name, compiled)()
        works_paddle.refuse_host_commands(name, compiled[name].explain())
