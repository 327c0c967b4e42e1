"""What is computed though eager code may not come to it: nothing but its value may tell of that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.ir.builder import replay
from twinoar.core.ir.program import Variable
from twinoar.errors import ConversionError
from twinoar.jit.runtime.lists import flatten, unflatten
from twinoar.jit.runtime.output import Stopped


def computed_alone(make: Callable[[], Any], what: str) -> Any:
    """What `make()` gives. what: that eager code may not come to it, as messages begin.

    Raises ConversionError where it does more than to compute: it changes something, or raises.
    """
    builder: Any = current()
    told = ConversionError(
        f"{what}, and more is done to make it than to compute it",
        cure="write a for loop with an if and a break, or make the items before, in a list",
    )
    with builder.nested() as inner:
        try:
            leaves, structure = flatten(make())
        except ConversionError:
            raise
        except (Exception, Stopped) as error:
            raise told from error
    if inner.journal.changes or inner.changed or inner.block.has_effect:
        raise told
    own = [v for v in leaves if isinstance(v, Variable) and v.home is inner.block]
    outer = {mine: theirs for theirs, mine in inner.imported.items()}
    operands = tuple(outer[v] for v in inner.block.inputs)
    made = replay(inner.block, operands, outputs=own)
    again = {id(v): x for v, x in zip(own, made, strict=True)}
    return unflatten(structure, [again.get(id(x), x) for x in leaves])
