"""A case: a function as a user would write it, and the inputs that take it along each path."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.core import unique_name


@dataclass(frozen=True)
class Given:
    """The arguments of one call. NumPy arrays are handed over as tensors, the rest as it is."""

    args: tuple
    kwargs: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """A function, or what makes an object with a state anew, and the calls it is run on.

    fixed: sizes must be known to trace it. raises: what a call may raise.
    """

    name: str
    make: Callable[[], Callable]
    calls: tuple[Given, ...]
    is_new: bool
    fixed: bool
    raises: tuple[type[BaseException], ...]


CASES: list[Case] = []


def given(*args: Any, **kwargs: Any) -> Given:
    """The arguments of one call; a list of numbers is a tensor."""
    return Given(as_array(args), as_array(kwargs))


def as_array(x: Any) -> Any:
    """Lists of numbers in `x` as arrays: float32, int64 or bool; anything else as it is."""
    if isinstance(x, dict):
        return {k: as_array(v) for k, v in x.items()}
    if isinstance(x, tuple):
        return tuple(map(as_array, x))
    if not isinstance(x, list):
        return x
    array = np.array(x)
    return array.astype(np.float32) if array.dtype == np.float64 else array


def number(x: float) -> np.ndarray:
    """A tensor without dimensions."""
    return as_array([x])[0, ...]


def case(*inputs: Any, fixed: bool = False, raises: tuple = ()) -> Callable[[Callable], Callable]:
    """Add the function to the matrix. inputs: a call each; what is not `given` is its argument."""

    def add(function: Callable) -> Callable:
        _add(function, lambda: function, inputs, False, fixed, raises)
        return function

    return add


def case_of_new(
    *inputs: Any, fixed: bool = False, raises: tuple = ()
) -> Callable[[Callable], Callable]:
    """Add what the decorated class or function makes, which has a state: made anew for each run."""

    def add(factory: Callable) -> Callable:
        def make() -> Callable:
            paddle.seed(3)
            with unique_name.guard():
                return factory()

        _add(factory, make, inputs, True, fixed, raises)
        return factory

    return add


def _add(
    named: Any, make: Callable, inputs: tuple, is_new: bool, fixed: bool, raises: tuple
) -> None:
    calls = tuple(x if isinstance(x, Given) else given(x) for x in inputs)
    name = f"{named.__module__.rpartition('.')[2]}.{named.__name__}"
    CASES.append(Case(name, make, calls, is_new, fixed, raises))
