"""Nested lists, tuples and dictionaries as lists of what they hold, and back.

A dictionary's values are taken in the order of its sorted keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from twinoar.errors import ArgumentError, TypeMismatchError


def is_sequence(seq: Any) -> bool:
    """Whether it is a list, a tuple or a dictionary."""
    return isinstance(seq, (list, tuple, dict))


def to_sequence(nest: Any) -> Any:
    """The argument itself if it is nested, else a list of it."""
    return nest if is_sequence(nest) else [nest]


def flatten(nest: Any) -> list[Any]:
    """What a nested structure holds, in order.

    >>> flatten([1, (2, {"b": 4, "a": 3})])
    [1, 2, 3, 4]
    """
    if not is_sequence(nest):
        return [nest]
    return [leaf for item in _items(nest) for leaf in flatten(item)]


def pack_sequence_as(structure: Any, flat_sequence: Sequence[Any]) -> Any:
    """The structure with other content: the inverse of `flatten`.

    Raises ArgumentError where the numbers differ.

    >>> pack_sequence_as([0, (0, {"b": 0, "a": 0})], [1, 2, 3, 4])
    [1, (2, {'b': 4, 'a': 3})]
    """
    count = len(flatten(structure))
    if count != len(flat_sequence):
        raise ArgumentError(f"the structure has {count} places, received {len(flat_sequence)}")
    return _packed(structure, iter(flat_sequence))


def map_structure(func: Callable[..., Any], *structure: Any) -> Any:
    """A structure like the first, of what `func` returns for the content of all in each place.

    Raises ArgumentError where their numbers of places differ.

    >>> map_structure(lambda x, y: x + y, [1, (2,)], [10, (20,)])
    [11, (22,)]
    """
    flat = [flatten(one) for one in structure]
    if len({len(one) for one in flat}) > 1:
        raise ArgumentError(f"the structures have {[len(one) for one in flat]} places")
    return pack_sequence_as(structure[0], [func(*each) for each in zip(*flat, strict=True)])


def assert_same_structure(
    nest1: Any,
    nest2: Any,
    check_types: bool = True,
    skip_if: Callable[[Any], bool] | None = None,
) -> None:
    """Raise ArgumentError unless two structures have the same places.

    check_types: raise TypeMismatchError where one has, say, a list and the other a tuple. skip_if:
    of which parts, of either, nothing is compared.
    """
    if skip_if is not None and (skip_if(nest1) or skip_if(nest2)):
        return
    if is_sequence(nest1) != is_sequence(nest2):
        raise ArgumentError(f"the structures differ: {nest1!r} and {nest2!r}")
    if not is_sequence(nest1):
        return
    if check_types and type(nest1) is not type(nest2):
        raise TypeMismatchError(
            f"the structures differ: {type(nest1).__name__} and {type(nest2).__name__}"
        )
    has_other_keys = isinstance(nest1, dict) and set(nest1) != set(nest2)
    if has_other_keys or len(nest1) != len(nest2):
        raise ArgumentError(f"the structures differ: {nest1!r} and {nest2!r}")
    for pair in zip(_items(nest1), _items(nest2), strict=True):
        assert_same_structure(*pair, check_types, skip_if)


def _items(nest: Any) -> list[Any]:
    return [nest[key] for key in sorted(nest)] if isinstance(nest, dict) else list(nest)


def _packed(structure: Any, flat: Iterator[Any]) -> Any:
    if not is_sequence(structure):
        return next(flat)
    if isinstance(structure, dict):
        found = {key: _packed(structure[key], flat) for key in sorted(structure)}
        return type(structure)((key, found[key]) for key in structure)
    items = [_packed(item, flat) for item in structure]
    return type(structure)(*items) if hasattr(structure, "_fields") else type(structure)(items)
