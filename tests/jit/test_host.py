"""What keeps its state out of sight: each call sees it as it is, or the function is refused."""

import collections
import contextlib
import datetime
import itertools
import logging
import os
import queue
import random
import threading
import time
import uuid
import warnings

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ConversionError
from twinoar.jit import not_to_static, to_static


class Box:
    """An object of the user's."""

    def __init__(self, **attributes):
        vars(self).update(attributes)


def values(make, wrap, change=None):
    """What four calls of the function that `make` makes return; `change` comes between them."""
    function, holder = make()
    called, found = wrap(function), []
    for i in range(4):
        found.append(called(paddle.ones([1])).item())
        if change is not None:
            change(holder, i)
    return found


def uses(make, use):
    def made():
        source = make()
        return (lambda x: x * use(source)), source

    return made


def from_a_list(x_of):
    def made():
        sources = [random.Random(4)]

        def function(x):
            for source in sources:
                x = x * x_of(source)
            return x

        return function, sources

    return made


def a_default():
    def function(x, source=random.Random(4)):  # noqa: B008
        return x * source.random()

    return function, None


def written(x):
    with open(os.devnull, "w") as file:  # noqa: PTH123
        file.write("x")
    return x


REFUSED = {
    "iterator": uses(lambda: iter([1.0, 2.0]), lambda s: next(s)),
    "count": uses(itertools.count, lambda s: next(s)),
    "generator": uses(lambda: (i for i in range(9)), lambda s: sum(s)),
    "iterator_of_an_object": uses(lambda: Box(it=iter([1.0, 2.0])), lambda s: next(s.it)),
    "iterator_in_a_list": uses(lambda: [iter([1.0, 2.0])], lambda s: next(s[0])),
    "random": uses(lambda: random.Random(4), lambda s: s.random()),
    "random_in_a_list": from_a_list(lambda s: s.random()),
    "random_as_default": a_default,
    "numpy_generator": uses(lambda: np.random.default_rng(4), lambda s: float(s.normal())),
    "numpy_state": uses(lambda: np.random.RandomState(4), lambda s: float(s.rand())),
    "random_bits": uses(lambda: None, lambda s: random.getrandbits(8)),
    "numpy_draw": uses(lambda: None, lambda s: float(np.random.standard_normal())),
    "unseeded": uses(lambda: None, lambda s: random.Random().random()),
    "unseeded_numpy": uses(lambda: None, lambda s: float(np.random.default_rng().normal())),
    "date": uses(lambda: None, lambda s: datetime.datetime.now().second),
    "clock": uses(lambda: None, lambda s: time.thread_time()),
    "uuid": uses(lambda: None, lambda s: uuid.uuid4().int % 7),
    "bytes": uses(lambda: None, lambda s: os.urandom(1)[0]),
    "file": lambda: (written, None),
}


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_what_goes_on_at_each_call_is_refused(make):
    with pytest.raises(ConversionError, match=r"would (use|call) it once, when it is traced"):
        to_static(make()[0])(paddle.ones([1]))


def test_seeded_generators_of_the_function_itself_are_fine():
    def make():
        return (lambda x: x * random.Random(3).random()), None

    np.testing.assert_allclose(values(make, to_static), values(make, lambda f: f), rtol=1e-6)


class Counter:
    """Special methods that read and change the object."""

    def __init__(self):
        self.n = 0

    def __len__(self):
        self.n += 1
        return self.n

    def __pos__(self):
        return self.n

    def __bool__(self):
        return self.n > 1

    def __iter__(self):
        self.n += 1
        return iter(range(self.n))

    def __next__(self):
        self.n += 1
        return self.n

    def __contains__(self, key):
        return key < self.n

    def __enter__(self):
        self.n += 1
        return self

    def __exit__(self, *error):
        return None


def entered(source):
    with source as inner:
        return inner.n


def in_a_context(box):
    @contextlib.contextmanager
    def context():
        box.n += 1
        yield box.n

    def function(x):
        with context() as n:
            return x * n

    return function


@not_to_static
def counted(box):
    box.n += 1
    return box.n


def updated(counter):
    counter.update(["a"])
    return counter["a"]


def put(source):
    source.put(1)
    return source.qsize()


def set_once(event):
    was_set = event.is_set()
    event.set()
    return 2.0 if was_set else 1.0


def added_by_vars(box):
    vars(box)["n"] += 1
    return box.n


def default_of_a_helper():
    def remember(key, seen=[]):  # noqa: B006
        seen.append(key)
        return len(seen)

    return (lambda x: x * remember(1)), None


def context():
    box = Box(n=0)
    return in_a_context(box), box


SEEN = {
    "len": uses(Counter, lambda s: len(s)),
    "truth": uses(Counter, lambda s: len(s) if s else 5.0),
    "iteration": uses(Counter, lambda s: sum(k for k in s)),
    "next": uses(Counter, lambda s: next(s)),
    "with": uses(Counter, entered),
    "context": context,
    "not_to_static": uses(lambda: Box(n=0), counted),
    "counter": uses(collections.Counter, updated),
    "queue": uses(queue.Queue, put),
    "event": uses(threading.Event, set_once),
    "vars": uses(lambda: Box(n=0), added_by_vars),
    "set": uses(lambda: {1.0, 2.0, 3.0, 4.0}, lambda s: s.pop()),
    "default": default_of_a_helper,
}


@pytest.mark.filterwarnings("ignore")  # of many Programs
@pytest.mark.parametrize("make", SEEN.values(), ids=SEEN)
def test_calls_give_what_plain_calls_give(make):
    assert values(make, to_static) == values(make, lambda f: f)


def set_n(source, i):
    source.n = i + 2


@pytest.mark.parametrize(
    "make",
    [
        uses(Counter, lambda s: 1.0 if 3 in s else 2.0),
        uses(lambda: Box(n=0), not_to_static(lambda s: s.n)),
        uses(Counter, lambda s: +s),
    ],
    ids=["contains", "not_to_static", "operator"],
)
def test_code_that_is_not_converted_sees_attributes_as_they_are(make):
    assert values(make, to_static, set_n) == values(make, lambda f: f, set_n)


@pytest.mark.parametrize(
    "read",
    [
        lambda: os.environ["TWINOAR_X"],
        lambda: os.environ.get("TWINOAR_X"),
        lambda: os.getenv("TWINOAR_X"),
    ],
)
def test_variables_of_the_process_are_seen_as_they_are(read, monkeypatch):
    @to_static
    def function(x):
        return x * float(read())

    for value in ("1", "2"):
        monkeypatch.setenv("TWINOAR_X", value)
        assert function(paddle.ones([1])).item() == float(value)


def test_setting_a_variable_of_the_process_is_refused():
    @to_static
    def function(x):
        os.environ["TWINOAR_X"] = "1"
        return x

    with pytest.raises(ConversionError, match="changes Python's state"):
        function(paddle.ones([1]))


def test_a_logger_is_called_at_each_call(caplog):
    logger = logging.getLogger("twinoar.test")

    @to_static
    def function(x):
        logger.info("called with %s", x.shape)
        logging.warning("after")
        return x

    caplog.set_level(logging.INFO)
    for _ in range(2):
        function(paddle.ones([1]))
    assert [r.getMessage() for r in caplog.records] == ["called with [1]", "after"] * 2


def test_a_warning_is_given_at_each_call():
    @to_static
    def function(x):
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        return x

    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        function(paddle.ones([1]))
        function(paddle.ones([1]))
    assert [(str(w.message), w.category, w.filename) for w in found] == [
        ("old", DeprecationWarning, __file__)
    ] * 2


def test_a_logger_in_a_branch_is_refused():
    @to_static
    def function(x):
        if x.sum() > 0:
            logging.warning("positive")
        return x

    with pytest.raises(ConversionError, match="where a tensor decides"):
        function(paddle.ones([1]))
