"""A step of an optimizer on some rows of a table: its own rule, on the rows alone.

They are taken from the parameter and from what is remembered of it, updated as a small parameter
would be, and put back. What that costs is proportional to the rows, whatever the table has.
"""

from __future__ import annotations

from typing import Any, Literal

from twinoar.core.dtype import float32
from twinoar.errors import UnsupportedError
from twinoar.ops.index.mask import where
from twinoar.ops.index.rows import merge_rows, put_rows, take_rows
from twinoar.ops.index.selected_rows import SelectedRows
from twinoar.ops.math.cast import astype
from twinoar.ops.math.select import select

# What a rule does with SelectedRows: it changes these rows alone, or all as if the others had a
# gradient of zeros. None is a rule for which Paddle has no such meaning.
Meaning = Literal["alone", "among all"] | None


def meaning_of(optimizer: Any) -> Meaning:
    """What an optimizer does with SelectedRows, by the class that has its `update` or `_rule`.

    A rule that a user writes over another may look at the whole parameter: it has no meaning.
    """
    owner = next(c for c in type(optimizer).__mro__ if {"update", "_rule"} & vars(c).keys())
    return optimizer._meaning_of_rows if "_meaning_of_rows" in vars(owner) else None


def gradient_for(optimizer: Any, param: Any, grad: SelectedRows, regularizer: Any) -> Any:
    """The gradient as the rule takes it: SelectedRows, or all rows.

    Raises UnsupportedError for a rule that takes neither.
    """
    kind, meaning = type(optimizer).__name__, meaning_of(optimizer)
    if meaning is None:
        raise UnsupportedError(
            f"{kind} has no rule for the row-sparse gradient of {param.name}",
            cure="use SGD, Adagrad or Adam(lazy_mode=True), or an embedding with sparse=False",
        )
    if regularizer is None:
        return grad if meaning == "alone" else grad.to_dense()
    if not optimizer._decays_rows:
        raise UnsupportedError(
            f"{kind} does not support weight_decay with the row-sparse gradient of {param.name}",
            cure="set weight_decay=None, or use an embedding with sparse=False",
        )
    return grad.to_dense()


def update_rows(
    optimizer: Any, interpreter: Any, settings: Any, param: Any, grad: SelectedRows, rate: Any
) -> None:
    """Update the rows of a parameter that a gradient has, and what is remembered of them."""
    slot = optimizer._memory.slot(param)
    rows, sums = merge_rows(grad.positions, grad.vectors, grad.height())
    present = optimizer._presence(interpreter, param)
    if present is not True:
        rows = select(present, rows, -1)
    table = param if slot.master is None else slot.master
    old = take_rows(table, rows)
    if slot.is_narrow:
        old, sums = astype(old, float32), astype(sums, float32)
    moments = optimizer._moments_of(param)
    pairs = list(zip(moments, slot.states, strict=True))
    states = tuple([s if m.is_single else take_rows(s, rows) for m, s in pairs])
    new, *following = optimizer.update(old, sums, states, rate, settings)
    for (moment, state), value in zip(pairs, following, strict=True):
        if not moment.is_single:
            value = put_rows(state, rows, value)
        elif present is not True:
            value = where(present, value, state)
        interpreter.rebind(state, value)
    if slot.master is not None:
        interpreter.rebind(slot.master, put_rows(slot.master, rows, new))
    interpreter.rebind(param, put_rows(param, rows, astype(new, param.dtype)))
