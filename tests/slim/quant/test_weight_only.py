"""Language models run on integers, which are what each way of rounding says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.slim.quant.planted import correlated, outputs, relative_error, tensor
from twinoar import nn
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.nn.quant import weight_quantize
from twinoar.slim.quant import WeightOnlyLinear, quantize_weights

RANDOM = np.random.default_rng(12)
# Few directions, and few large channels; the second half is for what the first has decided.
ROWS = correlated(RANDOM, 1024, 128) * np.repeat([4.0, 0.05], [4, 124])
INPUTS = [tensor(half) for half in np.split(ROWS, 2)]


def model_of(**given: Any) -> Any:
    paddle.seed(2)
    return nn.Sequential(nn.Linear(128, 128, **given), nn.GELU(), nn.Linear(128, 64, **given))


@pytest.mark.parametrize("given", [{}, {"bias_attr": False}])
@pytest.mark.parametrize("group", [-1, 64, 128])
@pytest.mark.parametrize("bits", [8, 4])
def test_nearest_is_what_weight_quantize_makes(bits: int, group: int, given: dict) -> None:
    model = model_of(**given)
    weight = model[0].weight
    expected = weight_quantize(weight, f"weight_only_int{bits}", group_size=group)
    found = quantize_weights(model, bits, group)
    np.testing.assert_array_equal(model[0].quant_weight.numpy(), expected[0].numpy())
    np.testing.assert_allclose(model[0].weight_scale.numpy(), expected[1].numpy(), rtol=1e-6)
    assert [x.name for x in found] == ["0", "2"]
    assert found[0].after == expected[0].numpy().nbytes + expected[1].numpy().nbytes


@pytest.mark.parametrize("group", [-1, 64])
@pytest.mark.parametrize("method", ["gptq", "awq"])
def test_less_is_lost_than_by_the_nearest_numbers(method: str, group: int) -> None:
    wanted, errors = outputs(model_of(), INPUTS[1]), []
    for chosen in ("nearest", method):
        model = model_of()
        quantize_weights(model, 4, group, chosen, INPUTS[:1])
        errors.append(relative_error(outputs(model, INPUTS[1]), wanted))
    assert errors[1] < errors[0] * 0.9


@pytest.mark.parametrize("method", ["nearest", "gptq", "awq"])
def test_at_8_bits_hardly_anything_is_lost(method: str) -> None:
    model = model_of()
    wanted = outputs(model, INPUTS[1])
    quantize_weights(model, 8, -1, method, INPUTS[:1])
    assert relative_error(outputs(model, INPUTS[1]), wanted) < 0.01


def test_the_network_is_saved_and_runs_compiled(tmp_path: Any) -> None:
    model = model_of()
    quantize_weights(model, 4, 64, "awq", INPUTS[:1])
    expected = outputs(model, INPUTS[0])
    path = str(tmp_path / "model")
    paddle.jit.save(model, path, input_spec=[paddle.static.InputSpec([None, 128], name="x")])
    np.testing.assert_allclose(paddle.jit.load(path)(INPUTS[0]).numpy(), expected, atol=1e-4)
    fresh = model_of()
    quantize_weights(fresh, 4, 64, "awq", INPUTS[:1])
    fresh.set_state_dict(model.state_dict())
    np.testing.assert_array_equal(outputs(fresh, INPUTS[0]), expected)


def test_a_layer_in_two_places_stays_one() -> None:
    shared = nn.Linear(4, 4)
    model = nn.Sequential(shared, nn.ReLU(), shared)
    assert len(quantize_weights(model)) == 1
    assert model[0] is model[2] and isinstance(model[0], WeightOnlyLinear)


def test_what_groups_or_halves_do_not_fit_stays() -> None:
    model = nn.Sequential(nn.Linear(128, 66), nn.Linear(66, 64), nn.Linear(64, 3))
    assert [x.name for x in quantize_weights(model, 4, 64)] == ["0"]


def test_only_what_is_named_is_changed() -> None:
    model = model_of()
    assert [x.name for x in quantize_weights(model, names=["2"])] == ["2"]
    with pytest.raises(UnknownNameError, match="no such Linear: 7"):
        quantize_weights(model_of(), names=["7"])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"method": "best"}, "must be one of"),
        ({"bits": 3}, "bits are 4 or 8"),
        ({"group_size": 32}, "group_size is"),
        ({"method": "gptq"}, "needs batches"),
    ],
)
def test_arguments_without_meaning_are_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(ArgumentError, match=reason):
        quantize_weights(model_of(), **arguments)


@pytest.mark.parametrize("bits", [8, 4])
def test_integers_lie_as_products_read_them(bits):
    layer = paddle.nn.Sequential(paddle.nn.Linear(64, 32))
    quantize_weights(layer, bits)
    assert layer[0].quant_weight._data.flags.c_contiguous
