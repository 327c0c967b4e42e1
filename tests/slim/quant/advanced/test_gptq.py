"""GPTQ rounds to the same numbers as to the nearest, and loses less of what the layer gives."""

from __future__ import annotations

import numpy as np
import pytest

from tests.slim.quant.planted import correlated, relative_error, tensor
from twinoar import nn
from twinoar.errors import ArgumentError
from twinoar.quantization.weight_grid import WeightGrid
from twinoar.slim.quant.advanced import GPTQ
from twinoar.slim.quant.advanced.gptq import gptq

RANDOM = np.random.default_rng(9)
INPUTS = correlated(RANDOM, 512, 64)
WEIGHT = RANDOM.normal(size=(64, 32))


def moments(inputs: np.ndarray) -> np.ndarray:
    return np.asarray(inputs.T @ inputs / len(inputs))


@pytest.mark.parametrize("by_size", [False, True])
@pytest.mark.parametrize("group", [-1, 16])
@pytest.mark.parametrize("bits", [3, 4])
def test_less_is_lost_than_by_the_nearest_numbers(bits: int, group: int, by_size: bool) -> None:
    grid = WeightGrid(bits, group)
    found = grid.values(*gptq(WEIGHT, moments(INPUTS), grid, 24, by_size=by_size))
    wanted = INPUTS @ WEIGHT
    nearest = relative_error(INPUTS @ grid.rounded(WEIGHT), wanted)
    assert relative_error(INPUTS @ found, wanted) < nearest / 2


@pytest.mark.parametrize("block", [1, 7, 16, 64, 500])
@pytest.mark.parametrize("group", [-1, 16])
def test_blocks_change_nothing(block: int, group: int) -> None:
    grid = WeightGrid(4, group)
    found = gptq(WEIGHT, moments(INPUTS), grid, block)
    expected = gptq(WEIGHT, moments(INPUTS), grid, 64)
    np.testing.assert_allclose(found[1], expected[1])
    assert (found[0] != expected[0]).mean() < 0.01  # ties, after sums in another order


def test_each_row_is_rounded_to_make_up_for_those_before() -> None:
    """Row by row, as the paper has it: the best numbers for the rows that are left, by solving."""
    weight, inputs, grid = WEIGHT[:6, :1], INPUTS[:, :6], WeightGrid(4)
    h = moments(inputs)
    h += 0.01 * np.diag(h).mean() * np.eye(6)
    left, scale, expected = weight[:, 0].copy(), grid.scales(weight)[0, 0], []
    for i in range(6):
        expected.append(np.clip(np.round(left[i] / scale), -7, 7))
        error = left[i] - expected[-1] * scale
        # the later rows that make sum((x (w - q))^2) least, given the rows that are fixed
        left[i + 1 :] += np.linalg.solve(h[i + 1 :, i + 1 :], h[i + 1 :, i] * error)
    assert gptq(weight, moments(inputs), grid)[0][:, 0].tolist() == expected


def test_without_correlation_it_is_the_nearest() -> None:
    grid = WeightGrid(4)
    found, scales = gptq(WEIGHT, np.eye(64), grid)
    np.testing.assert_array_equal(found, grid.integers(WEIGHT, grid.scales(WEIGHT)))
    np.testing.assert_array_equal(scales, grid.scales(WEIGHT))


def test_rows_that_nothing_multiplies_become_0() -> None:
    h = moments(INPUTS)
    h[3], h[:, 3] = 0.0, 0.0
    assert not gptq(WEIGHT, h, WeightGrid(4))[0][3].any()


@pytest.mark.parametrize("order", [True, False])
def test_the_layer_gives_nearly_what_it_gave(order: bool) -> None:
    layer = nn.Linear(64, 32)
    layer.weight.set_value(WEIGHT.astype("float32"))
    x = tensor(INPUTS)
    before = layer(x).numpy()
    wrapped = GPTQ(layer)
    for part in np.array_split(INPUTS, 4):
        wrapped(tensor(part))
    wrapped.fasterquant(groupsize=32, actorder=order)
    nearest = INPUTS @ WeightGrid(4, 32).rounded(WEIGHT) + layer.bias.numpy()
    assert relative_error(wrapped(x).numpy(), before) < relative_error(nearest, before) / 2
    assert np.unique(wrapped.integers).size <= 15


def test_data_and_a_linear_are_needed() -> None:
    with pytest.raises(ArgumentError, match="no data has passed"):
        GPTQ(nn.Linear(2, 2)).fasterquant()
    with pytest.raises(ArgumentError, match="of Linear"):
        GPTQ(nn.Conv2D(2, 2, 1))
