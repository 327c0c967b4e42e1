"""Each operator and gradient rule, run natively as eager mode does on large arrays of any order.

All of LLVM's passes are run for the first sample of an operator with each choice of dtypes; one for
the others, whose kernels differ from these in sizes and attributes.
"""

from __future__ import annotations

import sys

import numpy as np
import pytest

from tests.ops.test_ops import BAD, GOOD, SMOOTH
from tests.samples import every_sample
from twinoar import config
from twinoar.autograd import tape
from twinoar.backends import eager_kernels
from twinoar.backends.native import host, make_operation
from twinoar.backends.native.instance import address_of
from twinoar.core.dtype import float32
from twinoar.core.op.definition import registry
from twinoar.core.spec import Spec
from twinoar.eager import interpreter
from twinoar.ops.index.gather_nd import scatter_nd_add
from twinoar.ops.math.fill import zeros_of
from twinoar.testing.calls import arrays_of, gradients_eagerly, is_float, run_eagerly
from twinoar.testing.checks import agree


@pytest.fixture(autouse=True)
def every_size_is_large(monkeypatch):
    monkeypatch.setattr(eager_kernels, "AT_FIRST_SIGHT", sys.maxsize)
    monkeypatch.setattr(eager_kernels, "_limit", limit)
    monkeypatch.setattr(eager_kernels, "ONE_FUNCTION", 1)
    monkeypatch.setattr(interpreter, "LARGE", 1)
    monkeypatch.setattr(tape, "LARGE", 1)
    monkeypatch.setattr(interpreter.Eager, "kernels", eager_kernels.EagerKernels())


def limit(op) -> int:
    return 1 if registry.get(op.name) is op else sys.maxsize


def reordered(array: np.ndarray) -> np.ndarray:
    """The same array with its dimensions in another order in memory: images channels-last."""
    order = (0, 2, 3, 1) if array.ndim == 4 else tuple(reversed(range(array.ndim)))
    return array.transpose(order).copy().transpose(np.argsort(order).astype(int))


def first_of_dtypes(cases) -> tuple[list, list]:
    """The first sample of each operator for the dtypes of its operands; and the others."""
    seen, first, others = set(), [], []
    for case in cases:
        op, sample = case.values
        key = op.name, *(a.dtype for a in arrays_of(sample))
        (others if key in seen else first).append(case)
        seen.add(key)
    return first, others


FIRST_GOOD, OTHER_GOOD = first_of_dtypes(GOOD)
FIRST_SMOOTH, OTHER_SMOOTH = first_of_dtypes(SMOOTH)


def assert_results(op, sample) -> None:
    arrays = arrays_of(sample)
    with config.override(backend="numpy"):
        wanted = run_eagerly(op, sample, arrays)
    found = run_eagerly(op, sample, [reordered(a) for a in arrays])
    for a, b in zip(found, wanted, strict=True):
        if b is not None:
            agree(a, b, sample.tolerance)


def assert_gradients(op, sample) -> None:
    arrays = arrays_of(sample)
    generator = np.random.default_rng(0)
    with config.override(backend="numpy"):
        results = [a for a in run_eagerly(op, sample, arrays) if a is not None and is_float(a)]
        seeds = [generator.standard_normal(a.shape).astype(a.dtype) for a in results]
        wanted = gradients_eagerly(op, sample, arrays, seeds)
    found = gradients_eagerly(op, sample, [reordered(a) for a in arrays], seeds)
    for a, b in zip(found, wanted, strict=True):
        assert (a is None) == (b is None)
        if b is not None:
            agree(a, b, sample.tolerance)


@pytest.mark.usefixtures("all_passes")
@every_sample(FIRST_GOOD)
def test_results(op, sample) -> None:
    assert_results(op, sample)


@pytest.mark.usefixtures("one_pass")
@every_sample(OTHER_GOOD)
def test_results_of_other_samples(op, sample) -> None:
    assert_results(op, sample)


@pytest.mark.usefixtures("all_passes")
@every_sample(FIRST_SMOOTH)
def test_gradients(op, sample) -> None:
    assert_gradients(op, sample)


@pytest.mark.usefixtures("one_pass")
@every_sample(OTHER_SMOOTH)
def test_gradients_of_other_samples(op, sample) -> None:
    assert_gradients(op, sample)


@pytest.mark.usefixtures("one_pass")
@every_sample(BAD)
def test_errors_are_those_of_numpy_kernels(op, sample) -> None:
    def message() -> str:
        with pytest.raises(sample.error) as caught:
            run_eagerly(op, sample)
        return str(caught.value)

    found = message()
    with config.override(backend="numpy"):
        assert found == message()


def test_what_an_operation_computes_once_is_not_left_in_memory_that_others_use():
    def added(values, index):
        return scatter_nd_add(zeros_of(Spec((2, 8), float32)), index, values)

    values, index = np.ones((3, 8), np.float32), np.array([[0], [1], [1]])
    operation = make_operation(added, [values, index], {}, host())
    arena = operation.new_arena(operation.arena_bytes)
    bound = operation.bind(arena)
    for _ in range(2):
        (found,) = bound.run([values, index])
        assert found.tolist() == [[1.0] * 8, [2.0] * 8]
        arena[:] = 64


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((2, 3)),
        np.zeros((2, 3)).T,
        np.broadcast_to(1.0, (2, 3)),
        np.zeros(5)[3:],
        np.zeros(0),
    ],
    ids=["plain", "transposed", "read-only", "part", "empty"],
)
def test_the_address_is_that_of_the_array_interface(array):
    assert address_of(array) == array.__array_interface__["data"][0]
