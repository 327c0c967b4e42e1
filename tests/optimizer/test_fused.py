"""An eager step over large parameters is one compiled Program that computes what the rules say."""

from __future__ import annotations

import copy
import pickle
import weakref

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config

optimizer, nn = paddle.optimizer, paddle.nn

RULES = {
    "SGD": lambda p: optimizer.SGD(0.1, p),
    "Momentum": lambda p: optimizer.Momentum(0.1, 0.9, p, use_nesterov=True, weight_decay=0.01),
    "Adam": lambda p: optimizer.Adam(0.1, parameters=p),
    "Adam amsgrad": lambda p: optimizer.Adam(0.1, parameters=p, amsgrad=True),
    "AdamW": lambda p: optimizer.AdamW(
        0.1, parameters=p, apply_decay_param_fun=lambda name: "b" in name, lr_ratio=lambda q: 0.5
    ),
    "Adamax": lambda p: optimizer.Adamax(0.1, parameters=p),
    "Adagrad": lambda p: optimizer.Adagrad(0.1, parameters=p),
    "Adadelta": lambda p: optimizer.Adadelta(0.1, parameters=p),
    "RMSProp": lambda p: optimizer.RMSProp(0.1, parameters=p, centered=True, momentum=0.5),
    "Lamb": lambda p: optimizer.Lamb(0.1, parameters=p),
    "NAdam": lambda p: optimizer.NAdam(0.1, parameters=p),
    "RAdam": lambda p: optimizer.RAdam(0.1, parameters=p),
    "ASGD": lambda p: optimizer.ASGD(0.1, 3, parameters=p),
    "Rprop": lambda p: optimizer.Rprop(0.1, parameters=p),
    "L1 decay": lambda p: optimizer.SGD(0.1, p, weight_decay=paddle.regularizer.L1Decay(0.01)),
    "clip by value": lambda p: optimizer.SGD(0.1, p, grad_clip=nn.ClipGradByValue(0.5)),
    "clip by norm": lambda p: optimizer.SGD(0.1, p, grad_clip=nn.ClipGradByNorm(0.5)),
    "clip by global norm": lambda p: optimizer.Adam(
        0.1, parameters=p, grad_clip=nn.ClipGradByGlobalNorm(0.5)
    ),
    "groups": lambda p: optimizer.Adam(
        0.1,
        parameters=[
            {"params": p[:1], "learning_rate": 0.1, "weight_decay": 0.1},
            {"params": p[1:], "beta1": 0.5, "grad_clip": nn.ClipGradByGlobalNorm(0.1)},
        ],
    ),
    "schedule": lambda p: optimizer.SGD(optimizer.lr.ExponentialDecay(0.1, 0.5), p),
}


def parameters(dtype: str = "float32") -> list[paddle.Tensor]:
    rng = np.random.default_rng(2)
    made = []
    for shape in ((150, 120), (120,)):
        parameter = paddle.create_parameter(shape, dtype)
        parameter.set_value(rng.standard_normal(shape))
        made.append(parameter)
    return made


def backward(given: list[paddle.Tensor]) -> None:
    """Gradients that depend on the parameters."""
    for p in given:
        (p * p * p).sum().backward()


def trained(make, dtype: str = "float32", steps: int = 4) -> list[np.ndarray]:
    """Parameters and moments after some steps."""
    given = parameters(dtype)
    rule = make(given)
    for _ in range(steps):
        backward(given)
        rule.step()
        rule.clear_grad()
        if isinstance(rule._learning_rate, optimizer.lr.LRScheduler):
            rule._learning_rate.step()
    state = rule.state_dict()
    arrays = [x.numpy() for x in state.values() if isinstance(x, paddle.Tensor)]
    return [p.astype("float32").numpy() for p in given] + arrays


@pytest.mark.parametrize("name", RULES)
def test_a_compiled_step_is_that_of_single_operators(name) -> None:
    found = trained(RULES[name])
    with config.override(backend="numpy"):
        expected = trained(RULES[name])
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def test_16_bit_parameters_have_a_compiled_step_too() -> None:
    def make(given):
        return optimizer.Adam(0.1, parameters=given, multi_precision=True)

    found = trained(make, "bfloat16")
    with config.override(backend="numpy"):
        expected = trained(make, "bfloat16")
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-2, atol=1e-2)


def test_parameters_are_written_in_place() -> None:
    given = parameters()
    rule = optimizer.SGD(0.1, given)
    backward(given)
    rule.step()
    address = given[0]._data.__array_interface__["data"][0]
    rule.step()
    assert given[0]._data.__array_interface__["data"][0] == address


def test_an_array_that_somebody_holds_is_not_written() -> None:
    given = parameters()
    rule = optimizer.SGD(0.1, given)
    for _ in range(3):
        backward(given)
        held, view, detached = given[0]._data, given[1]._data[3:], given[0].detach().clone()
        before = held.copy(), view.copy()
        rule.step()
        np.testing.assert_array_equal(held, before[0])
        np.testing.assert_array_equal(view, before[1])
        np.testing.assert_array_equal(detached.numpy(), before[0])
        assert not np.array_equal(given[0].numpy(), before[0])


def test_gradients_are_not_held_after_a_step() -> None:
    given = parameters()
    rule = optimizer.SGD(0.1, given)
    backward(given)
    gradient = weakref.ref(given[0].grad._data)
    rule.step()
    rule.clear_grad()
    assert gradient() is None


def test_changes_between_steps_take_effect() -> None:
    def make(given):
        rule = optimizer.AdamW(
            0.1, parameters=given, weight_decay=0.1, grad_clip=nn.ClipGradByGlobalNorm(1.0)
        )
        for step in range(4):
            backward(given)
            rule.set_lr(0.1 / (step + 1))
            rule._groups[0].settings["weight_decay"] = 0.1 * step
            rule._groups[0].grad_clip.clip_norm = 0.5 + step
            given[1].stop_gradient = step == 2
            rule.step()
            given[1].stop_gradient = False
            rule.clear_grad()
        return rule

    found = trained(make, steps=0)
    with config.override(backend="numpy"):
        expected = trained(make, steps=0)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def test_a_rule_of_users_runs_as_python_code() -> None:
    calls = []

    class Counted(optimizer.SGD):
        def update(self, param, grad, states, rate, settings):
            calls.append(param)
            return super().update(param, grad, states, rate, settings)

    given = parameters()
    rule = Counted(0.1, given)
    for _ in range(3):
        backward(given)
        rule.step()
    assert len(calls) == 6


def test_a_copy_of_an_optimizer_trains_its_own_copies() -> None:
    given = parameters()
    rule = optimizer.Adam(0.1, parameters=given)
    backward(given)
    rule.step()
    pair = copy.deepcopy((given, rule))
    before = given[0].numpy()
    backward(pair[0])
    pair[1].step()
    np.testing.assert_array_equal(given[0].numpy(), before)
    assert isinstance(pickle.loads(pickle.dumps(rule._fused)), type(rule._fused))
