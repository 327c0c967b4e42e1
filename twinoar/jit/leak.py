"""What a trace must not leave behind: symbols in Python's objects, gradients that nobody gets."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

from twinoar.core.ir.program import Names, State, Variable
from twinoar.errors import ConversionError
from twinoar.jit.gradients import Gradients
from twinoar.jit.runtime.journal import Attribute, Contents, Item, Place


def refuse_leaks(builder: Any) -> None:
    """Raise ConversionError where code that is not converted has put a symbol into an object.

    Also where the function leaves a setting of the process other than it was.
    """
    changed = builder.guards.changed_setting()
    if changed is not None:
        raise ConversionError(
            f"the function changes {changed.what}, which it would do once, when it is traced, and "
            "not at each call",
            cure="set it outside the converted function, or set it back at the end",
        )
    noted = builder.journal.before
    names = builder.program.names  # which all its blocks share: symbols of others are no leak
    for container in list(builder.objects.outside.values()):
        if isinstance(container, (list, dict, set, deque)) and Contents(container) not in noted:
            parts = container.items() if isinstance(container, dict) else enumerate(container)
            _refuse_symbols(((Item(container, k), v) for k, v in parts), noted, names)
    for v in builder.program.main.inputs:
        _refuse_attributes(v)
    found = {id(x): x for x in builder.guards.found_values()}
    holders = {id(p.holder): p.holder for p in builder.guards.places() if isinstance(p, Attribute)}
    before = [holders[i] for i in holders.keys() & found.keys()]
    for holder in (*before, *(w.layer for w in builder.guards.layers)):
        space = getattr(holder, "__dict__", {})
        _refuse_symbols(((Attribute(holder, k), v) for k, v in space.items()), noted, names)


def _refuse_symbols(
    found: Iterable[tuple[Place, Any]], noted: dict[Place, Any], names: Names
) -> None:
    for place, value in found:
        is_own = (
            isinstance(value, Variable) and value.home is not None and value.home.names is names
        )
        if is_own and place not in noted:
            raise ConversionError(
                f"code that is not converted has put the tensor {value.name} into {place}, "
                "which a call of a Program would not do again",
                cure="do it in a function with a def statement of your own, or after the call",
            )


def _refuse_attributes(argument: Variable) -> None:
    for name in vars(argument):
        raise ConversionError(
            f"the function gives its argument {argument.name} an attribute {name}, "
            "which the tensors of calls would not have",
            cure="keep it in a name or an object of your own",
        )


def refuse_lost_gradients(accumulated: Gradients) -> None:
    """Raise ConversionError for a gradient of a tensor that each call reads anew."""
    for held in accumulated.held.values():
        if isinstance(held.leaf, State) and "live" in held.leaf.traits:
            raise ConversionError(
                f"backward() reaches {held.leaf.name}, which the function assigns itself and so "
                "finds with the graph of an earlier call",
                cure="assign it detached: self.state = state.detach()",
            )
