"""Language models of Hugging Face's folders, served whole: pages, tokenizers, templates."""

from __future__ import annotations

import json
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.serving.live import Live, live, wait_until
from tests.serving.writers import END, WRITTEN, writer
from twinoar import pretrained
from twinoar.errors import ServingError
from twinoar.pretrained.past import Kept
from twinoar.serving.generation import Generation
from twinoar.serving.paged import PagedEngine, Plan
from twinoar.serving.repository import Repository
from twinoar.serving.sampling import Sampling, Word
from twinoar.serving.text import Text
from twinoar.serving.tokenizer import Bytes

SMALL = {"page_size": 8, "prompt_piece": 8}
PROMPTS = ["the cat " * n for n in (1, 2, 3, 5, 7, 4, 6, 2)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Live, dict[str, Any]]]:
    folder = tmp_path_factory.mktemp("models")
    # 12 pages of 8 words: four long texts have no room beside each other.
    models = {
        "gpt2": writer(folder, "gpt2", pages=12, **SMALL),
        "llama": writer(folder, "llama", slots=1, **SMALL),
    }
    repository = Repository(folder)
    for name in repository.names():
        repository.load(name)
    with live(repository) as served:
        yield served, models


@pytest.fixture(scope="module")
def served(made: tuple[Live, dict[str, Any]]) -> Live:
    return made[0]


def complete(served: Live, model: str, **told: Any) -> Any:
    reply = served.call("POST", "/v1/completions", {"model": model, "temperature": 0, **told})
    assert reply.status == 200, reply.body
    return reply.json


def model_of(served: Live, name: str) -> Any:
    return served.server.state.repository.model(name)


def alone(served: Live, model: Any, name: str, prompt: list[int], count: int) -> str:
    """What the model writes without pages and without others."""
    found = model.generate([prompt], max_new_tokens=count, eos_token_id=END).tolist()[0]
    found = [word for word in found[len(prompt) :] if word != END]
    return model_of(served, name).tokenizer.decode(found)


@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_a_text_is_what_the_model_writes_alone(made: tuple[Live, Any], name: str) -> None:
    served, models = made
    answer = complete(served, name, prompt="the cat sat on", max_tokens=40)
    words = model_of(served, name).prompt("the cat sat on")
    assert answer["choices"][0]["text"] == alone(served, models[name], name, words, 40)
    assert answer["usage"]["prompt_tokens"] == len(words)


def test_texts_that_have_no_room_beside_each_other_are_written_all_the_same(
    made: tuple[Live, Any],
) -> None:
    served, models = made
    engine = model_of(served, "gpt2").engine
    found: dict[int, str] = {}

    def ask(number: int) -> None:
        answer = complete(served, "gpt2", prompt=PROMPTS[number], max_tokens=40)
        found[number] = answer["choices"][0]["text"]

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(len(PROMPTS))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert engine.put_back > 0
    for number, prompt in enumerate(PROMPTS):
        words = model_of(served, "gpt2").prompt(prompt)
        assert found[number] == alone(served, models["gpt2"], "gpt2", words, 40), prompt
    assert engine.free_pages() == 12


@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_a_text_behind_a_prompt_that_was_read_before_is_the_same(
    made: tuple[Live, Any], name: str
) -> None:
    served, models = made
    words = model_of(served, name).prompt("a dog and the cat sat on the mat " * 2)
    told = {"prompt": words, "max_tokens": 12}
    cached = [complete(served, name, **told)["usage"]["prompt_tokens_details"] for _ in range(2)]
    assert cached[1] == {"cached_tokens": (len(words) - 1) // 8 * 8}
    again = complete(served, name, **told)["choices"][0]["text"]
    assert again == alone(served, models[name], name, words, 12)


def test_a_conversation_is_what_the_template_makes_of_it(made: tuple[Live, Any]) -> None:
    served, models = made
    messages = [{"role": "system", "content": "be brief "}, {"role": "user", "content": "the cat"}]
    told = {"model": "llama", "temperature": 0, "messages": messages, "max_tokens": 12}
    answer = served.call("POST", "/v1/chat/completions", told).json
    tokenizer = model_of(served, "llama").tokenizer
    prompt = "<s>[system] be brief<|end|>[user] the cat<|end|>[assistant]"
    words = tokenizer.encode(prompt, special=False)
    assert words[0] == 1 and words.count(1) == 1  # <s> as one word, and once
    text = alone(served, models["llama"], "llama", words, 12)
    assert answer["choices"][0]["message"]["content"] == text
    assert answer["usage"]["prompt_tokens"] == len(words)


def test_a_stream_is_valid_utf8_at_each_piece_and_the_same_text(served: Live) -> None:
    told = {"prompt": "日本語 🙂", "max_tokens": 60}
    whole = complete(served, "gpt2", **told)["choices"][0]["text"]
    body = {"model": "gpt2", "temperature": 0, "stream": True, **told}
    lines = served.call("POST", "/v1/completions", body).body.decode().split("\n\n")
    parts = [json.loads(line.removeprefix("data: ")) for line in lines if "{" in line]
    assert "".join(part["choices"][0]["text"] for part in parts) == whole
    assert any(ord(letter) > 127 for letter in whole)


def test_metadata_says_what_there_is_to_say(served: Live) -> None:
    assert served.call("GET", "/v2/models/gpt2").json["inputs"] == []
    assert served.call("GET", "/v2/models/gpt2/config").json["max_batch_size"] == 4
    assert {m["id"] for m in served.call("GET", "/v1/models").json["data"]} == {"gpt2", "llama"}


def test_a_prompt_that_is_longer_than_the_pool_is_refused(served: Live) -> None:
    body = {"model": "gpt2", "prompt": [5] * 96, "max_tokens": 1}
    reply = served.call("POST", "/v1/completions", body)
    assert (reply.status, "1 to 95 tokens" in reply.json["error"]["message"]) == (400, True)


# The engine with a model that counts.

KEPT = Kept(1, 1, 1)


class Counting:
    """A step whose next word is one more than the last. It knows what was read, and by whom."""

    def __init__(self, gate: threading.Semaphore | None = None) -> None:
        self.runs: list[tuple[int, int]] = []
        self.read = 0
        self.gate = gate

    def __call__(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        words, start, count, table, keys, _ = arrays
        if self.gate is not None:
            self.gate.acquire()
        self.runs.append(words.shape)
        self.read += int(count[words[:, 0] > 0].sum())
        scores = np.zeros((len(words), 50), "float32")
        for row, given in enumerate(words):
            before = keys[0, table[row]].reshape(-1)[: start[row]].tolist()
            if given[0] > 0:  # what lies in the pages is what was read
                first = (before or given.tolist())[0]
                assert before == [first + n for n in range(len(before))]
            scores[row, min(given[count[row] - 1] + 1, 49)] = 1
        new = words[None, :, :, None, None].astype("float32")
        return [scores, new, new]


def written(
    engine: PagedEngine,
    prompts: list[list[int]],
    most: int,
    gate: threading.Semaphore | None = None,
) -> list[list[int]]:
    """The texts of prompts that come at once. gate: of the steps, opened when all have come."""
    ended = threading.Semaphore(0)
    texts: list[list[int]] = [[] for _ in prompts]
    for prompt, text in zip(prompts, texts, strict=True):
        take = partial(took, text)
        engine.submit(Generation(prompt, most, Sampling(0), take, lambda _: ended.release()))
    if gate is not None:
        gate.release(1000)
    for _ in prompts:
        assert ended.acquire(timeout=20)
    return texts


def took(text: list[int], word: Word) -> None:
    text.append(word.token)


def counting_from(first: int, count: int) -> list[int]:
    return list(range(first, first + count))


def test_each_word_is_read_once_and_prompts_in_pieces_together() -> None:
    gate = threading.Semaphore(0)
    model = Counting(gate)
    engine = PagedEngine(model, KEPT, Plan(4, 2, 64, 4, 64), (), 9)
    threading.Timer(0.2, gate.release, [1000]).start()
    texts = written(engine, [counting_from(1, 9), counting_from(11, 8), counting_from(21, 7)], 5)
    assert texts == [counting_from(n, 5) for n in (10, 19, 28)]
    assert model.read == 9 + 8 + 7 + 3 * 4
    assert (4, 4) in model.runs  # pieces of four words, of several prompts
    assert engine.close(10)


def test_texts_wait_for_pages_and_come_in_order() -> None:
    model = Counting()
    engine = PagedEngine(model, KEPT, Plan(8, 2, 5, 4, 64), (), 99)
    texts = written(engine, [counting_from(n, 4) for n in range(1, 21)], 4)
    assert texts == [counting_from(n + 4, 4) for n in range(1, 21)]
    assert engine.free_pages() == 5
    assert engine.close(10)


def test_a_text_that_gave_its_pages_back_goes_on_where_it_was() -> None:
    gate = threading.Semaphore(0)  # until both have come
    model = Counting(gate)
    engine = PagedEngine(model, KEPT, Plan(2, 2, 6, 4, 64), (), 9)
    assert written(engine, [[1], [11]], 9, gate) == [counting_from(2, 9), counting_from(12, 9)]
    assert engine.put_back > 0
    assert model.read > 2 * 9
    assert engine.close(10)


def test_a_text_that_is_given_up_gives_its_pages_back() -> None:
    gate = threading.Semaphore(0)
    engine = PagedEngine(Counting(gate), KEPT, Plan(2, 2, 8, 4, 64), (), 9)
    one = Generation([1], 9, Sampling(0), lambda _: None, lambda _: None)
    engine.submit(one)
    gate.release(2)
    one.cancel()
    gate.release(9)
    wait_until(lambda: engine.free_pages() == 8 and not engine.pending())
    assert engine.close(10)


def test_a_step_that_fails_ends_its_texts_alone() -> None:
    fails = [True]

    def run(arrays: list[np.ndarray]) -> list[np.ndarray]:
        if fails.pop() if fails else False:
            raise ValueError("broken")
        return Counting()(arrays)

    engine = PagedEngine(run, KEPT, Plan(2, 2, 8, 4, 64), (), 9)
    ended: list[Any] = []
    engine.submit(Generation([1], 3, Sampling(0), lambda _: None, ended.append))
    wait_until(lambda: bool(ended))
    assert isinstance(ended[0], ValueError)
    assert engine.free_pages() == 8
    assert written(engine, [[1]], 3) == [[2, 3, 4]]
    assert engine.close(10)


def test_a_text_ends_with_any_of_its_ends_and_with_the_context() -> None:
    engine = PagedEngine(Counting(), KEPT, Plan(2, 2, 8, 4, 12), (9, 30), 9)
    assert written(engine, [[5], [20]], 99) == [[6, 7, 8], counting_from(21, 9)]
    assert engine.close(10)


def test_a_full_queue_and_an_engine_that_closes_refuse() -> None:
    gate = threading.Semaphore(0)
    engine = PagedEngine(Counting(gate), KEPT, Plan(1, 2, 8, 4, 12), (), 1)
    ended: list[Any] = []

    def ask() -> None:
        engine.submit(Generation([1], 2, Sampling(0), lambda _: None, ended.append))

    ask()
    wait_until(lambda: not engine._waiting)
    ask()
    with pytest.raises(ServingError, match="1 texts wait"):
        ask()
    closes = threading.Thread(target=engine.close)
    closes.start()
    wait_until(lambda: engine._closes)
    with pytest.raises(ServingError, match="being unloaded"):
        ask()
    gate.release(99)
    closes.join(20)
    assert ended == ["length", "length"]


# Folders that are not served, and why.


def reason(folder: Path, name: str) -> str:
    with pytest.raises(ServingError) as caught:
        Repository(folder).load(name)
    return caught.value.message


def test_a_folder_that_cannot_be_served_is_told_why(tmp_path: Path) -> None:
    writer(tmp_path)
    place = tmp_path / "gpt2" / "1"
    (place / "tokenizer_config.json").write_text('{"chat_template": "{% if %}"}')
    assert "no template of Jinja" in reason_after(tmp_path, place)
    (place / "tokenizer_config.json").write_text("[")
    assert "cannot read" in reason_after(tmp_path, place)
    (place / "tokenizer.json").unlink()
    assert "has no tokenizer.json" in reason(tmp_path, "gpt2")
    (place / "model.safetensors").write_bytes(b"garbage")
    assert "cannot be loaded" in reason(tmp_path, "gpt2")


def reason_after(folder: Path, place: Path) -> str:
    (folder / "gpt2" / "config.pbtxt").write_text(
        'max_batch_size: 1 parameters { key: "context_length" value { string_value: "4" } }'
    )
    return reason(folder, "gpt2")


def test_a_model_that_does_not_write_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(WRITTEN.with_name("models.zip")) as archive:
        archive.extractall(tmp_path / "all")
    (tmp_path / "models" / "bert").mkdir(parents=True)
    (tmp_path / "all" / "bert_words").rename(tmp_path / "models" / "bert" / "1")
    assert "BertForMaskedLM does not write text" in reason(tmp_path / "models", "bert")


@pytest.mark.parametrize(("name", "value", "told"), [
    ("context_length", "999", "from 2 to 128, not 999"), ("pages", "x", "pages is a number"),
    ("end_token", "a", "end_token is a number"),
])  # fmt: skip
def test_a_parameter_that_is_none_is_refused(
    tmp_path: Path, name: str, value: str, told: str
) -> None:
    writer(tmp_path, **{name: value})
    if name == "end_token":  # it is read after the model has been compiled, so as little as may be
        told_so = (tmp_path / "gpt2" / "config.pbtxt").read_text().replace("size: 4", "size: 1")
        more = 'parameters { key: "context_length" value { string_value: "4" } }'
        (tmp_path / "gpt2" / "config.pbtxt").write_text(f"{told_so} {more}")
    assert told in reason(tmp_path, "gpt2")


# Text as it comes.


def test_a_token_costs_the_same_however_long_the_text_is() -> None:
    decoded: list[int] = []

    class Watched(Bytes):
        def decode(self, tokens: Any) -> str:
            decoded.append(len(tokens))
            return super().decode(tokens)

    text = Text.after(list(b"prompt"), Watched(), ["END"])
    pieces = [text.add(byte) for byte in "aä日🙂".encode() * 100]
    assert "".join(pieces) + text.rest() == "aä日🙂" * 100
    assert max(decoded) <= 12
    assert all("\ufffd" not in piece for piece in pieces)


def test_a_space_between_prompt_and_text_is_kept() -> None:
    told = json.loads(WRITTEN.read_text())
    tokenizer = pretrained.Tokenizer(told["llama2"]["told"])
    text = Text.after(tokenizer.encode("the cat"), tokenizer, [])
    words = tokenizer.encode("sat", special=False)
    assert tokenizer.decode(words) == "sat"
    assert "".join(map(text.add, words)) + text.rest() == " sat"


def test_bytes_that_never_make_a_character_do_not_hold_the_rest_back() -> None:
    text = Text.after([], Bytes(), [])
    found = "".join(text.add(byte) for byte in [0xFF] * 40 + list(b"abc"))
    assert found.endswith("abc")
    assert found.count("\ufffd") == 40
