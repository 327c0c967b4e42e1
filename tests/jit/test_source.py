"""The source of what is converted: lambdas, decorated functions, methods, texts."""

from __future__ import annotations

import functools

import pytest

from tests.jit.test_control_flow import tensor
from twinoar.errors import ConversionError
from twinoar.jit import to_static

FIRST, SECOND = (lambda v: v * 2 if v.sum() > 0 else v, lambda v: v * 3 if v.sum() > 0 else -v)


def add_one(function):
    @functools.wraps(function)
    def wrapper(x):
        if x.sum() > 100:
            return x
        return function(x) + 1

    return wrapper


@add_one
def decorated(x):
    text = """
not indented
"""
    if x.sum() > 0:
        return x * len(text)
    return x


class Scale:
    sign = staticmethod(lambda v: v if v.max() > 0 else v * 9)

    def __init__(self):
        self.__factor = 3.0

    def of(self, x):
        scaled = lambda k=2: x * k if x.sum() > 0 else x  # noqa: E731
        if x.max() > 2:
            return scaled() * self.__factor
        return scaled() + self.sign(x)


FUNCTIONS = [FIRST, SECOND, decorated, Scale().of, lambda v: FIRST(v) + SECOND(v)]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("values", [(1.0, 2.0), (3.0, 4.0), (-1.0, 0.5), (200.0, 1.0)], ids=str)
def test_every_form_of_function_is_converted(function, values):
    x = tensor(*values)
    assert to_static(function)(x).tolist() == function(x).tolist()


def test_a_function_without_source_is_refused():
    namespace = {}
    exec("def hidden(x):\n    return x if x.sum() > 0 else -x", namespace)
    with pytest.raises(ConversionError, match="the source of hidden is not available"):
        to_static(namespace["hidden"])(tensor(1.0))
