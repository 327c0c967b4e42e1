"""Exchange of tensors with other libraries by DLPack; data is copied, as values never change."""

# Written by tools/stubs.py.

import builtins
import enum
from typing import Any, Literal, overload

import numpy as _numpy

class DLDeviceType(enum.IntEnum):
    """Kinds of devices, and their numbers in DLPack."""
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
from twinoar import from_dlpack as from_dlpack
from twinoar import to_dlpack as to_dlpack
