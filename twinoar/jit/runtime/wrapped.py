"""What functools wraps around functions: results that are kept, and functions chosen by class."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from twinoar.core.dim import SymbolicDim
from twinoar.core.interpreter import current, eager, using
from twinoar.core.tree import flatten
from twinoar.core.values import Value
from twinoar.errors import ConversionError
from twinoar.jit.runtime.builtins import type_
from twinoar.jit.runtime.calls import CACHED, call, in_place_of_code, in_place_of_kind
from twinoar.jit.runtime.journal import Place
from twinoar.jit.runtime.state import is_traced, meet
from twinoar.jit.snapshot import is_plain, same

_dispatching: Any = functools.singledispatch(lambda x: x)  # its stub hides that it is a function
DISPATCHING = _dispatching.__code__
DISPATCHING_METHOD = functools.singledispatchmethod(lambda self: self).__get__(0).__code__


class Result(Place):
    """What a function gives for arguments: another one once its cache is cleared."""

    def __init__(self, holder: Any, args: tuple, kwargs: dict[str, Any]):
        self.holder, self.args, self.kwargs = holder, args, kwargs
        self.key = args, tuple(kwargs.items())

    def __str__(self) -> str:
        shown = [repr(x) for x in self.args] + [f"{k}={v!r}" for k, v in self.kwargs.items()]
        return f"{self.holder.__name__}({', '.join(shown)})"

    def read(self) -> Any:
        return self.holder(*self.args, **self.kwargs)


@in_place_of_kind(CACHED)
def of_cached(function: Any, *owner: Any) -> Callable:
    """A function whose results `functools.cache` keeps: it is called as Python would, and kept.

    A call of the Program asks for the result again, as the function's own call would.
    """

    def call_cached(*given: Any, **kwargs: Any) -> Any:
        builder: Any = current()
        args = (*owner, *given)
        if not is_traced(builder):
            return function(*args, **kwargs)
        if any(isinstance(x, (Value, SymbolicDim)) for x in flatten((args, kwargs))[0]):
            raise ConversionError(
                f"{function.__name__} keeps its results for the very objects that it was given, "
                "and each call gives it other tensors",
                cure=f"call {function.__name__}.__wrapped__, or take off functools.lru_cache",
            )
        if builder.outer is not None:
            raise ConversionError(
                f"{function.__name__} keeps its first result, and a tensor decides when that is",
                cure="call it before the branch or loop",
            )
        place = Result(function, args, kwargs)
        with using(eager()):
            value = place.read()
        agrees = same if is_plain(value) else None
        builder.guards.watch(place, lambda key, missing: place.read(), None, value, agrees)
        meet(builder, value, whole=True)
        return value

    return call_cached


@in_place_of_code(DISPATCHING)
def of_dispatching(function: Any, *owner: Any) -> Callable:
    """A `functools.singledispatch` function."""

    def dispatch(*args: Any, **kwargs: Any) -> Any:
        args = (*owner, *args)
        if not args:
            return function(*args, **kwargs)
        return call(_implementation(function, type_(args[0])))(*args, **kwargs)

    return dispatch


@in_place_of_code(DISPATCHING_METHOD)
def of_dispatching_method(function: Any, *owner: Any) -> Callable:
    """A `functools.singledispatchmethod`, bound."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__, strict=True))
    held = {name: cell.cell_contents for name, cell in cells.items()}

    def dispatch(*args: Any, **kwargs: Any) -> Any:
        chosen = _implementation(held["self"].dispatcher, type_(args[0]))
        return call(chosen.__get__(held["obj"], held["cls"]))(*args, **kwargs)

    return dispatch


def _implementation(function: Any, kind: type) -> Any:
    """What a singledispatch function chooses for a class: a guard, as others may be registered."""
    builder: Any = current()
    found = function.dispatch(kind)
    if is_traced(builder):
        place = Choice(function, kind)
        builder.guards.watch(place, lambda key, missing: place.read(), kind, found)
    return found


class Choice(Place):
    """What a singledispatch function chooses for a class."""

    def __init__(self, holder: types.FunctionType, key: type):
        self.holder, self.key = holder, key

    def __str__(self) -> str:
        return f"what {self.holder.__name__} chooses for {self.key.__name__}"

    def read(self) -> Any:
        return self.holder.dispatch(self.key)
