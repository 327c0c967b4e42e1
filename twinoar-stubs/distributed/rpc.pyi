"""Calls of functions in other processes, by the names that these have given themselves."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import concurrent.futures._base
import twinoar.distributed.rpc
import typing
from typing import Any, Literal, overload

import numpy as _numpy

def get_all_worker_infos() -> builtins.list[twinoar.distributed.rpc._WorkerInfo]:
    """All processes that take calls, by rank."""
def get_current_worker_info() -> twinoar.distributed.rpc._WorkerInfo:
    """This process"""
def get_worker_info(name: builtins.str) -> twinoar.distributed.rpc._WorkerInfo:
    """The process of that name"""
def init_rpc(name: builtins.str, rank: Any = None, world_size: Any = None, master_endpoint: builtins.str | None = None) -> None:
    """Take calls by the name `name`; returns when all workers do."""
def rpc_async(to: builtins.str, fn: collections.abc.Callable[..., Any], args: builtins.tuple[Any, ...] | None = None, kwargs: collections.abc.Mapping[builtins.str, Any] | None = None, timeout: Any = -1) -> twinoar.distributed.rpc._Answer:
    """`rpc_sync`, whose result or exception the answer's `wait()` gives."""
def rpc_sync(to: builtins.str, fn: collections.abc.Callable[..., Any], args: builtins.tuple[Any, ...] | None = None, kwargs: collections.abc.Mapping[builtins.str, Any] | None = None, timeout: Any = -1) -> Any:
    """Call a function in the process of that name, and return what it does there."""
def shutdown() -> None:
    """Take no more calls, once all workers have come here."""
class _WorkerInfo(typing.NamedTuple):
    """A process that takes calls."""
    name: Any
    rank: Any
    ip: Any
    port: Any
class _Answer:
    """What `rpc_async` returns: `wait()` gives what the function returned, or raises as it did."""
    def __init__(self, future: concurrent.futures._base.Future[Any]) -> None: ...
    def wait(self) -> Any:
        """What the function returned."""
    def done(self) -> builtins.bool:
        """Whether the call has ended."""
