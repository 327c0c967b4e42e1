"""LRScheduler: a learning rate that changes from step to step."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.op.explain import Told
from twinoar.errors import ArgumentError, TypeMismatchError, UnknownNameError


class LRScheduler(Told):
    """Base of schedules: a subclass says in `get_lr` what the rate is at `last_epoch`.

    learning_rate: the first one, kept as `base_lr`. last_epoch: where to go on; -1 starts anew.
    verbose: print the rate on each step. Raises TypeMismatchError where learning_rate is not a
    number.

    >>> class Halved(twinoar.optimizer.lr.LRScheduler):
    ...     def get_lr(self):
    ...         return self.base_lr * 0.5**self.last_epoch
    >>> schedule = Halved(0.4)
    >>> schedule.step()
    >>> schedule()
    0.2
    """

    def __init__(self, learning_rate: float = 0.1, last_epoch: int = -1, verbose: bool = False):
        rate = number("learning_rate", learning_rate)
        self.base_lr = require("learning_rate", rate, rate >= 0, "at least 0")
        self.last_lr = self.base_lr
        self.last_epoch = last_epoch
        self.verbose = verbose
        self.step()

    def __call__(self) -> float:
        return self.last_lr

    def get_lr(self) -> float:
        """The rate at `last_epoch`; `last_lr` is still that of the step before."""
        raise NotImplementedError  # every schedule has its own

    def step(self, epoch: int | None = None) -> None:
        """Go on by one, or to `epoch`, and compute the rate there."""
        current().python_effect(f"{type(self).__name__}.step")
        closed_form = getattr(self, "_get_closed_form_lr", None)
        if epoch is None:
            self.last_epoch += 1
            self.last_lr = self.get_lr()
        else:
            self.last_epoch = epoch
            self.last_lr = self.get_lr() if closed_form is None else closed_form()
        self._report()

    def state_keys(self) -> None:
        """Set `keys`, the attributes that `state_dict` holds; subclasses may add to them."""
        self.keys = ["last_epoch", "last_lr"]

    def state_dict(self) -> dict[str, Any]:
        """What is needed to go on later, by name."""
        self.state_keys()
        return {key: getattr(self, key) for key in self.keys}

    def set_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from what `state_dict` returned. Raises UnknownNameError for a missing entry."""
        self.state_keys()
        missing = [key for key in self.keys if key not in state_dict]
        if missing:
            raise UnknownNameError(
                f"{type(self).__name__} needs {self.keys}, the state has {list(state_dict)}",
                cure="load the state of a schedule of the same class",
            )
        for key in self.keys:
            setattr(self, key, state_dict[key])

    set_dict = set_state_dict

    def _report(self) -> None:
        if self.verbose:
            name = type(self).__name__
            print(f"Epoch {self.last_epoch}: {name} set learning rate to {self.last_lr}.")


def number(name: str, value: Any) -> float:
    """`value` as a float. Raises TypeMismatchError where it is not a number."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeMismatchError(
            f"{name} must be a number, received {value!r}", cure="pass an int or a float"
        )
    return float(value)


def count(name: str, value: Any) -> int:
    """`value` as an int of at least 1. Raises TypeMismatchError or ArgumentError."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeMismatchError(
            f"{name} must be an integer, received {value!r}", cure="pass an int"
        )
    return require(name, int(value), value > 0, "at least 1")


def require(name: str, value: Any, holds: bool, expected: str) -> Any:
    """`value` where the condition `holds`; raises ArgumentError elsewhere."""
    if not holds:
        raise ArgumentError(f"{name} must be {expected}, received {value!r}")
    return value


def require_callable(name: str, value: Any) -> Callable[[int], float]:
    """`value` where it can be called. Raises TypeMismatchError elsewhere."""
    if not callable(value):
        raise TypeMismatchError(
            f"{name} must be a function of the epoch, received {value!r}",
            cure="pass a function such as lambda epoch: 0.95**epoch",
        )
    return value
