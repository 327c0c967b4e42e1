"""Sparse tensors: positions and values (COO), or matrices row by row (CSR)."""

# Written by tools/stubs.py.

import abc
import builtins
import collections.abc
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

def abs(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`abs` of each element that x holds, in the places of x."""
def add(x: abc.ABC, y: abc.ABC, name: builtins.str | None = None) -> Any:
    """x + y, of one shape: an element wherever one of them has one."""
def addmm(input: Any, x: Any, y: Any, beta: Any = ..., alpha: Any = ..., name: builtins.str | None = None) -> Any:
    """beta * input + alpha * (x @ y), with x sparse and the others dense: [M,N]."""
def asin(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`asin` of each element that x holds, in the places of x."""
def asinh(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`asinh` of each element that x holds, in the places of x."""
def atan(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`atan` of each element that x holds, in the places of x."""
def atanh(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`atanh` of each element that x holds, in the places of x."""
def cast(x: abc.ABC, index_dtype: Any = None, value_dtype: Any = None, name: builtins.str | None = None) -> Any:
    """x with values of `value_dtype`; positions stay int64, whatever `index_dtype` says."""
def coalesce(x: twinoar._SparseCooTensor, name: builtins.str | None = None) -> twinoar._SparseCooTensor:
    """x with its positions in order, each once; elements of one position add up."""
def deg2rad(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`deg2rad` of each element that x holds, in the places of x."""
def divide(x: abc.ABC, y: Any, name: builtins.str | None = None) -> Any:
    """x / y, of one shape, or y a number."""
def expm1(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`expm1` of each element that x holds, in the places of x."""
def is_same_shape(x: Any, y: Any) -> builtins.bool:
    """Whether two tensors, sparse or not, have one shape."""
def isnan(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`isnan` of each element that x holds, in the places of x."""
def log1p(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`log1p` of each element that x holds, in the places of x."""
def mask_as(x: Any, mask: abc.ABC, name: builtins.str | None = None) -> Any:
    """The elements of the dense x where `mask`, of its shape, has some."""
def masked_matmul(x: Any, y: Any, mask: abc.ABC, name: builtins.str | None = None) -> Any:
    """The product of the matrices x [M,K] and y [K,N] where `mask`, [M,N], has elements."""
def matmul(x: Any, y: Any, name: builtins.str | None = None) -> Any:
    """The product of a sparse matrix with a matrix, or with a sparse one, which gives a sparse one."""
def multiply(x: abc.ABC, y: Any, name: builtins.str | None = None) -> Any:
    """x * y, of one shape, or y a number: an element wherever one of them has one."""
def mv(x: abc.ABC, vec: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """The product of a sparse matrix [M,K] with a vector [K]: [M]."""
def neg(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`neg` of each element that x holds, in the places of x."""
from . import nn as nn
def pca_lowrank(x: abc.ABC, q: Any = None, center: builtins.bool = True, niter: Any = 2, name: builtins.str | None = None) -> builtins.tuple[Any, Any, Any]:
    """The principal components of a sparse matrix: `linalg.pca_lowrank` of all its elements."""
def pow(x: abc.ABC, factor: Any, name: builtins.str | None = None) -> Any:
    """Each element that x holds to the power of `factor`."""
def rad2deg(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`rad2deg` of each element that x holds, in the places of x."""
def reshape(x: abc.ABC, shape: collections.abc.Sequence[Any], name: builtins.str | None = None) -> Any:
    """x in another shape of as many elements, one size of which may be -1."""
def sin(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`sin` of each element that x holds, in the places of x."""
def sinh(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`sinh` of each element that x holds, in the places of x."""
def slice(x: abc.ABC, axes: Any, starts: Any, ends: Any, name: builtins.str | None = None) -> Any:
    """The elements of x from `starts` up to `ends`, along each of `axes`."""
def sparse_coo_tensor(indices: Any, values: Any, shape: collections.abc.Sequence[Any] | None = None, dtype: Any = None, place: Any = None, stop_gradient: builtins.bool = True) -> twinoar._SparseCooTensor:
    """A sparse tensor of positions [sparse_dim,nnz] and values [nnz,...]."""
def sparse_csr_tensor(crows: Any, cols: Any, values: Any, shape: collections.abc.Sequence[Any] | None = None, dtype: Any = None, place: Any = None, stop_gradient: builtins.bool = True) -> twinoar._SparseCsrTensor:
    """A sparse matrix: where rows start [rows+1], the columns [nnz] and the values [nnz]."""
def sqrt(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`sqrt` of each element that x holds, in the places of x."""
def square(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`square` of each element that x holds, in the places of x."""
def subtract(x: abc.ABC, y: abc.ABC, name: builtins.str | None = None) -> Any:
    """x - y, of one shape: an element wherever one of them has one."""
def sum(x: abc.ABC, axis: Any = None, dtype: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> Any:
    """The sum over `axis`, of all elements for None: a sparse tensor."""
def tan(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`tan` of each element that x holds, in the places of x."""
def tanh(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`tanh` of each element that x holds, in the places of x."""
def transpose(x: abc.ABC, perm: collections.abc.Sequence[Any], name: builtins.str | None = None) -> Any:
    """x with its dimensions in the order `perm`; only those that positions count may change."""
