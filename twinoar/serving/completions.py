"""OpenAI's `/v1/completions` and `/v1/chat/completions`, whole or as server-sent events.

Source: https://platform.openai.com/docs/api-reference/completions
"""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from twinoar.errors import ServingError
from twinoar.serving.embedding import EmbeddingModel
from twinoar.serving.embeddings import embeddings
from twinoar.serving.generation import STOP, Generation
from twinoar.serving.http import EVENTS, Answer
from twinoar.serving.language import LanguageModel
from twinoar.serving.logprobs import Teller
from twinoar.serving.rest import Call, Route, told_by_openai
from twinoar.serving.sampling import Sampling, Word
from twinoar.serving.status import invalid
from twinoar.serving.text import BESIDE, Text

USUAL_TOKENS = 16  # OpenAI's, of completions; a chat goes on to the end of the context
MOST_TEXTS = 128
MOST_LIKELIEST = 20  # tokens that are told beside each
NOT_SERVED = (
    "suffix", "tools", "functions", "response_format", "top_k", "min_p", "repetition_penalty",
    "audio", "prediction", "modalities",
)  # fmt: skip


@dataclass(slots=True)
class Asked:
    """A request: the prompts in tokens and as texts, and how each is gone on with.

    likeliest: how many tokens are told beside each, None for no probabilities.
    """

    model: LanguageModel
    prompts: list[list[int]]
    texts: list[str]
    sampling: Sampling
    most: int
    stops: list[str]
    copies: int
    chat: bool
    streams: bool
    counts_usage: bool
    likeliest: int | None
    echoes: bool
    identity: str
    created: int = field(default_factory=lambda: int(time.time()))


@dataclass(frozen=True, slots=True)
class Event:
    """Something of a text. reason: why it ended, where it did. words: those of the piece.

    written: how many tokens the model wrote for it.
    """

    number: int
    piece: str
    reason: str | None = None
    words: tuple[Word, ...] = ()
    written: int = 0


def routes() -> dict[tuple[str, ...], Route]:
    """The paths below /v1."""
    return {
        ("v1", "models"): _models,
        ("v1", "completions"): _completions,
        ("v1", "chat", "completions"): _chat,
        ("v1", "embeddings"): embeddings,
    }


async def _models(call: Call) -> Answer:
    kinds = LanguageModel, EmbeddingModel
    found = [m for m in call.state.repository.served() if isinstance(m, kinds)]
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
    return await _answer(call, _asked(told, model, *_prompts(told.get("prompt"), model), False))


async def _chat(call: Call) -> Answer:
    told = await call.json()
    model = _model(call, told)
    prompt = model.chat(_messages(told.get("messages")))
    return await _answer(call, _asked(told, model, *_prompts(prompt, model), True))


async def _answer(call: Call, asked: Asked) -> Answer:
    call.identity = asked.identity
    writing = _Writing(asked, call)
    events = writing.events(call)
    if asked.streams:
        return Answer(200, [], EVENTS, stream=_stream(asked, writing, events))
    of_text: dict[int, list[Event]] = {n: [] for n in range(len(asked.prompts) * asked.copies)}
    async for event in events:
        of_text[event.number].append(event)
    choices = []
    for number, parts in of_text.items():
        text = "".join(event.piece for event in parts)
        message = {"role": "assistant", "content": text}
        shown: dict[str, Any] = {"message": message} if asked.chat else {"text": text}
        words = tuple(word for event in parts for word in event.words)
        shown["logprobs"] = _logprobs(asked, _teller(asked, number), words)
        choices.append({"index": number, **shown, "finish_reason": parts[-1].reason})
    written = sum(event.written for parts in of_text.values() for event in parts)
    usage = _usage(asked, writing, written)
    return Answer.of_json({**_head(asked, False), "choices": choices, "usage": usage})


async def _stream(
    asked: Asked, writing: _Writing, events: AsyncIterator[Event]
) -> AsyncIterator[bytes]:
    """Server-sent events; an error after the first is an event too, as the status is sent."""
    count, texts = 0, range(len(asked.prompts) * asked.copies)
    tellers = [_teller(asked, number) for number in texts]
    if asked.chat:
        for number in texts:
            delta = {"role": "assistant", "content": ""}
            yield _event(asked, {"index": number, "delta": delta, "finish_reason": None})
    try:
        async for event in events:
            count += event.written
            shown: dict[str, Any] = {"text": event.piece}
            if asked.chat:
                shown = {"delta": {"content": event.piece} if event.piece else {}}
            shown["logprobs"] = _logprobs(asked, tellers[event.number], event.words)
            if event.piece or event.reason:
                told = {"index": event.number, **shown, "finish_reason": event.reason}
                yield _event(asked, told)
        if asked.counts_usage:
            usage = _usage(asked, writing, count)
            yield _line({**_head(asked, True), "choices": [], "usage": usage})
        yield b"data: [DONE]\n\n"
    except ServingError as error:
        yield _line(told_by_openai(error))


def _teller(asked: Asked, number: int) -> Teller:
    """Who tells the words of a text, which begins with those of the prompt where it is echoed."""
    before = [] if asked.echoes else asked.prompts[number // asked.copies][-BESIDE:]
    return Teller(asked.model.tokenizer, before)


def _logprobs(asked: Asked, teller: Teller, words: Sequence[Word]) -> dict[str, Any] | None:
    if asked.likeliest is None:
        return None
    return teller.of_chat(words) if asked.chat else teller.of_completion(words)


class _Writing:
    """The texts of a request while they are written. Raises ServingError where one is refused."""

    def __init__(self, asked: Asked, call: Call):
        self._loop = asyncio.get_running_loop()
        self.queue: asyncio.Queue[tuple[int, Any]] = asyncio.Queue()
        count = len(asked.prompts) * asked.copies
        self._asked = asked
        self._held: list[list[Word]] = [[] for _ in range(count)]
        prompts = [len(asked.prompts[number // asked.copies]) for number in range(count)]
        self._unread = prompts if asked.echoes else [0] * count  # words that are still to be echoed
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
                for event in self._events_of(number, what):
                    left -= event.reason is not None
                    yield event
        finally:
            watching.cancel()
            self._cancel()

    def shared(self) -> int:
        """How many words of the prompts others had read before."""
        return sum(generation.found for generation in self._generations[:: self._asked.copies])

    def _events_of(self, number: int, what: Word | str) -> Iterator[Event]:
        """What a token, or the end of a text, means for who reads it."""
        text, held = self._texts[number], self._held[number]
        if self._unread[number]:
            yield from self._echo(number, what)
            if isinstance(what, Word) and self._asked.likeliest is not None:
                return
        if isinstance(what, str):
            yield Event(number, text.rest(), what, tuple(held))
            return
        held.append(what)
        piece = text.add(what.token)
        # Words wait for their text; those of a string that ends it are not part of it.
        words = tuple(held) if piece else ()
        if piece:
            held.clear()
        yield Event(number, piece, None, words, written=1)
        if text.stopped:
            self._generations[number].cancel()
            yield Event(number, "", STOP)

    def _echo(self, number: int, what: Word | str) -> Iterator[Event]:
        """The prompt in front of a text, when its words are told, or before anything else."""
        asked, held = self._asked, self._held[number]
        if asked.likeliest is None:
            self._unread[number] = 0
        elif isinstance(what, Word):
            held.append(what)
            self._unread[number] -= 1
        if not self._unread[number]:
            yield Event(number, asked.texts[number // asked.copies], None, tuple(held))
            held.clear()

    def _text(self, asked: Asked, number: int) -> Text:
        return Text.after(asked.prompts[number // asked.copies], asked.model.tokenizer, asked.stops)

    def _generation(self, asked: Asked, number: int) -> Generation:
        seed = asked.sampling.seed
        own = None if seed is None else seed + number % asked.copies  # copies are others

        def put(what: Any) -> None:
            self._loop.call_soon_threadsafe(self.queue.put_nowait, (number, what))

        return Generation(
            asked.prompts[number // asked.copies],
            asked.most,
            replace(asked.sampling, seed=own),
            put,
            put,
            likeliest=asked.likeliest,
            tells_prompt=asked.echoes and asked.likeliest is not None,
        )

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


def _prompts(prompt: Any, model: LanguageModel) -> tuple[list[list[int]], list[str]]:
    """Each prompt in tokens and as text: from text, tokens, or a list of either."""
    several = (
        prompt if isinstance(prompt, list) and prompt and not _is_token(prompt[0]) else [prompt]
    )
    if len(several) > MOST_TEXTS:
        raise invalid(f"a request has at most {MOST_TEXTS} prompts")
    found, texts = [], []
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
        texts.append(one if isinstance(one, str) else model.tokenizer.decode(tokens))
    return found, texts


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
    told: Mapping[str, Any],
    model: LanguageModel,
    prompts: list[list[int]],
    texts: list[str],
    chat: bool,
) -> Asked:
    for name in NOT_SERVED:
        if told.get(name):
            raise ServingError(f"{name} is not served", "INVALID_ARGUMENT", cure="leave it out")
    copies = _whole(told, "n", 1, MOST_TEXTS)
    if told.get("best_of") not in (None, copies):
        raise ServingError("best_of other than n is not served", "INVALID_ARGUMENT", cure="use n")
    usual = model.engine.context if chat else USUAL_TOKENS
    most = told.get("max_completion_tokens", told.get("max_tokens"))
    stops = told.get("stop") or []
    stops = [stops] if isinstance(stops, str) else stops
    if not isinstance(stops, list) or not all(isinstance(s, str) and s for s in stops):
        raise invalid("stop is text, or a list of it")
    options = told.get("stream_options") or {}
    echoes = bool(told.get("echo", False))
    if echoes and chat:
        raise invalid("a chat has no echo", cure="ask /v1/completions")
    least = 0 if echoes else 1  # of a prompt alone, whose words are told, nothing is written
    return Asked(
        model,
        prompts,
        texts,
        _sampling(told, model),
        _whole({"max_tokens": most}, "max_tokens", usual, 1 << 31, least),
        stops,
        copies,
        chat,
        bool(told.get("stream", False)),
        isinstance(options, dict) and bool(options.get("include_usage")),
        _likeliest(told, chat),
        echoes,
        f"{'chatcmpl' if chat else 'cmpl'}-{uuid.uuid4().hex}",
    )


def _sampling(told: Mapping[str, Any], model: LanguageModel) -> Sampling:
    seed = told.get("seed")
    if seed is not None and (type(seed) is not int or seed < 0):
        raise invalid("seed is a whole number that is not negative")
    return Sampling(
        _number(told, "temperature", 1.0, 0.0, 2.0),
        _number(told, "top_p", 1.0, 0.0, 1.0),
        seed,
        _number(told, "frequency_penalty", 0.0, -2.0, 2.0),
        _number(told, "presence_penalty", 0.0, -2.0, 2.0),
        _bias(told.get("logit_bias") or {}, model.vocabulary),
    )


def _bias(told: Any, vocabulary: int) -> tuple[tuple[int, float], ...]:
    """What is added to the scores of tokens, which JSON names by their numbers as text."""
    if not isinstance(told, dict):
        raise invalid("logit_bias is an object from tokens to numbers")
    found = []
    for name in told:
        if not (name.isascii() and name.isdecimal() and len(name) < 10 and int(name) < vocabulary):
            raise invalid(f"logit_bias: a token is from 0 to {vocabulary - 1}")
        number = _number(told, name, 0.0, -100.0, 100.0)
        found.append((int(name), number))
    return tuple(found)


def _likeliest(told: Mapping[str, Any], chat: bool) -> int | None:
    """How many of the likeliest tokens are told beside each; None for no probabilities."""
    asked, count = told.get("logprobs"), told.get("top_logprobs")
    if not chat:
        if asked is None or asked is False:
            return None
        return _whole(told, "logprobs", 0, MOST_LIKELIEST, 0)
    if asked is not None and not isinstance(asked, bool):
        raise invalid("logprobs of a chat is true or false", cure="top_logprobs says how many")
    if count is not None and not asked:
        raise invalid("top_logprobs are told where logprobs is true")
    return _whole(told, "top_logprobs", 0, MOST_LIKELIEST, 0) if asked else None


def _number(told: Mapping[str, Any], name: str, usual: float, least: float, most: float) -> float:
    value = told.get(name)
    if value is None:
        return usual
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise invalid(f"{name} is a number from {least:g} to {most:g}, received {value!r}")
    return float(value)


def _whole(told: Mapping[str, Any], name: str, usual: int, most: int, least: int = 1) -> int:
    value = told.get(name)
    if value is None:
        return usual
    if type(value) is not int or not least <= value <= most:
        raise invalid(f"{name} is a whole number from {least} to {most}, received {value!r}")
    return value


def _head(asked: Asked, part: bool) -> dict[str, Any]:
    kind = "text_completion"
    if asked.chat:
        kind = "chat.completion.chunk" if part else "chat.completion"
    named = {"id": asked.identity, "object": kind, "created": asked.created}
    return {**named, "model": asked.model.name}


def _usage(asked: Asked, writing: _Writing, written: int) -> dict[str, Any]:
    read = sum(map(len, asked.prompts))
    counts = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    return {**counts, "prompt_tokens_details": {"cached_tokens": writing.shared()}}


def _event(asked: Asked, choice: dict[str, Any]) -> bytes:
    return _line({**_head(asked, True), "choices": [choice]})


def _line(value: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"
