"""Observers: profilers, calibration, the check for nan. They are told of each call that runs.

One belongs to a Policy, and hears of what runs under that; or, where it starts and ends at any two
places, it is announced to everything that runs in the process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

OPERATOR, BACKWARD, PROGRAM = "Operator", "Backward", "Program"
NO_ATTRS: Mapping[str, Any] = {}


class Call(NamedTuple):
    """What runs: an operator, a backward pass or a compiled Program; the latter two by name only.

    operands: values, as operators take them.
    """

    kind: str
    name: str
    op: Any = None
    operands: tuple[Any, ...] = ()
    attrs: Mapping[str, Any] = NO_ATTRS


class Observer(Protocol):
    """Told when a call starts and when it ends.

    by_operator: True where the operators of a Program are of interest one by one; Programs run on
    NumPy then, and tell of each.
    """

    by_operator: bool

    def started(self, call: Call) -> Any:
        """A call starts; what this returns comes back at its end. What it raises stops the call."""

    def ended(self, call: Call, results: Any, began: Any) -> None:
        """It has given `results`, a value or a tuple of values; None where it raised."""


EVERYWHERE: list[Observer] = []  # those that are told of what runs in any thread


def announce(observer: Observer) -> None:
    """From now on `observer` is told of all that runs."""
    if observer not in EVERYWHERE:
        EVERYWHERE.append(observer)


def withdraw(observer: Observer) -> None:
    """`observer` is told no more."""
    if observer in EVERYWHERE:
        EVERYWHERE.remove(observer)


def observed(observers: Sequence[Observer], call: Call, run: Callable[[], Any]) -> Any:
    """What `run()` returns; each observer is told of it."""
    if not observers:
        return run()
    first, *rest = observers
    began, results = first.started(call), None
    try:
        results = observed(rest, call, run)
    finally:
        first.ended(call, results, began)
    return results
