"""Calls of functions in other processes: of one process, in itself."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import concurrent.futures._base
import twinoar.distributed.rpc
import typing
from typing import Any, Literal, overload

import numpy as _numpy

def get_all_worker_infos() -> builtins.list[twinoar.distributed.rpc._WorkerInfo]:
    """All processes that take calls: this one."""
def get_current_worker_info() -> twinoar.distributed.rpc._WorkerInfo:
    """This process"""
def get_worker_info(name: builtins.str) -> twinoar.distributed.rpc._WorkerInfo:
    """The process of that name"""
def init_rpc(name: builtins.str, rank: Any = None, world_size: Any = None, master_endpoint: builtins.str | None = None) -> None:
    """Take calls by the name `name`"""
def rpc_async(to: builtins.str, fn: collections.abc.Callable[..., Any], args: builtins.tuple[Any, ...] | None = None, kwargs: collections.abc.Mapping[builtins.str, Any] | None = None, timeout: Any = -1) -> twinoar.distributed.rpc._Answer:
    """`rpc_sync`, whose result or exception the answer's `wait()` gives."""
def rpc_sync(to: builtins.str, fn: collections.abc.Callable[..., Any], args: builtins.tuple[Any, ...] | None = None, kwargs: collections.abc.Mapping[builtins.str, Any] | None = None, timeout: Any = -1) -> Any:
    """Call a function in the process of that name, which is this one, and return what it does."""
def shutdown() -> None:
    """Take no more calls."""
class _WorkerInfo(typing.NamedTuple):
    """A process that takes calls."""
    name: Any
    rank: Any
    ip: Any
    port: Any
class _Answer(concurrent.futures._base.Future):
    """What `rpc_async` returns: `wait()` gives what the function returned, or raises as it did."""
    def wait(self) -> Any:
        """What the function returned."""
