"""The numbers that codes of 4 and of 8 bits stand for, and codes in blocks with a scale each."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.ops.shape.concat import stack
from twinoar.ops.shape.reshape import reshape

# Quantiles of a normal distribution between -1 and 1, with 0 among them. Source: Dettmers et al.
# 2023, "QLoRA: Efficient Finetuning of Quantized LLMs", arXiv 2305.14314, appendix E.
NF4 = np.array(
    [
        *(-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453),
        *(-0.28444138169288635, -0.18477343022823334, -0.09105003625154495, 0.0),
        *(0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224),
        *(0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0),
    ],
    np.float32,
)
# Floats of a sign, two bits of exponent and one of mantissa, divided by the largest, 12; the code
# 1 is 1 / 16 of them, its exponent being the least.
_HALF = np.array([0.0, 0.0625, 8.0, 12.0, 4.0, 6.0, 2.0, 3.0]) / 12.0
FP4 = np.concatenate([_HALF, -_HALF]).astype(np.float32)
EXPONENTS = 7  # of the codes of 8 bits: decimal


def dynamic_codes() -> np.ndarray:
    """256 numbers from -1 to 1, near 0 the denser: float32, in order.

    Of each power of ten from 1e-6 to 1 the middles of equal parts, twice as many of each as of the
    one before, with both signs; and 0, and 1. Source: Dettmers 2016, "8-Bit Approximations for
    Parallelism in Deep Learning", arXiv 1511.04561.

    >>> codes = dynamic_codes()
    >>> len(codes), float(codes[127]), float(codes[255])
    (256, 0.0, 1.0)
    """
    found = [0.0, 1.0]
    for i in range(EXPONENTS):
        edges = np.linspace(0.1, 1.0, 2**i + 1)
        middles = (edges[:-1] + edges[1:]) / 2 * 10.0 ** (i - EXPONENTS + 1)
        found += [*middles, *-middles]
    return np.sort(np.array(found, np.float32))


def blocks_of(values: np.ndarray, size: int) -> np.ndarray:
    """Values in rows of `size`, with zeros after the last: [blocks,size], float32."""
    flat = np.asarray(values, np.float32).ravel()
    return np.pad(flat, (0, -len(flat) % size)).reshape(-1, size)


def nearest(blocks: np.ndarray, table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The codes nearest to blocks divided by their largest magnitudes, and these.

    Returns [blocks,size], uint8, and [blocks], float32.
    """
    scales = np.abs(blocks).max(axis=1)
    shares = blocks / np.where(scales == 0, 1.0, scales)[:, None]
    order = np.argsort(table, kind="stable")
    ends = (table[order][1:] + table[order][:-1]) / 2
    return order[np.searchsorted(ends, shares)].astype(np.uint8), scales


def pairs(codes: np.ndarray) -> np.ndarray:
    """Codes of 4 bits, two in a byte, the first in its upper half: [count / 2], uint8."""
    flat = codes.ravel()
    flat = np.pad(flat, (0, len(flat) % 2))
    return np.asarray(flat[::2] << 4 | flat[1::2], np.uint8)


def unpaired(packed: Any) -> Any:
    """The codes in bytes: [2 n], int64, of [n]."""

    wide = packed.astype("int64")
    return reshape(stack([wide // 16, wide % 16], -1), [-1])
