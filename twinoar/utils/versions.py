"""Whether a version is in a range."""

from __future__ import annotations

import re
from typing import Any

from twinoar import version
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError

VERSION = re.compile(r"\d+(\.\d+){0,3}")


def require_version(min_version: str, max_version: str | None = None) -> None:
    """Raise UnsupportedError unless the version of Paddle whose API twinoar has is in the range.

    Raises TypeMismatchError or ArgumentError for what is no version.

    >>> require_version("2.0.0")
    """
    require(version.full_version, min_version, max_version, "see twinoar --version")


def require(served: str, min_version: str, max_version: str | None, cure: str) -> None:
    """Raise UnsupportedError, with `cure`, unless `served` is in the range."""
    least = numbers("min_version", min_version)
    most = None if max_version is None else numbers("max_version", max_version)
    own = numbers("", served)
    if own < least or (most is not None and own > most):
        wanted = f"{min_version} or newer"
        if max_version is not None:
            wanted = f"{min_version}-{max_version}"
        raise UnsupportedError(f"the names are of Paddle {served}, wanted is {wanted}", cure=cure)


def numbers(name: str, text: Any) -> tuple[int, ...]:
    """The parts of a version, of which there are four."""
    if not isinstance(text, str):
        raise TypeMismatchError(f"{name} must be a string, received {type(text).__name__}")
    if not VERSION.fullmatch(text):
        raise ArgumentError(
            f"{name} must be numbers with dots between, received {text!r}", cure="write '1.8.0'"
        )
    found = [int(part) for part in text.split(".")]
    return tuple(found + [0] * (4 - len(found)))
