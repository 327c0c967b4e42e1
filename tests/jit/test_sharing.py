"""Views in converted functions show what is written to their base, and the other way round."""

import random

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ConversionError
from twinoar.jit import to_static
from twinoar.static import InputSpec

pytestmark = pytest.mark.usefixtures("numpy_backend")

BUFFER = paddle.zeros([2, 3])
ROW = BUFFER[0]


def numbers():
    return paddle.arange(1, 7, dtype="float32").reshape([2, 3]).clone()


def a_row_is_written(x):
    h = x * 2
    row = h[0]
    row.add_(paddle.ones([3]))
    return h, row


def a_base_is_written(x):
    h = x * 2
    flat, turned = h.reshape([-1]), h.t()
    h[0] = 5.0
    return h, flat, turned


def sides_of_a_branch(x):
    h = x * 2
    row = h[0]
    if row.sum() > 3:
        row.fill_(7.0)
    else:
        h.fill_(1.0)
    return h, row


def a_loop(x):
    h = x * 2
    row, i, s = h[0], paddle.to_tensor(0), x.sum()
    while i < 3:
        s = row.sum()
        h[1] = s
        row.add_(paddle.ones([3]))
        i = i + 1
    return h, row, s


def rows_in_turn(x):
    h = x * 2
    for row in h:
        row.multiply_(row)
    return h


def a_detached_view(x):
    h = x * 2
    d = h.detach()
    d[0] = 0.0
    return (h * h).sum(), d


def without_gradients(x):
    h = x * 2
    with paddle.no_grad():
        h[0].fill_(1.0)
    return (h * h).sum()


def another_shape_in_place(x):
    h = x * 2
    row = h[0]
    h.reshape_([3, 2])
    return h * 1, row * 1


def a_place_that_data_gives(x):
    h = x * 2
    h[paddle.to_tensor(1)].fill_(3.0)
    return h


def a_view_of_what_was_written(x):
    h = x * 2
    row = h[0]
    h[0] = h[1]
    return (row * row).sum()


def a_diagonal(x):
    h = x * 2
    h[:, :2].diagonal().fill_(9.0)
    return h


def outcome(function, x):
    """Results and the gradient, and what a later change of the first result does to all."""
    x.stop_gradient = False
    out = function(x)
    out = out if isinstance(out, (list, tuple)) else [out]
    sum((v * v).sum() for v in out).backward()
    found = [v.numpy() for v in out] + [x.grad.numpy()]
    out[0].fill_(77.0)
    return found + [v.numpy() for v in out]


FUNCTIONS = [
    a_row_is_written, a_base_is_written, sides_of_a_branch, a_loop, rows_in_turn, a_detached_view,
    without_gradients, another_shape_in_place, a_place_that_data_gives, a_view_of_what_was_written,
    a_diagonal,
]  # fmt: skip


@pytest.mark.parametrize("spec", [None, [InputSpec([None, 3])]], ids=["sizes", "any size"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_writes_are_seen_as_in_eager_mode(function, spec):
    expected = outcome(function, numbers())
    found = outcome(to_static(function, input_spec=spec), numbers())
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "part", [lambda x: x[0], lambda x: x.reshape([-1]), lambda x: x, lambda x: x.detach()]
)
def test_a_result_that_is_a_view_of_an_argument_remains_one(part):
    x = numbers()
    to_static(part)(x).zero_()
    expected = numbers()
    part(expected).zero_()
    assert x.tolist() == expected.tolist()


def test_a_result_that_is_a_copy_remains_one():
    x = numbers()
    to_static(lambda x: x.clone())(x).zero_()
    assert x.tolist() == numbers().tolist()


def test_results_that_share_memory_share_it_after_the_call():
    @to_static
    def two(x):
        h = x * 2
        return h, h[1]

    whole, row = two(numbers())
    whole.zero_()
    assert row.tolist() == [0.0, 0.0, 0.0]


def test_arguments_that_share_memory_are_refused_where_one_is_written():
    @to_static
    def write(x, y):
        x.add_(paddle.ones([2, 3]))
        return y * 1

    x = numbers()
    assert write(x, numbers()[0]).tolist() == [1.0, 2.0, 3.0]
    with pytest.raises(ConversionError, match="is changed in place"):
        write(x, x[0])


def test_an_argument_that_is_written_must_not_share_memory_with_a_live_tensor():
    @to_static
    def write(x):
        x.add_(paddle.ones([2, 3]))
        return ROW * 1

    assert write(numbers()).tolist() == [0.0, 0.0, 0.0]
    with pytest.raises(ConversionError, match="is changed in place"):
        write(BUFFER)


def test_live_tensors_that_share_memory_are_refused_where_one_is_written():
    def write(x):
        BUFFER.add_(x)
        return ROW * 1

    with pytest.raises(ConversionError, match="shares its memory"):
        to_static(write)(numbers())


def test_a_view_outside_sees_what_a_program_writes():
    held = {"all": numbers()}
    row = held["all"][0]

    @to_static
    def write(x):
        held["all"].add_(x)
        return x * 1

    write(numbers())
    assert row.tolist() == [2.0, 4.0, 6.0]


def test_sizes_that_decide_whether_it_is_a_copy_are_refused():
    def write(x):
        h = x * 2
        flat = h.t().reshape([-1])
        flat.fill_(0.0)
        return h

    with pytest.raises(ConversionError, match="decide whether it is a view or a copy"):
        to_static(write, input_spec=[InputSpec([None, 3])])(numbers())


VIEWS = [
    "{}[0:2]", "{}[1:]", "{}.t()", "{}.reshape([-1, 1])", "{}.detach()", "{}.unsqueeze(0)[0]",
    "{}[:, 0:1]", "{}[::-1]", "{}.flatten().unsqueeze(-1)",
]  # fmt: skip
WRITES = [
    "{}.add_(paddle.full([1], 3.0))", "{}.multiply_(paddle.full([1], 2.0))", "{}[0] = 4.0",
    "{}[:, 0] = 1.0", "{}.fill_(2.0)", "{0}.subtract_({0} * 0.5)",
]  # fmt: skip


def random_function(seed):
    """The text of a function of views, writes, branches and loops."""
    draw, lines, names = random.Random(seed), ["def f(x, n):", "    v0 = x * 1.0"], iter(range(99))
    next(names)

    def body(indent, count, depth, held):
        held, pad = list(held), " " * indent
        for _ in range(count):
            kind, x = draw.random(), draw.choice(held)
            if kind < 0.4:
                held.append(f"v{next(names)}")
                lines.append(f"{pad}{held[-1]} = {draw.choice(VIEWS).format(x)}")
            elif kind < 0.75 or depth > 1:
                inner = "    " if draw.random() < 0.2 else ""
                lines.extend([f"{pad}with paddle.no_grad():"] * bool(inner))
                lines.append(f"{pad}{inner}{draw.choice(WRITES).format(x)}")
            elif kind < 0.9:
                lines.append(f"{pad}if {x}.sum() > {draw.choice([-100, 0, 5, 20, 10**5])}:")
                body(indent + 4, draw.randrange(1, 3), depth + 1, held)
                lines.append(f"{pad}else:")
                body(indent + 4, draw.randrange(1, 3), depth + 1, held)
            else:
                i = f"i{next(names)}"
                lines.extend([f"{pad}{i} = n * 0", f"{pad}while {i} < n:"])
                body(indent + 4, draw.randrange(1, 3), depth + 1, held)
                lines.append(f"{pad}    {i} = {i} + 1")
        return held

    held = body(4, draw.randrange(3, 8), 0, ["v0"])
    returned = ", ".join(f"{v} * 1.0" if draw.random() < 0.7 else v for v in held)
    return "\n".join(["import twinoar as paddle", *lines, f"    return {returned},", ""])


@pytest.mark.parametrize("seed", range(24))
def test_random_writes_are_seen_as_in_eager_mode(seed, tmp_path, monkeypatch):
    name = f"sharing_{seed}"
    (tmp_path / f"{name}.py").write_text(random_function(seed))
    monkeypatch.syspath_prepend(tmp_path)
    function = __import__(name).f
    count = paddle.to_tensor(2)
    expected = outcome(lambda x: function(x, count), numbers())
    static = to_static(function)
    found = outcome(lambda x: static(x, count), numbers())
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4)
