"""Tensors that may share memory: a tensor decided which of several a symbol stands for.

A change in place of one of them would reach the others, or not: only a run knows. So the others
are torn from then on, and whoever uses one is refused: who looks for them when the change is made
does not find those that objects hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from twinoar.core.ir.program import State, Variable
from twinoar.core.values import Value
from twinoar.errors import ConversionError, SourceLine, user_line

Links = dict[int, list[Any]]
CURE = "change a copy: x = x.clone()"


class Torn(NamedTuple):
    """A tensor of which only a run knows what it holds, and the line that made it so."""

    value: Any
    source: SourceLine | None


class Perhaps:
    """What each symbol may be, and which of them a change in place has torn.

    Views are known by what they show, as `top_of` tells. All is kept by identity.
    """

    def __init__(self, top_of: Callable[[Any], Any]):
        self._top_of = top_of
        self._down: Links = {}  # what a symbol may be, or holds copies of
        self._up: Links = {}
        self._piles: Links = {}  # of a tensor that has others in its rows: those
        self._torn: dict[int, Torn] = {}

    def note(self, merged: Any, others: Iterable[Any]) -> None:
        """`merged` may be one of `others`, as whoever writes to it sees."""
        top = self._top_of(merged)
        for x in map(self._top_of, others):
            if isinstance(x, Value) and x is not top:
                self._down.setdefault(id(top), [top]).append(x)
                self._up.setdefault(id(x), [x]).append(top)

    def note_pile(self, stacked: Any, items: list[Any]) -> None:
        """The rows of `stacked` are `items`, or those of other piles, as code sees them."""
        self.note(stacked, items)
        tensors = [x for x in map(self._top_of, items) if isinstance(x, Value)]
        self._piles.setdefault(id(stacked), [stacked]).extend(tensors)

    def tear(self, target: Any) -> None:
        """`target` is about to change: all that it may be, and that may be it, are torn.

        Raises ConversionError where that may be a tensor from outside the function.
        """
        top = self._top_of(target)
        if id(top) not in self._down and id(top) not in self._up:
            return
        below = _closure(self._down, [top])
        found = below | _closure(self._up, below.values())
        if not any(self._repeats(x) for x in below.values()):
            del found[id(top)]
        source = user_line()
        for key, x in found.items():
            if not isinstance(x, Variable) or isinstance(x, State) or _is_input(x):
                raise ConversionError(
                    "a tensor is changed in place that may be the same as a tensor from outside "
                    "the function, or not: a tensor decides that",
                    cure=CURE,
                )
            self._torn.setdefault(key, Torn(x, source))

    def _repeats(self, x: Any) -> bool:
        """True for a pile of which two rows may be one tensor."""
        seen: dict[int, Any] = {}
        for item in self._piles.get(id(x), ())[1:]:
            below = _closure(self._down, [item])
            if not seen.keys().isdisjoint(below):
                return True
            seen |= below
        return False

    def require_whole(self, x: Any) -> None:
        """Raise ConversionError for a tensor that is torn."""
        torn = self._torn.get(id(self._top_of(x))) if self._torn else None
        if torn is None:
            return
        told = "" if torn.source is None else f" (it is changed at {torn.source})"
        error = ConversionError(
            "a tensor is used, and one was changed in place that may be the same as it, or not: "
            f"a tensor decides that{told}",
            cure=CURE,
        )
        error.source = error.source or torn.source
        raise error

    @contextmanager
    def apart(self, torn: dict[int, Torn]) -> Iterator[None]:
        """A block for which `torn` holds too, and whose own changes go there, and not on."""
        before, self._torn = self._torn, self._torn | torn
        try:
            yield
        finally:
            torn |= self._torn
            self._torn = before

    def add(self, torn: dict[int, Torn]) -> None:
        """Let that be torn, too."""
        self._torn |= torn


def perhaps_of(builder: Any) -> Perhaps:
    """What is known in a trace; elsewhere, where nothing is followed, of nothing."""
    found = getattr(builder, "perhaps", None)
    return Perhaps(lambda x: x) if found is None else found


def _closure(links: Links, starts: Iterable[Any]) -> dict[int, Any]:
    """`starts`, and all that links lead to from there, by identity."""
    found: dict[int, Any] = {}
    waiting = list(starts)
    while waiting:
        x = waiting.pop()
        if id(x) not in found:
            found[id(x)] = x
            waiting += links.get(id(x), ())
    return found


def _is_input(x: Variable) -> bool:
    """True for an argument of the function."""
    home = x.home
    if x.producer is not None or home is None or home.program is None:
        return False
    return home is home.program.main
