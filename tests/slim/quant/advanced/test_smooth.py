"""Smoothing and shifting change no output in floats, and make rounding hurt less."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.slim.quant.planted import (
    outputs,
    relative_error,
    round_columns,
    round_inputs,
    round_weights,
    tensor,
)
from twinoar import nn
from twinoar.errors import ArgumentError
from twinoar.slim.quant.advanced import (
    AWQSearch,
    EMASampler,
    MultiStepSampler,
    Shift,
    ShiftSmoothHelpLayer,
    Smooth,
)

SIZE = 16


def with_outliers() -> Any:
    """A block whose normalizations make a few channels a hundred times the others."""
    paddle.seed(4)
    model = nn.TransformerEncoderLayer(SIZE, 2, 32, 0.0, normalize_before=True)
    attention = model.self_attn
    with paddle.no_grad():
        for norm in (model.norm1, model.norm2):
            norm.weight[::5] = 100.0
        for layer in (attention.q_proj, attention.k_proj, attention.v_proj, model.linear1):
            layer.weight[::5] = layer.weight[::5] * 0.01
    model.eval()
    return model


def data(seed: int) -> Any:
    return tensor(np.random.default_rng(seed).normal(size=(4, 8, SIZE)))


def changed(kind: type, model: Any, **arguments: Any) -> Any:
    watched = kind(model, {}, **arguments)
    for seed in range(3):
        model(data(seed))
        watched.step += 1
    watched.update_weight()
    return watched


@pytest.mark.parametrize("arguments", [{}, {"alpha": 0.7}, {"smooth_all_linears": True}])
def test_smoothing_keeps_outputs_and_makes_int8_activations_hurt_less(
    arguments: dict[str, Any],
) -> None:
    plain, smoothed, x = with_outliers(), with_outliers(), data(9)
    wanted = outputs(plain, x)
    changed(Smooth, smoothed, **arguments)
    np.testing.assert_allclose(outputs(smoothed, x), wanted, atol=1e-5)
    for model in (plain, smoothed):
        round_weights(model)
        round_inputs(model)
    errors = [relative_error(outputs(model, x), wanted) for model in (plain, smoothed)]
    assert errors[1] < errors[0] / 2


def test_factors_are_those_of_the_paper() -> None:
    model = nn.Sequential(nn.LayerNorm(SIZE), nn.Linear(SIZE, 8))
    x = data(0)
    largest = np.abs(model[0](x).numpy()).max((0, 1))
    weights = np.abs(model[1].weight.numpy()).max(1)
    watched = Smooth(model, {}, alpha=0.3)
    model(x)
    watched.update_weight()
    np.testing.assert_allclose(
        watched.smooth_scale_dict["1"], largest**0.3 / weights**0.7, rtol=1e-5
    )


@pytest.mark.parametrize("sampler", [None, MultiStepSampler(), EMASampler()])
def test_awq_keeps_outputs_and_makes_weights_of_4_bits_hurt_less(sampler: Any) -> None:
    plain, searched = [nn.Sequential(nn.LayerNorm(64), nn.Linear(64, 64)) for _ in range(2)]
    with paddle.no_grad():
        plain[0].weight[::16] = 30.0
    searched.set_state_dict(plain.state_dict())
    x = tensor(np.random.default_rng(7).normal(size=(4, 32, 64)))
    wanted = outputs(plain, x)
    search = AWQSearch(weight_quant_method="abs_max_channel_wise")
    watched = Smooth(
        searched, {}, smooth_method="awq", search_function=search,
        sample_function=sampler, start_sample_step=0,
    )  # fmt: skip
    for _ in range(2):
        searched(x)
        watched.step += 1
    watched.update_weight()
    np.testing.assert_allclose(outputs(searched, x), wanted, atol=1e-5 * np.abs(wanted).max())
    for model in (plain, searched):
        round_columns(model, 4)
    errors = [relative_error(outputs(model, x), wanted) for model in (plain, searched)]
    assert errors[1] < errors[0] * 0.8


@pytest.mark.parametrize("everywhere", [False, True])
def test_shifting_keeps_outputs_and_makes_int8_activations_hurt_less(everywhere: bool) -> None:
    plain, shifted = [nn.Sequential(nn.LayerNorm(SIZE), nn.Linear(SIZE, 8)) for _ in range(2)]
    with paddle.no_grad():
        plain[0].bias[3] = 100.0  # all values of a channel on one side
        plain[1].weight[3] = 0.01
    shifted.set_state_dict(plain.state_dict())
    x = data(9)
    wanted = outputs(plain, x)
    changed(Shift, shifted, shift_all_linears=everywhere)
    np.testing.assert_allclose(outputs(shifted, x), wanted, atol=1e-5)
    for model in (plain, shifted):
        round_inputs(model)
    errors = [relative_error(outputs(model, x), wanted) for model in (plain, shifted)]
    assert errors[1] < errors[0] / 5


def test_linears_after_no_normalization_get_a_layer_around_them() -> None:
    model, x = nn.Sequential(nn.Linear(SIZE, 8), nn.GELU(), nn.Linear(8, 4)), data(1)
    wanted = outputs(model, x)
    changed(Shift, model, shift_all_linears=True)
    watched = Smooth(model, {}, smooth_all_linears=True)
    assert set(watched.linears) == {"0.layer", "2.layer"}
    model(x)
    watched.update_weight()
    assert isinstance(model[0], ShiftSmoothHelpLayer)
    np.testing.assert_allclose(outputs(model, x), wanted, atol=1e-5)


def test_a_normalization_can_be_skipped() -> None:
    model = nn.Sequential(nn.LayerNorm(SIZE), nn.Linear(SIZE, 8))
    before = model[1].weight.numpy().copy()
    watched = Smooth(model, {"skip_norm_list": [model[0].full_name()]})
    model(data(0))
    watched.update_weight()
    np.testing.assert_array_equal(model[1].weight.numpy(), before)


def test_no_hook_is_left() -> None:
    model = with_outliers()
    changed(Smooth, model)
    assert not any(x._forward_pre_hooks for x in model.sublayers(include_self=True))


def test_what_was_not_run_is_an_error() -> None:
    with pytest.raises(ArgumentError, match="was not run"):
        Smooth(with_outliers(), {}).update_weight()


@pytest.mark.parametrize("arguments", [{"alpha": 2.0}, {"smooth_method": "rough"}])
def test_arguments_without_meaning_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError):
        Smooth(nn.Linear(2, 2), {}, **arguments)
