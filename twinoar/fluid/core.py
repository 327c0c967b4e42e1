"""The few names of `fluid.core` that scripts use: types, exceptions, devices."""

from twinoar.core.dtype import (
    bfloat16,
    bool_,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
)
from twinoar.eager.place import CPUPlace, CUDAPinnedPlace, CUDAPlace
from twinoar.eager.query import is_compiled_with_cuda
from twinoar.eager.tensor import Tensor as VarBase
from twinoar.fluid.absent import refusing
from twinoar.fluid.lod_tensor import LoDTensor, LoDTensorArray
from twinoar.static.scope import Scope


class EOFException(Exception):
    """A loader that was started has no more batches: call its `reset()`."""


class VarDesc:
    """Where Paddle 1.8 keeps the types of Variables."""

    class VarType:
        """Element types, `var.dtype == core.VarDesc.VarType.FP32`, and the kind `var.type`."""

        BOOL, FP16, BF16, FP32, FP64 = bool_, float16, bfloat16, float32, float64
        INT8, INT16, INT32, INT64, UINT8 = int8, int16, int32, int64, uint8
        LOD_TENSOR = DENSE_TENSOR = "LOD_TENSOR"
        SELECTED_ROWS = "SELECTED_ROWS"


def get_cuda_device_count() -> int:
    """The number of GPUs: 0."""
    return 0


__getattr__ = refusing(
    __name__,
    {
        "AnalysisConfig": "load the model with fluid.io.load_inference_model",
        "EnforceNotMet": "catch twinoar.errors.TwinoarError",
        "ops": "call the functions of fluid.layers",
    },
)

__all__ = [
    "CPUPlace",
    "CUDAPinnedPlace",
    "CUDAPlace",
    "EOFException",
    "LoDTensor",
    "LoDTensorArray",
    "Scope",
    "VarBase",
    "VarDesc",
    "get_cuda_device_count",
    "is_compiled_with_cuda",
]
