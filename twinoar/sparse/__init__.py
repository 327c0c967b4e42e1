"""Sparse tensors: positions and values (COO), or matrices row by row (CSR)."""

from twinoar.core.public import exported
from twinoar.sparse import nn
from twinoar.sparse.math import (
    abs,
    add,
    addmm,
    asin,
    asinh,
    atan,
    atanh,
    cast,
    coalesce,
    deg2rad,
    divide,
    expm1,
    is_same_shape,
    isnan,
    log1p,
    mask_as,
    masked_matmul,
    matmul,
    multiply,
    mv,
    neg,
    pca_lowrank,
    pow,
    rad2deg,
    reshape,
    sin,
    sinh,
    slice,
    sqrt,
    square,
    subtract,
    sum,
    tan,
    tanh,
    transpose,
)
from twinoar.sparse.tensor import sparse_coo_tensor, sparse_csr_tensor

__all__ = exported(globals(), "nn")
