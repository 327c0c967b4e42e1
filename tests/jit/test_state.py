"""Python state in converted functions: a sequence of calls gives what the eager one gives."""

import copy
from collections import defaultdict, deque
from functools import partial

import numpy as np
import pytest

import twinoar as paddle
from tests.threads import in_threads
from twinoar import nn
from twinoar.errors import ConversionError
from twinoar.jit import enable_to_static, to_static


def tensor(*values, stop_gradient=True):
    return paddle.to_tensor(list(values), dtype="float32", stop_gradient=stop_gradient)


def plain(x):
    """`x` as it can be compared: tensors as lists of numbers."""
    if isinstance(x, paddle.Tensor):
        return "tensor", str(x.dtype), x.tolist(), x.stop_gradient
    if isinstance(x, np.ndarray):
        return "array", x.tolist()
    if isinstance(x, dict):
        return {k: plain(v) for k, v in x.items()}
    if isinstance(x, (list, tuple, deque)):
        return type(x)(plain(i) for i in x)
    return x


def seen(holder):
    """All that an object holds, as it can be compared."""
    space = vars(holder)
    kept = {k: v for k, v in space.items() if not k.startswith("_") and k != "forward"}
    tables = [space.get(k, {}) for k in ("_buffers", "_parameters")]
    return plain(kept), [plain(dict(t)) for t in tables]


class Holder:
    """An object of the user's, with a method that tests convert."""

    def __init__(self, **attributes):
        vars(self).update(attributes)


class Net(nn.Layer):
    """A layer with attributes of many kinds."""

    def __init__(self, **attributes):
        super().__init__()
        for name, value in attributes.items():
            setattr(self, name, value)


def counter(self, x):
    self.n += 1
    return x * self.n


def last_input(self, x):
    self.last = x
    return x + 1


def last_result(self, x):
    self.last = x * 2
    return self.last + 1


def running_mean(self, x):
    self.mean = 0.9 * self.mean + 0.1 * x
    return x - self.mean


def hidden_state(self, x):
    if self.state is None:
        h = x
    else:
        h = paddle.tanh(x + self.state)
    self.state = h
    return h * 2


def pair_of_states(self, x):
    h, c = self.pair
    c = c * 0.5 + x
    h = paddle.tanh(c) + h
    self.pair = (h, c)
    return h


def set_in_place(self, x):
    self.mean.set_value(self.mean * 0.5 + x)
    return x + self.mean


def branch_that_assigns(self, x):
    if x.sum() > 4:
        self.mean = self.mean + x
        self.n += 1
    else:
        self.mean = self.mean * 2
    return x * self.n + self.mean


def branch_that_appends(self, x):
    if x.sum() > 4:
        self.items.append(x)
    else:
        self.items.append(-x)
    return x


def loop_that_assigns(self, x):
    i = paddle.zeros([], "int64")
    while i < 3:
        self.mean = self.mean + x
        i += 1
    return self.mean


def new_table(self, x):
    self.table = {name: value + x for name, value in self.table.items()}
    return self.table["k"]


def defaults(self, x):
    self.lists["a"].append(x)
    return x * len(self.lists["a"])


def unpacked(self, x):
    self.a, (self.b, *self.rest) = 1, (x, 2, 3)
    return x


def history(self, x):
    self.items.append(x * 2)
    return x


def history_that_is_read(self, x):
    self.items.append(x)
    total = x
    for item in self.items:
        total = total + item
    return total


def table(self, x):
    self.table["calls"] = self.table.get("calls", 0) + 1
    self.table["last"] = x + 1
    return x


def table_of_tensors(self, x):
    self.table["k"] = self.table["k"] * 0.5 + x
    return self.table["k"]


def setting(self, x):
    return x * self.table["scale"] + self.options[0]


def nested_setting(self, x):
    total = x
    for option in self.nested["layers"]:
        total = total * option["scale"]
    return total


def swapped(self, x):
    self.a, self.b = self.b, self.a
    return x * self.a


def chained(self, x):
    self.a = self.b = x + 1
    return x


def deleted(self, x):
    if hasattr(self, "once"):
        y = x * self.once
        del self.once
    else:
        y = x
    return y


def augmented_list(self, x):
    self.items += [1, x]
    return x


def popped(self, x):
    self.items.append(3)
    return x * self.items.pop(0)


def set_of_names(self, x):
    self.names.add("seen")
    return x + len(self.names)


def through_setattr(self, x):
    name = "n"
    setattr(self, name, getattr(self, name) + 2)
    return x * self.n


def array(self, x):
    return x * float(self.array[0])


def array_changed(self, x):
    self.array[0] = 5.0
    return x


def alias(self, x):
    items = self.items
    items.append(2)
    return x * len(items)


def nested_lists(self, x):
    self.logs["loss"].append(x.sum())
    self.logs["steps"] += 1
    return x


def in_a_queue(self, x):
    self.queue.append(x)
    return x


CASES = [
    (counter, {"n": 0}),
    (last_input, {"last": None}),
    (last_result, {"last": None}),
    (running_mean, {"mean": tensor(1.0, 2.0)}),
    (hidden_state, {"state": None}),
    (pair_of_states, {"pair": (tensor(0.0, 1.0), tensor(1.0, 1.0))}),
    (set_in_place, {"mean": tensor(1.0, 2.0)}),
    (branch_that_assigns, {"mean": tensor(1.0, 2.0), "n": 0}),
    (branch_that_appends, {"items": []}),
    (loop_that_assigns, {"mean": tensor(1.0, 2.0)}),
    (new_table, {"table": {"k": tensor(1.0, 2.0)}}),
    (defaults, {"lists": defaultdict(list)}),
    (unpacked, {"a": 0, "b": None, "rest": None}),
    (history, {"items": []}),
    (history_that_is_read, {"items": []}),
    (table, {"table": {}}),
    (table_of_tensors, {"table": {"k": tensor(1.0, 2.0)}}),
    (setting, {"table": {"scale": 2.0}, "options": [1]}),
    (nested_setting, {"nested": {"layers": [{"scale": 2.0}, {"scale": 3.0}]}}),
    (swapped, {"a": 2.0, "b": 3.0}),
    (chained, {"a": None, "b": None}),
    (deleted, {"once": 3.0}),
    (augmented_list, {"items": []}),
    (popped, {"items": [1, 2]}),
    (set_of_names, {"names": set()}),
    (through_setattr, {"n": 1}),
    (array, {"array": np.array([2.0])}),
    (array_changed, {"array": np.array([2.0])}),
    (alias, {"items": []}),
    (nested_lists, {"logs": {"loss": [], "steps": 0}}),
    (in_a_queue, {"queue": deque(maxlen=2)}),
]


@pytest.mark.parametrize("kind", [Holder, Net])
@pytest.mark.parametrize(
    ("function", "attributes"), CASES, ids=lambda x: getattr(x, "__name__", "")
)
def test_calls_leave_what_eager_calls_leave(function, attributes, kind):
    eager, holder = kind(**copy.deepcopy(attributes)), kind(**copy.deepcopy(attributes))
    static = to_static(function)
    for i in range(5):
        x = tensor(i + 1.0, 2.0)
        expected, found = function(eager, x), static(holder, x)
        np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-6)
        assert _close(seen(holder), seen(eager))


def _close(a, b):
    if isinstance(a, float):
        return a == pytest.approx(b, rel=1e-6)
    if isinstance(a, dict):
        return list(a) == list(b) and all(_close(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple, deque)):
        return type(a) is type(b) and len(a) == len(b) and all(map(_close, a, b))
    return type(a) is type(b) and a == b


CHANGED_BETWEEN_CALLS = [
    (setting, {"table": {"scale": 2.0}, "options": [1]}, lambda h: h.table.update(scale=5.0)),
    (setting, {"table": {"scale": 2.0}, "options": [1]}, lambda h: h.options.__setitem__(0, 7)),
    (
        nested_setting,
        {"nested": {"layers": [{"scale": 2.0}]}},
        lambda h: h.nested["layers"].append({"scale": 4.0}),
    ),
    (array, {"array": np.array([2.0])}, lambda h: h.array.fill(9.0)),
    (running_mean, {"mean": tensor(1.0, 2.0)}, lambda h: setattr(h, "mean", tensor(8.0, 9.0))),
    (hidden_state, {"state": None}, lambda h: setattr(h, "state", None)),
    (counter, {"n": 0}, lambda h: setattr(h, "n", 0.5)),
]


@pytest.mark.parametrize("kind", [Holder, Net])
@pytest.mark.parametrize(("function", "attributes", "change"), CHANGED_BETWEEN_CALLS)
def test_what_is_changed_between_calls_is_seen(function, attributes, change, kind):
    eager, holder = kind(**copy.deepcopy(attributes)), kind(**copy.deepcopy(attributes))
    static = to_static(function)
    for i in range(4):
        x = tensor(i + 1.0, 2.0)
        if i == 2:
            change(eager)
            change(holder)
        np.testing.assert_allclose(static(holder, x).numpy(), function(eager, x).numpy(), rtol=1e-6)
    assert _close(seen(holder), seen(eager))


def test_lists_and_dicts_in_arguments_are_changed():
    @to_static
    def step(x, cache, log):
        cache["k"] = cache["k"] + x
        log.append(cache["k"])
        return x

    cache, log = {"k": tensor(1.0)}, []
    for _ in range(3):
        step(tensor(2.0), cache, log=log)
    assert cache["k"].item() == 7.0 and [t.item() for t in log] == [3.0, 5.0, 7.0]


def test_one_object_assigned_twice_is_one_object():
    holder = Holder(a=None, b=None)

    @to_static
    def step(x):
        holder.a = holder.b = [x * 2]
        return x

    step(tensor(1.0))
    first = holder.a
    step(tensor(2.0))
    assert holder.a is holder.b and holder.a is not first and holder.a[0].item() == 4.0


def test_objects_made_in_the_function_are_made_at_each_call():
    class Pair:
        def __init__(self, h, c):
            self.h, self.c = h, c

    holder = Holder(pair=None)

    @to_static
    def step(x):
        pair = Pair(x, x * 2)
        pair.c = pair.c + 1
        holder.pair = pair
        return x

    step(tensor(1.0))
    first = holder.pair
    step(tensor(2.0))
    assert first.c.item() == 3.0 and holder.pair.c.item() == 5.0 and holder.pair is not first


def test_a_state_that_wants_gradients_carries_its_graph():
    w = [tensor(2.0, stop_gradient=False) for _ in range(2)]

    def step(holder, w, x):
        holder.h = holder.h * w + x
        return holder.h

    static = to_static(step)
    for run, leaf in zip((step, static), w, strict=True):
        holder = Holder(h=tensor(1.0))
        for _ in range(3):
            y = run(holder, leaf, tensor(1.0))
        y.sum().backward()
    assert w[0].grad.item() == w[1].grad.item() == 17.0


def test_a_tensor_that_is_read_and_assigned_makes_no_program_at_each_call():
    net = Net(mean=tensor(1.0))
    static = to_static(running_mean)
    for i in range(5):
        static(net, tensor(float(i)))
    assert len(static.program_cache) == 1 and not static.why_recompiled()


def test_a_counter_becomes_a_number_of_the_program():
    net = Net(n=0)
    static = to_static(counter)
    assert [static(net, tensor(1.0)).item() for _ in range(8)] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert net.n == 8 and type(net.n) is int
    assert len(static.program_cache) == 3


def test_failed_traces_leave_objects_as_they_were():
    net = Net(n=1, mean=tensor(1.0), items=[1], table={"a": [2]}, sub=nn.Linear(2, 2))
    before, names = seen(net), list(net.state_dict())

    @to_static
    def broken(x):
        net.n += 1
        net.new = x
        net.mean = net.mean + x
        net.items.append(x)
        net.table["a"].append(3)
        del net.table["a"]
        net.items.clear()
        raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        broken(tensor(1.0))
    assert seen(net) == before and list(net.state_dict()) == names


def test_effects_happen_in_order_once_at_each_call():
    log = []
    holder = Holder(n=0)

    @to_static
    def step(x):
        log.append("a")
        holder.n = 1
        log.extend(["b", "c"])
        log.insert(0, "first")
        holder.n = 2
        return x

    for calls in range(1, 4):
        step(tensor(1.0))
        assert log == ["first"] * calls + ["a", "b", "c"] * calls and holder.n == 2


def test_a_number_that_python_needs_is_traced_at_each_value():
    net = Net(n=0)

    @to_static
    def step(x):
        net.n += 1
        return x * [1.0, 2.0, 3.0, 4.0, 5.0, 6.0][net.n]

    assert [step(tensor(1.0)).item() for _ in range(5)] == [2.0, 3.0, 4.0, 5.0, 6.0]


def test_switched_off_the_plain_code_runs():
    net = Net(n=0)
    static = to_static(counter)
    enable_to_static(False)
    try:
        assert static(net, tensor(1.0)).item() == 1.0 and net.n == 1
    finally:
        enable_to_static(True)
    assert static(net, tensor(1.0)).item() == 2.0 and net.n == 2


def test_threads_that_trace_and_call_at_once_get_right_answers():
    net = Net(n=0, mean=tensor(1.0), scale=3.0)

    @to_static
    def step(x):
        net.n += 1
        net.mean = net.mean + 1
        return x * net.scale

    wrong = []

    def work(worker):
        for i in range(20):
            x = paddle.full([worker % 2 + 1], float(i))
            if step(x).tolist() != (x * 3.0).tolist():
                wrong.append(i)

    in_threads(partial(work, i) for i in range(4))
    assert not wrong and net.n == 80 and net.mean.item() == 81.0


def test_an_object_that_hides_symbols_is_refused():
    holder, box = Holder(box=None), Holder(x=None)

    def fill(x):
        vars(box)["x"] = x
        return box

    fill.__not_to_static__ = True

    @to_static
    def step(x):
        holder.box = fill(x)
        return x

    with pytest.raises(ConversionError, match="a Holder that holds tensors"):
        step(tensor(1.0))


def test_private_names_of_classes_are_found():
    class Private:
        def __init__(self):
            self.__n = 1

        def forward(self, x):
            self.__n += 1
            return x * self.__n

    static = to_static(Private().forward)
    assert [static(tensor(1.0)).item() for _ in range(4)] == [2.0, 3.0, 4.0, 5.0]


def test_a_gradient_through_earlier_calls_is_refused_inside():
    w = tensor(2.0, stop_gradient=False)
    holder = Holder(h=tensor(1.0))

    @to_static
    def step(x):
        holder.h = holder.h * w + x
        holder.h.sum().backward()
        return x

    step(tensor(1.0))
    with pytest.raises(ConversionError, match=r"holder.h.detach|self.state = state.detach"):
        step(tensor(1.0))


def test_an_object_that_its_class_keeps_is_the_same_at_each_call():
    class Registry:
        kept = None

        def __new__(cls):
            if cls.kept is None:
                cls.kept = super().__new__(cls)
                cls.kept.n = 0
            return cls.kept

    @to_static
    def step(x):
        Registry().n += 1
        return x * Registry().n

    assert [step(tensor(1.0)).item() for _ in range(4)] == [1.0, 2.0, 3.0, 4.0]
    assert Registry().n == 4
