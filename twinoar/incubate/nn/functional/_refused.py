"""What fused functions do not take: numbers of 8 bits, and parts of a model on other devices."""

from __future__ import annotations

from typing import Any

from twinoar.errors import UnsupportedError


def refuse_quantized(quant_scale: float = -1, **tensors: Any) -> None:
    """Raise UnsupportedError where a call asks for int8: by a positive scale, or by tensors."""
    given = [name for name, x in tensors.items() if x is not None]
    if quant_scale > 0:
        given.append(f"a scale of {quant_scale}")
    if given:
        raise UnsupportedError(
            f"fused functions take and return floating tensors, received {', '.join(given)}",
            cure="leave them out, and quantize before and after the call",
        )


def refuse_ring(ring_id: int, nranks: int = 1) -> None:
    """Raise UnsupportedError where a layer is to be one part of several on other devices."""
    if ring_id != -1 or nranks != 1:
        raise UnsupportedError(
            f"there is one process, received ring_id={ring_id} and nranks={nranks}",
            cure="leave out ring_id and nranks",
        )
