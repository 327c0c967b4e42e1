"""A decorator for functions that will go: it says so when they are called, and in their help."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from twinoar.errors import ArgumentError, UnsupportedError

T = TypeVar("T", bound=Callable[..., Any])
LEVELS = (0, 1, 2)


def deprecated(
    update_to: str = "", since: str = "", reason: str = "", level: int = 0
) -> Callable[[T], T]:
    """Mark a function as deprecated, in its docstring and when it is called.

    update_to: what to use instead. since: the version. reason: why. level: 0 says it in the
    docstring alone, 1 warns at each call, 2 raises UnsupportedError there. A class stays as it is.

    >>> @deprecated(update_to="new", since="2.0")
    ... def old():
    ...     return 1
    >>> old()
    1
    >>> "deprecated since 2.0" in old.__doc__
    True
    """
    if level not in LEVELS:
        raise ArgumentError(f"level must be 0, 1 or 2, received {level!r}")

    def mark(function: T) -> T:
        if inspect.isclass(function):
            return function
        name = f"{function.__module__}.{function.__name__}"
        told = f"{name} is deprecated" + (f" since {since}" if since else "")
        cure = f"use {update_to}" if update_to else None
        told += f"; {cure}" if cure else ""
        told += f": {reason}" if reason else ""

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if level == 2:
                raise UnsupportedError(told, cure=cure)
            if level == 1:
                warnings.warn(told, DeprecationWarning, stacklevel=2)
            return function(*args, **kwargs)

        call.__doc__ = f"Warning: {told}\n\n{inspect.getdoc(function) or ''}".rstrip()
        return call  # type: ignore[return-value]

    return mark
