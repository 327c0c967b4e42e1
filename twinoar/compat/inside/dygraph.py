"""The two modes, as code written for inside Paddle goes from one to the other."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from twinoar.core.interpreter import current, using
from twinoar.eager.tensor import Tensor
from twinoar.fluid.dygraph.base import to_variable
from twinoar.fluid.mode import disable_dygraph, enable_dygraph, guard
from twinoar.static.builder import Defaults, StaticBuilder
from twinoar.static.mode import in_dynamic_mode

enabled = in_dynamic_mode
enable_imperative, disable_imperative = enable_dygraph, disable_dygraph


def in_to_static_mode() -> bool:
    """True while a function is converted to a Program.

    >>> in_to_static_mode()
    False
    """
    return current().traces


in_declarative_mode = in_to_static_mode


def in_sot_simulation_mode() -> bool:
    """False: functions are converted from their source."""
    return False


@contextmanager
def _switch_to_static_graph_() -> Iterator[None]:
    """Within the block operators build the default Programs."""
    with using(StaticBuilder(Defaults.main, Defaults.startup)):
        yield


def switch_to_static_graph(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, which builds Programs, in whatever mode it is called."""

    @functools.wraps(function)
    def building(*args: Any, **kwargs: Any) -> Any:
        if not current().runs:
            return function(*args, **kwargs)
        with _switch_to_static_graph_():
            return function(*args, **kwargs)

    return building


@contextmanager
def param_guard(parameters: Any) -> Iterator[None]:
    """Within the block parameters may be read: they may be at all times."""
    yield


VarBase = Tensor

__all__ = [
    "VarBase",
    "disable_dygraph",
    "disable_imperative",
    "enable_dygraph",
    "enable_imperative",
    "enabled",
    "guard",
    "in_declarative_mode",
    "in_sot_simulation_mode",
    "in_to_static_mode",
    "param_guard",
    "switch_to_static_graph",
    "to_variable",
]
