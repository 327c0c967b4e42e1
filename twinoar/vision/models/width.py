"""Numbers of channels of networks that can be made wider or narrower."""

from __future__ import annotations

DIVISOR = 8
LEAST_SHARE = 0.9  # of the width asked for that rounding leaves at least


def rounded(channels: float) -> int:
    """`channels` as a multiple of 8, at least 8 and not much less than asked for."""
    nearest = max(DIVISOR, int(channels + DIVISOR / 2) // DIVISOR * DIVISOR)
    return nearest if nearest >= LEAST_SHARE * channels else nearest + DIVISOR
