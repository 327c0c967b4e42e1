"""Iterators: what an item is taken from knows how far it has come, which a trace must know too.

A trace takes items on both sides of a branch, and in several traces of one iteration. So an
iterator is advanced on one path alone, or where it was made.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from weakref import WeakKeyDictionary

from twinoar.core.interpreter import current
from twinoar.core.ir.program import Block, Program
from twinoar.errors import ConversionError
from twinoar.jit.runtime.calls import in_place_of
from twinoar.jit.runtime.undefined import defined
from twinoar.late import dataclass


@dataclass
class Seen:
    """An iterator of a trace. block: where it was last advanced; None once only a run knows.

    sources: iterators that it takes its items from.
    """

    iterator: Any
    block: Block | None
    sources: tuple[Any, ...] = ()


_seen: WeakKeyDictionary[Program, dict[int, Seen]] = WeakKeyDictionary()


def is_iterator(x: Any) -> bool:
    """True for what gives its items once."""
    return hasattr(type(x), "__next__")


def advance(x: Any) -> None:
    """Items of `x` are about to be taken, if it is an iterator.

    Raises ConversionError where only a run knows how far it has come.
    """
    builder: Any = current()
    if builder.runs or not is_iterator(x):
        return
    seen = _seen.setdefault(builder.program, {})
    known = seen.get(id(x))
    around = [b.block for b in _with_outer(builder)]
    if known is not None and not any(known.block is b for b in around):
        raise ConversionError(
            f"a {type(x).__name__} is advanced where a tensor decides how far it has come: "
            "on one side of a branch, by the iterations of a loop, or until a break",
            cure="make the iterator in the branch or iteration that uses it, or index a list",
        )
    if builder.outer is not None or known is not None:
        seen[id(x)] = Seen(x, builder.block, () if known is None else known.sources)


def lose(x: Any) -> None:
    """From here on only a run knows how far `x`, and what it takes its items from, has come."""
    builder: Any = current()
    seen = _seen.setdefault(builder.program, {})
    known = seen.get(id(x))
    seen[id(x)] = Seen(x, None)
    for source in () if known is None else known.sources:
        lose(source)


def draws(made: Any, sources: Iterable[Any]) -> Any:
    """`made`, an iterator that takes its items from `sources`."""
    builder: Any = current()
    found = tuple(filter(is_iterator, sources))
    if found and not builder.runs:
        _seen.setdefault(builder.program, {})[id(made)] = Seen(made, builder.block, found)
    return made


def _with_outer(builder: Any) -> list[Any]:
    return [] if builder is None else [builder, *_with_outer(builder.outer)]


@in_place_of(next)
def next_(iterator: Any, *default: Any) -> Any:
    """`next(...)`."""
    advance(iterator)
    return defined(next(iterator, *default))
