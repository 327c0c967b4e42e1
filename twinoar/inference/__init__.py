"""Paddle Inference: running saved models, by `Config`, `create_predictor` and handles."""

import importlib
from typing import Any

from twinoar.core.public import exported
from twinoar.inference.config import Config, PassStrategy
from twinoar.inference.elsewhere import (
    XpuConfig,
    get_trt_compile_version,
    get_trt_runtime_version,
)
from twinoar.inference.predictor import Predictor, PredictorPool, create_predictor
from twinoar.inference.tensor import Tensor
from twinoar.inference.types import (
    DataType,
    PlaceType,
    PrecisionType,
    get_num_bytes_of_data_type,
    get_version,
)

# It rewrites models, which whoever runs one does not; what it imports takes as long as the rest.
LAZY = {"convert_to_mixed_precision": "twinoar.inference.mixed_precision"}


def __getattr__(name: str) -> Any:
    if name in LAZY:
        return getattr(importlib.import_module(LAZY[name]), name)
    raise AttributeError(f"module 'twinoar.inference' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = exported(globals(), *LAZY)
