"""What a trace relied on, and whether it still holds when the function is called again."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from twinoar.eager.tensor import ZEROS, Tensor

_hooks_of = attrgetter("_hooks")


class Guards:
    """Attributes of objects, and gradients, that were found when a function was traced.

    They are checked at every call, so each kind is a list that one loop walks.
    """

    def __init__(self) -> None:
        self._noted: set[tuple[int, str]] = set()
        self.same: list[tuple[Any, str, Any]] = []
        self.empty: list[Tensor] = []
        self.full: list[Tensor] = []
        self.hookless: list[Tensor] = []

    def note(self, holder: Any, attribute: str, value: Any) -> None:
        """The attribute of the holder is this very value."""
        if self._is_new(holder, attribute):
            self.same.append((holder, attribute, value))

    def note_empty(self, x: Tensor) -> None:
        """The tensor has no gradient, or zeros that nobody has looked at."""
        if self._is_new(x, "empty"):
            self.empty.append(x)

    def note_full(self, x: Tensor) -> None:
        """The tensor has a gradient."""
        if self._is_new(x, "full"):
            self.full.append(x)

    def note_hookless(self, x: Tensor) -> None:
        """The tensor has no hook."""
        if self._is_new(x, "hookless"):
            self.hookless.append(x)

    def hold(self) -> bool:
        """True while all of it is as it was."""
        for holder, attribute, value in self.same:
            if getattr(holder, attribute, None) is not value:
                return False
        for x in self.empty:
            if x._grad is not None and x._grad is not ZEROS:
                return False
        for x in self.full:
            if x._grad is None or x._grad is ZEROS:
                return False
        return not any(map(_hooks_of, self.hookless))

    def _is_new(self, holder: Any, what: str) -> bool:
        """True the first time; the lists keep the holders alive, so that ids stay theirs."""
        key = id(holder), what
        if key in self._noted:
            return False
        self._noted.add(key)
        return True
