"""Large eager operators run natively: the same numbers, whatever the layout, thread or error."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import twinoar as paddle
from tests.threads import in_threads
from twinoar import config
from twinoar.backends import eager_kernels, native
from twinoar.backends.behind import Behind
from twinoar.backends.eager_kernels import EagerKernels
from twinoar.core.op.definition import op_named
from twinoar.eager.interpreter import Eager
from twinoar.errors import AxisError, ShapeError
from twinoar.runtime.allocator import POOL
from twinoar.runtime.collective import current_world, run_ranks

functional = paddle.nn.functional

CALLS = {
    "matmul": (lambda x, y: paddle.matmul(x, y, transpose_y=True), (40, 130), (70, 130)),
    "batched matmul": (paddle.matmul, (3, 4, 20, 30), (3, 4, 30, 25)),
    "linear": (functional.linear, (4, 50, 60), (60, 30), (30,)),
    "conv2d": (lambda x, w: functional.conv2d(x, w, padding=1), (2, 8, 24, 24), (12, 8, 3, 3)),
    "strided conv2d": (
        lambda x, w, b: functional.conv2d(x, w, b, stride=2, groups=2),
        (2, 8, 24, 24),
        (12, 4, 3, 3),
        (12,),
    ),
    "conv2d_transpose": (functional.conv2d_transpose, (2, 8, 20, 20), (8, 6, 3, 3)),
    "max_pool2d": (lambda x: functional.max_pool2d(x, 3, 2, 1), (2, 8, 40, 40)),
    "avg_pool2d": (lambda x: functional.avg_pool2d(x, 2), (2, 8, 40, 40)),
    "add": (lambda x, y: x + y, (200, 120), (120,)),
    "expression": (lambda x, y: x * 1.5 - y / (x * x + 1.0), (200, 120), (200, 1)),
    "relu": (functional.relu, (200, 120)),
    "gelu": (functional.gelu, (200, 120)),
    "silu": (functional.silu, (200, 120)),
    "sum": (lambda x: x.sum(axis=1), (200, 120)),
    "mean": (lambda x: x.mean(), (200, 120)),
    "softmax": (lambda x: functional.softmax(x, axis=1), (50, 40, 30)),
    "log_softmax": (functional.log_softmax, (200, 120)),
    "layer_norm": (lambda x, w, b: functional.layer_norm(x, 120, w, b), (200, 120), (120,), (120,)),
    "group_norm": (lambda x: paddle.nn.GroupNorm(2, 8)(x), (2, 8, 40, 40)),
    "cross entropy": (
        lambda x: functional.cross_entropy(x, paddle.arange(300) % 60),
        (300, 60),
    ),
    "mse_loss": (functional.mse_loss, (200, 120), (200, 120)),
    "transpose": (lambda x: paddle.transpose(x, [2, 0, 1]) * 2.0, (30, 40, 50)),
    "concat": (lambda x, y: paddle.concat([x, y], axis=1), (200, 120), (200, 30)),
    "where": (lambda x, y: paddle.where(x > y, x, y), (200, 120), (200, 120)),
}


@pytest.fixture(autouse=True)
def fresh_kernels(monkeypatch):
    """Nothing is compiled before a test: what is compiled at first sight is bounded."""
    monkeypatch.setattr(Eager, "kernels", EagerKernels())


@pytest.fixture(autouse=True)
def all_operators_are_large_alike(monkeypatch):
    monkeypatch.setattr(eager_kernels, "ONE_FUNCTION", 1)


def tensors(*shapes: tuple[int, ...]) -> list[paddle.Tensor]:
    """Random leaves that want gradients."""
    rng = np.random.default_rng(5)
    arrays = [rng.standard_normal(shape, dtype=np.float32) for shape in shapes]
    return [paddle.to_tensor(a, stop_gradient=False) for a in arrays]


def results(call, *shapes: tuple[int, ...]) -> list[np.ndarray]:
    """What a call gives, and the gradients of its operands."""
    operands = tensors(*shapes)
    out = call(*operands)
    weights = np.random.default_rng(6).standard_normal(out.shape, dtype=np.float32)
    (out * paddle.to_tensor(weights)).sum().backward()
    return [out.numpy(), *(x.grad.numpy() for x in operands)]


def fail(*args, **kwargs):
    raise AssertionError("NumPy's kernel ran")


@pytest.mark.parametrize("name", CALLS)
def test_native_results_and_gradients_are_those_of_numpy(name) -> None:
    found = results(*CALLS[name])
    with config.override(backend="numpy"):
        expected = results(*CALLS[name])
    for a, b in zip(found, expected, strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-4)


def test_batch_norm_and_its_running_statistics_are_those_of_numpy() -> None:
    def trained() -> list[np.ndarray]:
        layer = paddle.nn.BatchNorm2D(8)
        found = results(layer, (4, 8, 30, 30))
        return [*found, layer.weight.grad.numpy(), layer._mean.numpy(), layer._variance.numpy()]

    found = trained()
    with config.override(backend="numpy"):
        expected = trained()
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["matmul", "conv2d", "add", "softmax", "layer_norm", "relu"])
def test_large_operands_leave_numpy_kernels_alone(name, monkeypatch) -> None:
    call, *shapes = CALLS[name]
    operands = tensors(*shapes)
    monkeypatch.setattr(op_named(name), "kernel_rule", fail)
    call(*operands)


@pytest.mark.parametrize("name", ["matmul", "add"])
def test_the_numpy_back_end_runs_numpy_kernels(name, monkeypatch) -> None:
    call, *shapes = CALLS[name]
    operands = tensors(*shapes)
    call(*operands)
    monkeypatch.setattr(op_named(name), "kernel_rule", fail)
    with config.override(backend="numpy"), pytest.raises(Exception, match="NumPy's kernel"):
        call(*operands)


def test_small_operands_load_no_compiler() -> None:
    program = (
        "import sys, twinoar as p; x = p.ones([8, 8]); x.stop_gradient = False; "
        "p.nn.functional.relu(x @ x + x).sum().backward(); "
        "print('llvmlite' in sys.modules, 'twinoar.backends.native.operation' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert ran.stdout.split() == ["False", "False"]


def test_images_stay_channels_last_between_operators() -> None:
    x, weight = tensors((2, 8, 40, 40), (8, 8, 3, 3))
    y = functional.relu(functional.conv2d(x, weight, padding=1))
    z = functional.max_pool2d(functional.conv2d(y, weight, padding=1) + y, 2)
    for out in (y, z):
        assert out._data.transpose(0, 2, 3, 1).flags.c_contiguous


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a.transpose(1, 0, 2),
        lambda a: a[:, ::2],
        lambda a: a[::-1],
        lambda a: np.broadcast_to(a[:1], a.shape),
        lambda a: np.asfortranarray(a),
        lambda a: a[:, :1],
    ],
    ids=["transposed", "sliced", "reversed", "broadcast", "fortran", "size 1"],
)
def test_operands_may_lie_in_any_way(change) -> None:
    array = np.random.default_rng(1).standard_normal((40, 30, 32), dtype=np.float32)
    given = change(array)
    x = paddle.Tensor(given)
    other = paddle.to_tensor(np.ones(given.shape[-1:], np.float32))
    np.testing.assert_allclose((x * 2.0 + other)._data, given * 2 + 1, rtol=1e-6)
    np.testing.assert_allclose(x.sum(axis=1)._data, given.sum(axis=1), rtol=1e-4, atol=1e-4)


def test_results_are_not_changed_by_later_calls() -> None:
    (x,) = tensors((200, 120))
    first = x * 2.0
    part = (x * 3.0)[5]  # its tensor is gone, its memory is not
    expected = first.numpy(), part.numpy()
    for n in range(20):
        x * float(n % 3)
    np.testing.assert_array_equal(first._data, expected[0])
    np.testing.assert_array_equal(part._data, expected[1])


def test_literals_that_compare_equal_are_told_apart() -> None:
    x = paddle.ones([200, 120])
    for literal, is_negative in ((0.0, False), (-0.0, True), (0.0, False)):
        assert np.signbit((x * literal)._data).all() == is_negative
    ints = paddle.ones([200, 120], "int64")
    assert (ints * 2).dtype == "int64"
    assert (ints * 2.0).dtype == "float32"


def message_of(call, kind) -> str:
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value).partition("\n  at ")[0]


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: paddle.ones([200, 120]) + paddle.ones([200, 121]), ShapeError),
        (lambda: paddle.matmul(paddle.ones([200, 120]), paddle.ones([121, 200])), ShapeError),
        (
            lambda: functional.conv2d(paddle.ones([2, 3, 64, 64]), paddle.ones([4, 5, 3, 3])),
            ShapeError,
        ),
        (
            lambda: functional.embedding(paddle.full([5000], 77, "int64"), paddle.ones([70, 300])),
            AxisError,
        ),
        (
            lambda: functional.cross_entropy(
                paddle.ones([300, 60]), paddle.full([300], 61, "int64")
            ),
            AxisError,
        ),
    ],
    ids=["add", "matmul", "conv2d", "embedding", "cross entropy"],
)
def test_errors_are_those_of_numpy_kernels(call, kind) -> None:
    found = message_of(call, kind)
    with config.override(backend="numpy"):
        assert found == message_of(call, kind)


def test_many_threads_run_operators_at_once() -> None:
    x, weight = tensors((64, 200), (200, 150))
    with config.override(backend="numpy"):
        expected = functional.gelu(x @ weight).numpy()
    wrong = []

    def work() -> None:
        for _ in range(30):
            found = functional.gelu(x @ weight)
            if not np.allclose(found._data, expected, rtol=1e-4, atol=1e-4):
                wrong.append(found)

    in_threads([work] * 6)
    assert wrong == []


def test_functions_of_users_run_as_python_code() -> None:
    calls = []

    class Double(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 2.0

        @staticmethod
        def backward(ctx, g):
            calls.append(type(g))
            return g * 2.0

    (x,) = tensors((200, 120))
    for _ in range(3):
        Double.apply(x).sum().backward()
    assert calls == [paddle.Tensor] * 3
    assert (x.grad == 6.0).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_runs_operators() -> None:
    (x,) = tensors((200, 120))
    expected = functional.gelu(x @ x.T).numpy()
    child = os.fork()
    if child == 0:
        found = functional.gelu(x @ x.T)._data
        os._exit(0 if np.array_equal(found, expected) else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_second_derivatives_of_large_operators() -> None:
    (x,) = tensors((200, 120))
    (g,) = paddle.grad([(x * x * x).sum()], [x], create_graph=True)
    (gg,) = paddle.grad([g.sum()], [x])
    np.testing.assert_allclose(gg.numpy(), 6 * x.numpy(), rtol=1e-5)


@pytest.mark.parametrize(("worth", "compiled"), [(0, 4), (2, 3), (6, 2)])
def test_shapes_that_do_not_come_back_often_are_not_compiled(monkeypatch, worth, compiled) -> None:
    made = []

    def make(*args):
        made.append(args)

    monkeypatch.setattr(native, "make_operation", make, raising=False)
    monkeypatch.setattr(native, "make_open", lambda *args: None, raising=False)
    monkeypatch.setattr(eager_kernels, "AT_FIRST_SIGHT", 2)
    monkeypatch.setattr(eager_kernels, "COMPILATION", worth)
    kernels, add = EagerKernels(), op_named("add")
    for n in (200, 201, 202, 203, 203):
        x = np.ones((n, 120), np.float32)  # two of them: more than 2 times eager_kernels.LARGE
        kernels.forward(add, (x, x), {})
    assert len(made) == compiled  # two at first sight, and what came again, where that is enough


def test_another_thread_compiles_what_comes_again_while_numpy_runs(monkeypatch) -> None:
    threads, made = [], []

    def make(*args):
        threads.append(threading.current_thread())
        return real(*args)

    real = native.make_operation
    monkeypatch.setattr(native, "make_operation", make, raising=False)
    monkeypatch.setattr(eager_kernels, "AT_FIRST_SIGHT", 0)
    monkeypatch.setattr(eager_kernels, "COMPILATION", 3)
    kernels, add = EagerKernels(), op_named("add")
    x = np.ones((200, 120), np.float32)  # two of them: nearly 3 times eager_kernels.LARGE
    for _ in range(3):
        made.append(kernels.forward(add, (x, x), {}))
    assert [found is None for found in made] == [True, True, False]  # whoever compiled it
    np.testing.assert_array_equal(made[2], x + x)
    assert len(threads) == 1


@pytest.mark.parametrize("first", [0, 1])
def test_ranks_that_are_threads_turn_to_compiled_kernels_as_processes_would(
    monkeypatch, first
) -> None:
    """Whichever comes first, and in each run: else bits would depend on time."""
    monkeypatch.setattr(eager_kernels, "AT_FIRST_SIGHT", 0)
    monkeypatch.setattr(eager_kernels, "COMPILATION", 3)
    kernels, add = EagerKernels(), op_named("add")
    x = np.ones((200, 120), np.float32)

    def calls() -> list[bool]:
        there = current_world().all
        if there.rank != first:
            there.barrier()
        by_numpy = [kernels.forward(add, (x, x), {}) is None for _ in range(4)]
        if there.rank == first:
            there.barrier()
        return by_numpy

    for _ in range(2):
        assert run_ranks(2, calls) == [[True, True, False, False]] * 2


def test_what_ranks_have_compiled_is_compiled_once(monkeypatch) -> None:
    made = []

    def make(*args):
        made.append(args)
        return real(*args)

    real = native.make_operation
    monkeypatch.setattr(native, "make_operation", make, raising=False)
    kernels, add = EagerKernels(), op_named("add")
    x = np.ones((200, 120), np.float32)
    run_ranks(4, lambda: kernels.forward(add, (x, x), {}))
    assert len(made) == 1


def test_what_a_thread_has_not_begun_is_done_where_it_is_asked_for() -> None:
    behind = Behind()
    started, done = threading.Event(), []
    slow = behind.begin(started.wait)
    job = behind.begin(lambda: done.append(threading.current_thread()) or 7)
    started.set()
    assert behind.finished(job) == 7
    assert behind.finished(slow) is True
    assert len(done) == 1


def test_what_goes_wrong_behind_is_raised_where_the_result_is_asked_for() -> None:
    behind = Behind()
    job = behind.begin(lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        behind.finished(job)


def test_rows_of_layer_norm_are_compiled_from_256_elements(monkeypatch) -> None:
    asked = []
    real = native.make_operation

    def make(*args):
        asked.append(args[0].name)
        return real(*args)

    monkeypatch.setattr(native, "make_operation", make, raising=False)
    for size, compiled in ((255, []), (259, ["layer_norm"])):
        x = paddle.to_tensor(np.arange(size, dtype="float32"))
        with paddle.no_grad():
            out = paddle.nn.functional.layer_norm(x, [size])
        wanted = (x.numpy() - x.numpy().mean()) / np.sqrt(x.numpy().var() + 1e-5)
        np.testing.assert_allclose(out.numpy(), wanted, rtol=1e-4, atol=1e-5)
        assert asked == compiled


def test_memory_of_large_results_is_used_again() -> None:
    POOL.release()
    (x,) = tensors((1000, 120))
    first = x * 2.0
    address = first._data.__array_interface__["data"][0]
    del first
    assert POOL.kept_bytes > 0
    assert (x * 3.0)._data.__array_interface__["data"][0] == address


SMALL = {  # those that NumPy computes in many functions, as body, draw or kernel
    "body": lambda x: functional.softshrink(x, 0.1),
    "loss": lambda x: functional.interpolate(x.reshape([1, 1, 4, 5]), [3, 3], mode="bicubic"),
    "kernel": lambda x: paddle.erfinv(x * 0.1),
    "indices": lambda x: paddle.take_along_axis(x, paddle.zeros([4, 1], "int64"), 1),
    "library": lambda x: functional.max_pool2d(x.reshape([1, 1, 4, 5]), 2, return_mask=True)[0],
}


@pytest.mark.parametrize("name", SMALL)
def test_a_small_call_that_comes_again_and_again_is_compiled(name, monkeypatch) -> None:
    monkeypatch.setattr(eager_kernels, "AGAIN", 2)
    monkeypatch.setattr(Eager, "kernels", kernels := EagerKernels())
    x = paddle.randn([4, 5])
    with config.override(backend="numpy"):
        wanted = SMALL[name](x).numpy()
    for _ in range(5):
        np.testing.assert_allclose(SMALL[name](x).numpy(), wanted, rtol=2e-5, atol=1e-6)
    assert any(found is not None for found in kernels._of_process.operations.values())


def test_a_small_call_is_left_to_numpy_until_it_has_come_often(monkeypatch) -> None:
    monkeypatch.setattr(Eager, "kernels", kernels := EagerKernels())
    x = paddle.randn([4, 5])
    for _ in range(eager_kernels.AGAIN):
        functional.softshrink(x)
    assert not any(key[0].name == "softshrink" for key in kernels._of_process.operations)
    functional.softshrink(x)
    assert any(key[0].name == "softshrink" for key in kernels._of_process.operations)


def test_a_small_call_of_one_numpy_function_is_left_to_numpy(monkeypatch) -> None:
    monkeypatch.setattr(eager_kernels, "AGAIN", 1)
    monkeypatch.setattr(Eager, "kernels", kernels := EagerKernels())
    x = paddle.ones([4, 5])
    for _ in range(4):
        x + x
    assert not kernels._of_process.operations and not kernels._of_process.seen


def gradient_of(f, x):
    x = paddle.to_tensor(x, stop_gradient=False)
    return paddle.grad(f(x).sum(), [x])[0].numpy()


def test_a_small_gradient_of_many_operators_is_compiled(monkeypatch) -> None:
    monkeypatch.setattr(eager_kernels, "AGAIN", 2)
    monkeypatch.setattr(Eager, "kernels", kernels := EagerKernels())
    x = np.linspace(-2.0, 3.0, 20, dtype=np.float32).reshape(4, 5)

    def norm(x):
        return paddle.linalg.norm(x, p=3, axis=1)

    with config.override(backend="numpy"):
        wanted = gradient_of(norm, x)
    for _ in range(5):
        np.testing.assert_allclose(gradient_of(norm, x), wanted, rtol=2e-5, atol=1e-6)
    rule = op_named("p_norm").grad_rule.function
    assert any(key[0] is rule and found for key, found in kernels._of_process.operations.items())


def test_a_small_gradient_of_few_operators_is_left_to_numpy_from_then_on(monkeypatch) -> None:
    monkeypatch.setattr(eager_kernels, "AGAIN", 2)
    monkeypatch.setattr(Eager, "kernels", kernels := EagerKernels())
    x = np.ones((4, 5), np.float32)
    for _ in range(4):
        gradient_of(functional.sigmoid, x)
    assert op_named("sigmoid").grad_rule.function in kernels._brief
    seen = len(kernels._of_process.seen)
    gradient_of(functional.sigmoid, np.ones((4, 6), np.float32))
    assert len(kernels._of_process.seen) == seen


@pytest.mark.parametrize(("dtype", "is_native"), [("float32", False), ("bfloat16", True)])
def test_what_numpy_does_as_fast_is_left_to_it_until_it_is_very_large(
    dtype, is_native, monkeypatch
) -> None:
    monkeypatch.setattr(eager_kernels, "ONE_FUNCTION", 100_000)
    monkeypatch.setattr(Eager, "kernels", kernels := EagerKernels())
    x = paddle.ones([200, 120]).astype(dtype)
    x + x
    assert any(key[0].name == "add" for key in kernels._of_process.operations) is is_native
    y = paddle.ones([200, 160], "float32")
    y + y
    assert any(key[0].name == "add" for key in kernels._of_process.operations)
