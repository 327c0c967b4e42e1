"""Tensors that may be the same one: a tensor decided which of several a name stands for.

A change in place of one of them would reach the others, or not: only a run knows. It is refused
where another of them can still be seen.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

from twinoar.core.ir import Program, Variable
from twinoar.errors import INTERNAL, ConversionError

_known: WeakKeyDictionary[Program, dict[Variable, set[Variable]]] = WeakKeyDictionary()


def may_be(program: Program, v: Any, others: Iterable[Any]) -> None:
    """Remember that `v` may be one of `others`."""
    known = _known.setdefault(program, {})
    for other in others:
        if isinstance(v, Variable) and isinstance(other, Variable) and other is not v:
            known.setdefault(v, set()).add(other)
            known.setdefault(other, set()).add(v)


def refuse_shared(program: Program, target: Any) -> None:
    """Raise ConversionError if a change of `target` in place may be seen under another name."""
    known = _known.get(program)
    if not known or target not in known:
        return
    same, waiting = {target}, [target]
    while waiting:
        new = known.get(waiting.pop(), set()) - same
        same |= new
        waiting += new
    for name, value in _visible():
        if isinstance(value, Variable) and value is not target and value in same:
            raise ConversionError(
                f"a tensor is changed in place that may be the same as {name}, or not: "
                "a tensor decides that",
                cure="change a copy: x = x.clone()",
            )


def _visible() -> Iterator[tuple[str, Any]]:
    """What the names of the functions that are running hold, and what stands in these."""
    frame = sys._getframe(1)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(INTERNAL):
            for name, value in frame.f_locals.items():
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
