"""Names of Paddle Inference for other engines and devices."""

from __future__ import annotations

from typing import Any, NoReturn

from twinoar.core.public import declared
from twinoar.device.absent import refusals
from twinoar.errors import UnsupportedError

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


def convert_to_mixed_precision(
    model_file: str,
    params_file: str,
    mixed_model_file: str,
    mixed_params_file: str,
    mixed_precision: Any,
    backend: Any,
    keep_io_types: bool = True,
    black_list: Any = (),
    **kwargs: Any,
) -> NoReturn:
    """Raises UnsupportedError: models are not made to compute in lower precision."""
    raise UnsupportedError(
        "convert_to_mixed_precision is not served: models compute in the precision they have",
        cure="run the model as it is: create_predictor(Config(model_file, params_file))",
    )


__all__ = declared(globals(), "XpuConfig")
