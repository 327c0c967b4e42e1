"""Keywords that Paddle 3 takes besides its own: `input` for x, `dim` for axis, and `out`.

They are looked up where a call does not fit, so that calls that do pay next to nothing.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from twinoar.core.interpreter import current

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
    """Declare that keywords may be those that `respelled` knows."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError:
            again = respelled(function, kwargs)
            if again is None:
                raise
        return again(*args)

    return call  # type: ignore[return-value]  # it has the signature of `function`


def respelled(function: Callable[..., Any], given: Mapping[str, Any]) -> Callable[..., Any] | None:
    """`function` with the keywords given in its own spelling; None where that changes nothing.

    Where it has no `out`, the keyword names a tensor, or several, that the results are put into.
    """
    names = _parameters(function)
    if names is None or given.keys() <= names:
        return None
    found = dict(given)
    out = None if "out" in names else found.pop("out", None)
    for keyword in found.keys() - names:
        free = [n for n in SPELLINGS.get(keyword, ()) if n in names and n not in found]
        if not free or function.__name__ in STRICT:
            return None
        found[free[0]] = found.pop(keyword)
    call = functools.partial(function, **found)
    return call if out is None else functools.partial(_put_into, out, call)


def _put_into(out: Any, call: Callable[..., Any], *args: Any) -> Any:
    results = call(*args)
    several = isinstance(out, (list, tuple))
    pairs = zip(out, results, strict=True) if several else ((out, results),)
    for target, result in pairs:
        current().rebind(target, result)
    return out


def is_respelled(function: Callable[..., Any]) -> bool:
    """Whether keywords of `function`, beside those of its first operand, have other spellings."""
    return inspect.isfunction(function) and not OWN.isdisjoint(_parameters(function) or ())


@functools.cache
def _parameters(function: Callable[..., Any]) -> frozenset[str] | None:
    """The names of what `function` takes by keyword; None where it takes any."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or code.co_flags & inspect.CO_VARKEYWORDS:
        return None
    return frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
