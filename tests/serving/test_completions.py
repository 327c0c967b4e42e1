"""Texts over OpenAI's protocol: what is written, streamed, batched, ended and refused."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.serving.language import CONTEXT, END, Language, likeliest, saved
from tests.serving.live import Live, live
from tests.serving.models import scaling
from tests.threads import in_threads
from twinoar.errors import ServingError
from twinoar.serving.generation import Generation
from twinoar.serving.repository import Repository
from twinoar.serving.sampling import Sampling, sampled
from twinoar.serving.slots import Engine, Step
from twinoar.serving.text import Text
from twinoar.serving.tokenizer import Bytes, Characters

LIKELIEST = {"model": "writer", "temperature": 0}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Live, Language]]:
    folder = tmp_path_factory.mktemp("models")
    model = saved(folder)
    scaling(folder, "double", 2.0)
    repository = Repository(folder)
    for name in repository.names():
        repository.load(name)
    with live(repository) as served:
        yield served, model


@pytest.fixture(scope="module")
def served(made: tuple[Live, Language]) -> Live:
    return made[0]


def text_of(tokens: list[int]) -> str:
    cut = tokens[: tokens.index(END)] if END in tokens else tokens
    return Bytes().decode(cut)


def complete(served: Live, **told: Any) -> Any:
    reply = served.call("POST", "/v1/completions", {**LIKELIEST, **told})
    assert reply.status == 200, reply.body
    return reply.json


def events(served: Live, path: str, **told: Any) -> list[Any]:
    reply = served.call("POST", path, {**LIKELIEST, "stream": True, **told})
    assert reply.headers["content-type"] == "text/event-stream"
    lines = [x for x in reply.body.decode().split("\n\n") if x]
    assert lines.pop() == "data: [DONE]"
    return [json.loads(line.removeprefix("data: ")) for line in lines]


def test_a_text_is_what_the_model_writes_alone(made: tuple[Live, Language]) -> None:
    served, model = made
    answer = complete(served, prompt="Once", max_tokens=20)
    assert answer["choices"][0]["text"] == text_of(likeliest(model, b"Once", 20))
    assert answer["object"] == "text_completion"
    assert answer["usage"]["prompt_tokens"] == 4


def test_texts_that_begin_at_other_times_share_steps_and_do_not_mix(
    made: tuple[Live, Language],
) -> None:
    served, model = made
    engine = served.server.state.repository.model("writer").engine
    before = engine.steps
    prompts = [f"{n}" * (1 + 3 * n) for n in range(9)]
    found: dict[str, str] = {}

    def ask(prompt: str, delay: float) -> None:
        time.sleep(delay)
        answer = complete(served, prompt=prompt, max_tokens=12)
        found[prompt] = answer["choices"][0]["text"]

    in_threads(partial(ask, p, 0.005 * n) for n, p in enumerate(prompts))
    for prompt in prompts:
        assert found[prompt] == text_of(likeliest(model, prompt.encode(), 12)), prompt
    alone = sum(len(p) + 11 for p in prompts)
    assert engine.steps - before < alone


def test_a_stream_gives_the_same_text_in_pieces(served: Live) -> None:
    whole = complete(served, prompt="Once", max_tokens=20)["choices"][0]
    parts = events(served, "/v1/completions", prompt="Once", max_tokens=20,
                   stream_options={"include_usage": True})  # fmt: skip
    choices = [part["choices"][0] for part in parts if part["choices"]]
    assert "".join(choice["text"] for choice in choices) == whole["text"]
    assert choices[-1]["finish_reason"] == whole["finish_reason"]
    assert parts[-1]["usage"]["prompt_tokens"] == 4


def test_a_chat_is_a_prompt_of_turns(served: Live) -> None:
    messages = [{"role": "user", "content": "Hi"}]
    told = {**LIKELIEST, "messages": messages, "max_tokens": 5}
    answer = served.call("POST", "/v1/chat/completions", told).json
    same = complete(served, prompt="user: Hi\nassistant: ", max_tokens=5)
    assert answer["choices"][0]["message"]["content"] == same["choices"][0]["text"]
    assert answer["object"] == "chat.completion"
    parts = events(served, "/v1/chat/completions", messages=messages, max_tokens=5)
    assert parts[0]["choices"][0]["delta"] == {"role": "assistant", "content": ""}
    content = "".join(p["choices"][0]["delta"].get("content", "") for p in parts)
    assert content == same["choices"][0]["text"]


def test_several_prompts_and_copies_are_choices(served: Live) -> None:
    answer = complete(served, prompt=["ab", "cd"], n=2, max_tokens=3, temperature=1, seed=5)
    assert [choice["index"] for choice in answer["choices"]] == [0, 1, 2, 3]
    again = complete(served, prompt=["ab", "cd"], n=2, max_tokens=3, temperature=1, seed=5)
    assert again["choices"] == answer["choices"]
    tokens = complete(served, prompt=[list(b"ab"), list(b"cd")], max_tokens=3)
    assert tokens["choices"] == complete(served, prompt=["ab", "cd"], max_tokens=3)["choices"]


def test_a_text_ends_before_a_stop_string(served: Live) -> None:
    whole = complete(served, prompt="Once", max_tokens=20)["choices"][0]["text"]
    stop = whole[5:7]
    cut = complete(served, prompt="Once", max_tokens=20, stop=stop)["choices"][0]
    assert cut["text"] == whole[: whole.index(stop)]
    assert cut["finish_reason"] == "stop"


def test_a_text_ends_with_the_context(served: Live) -> None:
    answer = complete(served, prompt="x" * (CONTEXT - 3), max_tokens=100)
    assert answer["usage"]["completion_tokens"] <= 3


BAD: dict[str, tuple[dict[str, Any], int]] = {
    "Request for unknown model: 'other'": ({"model": "other", "prompt": "a"}, 404),
    "double is no language model": ({"model": "double", "prompt": "a"}, 400),
    "model is the name": ({"model": 1, "prompt": "a"}, 400),
    "prompt is text": ({"prompt": None}, 400),
    "a token is from 0 to 256": ({"prompt": [257]}, 400),
    "1 to 63 tokens, received 64": ({"prompt": "a" * 64}, 400),
    "1 to 63 tokens, received 0": ({"prompt": ""}, 400),
    "temperature is a number from 0 to 2": ({"prompt": "a", "temperature": 3}, 400),
    "top_p is a number": ({"prompt": "a", "top_p": "x"}, 400),
    "max_tokens is a whole number": ({"prompt": "a", "max_tokens": 0}, 400),
    "n is a whole number": ({"prompt": "a", "n": 1000}, 400),
    "logprobs is a whole number from 0 to 20": ({"prompt": "a", "logprobs": 21}, 400),
    "tools is not served": ({"prompt": "a", "tools": [{}]}, 400),
    "top_k is not served": ({"prompt": "a", "top_k": 3}, 400),
    "best_of other than n": ({"prompt": "a", "best_of": 3}, 400),
    "frequency_penalty is a number from -2": ({"prompt": "a", "frequency_penalty": 3}, 400),
    "logit_bias: a token is from 0 to 256": ({"prompt": "a", "logit_bias": {"257": 1}}, 400),
    "logit_bias is an object": ({"prompt": "a", "logit_bias": [1]}, 400),
    "7 is a number from -100 to 100": ({"prompt": "a", "logit_bias": {"7": 101}}, 400),
    "stop is text": ({"prompt": "a", "stop": [1]}, 400),
    "seed is a whole number": ({"prompt": "a", "seed": -1}, 400),
}


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize("reason", BAD)
def test_a_wrong_request_is_told_as_openai_tells_it(
    served: Live, reason: str, streams: bool
) -> None:
    told, status = BAD[reason]
    reply = served.call("POST", "/v1/completions", {**LIKELIEST, **told, "stream": streams})
    assert reply.status == status
    assert reason in reply.json["error"]["message"]
    assert reply.json["error"]["type"] == "invalid_request_error"


def test_models_are_listed(served: Live) -> None:
    assert [m["id"] for m in served.call("GET", "/v1/models").json["data"]] == ["writer"]
    assert served.call("GET", "/v1/models/writer").json["id"] == "writer"
    assert served.call("GET", "/v1/models/double").status == 404
    reply = served.infer("writer", 1)
    assert (reply.status, "/v1/completions" in reply.json["error"]) == (400, True)


def test_texts_and_steps_are_counted(served: Live) -> None:
    def counts() -> Any:
        return served.call("GET", "/v2/models/writer/stats").json["model_stats"][0]

    before = counts()
    complete(served, prompt="abcd", max_tokens=3)
    after = counts()
    texts = [c["inference_stats"]["success"]["count"] for c in (before, after)]
    assert texts[1] - texts[0] == 1
    assert after["execution_count"] - before["execution_count"] == 6


def test_a_client_that_goes_frees_its_slot(tmp_path: Path) -> None:
    gate = threading.Semaphore(0)

    def run(inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        gate.acquire()
        return {"scores": np.zeros((len(inputs["t"]), 4)), "k": inputs["k"]}

    step = Step(run, "t", "p", "scores", {"k": "k"}, {"k": np.zeros(2)}, 1000)
    engine = Engine(step, 1, 1)
    ended: list[Any] = []
    first = Generation([1], 900, Sampling(0), lambda token: None, ended.append)
    second = Generation([1], 1, Sampling(0), lambda token: None, ended.append)
    engine.submit(first)
    while engine.pending() and engine._waiting:
        time.sleep(0.001)
    engine.submit(second)
    with pytest.raises(ServingError, match="1 texts wait"):
        engine.submit(Generation([1], 1, Sampling(0), lambda token: None, ended.append))
    first.cancel()
    gate.release(5)
    while not ended:
        time.sleep(0.001)
    assert ended == ["length"]
    assert engine.close(10)


def test_a_stream_whose_client_goes_is_given_up(served: Live) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.server.bound["http"])
    body = json.dumps({**LIKELIEST, "prompt": "a", "max_tokens": 60, "stream": True, "n": 4})
    connection.request("POST", "/v1/completions", body)
    connection.getresponse().read(10)
    connection.close()
    engine = served.server.state.repository.model("writer").engine
    end = time.monotonic() + 20
    while engine.pending():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_model_that_fails_fails_those_texts_and_goes_on() -> None:
    fails = [True]

    def run(inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        if fails.pop():
            raise ValueError("broken")
        return {"scores": np.zeros((len(inputs["t"]), 4)), "k": inputs["k"]}

    engine = Engine(Step(run, "t", "p", "scores", {"k": "k"}, {"k": np.zeros(2)}, 9), 2, 9)
    ended: list[Any] = []
    for _ in range(2):
        fails.append(False)
        one = Generation([1], 1, Sampling(0), lambda token: None, ended.append)
        count = len(ended)
        fails.sort()
        engine.submit(one)
        while len(ended) == count:
            time.sleep(0.001)
        fails.append(False)
    assert isinstance(ended[0], ValueError)
    assert ended[1] == "length"
    assert engine.close(10)


def test_sampling_draws_by_probability_and_within_top_p() -> None:
    generator = np.random.default_rng(0)
    scores = np.log(np.array([0.5, 0.3, 0.15, 0.05]))
    drawn = [sampled(scores, Sampling(), generator) for _ in range(4000)]
    np.testing.assert_allclose(np.bincount(drawn) / 4000, np.exp(scores), atol=0.03)
    kept = {sampled(scores, Sampling(top_p=0.75), generator) for _ in range(200)}
    assert kept == {0, 1}
    assert {sampled(scores, Sampling(top_p=0), generator) for _ in range(50)} == {0}
    with pytest.raises(ServingError, match="no numbers"):
        sampled(np.array([np.nan, 1]), Sampling(), generator)


def test_pieces_wait_for_whole_characters_and_stop_strings() -> None:
    text = Text(Bytes(), ["END"])
    assert [text.add(b) for b in "aä".encode()] == ["a", "", "ä"]
    assert [text.add(b) for b in b"EN"] == ["", ""]
    assert text.add(ord("x")) == "ENx"
    assert [text.add(b) for b in b"yEND"] == ["y", "", "", ""]
    assert text.stopped
    assert text.rest() == ""


def test_characters_that_a_model_does_not_know_are_refused() -> None:
    assert Characters("ab\n").decode([1, 2]) == "b\n"
    with pytest.raises(ServingError, match="character 'c'"):
        Characters("ab").encode("abc")
