"""What Python gives anew at each call, and a trace would take once: it is refused.

That is random numbers, clocks, files, and iterators: what keeps its state where no guard looks.
"""

from __future__ import annotations

import builtins
import datetime
import functools
import io
import os
import random
import secrets
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from twinoar.core.interpreter import current
from twinoar.core.ir.program import among
from twinoar.errors import ConversionError
from twinoar.jit.runtime.calls import in_place_of
from twinoar.jit.runtime.libraries import is_librarys

GENERATORS = (random.Random, np.random.Generator, np.random.RandomState, np.random.BitGenerator)
STREAMS = (sys.stdin, sys.stdout, sys.stderr)
ANEW: dict[Any, tuple[str, ...]] = {
    time: (
        "time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns",
        "process_time", "process_time_ns", "thread_time", "thread_time_ns", "localtime", "gmtime",
        "ctime", "strftime", "sleep",
    ),
    datetime.datetime: ("now", "utcnow", "today"),
    datetime.date: ("today",),
    uuid: ("uuid1", "uuid4"),
    secrets: ("choice", "randbelow", "randbits", "token_bytes", "token_hex", "token_urlsafe"),
    builtins: ("input", "open"),
    io: ("open",),
    os: (
        "urandom", "open", "listdir", "scandir", "stat", "getcwd", "remove", "rename", "mkdir",
        "makedirs", "putenv", "unsetenv", "system",
    ),
    os.path: ("exists", "isfile", "isdir", "getsize", "getmtime"),
    np: ("load", "save", "savez", "savez_compressed", "loadtxt", "savetxt", "fromfile"),
}  # fmt: skip


def _refused(name: str, plain: Callable, is_wanted: Callable[..., bool]) -> None:
    """Refuse calls of `plain`: the result of the first would be that of every other."""

    @functools.wraps(plain, updated=())
    def refuse(*args: Any, **kwargs: Any) -> Any:
        if not current().runs and is_wanted(*args, **kwargs):
            raise ConversionError(
                f"{name}() gives another value at each call, or has an effect, and a converted "
                "function would call it once, when it is traced",
                cure="pass the value as an argument; random tensors come from paddle.rand and its "
                "kin",
            )
        return plain(*args, **kwargs)

    in_place_of(plain)(refuse)


def _always(*args: Any, **kwargs: Any) -> bool:
    return True


def _is_unseeded(*args: Any, **kwargs: Any) -> bool:
    return all(x is None for x in (*args, *kwargs.values()))


for _owner, _names in ANEW.items():
    for _name in _names:
        _refused(f"{_owner.__name__}.{_name}", getattr(_owner, _name), _always)
for _module in (random, np.random):
    for _name in _module.__all__:
        _function = getattr(_module, _name)
        if isinstance(getattr(_function, "__self__", None), GENERATORS):
            _refused(f"{_module.__name__}.{_name}", _function, _always)
for _kind in (random.Random, np.random.RandomState, np.random.default_rng):
    _refused(_kind.__name__, _kind, _is_unseeded)


def refuse_hidden(x: Any) -> None:
    """Raise ConversionError for an object from outside that hides its state from guards."""
    is_iterator = isinstance(x, Iterator) and is_librarys(type(x)) and not among(x, STREAMS)
    if is_iterator or isinstance(x, GENERATORS):
        raise ConversionError(
            f"a {type(x).__name__} from outside the function goes on at each call; a converted "
            "function would use it once, when it is traced",
            cure="take from it outside, and pass what it gives as an argument",
        )
