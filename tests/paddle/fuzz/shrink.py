"""The smallest call that still shows what a call has shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.paddle.fuzz.cases import Case
from tests.paddle.fuzz.execute import arrays_in, replaced

TRIALS = 80


def smallest(case: Case, different: str, still: Callable[[Case], str | None]) -> tuple[Case, str]:
    """A case from which nothing more can go, and what differs in it."""
    left = TRIALS
    again = True
    while again and left > 0:
        again = False
        for smaller in smaller_cases(case):
            left -= 1
            found = still(smaller)
            if found is not None:
                case, different, again = smaller, found, True
                break
            if left <= 0:
                break
    return case, different


def smaller_cases(case: Case) -> Iterator[Case]:
    """The case with one thing left out or simpler, the boldest first."""
    call = case.call
    if call["form"] == "method":
        yield case.with_call(form="function")
    for key in call["kwargs"]:
        yield case.with_call(kwargs={k: v for k, v in call["kwargs"].items() if k != key})
    given = [call["args"], call["kwargs"]]
    arrays = arrays_in(given)
    for size in sorted({s for a in arrays for s in a.shape if s > 1}, reverse=True):
        for less in {1, size // 2, size - 1}:
            yield changed(case, lambda a, size=size, less=less: cut(a, size, less))
    for i, array in enumerate(arrays):
        if array.dtype.kind in "fc":
            for simple in (np.ones_like(array), np.zeros_like(array), np.round(array, 1)):
                if not np.array_equal(simple, array, equal_nan=True):
                    yield changed_at(case, i, simple)


def cut(array: np.ndarray, size: int, less: int) -> np.ndarray:
    """The array with `less` in place of `size` elements along each axis that has so many."""
    return array[tuple(slice(less) if s == size else slice(None) for s in array.shape)]


def changed(case: Case, put: Callable[[np.ndarray], Any]) -> Case:
    args, kwargs = replaced([case.call["args"], case.call["kwargs"]], put)
    return case.with_call(args=args, kwargs=kwargs)


def changed_at(case: Case, place: int, array: np.ndarray) -> Case:
    """The case with another array in that place among its arrays."""
    count = -1

    def put(before: np.ndarray) -> np.ndarray:
        nonlocal count
        count += 1
        return array if count == place else before

    return changed(case, put)
