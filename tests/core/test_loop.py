"""The loop language: what expressions become when they are made."""

from __future__ import annotations

import math

import numpy as np
import pytest

from twinoar.compile.evaluation import elements, reader_of
from twinoar.core.dtype import bfloat16, bool_, float32, float64, int32
from twinoar.core.loop import language as loop
from twinoar.core.loop.expression import Axis, Expr, axis_value, make
from twinoar.core.loop.language import Reader


def unknown(name: str, dtype) -> Expr:
    return make("var", (name,), dtype)


@pytest.mark.parametrize("shape", [(2, 3, 4), (24,), (4, 1, 6), (3, 8), (1, 24)])
def test_a_position_taken_apart_and_put_together_is_itself(shape):
    position = loop.flatten([axis_value(Axis(4)), axis_value(Axis(6))], (4, 6))
    assert loop.flatten(loop.unflatten(position, shape), shape) is position


def test_a_position_scaled_by_strides_is_put_together_too():
    x = axis_value(Axis(40))
    assert loop.mod(x, 5) * 2 + loop.floordiv(x, 5) * 10 + 3 is x * 2 + 3


def test_what_data_holds_may_wrap_and_is_left_as_it_is_written():
    x = unknown("x", loop.const(0).dtype)
    assert (x + 1).kind == "add"
    assert loop.lt(x, x + 1).value is None
    assert (x * 4 // 4) is not x


def test_sums_and_products_of_bool_are_or_and_and():
    x, y = unknown("x", bool_), unknown("y", bool_)
    assert [e.kind for e in (x + y, loop.max(x, y), x * y, loop.min(x, y))] == [
        "or", "or", "and", "and",
    ]  # fmt: skip
    kinds = [loop.reduce(kind, (3,), lambda k: k < 1).args[0] for kind in ("sum", "max", "prod")]
    assert kinds == ["any", "any", "all"]


def test_constants_are_rounded_to_their_dtype():
    assert loop.const(0.1, float64).value == 0.1
    assert loop.const(0.1, float32).value == float(np.float32(0.1))
    assert loop.cast(loop.cast(0.1, bfloat16), float32).value == 0.10009765625
    assert loop.const(1e39, float32).value == math.inf


def test_rounding_leaves_integers_as_they_are():
    x = unknown("x", int32)
    assert loop.floor(x) is x and loop.round(x) is x
    assert loop.isinf(x).value is False and loop.isfinite(x).value is True


def test_the_greater_of_two_positions_is_known_by_their_ranges():
    i = axis_value(Axis(4))
    assert loop.max(i, 0) is i and loop.min(i, 3) is i
    assert loop.clamped(i, 4) is i and loop.clamped(i + 1, 4) is not i + 1


@pytest.mark.parametrize("keepdim", [False, True])
@pytest.mark.parametrize("axes", [(0,), (1,), (0, 2), (0, 1, 2), ()])
def test_over_is_what_an_element_of_a_reduction_reduces(axes, keepdim):
    x = reader_of(np.arange(24.0).reshape(2, 3, 4))
    expected = np.arange(24.0).reshape(2, 3, 4).sum(axes, keepdims=keepdim)
    total = Reader(expected.shape, float64, lambda i: loop.sum(*x.over(i, axes, keepdim)))
    np.testing.assert_array_equal(elements(total), expected)


def test_an_operand_without_elements_is_padded_by_the_fill_alone():
    assert (
        reader_of(np.zeros((0, 2), np.float32)).padded((axis_value(Axis(3)), 0), 1.5).value == 1.5
    )


def test_a_number_is_its_own_element():
    assert loop.at(2.5, (axis_value(Axis(3)),)) == 2.5
