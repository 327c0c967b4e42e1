"""Programs that we write run in the real Paddle, and its programs in ours, to equal results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import twinoar
import twinoar.nn.functional as functional
from tests.formats.paddle.test_program_desc import draws
from twinoar import nn, static
from twinoar.core.op.definition import registry
from twinoar.errors import UnsupportedError
from twinoar.formats.paddle import tensors
from twinoar.formats.paddle.pir.write import program_file
from twinoar.formats.paddle.program_write import write_inference_program
from twinoar.static.scope import Scope
from twinoar.testing.calls import arrays_of, build, execute
from twinoar.testing.sample import samples_of

SCRIPTS = Path(__file__).parent
Run = Callable[..., object]

RUN_SAMPLES = """
from pathlib import Path
sys.path.insert(0, given["scripts"])
import run_samples
answer(run_samples.differences(paddle, Path(given["folder"]), given["names"]))
"""

# In messages of Paddle 2 and 3 where there is no kernel for an element type.
NO_KERNEL = ("kernels_iter", "output_defs.size():0")


def lacks_kernel(problem: str) -> bool:
    """True for Paddle's message where there is no kernel for an element type."""
    return any(text in problem for text in NO_KERNEL)


def is_known(name: str, sample, problem: str) -> bool:
    """True where the real Paddle is not expected to compute what we compute."""
    op, arrays = name.rpartition("-")[0], arrays_of(sample)
    arguments = (*sample.args, *sample.kwargs.values())
    return (
        draws(registry[op])  # the random numbers are Paddle's own
        or any(a.size == 0 for a in arrays)  # its kernels want elements
        or any(isinstance(x, tuple) and 0 in x for x in arguments)
        or any(a.dtype.kind == "i" and (a < 0).any() for a in arrays)  # positions from the end
        or any(a.dtype.kind == "f" and not np.isfinite(a).all() for a in arrays)
        or any(a.dtype.kind == "V" for a in arrays)  # bfloat16 cannot be fed
        or (lacks_kernel(problem) and all(a.dtype != np.float32 for a in arrays))
    )


# Single samples that Paddle 2.6.2 does not run or runs otherwise, each with what it does.
EXCEPTIONS = {
    "pad_constant-3": "does not survive",
    "put_along_axis": "does not survive, or lacks the reduction",
    "view_dtype": "has no such operator in programs",
    "lu-3": "gives its code of success the shape [1]",
    "check_finite_and_unscale-1": "has no kernel for float16 on a CPU",
    "cumsum": "keeps int32",
    "digamma-4": "is nan at 0",
    "fake_quantize_range_abs_max": "keeps the window in the variable of its result",
    "dropout-4": "refuses a vector",
    "layer_norm-2": "wants vectors as weights",
    "layer_norm-5": "refuses to normalize all dimensions",
    "log_softmax-3": "takes large numbers for infinite",
    "maxout": "takes images alone, and two groups or more",
    "pad_constant-2": "does not pad by less than nothing",
    "segment_pool-10": "takes int32 and int64 alone",
    "sigmoid_cross_entropy_with_logits-1": "refuses numbers without dimensions",
    "einsum-2": "takes two operands alone",
    "einsum-3": "does not survive an equation without a result",
    "median": "has no such operator in programs",
    "nanmedian": "has no mode",
    "nll_loss-1": "takes matrices and images alone",
    "prelu-2": "knows NCHW and NHWC alone",
    "quantize_linear-6": "does not know floats of 8 bits",
    "quantize_linear-7": "does not know floats of 8 bits",
    "round-1": "rounds halves away from zero",
    "scaled_dot_product_attention-4": "draws its own random numbers",
    "slice-3": "refuses an end before the start",
    "split-1": "has no empty parts",
    "strided_slice-1": "counts the bounds of negative strides otherwise",
    "take_along_axis": "does not count from the end",
    "topk": "orders equal elements otherwise",
    "update_loss_scaling": "works in place alone: what does not change is not written",
}


def stored(folder: Path, name: str, program, arrays: list) -> None:
    data, states = write_inference_program(program)
    file, data = program_file(str(folder / name), data)
    Path(file).write_bytes(data)
    values = {s.name: np.asarray(Scope().read(s)) for s in states}
    if values:
        (folder / f"{name}.pdiparams").write_bytes(tensors.dump(values))
    feeds = {f"in_{v.name}": a for v, a in zip(program.main.inputs, arrays, strict=True)}
    results = {f"out_{i}": a for i, a in enumerate(execute(program, arrays))}
    np.savez(folder / f"{name}.npz", **feeds, **results)


def test_paddle_computes_what_each_operator_computes(paddle_2: Run, tmp_path: Path) -> None:
    samples = {}
    among_ranks = ".collective."  # of which Paddle wants two: tests/paddle/test_ranks.py
    for op in (op for op in registry.values() if among_ranks not in op.__module__):
        for i, sample in enumerate(samples_of(op) if "samples" in op.rules else ()):
            name = f"{op.name}-{i}"
            if sample.error is None:
                try:
                    stored(tmp_path, name, build(op, sample), arrays_of(sample))
                except UnsupportedError:
                    continue
                samples[name] = sample
    found = paddle_2(RUN_SAMPLES, scripts=SCRIPTS, folder=tmp_path, names=list(samples))
    unknown = {
        name: problem
        for name, problem in found.items()
        if not is_known(name, samples[name], problem)
        and name not in EXCEPTIONS
        and name.rpartition("-")[0] not in EXCEPTIONS
    }
    assert unknown == {}
    assert len(samples) - len(found) > 900


def saved_model(folder: Path) -> tuple[Path, np.ndarray, np.ndarray]:
    """A convolutional net with batch normalization, saved: its prefix, an input and the output."""
    main, startup = static.Program(), static.Program()
    with static.scope_guard(static.Scope()), static.program_guard(main, startup):
        x = static.data("image", [None, 1, 12, 12])
        hidden = nn.BatchNorm2D(4)(nn.Conv2D(1, 4, 3, padding=1)(x))
        hidden = functional.max_pool2d(functional.relu(hidden), 2, 2).flatten(1)
        hidden = functional.dropout(static.nn.fc(hidden, 10, activation="relu"), 0.5)
        out = functional.softmax(static.nn.fc(hidden, 3) * 2.0 - 1.0)
        executor = static.Executor()
        executor.run(startup)
        image = np.random.default_rng(0).standard_normal((2, 1, 12, 12)).astype("f4")
        (found,) = executor.run(main.clone(for_test=True), {"image": image}, [out])
        static.save_inference_model(folder / "net", [x], [out], executor, program=main)
    return folder / "net", image, found


LOAD_STATIC = """
paddle.enable_static()
executor = paddle.static.Executor(paddle.CPUPlace())
program, feeds, fetches = paddle.static.load_inference_model(given["prefix"], executor)
x = np.array(given["x"], "float32")
answer([feeds, executor.run(program, feed={feeds[0]: x}, fetch_list=fetches)[0].tolist()])
"""
LOAD_JIT = """
layer = paddle.jit.load(given["prefix"])
layer.eval()
answer([None, layer(paddle.to_tensor(np.array(given["x"], "float32"))).numpy().tolist()])
"""
PREDICT = """
from paddle import inference
config = inference.Config(given["prefix"] + ".pdmodel", given["prefix"] + ".pdiparams")
config.disable_gpu()
config.disable_glog_info()
predictor = inference.create_predictor(config)
(name,) = predictor.get_input_names()
x = np.array(given["x"], "float32")
predictor.get_input_handle(name).copy_from_cpu(x)
predictor.run()
out = predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu()
answer([[name], out.tolist()])
"""


@pytest.mark.parametrize(
    "code", [LOAD_STATIC, LOAD_JIT, PREDICT], ids=["static", "jit", "predictor"]
)
def test_paddle_2_runs_our_model(paddle_2: Run, tmp_path: Path, code: str) -> None:
    prefix, x, expected = saved_model(tmp_path)
    feeds, found = paddle_2(code, prefix=prefix, x=x.tolist())
    assert feeds in (None, ["image"])
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_paddle_3_predicts_with_our_model(paddle_3: Run, tmp_path: Path) -> None:
    prefix, x, expected = saved_model(tmp_path)
    found = paddle_3(PREDICT, prefix=prefix, x=x.tolist())[1]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def saved_control(folder: Path) -> tuple[Path, np.ndarray, np.ndarray]:
    """A loop, a branch and a shape that depend on the input, saved."""
    main, startup = static.Program(), static.Program()
    with static.scope_guard(static.Scope()), static.program_guard(main, startup):
        x = static.data("x", [None, 3])
        one = twinoar.create_parameter(
            [3], "float32", default_initializer=nn.initializer.Constant(1.0)
        )
        count = twinoar.full([], 0, "int64")

        def step(i, value):
            return [i + one.sum().astype("int64") // 3, value * 2.0]

        _, grown = static.nn.while_loop(lambda i, v: i < 3, step, [count, x])
        out = static.nn.cond(twinoar.sum(x) > 0.0, lambda: grown + one, lambda: grown - one)
        out = out * twinoar.ones([x.shape[0], 3])  # a size that only the run knows
        values = np.array([[1, 2, 3], [0, -1, 2]], "f4")
        executor = static.Executor()
        executor.run(startup)
        (found,) = executor.run(main, {"x": values}, [out])
        static.save_inference_model(folder / "control", x, out, program=main)
    return folder / "control", values, found


@pytest.mark.parametrize(
    "code", [LOAD_STATIC, LOAD_JIT, PREDICT], ids=["static", "jit", "predictor"]
)
def test_paddle_2_runs_our_control_flow(paddle_2: Run, tmp_path: Path, code: str) -> None:
    prefix, x, expected = saved_control(tmp_path)
    found = paddle_2(code, prefix=prefix, x=x.tolist())[1]
    np.testing.assert_array_equal(np.array(found, "f4"), expected)


SAVE = """
paddle.enable_static()
paddle.seed(1)
main, startup = paddle.static.Program(), paddle.static.Program()
with paddle.static.program_guard(main, startup):
    x = paddle.static.data("x", [None, 4, 6], "float32")
    hidden = paddle.static.nn.fc(x, 8, num_flatten_dims=2, activation="gelu")
    hidden = paddle.nn.functional.layer_norm(hidden, [8])
    hidden = hidden.reshape([-1, 32]).split(2, axis=1)
    out = paddle.concat([hidden[0] * 2 + 1, 3 - hidden[1]], axis=-1)
    out = paddle.nn.functional.softmax(paddle.static.nn.fc(out, 5))
executor = paddle.static.Executor()
executor.run(startup)
paddle.static.save_inference_model(given["prefix"], [x], [out], executor, program=main)
data = np.random.RandomState(0).rand(2, 4, 6).astype("float32")
(found,) = executor.run(main, feed={"x": data}, fetch_list=[out])
answer([data.tolist(), found.tolist()])
"""


def test_we_run_a_model_of_paddle_2(paddle_2: Run, tmp_path: Path) -> None:
    x, expected = paddle_2(SAVE, prefix=tmp_path / "net")
    with static.scope_guard(static.Scope()):
        program, feeds, fetches = static.load_inference_model(tmp_path / "net")
        (found,) = static.Executor().run(program, {feeds[0]: np.array(x, "f4")}, fetches)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
