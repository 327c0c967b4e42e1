"""Programs that are quantized beside Paddle's: trained, and calibrated, to equal numbers.

The form here is that of `onnx_format=False`. Paddle's default follows weights of `abs_max` by a
moving average too; and both of its forms round one side of a sum around a convolution, which is
asked for here by "elementwise_add" in `quantize_op_types`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar
from twinoar import static
from twinoar.static.quantization import PostTrainingQuantization, quant_aware

STEPS = 4
RATE = 0.05
CONFIG = {"onnx_format": False}

BUILD = """
x, label = static.data("x", [None, 1, 8, 8]), static.data("label", [None, 1], "int64")
h = static.nn.conv2d(x, 4, 3, act="relu")
h = static.nn.conv2d(h, 4, 3, padding=1)
y = static.nn.fc(nn.functional.max_pool2d(h, 2), 5)
loss = nn.functional.cross_entropy(y, label)
"""

TRAIN = """
from paddle import nn, static
from paddle.static.quantization import quant_aware
paddle.enable_static()
known = np.load(given["file"])
exec(given["build"])
paddle.optimizer.SGD(given["rate"]).minimize(loss)
executor = static.Executor()
executor.run(static.default_startup_program())
main = static.default_main_program()
for name in given["weights"]:
    static.global_scope().find_var(name).get_tensor().set(known[name], paddle.CPUPlace())
main = quant_aware(main, paddle.CPUPlace(), given["config"], return_program=True)
losses = []
for n in range(given["steps"]):
    feed = {"x": known["x"][n], "label": known["label"][n]}
    losses.append(np.array(executor.run(main, feed, [loss.name])[0]).item())
scope = static.global_scope()
found = {n: np.array(scope.find_var(n).get_tensor()) for n in (*given["weights"], "x@scale")}
np.savez(given["to"], losses=losses, **found)
answer(True)
"""


@pytest.mark.parametrize("kind", ["abs_max", "channel_wise_abs_max"])
def test_programs_are_trained_to_the_numbers_of_paddle(
    kind: str, paddle_2: Callable[..., object], tmp_path: Path
) -> None:
    config, random = {**CONFIG, "weight_quantize_type": kind}, np.random.default_rng(0)
    main, startup, scope = static.Program(), static.Program(), static.Scope()
    built = {"static": static, "nn": twinoar.nn}
    with static.program_guard(main, startup), twinoar.utils.unique_name.guard():
        exec(BUILD, built)
        twinoar.optimizer.SGD(RATE).minimize(built["loss"])
    executor = static.Executor()
    executor.run(startup, scope=scope)
    x = random.standard_normal((STEPS, 4, 1, 8, 8)).astype("f4")
    label = random.integers(0, 5, (STEPS, 4, 1))
    weights = {p.name: np.array(scope.find_var(p.name)) for p in main.all_parameters()}
    np.savez(tmp_path / "start.npz", x=x, label=label, **weights)
    paddle_2(
        TRAIN, file=tmp_path / "start.npz", build=BUILD, rate=RATE, config=config, steps=STEPS,
        weights=list(weights), to=tmp_path / "found.npz",
    )  # fmt: skip
    found = np.load(tmp_path / "found.npz")
    program = quant_aware(main, config=config, scope=scope)
    losses = [
        executor.run(program, {"x": x[n], "label": label[n]}, [built["loss"]], scope=scope)[0]
        for n in range(STEPS)
    ]
    np.testing.assert_allclose(losses, found["losses"], rtol=1e-5)
    for name in (*weights, "x@scale"):
        value = np.array(scope.find_var(name))
        np.testing.assert_allclose(value, found[name], rtol=1e-4, atol=1e-5, err_msg=name)


CALIBRATE = """
from paddle import static
from paddle.static.quantization import PostTrainingQuantization
paddle.enable_static()
known = np.load(given["file"])["x"]
class Images(paddle.io.Dataset):
    def __len__(self): return len(known)
    def __getitem__(self, n): return (known[n],)
x = static.data("x", [None, 1, 8, 8])
loader = paddle.io.DataLoader(Images(), feed_list=[x], batch_size=8, return_list=False,
                              places=paddle.CPUPlace())
executor, found = static.Executor(), {}
for algo in given["algos"]:
    ptq = PostTrainingQuantization(executor, given["folder"], model_filename="model.pdmodel",
        params_filename="model.pdiparams", data_loader=loader, batch_size=8, algo=algo,
        quantizable_op_type=["conv2d", "mul"], onnx_format=True)
    program = ptq.quantize()
    scale = static.global_scope().find_var("x@scale").get_tensor()
    (y,) = executor.run(program, {"x": known[:8]}, ptq._fetch_list)
    found[algo] = [np.array(scale).item(), y.tolist()]
answer(found)
"""


def test_paddle_quantizes_what_we_have_saved_and_finds_our_scales(
    paddle_2: Callable[..., Any], tmp_path: Path
) -> None:
    """By the algorithms that are the same; others of these names differ in how they search."""
    main, startup, scope = static.Program(), static.Program(), static.Scope()
    built: dict[str, Any] = {"static": static, "nn": twinoar.nn}
    executor, algos = static.Executor(), ["abs_max", "avg"]
    with static.program_guard(main, startup), static.scope_guard(scope):
        exec(BUILD, built)
        executor.run(startup)
        static.save_inference_model(tmp_path / "model", [built["x"]], [built["y"]])
    x = np.random.default_rng(0).standard_normal((32, 1, 8, 8)).astype("f4")
    np.savez(tmp_path / "x.npz", x=x)
    found = paddle_2(CALIBRATE, file=tmp_path / "x.npz", folder=tmp_path, algos=algos)
    for algo in algos:
        scope = static.Scope()
        ptq = PostTrainingQuantization(
            executor, str(tmp_path / "model"), scope, data_loader=list(x.reshape(4, 8, 1, 8, 8)),
            algo=algo,
        )  # fmt: skip
        program = ptq.quantize()
        (y,) = executor.run(program, {"x": x[:8]}, program.main.outputs, scope=scope)
        scale, expected = found[algo]
        assert np.array(scope.find_var("x@scale")).item() == pytest.approx(scale, rel=1e-6)
        np.testing.assert_allclose(y, expected, rtol=0, atol=1e-5 * np.ptp(expected))
