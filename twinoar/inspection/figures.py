"""Numbers as a page shows them: times, sizes, rates."""

from __future__ import annotations

KIBI, MEBI = 1 << 10, 1 << 20


def time_of(seconds: float) -> str:
    """`12.3 µs`, or milliseconds where there are some."""
    micro = seconds * 1e6
    return f"{micro / 1e3:.2f} ms" if micro >= 1000 else f"{micro:.1f} µs"


def size_of(count: float) -> str:
    """`1.5 KiB`, of bytes."""
    if count >= MEBI:
        return f"{count / MEBI:.1f} MiB"
    return f"{count / KIBI:.1f} KiB" if count >= KIBI else f"{count:.0f} B"


def rate_of(amount: float, seconds: float, unit: str) -> str:
    """So much a second, in billions; nothing where no time went by."""
    return f"{amount / seconds / 1e9:.1f} {unit}" if seconds else ""
