"""How likely tokens were, prompts echoed, and what changes the scores, over OpenAI's protocol."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.serving.language import CONTEXT, HEADS, LAYERS, WIDTH, Language, likeliest, saved
from tests.serving.live import Live, live
from twinoar.serving.logprobs import Teller
from twinoar.serving.repository import Repository
from twinoar.serving.sampling import LEAST, Sampling, Word, sampled, word_of
from twinoar.serving.tokenizer import Bytes

LIKELIEST = {"model": "writer", "temperature": 0}
PROMPT = "Once"
CLOSE = 1e-4  # of logarithms: rows of a batch and rows alone are summed in another order


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Live, Language]]:
    folder = tmp_path_factory.mktemp("models")
    model = saved(folder)
    repository = Repository(folder)
    repository.load("writer")
    with live(repository) as served:
        yield served, model


@pytest.fixture(scope="module")
def served(made: tuple[Live, Language]) -> Live:
    return made[0]


def complete(served: Live, path: str = "completions", **told: Any) -> Any:
    reply = served.call("POST", f"/v1/{path}", {**LIKELIEST, **told})
    assert reply.status == 200, reply.body
    return reply.json


def pieces(served: Live, path: str = "completions", **told: Any) -> list[Any]:
    body = {**LIKELIEST, "stream": True, **told}
    lines = served.call("POST", f"/v1/{path}", body).body.decode().split("\n\n")
    return [json.loads(x.removeprefix("data: "))["choices"][0] for x in lines if "{" in x]


def logprobs_of(model: Language, tokens: list[int]) -> np.ndarray:
    """The logarithms of the probabilities [T,V] of what follows each token, by the model alone."""
    keys = values = paddle.zeros([1, LAYERS, HEADS, CONTEXT, WIDTH // HEADS])
    found = []
    with paddle.no_grad():
        for position, token in enumerate(tokens):
            given = paddle.to_tensor([token]), paddle.to_tensor([position])
            scores, keys, values = model(*given, keys, values)
            found.append(paddle.nn.functional.log_softmax(scores).numpy()[0])
    return np.array(found)


def test_each_token_has_its_logarithm_and_the_likeliest_beside_it(
    made: tuple[Live, Language],
) -> None:
    served, model = made
    tokens = likeliest(model, PROMPT.encode(), 8)
    told = complete(served, prompt=PROMPT, max_tokens=8, logprobs=3)["choices"][0]["logprobs"]
    alone = logprobs_of(model, [*PROMPT.encode(), *tokens])[len(PROMPT) - 1 :]
    expected = [alone[n, token] for n, token in enumerate(tokens)]
    np.testing.assert_allclose(told["token_logprobs"], expected, atol=CLOSE)
    for place, likely in enumerate(told["top_logprobs"]):
        best = np.sort(alone[place])[::-1][:3]
        np.testing.assert_allclose(list(likely.values()), best, atol=CLOSE)


def test_tokens_are_the_text_and_say_where_they_begin(served: Live) -> None:
    choice = complete(served, prompt=PROMPT, max_tokens=12, logprobs=0)["choices"][0]
    told = choice["logprobs"]
    assert len(told["tokens"]) == len(told["token_logprobs"]) == 12
    assert told["text_offset"][0] == 0
    lengths = np.cumsum([len(token) for token in told["tokens"]])
    assert told["text_offset"][1:] == lengths[:-1].tolist()
    assert all(len(likely) == 1 for likely in told["top_logprobs"])


def test_without_being_asked_nothing_is_told(served: Live) -> None:
    assert complete(served, prompt=PROMPT, max_tokens=2)["choices"][0]["logprobs"] is None


@pytest.mark.parametrize("path", ["completions", "chat/completions"])
def test_a_stream_tells_the_same_in_pieces(served: Live, path: str) -> None:
    chat = path.startswith("chat")
    told: dict[str, Any] = {"max_tokens": 10, "prompt": PROMPT, "logprobs": 2}
    if chat:
        messages = [{"role": "user", "content": "Hi"}]
        told = {"max_tokens": 10, "messages": messages, "logprobs": True, "top_logprobs": 2}
    whole = complete(served, path, **told)["choices"][0]["logprobs"]
    parts = [p["logprobs"] for p in pieces(served, path, **told) if p.get("logprobs")]
    field = "content" if chat else "token_logprobs"
    assert [one for part in parts for one in part[field]] == whole[field]


def test_a_chat_tells_bytes_and_others_in_order(served: Live) -> None:
    messages = [{"role": "user", "content": "Hi"}]
    told = {"messages": messages, "max_tokens": 6, "logprobs": True, "top_logprobs": 4}
    content = complete(served, "chat/completions", **told)["choices"][0]["logprobs"]["content"]
    assert len(content) == 6
    for one in content:
        others = [other["logprob"] for other in one["top_logprobs"]]
        assert others == sorted(others, reverse=True)
        assert one["logprob"] == others[0]  # the likeliest was taken
        assert one["bytes"] in (None, list(one["token"].encode()))


def test_an_echo_is_the_prompt_in_front_of_the_text(served: Live) -> None:
    text = complete(served, prompt=PROMPT, max_tokens=5)["choices"][0]["text"]
    echoed = complete(served, prompt=PROMPT, max_tokens=5, echo=True)
    assert echoed["choices"][0]["text"] == PROMPT + text
    assert echoed["usage"]["completion_tokens"] == 5
    parts = pieces(served, prompt=PROMPT, max_tokens=5, echo=True)
    assert "".join(part["text"] for part in parts) == PROMPT + text
    of_tokens = complete(served, prompt=list(PROMPT.encode()), max_tokens=5, echo=True)
    assert of_tokens["choices"][0]["text"] == PROMPT + text


@pytest.mark.parametrize("streams", [False, True])
def test_a_prompt_is_scored_without_a_word_written(
    made: tuple[Live, Language], streams: bool
) -> None:
    served, model = made
    told = {"prompt": "a longer prompt", "max_tokens": 0, "echo": True, "logprobs": 1}
    if streams:
        parts = pieces(served, **told)
        choice = {**parts[0], "finish_reason": parts[-1]["finish_reason"]}
    else:
        answer = complete(served, **told)
        choice = answer["choices"][0]
        assert answer["usage"]["completion_tokens"] == 0
    found = choice["logprobs"]["token_logprobs"]
    tokens = list(b"a longer prompt")
    alone = logprobs_of(model, tokens)
    assert (choice["text"], choice["finish_reason"]) == ("a longer prompt", "length")
    assert (found[0], choice["logprobs"]["top_logprobs"][0]) == (None, None)
    expected = [alone[n, token] for n, token in enumerate(tokens[1:])]
    np.testing.assert_allclose(found[1:], expected, atol=CLOSE)


def test_prompts_that_are_scored_share_steps_with_texts_that_are_not(served: Live) -> None:
    prompts = ["ab", "some more text", "x"]
    told = {"max_tokens": 4, "echo": True, "logprobs": 0}
    together = complete(served, prompt=prompts, **told)["choices"]
    for prompt, choice in zip(prompts, together, strict=True):
        alone = complete(served, prompt=prompt, **told)["choices"][0]
        assert choice["text"] == alone["text"]
        found, expected = (c["logprobs"]["token_logprobs"] for c in (choice, alone))
        np.testing.assert_allclose(found[1:], expected[1:], atol=CLOSE)


def test_words_of_a_stop_string_are_not_told(served: Live) -> None:
    whole = complete(served, prompt=PROMPT, max_tokens=20)["choices"][0]["text"]
    told = {"prompt": PROMPT, "max_tokens": 20, "stop": whole[5:7], "logprobs": 0}
    cut = complete(served, **told)["choices"][0]
    assert "".join(cut["logprobs"]["tokens"]) == cut["text"] == whole[: whole.index(whole[5:7])]


BAD = {
    "logprobs of a chat is true or false": {"logprobs": 3},
    "where logprobs is true": {"top_logprobs": 3},
    "top_logprobs is a whole number from 0 to 20": {"logprobs": True, "top_logprobs": 21},
    "a chat has no echo": {"echo": True},
    "max_tokens is a whole number from 1": {"max_tokens": 0},
}


@pytest.mark.parametrize("reason", BAD)
def test_a_chat_that_asks_wrongly_is_told(served: Live, reason: str) -> None:
    told = {**LIKELIEST, "messages": [{"role": "user", "content": "Hi"}], **BAD[reason]}
    reply = served.call("POST", "/v1/chat/completions", told)
    assert (reply.status, reason in reply.json["error"]["message"]) == (400, True)


# What a request does to the scores.


def test_a_bias_makes_a_token_certain_and_one_impossible(made: tuple[Live, Language]) -> None:
    served, model = made
    told = {"prompt": PROMPT, "max_tokens": 4}
    assert complete(served, **told, logit_bias={"65": 100})["choices"][0]["text"] == "AAAA"
    first, second = np.argsort(-logprobs_of(model, list(PROMPT.encode()))[-1])[:2].tolist()
    echoed = {"prompt": PROMPT, "max_tokens": 1, "logprobs": 0}
    without = complete(served, **echoed, logit_bias={str(first): -100})["choices"][0]
    assert without["text"] == Bytes().decode([second])


def test_what_was_written_is_less_likely_again() -> None:
    scores, generator = np.array([1.0, 0.9, 0.0]), np.random.default_rng(0)
    greedy = {"temperature": 0.0}
    assert sampled(scores, Sampling(**greedy), generator, [0]) == 0
    assert sampled(scores, Sampling(**greedy, presence=0.5), generator, [0]) == 1
    assert sampled(scores, Sampling(**greedy, presence=0.5), generator, [0, 1]) == 0
    assert sampled(scores, Sampling(**greedy, frequency=0.5), generator, [0, 1, 1]) == 0
    assert sampled(scores, Sampling(**greedy, frequency=0.6), generator, [0, 0, 1, 1]) == 2
    assert sampled(scores, Sampling(**greedy, presence=0.5), generator, []) == 0


def test_logarithms_are_those_of_the_model_and_json_can_hold_them() -> None:
    word = word_of(1, np.array([0.0, -np.inf], "float32"), 2)
    assert word == Word(1, LEAST, ((0, 0.0), (1, LEAST)))


def test_a_part_of_a_character_has_no_bytes_of_its_own() -> None:
    parts = list("ä".encode())
    told = Teller(Bytes(), []).of_chat([Word(part, -1.0) for part in parts])["content"]
    assert told[0]["bytes"] is None
    likeliest = ((200, -1.0), (201, -2.0))
    listed = Teller(Bytes(), []).of_completion([Word(202, -3.0, likeliest)])["top_logprobs"]
    assert listed == [{"\ufffd": -1.0, "token_id:201": -2.0, "token_id:202": -3.0}]
    whole = Teller(Bytes(), []).of_completion([Word(ord(x), -1.0) for x in "ab"])
    assert (whole["tokens"], whole["text_offset"]) == (["a", "b"], [0, 1])
