"""Language models of the repository: how they are told from others, and what all of them have.

Either a folder of Hugging Face lies in the version's folder (`writer`), or a saved step with a
cache. The config of the latter says `parameters { key: "writes" value { string_value: "text" } }`,
and lists a token and a position of INT64 and no dims as inputs, scores [V] as output, and the
caches as states of `sequence_batching`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.errors import FileError
from twinoar.serving.chat import Conversation, Message, turns
from twinoar.serving.configuration import (
    Defaults,
    complete,
    parameter,
    ports_of,
    queue_of,
)
from twinoar.serving.generation import Batching
from twinoar.serving.request import Request
from twinoar.serving.runner import open_version
from twinoar.serving.sequence import initial_state
from twinoar.serving.slots import Engine, Step
from twinoar.serving.statistics import Statistics
from twinoar.serving.status import invalid
from twinoar.serving.tokenizer import Tokenizer, open_tokenizer

WRITES = "writes"
CHAT_TURN, CHAT_START = "{role}: {content}\n", "assistant: "
FOLDER_MARK = "config.json"  # that Hugging Face's folders have


def writes_text(config: Any) -> bool:
    """Whether a config is that of a language model."""
    return parameter(config, WRITES) == "text"


def is_pretrained(place: Path) -> bool:
    """Whether a version is a folder of Hugging Face."""
    return (place / FOLDER_MARK).is_file()


class LanguageModel:
    """A language model that is ready.

    encode_chat: of a conversation as text. conversation: from messages to that text.
    """

    def __init__(
        self, name: str, version: int, config: Any, engine: Batching, tokenizer: Tokenizer,
        vocabulary: int, conversation: Conversation,
        encode_chat: Callable[[str], Iterable[int]] | None = None,
    ):  # fmt: skip
        self.name, self.version, self.config = name, version, config
        self.engine, self.statistics = engine, engine.statistics
        self.tokenizer, self.vocabulary = tokenizer, vocabulary
        self._conversation, self._encode_chat = conversation, encode_chat or tokenizer.encode

    def submit(self, request: Request) -> None:
        """Raises ServingError: tensors alone are no text."""
        raise invalid(f"{self.name} writes text", cure="ask /v1/completions")

    def pending(self) -> int:
        """How many texts wait or are being written."""
        return self.engine.pending()

    def close(self, timeout_seconds: float | None = None) -> bool:
        """Take no more and finish what is there; whether that was done in time."""
        return self.engine.close(timeout_seconds)

    def prompt(self, text: str) -> list[int]:
        """A text in tokens."""
        return list(self.tokenizer.encode(text))

    def chat(self, messages: list[Message]) -> list[int]:
        """A conversation in tokens, by the model's template."""
        return list(self._encode_chat(self._conversation(messages)))


def open_step(
    folder: Path, version: int, config: Any, defaults: Defaults, *, python: bool = False
) -> LanguageModel:
    """The language model of a saved step. Raises FileError for a config that says too little."""
    place = folder / str(version)
    threads = int(parameter(config, "threads") or defaults.threads)
    runner = open_version(place, config, threads, python=python)
    complete(config, runner.inputs, runner.outputs, defaults, False)
    tokenizer = open_tokenizer(place, parameter(config, "tokenizer") or "bytes", python=python)
    step = _step(config, runner.instance(), folder)
    _warm_up(step, config.max_batch_size)
    queue_of(config, defaults)  # refuses what does not fit
    size = queue_size(config, defaults)
    engine = Engine(step, config.max_batch_size, size, folder.name, Statistics())
    vocabulary = ports_of(config.output)[0].dims[-1]
    return LanguageModel(
        folder.name, version, config, engine, tokenizer, vocabulary, configured_turns(config)
    )


def queue_size(config: Any, defaults: Defaults) -> int:
    """How many texts may wait."""
    told: int = config.dynamic_batching.default_queue_policy.max_queue_size
    return told or defaults.queue_size


def configured_turns(config: Any) -> Conversation:
    """Conversations as the config's `chat_turn` and `chat_start` write them."""
    start = parameter(config, "chat_start")
    return turns(
        parameter(config, "chat_turn") or CHAT_TURN, CHAT_START if start is None else start
    )


def _step(config: Any, run: Any, folder: Path) -> Step:
    whole = [p.name for p in ports_of(config.input) if p.datatype == "INT64" and not p.dims]
    outputs = ports_of(config.output)
    states = {s.input_name: s.output_name for s in config.sequence_batching.state}
    context = parameter(config, "context_length") or ""
    missing = {
        "max_batch_size above 0": config.max_batch_size > 0,
        "two inputs of INT64 without dims, a token and its position": len(whole) == 2,
        "one output, the scores [V]": len(outputs) == 1 and len(outputs[0].dims) == 1,
        "the caches as sequence_batching.state": bool(states),
        "the parameter context_length": context.isdecimal() and int(context) > 1,
    }
    for what, there in missing.items():
        if not there:
            raise FileError(f"{config.name}: a language model's config has {what}")
    end = parameter(config, "end_token")
    initial = {
        s.input_name: initial_state(s, folder, False) for s in config.sequence_batching.state
    }
    names = whole[0], whole[1], outputs[0].name
    return Step(run, *names, states, initial, int(context), None if end is None else int(end))


def _warm_up(step: Step, slots: int) -> None:
    """Run each size of batch that the engine makes, so that it is compiled."""
    sizes = {min(1 << n, slots) for n in range(slots.bit_length() + 1)}
    for rows in sorted(sizes):
        zeros = np.zeros(rows, "int64")
        state = {n: np.repeat(x[None], rows, 0) for n, x in step.initial.items()}
        step.run({step.token: zeros, step.position: zeros, **state})
