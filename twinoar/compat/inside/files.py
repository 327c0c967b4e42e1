"""What programs import from `paddle.framework.io` and `io_utils`, beside `save` and `load`."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from twinoar.core.ir.program import Variable
from twinoar.static.io import is_persistable
from twinoar.static.scope import global_scope


def is_parameter(var: Any) -> bool:
    """True for a parameter."""
    return bool(getattr(var, "is_parameter", False))


def is_belong_to_optimizer(var: Any) -> bool:
    """True for a state of a Program that no parameter and no input is: moments, rates."""
    return is_persistable(var) and not is_parameter(var)


def _is_file_path(path: Any) -> bool:
    """True for what names a file."""
    return isinstance(path, str)


def _is_memory_buffer(buffer: Any) -> bool:
    """True for what holds bytes in memory."""
    return isinstance(buffer, io.BytesIO)


@contextmanager
def _open_file_buffer(path_or_buffer: Any, mode: str) -> Iterator[Any]:
    """A file that is open within the block; a buffer is taken as it is."""
    if _is_memory_buffer(path_or_buffer):
        yield path_or_buffer
        return
    with Path(path_or_buffer).open(mode) as file:
        yield file


__all__ = ["Variable", "global_scope", "is_belong_to_optimizer", "is_parameter", "is_persistable"]
