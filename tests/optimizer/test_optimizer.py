"""What all optimizers share: parameters, groups, rates, minimize, and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from twinoar.core.interpreter import current
from twinoar.core.spec import Spec
from twinoar.eager.tensor import Parameter, to_tensor
from twinoar.errors import (
    ArgumentError,
    GradientError,
    TwinoarError,
    TypeMismatchError,
    UnsupportedError,
)
from twinoar.nn.clip import ClipGradByGlobalNorm, ClipGradByValue
from twinoar.ops.math.fill import fill
from twinoar.ops.reduce.reduction import sum as total
from twinoar.optimizer import (
    ASGD,
    SGD,
    Adam,
    AdamW,
    Lamb,
    Momentum,
    NAdam,
    Optimizer,
    RAdam,
    Rprop,
)
from twinoar.optimizer.lr import StepDecay
from twinoar.regularizer import L1Decay, L2Decay
from twinoar.static.executor import Executor
from twinoar.static.mode import program_guard
from twinoar.static.program import Program
from twinoar.static.scope import Scope


def parameter(value: float = 1.0, name: str | None = None, **traits: Any) -> Parameter:
    made = Parameter(np.full(2, value, np.float32), name=name)
    made.__dict__.update(traits)
    return made


def give(gradient: float, *parameters: Parameter) -> None:
    for p in parameters:
        p.grad = to_tensor(np.full(2, gradient, np.float32))


def values(*parameters: Parameter) -> list[float]:
    return [round(float(p.numpy()[0]), 5) for p in parameters]


def test_step_leaves_parameters_without_a_gradient_alone() -> None:
    with_gradient, without, frozen = parameter(), parameter(), parameter()
    give(1.0, with_gradient, frozen)
    frozen.stop_gradient = True
    optimizer = Adam(0.1, parameters=[with_gradient, without, frozen])
    optimizer.step()
    assert values(with_gradient, without, frozen) == [0.9, 1.0, 1.0]
    assert all(key.startswith(with_gradient.name) for key in optimizer.state_dict())


def test_step_keeps_the_gradient_itself_as_it_was() -> None:
    p = parameter()
    give(3.0, p)
    SGD(0.1, [p], weight_decay=0.5, grad_clip=ClipGradByValue(1.0)).step()
    assert p.grad.tolist() == [3.0, 3.0]


def test_step_is_not_recorded_for_backward() -> None:
    p = parameter()
    give(1.0, p)
    Momentum(0.1, parameters=[p], weight_decay=0.1).step()
    assert p.is_leaf
    assert not p.stop_gradient


def test_step_changes_what_views_show_and_no_copies() -> None:
    p = parameter()
    view, copy = p.detach(), p.detach().clone()
    give(1.0, p)
    SGD(0.1, [p]).step()
    assert copy.tolist() == [1.0, 1.0]
    assert view.tolist() == p.tolist() != copy.tolist()


@pytest.mark.parametrize(("set_to_zero", "left"), [(True, [0.0, 0.0]), (False, None)])
def test_clear_grad_fills_with_zeros_or_forgets(set_to_zero: bool, left: Any) -> None:
    p = parameter()
    give(1.0, p)
    SGD(0.1, [p]).clear_grad(set_to_zero)
    assert (None if p.grad is None else p.grad.tolist()) == left


def test_clear_grad_makes_no_gradient_where_there_was_none() -> None:
    p = parameter()
    SGD(0.1, [p]).clear_gradients()
    assert p.grad is None


def test_a_generator_of_parameters_can_be_read_twice() -> None:
    ps = [parameter(), parameter()]
    optimizer = SGD(0.1, (p for p in ps))
    give(1.0, *ps)
    optimizer.step()
    optimizer.step()
    assert values(*ps) == [0.8, 0.8]
    assert [id(p) for p in optimizer._parameter_list] == [id(p) for p in ps]


# What a ParamAttr says.


def test_learning_rate_of_a_parameter_is_a_factor() -> None:
    p = parameter(optimize_attr={"learning_rate": 0.5})
    give(1.0, p)
    SGD(0.2, [p]).step()
    assert values(p) == [0.9]


@pytest.mark.parametrize("make", [SGD, lambda r, ps, **kw: Momentum(r, parameters=ps, **kw)])
def test_regularizer_of_a_parameter_replaces_the_optimizers(make: Callable) -> None:
    own, other = parameter(2.0, regularizer=L1Decay(0.5)), parameter(2.0)
    give(0.0, own, other)
    make(0.1, [own, other], weight_decay=1.0).step()
    assert values(own, other) == [1.95, 1.8]


def test_regularizer_of_a_parameter_adds_to_the_decay_of_adamw() -> None:
    p = parameter(1.0, regularizer=L1Decay(1.0))
    give(0.0, p)
    AdamW(0.1, parameters=[p], weight_decay=0.5).step()
    assert values(p) == [0.85]  # 1 - 0.1 * 0.5 * 1, less Adam's first step of 0.1


def test_need_clip_false_keeps_clipping_away() -> None:
    free, clipped = parameter(need_clip=False), parameter()
    give(5.0, free, clipped)
    SGD(0.1, [free, clipped], grad_clip=ClipGradByValue(1.0)).step()
    assert values(free, clipped) == [0.5, 0.9]


# Groups.


def test_groups_have_their_own_rate_decay_and_clip() -> None:
    a, b, c, d = (parameter() for _ in range(4))
    optimizer = SGD(
        0.1,
        [
            {"params": [a]},
            {"params": [b], "learning_rate": 0.5},
            {"params": [c], "weight_decay": 1.0},
            {"params": [d], "grad_clip": ClipGradByValue(0.5)},
        ],
        weight_decay=0.1,
    )
    give(1.0, a, b, c, d)
    optimizer.step()
    assert values(a, b, c, d) == [0.89, 0.945, 0.8, 0.94]


def test_a_groups_decay_replaces_the_parameters_own() -> None:
    p = parameter(regularizer=L1Decay(5.0))
    give(0.0, p)
    SGD(0.1, [{"params": [p], "weight_decay": 1.0}]).step()
    assert values(p) == [0.9]


def test_a_global_norm_is_that_of_one_group() -> None:
    a, b = parameter(), parameter()
    groups = [{"params": [a]}, {"params": [b]}]
    give(np.sqrt(8.0), a)  # norm 4
    give(np.sqrt(0.5), b)  # norm 1
    SGD(1.0, groups, grad_clip=ClipGradByGlobalNorm(1.0)).step()
    assert values(a, b) == [round(1 - np.sqrt(0.5), 5)] * 2


def test_groups_have_their_own_settings_of_the_rule() -> None:
    a, b = parameter(), parameter()
    optimizer = Momentum(0.1, 0.9, [{"params": [a], "momentum": 0.5}, {"params": [b]}])
    for _ in range(2):
        give(1.0, a, b)
        optimizer.step()
    assert values(a, b) == [0.75, 0.71]


def test_groups_of_adamw_have_their_own_decay() -> None:
    a, b = parameter(), parameter()
    optimizer = AdamW(0.1, parameters=[{"params": [a], "weight_decay": 0.5}, {"params": [b]}])
    give(1.0, a, b)
    optimizer.step()
    assert values(a, b) == [0.85, 0.899]


def test_groups_can_be_read_as_dicts() -> None:
    p = parameter()
    optimizer = Adam(0.1, parameters=[{"params": [p], "beta1": 0.5}])
    assert optimizer._param_groups[0]["beta1"] == 0.5
    assert optimizer._param_groups[0]["params"][0] is p


def test_minimize_works_with_groups() -> None:
    p = parameter()
    loss = total(p * p)
    loss.backward()
    SGD(0.1, [{"params": [p]}]).minimize(loss)
    assert values(p) == [0.8]


# AdamW and Lamb choose what decays.


def test_adamw_asks_by_name_what_decays() -> None:
    a, b = parameter(name="decays"), parameter(name="stays")
    give(1.0, a, b)
    chosen = lambda name: name == "decays"  # noqa: E731
    AdamW(0.1, parameters=[a, b], weight_decay=0.5, apply_decay_param_fun=chosen).step()
    assert values(a, b) == [0.85, 0.9]


def test_adamw_scales_the_rate_by_lr_ratio() -> None:
    p = parameter()
    give(1.0, p)
    AdamW(0.1, parameters=[p], weight_decay=0.5, lr_ratio=lambda p: 0.5).step()
    assert values(p) == [0.925]


def test_lamb_asks_what_does_not_decay() -> None:
    a, b = parameter(name="left"), parameter(name="right")
    give(1.0, a, b)
    excluded = lambda p: p.name == "left"  # noqa: E731
    Lamb(0.1, 0.5, parameters=[a, b], exclude_from_weight_decay_fn=excluded).step()
    # Adam's first direction is 1; without decay its length is left as it is, else it becomes |w|.
    assert values(a, b) == [0.9, 0.9]
    give(0.0, a, b)
    zero = Lamb(0.1, 0.5, parameters=[a, b], exclude_from_weight_decay_fn=excluded)
    zero.step()  # without a gradient only decay moves
    assert values(a, b) == [0.9, 0.81]


# The learning rate.


def test_rate_can_be_set_and_read() -> None:
    p = parameter()
    optimizer = SGD(0.1, [p])
    optimizer.set_lr(0.5)
    give(1.0, p)
    optimizer.step()
    assert optimizer.get_lr() == 0.5
    assert values(p) == [0.5]


def test_a_schedule_can_be_put_in_place_of_a_number() -> None:
    optimizer = SGD(0.1, [parameter()])
    schedule = StepDecay(0.4, 1, 0.5)
    optimizer.set_lr_scheduler(schedule)
    schedule.step()
    assert optimizer.get_lr() == 0.2
    assert optimizer._learning_rate is schedule


# minimize and its halves, eagerly.


def test_minimize_uses_the_gradients_that_backward_left() -> None:
    p = parameter()
    loss = total(p * p)
    optimizer = SGD(0.1, [p])
    assert optimizer.minimize(loss) == ([], [])
    assert values(p) == [1.0]
    loss.backward()
    operators, pairs = optimizer.minimize(loss)
    assert (operators, len(pairs), pairs[0][0] is p) == ([], 1, True)
    assert values(p) == [0.8]


def test_minimize_keeps_to_the_parameters_it_is_given() -> None:
    a, b, c = parameter(), parameter(), parameter(name="left_out")
    give(1.0, a, b, c)
    loss = to_tensor(1.0)
    SGD(0.1, [a, b, c]).minimize(loss, parameters=[a, c], no_grad_set={"left_out"})
    assert values(a, b, c) == [0.9, 1.0, 1.0]


def test_apply_gradients_takes_pairs_from_anywhere() -> None:
    p = parameter()
    without = parameter()
    pairs = [(without, None), (p, to_tensor([1.0, 1.0]))]
    assert SGD(0.1, []).apply_gradients(pairs) == []
    assert values(p, without) == [0.9, 1.0]


# In a static Program.


def build(make: Callable[[], Optimizer], **traits: Any) -> tuple:
    main, startup = Program(), Program()
    with program_guard(main, startup):
        create = current().create_parameter
        w = create(Spec((2,)), lambda s: fill(s.shape, 1.0, s.dtype), name="w", **traits)
        loss = total(w * w)
        optimizer = make()
        operators, pairs = optimizer.minimize(loss)
    return main, startup, optimizer, operators, pairs


def run(main: Program, startup: Program, steps: int, after: Callable = lambda: None) -> np.ndarray:
    executor, scope = Executor(), Scope()
    executor.run(startup, scope=scope)
    for _ in range(steps):
        executor.run(main, scope=scope)
        after()
    return np.array(scope.find_var("w"))


MAKERS = [
    lambda ps=None: SGD(0.1, ps, weight_decay=0.1),
    lambda ps=None: Momentum(0.1, parameters=ps, use_nesterov=True, weight_decay=L1Decay(0.1)),
    lambda ps=None: Adam(0.1, parameters=ps, grad_clip=ClipGradByGlobalNorm(0.5)),
    lambda ps=None: AdamW(0.1, parameters=ps, weight_decay=0.3),
    lambda ps=None: Adam(0.1, parameters=ps, amsgrad=True),
    lambda ps=None: Lamb(0.1, parameters=ps),
    lambda ps=None: NAdam(0.1, parameters=ps),
    lambda ps=None: RAdam(0.1, parameters=ps),
    lambda ps=None: ASGD(0.1, 3, parameters=ps),
    lambda ps=None: Rprop(0.1, parameters=ps),
]


@pytest.mark.parametrize("make", MAKERS)
def test_a_program_trains_as_eager_mode_does(make: Callable) -> None:
    main, startup, *_ = build(make, optimize_attr={"learning_rate": 0.5})
    p = parameter(optimize_attr={"learning_rate": 0.5})
    optimizer = make([p])
    for _ in range(5):
        total(p * p).backward()
        optimizer.step()
        optimizer.clear_grad()
    np.testing.assert_allclose(run(main, startup, 5), p.numpy(), rtol=1e-6)


def test_static_minimize_returns_operators_and_pairs() -> None:
    main, _, _, operators, pairs = build(lambda: SGD(0.1))
    assert [o.op.name for o in operators] == ["sgd"]
    assert all(o.role == "optimize" for o in operators)
    assert [(p.name, g.name) for p, g in pairs] == [("w", "w@GRAD")]
    assert [s.name for s in main.updates] == ["w"]


def test_a_test_program_does_not_train() -> None:
    main, startup, *_ = build(lambda: Adam(0.1))
    assert run(main.clone(for_test=True), startup, 2).tolist() == [1.0, 1.0]


def test_a_program_reads_the_rate_before_each_run() -> None:
    schedule = StepDecay(0.1, 1, 0.5)
    main, startup, *_ = build(lambda: SGD(schedule))
    found = run(main, startup, 2, schedule.step)
    np.testing.assert_allclose(found, (1 - 0.2) * (1 - 0.1), rtol=1e-6)


def test_a_program_trains_only_the_parameters_it_is_given() -> None:
    main, startup = Program(), Program()
    with program_guard(main, startup):
        create, ones = current().create_parameter, lambda s: fill(s.shape, 1.0, s.dtype)
        a, b = create(Spec((2,)), ones, name="a"), create(Spec((2,)), ones, name="b")
        SGD(0.1).minimize(total(a * b), parameters=["a"])
    assert [s.name for s in main.updates] == ["a"]


def test_static_minimize_refuses_a_loss_without_parameters() -> None:
    with program_guard(Program(), Program()), pytest.raises(GradientError, match="no trainable"):
        SGD(0.1).minimize(fill((), 1.0))


# Errors.

WRONG = [
    (lambda p: SGD(0.1), ArgumentError, "needs the parameters"),
    (lambda p: SGD(0.1, p), TypeMismatchError, "must be a list of parameters"),
    (lambda p: SGD(0.1, 3), TypeMismatchError, "received int"),
    (lambda p: SGD(0.1, [1.0]), TypeMismatchError, "received float among them"),
    (lambda p: SGD(None, [p]), ArgumentError, "received None"),
    (lambda p: SGD("fast", [p]), TypeMismatchError, "received 'fast'"),
    (lambda p: SGD(0.1, [p], grad_clip=1.0), TypeMismatchError, "must be a gradient clip"),
    (lambda p: SGD(0.1, [p], "much"), TypeMismatchError, "weight_decay must be a number"),
    (lambda p: AdamW(0.1, parameters=[p], weight_decay=None), TypeMismatchError, "weight_decay"),
    (
        lambda p: AdamW(0.1, parameters=[p], weight_decay=L2Decay(0.1)),
        TypeMismatchError,
        "weight_decay must be a number",
    ),
    (lambda p: AdamW(parameters=[p], lr_ratio=2.0), TypeMismatchError, "must be a function"),
    (lambda p: Momentum(0.1, None, [p]), ArgumentError, "momentum must be a number"),
    (lambda p: Adam(0.1, beta1=1.0, parameters=[p]), ArgumentError, r"beta1 must be in \[0, 1\)"),
    (lambda p: Adam(0.1, beta2=-0.1, parameters=[p]), ArgumentError, "beta2"),
    (lambda p: Adam(0.1, epsilon=-1.0, parameters=[p]), ArgumentError, "epsilon"),
    (lambda p: Adam(0.1, beta1=None, parameters=[p]), TypeMismatchError, "beta1"),
    (
        lambda p: SGD(0.1, [{"params": [p]}, {"params": [p]}]),
        ArgumentError,
        "in more than one group",
    ),
    (lambda p: SGD(0.1, [{"params": [p], "lr": 0.1}]), ArgumentError, "setting 'lr'"),
    (lambda p: SGD(0.1, [{"parameters": [p]}]), TypeMismatchError, "dict with 'params'"),
    (lambda p: SGD(0.1, [p]).minimize(1.0), TypeMismatchError, "the loss must be a Tensor"),
    (lambda p: SGD(0.1, [p]).set_lr("slow"), TypeMismatchError, "must be a number"),
    (lambda p: SGD(0.1, [p]).set_lr(to_tensor(0.1)), TypeMismatchError, "received Tensor"),
    (lambda p: SGD(StepDecay(0.1, 2), [p]).set_lr(0.1), ArgumentError, "follows a schedule"),
    (lambda p: SGD(0.1, [p]).set_lr_scheduler(0.1), TypeMismatchError, "must be an LRScheduler"),
]


@pytest.mark.parametrize(("wrong", "kind", "message"), WRONG)
def test_wrong_calls_say_what_is_wrong(
    wrong: Callable, kind: type[TwinoarError], message: str
) -> None:
    with pytest.raises(kind, match=message):
        wrong(parameter())


def test_the_base_class_has_no_rule() -> None:
    p = parameter()
    give(1.0, p)
    with pytest.raises(UnsupportedError, match="no update rule"):
        Optimizer(0.1, [p]).step()


def test_a_groups_weight_decay_is_another_than_lambs_own() -> None:
    p = Parameter(np.array([1.0, 3.0], "float32"))
    group = {"params": [p], "weight_decay": 0.5}
    lamb = Lamb(0.1, parameters=[group], lamb_weight_decay=0.1)
    for _ in range(2):
        (p * p).sum().backward()
        lamb.step()
        lamb.clear_grad()
    np.testing.assert_allclose(p.numpy(), [0.611, 2.539], atol=5e-4)


def test_a_group_of_lamb_decays_by_its_own_factor() -> None:
    a, b = (Parameter(np.array([1.0, 3.0], "float32")) for _ in range(2))
    groups = [{"params": [a], "lamb_weight_decay": 0.5}, {"params": [b]}]
    both = Lamb(0.1, 0.0, parameters=groups)
    (a.sum() + b.sum()).backward()
    both.step()
    assert not np.allclose(a.numpy(), b.numpy())
