"""Texts gone on with: as transformers does, with what is kept, drawn, in beams, and refused."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import pretrained
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.pretrained.choice import Choice, drawn, let_in, probabilities
from twinoar.pretrained.generation import Writer
from twinoar.pretrained.llama import LlamaForCausalLM

TOLD = json.loads((Path(__file__).parent / "written" / "texts.json").read_text())
CASES = {f"{c['model']} {c['options']}": c for c in TOLD["cases"]}
WRITERS = ["gpt2_words", "llama_words", "llama_tied"]
PROMPTS = np.array(TOLD["prompts"])


@pytest.fixture(scope="module")
def models(folders: Path) -> dict[str, Any]:
    return {name: pretrained.load(folders / name) for name in WRITERS}


def likeliest(model: Any, texts: np.ndarray, count: int) -> np.ndarray:
    """What follows without anything that is kept: all is read for each word."""
    with paddle.no_grad():
        for _ in range(count):
            scores = model(paddle.to_tensor(texts)).numpy()[:, -1]
            texts = np.concatenate([texts, scores.argmax(-1)[:, None]], axis=1)
    return texts


@pytest.mark.parametrize("name", CASES)
def test_texts_are_those_of_transformers(models: dict[str, Any], name: str) -> None:
    case = CASES[name]
    options = {"pad_token_id": 19, "eos_token_id": -1, **case["options"]}
    mask = paddle.to_tensor(TOLD["mask"])
    found = models[case["model"]].generate(paddle.to_tensor(PROMPTS), mask, **options)
    assert found.tolist() == case["texts"]


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_kept_changes_no_word(models: dict[str, Any], name: str) -> None:
    found = models[name].generate(PROMPTS, max_new_tokens=8, eos_token_id=-1)
    assert found.tolist() == likeliest(models[name], PROMPTS, 8).tolist()


@pytest.mark.parametrize("name", WRITERS)
def test_padding_in_front_changes_no_word(models: dict[str, Any], name: str) -> None:
    mask = np.array(TOLD["mask"])
    found = models[name].generate(PROMPTS, mask, max_new_tokens=6, eos_token_id=-1).numpy()
    for row, padding in enumerate((mask == 0).sum(axis=1)):
        alone = likeliest(models[name], PROMPTS[row : row + 1, padding:], 6)
        assert found[row, padding:].tolist() == alone[0].tolist()


def test_one_word_of_one_text_and_words_of_32_bits(models: dict[str, Any]) -> None:
    found = models["gpt2_words"].generate(np.array([[3]], "int32"), max_new_tokens=1)
    assert found.shape == [1, 2]
    assert found.dtype == paddle.int32


def test_drawn_words_come_again_with_the_seed_and_do_not_hang_on_their_neighbours(
    models: dict[str, Any],
) -> None:
    model, told = models["llama_words"], {"do_sample": True, "temperature": 3.0, "seed": 5}
    texts = model.generate(PROMPTS, num_return_sequences=3, **told).numpy()
    assert texts.shape == (9, 24)
    assert (model.generate(PROMPTS, num_return_sequences=3, **told).numpy() == texts).all()
    assert len({tuple(text) for text in texts[:3].tolist()}) == 3
    alone = model.generate(PROMPTS[:1], num_return_sequences=3, **told).numpy()
    steps = alone.shape[1]
    assert (alone == texts[:3, :steps]).all()


@pytest.mark.parametrize(("choice", "shares"), [
    ({}, [0.5, 0.3, 0.15, 0.05]), ({"top_k": 2}, [0.625, 0.375, 0, 0]),
    ({"top_p": 0.75}, [0.625, 0.375, 0, 0]), ({"top_p": 0.0}, [1, 0, 0, 0]),
    ({"top_k": 9}, [0.5, 0.3, 0.15, 0.05]), ({"top_p": 0.85, "top_k": 2}, [0.625, 0.375, 0, 0]),
    ({"temperature": 0.5}, [0.6849, 0.2466, 0.0616, 0.0068]),
])  # fmt: skip
def test_words_are_drawn_by_their_probability(choice: Any, shares: list[float]) -> None:
    scores = np.log(np.array([[0.5, 0.3, 0.15, 0.05]]))
    kept = let_in(scores, Choice(sample=True, **choice))
    np.testing.assert_allclose(probabilities(kept)[0], shares, atol=1e-4)
    generators = [np.random.default_rng(n) for n in range(4000)]
    found = drawn(np.repeat(kept, 4000, axis=0), generators)
    # Four standard deviations of a share of 4000 draws are at most 0.032.
    np.testing.assert_allclose(np.bincount(found, minlength=4) / 4000, shares, atol=0.032)


def test_a_text_that_has_ended_is_padded_behind(models: dict[str, Any]) -> None:
    whole = models["gpt2_words"].generate(PROMPTS, max_new_tokens=8, eos_token_id=-1).numpy()
    end = int(whole[0, 5])
    found = models["gpt2_words"].generate(
        PROMPTS, max_new_tokens=8, eos_token_id=end, pad_token_id=19
    )
    assert found.tolist()[0][6:] == [19] * (found.shape[1] - 6)


def test_the_texts_end_with_the_last_of_them(models: dict[str, Any]) -> None:
    whole = models["gpt2_words"].generate(PROMPTS[:1], max_new_tokens=8, eos_token_id=-1).numpy()
    end = int(whole[0, 5])
    found = models["gpt2_words"].generate(PROMPTS[:1], max_new_tokens=8, eos_token_id=end)
    assert found.tolist() == [whole[0, :6].tolist()]


WRONG: dict[str, tuple[dict[str, Any], type[Exception]]] = {
    "a text of 24 words does not fit": ({}, ArgumentError),
    "both say where a text ends": ({"max_length": 9, "max_new_tokens": 2}, ArgumentError),
    "a text of 3 words does not fit": ({"max_length": 3}, ArgumentError),
    "temperature is a number above 0": ({"temperature": 0, "do_sample": True}, ArgumentError),
    "top_k is a whole number": ({"top_k": -1, "do_sample": True}, ArgumentError),
    "top_p is a number from 0 to 1": ({"top_p": 1.5, "do_sample": True}, ArgumentError),
    "of words that are drawn, and none is": ({"temperature": 0.5}, ArgumentError),
    "num_beams is a whole number": ({"num_beams": 0, "max_length": 9}, ArgumentError),
    "beams do not draw": ({"num_beams": 2, "do_sample": True, "max_length": 9}, ArgumentError),
    "a prompt has one text": ({"num_return_sequences": 2, "max_length": 9}, ArgumentError),
    "seed is a whole number": ({"seed": -1, "max_length": 9}, ArgumentError),
    "eos_token_id is a number": ({"eos_token_id": "x", "max_length": 9}, ArgumentError),
    "words behind its padding": (
        {"attention_mask": [[1, 1, 1, 0]] * 3, "max_length": 9}, ArgumentError,
    ),
    "attention_mask is": ({"attention_mask": [[1]], "max_length": 9}, ShapeError),
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_what_does_not_fit_is_refused(models: dict[str, Any], message: str) -> None:
    options, kind = WRONG[message]
    with pytest.raises(kind) as caught:
        models["gpt2_words"].generate(PROMPTS, **options)
    assert message in str(caught.value) or message in str(caught.value.cure)


@pytest.mark.parametrize(("words", "kind"), [
    (np.array([1, 2]), ShapeError), (np.zeros((0, 3), "int64"), ShapeError),
    (np.zeros((2, 0), "int64"), ShapeError), (np.array([[0.5]]), DTypeError),
])  # fmt: skip
def test_what_is_no_text_is_refused(
    models: dict[str, Any], words: np.ndarray, kind: type[Exception]
) -> None:
    with pytest.raises(kind):
        models["gpt2_words"].generate(words, max_new_tokens=1)


def test_scores_that_are_no_numbers_are_told(folders: Path) -> None:
    model = pretrained.load(folders / "gpt2_words")
    model.transformer.ln_f.weight.set_value(np.full(16, np.nan, "float32"))
    with pytest.raises(ArgumentError, match="no numbers"):
        model.generate(PROMPTS, max_new_tokens=1)


def test_a_word_costs_the_same_however_long_the_text(models: dict[str, Any]) -> None:
    """Each word is read once: with 300 words there, a step is not many times one with 10."""
    read: list[int] = []
    model = models["llama_words"]
    next_scores = Writer.next_scores

    def counted(self: Writer, words: np.ndarray, past: Any) -> np.ndarray:
        read.append(words.shape[1])
        return next_scores(self, words, past)

    Writer.next_scores = counted  # type: ignore[method-assign]
    try:
        start = time.perf_counter()
        model.generate(np.full((1, 30), 3), max_new_tokens=20, eos_token_id=-1)
        assert time.perf_counter() - start < 60
    finally:
        Writer.next_scores = next_scores  # type: ignore[method-assign]
    assert read == [30, *[1] * 19]


@pytest.mark.parametrize(
    "scaling",
    [
        {"rope_type": "dynamic", "factor": 4.0},
        {"rope_type": "longrope", "short_factor": [1.0, 1.5], "long_factor": [3.0, 4.0]},
    ],
    ids=lambda scaling: scaling["rope_type"],
)
def test_where_long_texts_turn_otherwise_none_goes_beyond(scaling: dict[str, Any]) -> None:
    """Keys that were kept of a short text would be wrong for a long one."""
    config = {
        "model_type": "llama", "vocab_size": 20, "hidden_size": 8, "intermediate_size": 16,
        "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1,
        "rms_norm_eps": 1e-5, "hidden_act": "silu", "max_position_embeddings": 9,
        "original_max_position_embeddings": 9, "rope_scaling": scaling, "rope_theta": 100.0,
    }  # fmt: skip
    model = LlamaForCausalLM(config)
    model.eval()
    text = np.array([[3, 1, 4]])
    found = model.generate(text, max_new_tokens=6, eos_token_id=-1)
    assert found.tolist() == likeliest(model, text, 6).tolist()
    with pytest.raises(ArgumentError, match="at most 9"):
        model.generate(text, max_new_tokens=7, eos_token_id=-1)
