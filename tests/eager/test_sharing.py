"""Views share memory: what is written to a tensor is seen in its views, and the other way round."""

import gc
import random

import numpy as np
import pytest

import twinoar as paddle
from twinoar.eager.sharing import kin_of
from twinoar.errors import ArgumentError

VIEWS = {
    "integer": (lambda x: x[1], lambda a: a[1]),
    "slice": (lambda x: x[1:], lambda a: a[1:]),
    "steps": (lambda x: x[::2], lambda a: a[::2]),
    "backward": (lambda x: x[::-1], lambda a: a[::-1]),
    "ellipsis": (lambda x: x[...], lambda a: a[...]),
    "all": (lambda x: x[:], lambda a: a[:]),
    "new axis": (lambda x: x[None], lambda a: a[None]),
    "columns": (lambda x: x[..., 0], lambda a: a[..., 0]),
    "number in a tensor": (lambda x: x[paddle.to_tensor(1)], lambda a: a[1]),
    "reshape": (lambda x: x.reshape([-1]), lambda a: a.reshape(-1)),
    "reshape in two": (lambda x: x.reshape([2, -1]), lambda a: a.reshape(2, -1)),
    "flatten": (lambda x: x.flatten(), lambda a: a.reshape(-1)),
    "transpose": (lambda x: x.T, lambda a: a.T),
    "moveaxis": (lambda x: paddle.moveaxis(x, 0, -1), lambda a: np.moveaxis(a, 0, -1)),
    "unsqueeze": (lambda x: x.unsqueeze(1), lambda a: np.expand_dims(a, 1)),
    "squeeze": (lambda x: x.squeeze(), lambda a: a.squeeze()),
    "unbind": (lambda x: x.unbind(-1)[1], lambda a: a[..., 1]),
    "diagonal": (lambda x: x.diagonal(), lambda a: a.diagonal()),
    "detach": (lambda x: x.detach(), lambda a: a[...]),
    "narrow": (lambda x: paddle.narrow(x, 0, 1, 1), lambda a: a[1:2]),
    "windows": (
        lambda x: x.unfold(0, 2, 1),
        lambda a: np.moveaxis(np.stack([a[:-1], a[1:]], 1), 1, -1),
    ),
}
COPIES = {
    "clone": lambda x: x.clone(),
    "assign": paddle.assign,
    "list": lambda x: x[[0, 1]],
    "mask": lambda x: x[x > 0],
    "split": lambda x: x.split(2)[0],
    "chunk": lambda x: x.chunk(2)[0],
    "unstack": lambda x: paddle.unstack(x)[0],
    "crop": lambda x: paddle.crop(x, [1, 2]),
    "expand": lambda x: x.expand([2, 2, 3]),
    "flip": lambda x: paddle.flip(x, [0]),
    "to": lambda x: x.to("float32"),
    "reshape of columns": lambda x: x.T.reshape([-1]),
    "to_tensor": paddle.to_tensor,
}


def numbers(*shape):
    return paddle.arange(1, 1 + int(np.prod(shape)), dtype="float32").reshape(shape).clone()


@pytest.mark.parametrize("name", VIEWS)
def test_a_write_to_a_view_is_seen_in_the_base(name):
    x = numbers(2, 3)
    view = VIEWS[name][0](x)
    selected = VIEWS[name][1](np.arange(6).reshape(2, 3))
    view.fill_(9.0)
    expected = np.arange(1, 7, dtype="float32")
    expected[np.unique(selected)] = 9.0
    assert x.flatten().tolist() == expected.tolist()


@pytest.mark.parametrize("name", VIEWS)
def test_a_write_to_the_base_is_seen_in_a_view(name):
    x = numbers(2, 3)
    view = VIEWS[name][0](x)
    x.add_(numbers(2, 3))
    np.testing.assert_array_equal(view.numpy(), VIEWS[name][1](x.numpy()))


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_stays_as_it_is(name):
    x = numbers(2, 3)
    copy = COPIES[name](x)
    before = copy.numpy()
    x.fill_(9.0)
    np.testing.assert_array_equal(copy.numpy(), before)
    copy.fill_(5.0)
    assert (x.numpy() == 9.0).all()


@pytest.mark.parametrize("seed", range(40))
def test_random_views_and_writes_do_what_numpy_does_to_its_memory(seed):
    draw = random.Random(seed)
    array = np.arange(24, dtype="float32").reshape(draw.choice([(2, 3, 4), (4, 6), (24,)]))
    found = [(paddle.to_tensor(array), array)]
    for _ in range(30):
        x, a = draw.choice(found)
        if draw.random() < 0.6 and x.ndim:
            view = random_view(draw, x, a)
            if view is not None:
                found.append(view)
        else:
            value = float(draw.randrange(100))
            if draw.random() < 0.5 and x.ndim and len(x):
                x[0], a[0] = value, value
            else:
                x.add_(paddle.full(x.shape, value))
                a += value
        if draw.random() < 0.2 and len(found) > 3:
            found.pop(draw.randrange(len(found)))
        for tensor, expected in found:
            np.testing.assert_array_equal(tensor.numpy(), expected)


def random_view(draw, x, a):
    """A view of both, where NumPy makes one."""
    kind = draw.choice(["slice", "index", "transpose", "reshape", "detach", "flatten", "unbind"])
    if kind == "slice":
        axis, start = draw.randrange(x.ndim), draw.randrange(0, 2)
        step = draw.choice([1, 1, 2, -1])
        part = slice(start, None, step) if step > 0 else slice(None, None, -1)
        index = (slice(None),) * axis + (part,)
        return x[index], a[index]
    if kind == "index":
        i = draw.randrange(len(a)) if len(a) else None
        return None if i is None else (x[i : i + 1], a[i : i + 1])
    if kind == "transpose":
        perm = draw.sample(range(x.ndim), x.ndim)
        return x.transpose(perm), a.transpose(perm)
    if kind == "detach":
        return x.detach(), a[...]
    if kind == "unbind":
        return (x.unbind(0)[-1], a[-1, ...]) if len(a) else None
    shape = (-1,) if kind == "flatten" else (*a.shape[:-1], a.shape[-1], 1)
    viewed = a.reshape(shape)
    reshaped = x.reshape(list(shape))
    return (reshaped, viewed) if np.shares_memory(viewed, a) else (reshaped, viewed.copy())


def test_a_view_as_another_dtype_shows_the_same_bits():
    x = numbers(2, 3)
    bits = x.view("int32")
    bits[0] = 0
    assert x.tolist() == [[0.0, 0.0, 0.0], [4.0, 5.0, 6.0]]
    x[1] = 1.0
    assert bits.tolist() == [[0, 0, 0], [1065353216] * 3]


def test_a_number_keeps_its_shape():
    x = paddle.to_tensor(2.0)
    x.reshape([1]).add_(paddle.ones([1]))
    assert (x.shape, x.item()) == ([], 3.0)


def test_a_view_of_a_view_is_read_anew():
    x = numbers(4, 6)
    row = x[1]
    part = row[2:4]
    x[1, 2] = -1.0
    assert part.tolist() == [-1.0, 10.0]
    part[1] = -2.0
    assert row.tolist() == [7.0, 8.0, -1.0, -2.0, 11.0, 12.0]


def test_the_base_may_be_gone():
    row, column = numbers(2, 3)[0], None
    rows = numbers(2, 3)
    row, column = rows[0], rows[:, 0]
    del rows
    row[0] = 9.0
    assert column.tolist() == [9.0, 4.0]


def test_shape_changes_in_place_keep_the_memory():
    x = numbers(2, 3)
    row = x[0]
    x.reshape_([3, 2])
    row.fill_(0.0)
    assert x.tolist() == [[0.0, 0.0], [0.0, 4.0], [5.0, 6.0]]
    x[0, 0] = 7.0
    assert row.tolist() == [7.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x.set_value(np.zeros((2, 3), "float32")),
        lambda x: x.copy_(paddle.zeros([2, 3])),
        lambda x: paddle.assign(paddle.zeros([2, 3]), x),
        lambda x: x.zero_(),
        lambda x: x.multiply_(paddle.zeros([2, 3])),
    ],
)
def test_every_way_to_change_a_tensor_is_seen(change):
    x = numbers(2, 3)
    view = x[0]
    change(x)
    assert view.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_what_an_optimizer_does_is_seen(backend, monkeypatch):
    monkeypatch.setenv("TWINOAR_BACKEND", backend)
    layer = paddle.nn.Linear(3, 2)
    shown = layer.weight.detach()
    step = paddle.optimizer.Adam(0.1, parameters=layer.parameters())
    layer(paddle.ones([4, 3])).sum().backward()
    step.step()
    assert (shown.numpy() == layer.weight.numpy()).all()
    layer.set_state_dict({"weight": paddle.zeros([3, 2]), "bias": paddle.zeros([2])})
    assert not shown.numpy().any()


def test_gradients_flow_through_what_a_view_wrote():
    x = paddle.ones([2, 2])
    x.stop_gradient = False
    h = x * 2.0
    row = h[0]
    row.multiply_(paddle.to_tensor([3.0, 5.0]))  # h is 6 and 10 in its first row
    (h * h).sum().backward()
    assert x.grad.tolist() == [[72.0, 200.0], [8.0, 8.0]]


def test_gradients_flow_to_a_view_through_what_its_base_took():
    x = paddle.ones([2, 2])
    w = paddle.to_tensor([2.0, 3.0])
    x.stop_gradient = w.stop_gradient = False
    h = x * 2.0
    row = h[0]
    h[0] = w * w
    (row * row).sum().backward()
    assert w.grad.tolist() == [32.0, 108.0]
    assert x.grad.tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_a_detached_view_changes_data_and_not_the_graph():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    h = x * 3.0
    h.detach().fill_(0.5)
    assert h.tolist() == [0.5, 0.5]
    h.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_parameters_are_set_through_detached_views():
    w = paddle.create_parameter([2, 2], "float32")
    w.detach()[0] = 7.0
    assert w[0].tolist() == [7.0, 7.0]
    assert not w.stop_gradient and w.is_leaf


def test_a_recorded_write_to_a_view_of_a_leaf_is_refused():
    w = paddle.create_parameter([2, 2], "float32")
    with pytest.raises(ArgumentError, match="shows the memory of a leaf tensor"):
        w[0].fill_(1.0)
    with paddle.no_grad():
        w[0].fill_(1.0)
    assert w[0].tolist() == [1.0, 1.0]


def test_a_detached_view_keeps_no_graph_alive():
    class Held:
        pass

    x = paddle.ones([2])
    x.stop_gradient = False
    h = x * 2.0
    h.grad_fn.mark = held = Held()
    count = gc.get_referrers(held)
    detached = h.detach()
    del count, h
    assert not any(type(r).__name__ == "Node" for r in gc.get_referrers(held))
    assert detached.tolist() == [2.0, 2.0]


def test_views_of_views_in_a_loop_stay_short():
    x = numbers(2, 3)
    view = x
    for _ in range(1001):
        view = view.t().detach()
    view[2] = paddle.to_tensor([7.0, 8.0])
    assert x.tolist() == [[1.0, 2.0, 7.0], [4.0, 5.0, 8.0]]
    x[0] = 0.0
    assert view.tolist() == [[0.0, 4.0], [0.0, 5.0], [0.0, 8.0]]
    assert len(view._shown.steps) <= 64


def test_a_root_without_views_shares_nothing():
    x = numbers(2, 3)
    view = x[0]
    assert [id(t) for t in kin_of(x)] == [id(view)]
    del view
    assert kin_of(x) == []


def test_views_that_are_gone_are_forgotten():
    x = numbers(2, 3)
    kept = x[0]
    for _ in range(1000):
        x.reshape([-1])
    assert len(kept._shown.memory._views) < 40


@pytest.mark.parametrize("times", [63, 64, 65, 66, 70, 131])
@pytest.mark.parametrize("is_root", [True, False])
def test_views_stay_through_many_changes_of_shape_in_place(times, is_root):
    x = paddle.arange(6, dtype="float32").reshape([2, 3]).clone()
    x = x if is_root else paddle.concat([x, x])[2:]
    row, rest = x[0], x[1:]
    for _ in range(times):
        x.t_()
    assert (row.tolist(), rest.tolist()) == ([0.0, 1.0, 2.0], [[3.0, 4.0, 5.0]])
    row.add_(paddle.ones([3]))
    expected = [[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]]
    assert (x.t() if times % 2 else x).tolist() == expected
    x.add_(x)
    assert row.tolist() == [2.0, 4.0, 6.0]
