"""Tests of many samples: those of one operator run as one test, which names each that fails.

pytest, its plug-ins and its processes spend 2 to 3 ms of processor time on a test, more than most
samples of operators need, and there are tens of thousands.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

# What `pytest.param` makes; pytest does not name its class in public.
Case = Any


def every_sample(cases: Iterable[Case]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Instead of `pytest.mark.parametrize` for a test of an operator, or its name, and a sample.

    cases: `pytest.param(operator, sample, id=...)`. A test runs all of one operator, each with the
    same fixtures. One failure is raised as it is, with the id of its sample; more of them as a
    group. It is skipped where all its samples are.
    """
    by_operator: dict[str, list[Case]] = {}
    for case in cases:
        operator = case.values[0]
        by_operator.setdefault(getattr(operator, "name", operator), []).append(case)
    groups = [pytest.param(group, id=name) for name, group in by_operator.items()]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(samples: list[Case], **fixtures: Any) -> None:
            _run(functools.partial(test, **fixtures), samples)

        own = inspect.Parameter("samples", inspect.Parameter.KEYWORD_ONLY)
        fixtures = list(inspect.signature(test).parameters.values())[2:]
        keywords = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in fixtures]
        run.__signature__ = inspect.Signature([own, *keywords])  # type: ignore[attr-defined]
        return pytest.mark.parametrize("samples", groups)(run)

    return decorate


def _run(test: Callable[..., None], samples: list[Case]) -> None:
    failures: dict[str, BaseException] = {}
    skips = []
    for case in samples:
        try:
            test(*case.values)
        except pytest.skip.Exception as skip:
            skips.append(skip)
        except (Exception, pytest.fail.Exception) as failure:
            if "pytest-timeout" in str(failure):  # its alarm is over, and the next may hang too
                raise
            failure.add_note(f"with the sample {case.id}")
            failures[case.id] = failure
    if len(failures) == 1:
        raise next(iter(failures.values()))
    if failures:
        names = ", ".join(failures)
        raise BaseExceptionGroup(
            f"{len(failures)} of {len(samples)} samples fail: {names}", [*failures.values()]
        )
    if len(skips) == len(samples):
        raise skips[0]
