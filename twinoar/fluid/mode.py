"""Which mode a script for Paddle 1 is in, and how it changes that: see `twinoar.fluid`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from twinoar.core import unique_name
from twinoar.core.interpreter import current, eager, using
from twinoar.core.tree import flatten
from twinoar.eager.place import new_device, set_device
from twinoar.eager.tensor import Tensor
from twinoar.static.builder import Defaults
from twinoar.static.mode import disable_static, enable_static, mode_is_chosen

_within_guard: ContextVar[bool] = ContextVar("twinoar_fluid_guard", default=False)


def begin_static() -> None:
    """Static mode, in which Paddle 1 begins, unless the process has chosen a mode."""
    Defaults.newest_first = True
    if not mode_is_chosen() and not _within_guard.get() and current().runs:
        enable_static()


def begins_static(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, whose first call without a Tensor among its arguments begins static mode."""

    @functools.wraps(function)
    def begun(*args: Any, **kwargs: Any) -> Any:
        if not mode_is_chosen():
            given, _ = flatten((args, kwargs))
            if not any(isinstance(x, Tensor) for x in given):
                begin_static()
        return function(*args, **kwargs)

    return begun


def in_dygraph_mode() -> bool:
    """True where operators run at once; asked before a mode is chosen, it begins static mode."""
    begin_static()
    return bool(current().runs)


enabled = in_dygraph_mode


@contextmanager
def guard(place: Any = None) -> Iterator[None]:
    """Within the block operators run at once, and names of layers are numbered from 0 again.

    place: where new values lie; raises ArgumentError for a device that there is not.

    >>> from twinoar import fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.dygraph.Linear(2, 3).weight.name
    'linear_0.w_0'
    """
    device = new_device(current(), place)
    running = current() if current().runs else eager()
    running = running.under(running.policy.on(device))
    token = _within_guard.set(True)
    try:
        with using(running), unique_name.guard():
            yield
    finally:
        _within_guard.reset(token)


def enable_dygraph(place: Any = None) -> None:
    """From now on operators run at once. Raises ArgumentError for a device that there is not."""
    disable_static()
    if place is not None:
        set_device(place)


def disable_dygraph() -> None:
    """From now on operators build the default main Program."""
    enable_static()
