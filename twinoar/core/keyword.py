"""Keywords as other frameworks spell them: `input` for x, `dim` for axis; Paddle 3 takes them too.

They are looked up where a call does not fit, so that calls that do pay next to nothing.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

# Each keyword, and the names of ours that it may stand for.
SPELLINGS: dict[str, tuple[str, ...]] = {
    "A": ("x",),
    "B": ("y",),
    "boundaries": ("sorted_sequence",),
    "dim": ("axis",),
    "dimension": ("axis",),
    "dims": ("axis", "repeat_times"),
    "elements": ("x",),
    "end": ("stop",),
    "eps": ("epsilon",),
    "exponent": ("y",),
    "input": ("x", "values"),
    "lambd": ("threshold",),
    "m": ("num_columns",),
    "mat2": ("y",),
    "n": ("num_rows",),
    "obj": ("x",),
    "other": ("y",),
    "return_indices": ("return_mask",),
    "size": ("shape",),
    "steps": ("num",),
    "tensors": ("x",),
    "test_elements": ("test_x",),
}

OWN = {name for names in SPELLINGS.values() for name in names} - {"x"}
# Functions whose results are others elsewhere, where they are called with those keywords.
STRICT = frozenset({"max", "median", "min", "nanmedian", "sort", "split", "unique"})


def spelled_freely(function: F) -> F:
    """Declare that keywords may be spelled as `respelled` knows them."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError:
            spelled = respelled(function, kwargs)
            if spelled is None:
                raise
        return function(*args, **spelled)

    return call  # type: ignore[return-value]  # it has the signature of `function`


def respelled(function: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any] | None:
    """The keywords given in the spelling of `function`; None where there is nothing to respell."""
    names = _parameters(function)
    if names is None or given.keys() <= names:
        return None
    found = dict(given)
    for keyword in given.keys() - names:
        free = [n for n in SPELLINGS.get(keyword, ()) if n in names and n not in found]
        if not free:
            return None
        found[free[0]] = found.pop(keyword)
    return found


def is_respelled(function: Callable[..., Any]) -> bool:
    """Whether keywords of `function`, beside those of its first operand, have other spellings."""
    return inspect.isfunction(function) and not OWN.isdisjoint(_parameters(function) or ())


@functools.cache
def _parameters(function: Callable[..., Any]) -> frozenset[str] | None:
    """The names of what `function` takes by keyword; None where it takes any, or is strict."""
    if function.__name__ in STRICT:
        return None
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or code.co_flags & inspect.CO_VARKEYWORDS:
        return None
    return frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
