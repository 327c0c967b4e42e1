"""Nested lists, tuples and dicts as a list of leaves and a structure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

LEAF = "*"


def flatten(x: Any) -> tuple[list[Any], Any]:
    """The leaves of `x` in order, and its structure, which is hashable.

    >>> flatten({"a": [1, 2], "b": 3})
    ([1, 2, 3], ('dict', ('a', 'b'), (('list', ('*', '*')), '*')))
    """
    leaves: list[Any] = []
    return leaves, _structure(x, leaves)


def _structure(x: Any, leaves: list[Any]) -> Any:
    if not isinstance(x, (tuple, list, dict)):
        leaves.append(x)
        return LEAF
    if hasattr(x, "_fields"):
        return type(x), tuple(_structure(i, leaves) for i in x)
    if isinstance(x, dict):
        return "dict", tuple(x), tuple([_structure(i, leaves) for i in x.values()])
    kind = "list" if isinstance(x, list) else "tuple"  # so are those of classes below
    return kind, tuple([_structure(i, leaves) for i in x])


def unflatten(structure: Any, leaves: list[Any]) -> Any:
    """Inverse of `flatten`."""
    return _rebuild(structure, iter(leaves))


def _rebuild(structure: Any, leaves: Iterator[Any]) -> Any:
    if structure == LEAF:
        return next(leaves)
    if structure[0] == "dict":
        return {k: _rebuild(s, leaves) for k, s in zip(structure[1], structure[2], strict=True)}
    items = [_rebuild(s, leaves) for s in structure[1]]
    if structure[0] == "list":
        return items
    return tuple(items) if structure[0] == "tuple" else structure[0](*items)


def map_leaves(f: Callable[[Any], Any], x: Any) -> Any:
    """`x` with `f` applied to each leaf."""
    leaves, structure = flatten(x)
    return unflatten(structure, [f(leaf) for leaf in leaves])
