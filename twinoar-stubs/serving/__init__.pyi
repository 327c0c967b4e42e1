"""The model server: a repository of models, batches of requests, and the protocols around them."""

# Written by tools/stubs.py.

import asyncio.events
import asyncio.locks
import builtins
import collections.abc
import concurrent.futures._base
import pathlib
import threading
import twinoar.serving
import typing
from typing import Any, Literal, overload

import numpy as _numpy

class Certificate:
    """The files of TLS, in PEM"""
    def __init__(self, file: builtins.str, key: builtins.str, authority: builtins.str | None = None) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    authority: builtins.str | None
    file: builtins.str
    key: builtins.str
class Defaults:
    """What a model has whose config does not say."""
    def __init__(self, max_batch_size: Any = 8, delay_seconds: Any = ..., queue_size: Any = 1000, threads: Any = 0) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    delay_seconds: builtins.float
    max_batch_size: builtins.int
    queue_size: builtins.int
    threads: builtins.int
class Limits:
    """body_bytes: the most that a request has"""
    def __init__(self, body_bytes: Any = 67108864, read_seconds: Any = ..., rate: Any = ...) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    body_bytes: builtins.int
    rate: builtins.float
    read_seconds: builtins.float
class MetricsApp:
    """The metrics, at a port of their own."""
    def __init__(self, state: twinoar.serving.State) -> None: ...
    def __call__(self, scope: collections.abc.MutableMapping[builtins.str, Any], receive: collections.abc.Callable[[], collections.abc.Awaitable[collections.abc.MutableMapping[builtins.str, Any]]], send: collections.abc.Callable[[collections.abc.MutableMapping[builtins.str, Any]], collections.abc.Awaitable[None]]) -> None: ...
    state: twinoar.serving.State
class Ports:
    """Where the server listens; 0 for any port, None for not at all."""
    def __init__(self, host: builtins.str = '127.0.0.1', http: Any = 8000, grpc: Any = 8001, metrics: Any = 8002) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    grpc: builtins.int | None
    host: builtins.str
    http: builtins.int | None
    metrics: builtins.int | None
class Repository:
    """The models below some folders; any number of threads may use it."""
    def __init__(self, *folders: builtins.str | pathlib.Path, defaults: twinoar.serving.Defaults | None = None, python: builtins.bool = False, shared: builtins.bool = False) -> None: ...
    def names(self) -> builtins.list[builtins.str]:
        """The models that the folders have, loaded or not."""
    def in_order(self, names: collections.abc.Iterable[builtins.str], configs: collections.abc.Mapping[builtins.str, builtins.str | None] | None = None) -> builtins.list[builtins.str]:
        """The names, those of pipelines behind all others, whose models they need."""
    def load(self, name: builtins.str, override: builtins.str | None = None) -> None:
        """Load a model, or load it anew; requests meanwhile go to the one that is there."""
    def prepare(self, name: builtins.str, override: builtins.str | None = None, versions: collections.abc.Sequence[Any] | None = None) -> twinoar.serving._Loading:
        """Make all of a model that `load` puts in place; nobody else loads it meanwhile."""
    def check_loaded(self, name: builtins.str) -> None:
        """Raise ServingError for a model that is not loaded."""
    def unload(self, name: builtins.str) -> None:
        """Take a model out, which finishes what it has"""
    def model(self, name: builtins.str, version: builtins.str = '') -> twinoar.serving._Served:
        """A version that is loaded, the newest where none is named"""
    def submit(self, name: builtins.str, version: builtins.str, request: twinoar.serving.Request) -> twinoar.serving._Served:
        """Let a request be served by a model, which is returned"""
    def served(self) -> collections.abc.Iterator[twinoar.serving._Served]:
        """All versions that are loaded, by name."""
    def versions(self, name: builtins.str) -> builtins.list[builtins.str]:
        """The versions of a model that are loaded, oldest first."""
    def is_ready(self, name: builtins.str, version: builtins.str = '') -> builtins.bool:
        """Whether the model, or the version, is loaded."""
    def index(self, *, ready: builtins.bool = False) -> builtins.list[twinoar.serving._Entry]:
        """What the folders have: each version that is loaded, each model that is not; in order."""
    def failures(self) -> builtins.list[builtins.str]:
        """The models that could not be loaded, and of which no version is served."""
    def pending(self) -> builtins.int:
        """How many requests wait, for all models."""
    def close(self, timeout_seconds: Any = None) -> builtins.bool:
        """Unload all, at once; whether all requests were finished in time."""
    def paths(self) -> collections.abc.Mapping[builtins.str, pathlib.Path]:
        """The folder of each model."""
    folders: Any
    defaults: Any
    python: builtins.bool
    shared: builtins.bool
class Request:
    """What is asked of a model; changed by the scheduler alone, under its lock."""
    def cancel(self) -> None:
        """Give the request up: if it waits it is not run, if it runs the result is dropped."""
    def fail(self, error: builtins.BaseException) -> builtins.bool:
        """Settle with an error, unless it is settled; whether it was."""
    def succeed(self, outputs: builtins.dict[builtins.str, _numpy.ndarray[Any, Any]]) -> builtins.bool:
        """Settle with outputs, unless it is settled; whether it was."""
    def result(self, timeout: Any = None) -> builtins.dict[builtins.str, _numpy.ndarray[Any, Any]]:
        """Wait for the outputs; raises what became of the request."""
    def __init__(self, inputs: builtins.dict[builtins.str, _numpy.ndarray[Any, Any]], rows: Any = 1, priority: Any = 0, timeout_seconds: Any = None, id: builtins.str = '', sequence: Any = None, future: concurrent.futures._base.Future[builtins.dict[builtins.str, _numpy.ndarray[Any, Any]]] = ..., arrival: Any = ..., deadline: Any = None, number: Any = ..., place: Any = None, key: collections.abc.Hashable = ..., withdraw: collections.abc.Callable[[twinoar.serving.Request], None] | None = None, stages: builtins.list[Any] | None = None, waits: builtins.bool = False) -> None: ...
    arrival: builtins.float
    deadline: builtins.float | None
    future: concurrent.futures._base.Future[builtins.dict[builtins.str, _numpy.ndarray[Any, Any]]]
    id: builtins.str
    inputs: builtins.dict[builtins.str, _numpy.ndarray[Any, Any]]
    key: collections.abc.Hashable
    number: builtins.int
    place: builtins.int | None
    priority: builtins.int
    rows: builtins.int
    sequence: Any
    stages: builtins.list[Any] | None
    timeout_seconds: builtins.float | None
    waits: builtins.bool
    withdraw: collections.abc.Callable[[twinoar.serving.Request], None] | None
class RestApp:
    """The application"""
    def __init__(self, state: twinoar.serving.State, more: collections.abc.Mapping[builtins.tuple[builtins.str, ...], collections.abc.Callable[[Any], collections.abc.Awaitable[Any]]] | None = None) -> None: ...
    def __call__(self, scope: collections.abc.MutableMapping[builtins.str, Any], receive: collections.abc.Callable[[], collections.abc.Awaitable[collections.abc.MutableMapping[builtins.str, Any]]], send: collections.abc.Callable[[collections.abc.MutableMapping[builtins.str, Any]], collections.abc.Awaitable[None]]) -> None: ...
    state: twinoar.serving.State
    more: Any
class Server:
    """A server of a State"""
    def run(self) -> builtins.bool:
        """Serve until SIGTERM, SIGINT or `stop`; whether all requests were finished."""
    def stop(self) -> None:
        """End the server, from any thread: it takes no more, and finishes what it has."""
    def serve(self) -> builtins.bool:
        """As `run`, in a loop that is there."""
    def __init__(self, state: twinoar.serving.State, ports: twinoar.serving.Ports = ..., certificate: twinoar.serving.Certificate | None = None, exit_seconds: Any = ..., poll_seconds: Any = ..., connections: Any = 4096, more: collections.abc.Mapping[builtins.tuple[builtins.str, ...], collections.abc.Callable[[Any], collections.abc.Awaitable[Any]]] = ..., services: collections.abc.Sequence[collections.abc.Callable[[Any], Any]] = ..., reuse_port: builtins.bool = False, bound: builtins.dict[builtins.str, Any] = ..., started: threading.Event = ..., _stop: asyncio.locks.Event | None = None, _stops: builtins.bool = False, _loop: asyncio.events.AbstractEventLoop | None = None) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    bound: builtins.dict[builtins.str, builtins.int]
    certificate: twinoar.serving.Certificate | None
    connections: builtins.int
    exit_seconds: builtins.float
    more: collections.abc.Mapping[builtins.tuple[builtins.str, ...], collections.abc.Callable[[Any], collections.abc.Awaitable[Any]]]
    poll_seconds: builtins.float
    ports: twinoar.serving.Ports
    reuse_port: builtins.bool
    services: collections.abc.Sequence[collections.abc.Callable[[Any], Any]]
    started: threading.Event
    state: twinoar.serving.State
class State:
    """One server"""
    keys: builtins.frozenset[builtins.bytes]
    strict_readiness: builtins.bool
    drains: builtins.bool
    explicit: builtins.bool
    tracing: Any
    regions: Any
    control: Any
    def extensions(self) -> builtins.list[builtins.str]:
        """Those of the protocol that are served."""
    def is_ready(self) -> builtins.bool:
        """Whether requests are welcome: it does not shut down, and all models came up."""
    def admit(self, authorization: builtins.str | None, key: builtins.str | None, client: builtins.str) -> None:
        """Let a client in"""
    def __init__(self, repository: twinoar.serving.Repository, limits: twinoar.serving.Limits = ..., keys: builtins.frozenset[builtins.bytes] = ..., strict_readiness: builtins.bool = True, drains: builtins.bool = False, explicit: builtins.bool = False, tracing: Any = None, regions: Any = None, control: Any = None, buckets: builtins.dict[builtins.str, builtins.tuple[Any, Any]] = ..., lock: Any = ...) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    repository: twinoar.serving.Repository
    limits: twinoar.serving.Limits
    buckets: builtins.dict[builtins.str, builtins.tuple[builtins.float, builtins.float]]
    lock: Any
class _Loading:
    """A model that is made, and waits to be served: one of `commit` and `drop` is called."""
    def commit(self) -> None:
        """Serve it in place of the one before"""
    def drop(self, reason: builtins.str) -> None:
        """Serve the one before, as if this one could not be loaded."""
    def __init__(self, repository: twinoar.serving.Repository, name: builtins.str, made: builtins.dict[Any, twinoar.serving._Served]) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    made: builtins.dict[builtins.int, twinoar.serving._Served]
    name: builtins.str
    repository: twinoar.serving.Repository
class _Served:
    """What the repository holds for a version: a model, or a pipeline of models."""
    def submit(self, request: twinoar.serving.Request) -> None:
        """Let a request be served"""
    def pending(self) -> builtins.int:
        """How many requests wait."""
    def close(self, timeout_seconds: Any = None) -> builtins.bool:
        """Take no more and finish what is there; whether that was done in time."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    name: builtins.str
    version: builtins.int
    config: Any
    statistics: Any
class _Entry:
    """A row of the index: what is known of a model, or of one version of it."""
    def plain(self) -> builtins.dict[builtins.str, builtins.str]:
        """Its fields that say something."""
    def __init__(self, name: builtins.str, version: builtins.str = '', state: builtins.str = '', reason: builtins.str = '') -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    name: builtins.str
    reason: builtins.str
    state: builtins.str
    version: builtins.str
