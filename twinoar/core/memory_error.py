"""What to say where memory ran out, or can never be enough: what was wanted, and where."""

from __future__ import annotations

import math
from collections.abc import Sequence

from twinoar.core.spec import Spec
from twinoar.errors import OutOfMemoryError

ADDRESSABLE_BYTES = 1 << 62  # more than any machine has, and less than sizes in 64 bits wrap at
UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB")


def bytes_of(spec: Spec) -> int:
    """The bytes that a tensor of known sizes has; 0 where a size is not known."""
    sizes = [d for d in spec.shape if isinstance(d, int)]
    if len(sizes) != len(spec.shape) or any(d < 0 for d in sizes):
        return 0
    return math.prod(sizes) * spec.dtype.itemsize


def lack_of_memory(error: BaseException, specs: Sequence[Spec | None]) -> OutOfMemoryError | None:
    """What to raise for an `error` of NumPy's where memory is what lacks; None for others.

    specs: of the results that were to be computed.
    """
    wanted = max((s for s in specs if s is not None), key=bytes_of, default=None)
    if isinstance(error, OutOfMemoryError):
        return error
    if isinstance(error, MemoryError):
        return no_memory_for(wanted, getattr(error, "_total_size", 0))
    if wanted is not None and isinstance(error, (ValueError, OverflowError)):
        return no_memory_for(wanted) if bytes_of(wanted) >= ADDRESSABLE_BYTES else None
    return None


def no_memory_for(spec: Spec | None, size_bytes: int = 0) -> OutOfMemoryError:
    """The error that says what has no memory.

    size_bytes: what was asked for on the way to a result of `spec`, where that is known.
    """
    size_bytes = int(size_bytes)
    own = 0 if spec is None else bytes_of(spec)
    said = f"{shown(size_bytes or own)}" if size_bytes or own else "what it needs"
    if spec is None:
        return OutOfMemoryError(f"there is no memory for {said}")
    if size_bytes > 2 * own:
        return OutOfMemoryError(f"there is no memory for {said}, to compute {spec}")
    return OutOfMemoryError(f"there is no memory for {said}: {spec}")


def shown(size_bytes: int) -> str:
    """A number of bytes as people read it."""
    power = min(max(size_bytes.bit_length() - 1, 0) // 10, len(UNITS) - 1)
    return f"{size_bytes / (1 << 10 * power):.4g} {UNITS[power]}"
