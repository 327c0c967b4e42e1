"""What eager operators keep for backward passes through the hooks of the block they run in."""

import weakref

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import (
    ArgumentError,
    DTypeError,
    ProgramError,
    ShapeError,
    TypeMismatchError,
)

hooks = paddle.autograd.saved_tensors_hooks


def leaf(*shape):
    x = paddle.rand(shape)
    x.stop_gradient = False
    return x


class Notes:
    """Hooks that count, and keep arrays."""

    def __init__(self):
        self.packed = self.unpacked = 0

    def pack(self, x):
        self.packed += 1
        return x.numpy()

    def unpack(self, array):
        self.unpacked += 1
        return paddle.to_tensor(array)


@pytest.mark.parametrize(
    ("function", "kept"),
    [
        (lambda x: x * x, 2),
        (paddle.exp, 1),
        (lambda x: paddle.topk(x, 2)[0], 1),  # the indices, an array among operands or results
        (lambda x: paddle.reshape(x, [12]), 0),
        (lambda x: paddle.nn.functional.gelu(paddle.exp(x)), 2),
    ],
)
def test_the_gradient_is_that_without_hooks(function, kept):
    notes, x = Notes(), leaf(3, 4)
    (expected,) = paddle.grad(function(x).sum(), x)
    with hooks(notes.pack, notes.unpack):
        y = function(x)
    assert notes.packed >= kept
    assert notes.unpacked == 0
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), expected.numpy())
    assert notes.unpacked >= kept


def test_nothing_is_packed_outside_the_block_and_where_nothing_is_recorded():
    notes, x = Notes(), leaf(3)
    with hooks(notes.pack, notes.unpack):
        with paddle.no_grad():
            paddle.exp(x)
        paddle.exp(x.detach())
    paddle.exp(x)
    assert notes.packed == 0


def test_what_is_recorded_within_no_grad_is_packed():
    notes, x = Notes(), leaf(3)
    with hooks(notes.pack, notes.unpack), paddle.no_grad(), paddle.enable_grad():
        paddle.exp(x)
    assert notes.packed == 1


def test_data_may_be_kept_smaller():
    x = leaf(5)
    with hooks(lambda x: x.astype("float16"), lambda x: x.astype("float32")):
        y = (x * x).sum()
    y.backward()
    rounded = x.numpy().astype("float16").astype("float32")
    np.testing.assert_array_equal(x.grad.numpy(), 2 * rounded)


def test_what_a_py_layer_saves_passes_through_too():
    class Square(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensor()
            return 2 * x * g

    notes, x = Notes(), leaf(3)
    with hooks(notes.pack, notes.unpack):
        y = Square.apply(x)
    y.sum().backward()
    assert (notes.packed, notes.unpacked) == (1, 1)
    np.testing.assert_array_equal(x.grad.numpy(), 2 * x.numpy())


def test_second_derivatives_go_through_unpacked_data():
    x = leaf(3)
    with hooks(lambda x: x.numpy(), paddle.to_tensor):
        y = (x * x * x).sum()
    (first,) = paddle.grad(y, x, create_graph=True)
    (second,) = paddle.grad(first.sum(), x)
    np.testing.assert_allclose(second.numpy(), 6 * x.numpy(), rtol=1e-6)


@pytest.mark.parametrize(
    ("returned", "error", "what"),
    [
        (3, TypeMismatchError, "must return a Tensor, received int"),
        (paddle.ones([5]), ShapeError, "what was packed"),
        (paddle.ones([3], "float64"), DTypeError, "what was packed"),
    ],
)
def test_other_data_than_was_packed_is_refused(returned, error, what):
    x = leaf(3)
    with hooks(lambda x: x, lambda x: returned):
        y = paddle.exp(x).sum()
    with pytest.raises(error, match=what):
        y.backward()


def test_wrong_uses_are_refused():
    with pytest.raises(TypeMismatchError, match="pack_hook must be a function"):
        hooks(3, paddle.to_tensor)
    pair = hooks(lambda x: x, lambda x: x)
    with pair, pytest.raises(ArgumentError, match="one pair of hooks at a time"), pair:
        pass
    paddle.enable_static()
    try:
        with pytest.raises(ProgramError, match="need eager mode"), pair:
            pass
    finally:
        paddle.disable_static()


def test_what_is_packed_elsewhere_is_not_held_here():
    stored, x = [], leaf(3)

    def store(x):
        stored.append(x.numpy())
        return len(stored) - 1

    with hooks(store, lambda place: paddle.to_tensor(stored[place])):
        y = paddle.exp(x)
        z = (y * y).sum()
    held = weakref.ref(y._data)
    del y
    assert held() is None
    z.backward()
    np.testing.assert_allclose(x.grad.numpy(), 2 * np.exp(2 * x.numpy()), rtol=1e-6)
