"""Objects that may be the same one: a tensor decided which of several a name stands for.

A change in place of one of them would reach the others, or not: only a run knows. It is refused
where another of them can still be seen, and so is the question whether one `is` the other.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

from twinoar.core.ir import Program, Variable
from twinoar.core.values import Value
from twinoar.errors import INTERNAL, ConversionError
from twinoar.jit.runtime.undefined import Partly, Undefined

CONTAINERS = (list, tuple, dict, set)
LACKING = (Undefined, Partly)


class Origins:
    """What each merged object of a Program may be; a container may be any of its kind."""

    def __init__(self) -> None:
        self.of: dict[int, list[Any]] = {}  # by the identity of the object, which is the first
        self.noted: set[int] = set()  # the identities of all of them

    def note(self, merged: Any, others: Iterable[Any]) -> None:
        """Remember that `merged` may be one of `others`."""
        held = self.of.setdefault(id(merged), [merged])
        held.extend(others)
        self.noted.update(map(id, held))

    def all_of(self, x: Any) -> dict[int, Any]:
        """All that `x` may be, itself included, by identity."""
        found, waiting = {id(x): x}, [x]
        while waiting:
            new = {id(y): y for y in self.of.get(id(waiting.pop()), ())}
            waiting += [y for key, y in new.items() if key not in found]
            found |= new
        return found

    def meet(self, a: Any, b: Any) -> bool:
        """True if `a` and `b` may be one object by what was noted."""
        if id(a) not in self.of and id(b) not in self.of:
            return False
        return not self.all_of(a).keys().isdisjoint(self.all_of(b))


_known: WeakKeyDictionary[Program, Origins] = WeakKeyDictionary()


def may_be(program: Program, merged: Any, others: Iterable[Any]) -> None:
    """Remember that `merged` may be one of `others`."""
    if isinstance(merged, (Value, *CONTAINERS)):
        _known.setdefault(program, Origins()).note(merged, others)


def may_be_same(program: Program, a: Any, b: Any) -> bool:
    """True if only a run knows whether two objects are one."""
    known = _known.get(program)
    if a is b or known is None or (id(a) not in known.of and id(b) not in known.of):
        return False
    return type(a) is type(b) if isinstance(a, CONTAINERS) else known.meet(a, b)


def refuse_shared(program: Program, target: Any) -> None:
    """Raise ConversionError if a change of `target` in place may be seen under another name."""
    known = _known.get(program)
    if known is None or id(target) not in known.noted:
        return
    for x in known.all_of(target).values():
        if x is not target and isinstance(x, Value) and not isinstance(x, Variable):
            _refuse(target, "a tensor from outside the function")
    for name, value in _visible():
        if value is not target and known.meet(value, target):
            _refuse(target, name)


def _refuse(target: Any, name: str) -> None:
    what = "tensor" if isinstance(target, Value) else type(target).__name__
    raise ConversionError(
        f"a {what} is changed in place that may be the same as {name}, or not: "
        "a tensor decides that",
        cure=f"change a copy: x = x.{'clone' if what == 'tensor' else 'copy'}()",
    )


def _visible() -> Iterator[tuple[str, Any]]:
    """What the names of the functions that are running hold, and what stands in these."""
    frame = sys._getframe(1)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(INTERNAL):
            for name, value in frame.f_locals.items():
                if type(value) not in LACKING:
                    yield name, value
                    yield from ((f"a part of {name}", x) for x in _parts(value))
        frame = frame.f_back  # type: ignore[assignment]


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, (list, tuple)):
        return value
    if isinstance(value, dict):
        return value.values()
    held = getattr(value, "__dict__", None)
    return list(held.values()) if isinstance(held, dict) and not isinstance(value, type) else ()
