"""Which eager calls differ in sizes alone: from the third of them on they share compiled code.

A family are the calls of one operator whose arrays agree in rank, dtype and the order in which they
lie, without gaps, and whose attributes agree. Two of them are compiled for their numbers, as any
call is; a third one tells which sizes vary, and these stay open in what is compiled then. What
happens depends on which calls came before, never on time, so the same program gives the same bits
each time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from twinoar.backends import native
from twinoar.core.op.definition import Op

KNOWN = 2  # calls of a family that are compiled for their numbers
MOST = 4  # compilations of one family: if others are asked for still, numbers are better
MOST_ELEMENTS = 1 << 20  # of the arrays of a call: larger ones are worth code of their own
KEPT = 1024  # families that are remembered
Shapes = tuple[tuple[int, ...], ...]


class Family:
    """Calls that differ in sizes alone. shapes: of the first of them; made: what serves others."""

    __slots__ = ("made", "shapes", "tried")

    def __init__(self) -> None:
        self.shapes: list[Shapes] = []
        self.made: list[Any] = []
        self.tried = 0


class OpenCalls:
    """Finds, or makes, what runs a call whatever its sizes are. One thread at a time may ask."""

    def __init__(self) -> None:
        self._families: dict[Hashable, Family] = {}

    def operation(
        self,
        key: Hashable,
        op: Op,
        operands: Sequence[Any],
        attrs: dict[str, Any],
        products: Any,
        finished: Callable[[Callable[[], Any]], Any],
    ) -> Any:
        """What runs a call; None where it is to be compiled for its numbers, or left to NumPy.

        key: of the call but for its arrays. products: how exact they are. finished: runs the
        compiler.
        """
        arrays = [x for x in operands if isinstance(x, np.ndarray)]
        if op.shows_memory or "counted" in op.rules:
            return None
        lie = native.lie_of(arrays)
        if lie is None or sum([x.size for x in arrays]) > MOST_ELEMENTS:
            return None
        family = self._family((op, key, lie))
        shapes = tuple([x.shape for x in arrays])
        if len(family.shapes) < KNOWN:
            if shapes not in family.shapes:
                family.shapes.append(shapes)
            return None
        if shapes in family.shapes:  # their own code was forgotten meanwhile, and is made again
            return None
        for made in family.made:
            found = made.sized(arrays)
            if found is not None:
                return found
        named = _named([*family.shapes, shapes])
        if named is None or family.tried >= MOST:
            return None
        family.tried += 1
        target = native.host(products)
        made = finished(lambda: native.make_open(op, operands, attrs, named, target))
        if made is None:
            family.tried = MOST
            return None
        family.made.append(made)
        return made.sized(arrays)

    def _family(self, key: Hashable) -> Family:
        found = self._families.get(key)
        if found is None:
            if len(self._families) >= KEPT:
                self._families.clear()
            found = self._families[key] = Family()
        return found


def _named(shapes: Sequence[Shapes]) -> list[list[int | str]] | None:
    """The sizes of the last call, with a name for those that differ among all; None without any.

    Sizes that have been equal in each call have one name. No size that varies may be 1, of which
    elements count for many, nor may two that have been different be alike this time.
    """
    names: dict[tuple[int, ...], str] = {}
    named: list[list[int | str]] = []
    for array in zip(*shapes, strict=True):
        own: list[int | str] = []
        for sizes in zip(*array, strict=True):
            if len(set(sizes)) == 1:
                own.append(sizes[0])
                continue
            own.append(names.setdefault(sizes, f"size{len(names)}"))
        named.append(own)
    last = [sizes[-1] for sizes in names]
    if not names or min(last) < 2 or len(set(last)) < len(last):
        return None
    return named
