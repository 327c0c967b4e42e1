"""`paddle.nn.quant`: weights of 8 and 4 bits, and products with them."""

# Written by tools/stubs.py.

import builtins
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

@overload
def llm_int8_linear(x: twinoar._TensorLike, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, weight_scale: twinoar._TensorLike | None = None, threshold: Any = ...) -> twinoar.Tensor:
    """x times an int8 matrix: columns of x with large elements in floats, the others as int8, too."""
@overload
def llm_int8_linear(*args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., weight_scale: Any = ..., threshold: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., lambd: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
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
