"""Which kernels may compute attention: Paddle's switches, of which one way is here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum

from twinoar.errors import ArgumentError, UnsupportedError


class SDPBackend(IntEnum):
    """Ways to compute attention. MATH stands for what is here, whose way the length decides."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2


@contextmanager
def sdpa_kernel(
    backends: Sequence[SDPBackend] | SDPBackend, set_priority: bool = False
) -> Iterator[None]:
    """Within it attention is computed in one of these ways; also a decorator.

    backends: one or several, MATH among them. set_priority: accepted. Raises ArgumentError for what
    is no backend, UnsupportedError without MATH.

    >>> from twinoar.nn.attention import SDPBackend, sdpa_kernel
    >>> q = twinoar.ones([1, 2, 1, 4])
    >>> with sdpa_kernel([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH]):
    ...     twinoar.nn.functional.scaled_dot_product_attention(q, q, q).shape
    [1, 2, 1, 4]
    """
    chosen = [backends] if isinstance(backends, SDPBackend) else backends
    if not isinstance(chosen, (list, tuple)) or not chosen:
        raise ArgumentError(f"backends must be one SDPBackend or several, received {backends!r}")
    for backend in chosen:
        if not isinstance(backend, SDPBackend):
            raise ArgumentError(f"{backend!r} is no SDPBackend", cure="such as SDPBackend.MATH")
    if SDPBackend.MATH not in chosen:
        raise UnsupportedError(
            f"attention is computed by SDPBackend.MATH alone, received {list(chosen)}",
            cure="name SDPBackend.MATH too",
        )
    yield


@contextmanager
def sdp_kernel(
    enable_math: bool = False, enable_flash: bool = True, enable_mem_efficient: bool = True
) -> Iterator[None]:
    """`sdpa_kernel` by a switch for each way.

    Raises UnsupportedError without enable_math.
    """
    switches = enable_math, enable_flash, enable_mem_efficient
    ways = SDPBackend.MATH, SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION
    with sdpa_kernel([way for way, on in zip(ways, switches, strict=True) if on]):
        yield
