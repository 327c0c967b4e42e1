"""Training programs that the real Paddle wrote, gradients and updates included, train here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import twinoar
from twinoar import static
from twinoar.core.ir.verify import verify

WRITE = """
paddle.enable_static()
paddle.seed(1)
static, F = paddle.static, paddle.nn.functional
main, startup = static.Program(), static.Program()
with static.program_guard(main, startup):
    image = static.data("image", [6, 1, 10, 10], "float32")
    label = static.data("label", [6, 1], "int64")
    hidden = static.nn.batch_norm(static.nn.conv2d(image, 4, 3, padding=1, act="relu"))
    hidden = F.max_pool2d(hidden, 2, 2) + F.avg_pool2d(hidden * hidden, 2, 2)
    hidden = paddle.concat([hidden, F.gelu(hidden) * 0.5], axis=1).reshape([6, 8, 25])
    hidden = F.layer_norm(paddle.transpose(hidden, [0, 2, 1]), 8)
    hidden = F.softmax(paddle.matmul(hidden, hidden, transpose_y=True)).mean(axis=1)
    logits = static.nn.fc(paddle.tanh(static.nn.fc(hidden, 7)), 3)
    loss = F.cross_entropy(logits, label).mean()
    rule = getattr(paddle.optimizer, given["rule"])
    rule(0.05, weight_decay=0.01, grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0)).minimize(loss)
executor = static.Executor(paddle.CPUPlace())
executor.run(startup)
open(given["prefix"] + ".pdmodel", "wb").write(main.desc.serialize_to_string())
scope = static.global_scope()
states = {
    v.name: np.array(scope.find_var(v.name).get_tensor())
    for v in main.list_vars() if v.persistable and v.name not in ("feed", "fetch")
}
np.savez(given["prefix"] + ".npz", **states)
numbers = np.random.RandomState(0)
feed = {"image": numpy_of(numbers.rand(6, 1, 10, 10)), "label": numbers.randint(0, 3, (6, 1))}
np.savez(given["prefix"] + ".feed.npz", **feed)
losses = [float(executor.run(main, feed=feed, fetch_list=[loss])[0]) for _ in range(5)]
answer([loss.name, losses])
""".replace("numpy_of(numbers.rand(6, 1, 10, 10))", 'numbers.rand(6, 1, 10, 10).astype("float32")')


@pytest.mark.parametrize("rule", ["SGD", "Momentum", "Adam"])
def test_it_learns_as_paddle_does(paddle_2: Callable, tmp_path: Path, rule: str) -> None:
    prefix = tmp_path / "train"
    name, expected = paddle_2(WRITE, prefix=prefix, rule=rule)
    program = verify(twinoar.load(f"{prefix}.pdmodel"))
    feed = dict(np.load(f"{prefix}.feed.npz"))
    with static.scope_guard(static.Scope()):
        program.set_state_dict(dict(np.load(f"{prefix}.npz")))
        loss = program.variable(name)
        found = [static.Executor().run(program, feed, [loss])[0].item() for _ in range(5)]
    np.testing.assert_allclose(found, expected, rtol=2e-4)
    assert expected[-1] < expected[0]
    assert {o.role for o in program.main.ops} == {"forward", "backward", "optimize"}
