"""Kernels that run few instructions are compiled in less time, and compute the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import twinoar as paddle
import twinoar.nn.functional as F
from twinoar.backends.choice import make_executable, may_compile
from twinoar.backends.llvm import jit
from twinoar.backends.llvm.target import BRIEF
from twinoar.core.dim import symbol
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.inspection.code import irs_of

pytestmark = pytest.mark.skipif(not may_compile(), reason="about compiled code")

FUNCTIONS: dict[str, Callable[[paddle.Tensor], paddle.Tensor]] = {
    "products and sums": lambda x: (x * 0.3 + x) * x - x * 0.7,
    "gelu": F.gelu,
    "tanh": lambda x: paddle.tanh(x) * x + x,
    "power": lambda x: x[0].abs() ** 1.7 + x[0],
    "greatest": lambda x: x.max(1) * 0.3 + 0.1,
    "place of the least": lambda x: x.argmin(0),
    "pool": lambda x: F.max_pool2d(x.reshape([1, 1, 4, 3]), 2, 1) * 0.1,
    "rows": lambda x: x[paddle.to_tensor([2, 0, 0])] * 0.1 + 0.2,
    "whole numbers": lambda x: (x * 9).astype("int32") // 2 + 1,
}
X = np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32)


def run(function: Callable, *feeds: np.ndarray, shape: list | None = None) -> tuple:
    """What a function gives compiled, and the LLVM IR of its kernels."""
    specs = [Spec(tuple(shape or x.shape)) for x in feeds]
    executable = make_executable(trace(function, *specs))
    (found, *_), _ = executable.execute(list(feeds), [])
    (form,) = executable.forms.values()
    return found, [ir for batch in form.compiled.batches for ir in irs_of(batch)]


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_they_give_the_bits_that_all_passes_give(
    function: Callable, request: pytest.FixtureRequest
) -> None:
    found, irs = run(function, X)
    request.getfixturevalue("all_passes")
    wanted, optimized = run(function, X)
    assert any(BRIEF in ir for ir in irs) and not any(BRIEF in ir for ir in optimized)
    assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("size", [4, 1 << 12])
def test_a_kernel_is_brief_by_the_instructions_that_it_runs(size: int) -> None:
    _, (ir,) = run(lambda x: x * 2.0 + 1.0, np.ones(size, np.float32))
    assert (BRIEF in ir) == (size == 4)
    assert (" x float>" in jit.optimized(ir)) == (size > 4)


def test_iterations_of_inner_loops_count() -> None:
    _, (ir,) = run(lambda x: (x * x).sum(1), np.ones([2, 1 << 12], np.float32))
    assert BRIEF not in ir


def test_a_kernel_of_any_size_is_not_brief() -> None:
    _, irs = run(lambda x: x * 2.0 + 1.0, np.ones(4, np.float32), shape=[symbol("N")])
    assert not any(BRIEF in ir for ir in irs)


def test_what_a_loop_repeats_is_not_brief() -> None:
    def function(x: paddle.Tensor) -> paddle.Tensor:
        return paddle.static.nn.while_loop(
            lambda x: x.sum() < 100.0, lambda x: [x * 2.0 + 1.0], [x]
        )[0]

    found, irs = run(function, np.ones(4, np.float32))
    assert irs and found.sum() >= 100
    assert not any(BRIEF in ir for ir in irs)
