"""What Paddle's C++ part tells: what it was built with, kinds of types, and switches."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from twinoar.backends.onednn.library import available as has_onednn
from twinoar.compat.inside.framework import EagerParamBase
from twinoar.core.dtype import DType
from twinoar.core.ir.program import Variable
from twinoar.device import is_compiled_with_custom_device
from twinoar.eager.place import IPUPlace, Place, XPUPinnedPlace, XPUPlace
from twinoar.eager.tensor import Tensor
from twinoar.fluid.lod_tensor import LoDTensor

DenseTensor, DataType = LoDTensor, DType
eager = SimpleNamespace(Tensor=Tensor, EagerParamBase=EagerParamBase)
Value = Variable  # what a PIR Program has for a Variable

# What Paddle may be built with, and this is not.
WITHOUT = (
    "brpc", "cinn", "cuda", "cudnn_frontend", "deepep", "dist", "distribute", "flagcx", "ipu",
    "mlu", "mpi", "mpi_aware", "nccl", "npu", "rocm", "xpu",
)  # fmt: skip


def _lacking(part: str) -> Any:
    def is_compiled_with() -> bool:
        return False

    is_compiled_with.__name__ = is_compiled_with.__qualname__ = f"is_compiled_with_{part}"
    is_compiled_with.__doc__ = f"False: there is no {part}."
    return is_compiled_with


globals().update({f"is_compiled_with_{part}": _lacking(part) for part in WITHOUT})


def is_compiled_with_onednn() -> bool:
    """True where oneDNN is installed."""
    return has_onednn()


is_compiled_with_mkldnn = is_compiled_with_onednn


def is_bfloat16_supported(place: Any = None) -> bool:
    """True: all operators take bfloat16."""
    return True


def is_float16_supported(place: Any = None) -> bool:
    """True: all operators take float16."""
    return True


def get_cuda_device_count() -> int:
    """The number of GPUs: 0."""
    return 0


def set_prim_eager_enabled(enabled: bool) -> None:
    """Nothing changes: operators have derivatives of any order without being taken apart."""


_set_prim_all_enabled = set_prim_forward_enabled = set_prim_eager_enabled
_set_prim_forward_enabled = _set_prim_backward_enabled = set_prim_eager_enabled


__all__ = [
    "DataType",
    "DenseTensor",
    "IPUPlace",
    "Place",
    "XPUPinnedPlace",
    "XPUPlace",
    "eager",
    "get_cuda_device_count",
    "is_bfloat16_supported",
    "is_compiled_with_custom_device",
    "is_compiled_with_mkldnn",
    "is_compiled_with_onednn",
    "is_float16_supported",
    "set_prim_eager_enabled",
    *(f"is_compiled_with_{part}" for part in WITHOUT),
]
