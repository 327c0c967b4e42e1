"""How a Program stands in a file: operators, numbers, sizes, constants, updates and blocks."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar
from twinoar.backends.numpy import compile_numpy
from twinoar.core.dim import symbol
from twinoar.core.dtype import float32, float64, int64
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder, trace
from twinoar.core.ir.program import Program
from twinoar.core.spec import Spec
from twinoar.errors import UnsupportedError
from twinoar.formats.paddle import schema
from twinoar.formats.paddle.attribute import attribute_value
from twinoar.formats.paddle.program_read import read_program
from twinoar.formats.paddle.program_write import write_inference_program, write_program
from twinoar.ops.control.branch_and_loop import cond, while_loop
from twinoar.ops.control.host import host_call, register_function
from twinoar.ops.optimizer.momentum import momentum
from twinoar.passes.pipeline import lower
from twinoar.static.scope import Scope

N = symbol("N")


def desc_of(data: bytes):
    return schema.read_program(data, "x")


def lines(data: bytes, block: int = 0) -> list[str]:
    """`X=x -> Out=y` of each operator, but for feeds and fetches."""
    ops = desc_of(data).blocks[block].ops
    return [line(op) for op in ops if op.type not in ("feed", "fetch")]


def line(op) -> str:
    sides = (
        " ".join(f"{s.parameter}={','.join(s.arguments)}" for s in x)
        for x in (op.inputs, op.outputs)
    )
    return f"{op.type}({' -> '.join(sides)})"


def attrs_of(data: bytes, kind: str) -> dict:
    """The attributes of the first operator of a type, without the role that each has."""
    op = next(op for op in desc_of(data).blocks[0].ops if op.type == kind)
    return {a.name: attribute_value(a) for a in op.attrs if a.name != "op_role"}


def run_again(program: Program, data: bytes, states: list, *arrays: np.ndarray) -> list[np.ndarray]:
    again = read_program(data, "x")
    values = {s.name: np.asarray(Scope().read(s)) for s in states}
    feeds = {v.name: a for v, a in zip(program.main.inputs, arrays, strict=True)}
    feeds = {v.name: feeds[v.name] for v in again.main.inputs}
    return compile_numpy(lower(again)).run(feeds, values)[0]


def test_a_number_beside_a_tensor_is_a_scale() -> None:
    data = write_inference_program(trace(lambda x: 3.0 - x, Spec((2,))))[0]
    assert lines(data)[0].startswith("scale(X=x -> Out=")
    assert attrs_of(data, "scale") == {"bias": 3.0, "bias_after_scale": True, "scale": -1.0}


def test_a_number_that_float32_does_not_hold_is_a_variable() -> None:
    data = write_inference_program(trace(lambda x: x * 0.1, Spec((2,), float64)))[0]
    assert attrs_of(data, "fill_constant")["str_value"] == "0.1"
    assert attrs_of(data, "fill_constant")["dtype"] == schema.CODE_OF_DTYPE["float64"]


def test_operators_of_inference_say_their_role() -> None:
    """Paddle's own passes, such as those that quantize, refuse models without."""
    data = write_inference_program(trace(lambda x: x + x, Spec((2,))))[0]
    roles = [{a.name: attribute_value(a) for a in op.attrs} for op in desc_of(data).blocks[0].ops]
    assert {found.get("op_role") for found in roles} == {0}


def test_feeds_and_fetches_have_columns() -> None:
    data = write_inference_program(trace(lambda x, y: (x + y, x - y), Spec((2,)), Spec((2,))))[0]
    ops = desc_of(data).blocks[0].ops
    found = [
        (op.type, op.attrs[0].i, op.outputs[0].arguments[0]) for op in ops if op.type == "feed"
    ]
    assert found == [("feed", 1, "y"), ("feed", 0, "x")]
    fetched = [(op.attrs[0].i, op.inputs[0].arguments[0]) for op in ops if op.type == "fetch"]
    assert fetched == [(0, "save_infer_model/scale_0.tmp_0"), (1, "save_infer_model/scale_1.tmp_0")]
    checked = {v.name for v in desc_of(data).blocks[0].vars if v.need_check_feed}
    assert checked == {"x", "y"}


def test_a_size_that_only_the_run_knows_is_a_tensor() -> None:
    program = trace(lambda x: twinoar.zeros([x.shape[0] * 2, 3]) + 1.0, Spec((N, 4)))
    data, states = write_inference_program(program)
    (fill,) = [
        op for op in desc_of(data).blocks[0].ops if op.type == "fill_constant" and len(op.inputs)
    ]
    slots = {s.parameter: list(s.arguments) for s in fill.inputs}
    assert len(slots["ShapeTensorList"]) == 2
    assert attrs_of(data, "shape") == {}
    (found,) = run_again(program, data, states, np.zeros((5, 4), "f4"))
    np.testing.assert_array_equal(found, np.ones((10, 3), "f4"))


def test_a_size_in_an_attribute_without_a_slot_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="must be known before the run"):
        write_inference_program(trace(lambda x: twinoar.roll(x, x.shape[0] // 2), Spec((N,))))


def test_small_constants_stand_in_the_program_and_large_ones_beside_it() -> None:
    small, large = np.arange(3, dtype="f4"), np.arange(4096, dtype="f4")
    program = trace(lambda x: x[:3] * small + (x * large).sum(), Spec((4096,)))
    data, states = write_inference_program(program)
    assert attrs_of(data, "assign_value")["fp32_values"] == [0.0, 1.0, 2.0]
    assert [s.spec.shape for s in states] == [(4096,)]
    x = np.linspace(0, 1, 4096, dtype="f4")
    (found,) = run_again(program, data, states, x)
    np.testing.assert_allclose(found, x[:3] * small + (x * large).sum(), rtol=1e-5)


@pytest.mark.parametrize(
    "dtype", ["float16", "bfloat16", "uint8", "int8", "int16", "bool", "int64"]
)
def test_a_constant_of_any_type_survives(dtype: str) -> None:
    value = np.asarray(twinoar.to_tensor([0, 1, 3], dtype))
    program = trace(lambda x: (twinoar.to_tensor(value), x), Spec((2,)))
    data, states = write_inference_program(program)
    found = run_again(program, data, states, np.zeros(2, "f4"))[0]
    assert found.dtype == value.dtype
    np.testing.assert_array_equal(found, value)


def stepping() -> Program:
    """w and v change by momentum, and the counter n grows."""
    program = Program()
    x = program.main.add_input(Spec((3,)), "x")
    w = program.add_state(Spec((3,)), "w", is_parameter=True, stop_gradient=False)
    v, n = program.add_state(Spec((3,)), "v"), program.add_state(Spec((), int64), "n")
    with using(Builder(program)):
        following = momentum(w, x, v, 0.1)
        program.update(w, following[0])
        program.update(v, following[1])
        program.update(n, n + 1)
    return program


def test_an_update_is_written_to_the_state_itself() -> None:
    data = write_program(stepping())
    step, grown, assigned = (t for t in lines(data) if not t.startswith("fill_constant"))
    assert "Param=w" in step and "ParamOut=w" in step and "VelocityOut=v" in step
    assert grown.startswith("elementwise_add(X=n")  # it reads n and may not change it
    assert assigned.startswith("assign(X=") and assigned.endswith("Out=n)")
    again = read_program(data, "x")
    assert {s.name for s in again.updates} == {"w", "v", "n"}
    assert again.states["w"].trainable and not again.states["v"].is_parameter


def test_states_that_change_places_do_so() -> None:
    program = Program()
    a, b = program.add_state(Spec((2,)), "a"), program.add_state(Spec((2,)), "b")
    program.update(a, b)
    program.update(b, a)
    again = read_program(write_program(program), "x")
    values = {"a": np.zeros(2, "f4"), "b": np.ones(2, "f4")}
    following = compile_numpy(lower(again)).run({}, values)[1]
    np.testing.assert_array_equal(following["a"], values["b"])
    np.testing.assert_array_equal(following["b"], values["a"])


def test_an_operator_without_a_form_names_the_user_line() -> None:
    program = trace(lambda x: host_call([x], register_function(np.sort), (Spec((2,)),)), Spec((2,)))
    with pytest.raises(UnsupportedError, match="py_func has no form") as caught:
        write_inference_program(program)
    assert "test_program_write.py" in str(caught.value)


def test_branches_are_conditional_blocks_that_a_select_merges() -> None:
    def f(x, w):
        return cond(twinoar.sum(x) > 0.0, lambda: (x * w, x), lambda: (x - 1.0, w))

    program = trace(f, Spec((2,)), Spec((2,)))
    data = write_inference_program(program)[0]
    kinds = [text.partition("(")[0] for text in lines(data)]
    assert [k for k in kinds if k not in ("reduce_sum", "fill_constant", "greater_than")][:6] == [
        "conditional_block",
        "logical_not",
        "conditional_block",
        "cast",
        "select_input",
        "select_input",
    ]
    assert [b.parent_idx for b in desc_of(data).blocks] == [-1, 0, 0]
    w = np.array([2, 3], "f4")
    for x in (np.array([1, 2], "f4"), np.array([-1, -2], "f4")):
        expected = (x * w, x) if x.sum() > 0 else (x - 1, w)
        for a, b in zip(run_again(program, data, [], x, w), expected, strict=True):
            np.testing.assert_array_equal(a, b)


def test_a_loop_whose_values_change_places_survives() -> None:
    def f(i, x, y):
        return while_loop(lambda i, a, b: i < 3, lambda i, a, b: (i + 1, b, a), [i, x, y])

    program = trace(f, Spec((), int64), Spec((2,), float32), Spec((2,)))
    data = write_inference_program(program)[0]
    x, y = np.zeros(2, "f4"), np.ones(2, "f4")
    found = run_again(program, data, [], np.array(0), x, y)
    np.testing.assert_array_equal(found[1], y)
    np.testing.assert_array_equal(found[2], x)


def test_the_same_program_gives_the_same_bytes() -> None:
    program = stepping()
    assert write_program(program) == write_program(program) == write_program(stepping())
