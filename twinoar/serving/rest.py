"""The Open Inference Protocol over HTTP, as an application of ASGI: any server of ASGI hosts it.

Source: https://github.com/kserve/open-inference-protocol/blob/main/specification/protocol/inference_rest.md
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from twinoar.errors import ServingError
from twinoar.serving import metadata
from twinoar.serving.control import Change
from twinoar.serving.http import (
    TEXT,
    Answer,
    Disconnected,
    Receive,
    Scope,
    Send,
    headers_of,
    read_body,
    reply,
)
from twinoar.serving.large_body import SCOPE_KEY, Body
from twinoar.serving.metrics import metrics_text
from twinoar.serving.request import Request, Stages
from twinoar.serving.rest_tensors import parsed, read_inference, regions_or_refused, write_inference
from twinoar.serving.shared_memory import Registration
from twinoar.serving.state import State, outcome
from twinoar.serving.status import invalid, status_of, told
from twinoar.serving.tracing import WRONG, Traced, identity_of

LOG = logging.getLogger("twinoar.serving")
ACCESS = logging.getLogger("twinoar.serving.access")
LARGE = 1 << 20  # bytes: reading so much JSON would hold up all others
PATIENCE_SECONDS = 0.05  # after which it is looked whether the client is still there
Route = Callable[["Call"], Awaitable[Answer]]


class Call:
    """One request of HTTP: its path in parts, its headers, and its body once it is read."""

    def __init__(self, scope: Scope, receive: Receive, state: State):
        self.state, self.receive = state, receive
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.parts = [part for part in self.path.split("/") if part]
        self.headers = headers_of(scope)
        self.client = (scope.get("client") or ("", 0))[0]
        self._large: Body | None = scope.get(SCOPE_KEY)
        self.identity = ""
        self.traced: Traced | None = None
        self.stages: Stages | None = None

    async def body(self) -> bytes:
        """The whole body. Raises ServingError for one that is not taken."""
        return bytes(await self.view())

    async def view(self) -> bytes | memoryview:
        """The same, where it was received: it is not to be written, nor kept for long."""
        large = self._large.view if self._large is not None else None
        return await read_body(self.headers, self.receive, self.state.limits, large)

    async def json(self) -> Mapping[str, Any]:
        """The body as a JSON object."""
        return parsed(await self.body())


class RestApp:
    """The application. more: further routes, by the first parts of their paths."""

    def __init__(self, state: State, more: Mapping[tuple[str, ...], Route] | None = None):
        self.state, self.more = state, dict(more or {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        if scope["type"] != "http":
            return
        call, start = Call(scope, receive, self.state), time.perf_counter()
        answer: Answer | None = None
        self._begin_trace(call)
        try:
            answer = await self._answer(call)
            if answer is not None:
                await reply(answer, send, call.headers.get("accept-encoding", ""))
        except Disconnected:
            return
        finally:
            self._end_trace(call, answer)
        if answer is not None and ACCESS.isEnabledFor(logging.INFO):
            seconds = time.perf_counter() - start
            ACCESS.info("%s %s", call.method, call.path, extra=_logged(call, answer, seconds))

    def _begin_trace(self, call: Call) -> None:
        tracing = self.state.tracing
        if tracing is None or call.parts[:2] == ["v2", "health"]:
            return
        told = {"http.request.method": call.method, "url.path": call.path}
        call.traced = tracing.begin(f"{call.method} {call.path}", call.headers, **told)
        call.stages = None if call.traced is None else call.traced.stages

    def _end_trace(self, call: Call, answer: Answer | None) -> None:
        if call.traced is None or self.state.tracing is None:
            return
        status = 499 if answer is None else answer.status
        told = {"http.response.status_code": status, "request.id": call.identity}
        failed = "" if status < WRONG else f"answered {status}"
        self.state.tracing.end(call.traced, failed=failed, **told)

    async def _answer(self, call: Call) -> Answer | None:
        try:
            route, method = self._route(call)
            if call.method != method:
                raise ServingError(f"{call.path} takes {method}, not {call.method}", "WRONG_METHOD")
            if call.parts[:2] != ["v2", "health"]:
                headers = call.headers
                self.state.admit(
                    headers.get("authorization"), headers.get("x-api-key"), call.client
                )
            return await route(call)
        except Disconnected:
            raise
        except Exception as error:
            if not isinstance(error, ServingError):
                LOG.exception("%s %s failed", call.method, call.path)
            answer = Answer.of_error(error)
            if call.parts[:1] == ["v1"]:
                answer.body = Answer.of_json(told_by_openai(error)).body
            return answer

    def _route(self, call: Call) -> tuple[Route, str]:
        parts = call.parts
        match parts:
            case ["v2"]:
                return _server, "GET"
            case ["v2", "health", "live"]:
                return _live, "GET"
            case ["v2", "health", "ready"]:
                return _ready, "GET"
            case ["v2", "models", "stats"]:
                return _all_statistics, "GET"
            case ["v2", "models", _, "infer"] | ["v2", "models", _, "versions", _, "infer"]:
                return _infer, "POST"
            case ["v2", "models", _, *rest]:
                last = rest[2:] if rest[:1] == ["versions"] else rest
                if "/".join(last) in OF_MODEL and len(rest) - len(last) in (0, 2):
                    return OF_MODEL["/".join(last)], "GET"
            case ["v2", "systemsharedmemory" | "cudasharedmemory", *_]:
                return memory_route(parts)
            case ["v2", "repository", "index"]:
                return _index, "POST"
            case ["v2", "repository", "models", _, "load"]:
                return _load, "POST"
            case ["v2", "repository", "models", _, "unload"]:
                return _unload, "POST"
        for start, route in self.more.items():
            if tuple(parts[: len(start)]) == start:
                return route, "GET" if start[-1] == "models" else "POST"
        raise ServingError(f"there is nothing at {call.path[:200]!r}", "NOT_FOUND")


class MetricsApp:
    """The metrics, at a port of their own."""

    def __init__(self, state: State):
        self.state = state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "http" and scope["path"] == "/metrics":
            text = metrics_text(self.state.repository)
            await reply(Answer(200, [text.encode()], TEXT), send)
        elif scope["type"] == "http":
            await reply(Answer.of_error(ServingError("see /metrics", "NOT_FOUND")), send)


async def _server(call: Call) -> Answer:
    return Answer.of_json(metadata.of_server(call.state))


async def _live(_: Call) -> Answer:
    return Answer.of_json({"live": True})


async def _ready(call: Call) -> Answer:
    ready = call.state.is_ready()
    return Answer.of_json({"ready": ready}, 200 if ready else 503)


async def _model_ready(call: Call) -> Answer:
    name, version = _named(call)
    ready = not call.state.drains and call.state.repository.is_ready(name, version)
    return Answer.of_json({"name": name, "ready": ready}, 200 if ready else 503)


async def _model(call: Call) -> Answer:
    repository = call.state.repository
    return Answer.of_json(metadata.of_model(repository, repository.model(*_named(call))))


async def _config(call: Call) -> Answer:
    return Answer.of_json(metadata.config_of(call.state.repository.model(*_named(call))))


async def _statistics(call: Call) -> Answer:
    models = [call.state.repository.model(*_named(call))]
    return Answer.of_json({"model_stats": metadata.statistics_of(models)})


async def _all_statistics(call: Call) -> Answer:
    models = list(call.state.repository.served())
    return Answer.of_json({"model_stats": metadata.statistics_of(models)})


OF_MODEL: dict[str, Route] = {
    "": _model,
    "ready": _model_ready,
    "config": _config,
    "stats": _statistics,
}


async def _infer(call: Call) -> Answer:
    body = await call.view()
    if len(body) > LARGE:
        inference = await asyncio.to_thread(read_inference, body, call.headers, call.state.regions)
    else:
        inference = read_inference(body, call.headers, call.state.regions)
    request = inference.request
    call.identity, request.stages = request.id, call.stages
    model = call.state.repository.submit(*_named(call), request)
    outputs = await while_connected(request, call.receive)
    if sum(array.nbytes for array in outputs.values()) > LARGE:
        named = model.name, model.version
        return await asyncio.to_thread(lambda: write_inference(inference, outputs, *named))
    return write_inference(inference, outputs, model.name, model.version)


def memory_route(parts: list[str]) -> tuple[Route, str]:
    """What is at a path of regions of shared memory. Raises ServingError for nothing.

    Of devices there are none, so of their memory there is a status, an empty one.
    """
    match parts[2:]:
        case ["status"] | ["region", _, "status"]:
            return _memory_status, "GET"
        case ["region", _, "register"]:
            return _memory_register, "POST"
        case ["unregister"] | ["region", _, "unregister"]:
            return _memory_unregister, "POST"
    raise ServingError(f"there is nothing at {'/'.join(parts)[:200]!r}", "NOT_FOUND")


async def _memory_status(call: Call) -> Answer:
    if _of_devices(call):
        return Answer.of_json([])
    found = regions_or_refused(call.state.regions).status(_region(call))
    return Answer.of_json([told.plain() for told in found])


async def _memory_register(call: Call) -> Answer:
    if _of_devices(call):
        raise no_devices()
    given = await call.json()
    key = given.get("key")
    if not isinstance(key, str):
        raise invalid("the key of a segment is text")
    told = Registration(_region(call), key, given.get("offset", 0), given.get("byte_size", 0))
    await asyncio.to_thread(register, call.state, told)
    return Answer.of_json({})


async def _memory_unregister(call: Call) -> Answer:
    await call.body()
    if not _of_devices(call):
        await asyncio.to_thread(unregister, call.state, _region(call))
    return Answer.of_json({})


def _region(call: Call) -> str:
    return call.parts[3] if call.parts[2:3] == ["region"] else ""


def _of_devices(call: Call) -> bool:
    return call.parts[1] == "cudasharedmemory"


def no_devices() -> ServingError:
    """The error for memory of devices."""
    return ServingError("this server has no devices with memory of their own", "UNIMPLEMENTED")


def register(state: State, told: Registration) -> None:
    """Register memory as a client asks. Raises ServingError where that is not allowed or fails."""
    regions_or_refused(state.regions)
    state.control.change(Change("register", told.name, region=told))


def unregister(state: State, name: str) -> None:
    """Forget a region, or with "" all. Raises ServingError where there may be none."""
    regions_or_refused(state.regions)
    state.control.change(Change("unregister", name))


async def while_connected(request: Request, receive: Receive) -> dict[str, Any]:
    """The outputs of a request. A client that goes meanwhile cancels it: Disconnected."""
    loop = asyncio.get_running_loop()
    watching: list[asyncio.Task[None]] = []

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        request.cancel()

    # Most are answered before it is worth a task to look after the client.
    timer = loop.call_later(PATIENCE_SECONDS, lambda: watching.append(loop.create_task(watch())))
    try:
        return await outcome(request)
    except ServingError as error:
        if error.status == "CANCELLED":
            raise Disconnected from error
        raise
    finally:
        timer.cancel()
        for task in watching:
            task.cancel()


async def _index(call: Call) -> Answer:
    ready = bool((await call.json()).get("ready", False))
    index = await asyncio.to_thread(lambda: call.state.repository.index(ready=ready))
    return Answer.of_json([entry.plain() for entry in index])


async def _load(call: Call) -> Answer:
    given = (await call.json()).get("parameters") or {}
    if not isinstance(given, dict):
        raise invalid("parameters is a JSON object")
    await asyncio.to_thread(load, call.state, call.parts[3], given)
    return Answer.of_json({})


async def _unload(call: Call) -> Answer:
    await call.body()
    await asyncio.to_thread(unload, call.state, call.parts[3])
    return Answer.of_json({})


def load(state: State, name: str, parameters: Mapping[str, Any]) -> None:
    """Load a model as a client asks. Raises ServingError where that is not allowed or fails."""
    check_control(state)
    for key, value in parameters.items():
        if key != "config":
            message = f"the parameter {key[:80]!r} of loading is not served"
            raise ServingError(message, "UNIMPLEMENTED", cure="put files into the repository")
        if not isinstance(value, str):
            raise invalid("config is the text of a config in JSON")
    state.control.change(Change("load", name, parameters.get("config")))


def unload(state: State, name: str) -> None:
    """Unload a model as a client asks. Raises ServingError where that is not allowed or fails."""
    check_control(state)
    state.control.change(Change("unload", name))


def check_control(state: State) -> None:
    """Raise ServingError where clients may not load and unload models."""
    if not state.explicit:
        raise ServingError(
            "clients may not load and unload models of this server",
            "FAILED_PRECONDITION",
            cure="start it with --model-control-mode=explicit",
        )


def told_by_openai(error: BaseException) -> dict[str, Any]:
    """An error in the form that clients of OpenAI read."""
    kind = "invalid_request_error" if status_of(error).http < 500 else "server_error"
    return {"error": {"message": told(error), "type": kind, "param": None, "code": None}}


def _named(call: Call) -> tuple[str, str]:
    """The model's name and version in a path."""
    versioned = len(call.parts) > 4 and call.parts[3] == "versions"
    return call.parts[2], call.parts[4] if versioned else ""


def _logged(call: Call, answer: Answer, seconds: float) -> dict[str, Any]:
    return {
        "protocol": "http",
        "status": answer.status,
        "milliseconds": round(seconds * 1000, 3),
        "client": call.client,
        "request_id": call.identity,
        "bytes_sent": sum(map(len, answer.body)),
        **identity_of(call.traced),
    }


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
