"""Kernels write where what they read for the last time lies, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import twinoar as paddle
from twinoar.backends.host import host
from twinoar.backends.native import NativeExecutable
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program, Variable
from twinoar.core.spec import Spec

SIDE = 64  # of matrices, whose products a call makes, so that they lie somewhere
WEIGHT = np.random.default_rng(0).standard_normal((SIDE, SIDE)).astype(np.float32)


def overwritten(
    function: Callable[..., list[Variable]], dtype: str = "float32"
) -> list[tuple[str, str]]:
    """The operators of values whose memory is another's, each with that one's operator.

    What is computed is compared with eager mode, twice.
    """
    kind = paddle.to_tensor(np.zeros(1, dtype)).spec.dtype
    program = Program("matrices")
    x = program.main.add_input(Spec((SIDE, SIDE), kind), "x")
    weight = program.add_state(Spec((SIDE, SIDE), kind), "weight")
    with using(Builder(program)):
        program.main.outputs = list(function(x, weight))
    executable = NativeExecutable(program, host())
    given = [np.roll(WEIGHT, n).astype(dtype) for n in range(2)]
    for _ in range(2):
        for x in given:
            found, _ = executable.call([x], [given[0]])
            expected = function(paddle.to_tensor(x), paddle.to_tensor(given[0]))
            for a, b in zip(found, expected, strict=True):
                np.testing.assert_allclose(a, b.numpy(), rtol=1e-5, atol=1e-4)
    (form,) = executable.forms.values()
    first: dict[int, str] = {}
    pairs = []
    for storage, place in form.compiled.places.items():
        producer = storage.variable.producer
        name = "given" if producer is None else producer.op.name
        if place in first:
            pairs.append((name, first[place]))
        first.setdefault(place, name)
    return pairs


def test_what_follows_a_product_is_written_over_it() -> None:
    def chain(x, weight):
        return [paddle.matmul(paddle.clip(paddle.matmul(x, weight), -1.0, 1.0), weight)]

    assert overwritten(chain) == [("clip", "matmul")]


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(
            lambda x, w: [(p := paddle.matmul(x, w)) + 0.0, paddle.matmul(paddle.exp(p * 0.1), p)],
            id="read later",
        ),
        pytest.param(
            lambda x, w: [p := paddle.matmul(x, w), paddle.matmul(paddle.clip(p, -1.0, 1.0), w)],
            id="returned",
        ),
        pytest.param(
            lambda x, w: [paddle.matmul((p := paddle.matmul(x, w)) + p.T, w)],
            id="read elsewhere",
        ),
        pytest.param(
            lambda x, w: [paddle.matmul(paddle.clip(x, -1.0, 1.0), w)], id="an input of the user's"
        ),
        pytest.param(
            lambda x, w: [paddle.matmul(paddle.clip(paddle.matmul(w, w), -9.0, 9.0) + x, w)],
            id="follows from states",
        ),
    ],
)
def test_what_is_read_again_stays(function) -> None:
    assert overwritten(function) == []


def test_of_other_dtypes_nothing_is_overwritten() -> None:
    def cast(x, weight):
        clipped = paddle.clip(paddle.matmul(x, weight), -1.0, 1.0)
        return [paddle.matmul(clipped.astype("float64"), weight.astype("float64"))]

    assert overwritten(cast) == []
