"""Every operator's samples as a `.pdmodel`: written, read, and run to the same results."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from tests.samples import every_sample
from twinoar.backends.numpy import compile_numpy
from twinoar.core.ir.program import Program, copy_program
from twinoar.core.ir.verify import verify
from twinoar.core.op.definition import registry
from twinoar.errors import UnsupportedError
from twinoar.formats.paddle.program_desc import form_of, has_file_form, operators_by_type
from twinoar.formats.paddle.program_read import read_program
from twinoar.formats.paddle.program_write import write_inference_program
from twinoar.passes.pipeline import lower
from twinoar.static.scope import Scope
from twinoar.testing.calls import arrays_of, build, execute
from twinoar.testing.sample import samples_of

# Primitives that a file for inference cannot hold: parts of gradients, and what only this process
# knows. An operator is taken off this list as soon as Paddle's files can say it.
WITHOUT_FILE_FORM = {
    "adaptive_avg_pool2d_grad",
    "adaptive_avg_pool3d_grad",
    "affine_scan",
    "all_reduce_together",
    "avg_pool2d_grad",
    "avg_pool3d_grad",
    "begin_means",
    "bilinear_weights",
    "binomial_random",
    "bins",
    "chosen_counts",
    "chosen_elements",
    "chosen_positions",
    "classes_present",
    "conv2d_grad_weight",
    "conv3d_grad_weight",
    "copysign",
    "csr_mask",
    "ctc_slope",
    "derivative_of_digamma",
    "dropout_mask",
    "embedding_sum",
    "end_means",
    "expert_rows",
    "extent",
    "fractional_max_pool",
    "frexp",
    "from_int8",
    "gamma_random",
    "gamma_sensitivity",
    "gammainc",
    "gammaincc",
    "gather_pixels",
    "gcd",
    "head_position",
    "histogram",
    "histogram_bin_edges",
    "histogramdd",
    "integer_conv2d",
    "integer_linear",
    "join_rows",
    "kept_boxes",
    "lcm",
    "least_squares",
    "levels_of_regions",
    "lowered_scores",
    "matrix_exp",
    "max_pool2d_grad",
    "max_pool2d_select",
    "max_pool2d_with_position",
    "max_pool3d_grad",
    "max_pool3d_select",
    "max_pool3d_with_position",
    "merge_rows",
    "own_rows",
    "patch_sum",
    "patches",
    "pick_class",
    "place_class",
    "place_diagonal",
    "poisson_random",
    "pooled_rows",
    "put_rows",
    "py_func",
    "repeat_index",
    "rnnt_slope",
    "root_gather",
    "row_exchanges",
    "run_positions",
    "scatter_pixels",
    "send_receive",
    "sequence_bounds",
    "shift_left",
    "shift_right",
    "sign_and_log_det",
    "signbit",
    "split_key",
    "spread_regions",
    "standing_boxes",
    "straight_through",
    "sum_at",
    "sum_to_shape",
    "take_rows",
    "to_int8",
    "total_count",
    "unique_consecutive",
    "unslice",
    "viterbi_paths",
    "wait",
    "weighed_regions",
    "while_gradient",
    "while_second_gradient",
    "window_maxima",
}

SAMPLES = [
    pytest.param(op, sample, id=f"{op.name}-{i}")
    for op in registry.values()
    if "samples" in op.rules
    for i, sample in enumerate(samples_of(op))
    if sample.error is None
]


def run(program: Program, feeds: dict, states: list) -> list[np.ndarray]:
    lowered = lower(copy_program(program)[0])
    values = {s.name: np.asarray(Scope().read(s)) for s in states}
    executable = compile_numpy(lowered)
    live = {n: Scope().read(lowered.states[n]) for n in executable.state_names if n not in values}
    return executable.run(feeds, {**values, **live})[0]


def draws(op) -> bool:
    """True for operators with a key of random numbers, which a file does not hold."""
    names = {o.name for o in op.operands}
    if not has_file_form(op):  # its body stands in the file
        return "draw" in names
    return "key" in names - {*form_of(op).inputs.values()}


def test_the_list_of_operators_without_a_file_form_is_true() -> None:
    own = [op for op in registry.values() if op.__module__.startswith("twinoar.ops.")]
    found = {op.name for op in own if op.body is None and not has_file_form(op)}
    assert found == WITHOUT_FILE_FORM


@every_sample(SAMPLES)
def test_the_operator_survives_a_file(op, sample) -> None:
    program, arrays = build(op, sample), arrays_of(sample)
    try:
        data, states = write_inference_program(program)
    except UnsupportedError as error:
        assert op.name in WITHOUT_FILE_FORM or "form" in str(error)
        return
    again = verify(read_program(data, "x.pdmodel"))
    names = {v.name: a for v, a in zip(program.main.inputs, arrays, strict=True)}
    found = run(again, {v.name: names[v.name] for v in again.main.inputs}, states)
    for a, b in zip(execute(program, arrays), found, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        if not draws(op):
            same_type = a.dtype if a.dtype.kind in "biu" else np.complex128
            tolerance = max(sample.tolerance, 1e-5)
            np.testing.assert_allclose(
                a.astype(same_type), b.astype(same_type), rtol=tolerance, atol=tolerance
            )


@every_sample(SAMPLES[::17])
def test_equal_programs_give_equal_bytes(op, sample) -> None:
    program = build(op, sample)
    try:
        data = write_inference_program(program)[0]
    except UnsupportedError:
        return
    assert write_inference_program(program)[0] == data
    assert write_inference_program(build(op, sample))[0] == data


def test_a_form_that_comes_or_goes_is_known_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    relu = registry["relu"]
    assert relu in operators_by_type()["relu"]
    monkeypatch.delitem(registry, "relu")
    assert relu not in operators_by_type().get("relu", [])
    monkeypatch.undo()
    monkeypatch.setitem(relu.rules, "desc", replace(relu.rules["desc"], type="relu_of_a_test"))
    assert operators_by_type()["relu_of_a_test"] == [relu]


USUAL = """
import twinoar
from twinoar.core.op.definition import registry
from twinoar.formats.paddle.program_desc import operators_by_type

table = operators_by_type()
usual = {type: [*table[type]] for type in ("conv2d", "batch_norm", "pool2d", "relu", "softmax")}
few, known = len(registry.defined), dict(table._known)
assert all(known[type] == operators for type, operators in usual.items())
whole = {**operators_by_type()}
assert few < len(registry.defined)
print(*[type for type, operators in known.items() if whole[type] != operators])
"""


def test_no_type_has_operators_among_the_usual_ones_and_others() -> None:
    done = subprocess.run([sys.executable, "-c", USUAL], capture_output=True, text=True)
    assert (done.stdout.split(), done.stderr) == ([], "")
