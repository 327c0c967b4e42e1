"""Functions of `paddle.tensor` that are public nowhere: filled tensors, and arrays of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.compat.inside.framework import _create_tensor
from twinoar.core.interpreter import current, placing
from twinoar.core.public import declared
from twinoar.core.values import Value
from twinoar.errors import TypeMismatchError
from twinoar.fluid.layers.array import (
    TensorArray,
    items_of,
    joined,
    new_array,
    read_item,
    write_item,
)
from twinoar.ops.create.fill import full
from twinoar.ops.shape.concat import concat, stack


def fill_constant(
    shape: Any,
    dtype: Any,
    value: Any,
    force_cpu: bool = False,
    out: Any = None,
    place: Any = None,
    name: str | None = None,
) -> Any:
    """A tensor full of `value`; see `full`. out: what takes it.

    >>> fill_constant([2], "float32", 1.5).tolist()
    [1.5, 1.5]
    """
    with placing(place):
        made = full(shape, value, dtype, name=name)
    if out is None:
        return made
    current().rebind(out, made)
    return out


def create_tensor(dtype: Any, name: str | None = None, persistable: bool = False) -> Any:
    """A tensor without elements, to be filled. See `assign`."""
    return _create_tensor(name=name, dtype=dtype, persistable=persistable)


def create_array(dtype: Any, initialized_list: Sequence[Any] | None = None) -> Any:
    """An array of tensors, which begins with those of `initialized_list`.

    A list where operators run at once; one tensor that grows in a Program, so that all items are
    of one shape. Raises TypeMismatchError for items that are no tensors.

    >>> create_array("float32")
    []
    """
    array = new_array(dtype)
    for i, item in enumerate(initialized_list or ()):
        if not isinstance(item, Value):
            raise TypeMismatchError(
                f"an array holds tensors, received {type(item).__name__}", cure="use to_tensor"
            )
        write_item(item, full([1], i, "int64"), array)
    return array


def array_write(x: Any, i: Any, array: Any = None) -> Any:
    """Let item `i` of the array be x; returns the array, a new one for None."""
    return write_item(x, i, array)


def array_read(array: Any, i: Any) -> Any:
    """Item `i` of an array."""
    return read_item(array, i)


def array_length(array: Any) -> Any:
    """The number of items: an int where operators run at once, [1] of int64 in a Program."""
    return items_of(array) if isinstance(array, TensorArray) else len(array)


def tensor_array_to_tensor(
    input: Any, axis: int = 1, use_stack: bool = False, name: str | None = None
) -> tuple[Any, Any]:
    """The items along `axis`, as a new dimension if `use_stack`, and the size of each along it.

    >>> out, sizes = tensor_array_to_tensor([twinoar.ones([2, 3]), twinoar.ones([2, 1])])
    >>> out.shape, sizes.tolist()
    ([2, 4], [3, 1])
    """
    if isinstance(input, TensorArray):
        return joined(input, axis, use_stack)
    items = list(input) if isinstance(input, (list, tuple)) else [input]
    if not items or not all(isinstance(item, Value) for item in items):
        raise TypeMismatchError("expected an array of tensors", cure="write one: array_write(x, i)")
    made = stack(items, axis) if use_stack else concat(items, axis)
    sizes = [item.shape[axis] for item in items]
    return made, concat([full([1], n, "int64") for n in sizes])


__all__ = declared(globals())
