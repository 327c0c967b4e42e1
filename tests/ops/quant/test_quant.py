"""Operators that quantize: roundings, gradients, states, and that they compile whole."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar
from twinoar import jit
from twinoar.core.op.definition import registry
from twinoar.ops.quant.linear import dequantize_linear, quantize_linear
from twinoar.ops.quant.moving_average import (
    fake_quantize_dequantize_moving_average_abs_max,
    fake_quantize_range_abs_max,
)
from twinoar.ops.quant.quantize import fake_quantize_abs_max
from twinoar.ops.quant.quantize_dequantize import fake_channel_wise_quantize_dequantize_abs_max

HALVES = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 127.0], np.float32)


def tensor(*numbers: float, stop_gradient: bool = True) -> twinoar.Tensor:
    return twinoar.to_tensor(np.array(numbers, np.float32), stop_gradient=stop_gradient)


@pytest.mark.parametrize(
    ("round_type", "expected"), [(0, [0, 2, 2, 0, -2, 127]), (1, [1, 2, 3, -1, -2, 127])]
)
def test_halves_go_to_even_numbers_or_away_from_zero(round_type: int, expected: list) -> None:
    found, _ = fake_quantize_abs_max(tensor(*HALVES), 8, round_type)
    assert found.tolist() == expected


def test_away_from_zero_is_exact_below_a_half() -> None:
    below = float(np.nextafter(np.float32(0.5), np.float32(0)))
    assert fake_quantize_abs_max(tensor(below, 127.0))[0].tolist() == [0.0, 127.0]


def test_zeros_have_the_scale_zero_and_stay_zeros() -> None:
    out, scale = fake_quantize_abs_max(twinoar.zeros([3]))
    assert out.tolist() == [0, 0, 0] and scale.tolist() == [0]


def test_a_gradient_passes_straight_through_also_where_values_are_cut_off() -> None:
    x = tensor(0.3, -9.0, stop_gradient=False)
    out = fake_quantize_dequantize_moving_average_abs_max(x, tensor(1.0), is_test=True)
    assert out.tolist()[1] == -1.0
    assert twinoar.grad((out * tensor(2.0, 3.0)).sum(), x)[0].tolist() == [2.0, 3.0]


def test_the_gradients_of_quantizing_and_dequantizing_are_inverse() -> None:
    x, scale, zero = tensor(0.3, -0.2, stop_gradient=False), tensor(0.7), tensor(0.0)
    out = dequantize_linear(quantize_linear(x, scale, zero), scale, zero)
    assert twinoar.grad(out.sum(), x)[0].tolist() == pytest.approx([1.0, 1.0])


def test_channels_have_scales_of_their_own() -> None:
    x = np.random.default_rng(0).standard_normal((3, 4, 2)).astype("f4")
    x[:, 1] *= 100
    out, scale = fake_channel_wise_quantize_dequantize_abs_max(twinoar.to_tensor(x), 8, 1)
    np.testing.assert_array_equal(scale.numpy(), np.abs(x).max((0, 2)))
    step = np.abs(x).max((0, 2), keepdims=True) / 127
    assert (np.abs(out.numpy() - x) <= step / 2 + 1e-6).all()


def test_the_window_forgets_a_scale_that_has_left_it() -> None:
    x, scale, scales = tensor(1.0), tensor(0.0), twinoar.zeros([2])
    found = []
    for step, size in enumerate([5.0, 1.0, 2.0, 1.0, 1.0]):
        count = twinoar.to_tensor([step])
        _, scale, scales = fake_quantize_range_abs_max(x * size, scale, count, scales, 2)
        found.append(scale.item())
    assert found == [5.0, 5.0, 2.0, 2.0, 1.0]


def test_integers_of_8_bits_are_dequantized_as_floats_are() -> None:
    q = np.array([[3, -128], [127, 5]], "int8")
    scale, zeros = tensor(1.0, 2.0), tensor(0.0, 0.0)
    given = [dequantize_linear(twinoar.to_tensor(a), scale, zeros, 1) for a in (q, q.astype("f4"))]
    assert given[0].dtype == twinoar.float32 and given[0].tolist() == given[1].tolist()


QUANTIZED = [
    name
    for name, op in registry.items()
    if op.__module__.startswith("twinoar.ops.quant") and "desc" in op.rules
]


@pytest.mark.parametrize("name", QUANTIZED)
def test_the_operator_compiles_whole(name: str) -> None:
    x, one = tensor(1.0, -2.0), tensor(2.0)
    states = {
        "scale": one, "accum": one, "state": one, "zero_point": one, "scales": tensor(2.0, 1.0),
        "step": twinoar.to_tensor([1]), "window_size": 2, "max_range": 127.0,
    }  # fmt: skip
    op = registry[name]
    known = {*(o.name for o in op.operands), *op.attrs}
    given = {key: value for key, value in states.items() if key in known}
    if name == "fake_channel_wise_dequantize_max_abs":
        given["scales"] = [given["scales"]]
    function = jit.to_static(lambda x: op(x, **given))
    function(x)
    assert "host commands: 0" in function.explain()
