"""One test of many samples runs them all, and says of each that fails which it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.samples import every_sample

CASES = [pytest.param("square", n, id=f"square-{n}") for n in range(5)]


def outcome(test: Callable[[str, int], None]) -> BaseException | None:
    """What the test of all cases raises."""
    try:
        every_sample(CASES)(test)(samples=CASES)
    except BaseException as raised:
        return raised
    return None


def test_each_sample_is_run_with_the_fixtures_of_the_test() -> None:
    seen = []

    @every_sample(CASES)
    def test(name: str, sample: int, fixture: str) -> None:
        seen.append((name, sample, fixture))

    test(samples=CASES, fixture="chip")
    assert seen == [("square", n, "chip") for n in range(5)]


def test_one_failure_is_raised_as_it_is_and_named() -> None:
    def test(name: str, sample: int) -> None:
        assert sample != 3

    raised = outcome(test)
    assert isinstance(raised, AssertionError)
    assert raised.__notes__ == ["with the sample square-3"]


def test_all_failures_are_raised_and_named() -> None:
    def test(name: str, sample: int) -> None:
        if sample == 1:
            raise ZeroDivisionError
        with pytest.raises(ValueError):
            assert int("4" if sample > 2 else "x")

    raised = outcome(test)
    assert isinstance(raised, BaseExceptionGroup)
    assert raised.message == "3 of 5 samples fail: square-1, square-3, square-4"
    assert [type(e) for e in raised.exceptions] == [ZeroDivisionError] + [pytest.fail.Exception] * 2


def test_it_is_skipped_where_all_samples_are() -> None:
    def skips(name: str, sample: int) -> None:
        pytest.skip("none has it")

    def skips_some(name: str, sample: int) -> None:
        if sample < 4:
            pytest.skip("it has none")

    assert isinstance(outcome(skips), pytest.skip.Exception)
    assert outcome(skips_some) is None


def test_what_takes_too_long_ends_the_test() -> None:
    seen = []

    def test(name: str, sample: int) -> None:
        seen.append(sample)
        pytest.fail("Timeout (>120.0s) from pytest-timeout.")

    assert isinstance(outcome(test), pytest.fail.Exception)
    assert seen == [0]


@pytest.mark.parametrize("letter", ["a", "b"])
@every_sample([*CASES, pytest.param("cube", 1, id="cube-0")])
def test_pytest_makes_a_test_of_each_operator(
    name: str, sample: int, letter: str, request: pytest.FixtureRequest
) -> None:
    assert request.node.name == f"test_pytest_makes_a_test_of_each_operator[{name}-{letter}]"
