"""Branches and loops are quantized as everything else: by data, in training, by weights alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar
from tests.static.quantization.blocks import (
    STEPS,
    TYPES,
    Detector,
    share_off,
    types_inside,
    windows,
)
from twinoar import nn, passes, static
from twinoar.backends.choice import make_executable
from twinoar.backends.numpy import compile_numpy
from twinoar.core.ir.program import copy_program
from twinoar.errors import ArgumentError, ProgramError
from twinoar.passes.pipeline import lower
from twinoar.slim.quant import quant_post_dynamic
from twinoar.static.quantization import PostTrainingQuantizationProgram, convert, quant_aware

KINDS = ("while", "over_time", "nested")
# Linear layers in blocks: one in each branch and two in the loop, and one more in its own branch.
PRODUCTS = {"while": 4, "over_time": 4, "nested": 5}
kinds = pytest.mark.parametrize("kind", KINDS)


def in_file(kind: str) -> int:
    """Products in blocks of a file: loops of a known number of times are written out there."""
    return 2 if kind == "over_time" else PRODUCTS[kind]


def calibrated(detector: Detector, data: Any = None, **given: Any) -> Any:
    batches = [[b["x"]] for b in detector.batches()] if data is None else data
    given = {"algo": "abs_max", "quantizable_op_type": TYPES, **given}
    return PostTrainingQuantizationProgram(
        detector.executor,
        detector.test,
        [detector.x],
        [detector.y],
        detector.scope,
        data_loader=batches,
        **given,
    )


def saved(detector: Detector, folder: Path, program: Any = None) -> Path:
    """The Program in a file."""
    with static.scope_guard(detector.scope):
        static.save_inference_model(
            folder / "model", [detector.x], [detector.y], program=program or detector.test
        )
    return folder


def loaded(folder: Path) -> Any:
    return twinoar.jit.load(str(folder / "model"))


@kinds
@pytest.mark.parametrize("algo", ["abs_max", "KL", "mse"])
def test_by_data_the_network_is_near_that_of_floats(kind: str, algo: str) -> None:
    detector = Detector(kind)
    program = calibrated(detector, algo=algo).quantize()
    inside = types_inside(program)
    assert inside.count("quantize_linear") == PRODUCTS[kind]
    assert inside.count("dequantize_linear") == 2 * PRODUCTS[kind]
    for batch in detector.batches():
        found, expected = (detector.run(p, batch) for p in (program, detector.test))
        # A state goes through 8 bits six times.
        assert 0 < share_off(found, expected) < 0.06


@kinds
def test_files_have_the_same_integers_in_blocks(kind: str, tmp_path: Path) -> None:
    detector = Detector(kind)
    ptq = calibrated(detector)
    program = ptq.quantize()
    ptq.save_quantized_model(str(tmp_path))
    model = loaded(tmp_path)
    assert types_inside(model.program()).count("quantize_linear") == in_file(kind)
    states = model.program().states.values()
    assert [s.dtype.name for s in states].count("int8") == 7  # 4 in blocks, 3 outside
    for batch in detector.batches():
        x = twinoar.to_tensor(batch["x"])
        np.testing.assert_allclose(model(x), detector.run(program, batch), atol=1e-6)


@kinds
def test_blocks_multiply_integers_as_numpy_does(kind: str, tmp_path: Path) -> None:
    detector = Detector(kind)
    ptq = calibrated(detector)
    expected = [detector.run(ptq.quantize(), batch) for batch in detector.batches()]
    ptq.save_quantized_model(str(tmp_path))
    program = passes.for_inference(loaded(tmp_path).program())
    inside = types_inside(program)
    assert inside.count("integer_linear") == in_file(kind)
    assert not {"linear", "quantize_linear", "dequantize_linear", "divide"} & set(inside)
    states = [np.asarray(s.data) for s in program.states.values()]
    copies = [copy_program(program)[0] for _ in range(2)]
    native, oracle = make_executable(copies[0]), compile_numpy(lower(copies[1]))
    for batch, wanted in zip(detector.batches(), expected, strict=True):
        given = [batch["x"]], states
        found = [np.asarray(e.execute(*given)[0][0]) for e in (native, oracle)]
        np.testing.assert_allclose(*found, rtol=1e-5, atol=1e-6)
        # A sum in the middle between two integers may round the other way, by one of 255 steps.
        assert share_off(found[0], wanted) < 0.01


def test_scales_are_of_all_iterations() -> None:
    detector = Detector("over_time")
    program = calibrated(detector).quantize()
    kept = {n: np.array(detector.scope.find_var(n)) for n in program.states if "@scale" in n}
    rows = []
    for batch in detector.batches():
        fetched = [v.name for v in detector.test.main.variables() if "over_time_0" in v.name]
        (history,) = detector.executor.run(detector.test, batch, fetched[:1], scope=detector.scope)
        assert len(history) == STEPS + 1
        rows.append(np.abs(history[:-1]).max())
    assert any(scale.size == 1 and np.isclose(scale.item(), max(rows)) for scale in kept.values())


def test_a_branch_that_no_batch_takes_is_told() -> None:
    program, startup, scope = static.Program(), static.Program(), static.Scope()
    with static.program_guard(program, startup):
        x = static.data("x", [None, 4])
        first, second = nn.Linear(4, 4), nn.Linear(4, 4)
        y = static.nn.cond(x.mean() > 0, lambda: second(nn.functional.relu(first(x))), lambda: x)
    executor = static.Executor()
    executor.run(startup, scope=scope)
    data = [[np.full([2, 4], -1.0, "f4")]]
    ptq = PostTrainingQuantizationProgram(executor, program, [x], [y], scope, data_loader=data)
    with pytest.raises(ArgumentError, match=r"no batch has reached linear(.|\n)*skip_tensor_list"):
        ptq.quantize()


def test_values_in_blocks_that_are_not_finite_are_told() -> None:
    detector = Detector("while")
    bad = windows()
    bad[0, 0, 0, 0] = np.nan
    with pytest.raises(ArgumentError, match="finite"):
        calibrated(detector, [[bad]]).quantize()


def test_a_weight_that_loops_read_may_be_left_alone() -> None:
    detector = Detector("while")
    skipped = [detector.of_state.weight.name]
    program = calibrated(detector, skip_tensor_list=skipped).quantize()
    assert types_inside(program).count("quantize_linear") == PRODUCTS["while"] - 1
    assert detector.of_state.weight.name in program.states


def test_what_is_quantized_in_blocks_is_not_quantized_again() -> None:
    detector = Detector("while")
    detector.test = calibrated(detector).quantize()
    with pytest.raises(ArgumentError, match="quantized already"):
        calibrated(detector, quantizable_op_type=TYPES).quantize()


@kinds
def test_scales_in_blocks_follow_the_data_of_training(kind: str) -> None:
    detector = Detector(kind)
    program, test = trained(detector, steps=24)
    scales = [n for n in program.states if n.endswith("@scale")]
    assert len(scales) == PRODUCTS[kind] + 3
    for name in scales:
        assert 0.01 < np.array(detector.scope.find_var(name)).item() < 10, name
    fixed = convert(test, scope=detector.scope)
    assert types_inside(fixed).count("dequantize_linear") == 2 * PRODUCTS[kind]
    batch = detector.batches()[0]
    found, expected, floats = (detector.run(p, batch) for p in (fixed, test, detector.test))
    # What lies below the least of a scale becomes -128, in training -127.
    np.testing.assert_allclose(found, expected, atol=0.03 * np.abs(expected).max())
    # Scales are averages: single values beyond them are cut off, so the mean error is compared.
    assert np.abs(expected - floats).mean() < 0.05 * np.abs(floats).max()


def trained(detector: Detector, steps: int) -> tuple[Any, Any]:
    """The Programs to train and to test, after some steps."""
    config = {"quantize_op_types": list(TYPES)}
    test = quant_aware(detector.test, config=config, scope=detector.scope, for_test=True)
    program = quant_aware(detector.main, config=config, scope=detector.scope)
    with static.program_guard(program, detector.startup):
        twinoar.optimizer.SGD(0.1).minimize(program.variable(detector.loss.name))
    detector.executor.run(detector.startup, scope=detector.scope)
    batches = detector.batches()
    losses = [
        float(detector.run(program, batches[n % len(batches)], detector.loss)) for n in range(steps)
    ]
    assert np.mean(losses[-4:]) < np.mean(losses[:4])
    return program, test


@kinds
def test_gradients_in_blocks_are_those_of_rounded_values(kind: str) -> None:
    """With 16 bits they are nearly those of floats."""
    found = []
    for bits in (None, 16):
        detector = Detector(kind)
        program, batch = detector.main, detector.batches()[0]
        if bits:
            config = {"quantize_op_types": list(TYPES)}
            config |= {"weight_bits": bits, "activation_bits": bits}
            config |= {"activation_quantize_type": "abs_max"}
            program = quant_aware(program, config=config, scope=detector.scope)
        with static.program_guard(program, detector.startup):
            pairs = static.append_backward(program.variable(detector.loss.name))
        gradients = {p.name: g.name for p, g in pairs}
        wanted = [gradients[detector.of_row.weight.name], gradients[detector.of_state.weight.name]]
        found.append(detector.executor.run(program, batch, wanted, scope=detector.scope))
    for plain, rounded in zip(*found, strict=True):
        assert np.abs(plain).max() > 0
        assert share_off(rounded, plain) < 1e-3


def test_blocks_with_gradients_are_quantized_before_the_optimizer_comes() -> None:
    detector = Detector("while", optimizer=True)
    before = str(detector.main)
    with pytest.raises(ProgramError, match=r"before optimizer\.minimize"):
        quant_aware(detector.main, scope=detector.scope)
    assert str(detector.main) == before


@kinds
def test_weights_alone_are_integers_in_blocks(kind: str, tmp_path: Path) -> None:
    detector = Detector(kind)
    saved(detector, tmp_path / "floats")
    quant_post_dynamic(
        str(tmp_path / "floats"),
        str(tmp_path / "integers"),
        "model.pdmodel",
        quantizable_op_type=list(TYPES),
    )
    model = loaded(tmp_path / "integers")
    assert types_inside(model.program()).count("dequantize_linear") == in_file(kind)
    batch = detector.batches()[1]
    found = model(twinoar.to_tensor(batch["x"])).numpy()
    assert 0 < share_off(found, detector.run(detector.test, batch)) < 0.03
