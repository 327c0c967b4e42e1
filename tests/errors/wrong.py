"""A wrong call, and what its error must say: the tables of this folder are made of these."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import TwinoarError


class Wrong(NamedTuple):
    """A call, the class of its error, and its words for what was expected and what was received."""

    call: Callable[[], object]
    error: type[TwinoarError]
    expected: str
    received: str


def ones(*shape: int, dtype: str = "float32") -> paddle.Tensor:
    return paddle.ones(shape, dtype)


def ints(*values: int) -> paddle.Tensor:
    return paddle.to_tensor(np.array(values, "int64"))


def leaf(*shape: int) -> paddle.Tensor:
    return paddle.to_tensor(np.ones(shape, "float32"), stop_gradient=False)


def raised(call: Callable[[], object]) -> TwinoarError:
    """The error of `call`; anything but a TwinoarError fails the test."""
    with pytest.raises(TwinoarError) as caught:
        call()
    return caught.value


def assert_helpful(wrong: Wrong) -> None:
    """Its class, what was expected, what was received, the line of the call, and the cure."""
    error = raised(wrong.call)
    text = str(error)
    said, _, _ = text.partition("\n  at ")  # the line that is shown has those words too
    assert type(error) is wrong.error, text
    assert wrong.expected in said, text
    assert wrong.received in said, text
    assert "\n  cure: " in said, text
    assert_shows_line(error, wrong.call)


def assert_shows_line(error: TwinoarError, call: Callable[[], object]) -> None:
    """The text names a line of `call`, and shows it."""
    code = call.__code__
    assert error.source is not None
    assert error.source.file == code.co_filename, str(error)
    assert error.source.line in lines(call), str(error)
    file, line = code.co_filename, error.source.line
    shown = Path(file).read_text(encoding="utf-8").split("\n")[line - 1].strip()
    assert f"  at {file}:{line}: {shown}" in str(error)


def lines(call: Callable[[], object]) -> set[int]:
    """The lines of a function, of the functions in it, and of those of its file that it names."""
    found: set[int] = set()
    waiting = [call.__code__]
    while waiting:
        code = waiting.pop()
        own = {line for _, _, line in code.co_lines() if line is not None}
        if own <= found:
            continue
        found |= own
        waiting += [c for c in code.co_consts if isinstance(c, CodeType)]
        named = (call.__globals__.get(name) for name in code.co_names)
        waiting += [
            f.__code__
            for f in named
            if isinstance(f, FunctionType) and f.__code__.co_filename == code.co_filename
        ]
    return found
