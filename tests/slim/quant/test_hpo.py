"""Several ways to calibrate are tried, and the best is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn, static
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.slim.quant import quant_post_hpo
from twinoar.slim.quant.hpo import Search


@pytest.fixture
def folder(tmp_path: Path) -> str:
    paddle.seed(1)
    net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
    spec = [static.InputSpec([None, 8], "float32", "x")]
    paddle.jit.save(net.eval(), str(tmp_path / "floats" / "model"), input_spec=spec)
    return str(tmp_path)


def data() -> list[dict[str, np.ndarray]]:
    random = np.random.default_rng(0)
    return [{"x": random.standard_normal((8, 8)).astype("f4")} for _ in range(3)]


def search(folder: str, **given: Any) -> Any:
    given = {"train_dataloader": data(), "runcount_limit": 4, **given}
    return quant_post_hpo(static.Executor(), None, f"{folder}/floats", f"{folder}/out", **given)


def test_the_nearest_model_is_saved(folder: str) -> None:
    trial = search(folder)
    assert trial.algo in ("KL", "hist", "avg", "mse")
    x = paddle.to_tensor(data()[0]["x"])
    whole, made = (paddle.jit.load(f"{folder}/{n}/model")(x) for n in ("floats", "out"))
    assert float((made - whole).abs().max()) < 0.1 * float(whole.abs().max())


def test_a_score_of_ones_own_decides(folder: str) -> None:
    scores = iter([0.1, 0.9, 0.2, 0.3])
    asked = []

    def score(executor: Any, program: Any, feeds: Any, fetches: Any) -> float:
        (found,) = executor.run(program, feed=data()[0], fetch_list=fetches)
        asked.append(found.shape)
        return next(scores)

    assert search(folder, eval_function=score).algo == "hist"
    assert asked == [(8, 3)] * 4


def test_numbers_are_drawn_between_their_bounds_once_each() -> None:
    trials = list(Search(count=24, batch_num=(2, 3)).trials())
    assert len(set(trials)) == len(trials)
    shares = [t.hist_percent for t in trials if t.algo == "hist"]
    assert all(0.98 <= share <= 0.999 for share in shares)
    assert {t.batch_nums for t in trials} == {2, 3}
    assert trials == list(Search(count=24, batch_num=(2, 3)).trials())


def test_what_cannot_be_tried_is_refused(folder: str) -> None:
    with pytest.raises(UnsupportedError, match="correct_biases"):
        search(folder, bias_correct=[True])
    with pytest.raises(ArgumentError, match="train_dataloader"):
        search(folder, train_dataloader=None)
    with pytest.raises(UnsupportedError, match="train_dataloader"):
        search(folder, train_sample_generator=data)
    with pytest.raises(ArgumentError, match="nothing to try"):
        search(folder, algo=[])
    assert not Path(folder, "out").exists()
