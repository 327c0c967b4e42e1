"""What branches and loops on tensors change in place is changed after them, by whatever name."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, nn
from twinoar.errors import ArgumentError, ConversionError
from twinoar.jit import save, to_static
from twinoar.jit.warning import LostChangeWarning
from twinoar.static import InputSpec

pytestmark = pytest.mark.usefixtures("numpy_backend")


class Holder(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("w", paddle.zeros([2]))
        self.p = paddle.create_parameter([2], "float32")


def aliases_in_a_branch(m, x, n):
    y = x * 1
    z = y
    if n > 1:
        y.add_(x)
        y = y * 2
        y.add_(x)
    return y, z


def aliases_in_a_loop(m, x, n):
    y = x * 1
    held = {"y": y}
    while n > 0:
        held["y"].add_(x)
        n = n - 1
    return y * 1


def a_buffer_in_branches_and_loops(m, x, n):
    if n > 0:
        while n > 0:
            if n > 1:
                m.w.add_(x)
            else:
                m.w.scale_(3.0)
            n = n - 1
    else:
        m.w.subtract_(x)
    return m.w * 1


def read_before(m, x, n):
    t = m.w
    if n > 0:
        m.w.add_(x)
        t = t + 1
    return t * 1


def detached_before(m, x, n):
    while n > 0:
        before = m.w.detach()
        m.w.add_(x)
        x = x + before
        n = n - 1
    return x


def set_value(m, x, n):
    while n > 0:
        m.w.set_value(m.w + x)
        n = n - 1
    with paddle.no_grad():
        if n < 1:
            m.p.set_value(m.p * 0 + x)
    return (m.p * 2).detach()


SAME = [
    aliases_in_a_branch, aliases_in_a_loop, a_buffer_in_branches_and_loops, read_before,
    detached_before, set_value,
]  # fmt: skip


@pytest.mark.parametrize("function", SAME)
def test_it_is_as_in_eager_mode(function):
    found = []
    for convert in (False, True):
        m = Holder()
        called = to_static(function) if convert else function
        made = []
        for n in (3, 0, 1):
            out = called(m, paddle.ones([2]), paddle.to_tensor(n))
            made += [t.numpy().copy() for t in (out if isinstance(out, tuple) else (out,))]
            made.append(m.w.numpy().copy())
        found.append(made)
    for a, b in zip(*found, strict=True):
        np.testing.assert_array_equal(a, b)


def replaced_after(m, x, n):
    w = m.w * 1
    while n > 0:
        w.add_(x)
        w = w * 2
        n = n - 1
    return w


def in_the_condition(m, x, n):
    while m.w.add_(x).sum() < 10 + n:
        n = n + 1
    return n


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (replaced_after, "changed in place and then replaced by another"),
        (in_the_condition, "changed in place by the condition"),
    ],
)
def test_what_a_program_cannot_follow_is_refused(function, message):
    with pytest.raises(ConversionError, match=message):
        to_static(function)(Holder(), paddle.ones([2]), paddle.to_tensor(2))


def test_a_detached_tensor_is_read_at_each_run():
    m = Holder()

    @to_static
    def scaled(x):
        return x * m.w.detach()

    scaled(paddle.ones([2]))
    m.w.set_value(np.full(2, 5, "float32"))
    assert scaled(paddle.ones([2])).tolist() == [5.0, 5.0]


def leaf(*values, wants=False):
    return paddle.to_tensor(list(values), stop_gradient=not wants)


def added_to(x, y):
    x.add_(y)
    return x * 2


def added_to_each_other(x, y):
    x.add_(y)
    y.add_(x)
    return x * y


def item_assigned(x, y):
    x[0] = y[1]
    return x * 1


def given_a_value(x, y):
    x.set_value(x + y)
    return x * y


def changed_under_no_grad(x, y):
    with paddle.no_grad():
        x.scale_(0.5)
    return x * y


def changed_in_a_branch(x, y):
    if x.sum() > 0:
        x.add_(y)
    else:
        x.subtract_(y)
    return x * 1


def changed_in_a_loop(x, y):
    while x.sum() < 20:
        x.add_(y)
    return x * y


def made_to_want_gradients(x, y):
    x.stop_gradient = False
    return x * y


ON_ARGUMENTS = [
    added_to, added_to_each_other, item_assigned, given_a_value, changed_under_no_grad,
    changed_in_a_branch, changed_in_a_loop, made_to_want_gradients,
]  # fmt: skip


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("wants", [False, True])
@pytest.mark.parametrize("function", ON_ARGUMENTS)
def test_arguments_are_left_as_eager_mode_leaves_them(function, wants, backend):
    found = []
    with config.override(backend=backend):
        for called in (function, to_static(function), to_static(function, check=True)):
            for _ in range(2):
                x, origin = leaf(1.0, 2.0), leaf(3.0, 4.0, wants=wants)
                y = origin * 1
                out = called(x, y)
                total = (out + x).sum()
                if not total.stop_gradient:
                    total.backward()
                grad = None if origin.grad is None else origin.grad.tolist()
                found.append((out.tolist(), x.tolist(), y.tolist(), x.stop_gradient, grad))
    assert all(one == found[0] for one in found)


def test_a_leaf_that_wants_gradients_is_no_argument_to_change():
    with pytest.raises(ArgumentError, match="wants a gradient and is changed in place"):
        to_static(added_to)(leaf(1.0, wants=True), leaf(1.0))


def test_an_argument_that_is_changed_may_not_be_passed_twice():
    x = leaf(1.0)
    with pytest.raises(ConversionError, match="by another name or argument too"):
        to_static(added_to)(x, x)


def test_a_model_says_that_it_leaves_its_arguments_as_they_are(tmp_path):
    spec = InputSpec([2], "float32")
    with pytest.warns(LostChangeWarning, match=r"changes its arguments in place \(x\)"):
        save(added_to, str(tmp_path / "model"), input_spec=[spec, spec], verify=False)


def test_attributes_of_arguments_are_refused():
    def named(x):
        x.kind = "input"
        return x * 1

    with pytest.raises(ConversionError, match="an attribute kind"):
        to_static(named)(leaf(1.0))


def test_no_gradient_flows_through_set_value():
    total, x = paddle.zeros([2]), leaf(1.0, 2.0, wants=True)

    @to_static
    def step(x):
        total.set_value(total + x)
        return x + total

    step(x).sum().backward()
    assert x.grad.tolist() == [1.0, 1.0] and total.tolist() == [1.0, 2.0] and total.stop_gradient


def test_a_tensor_that_is_read_anew_is_changed_in_place():
    class Held:
        tensor = paddle.to_tensor([1.0, 2.0])

    first = Held.tensor

    def step(x):
        Held.tensor.add_(x)
        Held.tensor = Held.tensor * 2

    static = to_static(step)
    static(paddle.ones([2]))
    assert (first.tolist(), Held.tensor.tolist()) == ([2.0, 3.0], [4.0, 6.0])
    second = Held.tensor
    static(paddle.ones([2]))
    assert (second.tolist(), Held.tensor.tolist()) == ([5.0, 7.0], [10.0, 14.0])
