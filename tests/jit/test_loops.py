"""Converted loops: they give what Python gives, in values and gradients."""

import itertools

import numpy as np
import pytest

import twinoar as paddle
from tests.jit.test_control_flow import INPUTS, compare, leaves, tensor
from twinoar import config
from twinoar.jit import to_static
from twinoar.static import InputSpec


def while_on_a_tensor(x):
    while x.abs().sum() < 50:
        x = x * 2 + 1
    return x


def counter_becomes_a_tensor(x):
    i = 0
    while x.abs().sum() < 50:
        x = x * 2 + 1
        i += 1
    return x * i


def sum_from_zero(x):
    total = 0
    n = paddle.to_tensor(0)
    while n < 3:
        total = total + x.sum()
        n = n + 1
    return total + x


def two_states(x):
    state = (x, x * 2)
    n = paddle.to_tensor(0)
    while n < 4:
        a, b = state
        state = (b, a + b * 0.5)
        n = n + 1
    return state[0] + state[1]


def loop_with_a_branch(x):
    n = paddle.to_tensor(0)
    while n < 4:
        if x.sum() > 5:
            x = x * 0.5
        else:
            x = x + 2
        n = n + 1
    return x


def nested_loops_on_tensors(x):
    i = paddle.to_tensor(0)
    total = x * 0
    while i < 3:
        j = paddle.to_tensor(0)
        while j < i:
            total = total + x * j.astype("float32")
            j = j + 1
        i = i + 1
    return total


def predicate_turns_into_a_tensor(x):
    going = True
    iterations = 0
    while going:
        x = x + 1
        iterations += 1
        if iterations >= 2:
            going = x.sum() < 15
    return x


def temporary_of_the_body(x):
    n = paddle.to_tensor(0)
    while n < 3:
        t = x * 2
        x = t - 1
        n = n + 1
    return x


def range_over_a_tensor(x):
    n = (x.abs().sum()).astype("int64") % 5
    total = x * 0
    for i in range(n):
        total = total + x * i
    return total


def range_with_a_step(x):
    n = (x.abs().sum()).astype("int64") % 7
    total = x * 0
    for i in range(n, -3, -2):
        total = total + x * i
    return total


def range_with_a_tensor_step(x):
    step = paddle.to_tensor(-3) + x.sum().astype("int64") * 0
    total = x * 0
    for i in range(7, -2, step):
        total = total + x * i
    return total


def rows(x):
    total = paddle.zeros([1])
    for row in x:
        if row > 0:
            total = total + row * row
    return total


def enumerated_rows(x):
    total = paddle.zeros([])
    for i, row in enumerate(x, 1):
        total = total + row * i
    return total


def zipped_rows(x):
    total = paddle.zeros([])
    for a, b in zip(x, x * 2):  # noqa: B905
        total = total + a * b
    return total


def reversed_rows(x):
    total = paddle.zeros([])
    for row in reversed(x):
        total = total * 0.5 + row
    return total


def over_a_dict(x):
    for name, factor in {"a": 2.0, "b": 3.0}.items():
        if x.sum() > 3:
            x = x * factor
        else:
            x = x + len(name)
    return x


def starred_target(x):
    for first, *others in [(x, x + 1, x + 2), (x * 2, x, x)]:
        x = first + others[0] * others[1]
    return x


def over_a_generator(x):
    for i in (n * n for n in itertools.count()):
        if i > 10:
            break
        if x.sum() > 2:
            x = x - i
    return x


def comprehension(x):
    parts = [x * i if x.sum() > 0 else x - i for i in range(3) if i != 1]
    return parts[0] + parts[1]


def over_range_of_the_size(x):
    total = paddle.zeros([])
    for i in range(x.shape[0]):
        total = total + x[i] * i
    return total


def unrolled_break_keeps_names(x):
    y = x
    for i in range(3):
        if y.sum() > 9:
            break
        z = y * 2
        y = z + i
    return y


FUNCTIONS = [
    while_on_a_tensor, counter_becomes_a_tensor, sum_from_zero, two_states, loop_with_a_branch,
    nested_loops_on_tensors, predicate_turns_into_a_tensor, temporary_of_the_body,
    range_over_a_tensor, range_with_a_step, range_with_a_tensor_step, rows, enumerated_rows,
    zipped_rows, reversed_rows, over_a_dict, starred_target, over_a_generator, comprehension,
    over_range_of_the_size, unrolled_break_keeps_names,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_one_program_gives_what_python_gives(function):
    static = to_static(function)
    for values in INPUTS:
        compare(function, static, values)
    assert len(static.program_cache) == 1


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_one_program_serves_all_sizes(function):
    static = to_static(function, input_spec=[InputSpec([None], "float32")])
    for values in [*INPUTS, (2.0,), (1.0, -1.0)]:
        np.testing.assert_allclose(
            np.concatenate([t.numpy().ravel() for t in leaves(static(tensor(*values)))]),
            np.concatenate([t.numpy().ravel() for t in leaves(function(tensor(*values)))]),
            rtol=1e-6,
        )
    assert len(static.program_cache) == 1


@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_a_state_may_be_of_one_row_before_a_loop_and_expanded_in_it(backend):
    def recurrent(x):
        h = paddle.zeros([1, 2])
        outs = []
        for t in range(x.shape[1]):
            h = paddle.tanh(paddle.concat([x[:, t], h.expand([x.shape[0], 2])], -1)[:, 1:3])
            outs.append(h)
        return paddle.stack(outs, 1)

    x = paddle.to_tensor(np.random.default_rng(0).standard_normal((3, 5, 2)).astype("float32"))
    with config.override(backend=backend):
        static = to_static(recurrent, input_spec=[InputSpec([None, None, 2])])
        for part in (x, x[:2, :3], x[:1, :1]):
            np.testing.assert_allclose(static(part).numpy(), recurrent(part).numpy(), rtol=1e-6)
