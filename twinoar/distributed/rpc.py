"""Calls of functions in other processes, by the names that these have given themselves."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from twinoar.core.public import declared
from twinoar.distributed.calls import Answer, Meeting, Worker, WorkerInfo
from twinoar.distributed.world import LAUNCH, init_parallel_env
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError
from twinoar.runtime.collective import current_world, has_joined, this_job

TIMEOUT = -1  # none
KEY = "TWINOAR_RPC_KEY"  # the environment variable with what all workers know
HERE = "127.0.0.1"
MEETING_SECONDS = 120.0  # how long a worker waits for the first
FACE = "rpc"  # where a world keeps its worker


class _Joined:
    """How workers exchange values that collectives connect already."""

    def exchange(self, value: Any) -> list[Any]:
        return current_world().all.all_gather_object(value)

    def close(self) -> None:
        """Nothing is to be closed."""


def init_rpc(
    name: str,
    rank: int | None = None,
    world_size: int | None = None,
    master_endpoint: str | None = None,
) -> None:
    """Take calls by the name `name`; returns when all workers do.

    rank, world_size: by default those of the job. master_endpoint: "address:port" at which workers
    meet that no launcher has connected; where that is another machine's, all need one secret in the
    environment variable TWINOAR_RPC_KEY, as who knows it runs functions here. Raises ArgumentError,
    ProgramError for a second call, DistributedError where the first worker is not there.
    """
    if FACE in current_world().faces:
        raise ProgramError("this process has a name already", cure="call rpc.shutdown first")
    job = this_job()
    if job.size > 1 and job.started_by is not None and not has_joined():
        init_parallel_env()
    world = current_world()
    if world.size > 1:
        meeting: Any = _Joined()
        ip = os.environ.get("PADDLE_LOCAL_IP", HERE)
        key = meeting.exchange(secrets.token_bytes(32))[0]
        own = world.rank
    else:
        own, size = _place(rank, world_size)
        address = _address(master_endpoint, size)
        ip, key = (address[0] if own == 0 else HERE), _key(address[0], size)
        meeting = Meeting(address, own, size, key, MEETING_SECONDS)
    worker = Worker(name, own, ip, key, world)
    worker.know(meeting.exchange(worker.info))
    world.faces[FACE] = worker, meeting


def _place(rank: int | None, size: int | None) -> tuple[int, int]:
    """Which worker this is of how many, as it is told or the environment says."""
    count = int(os.environ.get("PADDLE_TRAINERS_NUM", 1)) if size is None else size
    own = int(os.environ.get("PADDLE_TRAINER_ID", 0)) if rank is None else rank
    if not 0 <= own < count:
        raise ArgumentError(f"expected a rank from 0 to {count - 1}, received {own}")
    return own, count


def _address(master_endpoint: str | None, size: int) -> tuple[str, int]:
    given = master_endpoint or os.environ.get("PADDLE_MASTER_ENDPOINT", "")
    ip, _, port = (given or f"{HERE}:0").rpartition(":")
    if size > 1 and not given:
        raise ArgumentError(
            f"{size} workers need an address to meet at",
            cure=f"pass master_endpoint='address:port', or {LAUNCH}",
        )
    if not port.isdecimal():
        raise ArgumentError(f"master_endpoint: expected 'address:port', received {given!r}")
    return ip, int(port)


def _key(ip: str, size: int) -> bytes:
    """What all workers know; it may be known to all where nobody else can connect."""
    secret = os.environ.get(KEY, "")
    if not secret and size > 1 and not ip.startswith("127.") and ip != "localhost":
        raise ArgumentError(
            f"workers at {ip} need a secret: who connects runs functions",
            cure=f"set the environment variable {KEY} to the same text for all of them",
        )
    return secret.encode() or b"one machine"


def rpc_sync(
    to: str,
    fn: Callable[..., Any],
    args: tuple[Any, ...] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    timeout: float = TIMEOUT,
) -> Any:
    """Call a function in the process of that name, and return what it does there.

    timeout: seconds; -1 is without end. Raises what the function raised, UnknownNameError for
    another name, ProgramError before `init_rpc`, DistributedError for a worker that has ended or
    does not answer in time, TypeMismatchError for a function or arguments that cannot travel.

    >>> init_rpc("worker0", rank=0, world_size=1)
    >>> rpc_sync("worker0", max, args=(1, 2))
    2
    >>> shutdown()
    """
    return rpc_async(to, fn, args, kwargs, timeout).wait()


def rpc_async(
    to: str,
    fn: Callable[..., Any],
    args: tuple[Any, ...] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    timeout: float = TIMEOUT,
) -> Answer:
    """`rpc_sync`, whose result or exception the answer's `wait()` gives."""
    worker = _worker()
    if not callable(fn):
        raise TypeMismatchError(f"fn: expected a function, received {type(fn).__name__}")
    seconds = None if timeout is None or timeout < 0 else timeout
    return Answer(worker.start(to, fn, args, kwargs, seconds))


def get_worker_info(name: str) -> WorkerInfo:
    """The process of that name. Raises UnknownNameError."""
    return _worker().called(name)


def get_all_worker_infos() -> list[WorkerInfo]:
    """All processes that take calls, by rank."""
    return list(_worker().infos.values())


def get_current_worker_info() -> WorkerInfo:
    """This process. Raises ProgramError before `init_rpc`."""
    return _worker().info


def _worker() -> Worker:
    found = current_world().faces.get(FACE)
    if found is None:
        raise ProgramError("no worker has a name yet", cure="call rpc.init_rpc first")
    worker: Worker = found[0]
    return worker


def shutdown() -> None:
    """Take no more calls, once all workers have come here."""
    found = current_world().faces.get(FACE)
    if found is not None:
        worker, meeting = found
        worker.finish()
        meeting.exchange(None)
        worker.close()
        meeting.close()
        del current_world().faces[FACE]


__all__ = declared(globals())
