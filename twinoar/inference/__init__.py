"""Paddle Inference: running saved models, by `Config`, `create_predictor` and handles."""

from twinoar.inference.config import Config, PassStrategy
from twinoar.inference.predictor import Predictor, PredictorPool, create_predictor
from twinoar.inference.tensor import Tensor
from twinoar.inference.types import (
    DataType,
    PlaceType,
    PrecisionType,
    get_num_bytes_of_data_type,
    get_version,
)

__all__ = [
    "Config",
    "DataType",
    "PassStrategy",
    "PlaceType",
    "PrecisionType",
    "Predictor",
    "PredictorPool",
    "Tensor",
    "create_predictor",
    "get_num_bytes_of_data_type",
    "get_version",
]
