"""Many tensors laid side by side: a copy of each, where an element would have to ask them all."""

from __future__ import annotations

from collections.abc import Sequence

from twinoar.core.loop.procedure import Array, Launcher, procedure

MOST_PARTS = 8  # an element joined from more would read too many operands for the one it is


def join(p: Launcher, out: Array, parts: Sequence[Array]) -> None:
    """Launch parts, [before,n,after] each, into `out`, [before,N,after], one behind the other."""
    first, (before, whole, after) = 0, out.shape
    out = out.reshape(before, whole * after)
    for part in parts:
        width = part.shape[1] * after
        if part.size:
            p.launch(_laid, before, out, part.reshape(before, width), first, work=part.size)
        first += width


@procedure
def _laid(b, out, part, first):
    for k in range(part.shape[1]):
        out[b, first + k] = part[b, k]
