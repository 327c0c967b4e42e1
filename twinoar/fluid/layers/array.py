"""Arrays of tensors of one shape: Python lists at once, one tensor that grows in a Program."""

from __future__ import annotations

from typing import Any

import twinoar as paddle
from twinoar.core.interpreter import current, using
from twinoar.core.values import Value
from twinoar.errors import ProgramError, ShapeError, TypeMismatchError
from twinoar.fluid.layers.adapter import define


class TensorArray:
    """An array of a Program. Its items lie along the first dimension of one tensor, `stacked`."""

    def __init__(self, dtype: Any):
        self.dtype, self.builder = dtype, current()
        self.stacked: Any = None

    def write(self, x: Any, place: Any) -> None:
        """Let item `place`, at most one behind the last, be x. Raises ShapeError."""
        if self.stacked is None:
            with using(self.builder):  # which may be that of a block around
                where: Any = paddle.nonzero(paddle.zeros([1]))
                none = paddle.reshape(where, [-1])
                item: Any = paddle.zeros([1, *x.spec.shape], x.dtype)
                item.stop_gradient = False
                self.stacked = paddle.gather(item, none)  # of unknown length, as it grows
        if self.stacked.ndim != x.ndim + 1:
            raise ShapeError(
                f"an array holds {self.stacked.ndim - 1} dimensions an item, received {x.spec}",
                cure="use an array for each shape",
            )
        at = paddle.reshape(place, [])
        before, after = self.stacked[:at], self.stacked[at + 1 :]
        items = paddle.concat([before, paddle.unsqueeze(x, [0]), after])
        current().rebind(self.stacked, items)

    def read(self, place: Any) -> Any:
        """Item `place`."""
        return paddle.squeeze(paddle.gather(self._filled(), paddle.reshape(place, [1])), [0])

    def length(self) -> Any:
        """The number of items, [1], int64."""
        if self.stacked is None:
            return paddle.zeros([1], "int64")
        return paddle.slice(paddle.cast(paddle.shape(self.stacked), "int64"), [0], [0], [1])

    def _filled(self) -> Any:
        if self.stacked is None:
            raise ProgramError("the array has no items yet", cure="write one: array_write(x, i)")
        return self.stacked.latest()


def new_array(dtype: Any) -> Any:
    """An array without items: a list where operators run at once."""
    return [] if current().runs else TensorArray(dtype)


def write_item(x: Any, i: Any, array: Any) -> Any:
    """Let item `i` of the array be x; returns the array, a new one for None."""
    array = new_array(x.dtype) if array is None else array
    if isinstance(array, TensorArray):
        array.write(x, i)
    elif (place := _number(i)) < len(array):
        array[place] = x
    elif place == len(array):
        array.append(x)
    else:
        raise ShapeError(f"an array of {len(array)} items has no place {place} to write to")
    return array


def read_item(array: Any, i: Any) -> Any:
    """Item `i` of an array."""
    return array.read(i) if isinstance(array, TensorArray) else array[_number(i)]


def items_of(array: Any) -> Any:
    """The number of items, [1], int64."""
    if isinstance(array, TensorArray):
        return array.length()
    return paddle.full([1], len(array), "int64")


def joined(array: Any, axis: int, use_stack: bool) -> tuple[Any, Any]:
    """The items along `axis`, as a new dimension if `use_stack`, and the size of each along it."""
    stacked = array._filled() if isinstance(array, TensorArray) else paddle.stack(array)
    moved = paddle.moveaxis(stacked, 0, axis)
    count, *shape = stacked.spec.shape
    sizes = paddle.full([count], 1 if use_stack else shape[axis], "int32")
    if use_stack:
        return moved, sizes
    shape[axis] = -1
    return paddle.reshape(moved, shape), sizes


def _number(i: Any) -> int:
    if not isinstance(i, (int, Value)):
        raise TypeMismatchError(f"the place in an array is a number, received {type(i).__name__}")
    return int(i)


__all__ = define(
    globals(),
    """
array_length(array) -> items_of(array)  # len(array), of a Python list
array_read(array, i) -> read_item(array, i)  # array[i], of a Python list
array_write(x, i, array=None) -> write_item(x, i, array)  # array.append(x), of a Python list
create_array(dtype) -> new_array(dtype)  # a Python list
tensor_array_to_tensor(input, axis=1, name=None, use_stack=False)
    -> joined(input, axis, use_stack)  # paddle.concat(input, axis), paddle.stack(input, axis)
""",
)
