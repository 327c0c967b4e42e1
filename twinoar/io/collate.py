"""Collating: samples become a batch of arrays, and arrays become Tensors.

The two steps are apart because batches cross from worker processes as arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from numbers import Number
from typing import Any

import numpy as np

from twinoar.core.device import to_host
from twinoar.core.dtype import BY_NUMPY
from twinoar.core.interpreter import current
from twinoar.eager.elsewhere import moved
from twinoar.eager.tensor import Tensor
from twinoar.errors import DTypeError, ShapeError, TypeMismatchError
from twinoar.runtime.allocator import Blank

TEXT_KINDS = "USO"  # arrays of text or objects stay arrays
Place = Callable[[tuple[int, ...], np.dtype], np.ndarray | None]
_place: Place | None = None


def default_collate_fn(batch: Sequence[Any]) -> Any:
    """A batch of samples as one sample whose arrays have a leading batch axis.

    batch: samples of one structure. Arrays [...] and Tensors become arrays [N, ...], numbers
    arrays [N] (ints int64, floats float64, NumPy scalars their own type), text a list; tuples and
    lists are collated field by field into a list, mappings key by key into a dict.
    Raises ShapeError where shapes or lengths differ, TypeMismatchError for other types.

    >>> default_collate_fn([(np.zeros(2), 1), (np.ones(2), 2)])
    [array([[0., 0.],
           [1., 1.]]), array([1, 2])]
    """
    first = batch[0]
    if isinstance(first, np.ndarray):
        return _stack(batch)
    if isinstance(first, Tensor):
        return _stack([to_host(sample._data) for sample in batch])  # which copies them
    if isinstance(first, (Number, np.generic)):
        return _numbers(batch)
    if isinstance(first, (str, bytes)):
        return list(batch)
    if isinstance(first, Mapping):
        return {key: default_collate_fn(_values(batch, key)) for key in first}
    if isinstance(first, Sequence):
        _check_lengths(batch)
        return [default_collate_fn(field) for field in zip(*batch, strict=True)]
    raise TypeMismatchError(
        "expected samples of arrays, Tensors, numbers, text, mappings and sequences, "
        f"received {type(first).__module__}.{type(first).__qualname__}",
        cure="give a transform that makes arrays (ToTensor for images), or a collate_fn",
    )


def to_tensors(batch: Any, copy: bool = False) -> Any:
    """`batch` with its arrays as Tensors, its tuples as lists; anything else is left as it is.

    copy: for arrays that somebody else may write to later, such as a dataset's own.
    """
    if isinstance(batch, np.ndarray):
        return _tensor(batch.copy() if copy else batch)
    if isinstance(batch, Mapping):
        return {key: to_tensors(value, copy) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        return [to_tensors(value, copy) for value in batch]
    return batch


def _tensor(array: np.ndarray) -> Any:
    """A Tensor on `array`, or the array itself where it holds text or objects."""
    if array.dtype in BY_NUMPY:
        return Tensor(moved(array, current().policy.device))
    if array.dtype.kind in TEXT_KINDS:
        return array
    raise DTypeError(
        f"no Tensor has elements of type {array.dtype}", cure="convert them in the dataset: astype"
    )


def _numbers(batch: Sequence[Any]) -> np.ndarray:
    array = np.array(batch)
    if array.dtype == object:
        raise TypeMismatchError(
            f"expected numbers of at most 64 bits in a batch, received {list(batch)}"
        )
    return array


def _stack(arrays: Sequence[Any]) -> np.ndarray:
    shapes = {array.shape for array in arrays}
    if len(shapes) != 1:
        raise ShapeError(
            "expected samples of one shape in a batch, received shapes "
            + ", ".join(str(list(shape)) for shape in sorted(shapes)),
            cure="make them equal in the dataset (Resize, pad), or give a collate_fn",
        )
    first = arrays[0]
    if {type(array) for array in arrays} != {np.ndarray} or len({a.dtype for a in arrays}) != 1:
        return np.stack(arrays)
    if first.dtype.hasobject:
        return np.stack(arrays)
    stacked = empty((len(arrays), *first.shape), first.dtype)
    if not first.ndim:
        return np.stack(arrays, out=stacked)
    # One end after the other is what lies there, and NumPy makes no views for it.
    rows = len(arrays) * len(first)
    np.concatenate(arrays, out=stacked.reshape(rows, *first.shape[1:]))
    return stacked


def empty(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An array for a batch, of any content: in a worker where the loader finds it."""
    placed = None if _place is None else _place(shape, dtype)
    return Blank(shape, dtype).new() if placed is None else placed


def place_by(place: Place) -> None:
    """From now on this process, a worker, has arrays of batches from `place`, where it has any."""
    global _place
    _place = place


def _values(batch: Sequence[Mapping], key: Any) -> list[Any]:
    missing = [number for number, sample in enumerate(batch) if key not in sample]
    if missing:
        raise ShapeError(f"sample {missing[0]} of the batch has no {key!r}, sample 0 has")
    return [sample[key] for sample in batch]


def _check_lengths(batch: Sequence[Sequence]) -> None:
    lengths = [len(sample) for sample in batch]
    if len(set(lengths)) != 1:
        raise ShapeError(
            f"expected samples with equally many fields in a batch, received {lengths} fields",
            cure="return as many fields for each sample, or give a collate_fn",
        )
