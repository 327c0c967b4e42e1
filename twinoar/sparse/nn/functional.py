"""Functions of sparse tensors that networks are built of."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError
from twinoar.ops.activation import rectifier
from twinoar.ops.create.fill import zeros
from twinoar.ops.index.gather import gather, index_add
from twinoar.ops.math.exponential import exp
from twinoar.sparse.math import elementwise
from twinoar.sparse.nn.attention_function import attention
from twinoar.sparse.nn.conv_function import (
    conv2d,
    conv3d,
    max_pool3d,
    subm_conv2d,
    subm_conv2d_igemm,
    subm_conv3d,
    subm_conv3d_igemm,
)
from twinoar.sparse.tensor import SparseTensor, checked

relu = elementwise(rectifier.relu)
relu6 = elementwise(rectifier.relu6)


def leaky_relu(x: SparseTensor, negative_slope: float = 0.01, name: str | None = None) -> Any:
    """`leaky_relu` of each element that x holds."""
    return checked(x).with_values(rectifier.leaky_relu(x.values(), negative_slope))


def softmax(x: SparseTensor, axis: int = -1, name: str | None = None) -> Any:
    """softmax over the last dimension, of the elements that x holds; others count as absent.

    x: [...,N]. Returns the form of x. Raises ArgumentError for another axis.
    """
    source = checked(x).to_sparse_coo()
    if axis not in (-1, x.ndim - 1):
        raise ArgumentError(f"axis must be the last one, received {axis}")
    if not x.nnz():
        return x
    _, rows = np.unique(source.places[:-1], axis=1, return_inverse=True)
    rows = rows.reshape(-1)
    greatest = np.full(rows.max() + 1, -np.inf)
    np.maximum.at(greatest, rows, np.asarray(source.values().detach(), np.float64))
    place = to_tensor(rows.astype(np.int64))
    powers = exp(source.values() - to_tensor(greatest[rows].astype(x.dtype.numpy)))
    sums = index_add(zeros([len(greatest)], x.dtype), place, 0, powers)
    return x.with_values(powers / gather(sums, place))


__all__ = [
    "attention",
    "conv2d",
    "conv3d",
    "leaky_relu",
    "max_pool3d",
    "relu",
    "relu6",
    "softmax",
    "subm_conv2d",
    "subm_conv2d_igemm",
    "subm_conv3d",
    "subm_conv3d_igemm",
]
