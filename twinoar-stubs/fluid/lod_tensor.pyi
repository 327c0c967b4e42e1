"""LoDTensor: an array whose rows are sequences one after the other, with their lengths."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.fluid import LoDTensor as LoDTensor
from twinoar.fluid import LoDTensorArray as LoDTensorArray
from twinoar.fluid import create_lod_tensor as create_lod_tensor
from twinoar.fluid import create_random_int_lodtensor as create_random_int_lodtensor
