"""How parameters start: what `ParamAttr(initializer=...)` takes."""

# Written by tools/stubs.py.

import builtins
import twinoar
import twinoar.nn.initializer
from typing import Any, Literal, overload

import numpy as _numpy

class Assign(twinoar.nn.initializer.Initializer):
    """The numbers of an ndarray, a nested list or a tensor."""
    def __init__(self, value: Any, name: builtins.str | None = None) -> None: ...
    def make(self, spec: Any) -> Any:
        """A value of `spec`."""
    value: Any
class Bilinear(twinoar.nn.initializer.Initializer):
    """A transposed convolution that enlarges images: [out,in,K,K], each kernel the same."""
    def make(self, spec: Any) -> twinoar.Tensor:
        """A value of `spec`."""
class Constant(twinoar.nn.initializer.Initializer):
    """One number everywhere."""
    def __init__(self, value: Any = ...) -> None: ...
    def make(self, spec: Any) -> twinoar.Tensor:
        """A value of `spec`."""
    value: builtins.float
class Dirac(twinoar.nn.initializer.Initializer):
    """A convolution that passes its input through: [out,in,*kernel] with ones in the middle."""
    def __init__(self, groups: Any = 1, name: builtins.str | None = None) -> None: ...
    def make(self, spec: Any) -> twinoar.Tensor:
        """A value of `spec`."""
    groups: builtins.int
class Initializer:
    """Makes the first value of a parameter; subclasses define `make(spec)`, of ordinary operators."""
    def __call__(self, target: Any, block: Any = None) -> Any:
        """The first value of a parameter of spec `target`; or fill the parameter `target`."""
    def make(self, spec: Any) -> Any:
        """A value of `spec`."""
class KaimingNormal(twinoar.nn.initializer.Initializer):
    """Normal numbers of standard deviation gain / sqrt(fan_in), gain sqrt(2) for relu."""
    def make(self, spec: Any) -> twinoar.Tensor:
        """A value of `spec`."""
    def __init__(self, fan_in: Any = None, negative_slope: Any = ..., nonlinearity: builtins.str = 'relu', mode: Literal['fan_in', 'fan_out'] = 'fan_in') -> None: ...
    def deviation(self, spec: Any) -> builtins.float:
        """Standard deviation for a weight of `spec`."""
    fan_in: builtins.float | None
    mode: Literal['fan_in', 'fan_out']
    gain: Any
class KaimingUniform(twinoar.nn.initializer.Initializer):
    """Uniform numbers within gain sqrt(3 / fan_in) of zero, gain sqrt(2) for relu."""
    def make(self, spec: Any) -> twinoar.Tensor:
        """A value of `spec`."""
    def __init__(self, fan_in: Any = None, negative_slope: Any = ..., nonlinearity: builtins.str = 'relu', mode: Literal['fan_in', 'fan_out'] = 'fan_in') -> None: ...
    def deviation(self, spec: Any) -> builtins.float:
        """Standard deviation for a weight of `spec`."""
    fan_in: builtins.float | None
    mode: Literal['fan_in', 'fan_out']
    gain: Any
class Normal(twinoar.nn.initializer.Initializer):
    """Normal numbers of that mean and standard deviation."""
    def __init__(self, mean: Any = ..., std: Any = ..., name: builtins.str | None = None) -> None: ...
    def make(self, spec: Any) -> twinoar.Tensor:
        """A value of `spec`."""
    mean: builtins.float
    std: builtins.float
class Orthogonal(twinoar.nn.initializer.Initializer):
    """Rows, or columns where there are fewer, that are orthogonal, `gain` long each."""
    def __init__(self, gain: Any = ..., name: builtins.str | None = None) -> None: ...
    def make(self, spec: Any) -> Any:
        """A value of `spec`."""
    gain: builtins.float
class TruncatedNormal(twinoar.nn.initializer.Initializer):
    """Normal numbers drawn from what lies in [a, b] only."""
    def __init__(self, mean: Any = ..., std: Any = ..., a: Any = ..., b: Any = ..., name: builtins.str | None = None) -> None: ...
    def make(self, spec: Any) -> Any:
        """A value of `spec`."""
    mean: builtins.float
    std: builtins.float
    a: builtins.float
    b: builtins.float
class Uniform(twinoar.nn.initializer.Initializer):
    """Uniform numbers in [low, high)"""
    def __init__(self, low: Any = ..., high: Any = ..., name: builtins.str | None = None) -> None: ...
    def make(self, spec: Any) -> twinoar.Tensor:
        """A value of `spec`."""
    low: builtins.float
    high: builtins.float
class XavierNormal(twinoar.nn.initializer.Initializer):
    """Normal numbers of standard deviation gain sqrt(2 / (fan_in + fan_out))."""
    def make(self, spec: Any) -> twinoar.Tensor:
        """A value of `spec`."""
    def __init__(self, fan_in: Any = None, fan_out: Any = None, gain: Any = ..., name: builtins.str | None = None) -> None: ...
    def deviation(self, spec: Any) -> builtins.float:
        """Standard deviation for a weight of `spec`."""
    fan_in: builtins.float | None
    fan_out: builtins.float | None
    gain: builtins.float
class XavierUniform(twinoar.nn.initializer.Initializer):
    """Uniform numbers within gain sqrt(6 / (fan_in + fan_out)) of zero."""
    def make(self, spec: Any) -> twinoar.Tensor:
        """A value of `spec`."""
    def __init__(self, fan_in: Any = None, fan_out: Any = None, gain: Any = ..., name: builtins.str | None = None) -> None: ...
    def deviation(self, spec: Any) -> builtins.float:
        """Standard deviation for a weight of `spec`."""
    fan_in: builtins.float | None
    fan_out: builtins.float | None
    gain: builtins.float
@overload
def calculate_gain(nonlinearity: builtins.str, param: Any = None) -> builtins.float:
    """The factor on the standard deviation of weights before `nonlinearity`."""
@overload
def calculate_gain(*args: Any, nonlinearity: Any = ..., param: Any = ..., out: Any = ...) -> builtins.float: ...
from twinoar.fluid.initializer import set_global_initializer as set_global_initializer
