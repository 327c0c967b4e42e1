"""An operator call as Paddle shows it: slots of Variables, and attributes, by Paddle's names.

All of it follows from the operator's `desc` rule; an operator without one shows its own names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

from twinoar.core.dim import SymbolicDim
from twinoar.core.dtype import DType
from twinoar.core.op.attr import Attr, Operand
from twinoar.core.op.desc import Desc
from twinoar.errors import UnsupportedError

Slots = dict[str, tuple[Any, ...]]


class AttrType(IntEnum):
    """Paddle's kinds of attributes, and their numbers."""

    INT = 0
    FLOAT = 1
    STRING = 2
    INTS = 3
    FLOATS = 4
    STRINGS = 5
    BOOL = 6
    BOOLS = 7
    BLOCK = 8
    LONG = 9
    BLOCKS = 10
    LONGS = 11
    FLOAT64S = 12
    FLOAT64 = 15


def operands_by_slot(
    desc: Desc | None, operands: Sequence[Operand], given: Sequence[Any]
) -> dict[str, tuple[Any, ...]]:
    """What is `given` for the declared `operands`, by slot; a slot without any is empty."""
    held = {
        o.name: tuple(given[i:] if o.variadic else given[i : i + 1]) for i, o in enumerate(operands)
    }
    if desc is None:
        return held
    found: Slots = {slot: () for slot in desc.size_slots.values()}
    for slot, named in desc.inputs.items():
        names = (named,) if isinstance(named, str) else named or ()
        found[slot] = tuple(x for name in names for x in held[name])
    return found


def results_by_slot(desc: Desc | None, results: Sequence[Any]) -> Slots:
    """The `results` by slot; the last slot takes all that are left."""
    slots = ("Out",) if desc is None else desc.outputs
    found: Slots = {slot: tuple(results[i : i + 1]) for i, slot in enumerate(slots)}
    if len(results) > len(slots) > 0:
        found[slots[-1]] = tuple(results[len(slots) - 1 :])
    for slot in () if desc is None else desc.extra_outputs:
        found.setdefault(slot, ())
    return found


def attributes_shown(
    desc: Desc | None, attrs: Mapping[str, Any], operands: Sequence[Any]
) -> dict[str, Any]:
    """The attributes of a call on `operands` by Paddle's names, unknown sizes as -1.

    By our names where Paddle's operator has no such attributes.
    """
    if desc is None:
        return {name: _plain(value) for name, value in attrs.items()}
    found: dict[str, Any] = dict(desc.fixed)
    try:
        for name, entry in desc.attrs.items():
            if not isinstance(entry, tuple):
                found[name] = attrs[entry]
            elif (value := entry[1](attrs[entry[0]])) is not None:
                found[name] = value
        if desc.write is not None:
            found |= desc.write(dict(attrs), tuple(getattr(x, "spec", x) for x in operands))
    except UnsupportedError:
        return attributes_shown(None, attrs, operands)
    return {name: _plain(_without_kind(value)) for name, value in found.items()}


def own_attribute(
    desc: Desc | None, attrs: Mapping[str, Attr], name: str, value: Any
) -> tuple[str, Any] | None:
    """Our attribute and its value for Paddle's `name` and `value`; None where there is none."""
    entry = desc.attrs.get(name) if desc is not None else None
    if isinstance(entry, tuple):
        own, value = entry[0], entry[2](value)
    else:
        own = entry or name
    return (own, attrs[own].convert(value)) if own in attrs else None


def kind_of(value: Any) -> AttrType:
    """The kind of attribute that holds `value`."""
    if hasattr(value, "ops"):
        return AttrType.BLOCK
    if isinstance(value, (list, tuple)):
        kinds = {kind_of(x) for x in value}
        whole = AttrType.STRING, AttrType.FLOAT, AttrType.BOOL
        return AttrType[f"{next((k for k in whole if k in kinds), AttrType.INT).name}S"]
    kinds_of_types = ((bool, AttrType.BOOL), (float, AttrType.FLOAT), (str, AttrType.STRING))
    return next((kind for type_, kind in kinds_of_types if isinstance(value, type_)), AttrType.INT)


def _without_kind(value: Any) -> Any:
    """A value alone, where a `write` rule says beside it what kind a file gives it."""
    is_pair = isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str)
    return value[1] if is_pair and value[0].isupper() else value


def _plain(value: Any) -> Any:
    if isinstance(value, SymbolicDim):
        return -1
    if isinstance(value, (list, tuple)) and not isinstance(value, DType):
        return [_plain(x) for x in value]
    return value
