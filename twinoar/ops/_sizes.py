"""Sizes and positions as users give them: numbers, symbols of unknown sizes, or tensors that hold
them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.core.dim import Dim, SymbolicDim, max_dim
from twinoar.core.interpreter import current
from twinoar.core.ir.program import Operator, State, Variable
from twinoar.core.op.declare import Spec, Value
from twinoar.core.spec import spec_of
from twinoar.errors import DTypeError, ProgramError, ShapeError, TypeMismatchError

Sizes = tuple[Dim, ...]


def sizes(given: Any, name: str = "shape") -> Sizes:
    """`given` as a tuple of sizes: a number, a list that may hold 0-d tensors, or a 1-d integer
    tensor.

    A tensor of a Program counts where its value follows from shapes and literals; else it raises
    ProgramError.
    """
    if isinstance(given, (list, tuple)):
        return tuple([d if d.__class__ is int else size(d, name) for d in given])
    if isinstance(given, (int, SymbolicDim, np.integer)):
        return (size(given, name),)
    if isinstance(given, np.ndarray):
        return tuple(size(d, name) for d in given.reshape(-1))
    if isinstance(given, Value):
        return _read(given, name)
    raise TypeMismatchError(
        f"{name} must be a list of integers or an integer Tensor, received {type(given).__name__}",
        cure="give a list such as [2, 3]",
    )


def size(given: Any, name: str = "shape") -> Dim:
    """One size: a number, a symbol, or a tensor with one element."""
    if isinstance(given, SymbolicDim):
        return given
    if isinstance(given, Value):
        found = _read(given, name)
        if len(found) != 1:
            raise ShapeError(f"{name} must hold single sizes, received a tensor of {given.spec}")
        return found[0]
    try:
        return operator.index(given)
    except TypeError:
        if isinstance(given, float) and given.is_integer():
            return int(given)
        raise TypeMismatchError(
            f"{name} must hold integers, received {given!r}", cure="convert it with int()"
        ) from None


def is_dynamic(x: Any) -> bool:
    """True for a tensor whose value is not to be read now: a Variable, or data under a Builder."""
    return isinstance(x, Variable) or (isinstance(x, Value) and not current().runs)


def _read(x: Value, name: str) -> Sizes:
    if not x.dtype.is_integer:
        raise DTypeError(f"{name} must be integers, received a tensor of {x.spec}")
    if not isinstance(x, Variable):
        return tuple(int(d) for d in np.asarray(x).reshape(-1))
    found = values_of(x)
    if found is None:
        raise ProgramError(
            f"{name} depends on the data of %{x.latest().name}, which is not known before the "
            "program runs",
            cure="give numbers, sizes of tensors (x.shape[0]), or -1 where it can be deduced",
        )
    return found


def values_of(x: Any) -> Sizes | None:
    """The elements of a Variable where they follow from shapes and literals; else None."""
    if isinstance(x, (bool, float, type(None))):
        return None
    if isinstance(x, int):
        return (x,)
    v = x.latest()
    if isinstance(v, State):
        return _array_values(v.data) if v.is_constant else None
    if v.producer is None or not isinstance(v.producer, Operator):
        return None
    rule = VALUE_RULES.get(v.producer.op.name)
    return None if rule is None else rule(v.producer)


def _array_values(data: Any) -> Sizes | None:
    array = np.asarray(data)
    return tuple(int(d) for d in array.reshape(-1)) if array.dtype.kind in "iu" else None


def _same(o: Operator) -> Sizes | None:
    return values_of(o.operands[0])


def _sliced(o: Operator) -> Sizes | None:
    found = values_of(o.operands[0])
    if found is None or o.operands[0].ndim != 1:
        return None
    strides = o.attrs.get("strides", (1,))
    return found[slice(o.attrs["starts"][0], o.attrs["ends"][0], strides[0])]


def _joined(o: Operator) -> Sizes | None:
    parts = [values_of(x) for x in o.operands]
    if any(p is None for p in parts) or any(x.ndim > 1 for x in o.operands):
        return None
    return tuple(d for p in parts for d in p)  # type: ignore[union-attr]


def _combined(function: Callable[[Any, Any], Any]) -> Callable[[Operator], Sizes | None]:
    def rule(o: Operator) -> Sizes | None:
        a, b = (values_of(x) for x in o.operands)
        if a is None or b is None or len(a) != len(b):
            return None
        return tuple(function(m, n) for m, n in zip(a, b, strict=True))

    return rule


def _filled(o: Operator) -> Sizes | None:
    value, shape = o.attrs["value"], o.attrs["shape"]
    if shape not in ((), (1,)) or not isinstance(value, (int, SymbolicDim)):
        return None
    return (int(value) if isinstance(value, int) else value,)


VALUE_RULES: dict[str, Callable[[Operator], Sizes | None]] = {
    "shape_32": lambda o: o.operands[0].spec.shape,
    "shape": lambda o: o.operands[0].spec.shape,
    "numel": lambda o: (o.operands[0].spec.size,),
    "constant": lambda o: _array_values(o.attrs["value"]),
    "fill": _filled,
    "slice": _sliced,
    "strided_slice": _sliced,
    "concat": _joined,
    "stack": _joined,
    "add": _combined(operator.add),
    "subtract": _combined(operator.sub),
    "multiply": _combined(operator.mul),
    "floor_divide": _combined(operator.floordiv),
    "remainder": _combined(operator.mod),
    "maximum": _combined(max_dim),
    **dict.fromkeys(("cast", "identity", "reshape", "squeeze", "unsqueeze", "flatten"), _same),
}


def shape_from(
    slots: dict[str, list[Any]], attrs: dict[str, Any], attr: str, one: str, many: str
) -> Any:
    """A shape in Paddle's files: in slot `one`, in parts in slot `many`, or the attribute."""
    if slots.get(one):
        return slots[one][0]
    return slots.get(many) or attrs[attr]


def written_shape(shape: Sequence[Dim], x: Any) -> list[int]:
    """`shape` as Paddle's files have it: 0 for a size copied from x, -1 for one to be deduced."""
    own = spec_of(x) or x
    known = own.shape if isinstance(own, Spec) else ()
    return [
        d
        if isinstance(d, int)
        else 0
        if i < len(known) and known[i].__class__ is not int and known[i] == d
        else -1
        for i, d in enumerate(shape)
    ]
