"""Sizes that vary: arithmetic stays symbolic, questions become guards, and nothing leaks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from twinoar.core.dim import symbol
from twinoar.core.loop.expression import const
from twinoar.core.varying import (
    Guards,
    divides,
    greater,
    hint_of,
    is_one,
    is_varying,
    less,
    number,
    same,
    typical,
)
from twinoar.errors import ProgramError


@pytest.fixture
def guards() -> Guards:
    """One size, N, which was 32."""
    return Guards({"N": 32})


def test_arithmetic_asks_nothing(guards: Guards) -> None:
    n = guards.sizes["N"]
    made = (2 * n + 1) * 3 // 3 - n % 7 + math.prod((n, 4, 5))
    assert is_varying(made) and hint_of(made) == 65 - 4 + 640
    assert number(made, {"N": 10}) == 21 - 3 + 200
    assert guards.answers == {}


def test_what_is_a_number_for_all_sizes_is_one(guards: Guards) -> None:
    n = guards.sizes["N"]
    assert [n - n, n * 6 // n, n * 4 % 2, 0 * n, 0 // n] == [0, 6, 0, 0, 0]
    assert n * 2 // 2 is n


def test_what_holds_for_all_sizes_is_no_guard(guards: Guards) -> None:
    n = guards.sizes["N"]
    assert n > 0 and n and n * 6 >= n and n + 1 != n and max(n * 3, 1) is not None
    assert guards.answers == {}


def test_whether_a_size_that_varies_is_one_is_a_question_but_for_who_takes_one_as_many(
    guards: Guards,
) -> None:
    n = guards.sizes["N"]
    assert not is_one(n) and is_one(1) and guards.answers == {}
    assert n != 1 and guards.answers == {(symbol("N") - 1, "=="): False}
    assert not guards.hold({"N": 1}) and guards.hold({"N": 2})


def test_an_answer_of_the_hint_is_a_guard(guards: Guards) -> None:
    n = guards.sizes["N"]
    assert n > 5 and n != 128
    assert guards.hold({"N": 6}) and guards.hold({"N": 129})
    assert not guards.hold({"N": 5}) and not guards.hold({"N": 128})
    assert not guards.hold({"N": 0}) and not guards.hold({"N": 1 << 33})


LEAKS = {
    "index": lambda n: [0] * 40 and list(range(50))[n],
    "range": lambda n: list(range(n)),
    "array": lambda n: np.zeros(n),
    "int": int,
    "float": lambda n: 1.0 / n,
    "text": lambda n: f"{n}",
    "shown": repr,
    "shift": lambda n: 1 << n,
    "fraction": lambda n: n * 0.5,
}


@pytest.mark.parametrize("leak", LEAKS.values(), ids=LEAKS)
def test_what_takes_the_number_serves_that_number_alone(guards: Guards, leak) -> None:
    leak(guards.sizes["N"])
    assert guards.hold({"N": 32}) and not guards.hold({"N": 33})


def test_choices_without_a_wrong_answer_ask_nothing(guards: Guards) -> None:
    n = guards.sizes["N"]
    assert typical(n) == 256 and greater(n, 100) is n
    assert not same(n, 32) and not less(n, 33) and less(n, n + 1) and not divides(8, n)
    assert divides(n, n * 3) and same(n + 1, 1 + n)
    assert guards.answers == {}


def test_sizes_that_were_equal_are_one_size_and_a_guard() -> None:
    guards = Guards({"N": 8, "M": 8, "K": 9})
    sizes = guards.sizes
    assert sizes["N"] is sizes["M"] and sizes["K"] is not sizes["N"]
    assert guards.hold({"N": 5, "M": 5, "K": 7}) and not guards.hold({"N": 5, "M": 6, "K": 7})


def test_nothing_is_asked_after_planning(guards: Guards) -> None:
    n = guards.sizes["N"]
    assert n > 5
    guards.is_closed = True
    assert n > 5
    with pytest.raises(ProgramError, match="after planning"):
        bool(n > 6)


def test_sizes_of_two_plans_are_never_equal(guards: Guards) -> None:
    other = Guards({"N": 32})
    assert guards.sizes["N"] != other.sizes["N"]
    assert guards.answers == other.answers == {}


def test_the_algebra_of_positions_takes_sizes(guards: Guards) -> None:
    n = guards.of(symbol("N"))
    five = const(5)
    assert (five * n // n) is five and (five * n % n).value == 0
    assert guards.answers == {}
