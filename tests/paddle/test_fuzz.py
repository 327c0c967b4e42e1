"""Random calls do in twinoar what they do in Paddle 3.3.1, in all modes alike; some fixed ones.

`python -m tests.paddle.fuzz --seed NUMBER` compares fresh ones.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.paddle.conftest import interpreter
from tests.paddle.fuzz import judge, modes, shrink
from tests.paddle.fuzz.cases import Case, case, examples, functions
from tests.paddle.fuzz.compare import Finding, findings
from tests.paddle.fuzz.execute import arrays_in, outcome
from tests.paddle.fuzz.real import RealPaddle

COUNT = 280


def of(*args: Any, name: str = "add", **kwargs: Any) -> Case:
    return Case(0, {"name": name, "form": "function", "args": list(args), "kwargs": kwargs})


@pytest.fixture(scope="module")
def found() -> list[Finding]:
    """What comes of the first cases."""
    with RealPaddle(interpreter("PADDLE_3_PYTHON")) as real, np.errstate(all="ignore"):
        return list(findings(map(case, range(COUNT)), real))


def test_no_random_call_gives_silently_something_else(found: list[Finding]) -> None:
    assert [str(f) for f in found if f.verdict == judge.SILENT] == []


def test_most_calls_are_accepted_and_few_are_refused_here_alone(found: list[Finding]) -> None:
    counts = Counter(f.verdict for f in found if f.mode is None)
    assert counts[judge.EQUAL] > 0.5 * COUNT
    assert counts[judge.ONLY_HERE] < 0.04 * COUNT


def test_a_number_stands_for_one_call() -> None:
    assert [case(n).text for n in range(50)] == [case(n).text for n in range(50)]
    assert len({case(n).text for n in range(50)}) > 45


def test_most_functions_have_examples_to_change() -> None:
    assert len(functions()) > 450
    assert sum(map(bool, examples().values())) > 0.85 * len(functions())


@pytest.mark.parametrize(
    ("own", "real", "verdict"),
    [
        ({"results": 1.0}, {"results": 1.0}, judge.EQUAL),
        ({"results": 1.0}, {"results": 1.1}, judge.SILENT),
        ({"results": [1]}, {"results": [1, 2]}, judge.SILENT),
        ({"results": 1}, {"error": "no"}, judge.ONLY_THERE),
        ({"error": "no"}, {"results": 1}, judge.ONLY_HERE),
        ({"error": "no"}, {"error": "never"}, judge.BOTH),
        ({"results": 1}, {"error": "crash"}, judge.CRASH),
    ],
)
def test_a_verdict_says_who_refuses_and_what_differs(own: Any, real: Any, verdict: str) -> None:
    assert judge.verdict(own, real)[0] == verdict


@pytest.mark.parametrize(
    ("own", "real", "dtype", "same"),
    [
        (np.ones(2), np.ones(3), "float64", False),
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), "float32", True),
        (np.array([1.0, 1e-9]), np.array([1.0, 2e-9]), "float32", True),
        (np.array([1.001]), np.array([1.0]), "float32", False),
        (np.array([1 + 1j]), np.array([1 + 2j]), "complex64", False),
        (np.array([1]), np.array([2]), "int64", False),
    ],
)
def test_arrays_are_alike_within_what_their_dtype_tells(
    own: np.ndarray, real: np.ndarray, dtype: str, same: bool
) -> None:
    assert judge.alike(own, real, dtype) == same


def test_the_smallest_call_keeps_what_it_shows() -> None:
    whole = of(np.full((4, 5), 2.5), np.ones((4, 5)), name="add", alpha=3)
    small, _ = shrink.smallest(whole, "", lambda c: "" if np.max(c.call["args"][0]) > 2 else None)
    assert [a.shape for a in arrays_in(small.call["args"])] == [(1, 1), (1, 1)]
    assert small.call["kwargs"] == {}


@pytest.mark.parametrize("mode", ["numpy", "to_static", "static", "saved"])
def test_modes_run_a_call_as_eager_code_does(mode: str) -> None:
    from tests.paddle.fuzz.compare import in_mode

    call = of(np.ones((2, 3), "float32"), 2.0, name="multiply").call
    assert in_mode(mode, call, modes.native(call)) == (judge.EQUAL, "")


@pytest.mark.parametrize("x", [[[1.5, 2.5], [3.5, 4.5]], [3], []])
def test_numbers_of_a_run_are_saved_as_tensors_without_dimensions(x: list[Any]) -> None:
    from tests.paddle.fuzz.compare import in_mode

    call = {**of(np.array(x), name="tolist").call, "form": "method"}
    assert in_mode("saved", call, modes.native(call)) == (judge.EQUAL, "")


def test_known_patterns_see_the_elements_of_large_arrays() -> None:
    large = of(np.zeros(50), name="i0e")
    assert large.text == "i0e(float64[50]:...)"
    assert judge.is_known("i0e", large.whole_text, ".gradients[0]: [0.0] for [-1.0]")


def test_a_result_that_is_an_operand_has_a_gradient() -> None:
    import twinoar

    found = outcome(twinoar, of(np.ones(2, "float32"), [2], name="reshape").call)
    assert found["gradients"][0]["array"].shape == (2,)
