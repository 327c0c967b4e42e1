"""A language model of the repository: a saved step with a cache, a tokenizer, and its engine.

Its config says `parameters { key: "writes" value { string_value: "text" } }`, and lists a token
and a position of INT64 and no dims as inputs, scores [V] as output, and the caches as states of
`sequence_batching`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from twinoar.errors import FileError
from twinoar.serving.configuration import (
    Defaults,
    complete,
    parameter,
    ports_of,
    queue_of,
)
from twinoar.serving.generation import Engine, Step
from twinoar.serving.request import Request
from twinoar.serving.runner import open_version
from twinoar.serving.sequence import initial_state
from twinoar.serving.statistics import Statistics
from twinoar.serving.status import invalid
from twinoar.serving.tokenizer import open_tokenizer

WRITES = "writes"
CHAT_TURN, CHAT_START = "{role}: {content}\n", "assistant: "


def writes_text(config: Any) -> bool:
    """Whether a config is that of a language model."""
    return parameter(config, WRITES) == "text"


class LanguageModel:
    """A language model that is ready. Raises FileError for a config that does not say enough."""

    def __init__(
        self, folder: Path, version: int, config: Any, defaults: Defaults, *, python: bool = False
    ):
        self.name, self.version = folder.name, version
        place = folder / str(version)
        threads = int(parameter(config, "threads") or defaults.threads)
        runner = open_version(place, config, threads, python=python)
        complete(config, runner.inputs, runner.outputs, defaults, False)
        self.config, self.statistics = config, Statistics()
        self.tokenizer = open_tokenizer(
            place, parameter(config, "tokenizer") or "bytes", python=python
        )
        self.turn = parameter(config, "chat_turn") or CHAT_TURN
        self.start = parameter(config, "chat_start") or CHAT_START
        step = _step(config, runner.instance(), folder)
        self.vocabulary = ports_of(config.output)[0].dims[-1]
        _warm_up(step, config.max_batch_size)
        queue_of(config, defaults)  # refuses what does not fit
        size = config.dynamic_batching.default_queue_policy.max_queue_size or defaults.queue_size
        self.engine = Engine(step, config.max_batch_size, size, self.name, self.statistics)

    def submit(self, request: Request) -> None:
        """Raises ServingError: tensors alone are no text."""
        raise invalid(f"{self.name} writes text", cure="ask /v1/completions")

    def pending(self) -> int:
        """How many texts wait or are being written."""
        return self.engine.pending()

    def close(self, timeout_seconds: float | None = None) -> bool:
        """Take no more and finish what is there; whether that was done in time."""
        return self.engine.close(timeout_seconds)

    def chat(self, messages: list[dict[str, str]]) -> str:
        """A conversation as the prompt that the model's config makes of it."""
        turns = [
            self.turn.replace("{role}", m["role"]).replace("{content}", m["content"])
            for m in messages
        ]
        return "".join(turns) + self.start


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
