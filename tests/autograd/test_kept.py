"""What is derived from nested blocks is built once, and again where a block was changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from twinoar import sin, tanh
from twinoar.autograd.backprop import backprop, vjp
from twinoar.core.dtype import float64
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder, trace
from twinoar.core.ir.program import Program, copy_block
from twinoar.core.spec import Spec
from twinoar.ops.control.branch_and_loop import cond, while_loop
from twinoar.ops.math.fill import zeros_of
from twinoar.passes.decompose import decompose

X = Spec((2,), float64)


def nested_branches(x: Any, depth: int) -> Any:
    if not depth:
        return x * x
    return cond(x.sum() > depth, lambda: nested_branches(x * x, depth - 1), lambda: sin(x))


def nested_loops(x: Any, depth: int) -> Any:
    if not depth:
        return x * x
    zero = x.sum() * 0.0
    _, out = while_loop(
        lambda i, x: i < 2, lambda i, x: (i + 1, nested_loops(sin(x), depth - 1)), [zero, x]
    )
    return out


def calls_to_differentiate(
    monkeypatch: pytest.MonkeyPatch, function: Callable, depth: int, times: int
) -> int:
    """How many operators are called to build the gradient, or that of it, and to expand it."""
    program = Program()
    x = program.main.add_input(X, "x", stop_gradient=False)
    calls = []
    append = Builder.apply

    def counted(self, op, operands, attrs):
        calls.append(op)
        return append(self, op, operands, attrs)

    with using(Builder(program)):
        out = function(x, depth)
        monkeypatch.setattr(Builder, "apply", counted)
        for _ in range(times):
            grads = {out: zeros_of(out.spec) + 1.0}
            out = backprop(list(reversed(program.main.ops)), grads)[x]
    program.main.outputs = [out]
    decompose(program)
    monkeypatch.undo()
    return len(calls)


@pytest.mark.parametrize(
    ("function", "depth", "times"),
    [(nested_branches, 3, 1), (nested_branches, 2, 2), (nested_loops, 2, 1)],
)
def test_cost_of_a_gradient_grows_with_the_depth_as_a_power(monkeypatch, function, depth, times):
    one, two, four = (
        calls_to_differentiate(monkeypatch, function, n * depth, times) for n in (1, 2, 4)
    )
    assert four / two < 1.5 * two / one  # that doubles with each level would square the quotient


def test_gradient_block_is_built_once():
    block = trace(lambda x: tanh(x) * x, X).main
    assert vjp(block) is vjp(block)


def test_gradient_block_of_a_changed_block_is_another():
    block = trace(lambda x: (sin(x), tanh(x)), X).main
    both = vjp(block)
    block.outputs = block.outputs[:1]
    assert [o.op.name for o in vjp(block).ops] != [o.op.name for o in both.ops]


def test_a_copy_of_a_block_has_a_gradient_block_of_its_own():
    block = trace(lambda x: tanh(x) * x, X).main
    assert vjp(copy_block(block, block.names, {})) is not vjp(block)
