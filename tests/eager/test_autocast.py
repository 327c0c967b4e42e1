"""An autocast of a Policy is asked where operands are promoted, eagerly and in Programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.core.interpreter import current, under
from twinoar.core.values import Value
from twinoar.errors import ArgumentError


@dataclass(frozen=True)
class Lowering:
    """Casts the operands of some operators to float16."""

    names: frozenset[str]

    def cast(self, op: Any, operands: tuple[Any, ...]) -> tuple[Any, ...]:
        assert current().policy.autocast is None
        if op.name not in self.names:
            return operands
        return tuple(paddle.cast(x, "float16") if isinstance(x, Value) else x for x in operands)


def lowering(*names: str) -> Any:
    return under(autocast=Lowering(frozenset(names)))


def test_operands_are_cast_before_they_are_promoted() -> None:
    x = paddle.ones([2])
    with lowering("add"):
        y, z = x + x, x * x
    assert (y.dtype, z.dtype) == (paddle.float16, paddle.float32)
    assert (x + x).dtype == paddle.float32


def test_a_composite_is_cast_as_a_whole_and_its_body_not() -> None:
    x, layer = paddle.ones([2, 3]), nn.Linear(3, 3)
    with lowering("linear", "add", "matmul"):
        assert paddle.nn.functional.linear(x, layer.weight, layer.bias).dtype == paddle.float16
    with lowering("matmul", "add", "multiply", "divide", "exp"):
        y = nn.functional.gelu(x)
        z = paddle.jit.to_static(nn.functional.gelu)(x)
    assert (y.dtype, z.dtype) == (paddle.float32, paddle.float32)


def test_the_gradient_has_the_dtype_of_the_leaf_and_is_computed_as_it_is() -> None:
    x = paddle.ones([2])
    x.stop_gradient = False
    with lowering("multiply", "add", "sum"):
        (x * 3.0).sum().backward()
    assert (x.grad.dtype, x.grad.tolist()) == (paddle.float32, [3.0, 3.0])


def test_a_program_has_the_casts() -> None:
    program = paddle.static.Program()
    with paddle.static.program_guard(program):
        x = paddle.static.data("x", [2])
        with lowering("add"):
            y = x + x
    assert y.dtype == paddle.float16
    assert [o.op.name for o in program.main.ops] == ["cast", "cast", "add"]


def test_a_converted_function_is_traced_anew_for_another_autocast_alone() -> None:
    converted = paddle.jit.to_static(lambda x: x + x)
    x = paddle.ones([2])
    found = []
    for names in ((), ("add",), ("add",), ("multiply",)):
        with lowering(*names):
            found.append(converted(x).dtype.name)
    assert found == ["float32", "float16", "float16", "float32"]
    assert len(converted.why_recompiled()) == 2
    assert "autocast" in str(converted.why_recompiled()[0])


def test_an_error_of_the_cast_names_the_operator() -> None:
    class Failing:
        def cast(self, op: Any, operands: Any) -> Any:
            raise ArgumentError("no such precision")

    x = paddle.ones([2])
    with under(autocast=Failing()), pytest.raises(ArgumentError, match="add: no such precision"):
        x + x
