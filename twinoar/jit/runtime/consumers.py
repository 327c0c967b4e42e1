"""Functions that take items of their arguments, which may be iterators."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from twinoar.jit.runtime import builtins, numbers  # noqa: F401  # what they replace comes first
from twinoar.jit.runtime.calls import REPLACEMENTS, in_place_of
from twinoar.jit.runtime.iterators import advance, draws, is_iterator

CONSUMERS: tuple[Any, ...] = (
    all, any, dict, filter, frozenset, functools.reduce, list, map, max, min, set, sorted, sum,
    tuple,
)  # fmt: skip


def _consumer(function: Callable) -> Callable:
    def consume(*args: Any, **kwargs: Any) -> Any:
        for x in args:
            advance(x)
        made = function(*args, **kwargs)
        return draws(made, args) if is_iterator(made) else made

    return consume


for _function in CONSUMERS:
    in_place_of(_function)(_consumer(REPLACEMENTS.get(_function, _function)))
