"""Whether converted functions run as Programs, or as plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from twinoar.errors import TypeMismatchError


class Switch:
    """What `enable_to_static` sets."""

    enabled = True


def enable_to_static(enable_to_static_bool: bool) -> None:
    """Turn conversion on or off for the process; off, converted functions run as plain Python.

    Raises TypeMismatchError for what is not a bool.
    """
    if not isinstance(enable_to_static_bool, bool):
        raise TypeMismatchError(
            f"expected True or False, received {enable_to_static_bool!r}", cure="pass True or False"
        )
    Switch.enabled = enable_to_static_bool


@contextmanager
def unconverted() -> Iterator[None]:
    """Converted functions run as plain Python in this block."""
    before = Switch.enabled
    Switch.enabled = False
    try:
        yield
    finally:
        Switch.enabled = before
