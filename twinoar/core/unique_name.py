"""Names nobody else has in this process: `linear_0`, `linear_0.w_0`, `linear_1`, ..."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from twinoar.errors import TypeMismatchError


class NameGenerator:
    """Numbers the names of each key, and puts `prefix` before them."""

    def __init__(self, prefix: str = ""):
        self.prefix = prefix
        self._counts: dict[str, count[int]] = {}

    def __call__(self, key: str) -> str:
        """`key` with its next number."""
        return f"{self.prefix}{key}_{next(self._counts.setdefault(key, count()))}"


_current = NameGenerator()


def generate(key: str) -> str:
    """A name that begins with `key` and ends with a number, another one on every call.

    >>> from twinoar.utils import unique_name
    >>> with unique_name.guard():
    ...     unique_name.generate("fc"), unique_name.generate("fc")
    ('fc_0', 'fc_1')
    """
    return _current(key)


def switch(new_generator: NameGenerator | None = None) -> NameGenerator:
    """Make `new_generator`, or a fresh one, make all names from now on. Returns the one before.

    >>> from twinoar.utils import unique_name
    >>> before = unique_name.switch()
    >>> unique_name.generate("fc")
    'fc_0'
    >>> _ = unique_name.switch(before)
    """
    global _current
    before = _current
    _current = NameGenerator() if new_generator is None else new_generator
    return before


@contextmanager
def guard(new_generator: NameGenerator | str | bytes | None = None) -> Iterator[None]:
    """Number names from 0 again in this block, under a prefix where a string is given.

    Raises TypeMismatchError for anything but a string, a generator or None.

    >>> from twinoar.utils import unique_name
    >>> with unique_name.guard("left_"):
    ...     unique_name.generate("fc")
    'left_fc_0'
    """
    if isinstance(new_generator, bytes):
        new_generator = new_generator.decode()
    if isinstance(new_generator, str):
        new_generator = NameGenerator(new_generator)
    if new_generator is not None and not isinstance(new_generator, NameGenerator):
        kind = type(new_generator).__name__
        raise TypeMismatchError(
            f"new_generator must be a string or a name generator, received {kind}"
        )
    before = switch(new_generator)
    try:
        yield
    finally:
        switch(before)
