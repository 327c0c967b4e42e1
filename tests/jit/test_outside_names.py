"""Globals, variables of functions around, and attributes of classes: read and written by calls."""

from types import SimpleNamespace

import twinoar as paddle
from twinoar.jit import to_static


def tensor(*values):
    return paddle.to_tensor(list(values), dtype="float32")


SCALE, COUNT, LOG = 2.0, 0, []


@to_static
def reads_globals(x):
    return x * SCALE


@to_static
def writes_globals(x):
    global COUNT
    COUNT += 1
    LOG.append(COUNT)
    return x * COUNT


def test_a_global_that_changes_is_seen(monkeypatch):
    assert reads_globals(tensor(1.0)).item() == 2.0
    monkeypatch.setitem(globals(), "SCALE", 3.0)
    assert reads_globals(tensor(1.0)).item() == 3.0
    monkeypatch.setitem(globals(), "SCALE", 2.0)
    assert reads_globals(tensor(1.0)).item() == 2.0
    assert len(reads_globals.program_cache) == 2


def test_globals_are_written_at_each_call():
    start = COUNT
    for i in range(1, 6):
        assert writes_globals(tensor(1.0)).item() == start + i
        assert start + i == COUNT
    assert LOG[-5:] == list(range(start + 1, start + 6))
    assert all(type(n) is int for n in LOG)


def test_variables_of_a_function_around_are_read_and_written():
    n, scale = 0, 2.0

    @to_static
    def step(x):
        nonlocal n
        n += 1
        return x * scale + n

    assert [step(tensor(1.0)).item() for _ in range(4)] == [3.0, 4.0, 5.0, 6.0]
    assert n == 4
    scale = 10.0
    assert step(tensor(1.0)).item() == 15.0


def test_a_function_that_is_replaced_is_seen():
    def double(x):
        return x * 2

    def sevenfold(x):
        return x * 7

    helper = double

    @to_static
    def outer(x):
        return helper(x)

    assert outer(tensor(1.0)).item() == 2.0
    helper = sevenfold
    assert outer(tensor(1.0)).item() == 7.0


def test_a_lambda_is_watched_by_the_names_in_it():
    holder = SimpleNamespace(scale=2.0)
    scaled = lambda x: x * holder.scale  # noqa: E731

    @to_static
    def outer(x):
        return scaled(x)

    assert outer(tensor(1.0)).item() == 2.0
    holder.scale = 3.0
    assert outer(tensor(1.0)).item() == 3.0


def test_a_class_attribute_that_changes_is_seen():
    class Scaled:
        scale = 2.0

        def __call__(self, x):
            return self.forward(x)

        def forward(self, x):
            return x * self.scale

    one = Scaled()
    static = to_static(one.forward)
    assert static(tensor(1.0)).item() == 2.0
    Scaled.scale = 4.0
    assert static(tensor(1.0)).item() == 4.0
    one.scale = 5.0
    assert static(tensor(1.0)).item() == 5.0


def test_properties_run_as_the_users_code():
    class Counting(SimpleNamespace):
        @property
        def twice(self):
            return self.n * 2

        @twice.setter
        def twice(self, value):
            self.n = value // 2

    holder = Counting(n=1)

    @to_static
    def step(x):
        holder.twice = holder.twice + 2
        return x * holder.n

    assert [step(tensor(1.0)).item() for _ in range(3)] == [2.0, 3.0, 4.0]


def test_names_of_the_function_itself_make_no_other_program():
    @to_static
    def step(x):
        count = 0

        def add():
            nonlocal count
            count += 1

        add()
        add()
        return x * count

    assert [step(paddle.ones([1])).item() for _ in range(3)] == [2.0, 2.0, 2.0]
    assert len(step.program_cache) == 1
