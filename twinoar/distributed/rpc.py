"""Calls of functions in other processes: of one process, in itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, NamedTuple

from twinoar.core.public import declared
from twinoar.distributed.world import refuse_many, refuse_more
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError, UnknownNameError

TIMEOUT = -1  # none


class WorkerInfo(NamedTuple):
    """A process that takes calls."""

    name: str
    rank: int
    ip: str
    port: int


class Answer(Future):
    """What `rpc_async` returns: `wait()` gives what the function returned, or raises as it did."""

    def wait(self) -> Any:
        """What the function returned."""
        return self.result()


_self: WorkerInfo | None = None


def init_rpc(
    name: str,
    rank: int | None = None,
    world_size: int | None = None,
    master_endpoint: str | None = None,
) -> None:
    """Take calls by the name `name`. Raises UnsupportedError for several processes."""
    global _self
    refuse_more("world_size", world_size, "pass world_size=1")
    refuse_many("rpc")
    if rank:
        raise ArgumentError(f"rank is {rank}, the only rank of one process is 0")
    ip, _, port = (master_endpoint or "127.0.0.1:0").rpartition(":")
    _self = WorkerInfo(name, 0, ip, int(port))


def rpc_sync(
    to: str,
    fn: Callable[..., Any],
    args: tuple[Any, ...] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    timeout: int = TIMEOUT,
) -> Any:
    """Call a function in the process of that name, which is this one, and return what it does.

    Raises UnknownNameError for another name, ProgramError before `init_rpc`.

    >>> init_rpc("worker0", rank=0, world_size=1)
    >>> rpc_sync("worker0", max, args=(1, 2))
    2
    >>> shutdown()
    """
    get_worker_info(to)
    if not callable(fn):
        raise TypeMismatchError(f"fn: expected a function, received {type(fn).__name__}")
    return fn(*(args or ()), **(kwargs or {}))


def rpc_async(
    to: str,
    fn: Callable[..., Any],
    args: tuple[Any, ...] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    timeout: int = TIMEOUT,
) -> Answer:
    """`rpc_sync`, whose result or exception the answer's `wait()` gives."""
    get_worker_info(to)
    answer = Answer()
    try:
        answer.set_result(rpc_sync(to, fn, args, kwargs))
    except Exception as error:
        answer.set_exception(error)
    return answer


def get_worker_info(name: str) -> WorkerInfo:
    """The process of that name. Raises UnknownNameError."""
    found = get_current_worker_info()
    if name != found.name:
        raise UnknownNameError(f"no worker {name!r}", cure=f"the only one is {found.name!r}")
    return found


def get_all_worker_infos() -> list[WorkerInfo]:
    """All processes that take calls: this one."""
    return [get_current_worker_info()]


def get_current_worker_info() -> WorkerInfo:
    """This process. Raises ProgramError before `init_rpc`."""
    if _self is None:
        raise ProgramError("no worker has a name yet", cure="call rpc.init_rpc first")
    return _self


def shutdown() -> None:
    """Take no more calls."""
    global _self
    _self = None


__all__ = declared(globals(), but=("Answer", "WorkerInfo"))
