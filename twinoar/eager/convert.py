"""Paddle's other ways to a tensor: asarray, as_tensor, from_numpy. All copy."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.op.explain import told
from twinoar.eager.tensor import Tensor, to_tensor
from twinoar.errors import TypeMismatchError


@told
def asarray(obj: Any, *, dtype: Any = None, copy: bool | None = None) -> Tensor:
    """A tensor of what `obj` holds. See `to_tensor`.

    copy: None or True, as tensors have data of their own. Raises TypeMismatchError for False.

    >>> twinoar.asarray([1.0, 2.0]).tolist()
    [1.0, 2.0]
    """
    if copy is False:
        raise TypeMismatchError("a tensor cannot share data, received copy=False", cure="leave it")
    return to_tensor(obj, dtype)


@told
def as_tensor(
    data: Any,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A tensor of what `data` holds. See `to_tensor`.

    requires_grad: gradients flow to it. device: "cpu" or None. pin_memory: makes no difference.

    >>> twinoar.as_tensor([1.0, 2.0], requires_grad=True).stop_gradient
    False
    """
    return to_tensor(data, dtype, device, not requires_grad)


@told
def from_numpy(ndarray: Any) -> Tensor:
    """A tensor of the elements of an ndarray, and of its dtype. Raises TypeMismatchError.

    >>> import numpy, twinoar
    >>> twinoar.from_numpy(numpy.arange(3)).tolist()
    [0, 1, 2]
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeMismatchError(
            f"expected an ndarray, received {type(ndarray).__name__}", cure="use to_tensor"
        )
    return to_tensor(ndarray)


__all__ = ["as_tensor", "asarray", "from_numpy"]
