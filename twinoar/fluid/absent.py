"""What Paddle 1.8 had and twinoar does not: an error that says what to write instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from twinoar.errors import MissingNameError


def refusing(module: str, instead: Mapping[str, str]) -> Callable[[str], Any]:
    """A `__getattr__` for `module`: the error for a name that it lacks, with the cure.

    instead: by the name of Paddle 1.8, what to write.
    """
    public = f"paddle.{module.removeprefix('twinoar.')}"

    def __getattr__(name: str) -> Any:
        if name not in instead:
            raise AttributeError(f"module {public!r} has no attribute {name!r}")
        raise MissingNameError(f"twinoar does not have {public}.{name}", cure=instead[name])

    return __getattr__
