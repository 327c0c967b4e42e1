"""Names of Paddle Inference for other engines and devices."""

from __future__ import annotations

from twinoar.core.public import declared
from twinoar.device.absent import refusals

XpuConfig = refusals("paddle.inference", "an XPU", "XpuConfig")["XpuConfig"]


def get_trt_compile_version() -> tuple[int, int, int]:
    """The version of TensorRT that this was built with: none, (0, 0, 0).

    >>> get_trt_compile_version()
    (0, 0, 0)
    """
    return (0, 0, 0)


def get_trt_runtime_version() -> tuple[int, int, int]:
    """The version of TensorRT that is there: none, (0, 0, 0)."""
    return (0, 0, 0)


__all__ = declared(globals(), "XpuConfig")
