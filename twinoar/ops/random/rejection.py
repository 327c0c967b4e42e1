"""Draws that reject some numbers, of NumPy's arrays: tries, one after the other.

What a try is stands in `twinoar.core.loop.rejection`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.core.loop.philox import Wide
from twinoar.ops.random.philox import TRY, blocks_at


def tries(
    key: np.ndarray, elements: np.ndarray, blocks: int, attempt: Callable[..., np.ndarray]
) -> np.ndarray:
    """What the first try gives that is not rejected, for each of the elements of a draw.

    blocks: of a try. attempt: (which of `elements`, the wide words of each block) -> numbers.
    """
    out = np.full(elements.shape, -1.0)
    left, at = np.arange(elements.size), 1
    with np.errstate(all="ignore"):
        while left.size:
            taken = [wides(key, elements[left] + (at + n) * TRY) for n in range(blocks)]
            out[left] = attempt(left, *taken)
            left, at = left[out[left] < 0], at + blocks
    return out


def steps(u: np.ndarray, chance: np.ndarray, ratio: Callable[[Any], Any], most: Any) -> np.ndarray:
    """The first k, up to `most`, at which the probabilities of 0 to k make up more than u.

    chance: of 0. ratio: how much likelier k is than k - 1.
    """
    count = np.zeros(u.shape)
    with np.errstate(all="ignore"):
        while (goes_on := (u >= chance) & (count < most)).any():
            count = count + goes_on
            u = np.where(goes_on, u - chance, u)
            chance = np.where(goes_on, chance * ratio(count), chance)
    return count


def wides(key: np.ndarray, blocks: np.ndarray) -> tuple[Wide, Wide]:
    """The two wide words of each block."""
    a, b, c, d = blocks_at(key, blocks).astype(np.int64)
    return Wide(a, b), Wide(c, d)
