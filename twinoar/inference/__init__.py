"""Paddle Inference: running saved models, by `Config`, `create_predictor` and handles."""

from twinoar.core.public import exported
from twinoar.inference.config import Config, PassStrategy
from twinoar.inference.elsewhere import (
    XpuConfig,
    get_trt_compile_version,
    get_trt_runtime_version,
)
from twinoar.inference.mixed_precision import convert_to_mixed_precision
from twinoar.inference.predictor import Predictor, PredictorPool, create_predictor
from twinoar.inference.tensor import Tensor
from twinoar.inference.types import (
    DataType,
    PlaceType,
    PrecisionType,
    get_num_bytes_of_data_type,
    get_version,
)

__all__ = exported(globals())
