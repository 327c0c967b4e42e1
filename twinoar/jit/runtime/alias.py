"""Objects that may be the same one: a tensor decided which of several a name stands for.

A change in place of one of them would reach the others, or not: only a run knows. That of a
container is refused where another of them can still be seen (for tensors see `perhaps`), and so is
the question whether one `is` the other.
"""

from __future__ import annotations

import functools
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from twinoar.core.ir.program import Program
from twinoar.core.values import Value
from twinoar.errors import INTERNAL, ConversionError
from twinoar.jit.runtime.libraries import is_librarys
from twinoar.jit.runtime.names import PREFIX
from twinoar.jit.runtime.perhaps import perhaps_of
from twinoar.jit.runtime.undefined import Partly, Undefined
from twinoar.ops.control.number import Number

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


def may_be(builder: Any, merged: Any, others: Iterable[Any]) -> None:
    """Remember that `merged` may be one of `others`."""
    if isinstance(merged, (Value, *CONTAINERS)):
        others = list(others)
        _known.setdefault(builder.program, Origins()).note(merged, others)
        if isinstance(merged, Value) and not isinstance(merged, Number):
            perhaps_of(builder).note(merged, others)


def may_be_same(program: Program, a: Any, b: Any) -> bool:
    """True if only a run knows whether two objects are one."""
    known = _known.get(program)
    if a is b or known is None or (id(a) not in known.of and id(b) not in known.of):
        return False
    return type(a) is type(b) if isinstance(a, CONTAINERS) else known.meet(a, b)


def refuse_shared(program: Program, target: Any) -> None:
    """Raise ConversionError if a container is changed that may be seen under another name."""
    known = _known.get(program)
    if known is None or id(target) not in known.noted:
        return
    for name, value in _visible():
        if value is not target and known.meet(value, target):
            raise ConversionError(
                f"a {type(target).__name__} is changed in place that may be the same as {name}, "
                "or not: a tensor decides that",
                cure="change a copy: x = x.copy()",
            )


def _visible() -> Iterator[tuple[str, Any]]:
    """What the names of the functions that are running hold, and what stands in these."""
    seen: dict[int, Any] = {}
    frame = sys._getframe(1)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(INTERNAL):
            for name, value in (*frame.f_locals.items(), *frame.f_globals.items()):
                if type(value) not in LACKING and id(value) not in seen:
                    yield name, value
                    whole = "a function" if name.startswith(PREFIX) else name
                    for x in _parts(value, seen):
                        yield f"a part of {whole}", x
        frame = frame.f_back  # type: ignore[assignment]


def _parts(value: Any, seen: dict[int, Any]) -> Iterator[Any]:
    """All that is in a container or an object of the user's, at any depth."""
    waiting = [value]
    while waiting:
        x = waiting.pop()
        if id(x) in seen:
            continue
        seen[id(x)] = x
        inner = list(_held(x))
        yield from inner
        waiting += inner


def _held(x: Any) -> Iterable[Any]:
    if isinstance(x, (list, tuple, set, deque)):
        return x
    if isinstance(x, dict):
        return x.values()
    if isinstance(x, FunctionType):
        cells = [c.cell_contents for c in x.__closure__ or () if _is_filled(c)]
        return [*cells, *(x.__defaults__ or ()), *(x.__kwdefaults__ or {}).values()]
    if isinstance(x, functools.partial):
        return x.func, x.args, x.keywords
    if isinstance(x, MethodType):
        return (x.__self__,)
    if isinstance(x, (ModuleType, Value)) or is_librarys(type(x)):
        return ()
    held = getattr(x, "__dict__", None)
    return () if held is None else list(held.values())


def _is_filled(cell: CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True
