"""The few names of `fluid.core` that scripts use: types, exceptions, devices."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar import CPUPlace as CPUPlace
from twinoar import CUDAPinnedPlace as CUDAPinnedPlace
from twinoar import CUDAPlace as CUDAPlace
class EOFException(builtins.Exception):
    """A loader that was started has no more batches: call its `reset()`."""
from twinoar.fluid import LoDTensor as LoDTensor
from twinoar.fluid import LoDTensorArray as LoDTensorArray
from twinoar.fluid import Scope as Scope
from twinoar import Tensor as VarBase
class VarDesc:
    """Where Paddle 1.8 keeps the types of Variables."""
    VarType: Any
def get_cuda_device_count() -> builtins.int:
    """The number of GPUs: 0."""
from twinoar import is_compiled_with_cuda as is_compiled_with_cuda
