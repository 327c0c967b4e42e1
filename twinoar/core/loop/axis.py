"""Counters of loops, which expressions are of."""

from __future__ import annotations

import weakref


class Axis:
    """A loop's counter: 0, 1, ... size - 1."""

    __slots__ = ("__weakref__", "name", "size")

    def __init__(self, size: int, name: str = "k"):
        self.size, self.name = size, name

    def __repr__(self) -> str:
        return f"{self.name}<{self.size}"


_axes: weakref.WeakValueDictionary[tuple[int, str], Axis] = weakref.WeakValueDictionary()


def shared_axis(size: int, name: str) -> Axis:
    """The axis of this name and size, made where there is none yet."""
    found = _axes.get((size, name))
    if found is None:
        found = _axes[size, name] = Axis(size, name)
    return found


def reduction_axis(depth: int, position: int, size: int) -> Axis:
    """The axis that reductions of this depth use at this position: equal ones are one node."""
    return shared_axis(size, f"k{depth}{'abcdefgh'[position]}")
