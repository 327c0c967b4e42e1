"""Methods that Python or a library calls by itself are followed as the user's other code is."""

from __future__ import annotations

import collections
import contextlib
import copy
import dataclasses
import functools
import queue
import sys

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ConversionError
from twinoar.jit import to_static

SCALE = 2.0
LOG: list = []


def set_scale(i):
    global SCALE
    SCALE = float(i)


def tensor(*values):
    return paddle.to_tensor(list(values), dtype="float32")


class Scaled:
    """Answers with a global, whatever Python asks."""

    def __init__(self):
        self.calls = 0

    def __mul__(self, other):
        self.calls += 1
        LOG.append("mul")
        return other * SCALE * self.calls

    def __rsub__(self, other):
        return other * SCALE

    def __neg__(self):
        return SCALE

    def __iter__(self):
        for i in range(2):
            LOG.append(i)
            yield i * SCALE

    def __len__(self):
        LOG.append("len")
        return int(SCALE)

    def __contains__(self, x):
        return x < SCALE

    def __bool__(self):
        return SCALE > 2

    def __eq__(self, other):
        return SCALE > 2

    def __hash__(self):
        return int(SCALE)

    def __lt__(self, other):
        LOG.append("lt")
        return SCALE > 2

    def __float__(self):
        return SCALE

    def __index__(self):
        return int(SCALE) % 2

    def __call__(self, x):
        return x * SCALE

    def __getitem__(self, key):
        LOG.append(key)
        return key * SCALE

    def __setitem__(self, key, value):
        self.calls += value * SCALE

    def __iadd__(self, other):
        self.calls += other * SCALE
        return self

    def __str__(self):
        return "s" * int(SCALE)

    def __format__(self, how):
        return "f" * int(SCALE)

    def __enter__(self):
        LOG.append("in")
        return SCALE

    def __exit__(self, *error):
        LOG.append("out")

    def __deepcopy__(self, memo):
        LOG.append("copy")
        return SCALE

    def close(self):
        LOG.append("closed")


def operators(x, s):
    return s * x + (3 - s) + (-s)


def loop(x, s):
    for i in s:
        x = x + i
    return x


def questions(x, s):
    x = x * len(s) + (1 if 2.5 in s else 3)
    if s:
        x = x + 5
    return x * float(s) + [1, 2][s] + (1 if s == 3 else 2)


def keys_and_order(x, s):
    return x * len({s: 1, 0: 2}) + sorted([1, 2, 3], key=s)[0] + (2 if s < 4 else 3)


def items(x, s):
    s[1] = 2
    return x * s[3] * s.calls


def augmented(x, s):
    t = s
    t += 2
    return x * s.calls


def texts(x, s):
    return x * len(str(s)) + len(f"{s}") + len("{}".format(s)) + len("%s" % s)  # noqa: UP031, UP032


def with_statement(x, s):
    with s as k:
        return x * k


def stack(x, s):
    with contextlib.ExitStack() as entered:
        x = x * entered.enter_context(s)
        entered.callback(lambda: LOG.append("callback"))
    return x


def closed(x, s):
    with contextlib.closing(s):
        return x * s(2)


def copied(x, s):
    return x * copy.deepcopy(s)


@contextlib.contextmanager
def scale_within(k):
    LOG.append("begin")
    yield SCALE * k
    LOG.append("end")


def made_context(x, s):
    with scale_within(2) as k:
        return x * k


class Decorating(contextlib.ContextDecorator):
    def __enter__(self):
        LOG.append("enter")

    def __exit__(self, *error):
        LOG.append("exit")


@Decorating()
def decorated(x):
    return x * SCALE


@paddle.no_grad()
def without_gradient(x):
    LOG.append("called")
    if x.sum() > 100:
        return x * 2
    return x * SCALE


def decorators(x, s):
    return decorated(x) + without_gradient(x)


def numbers(n):
    for i in range(n):
        LOG.append(i)
        yield i * SCALE


def both(n):
    got = yield from numbers(n)
    yield 7 if got is None else 8


def generators(x, s):
    for k in both(2):
        x = x + k
    return x + sum(numbers(2)) + next(iter(numbers(1)))


@functools.singledispatch
def dispatched(x):
    return SCALE


@dispatched.register
def _(x: int):
    LOG.append(x)
    return SCALE + 1


def by_type(x, s):
    return x * dispatched(1) + dispatched("text")


class Descriptor:
    def __get__(self, owner, kind):
        return SCALE * owner.k

    def __set__(self, owner, value):
        owner.k = value
        LOG.append(value)


class Computing:
    described = Descriptor()
    k = 3.0

    def __getattr__(self, name):
        if name.startswith("_") or name == "nothing":
            LOG.append("absent")
            raise AttributeError(name)
        LOG.append(name)
        return SCALE

    @functools.cached_property
    def cached(self):
        LOG.append("cached")
        return SCALE


def descriptors(x, s):
    c = s.computing
    result = x * c.described
    c.described = 5.0
    return result


def missing_attributes(x, s):
    c = s.computing
    return (
        x * c.anything * getattr(c, "other", 9) + getattr(c, "nothing", 7) + hasattr(c, "nothing")
    )


def cached_attribute(x, s):
    s.computing.__dict__.pop("cached", None)
    return x * s.computing.cached


class Setting:
    def __setattr__(self, name, value):
        LOG.append(name)
        object.__setattr__(self, f"_{name}", value * SCALE)

    def __delattr__(self, name):
        LOG.append(f"no {name}")
        super().__delattr__(f"_{name}")


class Counting:
    def __setattr__(self, name, value):
        self.__dict__[name] = value
        self.__dict__["changes"] = self.__dict__.get("changes", 0) + 1


def set_attributes(x, s):
    s.setting.k = 2.0
    s.counting.n = 4
    result = x * s.setting._k * s.counting.changes
    del s.setting.k
    return result


def set_in_a_branch(x, s):
    if x.sum() > 0:
        s.setting.k = 5.0
    else:
        s.setting.k = 7.0
    return x * s.setting._k


class Items(list):
    def append(self, x):
        LOG.append(x)
        super().append(x * SCALE)

    def __len__(self):
        return 2 * super().__len__()


class Table(dict):
    def __setitem__(self, key, value):
        LOG.append(key)
        super().__setitem__(key, value * SCALE)

    def __missing__(self, key):
        LOG.append(f"no {key}")
        return SCALE

    def __getattr__(self, name):
        if name not in self:
            raise AttributeError(name)
        return self[name]


def lists_of_the_user(x, s):
    s.items.append(2)
    own = Items()
    own.append(3)
    return x * sum(s.items) + len(s.items) + sum(own)


def dicts_of_the_user(x, s):
    s.table["a"] = 2
    return x * s.table["b"] + s.table.a


def made_values(x, s):
    del s.made["q"]
    return x * s.made["q"] + len(s.made)


class Meta(type):
    def __call__(cls, *args):
        LOG.append("made")
        made = super().__call__(*args)
        made.scale = SCALE
        return made

    def __getattr__(cls, name):
        if name != "unit":
            raise AttributeError(name)
        return SCALE

    def __instancecheck__(cls, x):
        return SCALE > 2


class Made(metaclass=Meta):
    def __init__(self, a):
        LOG.append("init")
        self.a = a


class New:
    latest = None

    def __new__(cls, a):
        LOG.append("new")
        made = super().__new__(cls)
        made.scale = SCALE
        return made

    def __init__(self, a):
        self.a = a


class One:
    one = None

    def __new__(cls):
        if cls.one is None:
            cls.one = super().__new__(cls)
            cls.one.n = 0
        return cls.one


@dataclasses.dataclass
class Data:
    values: list = dataclasses.field(default_factory=lambda: [SCALE])

    def __post_init__(self):
        self.total = sum(self.values) * SCALE
        LOG.append("data")


class Base:
    def __init_subclass__(cls, **kwargs):
        LOG.append(cls.__name__)
        super().__init_subclass__(**kwargs)

    def __class_getitem__(cls, key):
        return SCALE


def metaclasses(x, s):
    made = Made(3)
    return x * made.scale * made.a + Made.unit + (1 if isinstance(4, Made) else 2)


def objects(x, s):
    new = New(3)
    s.kept.append(New(x))
    one = One()
    one.n += 1
    return x * new.scale * new.a + one.n + Data().total


def classes(x, s):
    class Derived(Base):
        scale = SCALE

    return x * Derived.scale + Base[1]


class Queue(queue.Queue):
    def _put(self, item):
        LOG.append(item)
        super()._put(item * SCALE)


def method_of_a_library(x, s):
    waiting = Queue()
    waiting.put(2)
    return x * waiting.get()


def streams(x, s):
    sys.stdout.write(f"{SCALE} {x.sum()}\n")
    sys.stderr.writelines(["a", "b"])
    return x


class Net(nn.Layer):
    def __setattr__(self, name, value):
        if name == "k":
            LOG.append(value)
        super().__setattr__(name, value)

    def __getattr__(self, name):
        return SCALE if name == "scale" else super().__getattr__(name)

    def forward(self, x):
        self.k = SCALE
        return x * self.k * self.scale


def layers(x, s):
    return s.net(x)


CASES = [
    operators, loop, questions, keys_and_order, items, augmented, texts, with_statement, stack,
    closed, copied, made_context, decorators, generators, by_type, descriptors, missing_attributes,
    cached_attribute, set_attributes, set_in_a_branch, lists_of_the_user, dicts_of_the_user,
    made_values, metaclasses, objects, classes, method_of_a_library, streams, layers,
]  # fmt: skip


def state():
    """What the functions find, anew."""
    s = Scaled()
    s.computing, s.setting, s.counting = Computing(), Setting(), Counting()
    s.items, s.table, s.kept, s.net = Items([1.0]), Table(), [], Net()
    s.made = collections.defaultdict(lambda: SCALE, q=1)
    One.one = None
    LOG.clear()
    set_scale(2)
    return s


def seen(s):
    """What is there after a call."""
    found = [vars(x) for x in (s.computing, s.setting, s.counting)]
    kept = [(x.a.tolist(), x.scale) for x in s.kept]
    held = list(s.items), dict(s.table), dict(s.made), kept, len(set(map(id, s.kept)))
    return copy.deepcopy((s.calls, found, held, LOG, One.one and One.one.n))


def outcomes(function, capsys):
    s, found = state(), []
    for i in range(1, 6):
        result = function(tensor(1.0, 2.0) if i != 4 else tensor(-5.0, 1.0), s)
        found.append((np.asarray(result.numpy()).tolist(), seen(s), capsys.readouterr()))
        set_scale(i)
    return found


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_calls_give_and_leave_what_plain_calls_do(function, capsys):
    assert outcomes(to_static(function), capsys) == outcomes(function, capsys)


def test_classes_are_as_they_were_after_a_trace():
    before = [dict(vars(c)) for c in (Scaled, Setting, Computing, Items, Made, Meta)]
    s = state()
    to_static(operators)(tensor(1.0), s)
    to_static(set_attributes)(tensor(1.0), s)
    to_static(metaclasses)(tensor(1.0), s)
    assert before == [dict(vars(c)) for c in (Scaled, Setting, Computing, Items, Made, Meta)]


def test_a_method_without_change_makes_one_program():
    static, s = to_static(with_statement), state()
    LOG.clear()
    for i in range(4):
        static(tensor(float(i)), s)
    assert len(static.program_cache) == 1 and LOG == ["in", "out"] * 4


class Deleted:
    def __del__(self):
        LOG.append("deleted")


def test_an_object_that_tells_of_its_end_is_refused():
    def function(x):
        Deleted()
        return x

    with pytest.raises(ConversionError, match="__del__"):
        to_static(function)(tensor(1.0))


def test_output_that_the_function_redirects_is_refused():
    def function(x):
        with contextlib.redirect_stdout(sys.stderr):
            print(x)
        return x

    with pytest.raises(ConversionError, match="redirects"):
        to_static(function)(tensor(1.0))
