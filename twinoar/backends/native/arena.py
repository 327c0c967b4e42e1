"""Memory that commands work in, and where memory is."""

from __future__ import annotations

import ctypes

import numpy as np

from twinoar.compile.memory import ALIGNMENT

word_at = ctypes.c_size_t.from_address


def new_arena(size_bytes: int) -> np.ndarray:
    """Memory for values, uint8 [size_bytes]."""
    raw = np.empty(size_bytes + ALIGNMENT, np.uint8)
    start = -address_of(raw) % ALIGNMENT
    return raw[start : start + size_bytes]


def address_of(array: np.ndarray) -> int:
    """Where an array's data begins: what NumPy's C interface keeps first in an array."""
    address: int = word_at(id(array) + object.__basicsize__).value
    return address
