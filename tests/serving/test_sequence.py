"""Sequences: state from one request to the next, apart for each, across shared batches."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from tests.threads import in_threads
from twinoar import nn
from twinoar.errors import ServingError
from twinoar.inference import Config, create_predictor
from twinoar.serving.repository import Repository
from twinoar.serving.request import Request, Sequence

CONFIG = """max_batch_size: 4
input [{ name: "x" data_type: TYPE_FP32 dims: [2] }]
output [{ name: "OUT" data_type: TYPE_FP32 dims: [2] }]
sequence_batching { MORE
  control_input [
    { name: "begins" control [{ kind: CONTROL_SEQUENCE_START fp32_false_true: [0, 1] }] },
    { name: "id" control [{ kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_INT64 }] } ]
  state [{ input_name: "total" output_name: "NEXT" data_type: TYPE_FP32 dims: [2] INITIAL }]
}"""


class Running(nn.Layer):
    """What came so far in a sequence, with 100 more for its first and its number in hundredths."""

    def forward(self, x: paddle.Tensor, total: paddle.Tensor, begins: paddle.Tensor,
                id: paddle.Tensor) -> tuple[paddle.Tensor, paddle.Tensor]:  # fmt: skip
        after = total + x
        return after + begins * 100 + id.astype("float32") * 0.01, after


def repository(folder: Path, more: str = "", initial: str = "") -> Repository:
    place = folder / "sum" / "1"
    place.mkdir(parents=True)
    spec = [paddle.static.InputSpec([None, width], dtype, name) for name, dtype, width in (
        ("x", "float32", 2), ("total", "float32", 2), ("begins", "float32", 1), ("id", "int64", 1),
    )]  # fmt: skip
    paddle.jit.save(Running(), str(place / "model"), input_spec=spec)
    files = str(place / "model.pdmodel"), str(place / "model.pdiparams")
    names = create_predictor(Config(*files)).get_output_names()
    config = CONFIG.replace("MORE", more).replace("INITIAL", initial)
    for word, name in zip(("OUT", "NEXT"), names, strict=True):
        config = config.replace(f'"{word}"', f'"{name}"')
    (folder / "sum" / "config.pbtxt").write_text(config)
    made = Repository(folder)
    made.load("sum")
    return made


def send(models: Repository, name: int | str, value: float, kind: str = "") -> Request:
    x = np.full((1, 2), value, "float32")
    request = Request({"x": x}, sequence=Sequence(name, kind == "start", kind == "end"))
    models.submit("sum", "", request)
    return request


def answer(request: Request) -> float:
    (found,) = request.result(20).values()
    return round(float(found[0, 0]), 4)


def test_a_sequence_goes_on_from_its_state_and_ends(tmp_path: Path) -> None:
    models = repository(tmp_path)
    assert answer(send(models, 7, 1, "start")) == 101.07
    assert answer(send(models, 7, 2)) == 3.07
    assert answer(send(models, 7, 3, "end")) == 6.07
    with pytest.raises(ServingError, match="has not started"):
        send(models, 7, 1)
    assert answer(send(models, 7, 5, "start")) == 105.07
    models.close()


def test_sequences_are_apart_though_they_share_batches(tmp_path: Path) -> None:
    models = repository(tmp_path, "oldest { max_candidate_sequences: 8 }")
    wrong = []

    def client(number: int) -> None:
        total = 0.0
        for step in range(20):
            total += number
            kind = "start" if step == 0 else "end" if step == 19 else ""
            wanted = total + (100 if step == 0 else 0) + number * 0.01
            if answer(send(models, number, number, kind)) != pytest.approx(wanted, abs=1e-3):
                wrong.append((number, step))

    in_threads(partial(client, n) for n in range(1, 9))
    assert wrong == []
    assert len(models.model("sum").sequences) == 0
    models.close()


def test_requests_of_a_sequence_that_are_sent_at_once_run_in_order(tmp_path: Path) -> None:
    models = repository(tmp_path)
    sent = [send(models, 1, n, "start" if n == 0 else "") for n in range(10)]
    assert [answer(one) for one in sent][1:] == [sum(range(n + 1)) + 0.01 for n in range(1, 10)]
    models.close()


def test_loading_anew_finishes_what_a_sequence_has_sent_and_ends_it(tmp_path: Path) -> None:
    models = repository(tmp_path)
    sent = [send(models, 1, n, "start" if n == 0 else "") for n in range(50)]
    models.load("sum")
    assert answer(sent[-1]) == sum(range(50)) + 0.01
    with pytest.raises(ServingError, match="has not started"):
        send(models, 1, 1)
    assert models.close(10)


def test_an_idle_sequence_is_forgotten(tmp_path: Path) -> None:
    models = repository(tmp_path, "max_sequence_idle_microseconds: 50000")
    answer(send(models, 1, 1, "start"))
    time.sleep(0.1)
    with pytest.raises(ServingError, match="idle too long"):
        send(models, 1, 1)
    models.close()


def test_there_is_a_limit_of_sequences_and_one_without_is_refused(tmp_path: Path) -> None:
    models = repository(tmp_path, "oldest { max_candidate_sequences: 1 }")
    answer(send(models, 1, 1, "start"))
    with pytest.raises(ServingError, match="1 sequences run") as caught:
        send(models, 2, 1, "start")
    assert caught.value.status == "RESOURCE_EXHAUSTED"
    with pytest.raises(ServingError, match="takes sequences"):
        models.submit("sum", "", Request({"x": np.zeros((1, 2), "float32")}))
    answer(send(models, 1, 1, "end"))
    assert answer(send(models, 2, 1, "start")) == 101.02
    answer(send(models, 2, 1, "end"))
    with pytest.raises(ServingError, match="a number"):
        answer(send(models, "name", 1, "start"))
    models.close()


def test_a_sequence_may_start_from_a_file(tmp_path: Path) -> None:
    place = tmp_path / "sum" / "initial_state"
    place.mkdir(parents=True)
    (place / "ten").write_bytes(np.full(2, 10, "<f4").tobytes())
    file = 'initial_state { name: "ten" data_type: TYPE_FP32 dims: [2] data_file: "ten" }'
    models = repository(tmp_path, initial=file)
    assert answer(send(models, 1, 1, "start")) == 111.01
    models.close()
