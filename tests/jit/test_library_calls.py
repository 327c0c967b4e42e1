"""Code of libraries, which is not converted: what it reads is seen, what it changes is told."""

import array
import bisect
import collections
import contextvars
import copy
import decimal
import functools
import heapq
import io
import itertools
import logging
import operator
import queue
import random
import struct
import textwrap
import threading
import types

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ConversionError
from twinoar.jit import to_static


def tensor(*values):
    return paddle.to_tensor(list(values), dtype="float32")


def space(**values):
    return types.SimpleNamespace(**values)


def ordered():
    return collections.OrderedDict(a=1, b=2)


def table():
    return collections.ChainMap({}, {"a": 3})


# What changes a container, what makes it, and what is asked of it afterwards.
CHANGES = {
    "heappush": (lambda c: heapq.heappush(c, 0), lambda: [3, 5], lambda c: c[0] + len(c)),
    "heapify": (lambda c: heapq.heapify(c), lambda: [7, 5, 1], lambda c: c[0]),
    "heapreplace": (lambda c: heapq.heapreplace(c, 4), lambda: [3, 5], lambda c: c[0]),
    "insort": (lambda c: bisect.insort(c, 4), lambda: [3, 5], lambda c: c[1]),
    "list.append": (lambda c: list.append(c, 4), lambda: [3, 5], lambda c: c[-1]),
    "list.__setitem__": (lambda c: list.__setitem__(c, 0, 4), lambda: [3, 5], lambda c: sum(c)),
    "dict.update": (lambda c: dict.update(c, a=4), lambda: {"a": 5}, lambda c: c["a"]),
    "setitem": (lambda c: operator.setitem(c, 0, 4), lambda: [3, 5], lambda c: c[0]),
    "delitem": (lambda c: operator.delitem(c, 0), lambda: [3, 5], lambda c: c[0]),
    "iadd": (lambda c: operator.iadd(c, [4]), lambda: [3, 5], lambda c: sum(c)),
    "caller": (lambda c: operator.methodcaller("append", 4)(c), lambda: [3], lambda c: sum(c)),
    "bytearray": (lambda c: c.append(4), lambda: bytearray(b"\3"), lambda c: sum(c)),
    "text": (lambda c: c.write("abc"), io.StringIO, lambda c: len(c.getvalue())),
    "bytes": (lambda c: c.write(b"abc"), io.BytesIO, lambda c: len(c.getvalue())),
    "move_to_end": (lambda c: c.move_to_end("a"), ordered, lambda c: next(iter(c.values()))),
    "counted": (lambda c: c.update("a"), lambda: collections.Counter("ab"), lambda c: c["a"]),
    "rotate": (lambda c: c.rotate(1), lambda: collections.deque([1, 2]), lambda c: c[0]),
    "chained": (lambda c: c.update(a=4), table, lambda c: c["a"]),
    "userdict": (lambda c: c.update(a=4), lambda: collections.UserDict(a=3), lambda c: c["a"]),
    "userlist": (lambda c: c.append(4), lambda: collections.UserList([3]), lambda c: sum(c)),
    "shuffle": (lambda c: random.Random(3).shuffle(c), lambda: [1, 2, 3], lambda c: c[0]),
    "array": (lambda c: c.append(4), lambda: array.array("i", [3]), lambda c: sum(c)),
    "vars": (lambda c: vars(c).update(k=4), lambda: space(k=3), lambda c: c.k),
    "setattr": (lambda c: object.__setattr__(c, "k", 4), lambda: space(k=3), lambda c: c.k),
    "map": (lambda c: list(map(c.append, [4, 5])), lambda: [3], lambda c: sum(c)),
    "consumed": (lambda c: collections.deque(map(c.append, [4]), 0), lambda: [3], lambda c: sum(c)),
    "key": (lambda c: max([4, 5], key=lambda v: c.append(v) or v), lambda: [3], lambda c: sum(c)),
    "starmap": (lambda c: list(itertools.starmap(c.insert, [(0, 5)])), lambda: [3], lambda c: c[0]),
    "partial": (lambda c: functools.partial(list.append, c)(4), lambda: [3], lambda c: sum(c)),
    "np.put": (lambda c: np.put(c, [0], [9]), lambda: np.array([7, 5]), lambda c: int(c[0])),
    "out": (lambda c: np.add(c, 1, out=c), lambda: np.array([7, 5]), lambda c: int(c[0])),
    "add.at": (lambda c: np.add.at(c, [0, 0], 1), lambda: np.array([7, 5]), lambda c: int(c[0])),
    "sort": (lambda c: c.sort(), lambda: np.array([7, 5]), lambda c: int(c[0])),
    "view": (lambda c: c[1:].fill(4), lambda: np.array([7, 5]), lambda c: int(c[1])),
    "transposed": (lambda c: c.T.fill(4), lambda: np.ones((2, 1)), lambda c: int(c[0, 0])),
    "queue": (lambda c: c.put(4), queue.Queue, lambda c: c.qsize()),
    "inside": (lambda c: heapq.heappush(c["h"], 0), lambda: {"h": [3]}, lambda c: c["h"][0]),
    "packed": (lambda c: struct.pack_into("b", c, 0, 4), lambda: bytearray(2), lambda c: c[0]),
    "memory": (lambda c: memoryview(c).__setitem__(0, 4), lambda: bytearray(2), lambda c: c[0]),
}  # fmt: skip
# Those that a tensor may decide about, as both sides have containers of one form.
MERGED = {
    "heapify", "heapreplace", "list.__setitem__", "dict.update", "setitem", "counted",
    "userdict", "shuffle", "vars", "setattr",
}  # fmt: skip
NO_STREAM = [name for name in CHANGES if name not in ("text", "bytes")]  # refused from outside


def plain(c):
    """What a container holds, as it can be compared."""
    if hasattr(c, "tolist"):
        return c.tolist()
    return list(c.queue) if isinstance(c, queue.Queue) else repr(c)


def on_one_side(name):
    change, make, ask = CHANGES[name]

    def function(x):
        c = make()
        if x.sum() > 0:
            change(c)
        return x * ask(c)

    return function


@pytest.mark.parametrize("name", sorted(MERGED))
def test_a_change_on_one_side_stays_there(name):
    function = on_one_side(name)
    static = to_static(function)
    for x in (tensor(1.0, 2.0), tensor(-3.0, 1.0), tensor(2.0, 2.0)):
        np.testing.assert_allclose(static(x).numpy(), function(x).numpy())


@pytest.mark.parametrize("name", sorted(CHANGES.keys() - MERGED))
def test_a_change_on_one_side_that_cannot_be_merged_is_refused(name):
    with pytest.raises(ConversionError, match=r"of the contents|the contents of|as many items"):
        to_static(on_one_side(name))(tensor(1.0, 2.0))


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_what_the_function_makes_is_its_own(name):
    change, make, ask = CHANGES[name]

    def function(x):
        c = make()
        change(c)
        return x * ask(c)

    static = to_static(function)
    for _ in range(3):
        assert static(tensor(2.0)).tolist() == function(tensor(2.0)).tolist()
    assert len(static.program_cache) == 1


@pytest.mark.parametrize("name", NO_STREAM)
def test_a_change_of_what_is_outside_happens_at_each_call(name):
    change, make, ask = CHANGES[name]
    held = {"plain": make(), "static": make()}

    def step(c, x):
        change(c)
        return x * ask(c)

    converted = to_static(lambda x: step(held["static"], x))
    for _ in range(4):
        try:
            wanted = step(held["plain"], tensor(2.0)).tolist()
        except IndexError:
            break
        assert converted(tensor(2.0)).tolist() == wanted
        assert plain(held["static"]) == plain(held["plain"])


READINGS = {
    "attrgetter": (
        lambda: space(a=space(b=2.0)),
        lambda c: operator.attrgetter("a.b")(c),
        lambda c, i: setattr(c.a, "b", float(i)),
    ),
    "itemgetter": (
        lambda: {"a": 2.0},
        lambda c: operator.itemgetter("a")(c),
        lambda c, i: c.update(a=float(i)),
    ),
    "key": (
        lambda: [space(k=2.0), space(k=3.0)],
        lambda c: max(c, key=operator.attrgetter("k")).k,
        lambda c, i: setattr(c[0], "k", float(i)),
    ),
    "array": (lambda: array.array("d", [2.0]), lambda c: sum(c), lambda c, i: c.append(i)),
    "bytearray": (lambda: bytearray(b"\2"), lambda c: c[0], lambda c, i: c.__setitem__(0, i)),
    "memoryview": (
        lambda: memoryview(bytearray(b"\2")),
        lambda c: c[0],
        lambda c, i: c.__setitem__(0, i),
    ),
    "view": (
        lambda: np.array([2.0, 3.0])[1:],
        lambda c: float(c[0]),
        lambda c, i: c.base.__setitem__(1, float(i)),
    ),
    "buffer": (
        lambda: bytearray(b"\2"),
        lambda c: int(np.frombuffer(c, "i1")[0]),
        lambda c, i: c.__setitem__(0, i),
    ),
    "deepcopy": (
        lambda: space(a=space(b=[2.0])),
        lambda c: copy.deepcopy(c).a.b[0],
        lambda c, i: c.a.b.__setitem__(0, float(i)),
    ),
    "format": (
        lambda: space(k=2.0),
        lambda c: len("{0.k}".format(c)),  # noqa: UP030, UP032
        lambda c, i: setattr(c, "k", 10.0**i),
    ),
    "chained": (table, lambda c: c["a"], lambda c, i: c.maps[1].update(a=i)),
    "userstring": (
        lambda: collections.UserString("ab"),
        lambda c: len(c),
        lambda c, i: setattr(c, "data", "a" * i),
    ),
    "queue": (queue.Queue, lambda c: c.qsize(), lambda c, i: c.put(1)),
    "event": (threading.Event, lambda c: 2 if c.is_set() else 3, lambda c, i: c.set()),
    "bound": (
        lambda: [2.0].__getitem__,
        lambda c: c(0),
        lambda c, i: c.__self__.__setitem__(0, float(i)),
    ),
    "partial": (
        lambda: functools.partial(sum, [2.0]),
        lambda c: c(),
        lambda c, i: c.args[0].__setitem__(0, float(i)),
    ),
    "layer": (
        lambda: nn.Sequential(nn.ReLU()),
        lambda c: len(repr(c)),
        lambda c, i: c.add_sublayer(str(i), nn.ReLU()),
    ),
    "decimal": (lambda: decimal.Decimal("1.5"), lambda c: float(c.sqrt()), lambda c, i: None),
    "array without axes": (
        lambda: textwrap.TextWrapper(np.array(2)),
        lambda c: len(c.wrap("a b c d")),
        lambda c, i: c.width.fill(2 * i),
    ),
}


@pytest.mark.parametrize("name", READINGS)
def test_what_a_library_reads_is_seen(name):
    make, read, change = READINGS[name]
    first, second = make(), make()
    static = to_static(lambda x: x * read(second))
    for i in range(1, 5):
        assert static(tensor(1.0)).item() == pytest.approx(read(first))
        change(first, i)
        change(second, i)


def test_proxies_and_views_of_dicts_are_seen_through():
    behind = {"a": 2.0}
    proxy, values = types.MappingProxyType(behind), behind.values()
    static = to_static(lambda x: x * proxy["a"] + sum(values))
    for value in (2.0, 5.0):
        behind["a"] = value
        assert static(tensor(1.0)).item() == 2 * value


@pytest.mark.parametrize(
    ("held", "use"),
    [
        (contextvars.ContextVar("held", default=2.0), lambda v: v.get()),
        (
            decimal.Context(prec=3),
            lambda v: float(v.divide(decimal.Decimal(1), decimal.Decimal(3))),
        ),
    ],
    ids=["ContextVar", "Context"],
)
def test_an_object_that_nobody_can_look_into_is_refused(held, use):
    with pytest.raises(ConversionError, match=type(held).__name__):
        to_static(lambda x: x * use(held))(tensor(1.0))


def test_the_stream_of_a_librarys_object_is_refused():
    handler = logging.StreamHandler(io.StringIO())
    with pytest.raises(ConversionError, match="StringIO from outside"):
        to_static(lambda x: x * len(handler.get_name() or ""))(tensor(1.0))


def test_what_a_branch_leaves_as_it_is_was_read():
    held = {"plain": space(k=3), "static": space(k=3)}

    def step(c, x):
        if x.sum() > 0:
            c.k = 4
        return x * 1

    static = to_static(lambda x: step(held["static"], x))
    for x in (1.0, -1.0, 1.0, -1.0):
        held["plain"].k = held["static"].k = held["plain"].k + 1
        step(held["plain"], tensor(x))
        static(tensor(x))
        assert held["static"].k == held["plain"].k


def test_a_librarys_function_in_a_loop_is_refused():
    def function(x):
        heap = []
        i = paddle.zeros([], "int64")
        while i < 3:
            heapq.heappush(heap, 1)
            i += 1
        return x * len(heap)

    with pytest.raises(ConversionError, match="as many items as a tensor decides"):
        to_static(function)(tensor(1.0))
