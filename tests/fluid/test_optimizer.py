"""Optimizers against what Paddle 1.8.5 computes: four steps on one weight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from twinoar import fluid
from twinoar.errors import (
    ArgumentError,
    MissingNameError,
    TwinoarError,
    TypeMismatchError,
    UnsupportedError,
)
from twinoar.fluid import optimizer as rules
from twinoar.fluid.clip import GradientClipByGlobalNorm, GradientClipByNorm, GradientClipByValue
from twinoar.fluid.regularizer import L1Decay, L2Decay

START = np.array([[1.0, -0.5], [0.25, 2.0], [-1.5, 0.75]], "float32")
INPUTS = [np.array([[1, 2, -1], [0.5, -1, 2]], "float32") * (i + 1) / 2 for i in range(4)]

# The weight after four steps in Paddle 1.8.5.
CASES: dict[str, tuple[Callable[[Any], Any], list[float]]] = {
    "Ftrl": (
        lambda p: rules.Ftrl(0.1, l1=0.05, l2=0.05, parameter_list=p),
        [0.57913, -0.82579, -0.11879, 1.61152, -1.11675, 1.07814],
    ),
    "Ftrl with a power": (
        lambda p: rules.Ftrl(0.1, l1=0.05, l2=0.05, lr_power=-0.7, parameter_list=p),
        [0.43944, -0.81217, 0.02568, 1.71262, -1.26446, 1.014],
    ),
    "DecayedAdagrad": (
        lambda p: rules.DecayedAdagrad(0.1, parameter_list=p),
        [0.99344, -1.40192, -0.45948, 1.26866, -0.68451, 1.42079],
    ),
    "LarsMomentum": (
        lambda p: rules.LarsMomentum(0.5, 0.9, parameter_list=p),
        [0.99859, -0.50186, 0.24228, 1.99463, -1.49246, 0.75392],
    ),
    "Dpsgd": (
        lambda p: rules.Dpsgd(0.1, clip=0.5, batch_size=1e12, sigma=1e-8, parameter_list=p),
        [0.97793, -0.53215, 0.13044, 1.91482, -1.38366, 0.80826],
    ),
    "SGD": (
        lambda p: rules.SGD(0.1, parameter_list=p, regularization=L2Decay(0.1)),
        [0.80457, -0.91746, -0.65743, 1.16817, -0.55296, 1.00598],
    ),
    "Momentum": (
        lambda p: rules.Momentum(
            0.1, 0.9, parameter_list=p, grad_clip=GradientClipByGlobalNorm(0.5)
        ),
        [0.9508, -0.57316, -0.01552, 1.80973, -1.2419, 0.87809],
    ),
    "Momentum of Nesterov": (
        lambda p: rules.MomentumOptimizer(
            0.1, 0.9, parameter_list=p, use_nesterov=True, grad_clip=GradientClipByNorm(0.5)
        ),
        [0.93344, -0.59648, -0.11296, 1.74218, -1.14614, 0.92755],
    ),
    "Adam": (
        lambda p: rules.Adam(0.1, parameter_list=p),
        [0.62582, -0.87126, -0.1189, 1.62666, -1.13235, 1.12511],
    ),
    "Adagrad": (
        lambda p: rules.Adagrad(0.1, parameter_list=p, regularization=L1Decay(0.1)),
        [0.64386, -0.86742, -0.11375, 1.64303, -1.13518, 1.10628],
    ),
    "Adamax": (
        lambda p: rules.Adamax(0.1, parameter_list=p, grad_clip=GradientClipByValue(0.2)),
        [0.6, -0.9, -0.15, 1.6, -1.1, 1.15],
    ),
    "RMSProp": (
        lambda p: rules.RMSPropOptimizer(0.1, momentum=0.5, centered=True, parameter_list=p),
        [1.09706, -1.00727, -0.50667, 1.64805, -0.5867, 1.02061],
    ),
    "Lamb": (
        lambda p: rules.LambOptimizer(0.1, parameter_list=p),
        [0.55273, -0.93597, -0.18229, 1.55919, -1.06907, 1.1887],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_dynamic_steps_are_those_of_paddle(name: str) -> None:
    make, expected = CASES[name]
    with fluid.dygraph.guard():
        layer = fluid.dygraph.Linear(3, 2)
        layer.weight.set_value(START)
        optimizer = make(layer.parameters())
        for array in INPUTS:
            x = fluid.dygraph.to_variable(array)
            loss = fluid.layers.reduce_mean(fluid.layers.square(layer(x)))
            loss.backward()
            optimizer.minimize(loss)
            layer.clear_gradients()
        np.testing.assert_allclose(layer.weight.numpy().ravel(), expected, atol=2e-5)


@pytest.mark.parametrize("name", CASES)
def test_static_steps_are_those_of_paddle(name: str, static: Any) -> None:
    make, expected = CASES[name]
    main, startup = static
    attr = fluid.ParamAttr(initializer=fluid.initializer.NumpyArrayInitializer(START))
    attr.name = "w"
    out = fluid.layers.fc(fluid.data("x", [2, 3]), 2, param_attr=attr)
    make(None).minimize(fluid.layers.reduce_mean(fluid.layers.square(out)))
    exe = fluid.Executor()
    exe.run(startup)
    for array in INPUTS:
        exe.run(main, feed={"x": array})
    found = np.array(fluid.global_scope().find_var("w").get_tensor())
    np.testing.assert_allclose(found.ravel(), expected, atol=2e-5)


def test_a_rate_that_is_a_variable_is_read_in_each_run(static: Any) -> None:
    main, startup = static
    weight = fluid.layers.create_parameter(
        [1], "float32", default_initializer=fluid.initializer.Constant(1.0)
    )
    rate = fluid.data("rate", [1])
    fluid.optimizer.SGD(rate).minimize(fluid.layers.reduce_sum(weight))
    exe = fluid.Executor()
    exe.run(startup)
    for value in (0.5, 0.25):
        exe.run(main, feed={"rate": np.array([value], "float32")})
    assert exe.run(main, {"rate": np.zeros(1, "float32")}, [weight])[0].tolist() == [0.25]


def test_set_gradient_clip_clips_what_it_names(static: Any) -> None:
    main, startup = static
    ones = fluid.initializer.Constant(1.0)
    a, b = (
        fluid.layers.create_parameter([1], "float32", name=n, default_initializer=ones)
        for n in "ab"
    )
    with pytest.warns(UserWarning, match="deprecated"):
        fluid.clip.set_gradient_clip(GradientClipByValue(0.1), param_list=["a"])
    fluid.optimizer.SGD(1.0).minimize(fluid.layers.reduce_sum(a + b))
    exe = fluid.Executor()
    exe.run(startup)
    exe.run(main)
    scope = fluid.global_scope()
    found = [np.array(scope.find_var(n).get_tensor()).item() for n in "ab"]
    np.testing.assert_allclose(found, [0.9, 0.0], atol=1e-6)


def test_need_clip_chooses_parameters() -> None:
    with fluid.dygraph.guard():
        layer = fluid.dygraph.Linear(1, 1)
        clip = GradientClipByValue(0.5, need_clip=lambda p: p.name.endswith("w_0"))
        rule = fluid.optimizer.SGD(1.0, parameter_list=layer.parameters(), grad_clip=clip)
        layer.weight.set_value([[0.0]])
        layer(fluid.dygraph.to_variable([[1.0]])).backward()
        rule.step()
        assert layer.weight.item() == -0.5
        assert layer.bias.item() == -1.0


def test_lookahead_moves_slow_parameters_every_k_updates(static: Any) -> None:
    main, startup = static
    weight = fluid.layers.create_parameter(
        [1], "float32", default_initializer=fluid.initializer.Constant(8.0)
    )
    rule = fluid.optimizer.LookaheadOptimizer(fluid.optimizer.SGD(1.0), alpha=0.5, k=2)
    rule.minimize(fluid.layers.reduce_sum(weight))
    exe = fluid.Executor()
    exe.run(startup)
    found = [exe.run(main, fetch_list=[weight.name])[0].item() for _ in range(4)]
    # Two steps of one lead from 8 to 6, back to 7; two more from 7 to 5, back to 6.
    assert found == [7.0, 7.0, 6.0, 6.0]


def test_model_average_replaces_parameters_by_their_means(static: Any) -> None:
    main, startup = static
    weight = fluid.layers.create_parameter(
        [1], "float32", name="w", default_initializer=fluid.initializer.Constant(10.0)
    )
    fluid.optimizer.SGD(1.0).minimize(fluid.layers.reduce_sum(weight))
    average = fluid.optimizer.ModelAverage(1.0, min_average_window=100, max_average_window=100)
    exe = fluid.Executor()
    exe.run(startup)
    for _ in range(3):
        exe.run(main)
    held = fluid.global_scope().find_var("w")
    with average.apply(exe):
        assert np.array(held.get_tensor()).item() == 8.0  # of 9, 8 and 7
    assert np.array(held.get_tensor()).item() == 7.0


def test_a_state_goes_on_where_it_was_saved() -> None:
    with fluid.dygraph.guard():
        layer = fluid.dygraph.Linear(1, 1)
        adam = fluid.optimizer.Adam(0.1, parameter_list=layer.parameters())
        layer(fluid.dygraph.to_variable([[1.0]])).backward()
        adam.step()
        state = adam.state_dict()
        assert sorted(state) == sorted(adam.get_opti_var_name_list())
        again = fluid.optimizer.Adam(0.1, parameter_list=layer.parameters())
        again.set_dict({key: value.numpy() for key, value in state.items()})
        assert {k.rpartition("_")[0] for k in again.state_dict()} == {
            k.rpartition("_")[0] for k in state
        }


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (
            lambda: rules.LambOptimizer(parameter_list=[], regularization=L2Decay()),
            UnsupportedError,
        ),
        (lambda: rules.LookaheadOptimizer(None), TypeMismatchError),
        (lambda: rules.LookaheadOptimizer(rules.SGD(0.1, []), alpha=2.0), ArgumentError),
        (lambda: rules.LookaheadOptimizer(rules.SGD(0.1, []), k=0), ArgumentError),
        (lambda: rules.PipelineOptimizer, MissingNameError),
        (lambda: rules.DGCMomentumOptimizer, MissingNameError),
        (lambda: fluid.clip.set_gradient_clip(None), TypeMismatchError),
        (
            lambda: fluid.clip.set_gradient_clip(GradientClipByValue(1.0), [np.ones(1)]),
            TypeMismatchError,
        ),
        (lambda: fluid.clip.ErrorClipByValue, MissingNameError),
        (lambda: GradientClipByValue(1.0, need_clip=True), TypeMismatchError),
    ],
)
@pytest.mark.filterwarnings("ignore:set_gradient_clip")
def test_what_is_not_served_is_refused(call: Callable, error: type[TwinoarError]) -> None:
    with pytest.raises(error):
        call()


def test_dynamic_mode_needs_the_parameters() -> None:
    with fluid.dygraph.guard(), pytest.raises(ArgumentError, match="parameter_list"):
        fluid.optimizer.Adam(0.1)
