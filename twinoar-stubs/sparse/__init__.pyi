"""Sparse tensors: positions and values (COO), or matrices row by row (CSR)."""

# Written by tools/stubs.py.

import abc
import builtins
import collections.abc
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

@overload
def abs(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`abs` of each element that x holds, in the places of x."""
@overload
def abs(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def add(x: abc.ABC, y: abc.ABC, name: builtins.str | None = None) -> Any:
    """x + y, of one shape: an element wherever one of them has one."""
@overload
def add(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> Any: ...
@overload
def addmm(input: Any, x: Any, y: Any, beta: Any = ..., alpha: Any = ..., name: builtins.str | None = None) -> Any:
    """beta * input + alpha * (x @ y), with x sparse and the others dense: [M,N]."""
@overload
def addmm(*args: Any, input: Any = ..., x: Any = ..., y: Any = ..., beta: Any = ..., alpha: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> Any: ...
@overload
def asin(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`asin` of each element that x holds, in the places of x."""
@overload
def asin(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def asinh(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`asinh` of each element that x holds, in the places of x."""
@overload
def asinh(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def atan(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`atan` of each element that x holds, in the places of x."""
@overload
def atan(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def atanh(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`atanh` of each element that x holds, in the places of x."""
@overload
def atanh(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def cast(x: abc.ABC, index_dtype: Any = None, value_dtype: Any = None, name: builtins.str | None = None) -> Any:
    """x with values of `value_dtype`; positions stay int64, whatever `index_dtype` says."""
@overload
def cast(*args: Any, x: Any = ..., index_dtype: Any = ..., value_dtype: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def coalesce(x: twinoar._SparseCooTensor, name: builtins.str | None = None) -> twinoar._SparseCooTensor:
    """x with its positions in order, each once; elements of one position add up."""
@overload
def coalesce(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar._SparseCooTensor: ...
@overload
def deg2rad(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`deg2rad` of each element that x holds, in the places of x."""
@overload
def deg2rad(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def divide(x: abc.ABC, y: Any, name: builtins.str | None = None) -> Any:
    """x / y, of one shape, or y a number."""
@overload
def divide(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> Any: ...
@overload
def expm1(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`expm1` of each element that x holds, in the places of x."""
@overload
def expm1(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def is_same_shape(x: Any, y: Any) -> builtins.bool:
    """Whether two tensors, sparse or not, have one shape."""
@overload
def is_same_shape(*args: Any, x: Any = ..., y: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> builtins.bool: ...
@overload
def isnan(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`isnan` of each element that x holds, in the places of x."""
@overload
def isnan(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def log1p(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`log1p` of each element that x holds, in the places of x."""
@overload
def log1p(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def mask_as(x: Any, mask: abc.ABC, name: builtins.str | None = None) -> Any:
    """The elements of the dense x where `mask`, of its shape, has some."""
@overload
def mask_as(*args: Any, x: Any = ..., mask: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def masked_matmul(x: Any, y: Any, mask: abc.ABC, name: builtins.str | None = None) -> Any:
    """The product of the matrices x [M,K] and y [K,N] where `mask`, [M,N], has elements."""
@overload
def masked_matmul(*args: Any, x: Any = ..., y: Any = ..., mask: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> Any: ...
@overload
def matmul(x: Any, y: Any, name: builtins.str | None = None) -> Any:
    """The product of a sparse matrix with a matrix, or with a sparse one, which gives a sparse one."""
@overload
def matmul(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> Any: ...
@overload
def multiply(x: abc.ABC, y: Any, name: builtins.str | None = None) -> Any:
    """x * y, of one shape, or y a number: an element wherever one of them has one."""
@overload
def multiply(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> Any: ...
@overload
def mv(x: abc.ABC, vec: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """The product of a sparse matrix [M,K] with a vector [K]: [M]."""
@overload
def mv(*args: Any, x: Any = ..., vec: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def neg(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`neg` of each element that x holds, in the places of x."""
@overload
def neg(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
from . import nn as nn
@overload
def pca_lowrank(x: abc.ABC, q: Any = None, center: builtins.bool = True, niter: Any = 2, name: builtins.str | None = None) -> builtins.tuple[Any, Any, Any]:
    """The principal components of a sparse matrix: `linalg.pca_lowrank` of all its elements."""
@overload
def pca_lowrank(*args: Any, x: Any = ..., q: Any = ..., center: Any = ..., niter: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[Any, Any, Any]: ...
@overload
def pow(x: abc.ABC, factor: Any, name: builtins.str | None = None) -> Any:
    """Each element that x holds to the power of `factor`."""
@overload
def pow(*args: Any, x: Any = ..., factor: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def rad2deg(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`rad2deg` of each element that x holds, in the places of x."""
@overload
def rad2deg(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def reshape(x: abc.ABC, shape: collections.abc.Sequence[Any], name: builtins.str | None = None) -> Any:
    """x in another shape of as many elements, one size of which may be -1."""
@overload
def reshape(*args: Any, x: Any = ..., shape: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def sin(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`sin` of each element that x holds, in the places of x."""
@overload
def sin(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def sinh(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`sinh` of each element that x holds, in the places of x."""
@overload
def sinh(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def slice(x: abc.ABC, axes: Any, starts: Any, ends: Any, name: builtins.str | None = None) -> Any:
    """The elements of x from `starts` up to `ends`, along each of `axes`."""
@overload
def slice(*args: Any, x: Any = ..., axes: Any = ..., starts: Any = ..., ends: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def sparse_coo_tensor(indices: Any, values: Any, shape: collections.abc.Sequence[Any] | None = None, dtype: Any = None, place: Any = None, stop_gradient: builtins.bool = True) -> twinoar._SparseCooTensor:
    """A sparse tensor of positions [sparse_dim,nnz] and values [nnz,...]."""
@overload
def sparse_coo_tensor(*args: Any, indices: Any = ..., values: Any = ..., shape: Any = ..., dtype: Any = ..., place: Any = ..., stop_gradient: Any = ..., input: Any = ..., size: Any = ..., out: Any = ...) -> twinoar._SparseCooTensor: ...
@overload
def sparse_csr_tensor(crows: Any, cols: Any, values: Any, shape: collections.abc.Sequence[Any] | None = None, dtype: Any = None, place: Any = None, stop_gradient: builtins.bool = True) -> twinoar._SparseCsrTensor:
    """A sparse matrix: where rows start [rows+1], the columns [nnz] and the values [nnz]."""
@overload
def sparse_csr_tensor(*args: Any, crows: Any = ..., cols: Any = ..., values: Any = ..., shape: Any = ..., dtype: Any = ..., place: Any = ..., stop_gradient: Any = ..., input: Any = ..., size: Any = ..., out: Any = ...) -> twinoar._SparseCsrTensor: ...
@overload
def sqrt(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`sqrt` of each element that x holds, in the places of x."""
@overload
def sqrt(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def square(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`square` of each element that x holds, in the places of x."""
@overload
def square(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def subtract(x: abc.ABC, y: abc.ABC, name: builtins.str | None = None) -> Any:
    """x - y, of one shape: an element wherever one of them has one."""
@overload
def subtract(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> Any: ...
@overload
def sum(x: abc.ABC, axis: Any = None, dtype: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> Any:
    """The sum over `axis`, of all elements for None: a sparse tensor."""
@overload
def sum(*args: Any, x: Any = ..., axis: Any = ..., dtype: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def tan(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`tan` of each element that x holds, in the places of x."""
@overload
def tan(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def tanh(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`tanh` of each element that x holds, in the places of x."""
@overload
def tanh(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def transpose(x: abc.ABC, perm: collections.abc.Sequence[Any], name: builtins.str | None = None) -> Any:
    """x with its dimensions in the order `perm`; only those that positions count may change."""
@overload
def transpose(*args: Any, x: Any = ..., perm: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
