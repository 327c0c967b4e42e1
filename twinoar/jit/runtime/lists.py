"""Lists that grow or shrink in a loop or branch of a Program: only a run knows how long they are.

Such a list holds one Stack, in place of its items: the same list, for all who hold it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from twinoar.core import tree
from twinoar.core.dim import SymbolicDim
from twinoar.core.dtype import DType
from twinoar.core.interpreter import current, recording, using
from twinoar.core.ir.builder import Builder
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.errors import ConversionError
from twinoar.jit.runtime.alias import may_be, refuse_shared
from twinoar.jit.runtime.calls import in_place_of
from twinoar.jit.runtime.journal import Contents
from twinoar.jit.runtime.names import note
from twinoar.jit.runtime.perhaps import perhaps_of
from twinoar.jit.runtime.undefined import Undefined
from twinoar.ops.control.number import Number, as_number
from twinoar.ops.create.fill import identity
from twinoar.ops.index.getitem import replaced
from twinoar.ops.math.cast import cast, python_dtype
from twinoar.ops.math.fill import fill
from twinoar.ops.shape.concat import concat, stack
from twinoar.ops.shape.reshape import moveaxis, reshape, unsqueeze


class Stack(Undefined):
    """All items of a list, along the first axis of one tensor. is_number: they are Python's."""

    __slots__ = ("is_number", "stacked")

    is_number: bool
    stacked: Any

    def __init__(self, stacked: Any, is_number: bool):
        super().__init__(
            "a list",
            "a list has as many items as a tensor decides: this cannot be done with it",
            "use append, pop, len, an index, a for statement, paddle.stack or paddle.concat",
        )
        object.__setattr__(self, "stacked", stacked)
        object.__setattr__(self, "is_number", is_number)

    def item(self, index: Any) -> Any:
        """The item at `index`, or a list of those of a slice."""
        if not isinstance(index, slice):
            current().may_raise("IndexError")
        with _of_python():
            part = self.stacked[index]
        if self.is_number and not isinstance(index, slice):
            return as_number(part)
        may_be(current(), part, [self.stacked])
        return [Stack(part, self.is_number)] if isinstance(index, slice) else part


class _WithStacks(NamedTuple):
    structure: Any
    stacks: tuple[tuple[int, bool], ...]  # position of the leaf, and is_number


def flatten(x: Any) -> tuple[list[Any], Any]:
    """As core.tree.flatten; the tensor of a Stack is a leaf."""
    leaves, structure = tree.flatten(x)
    stacks = tuple((i, s.is_number) for i, s in enumerate(leaves) if isinstance(s, Stack))
    if not stacks:
        return leaves, structure
    opened = [leaf.stacked if isinstance(leaf, Stack) else leaf for leaf in leaves]
    return opened, _WithStacks(structure, stacks)


def unflatten(structure: Any, leaves: list[Any]) -> Any:
    """Inverse of `flatten`."""
    if isinstance(structure, _WithStacks):
        leaves = list(leaves)
        for position, is_number in structure.stacks:
            leaves[position] = Stack(leaves[position], is_number)
        structure = structure.structure
    return tree.unflatten(structure, leaves)


def stack_of(x: Any) -> Stack | None:
    """The Stack that a list holds in place of its items, if it does."""
    is_stacked = type(x) is list and len(x) == 1 and isinstance(x[0], Stack)
    return x[0] if is_stacked else None


def length(x: Any) -> Any:
    """The number of items of a list that holds a Stack."""
    return x[0].stacked.spec.shape[0]


def common_item(*lists: Sequence[Any]) -> tuple[Spec, bool] | None:
    """What all items of `lists` are, so that one tensor can have them; None if they differ."""
    found: set[tuple[tuple, DType, bool]] = set()
    for x in lists:
        held = stack_of(x)
        if held is not None:
            found.add((held.stacked.spec.shape[1:], held.stacked.dtype, held.is_number))
            continue
        for item in x:
            if isinstance(item, (bool, int, float, SymbolicDim, Number)):
                kind = item.dtype if isinstance(item, Number) else python_dtype(_plain(item))
                found.add(((), kind, True))
            elif isinstance(item, Value):
                found.add((tuple(item.spec.shape), item.dtype, False))
            else:
                return None
    if len(found) != 1:
        return None
    ((shape, dtype, is_number),) = found
    return Spec(shape, dtype), is_number


def _plain(x: Any) -> Any:
    return 0 if isinstance(x, SymbolicDim) else x


def stacked_in(
    builder: Builder, items: list[Any], each: Spec, is_number: bool, raw: list[Any] | None = None
) -> list[Any]:
    """`items` as a list that holds a Stack, in the builder's block.

    each: the spec of an item. raw: what code holds for the items, where that is not the same.
    """
    held = stack_of(items)
    if held is not None:
        return [Stack(builder.lift(held.stacked), is_number)]
    with using(builder.under(builder.policy.recording(True))):
        parts = [_tensor(x, each.dtype) for x in items]
        made = concat([unsqueeze(p, 0) for p in parts]) if parts else _empty(each)
        return [_pile(made, is_number, items if raw is None else raw)]


def _pile(stacked: Any, is_number: bool, items: Any) -> Stack:
    """A Stack of what also stands elsewhere."""
    if not is_number:
        perhaps_of(current()).note_pile(stacked, list(items))
    return Stack(stacked, is_number)


def _empty(each: Spec) -> Any:
    return fill.function((0, *each.shape), 0, each.dtype)


def _tensor(x: Any, dtype: DType) -> Any:
    if isinstance(x, Value):
        return x if x.dtype is dtype else cast(x, dtype)
    return fill.function((), x, dtype)


def method_of(items: list[Any], name: str) -> Callable:
    """What to call for a method of a list that holds a Stack."""
    held = items[0]
    made: dict[str, Callable] = {
        "append": _append, "extend": _extend, "pop": _pop, "clear": _clear, "copy": _copy,
    }  # fmt: skip
    if name not in made:
        return held.refuse

    def call(*args: Any) -> Any:
        with _of_python():
            return made[name](items, held, *args)

    return call


def _of_python() -> AbstractContextManager[Any]:
    """Lists take and give tensors with their gradients, also under no_grad."""
    return using(recording(True))


def _append(items: list[Any], held: Stack, x: Any) -> None:
    _put(items, held, *_joined(held, [x]))


def _extend(items: list[Any], held: Stack, more: Any) -> None:
    _put(items, held, *_joined(held, more))


def _copy(items: list[Any], held: Stack) -> list[Any]:
    return [held]


def _pop(items: list[Any], held: Stack, index: Any = -1) -> Any:
    found, all_items = held.item(index), held.stacked
    if isinstance(index, int) and index == -1:
        _put(items, held, all_items[:-1])
        return found
    if isinstance(index, int) and index < 0:
        index = index + length(items)
    _put(items, held, concat([all_items[:index], all_items[index + 1 :]]), [all_items])
    return found


def _clear(items: list[Any], held: Stack) -> None:
    _put(items, held, held.stacked[:0])


def _joined(held: Stack, more: Any) -> tuple[Any, list[Any]]:
    """The items of both, and what they were."""
    other = stack_of(more)
    if other is not None:
        return concat([held.stacked, other.stacked]), [held.stacked, other.stacked]
    each = Spec(held.stacked.spec.shape[1:], held.stacked.dtype)
    for x in more:
        fits = common_item([x])
        if fits is None or fits[0].dtype is not each.dtype or fits[0].ndim != each.ndim:
            what = x.spec if isinstance(x, Value) else type(x).__name__
            raise ConversionError(
                f"a list of {each} that grows as a tensor decides is given an item {what}",
                cure="let all items have one dtype and number of dimensions",
            )
    rows = (unsqueeze(_tensor(x, each.dtype), 0) for x in more)
    return concat([held.stacked, *rows]), [held.stacked, *more]


def change(items: list[Any], method: str, *args: Any) -> None:
    """`items[index] = value` or `items += more`, of a list that holds a Stack."""
    held = items[0]
    if method == "__setitem__":
        index, value = args
        current().may_raise("IndexError")
        with _of_python():
            made = replaced(held.stacked, index, _tensor(value, held.stacked.dtype))
        _put(items, held, made, [held.stacked, value])
    elif method == "__iadd__":
        method_of(items, "extend")(*args)
    else:
        held.refuse()


def item_of(items: list[Any], index: Any) -> Any:
    """`items[index]`, where the list holds a Stack, or only a run knows the index."""
    held = stack_of(items)
    if held is not None:
        return held.item(index)
    found = common_item(items)
    if found is None:
        raise ConversionError(
            "only a run knows the index into a list whose items are not tensors of one shape",
            cure="stack them, or choose with if and elif",
        )
    return stacked_in(current(), items, *found)[0].item(index)


def _put(items: list[Any], held: Stack, stacked: Any, parts: Sequence[Any] = ()) -> None:
    """Let a list hold what is stacked. parts: what that is made of, copied."""
    refuse_shared(current().program, items)
    note(current(), Contents(items))
    items[0] = _pile(stacked, held.is_number, parts)


@in_place_of(stack)
def stack_(x: Any, axis: int = 0, name: str | None = None) -> Any:
    """`stack(...)`, also of a list whose length only a run knows."""
    held = stack_of(x)
    if held is None:
        return stack(x, axis, name=name)
    return identity(moveaxis(held.stacked, 0, axis))


@in_place_of(concat)
def concat_(x: Any, axis: Any = 0, name: str | None = None) -> Any:
    """`concat(...)`, also of a list whose length only a run knows."""
    held = stack_of(x)
    if held is None:
        return concat(x, axis, name=name)
    each = held.stacked.spec.shape[1:]
    at = axis % len(each)
    shape = [-1 if i == at else d for i, d in enumerate(each)]
    return identity(reshape(moveaxis(held.stacked, 0, at), shape))
