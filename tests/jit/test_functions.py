"""Functions as objects: code and defaults that are replaced, partial ones, callable objects."""

from __future__ import annotations

import functools

import pytest

import twinoar as paddle
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


def test_what_a_cache_keeps_is_computed_once():
    def make():
        held, made = [2.0], []

        @functools.lru_cache
        def table(n):
            made.append(n)
            return held[0] * n

        def change(i):
            held[0] = 10.0 + i
            if i == 1:
                table.cache_clear()

        return (lambda x: x * table(3) + len(made)), change

    assert_follows(make)


def test_a_cached_method_makes_a_tensor_once(capsys):
    class Masks:
        scale = 1.0

        @functools.lru_cache  # noqa: B019  # that it keeps the object is what is tested
        def of(self, n):
            print("made")
            return paddle.ones([n]) * self.scale

    def make():
        masks = Masks()
        return (lambda x: x * masks.of(2)), lambda i: setattr(masks, "scale", 5.0)

    assert_follows(make)
    assert capsys.readouterr().out == "made\nmade\n"


@functools.cache
def kept(x):
    return 1


def of_a_tensor(x):
    return x * kept(x)


def in_a_branch(x):
    if x.sum() > 0:
        x = x * kept(1)
    return x


@pytest.mark.parametrize("function", [of_a_tensor, in_a_branch])
def test_a_cache_that_only_a_run_could_fill_is_refused(function):
    with pytest.raises(ConversionError, match="kept keeps its"):
        to_static(function)(tensor(1.0))


def test_singledispatch_chooses_converted_functions_and_those_registered_later():
    def make():
        @functools.singledispatch
        def of(v):
            return 0.0

        @of.register(paddle.Tensor)
        def _(v):
            return v * 2 if v.sum() > 0 else -v

        of.register(list, lambda v: of(v[0]) + of("text"))

        def change(i):
            of.register(str, lambda v: 3.0 + i)

        return (lambda x: of(x) + of([x]) + of("text")), change

    assert_follows(make)


def test_singledispatchmethod_chooses_converted_methods():
    class Owner:
        factor = 1.0

        @functools.singledispatchmethod
        def of(self, v):
            return 0.0

        @of.register(paddle.Tensor)
        def _(self, v):
            return v * self.factor if v.sum() > 0 else -v

        @of.register
        def _(self, v: int):
            return v + 1.0

    def make():
        owner = Owner()
        return (lambda x: owner.of(x) + owner.of(2)), lambda i: setattr(owner, "factor", 2.0 + i)

    assert_follows(make)
