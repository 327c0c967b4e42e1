"""When not to look for garbage: while much is made that stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Within the block Python does not look for cycles of garbage.

    Each of its searches goes through what was made since, and some through all there is, so to make
    100,000 objects that stay takes half as long again. References are counted all the same.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
