"""Vectors of texts at `/v1/embeddings`: those of the model alone, whatever shares a batch."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.serving.live import Live, live
from tests.serving.models import scaling
from tests.serving.writers import GPT2, LLAMA, WRITTEN, writer
from twinoar import pretrained
from twinoar.errors import ServingError
from twinoar.serving.repository import Repository

BERT = {
    "vocab_size": 470, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
    "intermediate_size": 24, "hidden_act": "gelu", "max_position_embeddings": 40,
    "type_vocab_size": 2, "layer_norm_eps": 1e-12, "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
}  # fmt: skip
TEXTS = ["Hello there", "A text that is longer than the other one, and by far", "Hi"]
POOLING = "1_Pooling/config.json"


def embedder(folder: Path, model: Any, name: str = "vectors", **files: Any) -> Any:
    """Put a model with random weights into a repository, with files of JSON; the layer."""
    place = folder / name / "1"
    place.mkdir(parents=True)
    model.eval()
    for tensor in model.parameters():
        if tensor.ndim > 1:
            tensor.set_value(tensor.numpy() * np.float32(6))
    pretrained.save(model, place)
    (place / "tokenizer.json").write_text(
        json.dumps(json.loads(WRITTEN.read_text())["gpt2"]["told"])
    )
    for path, told in files.items():
        (place / path).parent.mkdir(exist_ok=True)
        (place / path).write_text(json.dumps(told))
    return model


def made(kind: str) -> Any:
    paddle.seed(3)
    made_of = {
        "bert": lambda: pretrained.BertModel(BERT),
        "gpt2": lambda: pretrained.GPT2Model(GPT2),
        "llama": lambda: pretrained.LlamaModel(LLAMA),
    }
    return made_of[kind]()


def alone(model: Any, tokens: list[int], pooling: str, normalize: bool = True) -> np.ndarray:
    """The vector of a text by the layer itself, without padding and in no batch."""
    with paddle.no_grad():
        found = model(paddle.to_tensor([tokens]))
    hidden = (found[0] if isinstance(found, tuple) else found).numpy()[0].astype("float64")
    vector = {"mean": hidden.mean(0), "first": hidden[0], "last": hidden[-1]}[pooling]
    return vector / np.linalg.norm(vector) if normalize else vector


def loaded(folder: Path) -> Repository:
    repository = Repository(folder)
    for name in repository.names():
        repository.load(name)
    return repository


def vectors(server: Live, **told: Any) -> Any:
    answer = server.call("POST", "/v1/embeddings", {"model": "vectors", **told})
    assert answer.status == 200, answer.body
    return answer.json


@pytest.mark.parametrize(("kind", "pooling"), [
    ("bert", "mean"), ("gpt2", "last"), ("llama", "last"),
])  # fmt: skip
def test_vectors_are_those_of_the_model_alone(tmp_path: Path, kind: str, pooling: str) -> None:
    model = embedder(tmp_path, made(kind))
    repository = loaded(tmp_path)
    served: Any = repository.model("vectors")
    with live(repository) as server:
        found = vectors(server, input=TEXTS)
        tokens = [served.words(text) for text in TEXTS]
        for one, words in zip(found["data"], tokens, strict=True):
            assert np.allclose(one["embedding"], alone(model, words, pooling), atol=1e-5)
        assert [one["index"] for one in found["data"]] == [0, 1, 2]
        count = sum(map(len, tokens))
        assert found["usage"] == {"prompt_tokens": count, "total_tokens": count}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("models")
    embedder(folder, made("bert"))
    scaling(folder, "other", 2.0)
    with live(loaded(folder)) as served:
        yield served


def test_text_tokens_and_lists_of_either_are_taken(server: Live) -> None:
    (text,) = vectors(server, input="Hello")["data"]
    model: Any = server.server.state.repository.model("vectors")
    words = model.words("Hello")
    for given in (words, [words], ["Hello"]):
        (one,) = vectors(server, input=given)["data"]
        assert one["embedding"] == text["embedding"]
    assert np.linalg.norm(text["embedding"]) == pytest.approx(1, abs=1e-5)


def test_vectors_come_in_base64_too(server: Live) -> None:
    (numbers,) = vectors(server, input="Hello")["data"]
    (coded,) = vectors(server, input="Hello", encoding_format="base64", dimensions=16)["data"]
    found = np.frombuffer(base64.b64decode(coded["embedding"]), "<f4")
    assert np.array_equal(found, np.array(numbers["embedding"], "float32"))


def test_many_texts_come_in_order_and_share_batches(server: Live) -> None:
    texts = [f"{n} times" for n in range(150)]
    model: Any = server.server.state.repository.model("vectors")
    before = model.statistics.plain()["execution_count"]
    found = [one["embedding"] for one in vectors(server, input=texts)["data"]]
    assert model.statistics.plain()["execution_count"] - before < 75
    alone_ = [vectors(server, input=texts[n])["data"][0]["embedding"] for n in (0, 77, 149)]
    assert np.allclose([found[n] for n in (0, 77, 149)], alone_, atol=1e-5)


@pytest.mark.parametrize(("told", "status", "message"), [
    ({}, 400, "input is a text"),
    ({"input": []}, 400, "input is a text"),
    ({"input": ""}, 400, "without words"),
    ({"input": ["a", ""]}, 400, "without words"),
    ({"input": ["a", 1]}, 400, "input is a text, a list of tokens"),
    ({"input": [True]}, 400, "input is a text, a list of tokens"),
    ({"input": [470]}, 400, "a token is from 0 to 469"),
    ({"input": [-1]}, 400, "a token is from 0 to 469"),
    ({"input": [1] * 41}, 400, "at most 40 tokens, received 41"),
    ({"input": ["a"] * 2049}, 400, "a list of 1 to 2048"),
    ({"input": "a", "encoding_format": "hex"}, 400, "encoding_format is one of float, base64"),
    ({"input": "a", "dimensions": 8}, 400, "have 16 dimensions"),
    ({"input": "a", "model": "other"}, 400, "other makes no vectors of texts"),
    ({"input": "a", "model": "none"}, 404, "unknown model"),
    ({"input": "a", "model": 5}, 400, "model is the name"),
])  # fmt: skip
def test_what_is_no_request_is_told_why(
    server: Live, told: dict[str, Any], status: int, message: str
) -> None:
    answer = server.call("POST", "/v1/embeddings", {"model": "vectors", **told})
    assert answer.status == status
    assert message in answer.json["error"]["message"]


def test_it_is_listed_and_takes_no_tensors(server: Live) -> None:
    assert [one["id"] for one in server.call("GET", "/v1/models").json["data"]] == ["vectors"]
    words = {"name": "words", "datatype": "INT64", "shape": [1, 1], "data": [1]}
    answer = server.call("POST", "/v2/models/vectors/infer", {"inputs": [words]})
    assert (answer.status, "ask /v1/embeddings" in answer.json["error"]) == (400, True)


def test_a_folder_of_sentence_transformers_says_how_words_are_pooled(tmp_path: Path) -> None:
    files = {POOLING: {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False},
             "modules.json": [{"type": "sentence_transformers.models.Transformer"}]}  # fmt: skip
    model = embedder(tmp_path, made("bert"), **files)
    repository = loaded(tmp_path)
    with live(repository) as server:
        (one,) = vectors(server, input=[1, 2, 3])["data"]
        assert np.allclose(one["embedding"], alone(model, [1, 2, 3], "first", False), atol=1e-4)


def test_the_config_says_more_and_lets_a_writer_make_vectors(tmp_path: Path) -> None:
    told = {"writes": "embeddings", "pooling": "mean", "normalize": "false", "context_length": "20"}
    model = writer(tmp_path, **told)
    repository = loaded(tmp_path)
    with live(repository) as server:
        (one,) = vectors(server, model="gpt2", input=[1, 2, 3])["data"]
        wanted = alone(model.transformer, [1, 2, 3], "mean", False)
        assert np.allclose(one["embedding"], wanted, atol=1e-4)
        answer = server.call("POST", "/v1/embeddings", {"model": "gpt2", "input": [1] * 21})
        assert "at most 20 tokens" in answer.json["error"]["message"]


@pytest.mark.parametrize(("parameters", "files", "message"), [
    ({"pooling": "max"}, {}, "pooling is one of mean, first, last"),
    ({"normalize": "maybe"}, {}, "normalize is true or false"),
    ({"context_length": "41"}, {}, "context_length is from 1 to 40"),
    ({}, {POOLING: {"pooling_mode_max_tokens": True}}, "asks for pooling_mode_max_tokens"),
    ({}, {"modules.json": {"a": 1}}, "it lists modules with their types"),
])  # fmt: skip
def test_what_a_folder_asks_for_and_is_not_served_is_named(
    tmp_path: Path, parameters: dict[str, str], files: dict[str, Any], message: str
) -> None:
    embedder(tmp_path, made("bert"), **files)
    listed = [
        f'parameters {{ key: "{k}" value {{ string_value: "{v}" }} }}'
        for k, v in parameters.items()
    ]
    (tmp_path / "vectors" / "config.pbtxt").write_text("\n".join(listed))
    with pytest.raises(ServingError, match=message):
        loaded(tmp_path)


def test_models_with_another_head_are_refused(tmp_path: Path) -> None:
    embedder(tmp_path, pretrained.BertForMaskedLM(BERT))
    with pytest.raises(ServingError, match="nor makes vectors of it"):
        loaded(tmp_path)
