"""Twenty rates of each schedule against its formula, and what schedules save, print and refuse."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, TwinoarError, TypeMismatchError, UnknownNameError
from twinoar.optimizer.lr import (
    CosineAnnealingDecay,
    CosineAnnealingWarmRestarts,
    CyclicLR,
    ExponentialDecay,
    InverseTimeDecay,
    LambdaDecay,
    LinearLR,
    LinearWarmup,
    LRScheduler,
    MultiplicativeDecay,
    MultiStepDecay,
    NaturalExpDecay,
    NoamDecay,
    OneCycleLR,
    PiecewiseDecay,
    PolynomialDecay,
    ReduceOnPlateau,
    StepDecay,
)

COUNT = 20


def rates(schedule: LRScheduler, count: int = COUNT) -> list[float]:
    found = []
    for _ in range(count):
        found.append(schedule())
        schedule.step()
    return found


def triangle(epoch: int, up: int, down: int) -> tuple[int, float]:
    """The cycle, from 0, and how high it stands, 0 to 1."""
    cycle, at = divmod(epoch, up + down)
    return cycle, at / up if at <= up else (up + down - at) / down


def between(first: float, last: float, part: float) -> float:
    return first + (last - first) * part


def half_cosine(first: float, last: float, part: float) -> float:
    return last + (first - last) * (1 + math.cos(math.pi * part)) / 2


def restarting(epoch: int, period: int, growth: int) -> float:
    while epoch >= period:
        epoch, period = epoch - period, period * growth
    return epoch / period


def one_cycle(epoch: int) -> float:
    top, rise, end = 20 * 0.3 - 1, None, 19
    rise = top
    if epoch <= rise:
        return half_cosine(0.04, 1.0, epoch / rise)
    return half_cosine(1.0, 1e-4, (epoch - rise) / (end - rise))


def three_phases(epoch: int) -> float:
    rise, end = 20 * 0.4 - 1, 19
    if epoch <= rise:
        return between(0.1, 1.0, epoch / rise)
    if epoch <= 2 * rise:
        return between(1.0, 0.1, (epoch - rise) / rise)
    return between(0.1, 0.01, (epoch - 2 * rise) / (end - 2 * rise))


def cycled_polynomial(epoch: int) -> float:
    period = 8 * max(1, math.ceil(epoch / 8))
    return (0.5 - 0.01) * (1 - epoch / period) + 0.01


FORMULAS: list[tuple[Callable[[], LRScheduler], Callable[[int], float]]] = [
    (lambda: StepDecay(0.5, 3, 0.5), lambda e: 0.5 ** (1 + e // 3)),
    (
        lambda: MultiStepDecay(0.5, [3, 7, 11], 0.5),
        lambda e: 0.5 ** (1 + (e >= 3) + (e >= 7) + (e >= 11)),
    ),
    (lambda: ExponentialDecay(0.5, 0.9), lambda e: 0.5 * 0.9**e),
    (lambda: NaturalExpDecay(0.5, 0.1), lambda e: 0.5 * math.exp(-0.1 * e)),
    (lambda: InverseTimeDecay(0.5, 0.1), lambda e: 0.5 / (1 + 0.1 * e)),
    (
        lambda: PolynomialDecay(0.5, 8, 0.01, 2.0),
        lambda e: 0.49 * (1 - min(e, 8) / 8) ** 2 + 0.01,
    ),
    (lambda: PolynomialDecay(0.5, 8, 0.01, cycle=True), cycled_polynomial),
    (
        lambda: PiecewiseDecay([3, 7], [0.1, 0.05, 0.01]),
        lambda e: 0.1 if e < 3 else 0.05 if e < 7 else 0.01,
    ),
    (
        lambda: NoamDecay(64, 5, 2.0),
        lambda e: 2.0 * 64**-0.5 * min(max(e, 1) ** -0.5, e * 5**-1.5),
    ),
    (lambda: LambdaDecay(0.5, lambda e: 1 / (1 + e)), lambda e: 0.5 / (1 + e)),
    (
        lambda: MultiplicativeDecay(0.5, lambda e: e / (1 + e)),
        lambda e: 0.5 / (1 + e),
    ),
    (lambda: LinearWarmup(0.7, 5, 0.1, 0.5), lambda e: 0.1 + 0.08 * e if e < 5 else 0.7),
    (
        lambda: LinearWarmup(StepDecay(0.5, 3, 0.5), 5, 0.1, 0.5),
        lambda e: 0.1 + 0.08 * e if e < 5 else 0.5 ** (1 + (e - 5) // 3),
    ),
    (lambda: LinearLR(0.5, 6, 0.2, 0.8), lambda e: 0.5 * between(0.2, 0.8, min(e, 6) / 6)),
    (lambda: CosineAnnealingDecay(0.5, 6, 0.01), lambda e: half_cosine(0.5, 0.01, e / 6)),
    (
        lambda: CosineAnnealingWarmRestarts(0.5, 4),
        lambda e: half_cosine(0.5, 0.0, restarting(e, 4, 1)),
    ),
    (
        lambda: CosineAnnealingWarmRestarts(0.5, 2, 3, 0.05),
        lambda e: half_cosine(0.5, 0.05, restarting(e, 2, 3)),
    ),
    (lambda: OneCycleLR(1.0, 20), one_cycle),
    (
        lambda: OneCycleLR(1.0, 20, 10.0, 0.01, 0.4, "linear", three_phase=True),
        three_phases,
    ),
    (lambda: CyclicLR(0.1, 1.0, 4), lambda e: 0.1 + 0.9 * triangle(e, 4, 4)[1]),
    (
        lambda: CyclicLR(0.1, 1.0, 3, 5, "triangular2"),
        lambda e: 0.1 + 0.9 * triangle(e, 3, 5)[1] / 2 ** triangle(e, 3, 5)[0],
    ),
    (
        lambda: CyclicLR(0.1, 1.0, 4, mode="exp_range", exp_gamma=0.9),
        lambda e: 0.1 + 0.9 * triangle(e, 4, 4)[1] * 0.9**e,
    ),
    (
        lambda: CyclicLR(0.1, 1.0, 3, scale_fn=lambda c: 0.5**c),
        lambda e: 0.1 + 0.9 * triangle(e, 3, 3)[1] * 0.5 ** (1 + triangle(e, 3, 3)[0]),
    ),
    (
        lambda: CyclicLR(0.1, 1.0, 3, scale_fn=lambda e: 0.95**e, scale_mode="iterations"),
        lambda e: 0.1 + 0.9 * triangle(e, 3, 3)[1] * 0.95**e,
    ),
]


@pytest.mark.parametrize(("make", "formula"), FORMULAS)
def test_twenty_rates_follow_the_formula(make: Callable, formula: Callable) -> None:
    found = rates(make())
    np.testing.assert_allclose(found, [formula(e) for e in range(COUNT)], rtol=1e-12, atol=1e-14)


JUMPING = [
    (make, formula)
    for make, formula in FORMULAS
    if not isinstance(make(), LinearLR)  # it goes on from the rate before
]


@pytest.mark.parametrize(("make", "formula"), JUMPING)
def test_a_step_can_go_to_any_epoch(make: Callable, formula: Callable) -> None:
    schedule = make()
    schedule.step(9)
    assert schedule.last_epoch == 9
    assert schedule() == pytest.approx(formula(9), rel=1e-12)


@pytest.mark.parametrize(("make", "formula"), FORMULAS)
def test_a_saved_schedule_goes_on_bit_for_bit(make: Callable, formula: Callable) -> None:
    first, second = make(), make()
    for _ in range(7):
        first.step()
    state = first.state_dict()
    assert {"last_epoch": 7, "last_lr": first()}.items() <= state.items()
    second.set_state_dict(state)
    assert second() == first()
    if isinstance(first, CosineAnnealingWarmRestarts):
        first.step(8), second.step(8)
    assert rates(second, 5) == rates(first, 5)


def test_cosine_annealing_agrees_bit_for_bit_with_the_recurrence() -> None:
    # The values that Paddle 3.3.1 prints: each comes from the one before.
    found = rates(CosineAnnealingDecay(0.5, 6, 0.01), 13)
    assert found[6:] == [
        0.01,
        0.04282377607281252,
        0.1325,
        0.25500000000000017,
        0.37750000000000034,
        0.46717622392718783,
        0.5000000000000004,
    ]


def test_a_schedule_can_begin_later() -> None:
    schedule = ExponentialDecay(0.5, 0.9, last_epoch=3)
    assert (schedule.last_epoch, schedule()) == (4, 0.5 * 0.9**4)


def test_restarts_can_be_in_the_middle_of_an_epoch() -> None:
    schedule = CosineAnnealingWarmRestarts(1.0, 2)
    schedule.step(2.5)
    assert schedule() == pytest.approx(half_cosine(1.0, 0.0, 0.25))
    assert schedule.last_epoch == 2


def test_a_subclass_needs_only_get_lr() -> None:
    class Halving(LRScheduler):
        def get_lr(self) -> float:
            return self.base_lr * 0.5**self.last_epoch

    assert rates(Halving(1.0), 3) == [1.0, 0.5, 0.25]


def test_verbose_prints_each_rate(capsys: pytest.CaptureFixture) -> None:
    StepDecay(0.5, 1, 0.5, verbose=True).step()
    assert capsys.readouterr().out.splitlines() == [
        "Epoch 0: StepDecay set learning rate to 0.5.",
        "Epoch 1: StepDecay set learning rate to 0.25.",
    ]


# ReduceOnPlateau.

LOSSES = [1, 0.9, *[0.8] * 5, *[0.7] * 13]


def watched(schedule: ReduceOnPlateau, metrics: list[float]) -> list[float]:
    found = []
    for metric in metrics:
        found.append(schedule())
        schedule.step(metric)
    return found


def test_plateau_reduces_after_more_than_patience_steps_without_progress() -> None:
    found = watched(ReduceOnPlateau(1.0, factor=0.5, patience=2), LOSSES)
    assert found == [1.0] * 6 + [0.5] * 5 + [0.25] * 3 + [0.125] * 3 + [0.0625] * 3


def test_plateau_waits_for_its_cooldown_and_stops_at_min_lr() -> None:
    schedule = ReduceOnPlateau(1.0, "max", 0.5, 1, 0.1, "abs", cooldown=2, min_lr=0.1)
    found = watched(schedule, LOSSES)
    assert found == [1.0] * 3 + [0.5] * 4 + [0.25] * 4 + [0.125] * 4 + [0.1] * 5
    assert schedule.state_dict() == {
        "cooldown_counter": 1,
        "best": 1,
        "num_bad_epochs": 0,
        "last_epoch": 20,
        "last_lr": 0.1,
    }


@pytest.mark.parametrize(
    ("mode", "threshold_mode", "metric", "reduced"),
    [
        ("min", "rel", 1.79, False),
        ("min", "rel", 1.81, True),
        ("max", "rel", 2.21, False),
        ("max", "rel", 2.19, True),
        ("min", "abs", 1.89, False),
        ("min", "abs", 1.91, True),
        ("max", "abs", 2.11, False),
        ("max", "abs", 2.09, True),
    ],
)
def test_plateau_counts_as_better_what_exceeds_the_threshold(
    mode: Any, threshold_mode: Any, metric: float, reduced: bool
) -> None:
    schedule = ReduceOnPlateau(1.0, mode, 0.5, 0, 0.1, threshold_mode)
    watched(schedule, [2.0, metric])
    assert schedule() == (0.5 if reduced else 1.0)


@pytest.mark.parametrize("metric", [1, 1.0, np.float32(1), np.ones(1), to_tensor([1.0])])
def test_plateau_takes_numbers_arrays_and_tensors(metric: Any) -> None:
    schedule = ReduceOnPlateau(1.0)
    schedule.step(metric)
    assert schedule.best == 1.0


def test_plateau_goes_on_from_a_saved_state() -> None:
    first = ReduceOnPlateau(1.0, factor=0.5, patience=2)
    watched(first, LOSSES[:9])
    second = ReduceOnPlateau(1.0, factor=0.5, patience=2)
    second.set_state_dict(first.state_dict())
    assert watched(second, LOSSES[9:]) == watched(first, LOSSES[9:])


def test_plateau_leaves_out_changes_below_epsilon() -> None:
    schedule = ReduceOnPlateau(1e-8, factor=0.5, patience=0)
    watched(schedule, [1.0, 1.0])
    assert schedule() == 1e-8


# Errors.


def stepped_beyond_its_end() -> None:
    schedule = OneCycleLR(1.0, 3)
    for _ in range(4):
        schedule.step()


WRONG = [
    (lambda: StepDecay("x", 3), TypeMismatchError, "learning_rate must be a number"),
    (lambda: StepDecay(0.5, "a"), TypeMismatchError, "step_size must be an integer"),
    (lambda: StepDecay(0.5, -3), ArgumentError, "step_size must be at least 1, received -3"),
    (lambda: StepDecay(0.5, 3, 1.0), ArgumentError, "gamma must be below 1"),
    (lambda: MultiStepDecay(0.5, 3), TypeMismatchError, "milestones must be a list or tuple"),
    (lambda: MultiStepDecay(0.5, [3, 1]), ArgumentError, "milestones must be increasing"),
    (lambda: ExponentialDecay(0.5, 1.5), ArgumentError, "gamma must be between 0 and 1"),
    (lambda: NaturalExpDecay(0.5, -1.0), ArgumentError, "gamma must be above 0"),
    (lambda: PolynomialDecay(0.5, 0), ArgumentError, "decay_steps must be at least 1"),
    (lambda: PolynomialDecay(0.5, 3, power=0.0), ArgumentError, "power must be above 0"),
    (lambda: PiecewiseDecay([1, 2], [1.0, 2.0]), ArgumentError, "need 3 values, received 2"),
    (lambda: NoamDecay(-1, 3), ArgumentError, "d_model must be above 0"),
    (lambda: LambdaDecay(0.5, 3), TypeMismatchError, "lr_lambda must be a function"),
    (lambda: MultiplicativeDecay(0.5, 3), TypeMismatchError, "lr_lambda must be a function"),
    (lambda: LinearWarmup("a", 5, 0.0, 1.0), TypeMismatchError, "learning_rate must be a number"),
    (lambda: LinearWarmup(0.5, 0, 0.0, 1.0), ArgumentError, "warmup_steps must be at least 1"),
    (lambda: LinearWarmup(0.5, 5, 1.0, 0.5), ArgumentError, "end_lr must be above start_lr"),
    (lambda: LinearLR(0.5, 0), ArgumentError, "total_steps must be at least 1"),
    (lambda: LinearLR(0.5, 3, 2.0), ArgumentError, "start_factor must be above 0"),
    (lambda: LinearLR(0.5, 3, 1.0, 2.0), ArgumentError, "end_factor must be between 0 and 1"),
    (lambda: CosineAnnealingDecay(0.5, 10.5), TypeMismatchError, "T_max must be an integer"),
    (lambda: CosineAnnealingDecay(0.5, 5, "0"), TypeMismatchError, "eta_min must be a number"),
    (lambda: CosineAnnealingWarmRestarts(0.5, 0), ArgumentError, "T_0 must be at least 1"),
    (lambda: CosineAnnealingWarmRestarts(0.5, 2, 0), ArgumentError, "T_mult must be at least 1"),
    (
        lambda: CosineAnnealingWarmRestarts(0.5, 2).step(-1),
        ArgumentError,
        "epoch must be at least 0",
    ),
    (lambda: OneCycleLR(1.0, 0), ArgumentError, "total_steps must be at least 1"),
    (lambda: OneCycleLR(1.0, 9, anneal_strategy="p"), ArgumentError, "'cos' or 'linear'"),
    (lambda: OneCycleLR(1.0, 9, phase_pct=2.0), ArgumentError, "phase_pct must be between"),
    (
        lambda: OneCycleLR(1.0, 9, phase_pct=0.7, three_phase=True),
        ArgumentError,
        "below 0.5 in three phases",
    ),
    (stepped_beyond_its_end, ArgumentError, "has 3 steps, this is number 4"),
    (lambda: CyclicLR(0.1, 1.0, -1), ArgumentError, "step_size_up must be at least 1"),
    (lambda: CyclicLR(0.1, 1.0, 3, mode="x"), ArgumentError, "mode must be one of triangular"),
    (
        lambda: CyclicLR(0.1, 1.0, 3, scale_fn=abs, scale_mode="q"),
        ArgumentError,
        "scale_mode must be 'cycle' or 'iterations'",
    ),
    (lambda: ReduceOnPlateau(1.0, "x"), ArgumentError, "mode must be 'min' or 'max'"),
    (lambda: ReduceOnPlateau(1.0, factor=1.0), ArgumentError, "factor must be below 1"),
    (lambda: ReduceOnPlateau(1.0, threshold_mode="r"), ArgumentError, "'rel' or 'abs'"),
    (lambda: ReduceOnPlateau(1.0).step("a"), TypeMismatchError, "must be a number or a tensor"),
    (lambda: ReduceOnPlateau(1.0).step(np.ones(2)), ArgumentError, "must have one element"),
    (
        lambda: StepDecay(0.5, 3).set_state_dict({"last_epoch": 3}),
        UnknownNameError,
        "StepDecay needs",
    ),
]


@pytest.mark.parametrize(("wrong", "kind", "message"), WRONG)
def test_wrong_values_are_refused(wrong: Callable, kind: type[TwinoarError], message: str) -> None:
    with pytest.raises(kind, match=message):
        wrong()
