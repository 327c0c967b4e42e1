"""Exchange of tensors with other libraries by DLPack; data is copied, as values never change."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from twinoar.core.op.explain import told
from twinoar.eager.tensor import Tensor, to_tensor
from twinoar.errors import ArgumentError, DTypeError, TypeMismatchError


class DLDeviceType(IntEnum):
    """Kinds of devices, and their numbers in DLPack.

    >>> DLDeviceType.kDLCPU.value
    1
    """

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLROCM = 10
    kDLROCMHost = 11
    kDLExtDev = 12
    kDLCUDAManaged = 13
    kDLOneAPI = 14


CPU = (DLDeviceType.kDLCPU.value, 0)  # kDLCPU, the only device of this version


class _Holder:
    """A capsule in the form that NumPy takes."""

    def __init__(self, capsule: Any):
        self.capsule = capsule

    def __dlpack__(self, **kwargs: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return CPU


@told
def to_dlpack(x: Tensor) -> Any:
    """A DLPack capsule of a copy of x, to be used once.

    Raises TypeMismatchError for what is not a Tensor, DTypeError for bfloat16.

    >>> capsule = to_dlpack(twinoar.to_tensor([1.0, 2.0]))
    >>> from_dlpack(capsule).tolist()
    [1.0, 2.0]
    """
    if not isinstance(x, Tensor):
        raise TypeMismatchError(f"expected a Tensor, received {type(x).__name__}")
    return x.__dlpack__()


@told
def from_dlpack(dlpack: Any, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A tensor with a copy of what a DLPack capsule, or an object with `__dlpack__`, holds.

    device: where the tensor lies. Raises TypeMismatchError for anything else, ArgumentError for a
    device that there is not and for copy=False: nobody else can write the data of a tensor.

    >>> import numpy
    >>> from_dlpack(numpy.array([1, 2])).tolist()
    [1, 2]
    """
    if copy is False:
        raise ArgumentError("from_dlpack always copies", cure="leave out copy=False")
    is_capsule = type(dlpack).__name__ == "PyCapsule"
    if not is_capsule and not hasattr(dlpack, "__dlpack__"):
        raise TypeMismatchError(
            f"expected a DLPack capsule or an object with __dlpack__, "
            f"received {type(dlpack).__name__}"
        )
    try:
        array = np.from_dlpack(_Holder(dlpack) if is_capsule else dlpack)
    except BufferError as error:
        raise DTypeError(f"the data cannot be exchanged: {error}", cure="pass numbers") from error
    return to_tensor(array.copy(), place=device)


__all__ = ["DLDeviceType", "from_dlpack", "to_dlpack"]
