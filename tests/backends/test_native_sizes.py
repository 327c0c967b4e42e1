"""One plan for all batch sizes: what it serves, and that it is right for each of them."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, nn
from twinoar.errors import AxisError, ShapeError
from twinoar.nn import functional as F
from twinoar.ops.linalg.matmul import matmul
from twinoar.static import InputSpec

pytestmark = pytest.mark.usefixtures("one_pass_for_most")

Tensor = Any
SIZES = [32, 1, 2, 3, 5, 7, 8, 10, 13, 16, 17, 31, 33, 48, 64, 65, 97, 100, 127, 128, 129, 200, 255]
SIZES += [256, 300, 384, 385, 512, 784, 1000, 1023, 2048]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[None]:
    """An empty cache for each test."""
    with config.override(cache_dir=tmp_path):
        yield


def mlp() -> nn.Layer:
    """Two layers."""
    paddle.seed(0)
    return nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))


def images(n: int) -> np.ndarray:
    """Random ones, float32 [n,784]."""
    return np.random.default_rng(n).random((n, 784)).astype(np.float32)


def test_an_mlp_is_compiled_once_for_32_batch_sizes(planned: list[str]) -> None:
    assert len(set(SIZES)) == 32
    net = mlp()
    net.eval()
    converted = paddle.jit.to_static(mlp(), input_spec=[InputSpec([None, 784], "float32")])
    for n in SIZES:
        x = paddle.to_tensor(images(n))
        np.testing.assert_allclose(converted(x).numpy(), net(x).numpy(), rtol=1e-4, atol=1e-5)
    assert planned == ["forward"]


def test_a_training_step_is_compiled_once_up_to_4096_rows_and_once_beyond(
    planned: list[str],
) -> None:
    net, reference = mlp(), mlp()
    optimizer = paddle.optimizer.Momentum(0.1, parameters=net.parameters())
    own = paddle.optimizer.Momentum(0.1, parameters=reference.parameters())

    @paddle.jit.to_static(
        input_spec=[InputSpec([None, 784], "float32"), InputSpec([None], "int64")]
    )
    def trained(x, y):
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    for n in [*SIZES, 5000, 4097]:
        x = paddle.to_tensor(images(n))
        y = paddle.to_tensor(np.random.default_rng(n).integers(0, 10, n))
        expected = F.cross_entropy(reference(x), y)
        expected.backward()
        own.step()
        own.clear_grad()
        np.testing.assert_allclose(float(trained(x, y)), float(expected), rtol=1e-4)
    for a, b in zip(net.parameters(), reference.parameters(), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-3, atol=1e-5)
    # Sums over more rows are sums of blocks, which few rows would pay for.
    assert planned.count("trained") == 2


def test_a_model_that_was_saved_is_compiled_once(planned: list[str], tmp_path: Path) -> None:
    net = mlp()
    net.eval()
    path = str(tmp_path / "model")
    paddle.jit.save(net, path, input_spec=[InputSpec([None, 784], "float32")])
    loaded = paddle.jit.load(path)
    del planned[:]
    for n in SIZES:
        x = paddle.to_tensor(images(n))
        np.testing.assert_allclose(loaded(x).numpy(), net(x).numpy(), rtol=1e-4, atol=1e-5)
    assert len(planned) == 1


def test_a_static_program_is_compiled_once(planned: list[str]) -> None:
    main, startup = paddle.static.Program(), paddle.static.Program()
    paddle.enable_static()
    try:
        with paddle.static.program_guard(main, startup):
            x = paddle.static.data("x", [None, 784], "float32")
            weight = paddle.ones([784, 3]) * 0.01
            out = F.softmax(paddle.matmul(x, weight) * x.mean(axis=1, keepdim=True))
        executor = paddle.static.Executor()
        executor.run(startup)
        del planned[:]
        for n in SIZES:
            (found,) = executor.run(main, feed={"x": images(n)}, fetch_list=[out])
            np.testing.assert_allclose(found, np.full((n, 3), 1 / 3), rtol=1e-5)
    finally:
        paddle.disable_static()
    assert len(planned) == 1


def test_sizes_of_no_rows_are_planned_apart() -> None:
    net = mlp()
    converted = paddle.jit.to_static(net, input_spec=[InputSpec([None, 784], "float32")])
    for n in (4, 0, 5):
        assert converted(paddle.to_tensor(images(n))).shape == [n, 10]


def test_one_row_first_serves_many_rows_after(planned: list[str]) -> None:
    net = mlp()
    converted = paddle.jit.to_static(mlp(), input_spec=[InputSpec([None, 784], "float32")])
    for n in (1, 3000, 2):
        x = paddle.to_tensor(images(n))
        np.testing.assert_allclose(converted(x).numpy(), net(x).numpy(), rtol=1e-4, atol=1e-5)
    assert len(planned) == 1


def outer(x: Tensor, y: Tensor) -> Tensor:
    """A table of two sizes, and what it comes to in each direction."""
    table = x.unsqueeze(1) * y.unsqueeze(0)
    return F.softmax(table, axis=1).sum(axis=0), table.mean(), (table + x.unsqueeze(1)).max(axis=1)


def test_two_sizes_vary_apart(planned: list[str]) -> None:
    converted = paddle.jit.to_static(
        outer, input_spec=[InputSpec([None], "float32"), InputSpec([None], "float32")]
    )
    draw = np.random.default_rng(0)
    for n, m in ((7, 4), (4, 7), (1, 5), (5, 1), (30, 11), (2, 64), (6, 6)):
        x, y = (paddle.to_tensor(draw.random(k).astype(np.float32)) for k in (n, m))
        for found, wanted in zip(converted(x, y), outer(x, y), strict=True):
            np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-5)
    assert len(planned) == 1


def test_sizes_that_meet_where_they_were_equal_are_one_size() -> None:
    def added(x, y):
        return x + y

    converted = paddle.jit.to_static(
        added, input_spec=[InputSpec([None, 3], "float32"), InputSpec([None, 3], "float32")]
    )
    for n, m in ((5, 5), (6, 6), (1, 6), (6, 1), (1, 1)):
        found = converted(paddle.ones([n, 3]), paddle.ones([m, 3]))
        assert found.shape == [max(n, m), 3] and float(found.sum()) == 6 * max(n, m)
    with pytest.raises(ShapeError):
        converted(paddle.ones([4, 3]), paddle.ones([5, 3]))


def test_masks_of_dropout_have_the_size_of_the_batch() -> None:
    dropped = nn.Dropout(0.5)
    converted = paddle.jit.to_static(
        lambda x: dropped(x) * 1.0, input_spec=[InputSpec([None, 50], "float32")]
    )
    for n in (20, 1, 3, 64):
        found = converted(paddle.ones([n, 50])).numpy()
        assert found.shape == (n, 50) and set(np.unique(found)) <= {0.0, 2.0}


W = np.random.default_rng(0).standard_normal((6, 6)).astype(np.float32)
TABLE = np.random.default_rng(2).standard_normal((7, 6)).astype(np.float32)
# Each takes and gives [*,6].
STEPS: dict[str, Callable[[Tensor], Tensor]] = {
    "linear": lambda x: x @ paddle.to_tensor(W) + paddle.to_tensor(W[0]),
    "gelu": F.gelu,
    "softmax of rows": lambda x: F.softmax(x, axis=-1),
    "softmax of columns": lambda x: F.softmax(x, axis=0),
    "mean of columns": lambda x: x - x.mean(axis=0, keepdim=True),
    "mean": lambda x: x - x.mean(),
    "greatest of columns": lambda x: x - x.max(axis=0, keepdim=True),
    "variance": lambda x: x / (1 + x.var(axis=0, unbiased=False)),
    "doubled": lambda x: paddle.concat([x, x * 2], axis=0),
    "with six more": lambda x: paddle.concat([x, paddle.to_tensor(W)], axis=0),
    "first row last": lambda x: paddle.concat([x[1:], x[:1]], axis=0),
    "halves": lambda x: paddle.concat([x[: x.shape[0] // 2], x[x.shape[0] // 2 :] * 3], axis=0),
    "flipped": lambda x: paddle.flip(x, [0]),
    "rolled": lambda x: paddle.roll(x, 1, axis=0),
    "every other": lambda x: paddle.tile(x, [2, 1])[::2],
    "reshaped": lambda x: paddle.reshape(paddle.reshape(x, [-1, 3]) * 1.5, [-1, 6]),
    "transposed": lambda x: (x.t() * 0.5 + 1).t(),
    "of all pairs": lambda x: (x @ x.t()) @ x * 0.01,
    "differences": lambda x: (x.unsqueeze(0) - x.unsqueeze(1)).mean(axis=1),
    "layer norm": lambda x: F.layer_norm(x, [6]),
    "batch norm": lambda x: F.batch_norm(x, paddle.zeros([6]), paddle.ones([6]), training=True),
    "embedding": lambda x: F.embedding(paddle.argmax(x, axis=1), paddle.to_tensor(TABLE)) + x,
    "gathered": lambda x: paddle.gather(x, paddle.argmax(x, axis=0)),
    "stacked": lambda x: paddle.stack([x, x + 1], axis=1).reshape([-1, 6]),
    "sorted": lambda x: paddle.sort(x, axis=0),
    "cross-entropy": lambda x: x - F.cross_entropy(x, paddle.argmax(x, axis=1)),
    "divided by rows": lambda x: x / x.shape[0] + 1,
    "counted": lambda x: x + paddle.arange(x.shape[0]).astype("float32").unsqueeze(1) * 0.01,
    "lower triangle": lambda x: paddle.tril(x @ x.t()) @ x * 0.01,
    "convolution": lambda x: F.conv1d(
        x.unsqueeze(1), paddle.to_tensor(W[:1, :3]).reshape([1, 1, 3]), padding=1
    ).squeeze(1),
}


def program(names: list[str], with_gradient: bool) -> Callable[[Tensor], tuple[Tensor, ...]]:
    """Steps one after the other, and the gradient of the sum of squares."""
    steps = [STEPS[name] for name in names]

    def forward(x):
        for step in steps:
            x = step(x)
        return x

    def both(x):
        leaf = x * 1.0
        leaf.stop_gradient = False
        out = forward(leaf)
        (slope,) = paddle.grad((out * out).sum(), [leaf])
        return out, slope

    return both if with_gradient else lambda x: (forward(x),)


def agree(names: list[str], with_gradient: bool, sizes: list[int], seed: int) -> None:
    """Hold a program that is made for the first size against eager mode at all."""
    function = program(names, with_gradient)
    converted = paddle.jit.to_static(function, input_spec=[InputSpec([None, 6], "float32")])
    draw = np.random.default_rng(seed)
    for n in sizes:
        x = paddle.to_tensor(draw.standard_normal((n, 6)).astype(np.float32))
        for found, wanted in zip(converted(x), function(x), strict=True):
            scale = max(1.0, float(np.abs(wanted.numpy()).max()))
            np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=2e-3, atol=2e-3 * scale)


# A step alone takes one plan for these sizes, but where a slice of one row is empty.
FEW = [9, 2, 3, 14, 64, 37]


@pytest.mark.parametrize("name", STEPS)
def test_a_step_is_right_and_planned_once(name: str, planned: list[str]) -> None:
    agree([name], False, FEW, 0)
    assert len(planned) <= 2 and planned.count("<lambda>") + planned.count("forward") <= 2
    agree([name], False, [1, 2], 0)


@pytest.mark.parametrize("seed", range(30))
def test_random_steps_are_right_at_all_sizes(seed: int) -> None:
    draw = random.Random(seed)
    names = draw.choices(list(STEPS), k=draw.randint(2, 5))
    first = draw.choice([1, 2, 3, 5, 8, 16, 33])
    others = [draw.choice([1, 2, 3, 4, 7, 8, 16, 17, 32, 97, 128]) for _ in range(4)]
    agree(names, draw.random() < 0.5, [first, *others], seed)


SECOND = """
import sys
import numpy as np
from twinoar.backends.native import executable, outlines
import twinoar as paddle
if sys.argv[2:]:
    executable.compile_program = outlines.outlined = None
paddle.seed(0)
net = paddle.nn.Sequential(paddle.nn.Linear(784, 128), paddle.nn.ReLU(), paddle.nn.Linear(128, 10))
optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters())

@paddle.jit.to_static(input_spec=[
    paddle.static.InputSpec([None, 784], "float32"), paddle.static.InputSpec([None], "int64"),
])
def step(x, y):
    loss = paddle.nn.functional.cross_entropy(net(x), y)
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    return loss

for n in eval(sys.argv[1]):
    draw = np.random.default_rng(n)
    x, y = draw.random((n, 784)).astype("float32"), draw.integers(0, 10, n)
    print(n, float(step(paddle.to_tensor(x), paddle.to_tensor(y))).hex())
"""


def test_a_second_process_plans_for_no_other_batch_size(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(SECOND)

    def run(*given: str, cache: str = "cache") -> str:
        return subprocess.run(
            [sys.executable, script, *given],
            env={**os.environ, "TWINOAR_CACHE_DIR": str(tmp_path / cache)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    first = run("[32, 17, 5]")
    assert run("[32, 17, 5]", "known") == first and "0x" in first
    assert run("[9, 100]", "known").startswith("9 0x")


def looked_up(i: Tensor) -> Tensor:
    """Rows of a table."""
    return F.embedding(i, paddle.to_tensor(TABLE)) * 2.0


def test_an_index_outside_is_told_at_any_size(planned: list[str]) -> None:
    converted = paddle.jit.to_static(looked_up, input_spec=[InputSpec([None], "int64")])
    for n in (4, 9):
        assert converted(paddle.zeros([n], "int64")).shape == [n, 6]
        with pytest.raises(AxisError, match="7"):
            converted(paddle.full([n], 7, "int64"))
    assert planned == ["looked_up"]


def test_what_runs_is_explained_with_its_numbers() -> None:
    net = mlp()
    converted = paddle.jit.to_static(net, input_spec=[InputSpec([None, 784], "float32")])
    for n in (50, 60):
        converted(paddle.to_tensor(images(n)))
    (concrete,) = converted.forward.program_cache.concrete_programs()
    assert "loops 60 x 128" in concrete.explain() or "oneDNN" in concrete.explain()
    assert " N" not in concrete.explain().split("arena")[0].split("computes", 1)[1]


def test_what_users_add_sees_numbers(planned: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def flops(x, y, **attrs):
        seen.append(type(x.shape[0]))
        return 0

    monkeypatch.setitem(matmul.rules, "flops", flops)
    weight = paddle.ones([6, 2])
    converted = paddle.jit.to_static(
        lambda x: paddle.matmul(x, weight), input_spec=[InputSpec([None, 6], "float32")]
    )
    for n in (4, 5):
        assert converted(paddle.ones([n, 6])).numpy().tolist() == [[6.0, 6.0]] * n
    assert len(planned) == 2 and set(seen) == {int}
