"""`match`, which Python itself does: only plain values can decide it."""

from __future__ import annotations

from typing import Any

from twinoar.core.interpreter import current
from twinoar.errors import ConversionError
from twinoar.jit.runtime.lists import flatten
from twinoar.jit.runtime.merge import described, is_symbolic
from twinoar.jit.runtime.truth import condition


def subject(x: Any) -> Any:
    """What is matched. Raises ConversionError where it holds what only a run knows."""
    for leaf in flatten(x)[0]:
        if is_symbolic(leaf) and not current().runs:
            raise ConversionError(
                f"match is done before a run, and what it matches holds {described(leaf)}",
                cure="use if and elif, or isinstance()",
            )
    return x


def guard(x: Any) -> Any:
    """The condition of a case."""
    return subject(condition(x))
