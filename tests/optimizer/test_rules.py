"""Twenty steps of each rule against its published equations, written out in NumPy in float64."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from twinoar.eager.tensor import Parameter, to_tensor
from twinoar.nn.clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from twinoar.optimizer import (
    ASGD,
    SGD,
    Adadelta,
    Adagrad,
    Adam,
    Adamax,
    AdamW,
    Lamb,
    Momentum,
    NAdam,
    RAdam,
    RMSProp,
    Rprop,
)
from twinoar.optimizer.lr import StepDecay
from twinoar.regularizer import L1Decay, L2Decay

STEPS = 20
RATE = 0.05
# Twenty steps in float32 on numbers around 1: each adds a few roundings of 6e-8, and Adam's first
# steps divide by 1 - beta2 = 0.001, which float32 holds to 5 digits.
TOLERANCE = 2e-5

Rule = Callable[[np.ndarray, np.ndarray, dict[str, Any], float], np.ndarray]


def starts() -> list[np.ndarray]:
    random = np.random.default_rng(3)
    return [random.standard_normal((2, 3)), random.standard_normal(4)]


def gradients(steps: int = STEPS) -> list[list[np.ndarray]]:
    random = np.random.default_rng(4)
    return [[random.standard_normal((2, 3)), random.standard_normal(4)] for _ in range(steps)]


def trained(make: Callable[[list[Parameter]], Any], after: Callable[[Any], None] = id) -> list:
    parameters = [Parameter(w.astype(np.float32)) for w in starts()]
    optimizer = make(parameters)
    for step in gradients():
        for parameter, g in zip(parameters, step, strict=True):
            parameter.grad = to_tensor(g.astype(np.float32))
        optimizer.step()
        after(optimizer)
    return [p.numpy() for p in parameters]


def expected(
    rule: Rule,
    change: Callable[[list, list], list] = lambda ws, gs: gs,
    rate: Callable[[int], float] = lambda step: RATE,
) -> list[np.ndarray]:
    ws, memories = starts(), [{}, {}]
    for step, gs in enumerate(gradients()):
        gs = change(ws, gs)
        ws = [rule(w, g, m, rate(step)) for w, g, m in zip(ws, gs, memories, strict=True)]
    return ws


def check(found: list[np.ndarray], wanted: list[np.ndarray]) -> None:
    for f, w in zip(found, wanted, strict=True):
        np.testing.assert_allclose(f, w, rtol=TOLERANCE, atol=TOLERANCE)


def plain(w: np.ndarray, g: np.ndarray, memory: dict, rate: float) -> np.ndarray:
    return w - rate * g


def with_momentum(mu: float, nesterov: bool) -> Rule:
    def rule(w, g, memory, rate):
        v = memory["v"] = mu * memory.get("v", 0.0) + g
        return w - rate * (g + mu * v if nesterov else v)

    return rule


def adaptive(
    b1: float = 0.9, b2: float = 0.999, epsilon: float = 1e-8, decay: float = 0.0, largest=False
) -> Rule:
    """Source: arXiv 1412.6980, algorithm 1, with the decay of arXiv 1711.05101, algorithm 2."""

    def rule(w, g, memory, rate):
        t = memory["t"] = memory.get("t", 0) + 1
        m = memory["m"] = b1 * memory.get("m", 0.0) + (1 - b1) * g
        v = memory["v"] = b2 * memory.get("v", 0.0) + (1 - b2) * g * g
        top = memory["top"] = np.maximum(memory.get("top", 0.0), v) if largest else v
        scale = np.sqrt(top / (1 - b2**t)) + epsilon
        return w - rate * decay * w - rate * m / (1 - b1**t) / scale

    return rule


def adagrad(w, g, memory, rate, epsilon=1e-6, begin=0.0):
    s = memory["s"] = memory.get("s", begin) + g * g
    return w - rate * g / (np.sqrt(s) + epsilon)


def rmsprop(rho: float, epsilon: float, mu: float, centered: bool) -> Rule:
    def rule(w, g, memory, rate):
        s = memory["s"] = rho * memory.get("s", 0.0) + (1 - rho) * g * g
        mean = memory["g"] = rho * memory.get("g", 0.0) + (1 - rho) * g
        spread = s - mean * mean if centered else s
        step = memory["m"] = mu * memory.get("m", 0.0) + rate * g / np.sqrt(spread + epsilon)
        return w - step

    return rule


def adadelta(rho: float, epsilon: float) -> Rule:
    def rule(w, g, memory, rate):
        s = memory["s"] = rho * memory.get("s", 0.0) + (1 - rho) * g * g
        d = memory.get("d", 0.0)
        step = np.sqrt((d + epsilon) / (s + epsilon)) * g
        memory["d"] = rho * d + (1 - rho) * step * step
        return w - rate * step

    return rule


def adamax(w, g, memory, rate, b1=0.9, b2=0.999):
    t = memory["t"] = memory.get("t", 0) + 1
    m = memory["m"] = b1 * memory.get("m", 0.0) + (1 - b1) * g
    u = memory["u"] = np.maximum(np.abs(g), b2 * memory.get("u", 0.0))
    return w - rate / (1 - b1**t) * m / u


def lamb(decay: float, b1=0.9, b2=0.999, epsilon=1e-6) -> Rule:
    direction = adaptive(b1, b2, epsilon)

    def rule(w, g, memory, rate):
        r = -direction(np.zeros_like(w), g, memory, 1.0) + decay * w
        return w - rate * np.linalg.norm(w) / np.linalg.norm(r) * r

    return rule


def nadam(b1=0.9, b2=0.999, epsilon=1e-8, psi=0.004) -> Rule:
    """Source: Dozat 2016, algorithm 2."""

    def momentum(t: int) -> float:
        return b1 * (1 - 0.5 * 0.96 ** (psi * t))

    def rule(w, g, memory, rate):
        t = memory["t"] = memory.get("t", 0) + 1
        product = memory["p"] = memory.get("p", 1.0) * momentum(t)
        m = memory["m"] = b1 * memory.get("m", 0.0) + (1 - b1) * g
        v = memory["v"] = b2 * memory.get("v", 0.0) + (1 - b2) * g * g
        following = momentum(t + 1)
        ahead = following * m / (1 - product * following) + (1 - momentum(t)) * g / (1 - product)
        return w - rate * ahead / (np.sqrt(v / (1 - b2**t)) + epsilon)

    return rule


def radam(b1=0.9, b2=0.999, epsilon=1e-8) -> Rule:
    """Source: arXiv 1908.03265, algorithm 2."""

    def rule(w, g, memory, rate):
        t = memory["t"] = memory.get("t", 0) + 1
        m = memory["m"] = b1 * memory.get("m", 0.0) + (1 - b1) * g
        v = memory["v"] = b2 * memory.get("v", 0.0) + (1 - b2) * g * g
        longest = 2 / (1 - b2) - 1
        rho = longest - 2 * t * b2**t / (1 - b2**t)
        if rho <= 5:
            return w - rate * m / (1 - b1**t)
        top, bottom = (rho - 4) * (rho - 2) * longest, (longest - 4) * (longest - 2) * rho
        scale = math.sqrt(top / bottom * (1 - b2**t)) / (np.sqrt(v) + epsilon)
        return w - rate * m / (1 - b1**t) * scale

    return rule


def asgd(batches: int) -> Rule:
    def rule(w, g, memory, rate):
        seen = memory.setdefault("seen", [])
        seen.append(g)
        return w - rate * sum(seen[-batches:]) / min(len(seen), batches)

    return rule


def rprop(least=1e-5, most=50.0, shrink=0.5, grow=1.2) -> Rule:
    """Source: Riedmiller and Braun 1993, eq. 3 to 5."""

    def rule(w, g, memory, rate):
        agreement = g * memory.get("g", 0.0)
        factor = np.where(agreement > 0, grow, np.where(agreement < 0, shrink, 1.0))
        r = memory["r"] = np.clip(memory.get("r", rate) * factor, least, most)
        g = memory["g"] = np.where(agreement < 0, 0.0, g)
        return w - np.sign(g) * r

    return rule


RULES = [
    (lambda p: SGD(RATE, p), plain),
    (lambda p: Momentum(RATE, 0.8, p), with_momentum(0.8, False)),
    (lambda p: Momentum(RATE, 0.8, p, use_nesterov=True), with_momentum(0.8, True)),
    (lambda p: Adam(RATE, parameters=p), adaptive()),
    (lambda p: Adam(RATE, 0.8, 0.9, 1e-8, p), adaptive(0.8, 0.9)),
    (lambda p: Adam(RATE, parameters=p, amsgrad=True), adaptive(largest=True)),
    (lambda p: AdamW(RATE, parameters=p), adaptive(decay=0.01)),
    (lambda p: AdamW(RATE, parameters=p, weight_decay=0.3), adaptive(decay=0.3)),
    (
        lambda p: AdamW(RATE, parameters=p, weight_decay=0.3, amsgrad=True),
        adaptive(decay=0.3, largest=True),
    ),
    (lambda p: Adagrad(RATE, parameters=p), adagrad),
    (
        lambda p: Adagrad(RATE, parameters=p, initial_accumulator_value=0.1),
        lambda w, g, memory, rate: adagrad(w, g, memory, rate, begin=0.1),
    ),
    (lambda p: RMSProp(RATE, parameters=p), rmsprop(0.95, 1e-6, 0.0, False)),
    (
        lambda p: RMSProp(RATE, 0.8, 1e-3, 0.5, True, p),
        rmsprop(0.8, 1e-3, 0.5, True),
    ),
    (lambda p: Adadelta(RATE, parameters=p), adadelta(0.95, 1e-6)),
    (lambda p: Adadelta(RATE, 1e-3, 0.8, p), adadelta(0.8, 1e-3)),
    (lambda p: Adamax(RATE, parameters=p), adamax),
    (lambda p: Lamb(RATE, parameters=p), lamb(0.01)),
    (lambda p: Lamb(RATE, 0.3, parameters=p), lamb(0.3)),
    (lambda p: NAdam(RATE, parameters=p), nadam()),
    (lambda p: NAdam(RATE, 0.8, 0.9, 1e-3, 0.1, p), nadam(0.8, 0.9, 1e-3, 0.1)),
    (lambda p: RAdam(RATE, 0.8, 0.9, 1e-3, p), radam(0.8, 0.9, 1e-3)),
    (lambda p: ASGD(RATE, 1, p), asgd(1)),
    (lambda p: ASGD(RATE, 3, p), asgd(3)),
    (lambda p: Rprop(RATE, parameters=p), rprop()),
    (lambda p: Rprop(RATE, (0.03, 0.1), p, (0.4, 1.5)), rprop(0.03, 0.1, 0.4, 1.5)),
]


@pytest.mark.parametrize(("make", "rule"), RULES)
def test_twenty_steps_follow_the_published_rule(make: Callable, rule: Rule) -> None:
    check(trained(make), expected(rule))


def test_radam_follows_the_published_rule_where_float32_cancels() -> None:
    # rho is the difference of 1999 and numbers near 1998: float32 leaves it three digits.
    found = trained(lambda p: RAdam(RATE, parameters=p))
    for f, w in zip(found, expected(radam()), strict=True):
        np.testing.assert_allclose(f, w, rtol=2e-4)


def l2(ws: list, gs: list) -> list:
    return [g + 0.1 * w for w, g in zip(ws, gs, strict=True)]


def l1(ws: list, gs: list) -> list:
    return [g + 0.1 * np.sign(w) for w, g in zip(ws, gs, strict=True)]


DECAYED = [
    (lambda p, d: SGD(RATE, p, d), plain),
    (lambda p, d: Momentum(RATE, 0.8, p, weight_decay=d), with_momentum(0.8, False)),
    (lambda p, d: Momentum(RATE, 0.8, p, True, d), with_momentum(0.8, True)),
    (lambda p, d: Adam(RATE, parameters=p, weight_decay=d), adaptive()),
    (lambda p, d: Adagrad(RATE, parameters=p, weight_decay=d), adagrad),
]


@pytest.mark.parametrize(("decay", "change"), [(0.1, l2), (L2Decay(0.1), l2), (L1Decay(0.1), l1)])
@pytest.mark.parametrize(("make", "rule"), DECAYED)
def test_weight_decay_is_a_term_of_the_gradient(
    make: Callable, rule: Rule, decay: Any, change: Callable
) -> None:
    check(trained(lambda p: make(p, decay)), expected(rule, change))


def by_value(ws: list, gs: list) -> list:
    return [np.clip(g, -0.5, 0.5) for g in gs]


def by_norm(ws: list, gs: list) -> list:
    return [g * 0.5 / max(np.linalg.norm(g), 0.5) for g in gs]


def by_global_norm(ws: list, gs: list) -> list:
    norm = math.sqrt(sum((g * g).sum() for g in gs))
    return [g * 0.5 / max(norm, 0.5) for g in gs]


CLIPS = [
    (ClipGradByValue(0.5), by_value),
    (ClipGradByNorm(0.5), by_norm),
    (ClipGradByGlobalNorm(0.5), by_global_norm),
]


@pytest.mark.parametrize(("clip", "change"), CLIPS)
def test_gradients_are_clipped_first_and_decayed_then(clip: Any, change: Callable) -> None:
    found = trained(lambda p: SGD(RATE, p, weight_decay=0.1, grad_clip=clip))
    check(found, expected(plain, lambda ws, gs: l2(ws, change(ws, gs))))


@pytest.mark.parametrize(("make", "rule"), [RULES[0], RULES[3], RULES[6]])
def test_a_schedule_sets_the_rate_of_each_step(make: Callable, rule: Rule) -> None:
    def scheduled(parameters: list) -> Any:
        optimizer = make(parameters)
        optimizer.set_lr_scheduler(StepDecay(RATE, step_size=5, gamma=0.5))
        return optimizer

    found = trained(scheduled, after=lambda optimizer: optimizer._learning_rate.step())
    check(found, expected(rule, rate=lambda step: RATE * 0.5 ** (step // 5)))


def test_momentum_rescales_gradients() -> None:
    found = trained(lambda p: Momentum(RATE, 0.8, p, rescale_grad=0.5))
    halved = expected(with_momentum(0.8, False), lambda ws, gs: [0.5 * g for g in gs])
    check(found, halved)


def test_lamb_without_decay_is_adam_unless_it_always_adapts() -> None:
    check(trained(lambda p: Lamb(RATE, 0.0, parameters=p)), expected(adaptive(epsilon=1e-6)))
    check(trained(lambda p: Lamb(RATE, 0.0, parameters=p, always_adapt=True)), expected(lamb(0.0)))


def test_float64_parameters_keep_their_precision() -> None:
    parameter = Parameter(np.ones(2))
    optimizer = Adam(0.1, parameters=[parameter])
    parameter.grad = to_tensor(np.ones(2))
    optimizer.step()
    assert {str(v.dtype.name) for v in optimizer.state_dict().values()} == {"float64"}
    np.testing.assert_allclose(parameter.numpy(), 0.9, rtol=1e-7)


def test_sixteen_bit_parameters_are_updated_in_float32() -> None:
    parameter = Parameter(np.ones(2, np.float16))
    optimizer = Adam(0.1, parameters=[parameter])
    parameter.grad = to_tensor(np.ones(2, np.float16))
    optimizer.step()
    assert parameter.dtype.name == "float16"
    assert {v.dtype.name for v in optimizer.state_dict().values()} == {"float32"}
    np.testing.assert_allclose(parameter.numpy(), 0.9, rtol=1e-3)


def test_multi_precision_keeps_steps_that_sixteen_bits_lose() -> None:
    def after_hundred_small_steps(multi_precision: bool) -> float:
        parameter = Parameter(np.ones(1, np.float16))
        optimizer = SGD(1e-4, [parameter], multi_precision=multi_precision)
        for _ in range(100):
            parameter.grad = to_tensor(np.ones(1, np.float16))
            optimizer.step()
        return parameter.item()

    assert after_hundred_small_steps(False) == 1.0
    assert after_hundred_small_steps(True) == pytest.approx(0.99, abs=1e-3)
