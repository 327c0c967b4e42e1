"""Slices that walk backwards, in a file: no version of Paddle could take them for another."""

import numpy as np
import pytest

import twinoar
from twinoar.backends.numpy import compile_numpy
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.formats.paddle.program_read import read_program
from twinoar.formats.paddle.program_write import write_inference_program
from twinoar.ops.shape.slice import strided_slice_op
from twinoar.passes.pipeline import lower

INDICES = [
    np.s_[::-1], np.s_[3::-1], np.s_[:1:-2], np.s_[::-1, -2::-1], np.s_[0::-1, 0::-1],
    np.s_[-1:-3:-1, 1], np.s_[1::2, ::-2],
]  # fmt: skip


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_a_backward_slice_is_a_forward_one_of_what_is_flipped(index):
    x = np.arange(20, dtype="float32").reshape(5, 4)
    program = trace(lambda x: x[index], Spec((5, 4)))
    again = read_program(write_inference_program(program)[0], "m.pdmodel")
    assert all(k > 0 for o in again.main.ops for k in o.attrs.get("strides", ()))
    executable = compile_numpy(lower(again))
    ((found,), _) = executable.run({again.main.inputs[0].name: x}, {})
    np.testing.assert_array_equal(found, x[index])


def test_an_end_of_minus_one_is_the_beginning_as_paddle_2_writes_it():
    x = twinoar.arange(5)
    read = strided_slice_op.rules["desc"].read
    found = read({"Input": [x]}, {"axes": [0], "starts": [-1], "ends": [-1], "strides": [-2]})
    assert found.tolist() == [4, 2, 0]
