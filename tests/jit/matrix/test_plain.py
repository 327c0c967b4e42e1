"""Converted code on plain values gives what Python gives: results, changed arguments and errors."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.jit.matrix.plain import FUNCTIONS
from twinoar.jit.convert.function import convert


def outcome(function: Callable, args: tuple) -> tuple[Any, tuple]:
    """The result, or the kind and text of the error; and the arguments after the call."""
    args = copy.deepcopy(args)
    try:
        return function(*args), args
    except Exception as error:
        return (type(error), str(error), type(error.__cause__)), args


@pytest.mark.parametrize(("function", "calls"), FUNCTIONS, ids=lambda x: getattr(x, "__name__", ""))
def test_converted_code_on_plain_values_is_python(function: Callable, calls: tuple):
    converted = convert(function)
    for args in calls:
        assert outcome(converted, args) == outcome(function, args)
