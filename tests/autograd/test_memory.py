"""What the tape keeps, and when it lets go: at once, by reference counts, without cycles."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import twinoar
from twinoar import Tensor, grad, nn, to_tensor
from twinoar.autograd import PyLayer

DEEP = 10_000


@pytest.fixture(autouse=True)
def without_collector() -> Iterator[None]:
    """What is freed in these tests is freed by reference counts alone."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def leaf(*shape: int) -> Tensor:
    values = np.linspace(0.1, 1.0, int(np.prod(shape)), dtype="float32").reshape(shape)
    return to_tensor(values, stop_gradient=False)


def array_of(x: Tensor) -> Any:
    """A weak reference to the array that a tensor holds."""
    return weakref.ref(x._data)


class Saving(PyLayer):
    """x * 2 that saves what it is told to."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, save: bool = True) -> Any:
        if save:
            ctx.save_for_backward(x)
        return x * 2, x * 3

    @staticmethod
    def backward(ctx: Any, g: Tensor, h: Tensor) -> Tensor:
        return g * 2 + h * 3


class TestSavedOperands:
    def test_multiply_keeps_the_operand_whose_partner_wants_a_gradient(self) -> None:
        x, other = leaf(2), to_tensor([3.0, 4.0])
        kept = array_of(other)
        y = x * other
        del other
        assert kept() is not None
        del y
        assert kept() is None

    def test_add_keeps_no_operand(self) -> None:
        x, other = leaf(2), to_tensor([3.0, 4.0])
        dropped = array_of(other)
        y = x + other
        del other
        assert dropped() is None
        y.sum().backward()
        assert x.grad.tolist() == [1.0, 1.0]

    def test_exp_keeps_its_result_and_not_its_operand(self) -> None:
        x = leaf(2)
        operand = x + 1.0
        dropped = array_of(operand)
        y = twinoar.exp(operand)
        kept = array_of(y)
        del operand
        z = y + 1.0
        del y
        assert dropped() is None
        assert kept() is not None
        del z
        assert kept() is None

    def test_intermediates_of_a_chain_of_additions_are_freed_while_it_is_built(self) -> None:
        x, dropped = leaf(2), []
        y = x + 1.0
        for _ in range(5):
            dropped.append(array_of(y))
            y = y + 1.0
        assert [found() for found in dropped] == [None] * 5

    def test_a_py_layer_keeps_only_what_it_saves(self) -> None:
        for save, is_kept in ((True, True), (False, False)):
            operand = leaf(2) * 1.0
            found = array_of(operand)
            first, _ = Saving.apply(operand, save=save)
            del operand, _
            assert (found() is not None) is is_kept
            del first
            assert found() is None


class TestFreed:
    def test_by_backward_while_the_loss_is_still_held(self) -> None:
        x = leaf(3)
        y = x * 2.0
        intermediate = array_of(y)
        loss = (y * y).sum()
        del y
        assert intermediate() is not None
        loss.backward()
        assert intermediate() is None

    def test_by_del_of_the_loss_without_backward(self) -> None:
        x = leaf(3)
        y = x * 2.0
        intermediate = array_of(y)
        loss = (y * y).sum()
        del y, loss
        assert intermediate() is None

    def test_a_retained_graph_by_del_of_the_loss(self) -> None:
        y = leaf(3) * 2.0
        intermediate = array_of(y)
        loss = (y * y).sum()
        del y
        loss.backward(retain_graph=True)
        assert intermediate() is not None
        del loss
        assert intermediate() is None

    def test_what_a_py_layer_has_saved_by_backward(self) -> None:
        operand = leaf(2) * 1.0
        saved = array_of(operand)
        first, second = Saving.apply(operand)
        loss = (first + second).sum()
        del operand, first, second
        assert saved() is not None
        loss.backward()
        assert saved() is None

    def test_gradients_of_intermediates_during_backward(self) -> None:
        x, alive = leaf(3), []
        y = x * 1.0
        seen: list = []
        for _ in range(5):
            y = y * 1.0
            y.register_hook(lambda g: (alive.append(_living(seen)), seen.append(array_of(g)))[0])
        y.sum().backward()
        assert max(alive) <= 1


def _living(references: list) -> int:
    return sum(found() is not None for found in references)


BUILDERS: dict[str, Callable[[Tensor], Any]] = {
    "product": lambda x: (x * x).sum(),
    "several results": lambda x: twinoar.topk(x, 2)[0].sum(),
    "parts": lambda x: sum(part.sum() for part in twinoar.split(x, 3)),
    "softmax": lambda x: nn.functional.softmax(x).square().sum(),
    "composite": lambda x: nn.functional.gelu(x).sum(),
    "loss": lambda x: nn.functional.cross_entropy(x, to_tensor([0, 1, 2])),
    "matmul": lambda x: twinoar.matmul(x, x).sum(),
    "in place": lambda x: (x * 1.0).add_(x).sum(),
    "PyLayer": lambda x: Saving.apply(x)[0].sum(),
}


@pytest.mark.parametrize("build", BUILDERS.values(), ids=BUILDERS)
class TestNoCycles:
    def test_after_backward(self, build: Callable) -> None:
        x = leaf(3, 3)
        build(x).backward()
        gc.collect()
        build(x).backward()
        assert gc.collect() == 0

    def test_without_backward(self, build: Callable) -> None:
        x = leaf(3, 3)
        build(x)
        gc.collect()
        build(x)
        assert gc.collect() == 0


def test_retain_grads_makes_no_cycle() -> None:
    x = leaf(3)
    y = x * 2.0
    y.retain_grads()
    y.sum().backward()
    gc.collect()
    dropped = array_of(y)
    del y
    assert dropped() is None


def test_second_derivatives_make_no_cycle() -> None:
    x = leaf(3)

    def second() -> Any:
        (first,) = grad((x * x * x).sum(), x, create_graph=True)
        return grad(first.sum(), x)

    second()
    gc.collect()
    second()
    assert gc.collect() == 0


class TestDeepGraphs:
    def test_ten_thousand_additions(self) -> None:
        x = leaf(2)
        y = x
        for _ in range(DEEP):
            y = y + 1.0
        y.sum().backward()
        assert x.grad.tolist() == [1.0, 1.0]

    def test_are_freed_without_recursion(self) -> None:
        y = leaf(2)
        last = None
        for i in range(DEEP):
            y = y * 1.0
            last = array_of(y) if i == 0 else last
        del y
        assert last is not None
        assert last() is None

    def test_have_second_derivatives(self) -> None:
        x = leaf(2)
        y = x * x
        for _ in range(1000):
            y = y + 1.0
        (first,) = grad(y.sum(), x, create_graph=True)
        assert grad(first.sum(), x)[0].tolist() == [2.0, 2.0]


def test_a_training_loop_does_not_grow() -> None:
    network = nn.Sequential(nn.Linear(16, 256), nn.LayerNorm(256), nn.ReLU(), nn.Linear(256, 4))
    optimizer = twinoar.optimizer.Adam(0.01, parameters=network.parameters())
    x, labels = twinoar.randn([256, 16]), twinoar.zeros([256], "int64")

    def train(steps: int) -> tuple[int, int]:
        """Bytes and objects after some steps."""
        for _ in range(steps):
            loss = nn.functional.cross_entropy(network(x), labels)
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
        return tracemalloc.get_traced_memory()[0], len(gc.get_objects())

    tracemalloc.start()
    try:
        before, objects = train(5)
        after, more_objects = train(20)
    finally:
        tracemalloc.stop()
    activation = 256 * 256 * 4  # bytes; below that are the caches of Python and NumPy
    assert after - before < activation
    assert more_objects - objects < 20
