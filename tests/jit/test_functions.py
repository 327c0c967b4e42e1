"""Functions as objects: code and defaults that are replaced, partial ones, callable objects."""

from __future__ import annotations

import functools

import pytest

from tests.jit.parity import tensor
from twinoar.errors import ConversionError
from twinoar.jit import to_static
from twinoar.nn import Layer

VALUES = [(1.0, 2.0), (-3.0, 1.0), (1.0, 2.0)]


def assert_follows(make):
    """Three calls, each after a change that `make` gives, are those of the plain function."""
    found = []
    for convert in (lambda function: function, to_static):
        function, change = make()
        converted = convert(function)
        results = []
        for i, values in enumerate(VALUES):
            results.append(converted(tensor(*values)).tolist())
            change(i)
        found.append(results)
    assert found[1] == found[0]


def scaled(x, k=2.0, *, more=1.0):
    return x * k + more


def other(x, k=3.0, *, more=1.0):
    return x * k - more if x.sum() > 0 else x


def copied(function):
    """A function like it, that a test may change."""
    made = type(function)(function.__code__, globals(), function.__name__)
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, dict(function.__kwdefaults__)
    return made


def given_defaults(function, i):
    function.__defaults__ = (5.0 + i,)


def given_named_defaults(function, i):
    function.__kwdefaults__ = {"more": 5.0 + i}


def with_a_named_default_changed(function, i):
    function.__kwdefaults__["more"] = 5.0 + i


def given_code(function, i):
    function.__code__ = (other if i == 0 else scaled).__code__


CHANGES = [given_defaults, given_named_defaults, with_a_named_default_changed, given_code]


def itself(function):
    return function


def called(function):
    return lambda x: function(x)


def method(function):
    class Owner:
        of = function

        def __call__(self, x):
            return self.run(x)

        run = staticmethod(function)

    return Owner()


def wrapped(function):
    @functools.wraps(function)
    def wrapper(x):
        return function(x) + 1

    return lambda x: wrapper(x)


def partial(function):
    return functools.partial(function)


def forward(function):
    class Net(Layer):
        def forward(self, x):
            return function(x)

    return Net()


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("use", [itself, called, method, wrapped, partial, forward])
def test_code_and_defaults_that_are_replaced_count_at_the_next_call(use, change):
    def make():
        function = copied(scaled)
        return use(function), functools.partial(change, function)

    assert_follows(make)


def test_arguments_of_a_partial_function_are_guards():
    def make():
        held = functools.partial(scaled, k=2.0)
        return (lambda x: held(x)), lambda i: held.keywords.update(k=4.0 + i)

    assert_follows(make)


@pytest.mark.parametrize("is_named", [True, False])
def test_lists_that_a_partial_function_holds_are_changed_at_each_call(is_named):
    def grown(kept, x):
        kept.append(1)
        return x * len(kept)

    def make():
        kept = []
        held = functools.partial(grown, kept)
        return (lambda x: held(x)) if is_named else held, lambda i: kept.append(i)

    assert_follows(make)


class Scale:
    factor = 3.0

    def __call__(self, x):
        return x * self.factor if x.sum() > 0 else x


def test_an_object_with_call_is_converted():
    def make():
        scale = Scale()
        return scale, lambda i: setattr(scale, "factor", 9.0 + i)

    assert_follows(make)


def test_a_partial_object_of_a_partial_object():
    def make():
        scale = Scale()
        return functools.partial(functools.partial(scale)), lambda i: setattr(scale, "factor", i)

    assert_follows(make)


def test_a_partial_function_is_named_in_errors():
    def subtracted(k, x):
        assert x.sum() < k, "too much"
        return x - k

    static = to_static(functools.partial(subtracted, 5.0))
    assert static.__name__ == "subtracted"
    assert static(tensor(1.0)).tolist() == [-4.0]
    with pytest.raises(AssertionError, match="too much"):
        static(tensor(9.0))
    with pytest.raises(ConversionError, match="goes on at each call"):
        to_static(functools.partial(lambda it, x: x * next(it), iter([1.0])))(tensor(1.0))
