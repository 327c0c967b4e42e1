"""What catches Paddle's error for a wrong call catches twinoar's."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from pathlib import Path

import pytest

import twinoar
from tests.paddle import run_calls

PATH = Path(__file__).with_name("wrong_calls.txt")
CALLS = [line for line in PATH.read_text().splitlines() if not line.startswith("#")]

RUN = """
from pathlib import Path
sys.path.insert(0, given["scripts"])
import run_calls
def kind(call):
    try:
        eval(call, run_calls.Tools(paddle, call, Path(given["scripts"])).namespace())
    except Exception as error:
        return next(k.__name__ for k in type(error).__mro__ if k.__module__ == "builtins")
answer([kind(call) for call in given["calls"]])
"""


@pytest.fixture(scope="module")
def kinds(paddle_3: Callable) -> list[str]:
    """The kinds of error that Paddle 3.3.1 raises, by Python's classes."""
    found: list[str] = paddle_3(RUN, scripts=PATH.parent, calls=CALLS)
    return found


@pytest.mark.parametrize("call", CALLS)
def test_the_error_is_of_the_kind_that_paddle_raises(call: str, kinds: list[str]) -> None:
    names = run_calls.Tools(twinoar, call, PATH.parent).namespace()
    with pytest.raises(getattr(builtins, kinds[CALLS.index(call)])):
        eval(call, names)
