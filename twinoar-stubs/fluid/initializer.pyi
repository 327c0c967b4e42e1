"""How parameters start, by the names and arguments of Paddle 1.8."""

# Written by tools/stubs.py.

import builtins
import twinoar
import twinoar.fluid.initializer
import twinoar.nn.initializer
from typing import Any, Literal, overload

import numpy as _numpy

class Bilinear(twinoar.nn.initializer.Initializer):
    """The kernel with which a transposed convolution interpolates linearly: [out,in,k,k]."""
    def make(self, spec: Any) -> Any:
        """A value of `spec`"""
BilinearInitializer = Bilinear
class Constant(twinoar.nn.initializer.Constant):
    """One number everywhere"""
    def __init__(self, value: Any = ..., force_cpu: builtins.bool = False) -> None: ...
ConstantInitializer = Constant
class MSRA(twinoar.nn.initializer.Initializer):
    """Standard deviation sqrt(2 / fan_in), uniform or normal; see KaimingUniform."""
    def __init__(self, uniform: builtins.bool = True, fan_in: Any = None, seed: Any = 0) -> None: ...
    def make(self, spec: Any) -> twinoar.Tensor:
        """A value of `spec`."""
    uniform: builtins.bool
    seed: builtins.int
MSRAInitializer = MSRA
class Normal(twinoar.nn.initializer.Initializer):
    """Normal numbers of mean `loc` and standard deviation `scale`"""
    def __init__(self, loc: Any = ..., scale: Any = ..., seed: Any = 0) -> None: ...
    def make(self, spec: Any) -> twinoar.Tensor:
        """A value of `spec`."""
    loc: builtins.float
    scale: builtins.float
    seed: builtins.int
NormalInitializer = Normal
class NumpyArrayInitializer(twinoar.nn.initializer.Assign):
    """The numbers of an ndarray"""
class TruncatedNormal(twinoar.fluid.initializer.Normal):
    """Normal numbers at most two standard deviations away from the mean."""
    def make(self, spec: Any) -> Any:
        """A value of `spec`."""
TruncatedNormalInitializer = TruncatedNormal
class Uniform(twinoar.nn.initializer.Initializer):
    """Uniform numbers in [low, high)."""
    def __init__(self, low: Any = ..., high: Any = ..., seed: Any = 0, diag_num: Any = 0, diag_step: Any = 0, diag_val: Any = ...) -> None: ...
    def make(self, spec: Any) -> twinoar.Tensor:
        """A value of `spec`."""
    low: builtins.float
    high: builtins.float
    seed: builtins.int
UniformInitializer = Uniform
class Xavier(twinoar.nn.initializer.Initializer):
    """Standard deviation sqrt(2 / (fan_in + fan_out)), uniform or normal; see XavierUniform."""
    def __init__(self, uniform: builtins.bool = True, fan_in: Any = None, fan_out: Any = None, seed: Any = 0) -> None: ...
    def make(self, spec: Any) -> twinoar.Tensor:
        """A value of `spec`."""
    uniform: builtins.bool
    seed: builtins.int
XavierInitializer = Xavier
@overload
def set_global_initializer(weight_init: twinoar.nn.initializer.Initializer | None, bias_init: twinoar.nn.initializer.Initializer | None = None) -> None:
    """Let all parameters made from now on start so, but those whose ParamAttr says otherwise."""
@overload
def set_global_initializer(*args: Any, weight_init: Any = ..., bias_init: Any = ..., out: Any = ...) -> None: ...
