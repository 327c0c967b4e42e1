"""Rules of learning give what the real Paddle gives after twenty steps, and remember it by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import twinoar as paddle

# Each in Paddle's words; `p` are two parameters.
RULES = {
    "SGD": "SGD(0.05, p, weight_decay=0.1)",
    "Momentum": "Momentum(0.05, 0.8, p, use_nesterov=True)",
    "Adam": "Adam(0.05, parameters=p, weight_decay=0.1)",
    "AdamAmsgrad": "Adam(0.05, parameters=p, amsgrad=True)",
    "AdamW": "AdamW(0.05, parameters=p, weight_decay=0.3)",
    "Adamax": "Adamax(0.05, parameters=p)",
    "Adagrad": "Adagrad(0.05, parameters=p, initial_accumulator_value=0.1)",
    "Adadelta": "Adadelta(0.05, parameters=p)",
    "RMSProp": "RMSProp(0.05, momentum=0.5, centered=True, parameters=p)",
    "Lamb": "Lamb(0.05, parameters=p)",
    "NAdam": "NAdam(0.05, parameters=p, weight_decay=0.1)",
    "RAdam": "RAdam(0.05, 0.8, 0.9, 1e-3, parameters=p)",
    "ASGD": "ASGD(0.05, 3, parameters=p)",
    "Rprop": "Rprop(0.05, (0.01, 0.1), p, (0.4, 1.5))",
    "schedule": "NAdam(lr.StepDecay(0.05, 3), parameters=p)",
    "groups": "Adam(0.05, parameters=[{'params': p[:1], 'learning_rate': 0.5}, "
    "{'params': p[1:], 'weight_decay': 0.1, 'beta1': 0.7}])",
}
# Each step rounds a few times, in another order than Paddle's; Adam divides by small numbers.
TOLERANCE = 2e-5

# What both run: parameters and moments after twenty steps, as name, dtype and values.
TRAINED = """
def trained(rule, code):
    random = np.random.default_rng(3)
    p = []
    for number, shape in enumerate([[2, 3], [4]]):
        p.append(paddle.create_parameter(shape, "float32", name=f"{rule}_{number}"))
        p[-1].set_value(random.standard_normal(shape).astype("float32"))
    lr = paddle.optimizer.lr
    optimizer = eval("paddle.optimizer." + code, {"paddle": paddle, "p": p, "lr": lr})
    for _ in range(20):
        for one in p:
            one.grad = paddle.to_tensor(random.standard_normal(one.shape).astype("float32"))
        optimizer.step()
        if isinstance(optimizer._learning_rate, lr.LRScheduler):
            optimizer._learning_rate.step()
    entries = [(one.name, one) for one in p] + list(optimizer.state_dict().items())
    arrays = [(name, x.numpy()) for name, x in entries if hasattr(x, "numpy")]
    return [(name, str(x.dtype), x.tolist()) for name, x in arrays]
"""
ANSWER = "answer({rule: trained(rule, code) for rule, code in given['rules'].items()})"


@pytest.fixture(scope="module")
def answers(paddle_3: Callable) -> Any:
    return paddle_3(TRAINED + ANSWER, rules=RULES)


@pytest.mark.parametrize("rule", RULES)
def test_twenty_steps_are_paddles(rule: str, answers: Any) -> None:
    names: dict[str, Any] = {"np": np, "paddle": paddle}
    exec(TRAINED, names)
    found, wanted = names["trained"](rule, RULES[rule]), answers[rule]
    assert sorted(x[:2] for x in wanted) == sorted([name, dtype] for name, dtype, _ in found)
    values = {name: x for name, _, x in wanted}
    for name, _, x in found:
        np.testing.assert_allclose(x, values[name], rtol=TOLERANCE, atol=TOLERANCE, err_msg=name)
