"""`paddle.nn.quant`: layers of rounded values, weights of few bits and products with them."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.nn
import twinoar.nn.quant
from typing import Any, Literal, overload

import numpy as _numpy

class FloatFunctionalLayer(twinoar.nn.Layer):
    """A function as a layer: what it is called with are the arguments of the function."""
    def __init__(self) -> None: ...
    def forward(self, *operands: Any, **options: Any) -> Any:
        """What the function returns."""
    function: collections.abc.Callable
class QuantStub(twinoar.nn.Layer):
    """Leaves values as they are, and keeps a moving average of their largest magnitudes."""
    def __init__(self, name: builtins.str | None = None, moving_rate: Any = ..., dtype: Any = 'float32', reduce_type: builtins.str | None = None) -> None: ...
    def forward(self, input: Any) -> Any:
        """x."""
class Stub(twinoar.nn.Layer):
    """A layer that leaves x as it is; quantizing a network puts a quanter in its place."""
    def __init__(self, observer: Any = None) -> None: ...
    def forward(self, input: Any) -> Any:
        """x."""
class add(twinoar.nn.quant.FloatFunctionalLayer):
    """x + y."""
    @overload
    @staticmethod
    def function(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None, *, alpha: Any = 1) -> twinoar.Tensor:
        """x + y."""
    @overload
    @staticmethod
    def function(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., alpha: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
class concat(twinoar.nn.quant.FloatFunctionalLayer):
    """A list of tensors, one behind the other along an axis."""
    @overload
    @staticmethod
    def function(x: collections.abc.Sequence[twinoar._TensorLike], axis: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
        """The tensors of x joined along an axis they have."""
    @overload
    @staticmethod
    def function(*args: Any, x: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
class divide(twinoar.nn.quant.FloatFunctionalLayer):
    """x / y."""
    @overload
    @staticmethod
    def function(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None, *, rounding_mode: Literal['floor', 'trunc'] | None = None) -> twinoar.Tensor:
        """x / y, element by element; integers are divided as the default floating dtype."""
    @overload
    @staticmethod
    def function(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., rounding_mode: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
class flatten(twinoar.nn.quant.FloatFunctionalLayer):
    """x with some dimensions as one."""
    @overload
    @staticmethod
    def function(x: twinoar._TensorLike, start_axis: Any = 0, stop_axis: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with the axes from start_axis to stop_axis, both included, made one."""
    @overload
    @staticmethod
    def function(*args: Any, x: Any = ..., start_axis: Any = ..., stop_axis: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., end_dim: Any = ..., input: Any = ..., obj: Any = ..., start_dim: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def llm_int8_linear(x: twinoar._TensorLike, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, weight_scale: twinoar._TensorLike | None = None, threshold: Any = ...) -> twinoar.Tensor:
    """x times an int8 matrix: columns of x with large elements in floats, the others as int8, too."""
@overload
def llm_int8_linear(*args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., weight_scale: Any = ..., threshold: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., lambd: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
class matmul(twinoar.nn.quant.FloatFunctionalLayer):
    """The product of matrices."""
    @overload
    @staticmethod
    def function(x: twinoar._TensorLike, y: twinoar._TensorLike, transpose_x: builtins.bool = False, transpose_y: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The matrix product of x and y."""
    @overload
    @staticmethod
    def function(*args: Any, x: Any = ..., y: Any = ..., transpose_x: Any = ..., transpose_y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
class multiply(twinoar.nn.quant.FloatFunctionalLayer):
    """x * y."""
    @overload
    @staticmethod
    def function(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x * y, element by element."""
    @overload
    @staticmethod
    def function(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import qat as qat
from . import quant_layers as quant_layers
class reshape(twinoar.nn.quant.FloatFunctionalLayer):
    """x in another shape."""
    @overload
    @staticmethod
    def function(x: twinoar._TensorLike, shape: Any, *more: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """The elements of x, in order, under another shape."""
    @overload
    @staticmethod
    def function(*args: Any, x: Any = ..., shape: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
class subtract(twinoar.nn.quant.FloatFunctionalLayer):
    """x - y."""
    @overload
    @staticmethod
    def function(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None, *, alpha: Any = 1) -> twinoar.Tensor:
        """x - y."""
    @overload
    @staticmethod
    def function(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., alpha: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
class transpose(twinoar.nn.quant.FloatFunctionalLayer):
    """x with its dimensions in another order."""
    @overload
    @staticmethod
    def function(x: twinoar._TensorLike, perm: Any, *more: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with its axes reordered: axis i of the result is axis perm[i] of x."""
    @overload
    @staticmethod
    def function(*args: Any, x: Any = ..., perm: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., dim0: Any = ..., dim1: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def weight_dequantize(x: twinoar._TensorLike, scale: twinoar._TensorLike, algo: builtins.str = 'weight_only_int8', out_dtype: Any = 'float16', group_size: Any = -1) -> twinoar.Tensor:
    """The matrix [K,N] that `weight_quantize` made integers of, in a dtype."""
@overload
def weight_dequantize(*args: Any, x: Any = ..., scale: Any = ..., algo: Any = ..., out_dtype: Any = ..., group_size: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def weight_only_linear(x: twinoar._TensorLike, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, weight_scale: twinoar._TensorLike | None = None, weight_dtype: Any = 'int8', arch: Any = None, group_size: Any = -1) -> twinoar.Tensor:
    """x times a matrix that `weight_quantize` made integers of, plus a bias."""
@overload
def weight_only_linear(*args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., weight_scale: Any = ..., weight_dtype: Any = ..., arch: Any = ..., group_size: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def weight_quantize(x: twinoar._TensorLike, algo: builtins.str = 'weight_only_int8', arch: Any = None, group_size: Any = -1) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """A matrix as integers, and what they are multiplied by."""
@overload
def weight_quantize(*args: Any, x: Any = ..., algo: Any = ..., arch: Any = ..., group_size: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
