"""What branches and loops on tensors change in place is changed after them, by whatever name."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ConversionError
from twinoar.jit import to_static

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
