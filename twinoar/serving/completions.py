"""OpenAI's `/v1/completions` and `/v1/chat/completions`, whole or as server-sent events.

Source: https://platform.openai.com/docs/api-reference/completions
"""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from twinoar.errors import ServingError
from twinoar.serving.generation import STOP, Generation
from twinoar.serving.http import EVENTS, Answer
from twinoar.serving.language import LanguageModel
from twinoar.serving.rest import Call, Route, told_by_openai
from twinoar.serving.sampling import Sampling
from twinoar.serving.status import invalid
from twinoar.serving.text import Text

USUAL_TOKENS = 16  # OpenAI's, of completions; a chat goes on to the end of the context
MOST_TEXTS = 128
NOT_SERVED = ("logprobs", "suffix", "tools", "functions", "best_of", "response_format", "echo")


@dataclass(slots=True)
class Asked:
    """A request: the prompts in tokens, and how each is gone on with."""

    model: LanguageModel
    prompts: list[list[int]]
    sampling: Sampling
    most: int
    stops: list[str]
    copies: int
    chat: bool
    streams: bool
    counts_usage: bool
    identity: str
    created: int = field(default_factory=lambda: int(time.time()))


Event = tuple[int, str, str | None]  # which text, the piece, why it ended


def routes() -> dict[tuple[str, ...], Route]:
    """The paths below /v1."""
    return {
        ("v1", "models"): _models,
        ("v1", "completions"): _completions,
        ("v1", "chat", "completions"): _chat,
    }


async def _models(call: Call) -> Answer:
    found = [m for m in call.state.repository.served() if isinstance(m, LanguageModel)]
    listed = [{"id": n, "object": "model", "created": 0, "owned_by": "twinoar"}
              for n in sorted({m.name for m in found})]  # fmt: skip
    if len(call.parts) == 2:
        return Answer.of_json({"object": "list", "data": listed})
    for one in listed:
        if one["id"] == call.parts[2]:
            return Answer.of_json(one)
    raise ServingError(f"there is no language model {call.parts[2]!r}", "NOT_FOUND")


async def _completions(call: Call) -> Answer:
    told = await call.json()
    model = _model(call, told)
    return await _answer(call, _asked(told, model, _prompts(told.get("prompt"), model), False))


async def _chat(call: Call) -> Answer:
    told = await call.json()
    model = _model(call, told)
    prompt = model.chat(_messages(told.get("messages")))
    return await _answer(call, _asked(told, model, _prompts(prompt, model), True))


async def _answer(call: Call, asked: Asked) -> Answer:
    call.identity = asked.identity
    events = _Writing(asked, call).events(call)
    if asked.streams:
        return Answer(200, [], EVENTS, stream=_stream(asked, events))
    texts: dict[int, list[str]] = {n: [] for n in range(len(asked.prompts) * asked.copies)}
    reasons: dict[int, str] = {}
    usage = [0]
    async for number, piece, reason in events:
        texts[number].append(piece)
        usage[0] += reason is None
        if reason is not None:
            reasons[number] = reason
    choices = []
    for number, pieces in texts.items():
        text = "".join(pieces)
        message = {"role": "assistant", "content": text}
        shown: dict[str, Any] = {"message": message} if asked.chat else {"text": text}
        reason = reasons[number]
        choices.append({"index": number, **shown, "logprobs": None, "finish_reason": reason})
    return Answer.of_json(
        {**_head(asked, False), "choices": choices, "usage": _usage(asked, usage[0])}
    )


async def _stream(asked: Asked, events: AsyncIterator[Event]) -> AsyncIterator[bytes]:
    """Server-sent events; an error after the first is an event too, as the status is sent."""
    count = 0
    if asked.chat:
        for number in range(len(asked.prompts) * asked.copies):
            delta = {"role": "assistant", "content": ""}
            yield _event(asked, {"index": number, "delta": delta, "finish_reason": None})
    try:
        async for number, piece, reason in events:
            count += reason is None
            shown: dict[str, Any] = {"text": piece, "logprobs": None}
            if asked.chat:
                shown = {"delta": {"content": piece} if piece else {}}
            if piece or reason:
                yield _event(asked, {"index": number, **shown, "finish_reason": reason})
        if asked.counts_usage:
            last = {**_head(asked, True), "choices": [], "usage": _usage(asked, count)}
            yield _line(last)
        yield b"data: [DONE]\n\n"
    except ServingError as error:
        yield _line(told_by_openai(error))


class _Writing:
    """The texts of a request while they are written. Raises ServingError where one is refused."""

    def __init__(self, asked: Asked, call: Call):
        self._loop = asyncio.get_running_loop()
        self.queue: asyncio.Queue[tuple[int, Any]] = asyncio.Queue()
        count = len(asked.prompts) * asked.copies
        self._texts = [self._text(asked, number) for number in range(count)]
        self._generations = [self._generation(asked, number) for number in range(count)]
        try:
            for generation in self._generations:
                generation.stages = call.stages
                asked.model.engine.submit(generation)
        except ServingError:
            self._cancel()
            raise

    async def events(self, call: Call) -> AsyncIterator[Event]:
        """The pieces of all texts as they come. Texts that nobody waits for are given up."""
        watching = self._loop.create_task(_gone(call, self.queue))
        left = len(self._texts)
        try:
            while left:
                number, what = await self.queue.get()
                if isinstance(what, BaseException):
                    raise what
                if self._texts[number].stopped:
                    continue
                if isinstance(what, str):
                    left -= 1
                    yield number, self._texts[number].rest(), what
                    continue
                yield number, self._texts[number].add(what), None
                if self._texts[number].stopped:
                    left -= 1
                    self._generations[number].cancel()
                    yield number, "", STOP
        finally:
            watching.cancel()
            self._cancel()

    def _text(self, asked: Asked, number: int) -> Text:
        return Text.after(asked.prompts[number // asked.copies], asked.model.tokenizer, asked.stops)

    def _generation(self, asked: Asked, number: int) -> Generation:
        seed = asked.sampling.seed
        own = None if seed is None else seed + number % asked.copies  # copies are others

        def put(what: Any) -> None:
            self._loop.call_soon_threadsafe(self.queue.put_nowait, (number, what))

        sampling = Sampling(asked.sampling.temperature, asked.sampling.top_p, own)
        return Generation(asked.prompts[number // asked.copies], asked.most, sampling, put, put)

    def _cancel(self) -> None:
        for generation in self._generations:
            generation.cancel()


async def _gone(call: Call, queue: asyncio.Queue[tuple[int, Any]]) -> None:
    """Put an error into the queue when the client has gone."""
    while (await call.receive())["type"] != "http.disconnect":
        pass
    queue.put_nowait((0, ServingError("the client has gone", "CANCELLED")))


def _model(call: Call, told: Mapping[str, Any]) -> LanguageModel:
    name = told.get("model")
    if not isinstance(name, str):
        raise invalid("model is the name of a language model")
    model = call.state.repository.model(name)
    if not isinstance(model, LanguageModel):
        raise invalid(f"{name} is no language model", cure=f"ask /v2/models/{name}/infer")
    return model


def _prompts(prompt: Any, model: LanguageModel) -> list[list[int]]:
    """Each prompt in tokens: from text, tokens, or a list of either."""
    several = (
        prompt if isinstance(prompt, list) and prompt and not _is_token(prompt[0]) else [prompt]
    )
    if len(several) > MOST_TEXTS:
        raise invalid(f"a request has at most {MOST_TEXTS} prompts")
    found = []
    for one in several:
        if isinstance(one, str):
            tokens = model.prompt(one)
        elif isinstance(one, list) and all(map(_is_token, one)):
            tokens = one
        else:
            raise invalid("prompt is text, a list of tokens, or a list of either")
        if any(not 0 <= token < model.vocabulary for token in tokens):
            raise invalid(f"a token is from 0 to {model.vocabulary - 1}")
        found.append(tokens)
    return found


def _is_token(value: Any) -> bool:
    return type(value) is int


def _messages(told: Any) -> list[dict[str, str]]:
    """The turns of a conversation; content in parts is put together."""
    if not isinstance(told, list) or not told:
        raise invalid("messages is a list of {role, content}")
    found = []
    for message in told:
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, list):
            parts = [p.get("text") if isinstance(p, dict) else None for p in content]
            texts = [part for part in parts if isinstance(part, str)]
            content = "".join(texts) if len(texts) == len(parts) else None
        if not isinstance(content, str) or not isinstance(message.get("role"), str):
            raise invalid("a message has a role and a content, which are text")
        found.append({"role": message["role"], "content": content})
    return found


def _asked(
    told: Mapping[str, Any], model: LanguageModel, prompts: list[list[int]], chat: bool
) -> Asked:
    for name in NOT_SERVED:
        if told.get(name):
            raise ServingError(f"{name} is not served", "INVALID_ARGUMENT", cure="leave it out")
    usual = model.engine.context if chat else USUAL_TOKENS
    most = told.get("max_completion_tokens", told.get("max_tokens"))
    stops = told.get("stop") or []
    stops = [stops] if isinstance(stops, str) else stops
    if not isinstance(stops, list) or not all(isinstance(s, str) and s for s in stops):
        raise invalid("stop is text, or a list of it")
    seed = told.get("seed")
    if seed is not None and (type(seed) is not int or seed < 0):
        raise invalid("seed is a whole number that is not negative")
    options = told.get("stream_options") or {}
    return Asked(
        model,
        prompts,
        Sampling(
            _number(told, "temperature", 1.0, 0.0, 2.0), _number(told, "top_p", 1.0, 0.0, 1.0), seed
        ),
        usual if most is None else _whole({"max_tokens": most}, "max_tokens", usual, 1 << 31),
        stops,
        _whole(told, "n", 1, MOST_TEXTS),
        chat,
        bool(told.get("stream", False)),
        isinstance(options, dict) and bool(options.get("include_usage")),
        f"{'chatcmpl' if chat else 'cmpl'}-{uuid.uuid4().hex}",
    )


def _number(told: Mapping[str, Any], name: str, usual: float, least: float, most: float) -> float:
    value = told.get(name)
    if value is None:
        return usual
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise invalid(f"{name} is a number from {least:g} to {most:g}, received {value!r}")
    return float(value)


def _whole(told: Mapping[str, Any], name: str, usual: int, most: int) -> int:
    value = told.get(name)
    if value is None:
        return usual
    if type(value) is not int or not 1 <= value <= most:
        raise invalid(f"{name} is a whole number from 1 to {most}, received {value!r}")
    return value


def _head(asked: Asked, part: bool) -> dict[str, Any]:
    kind = "text_completion"
    if asked.chat:
        kind = "chat.completion.chunk" if part else "chat.completion"
    named = {"id": asked.identity, "object": kind, "created": asked.created}
    return {**named, "model": asked.model.name}


def _usage(asked: Asked, written: int) -> dict[str, int]:
    read = sum(map(len, asked.prompts))
    counts = {"prompt_tokens": read, "completion_tokens": written}
    return {**counts, "total_tokens": read + written}


def _event(asked: Asked, choice: dict[str, Any]) -> bytes:
    return _line({**_head(asked, True), "choices": [choice]})


def _line(value: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"
