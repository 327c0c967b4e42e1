"""What optimizers remember: names, saving, loading, and going on as if nothing had happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from twinoar.core import unique_name
from twinoar.core.interpreter import current
from twinoar.core.spec import Spec
from twinoar.eager.tensor import Parameter, to_tensor
from twinoar.errors import ShapeError, UnknownNameError
from twinoar.ops.math.fill import fill
from twinoar.ops.reduce.reduction import sum as total
from twinoar.optimizer import SGD, Adam, AdamW, Lamb, Momentum, RMSProp
from twinoar.optimizer.lr import CosineAnnealingDecay, LambdaDecay, StepDecay
from twinoar.static.executor import Executor
from twinoar.static.mode import program_guard
from twinoar.static.program import Program
from twinoar.static.scope import Scope, scope_guard

MAKERS = [
    lambda ps: SGD(StepDecay(0.1, 2), ps),
    lambda ps: Momentum(0.1, parameters=ps),
    lambda ps: Adam(0.1, parameters=ps),
    lambda ps: Adam(CosineAnnealingDecay(0.1, 6), parameters=ps, amsgrad=True),
    lambda ps: AdamW(0.1, parameters=ps),
    lambda ps: RMSProp(0.1, momentum=0.5, centered=True, parameters=ps),
    lambda ps: Lamb(0.1, parameters=ps),
    lambda ps: Adam(0.1, parameters=[{"params": [p]} for p in ps]),
]


def network(dtype: Any = np.float32) -> list[Parameter]:
    random = np.random.default_rng(0)
    shapes = {"w": (2, 3), "b": (3,)}
    return [Parameter(random.standard_normal(s).astype(dtype), name=n) for n, s in shapes.items()]


def train(optimizer: Any, parameters: list[Parameter], steps: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    for _ in range(steps):
        for p in parameters:
            p.grad = to_tensor(random.standard_normal(p.shape).astype(p.dtype.numpy))
        optimizer.step()
        if "LR_Scheduler" in optimizer.state_dict():
            optimizer._learning_rate.step()


def copied(state: dict) -> dict:
    """As it is after saving and loading: nested dicts of arrays and numbers."""
    return {
        k: copied(v) if isinstance(v, dict) else np.array(v) if hasattr(v, "numpy") else v
        for k, v in state.items()
    }


@pytest.mark.parametrize("already_stepped", [False, True])
@pytest.mark.parametrize("make", MAKERS)
def test_loading_a_state_goes_on_bit_for_bit(make: Callable, already_stepped: bool) -> None:
    whole = network()
    optimizer = make(whole)
    train(optimizer, whole, 4, seed=1)
    saved, weights = copied(optimizer.state_dict()), [p.numpy() for p in whole]
    train(optimizer, whole, 4, seed=2)

    resumed = network()
    other = make(resumed)
    if already_stepped:
        train(other, resumed, 1, seed=5)
    for p, w in zip(resumed, weights, strict=True):
        p.set_value(w)
    other.set_state_dict(saved)
    train(other, resumed, 4, seed=2)
    assert [p.numpy().tobytes() for p in resumed] == [p.numpy().tobytes() for p in whole]


def test_keys_and_shapes_are_paddles() -> None:
    with unique_name.guard():
        ps = network()
        optimizer = Adam(StepDecay(0.5, 2), parameters=ps)
        train(optimizer, ps, 1, seed=0)
    state = optimizer.state_dict()
    assert {k: getattr(v, "shape", v) for k, v in state.items()} == {
        "w_moment1_0": [2, 3],
        "b_moment1_0": [3],
        "w_moment2_0": [2, 3],
        "b_moment2_0": [3],
        "w_beta1_pow_acc_0": [1],
        "b_beta1_pow_acc_0": [1],
        "w_beta2_pow_acc_0": [1],
        "b_beta2_pow_acc_0": [1],
        "LR_Scheduler": {"last_epoch": 1, "last_lr": 0.5},
    }
    assert [k for k, v in state.items() if getattr(v, "name", k) != k] == []
    np.testing.assert_allclose(state["w_beta1_pow_acc_0"].numpy(), 0.81, rtol=1e-6)


@pytest.mark.parametrize(
    ("make", "kinds"),
    [
        (lambda ps: SGD(0.1, ps), []),
        (lambda ps: Momentum(0.1, parameters=ps), ["velocity"]),
        (lambda ps: RMSProp(0.1, parameters=ps), ["momentum", "mean_square", "mean_grad"]),
        (
            lambda ps: Adam(0.1, parameters=ps, amsgrad=True),
            ["moment1", "moment2", "moment2_max", "beta1_pow_acc", "beta2_pow_acc"],
        ),
    ],
)
def test_each_rule_has_paddles_names(make: Callable, kinds: list[str]) -> None:
    with unique_name.guard():
        ps = network()[:1]
        optimizer = make(ps)
        train(optimizer, ps, 1, seed=0)
    assert list(optimizer.state_dict()) == [f"w_{kind}_0" for kind in kinds]


def test_there_is_nothing_to_save_before_the_first_step() -> None:
    assert Adam(0.1, parameters=network()).state_dict() == {}


def test_a_second_optimizer_has_names_of_its_own_and_loads_the_first_ones_state() -> None:
    with unique_name.guard():
        ps = network()
        first, second = Momentum(0.1, parameters=ps), Momentum(0.1, parameters=ps)
        train(first, ps, 1, seed=0)
        train(second, ps, 1, seed=1)
    assert list(second.state_dict()) == ["w_velocity_1", "b_velocity_1"]
    second.set_state_dict(first.state_dict())
    found = second.state_dict()["w_velocity_1"].numpy()
    assert found.tolist() == first.state_dict()["w_velocity_0"].numpy().tolist()


def test_a_loaded_state_can_be_saved_before_the_first_step() -> None:
    ps = network()
    first = Momentum(0.1, parameters=ps)
    train(first, ps, 2, seed=0)
    second = Momentum(0.1, parameters=ps)
    second.set_state_dict(copied(first.state_dict()))
    pairs = zip(first.state_dict().values(), second.state_dict().values(), strict=True)
    assert all((a.numpy() == b.numpy()).all() for a, b in pairs)


def test_a_loaded_state_is_a_copy() -> None:
    ps = network()
    optimizer = Momentum(0.1, parameters=ps)
    train(optimizer, ps, 1, seed=0)
    state = {k: v.numpy() for k, v in optimizer.state_dict().items()}
    before = {k: v.copy() for k, v in state.items()}
    optimizer.set_state_dict(state)
    train(optimizer, ps, 1, seed=1)
    assert all((state[k] == before[k]).all() for k in state)


def test_master_weights_are_saved_and_loaded() -> None:
    ps = network(np.float16)
    optimizer = Adam(0.1, parameters=ps, multi_precision=True)
    train(optimizer, ps, 3, seed=0)
    saved = copied(optimizer.state_dict())
    assert {k: v.dtype for k, v in saved["master_weights"].items()} == {
        "w": np.float32,
        "b": np.float32,
    }
    resumed = network(np.float16)
    other = Adam(0.1, parameters=resumed, multi_precision=True)
    other.set_state_dict(saved)
    train(optimizer, ps, 3, seed=1)
    train(other, resumed, 3, seed=1)
    assert [p.numpy().tobytes() for p in resumed] == [p.numpy().tobytes() for p in ps]


def test_parameters_that_are_not_known_yet_find_their_state_on_the_first_step() -> None:
    ps = network()
    first = Momentum(0.1, parameters=ps)
    train(first, ps, 1, seed=0)
    late = Momentum(0.1, parameters=[])
    late.set_state_dict(copied(first.state_dict()))
    late.apply_gradients([(ps[1], to_tensor(np.zeros(3, np.float32)))])
    (found,) = late.state_dict().values()
    expected = 0.9 * first.state_dict()[next(k for k in first.state_dict() if k[0] == "b")].numpy()
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)


def test_a_wrong_shape_is_refused_and_nothing_changes() -> None:
    ps = network()
    optimizer = Momentum(0.1, parameters=ps)
    train(optimizer, ps, 1, seed=0)
    before = copied(optimizer.state_dict())
    wrong = {k: np.zeros(5, np.float32) if k.startswith("b") else v * 0 for k, v in before.items()}
    with pytest.raises(ShapeError, match=r"b_velocity_\d+ must have shape \[3\], received \[5\]"):
        optimizer.set_state_dict(wrong)
    assert all((optimizer.state_dict()[k].numpy() == v).all() for k, v in before.items())


def test_a_wrong_shape_is_refused_before_the_first_step_too() -> None:
    with pytest.raises(ShapeError, match=r"w_velocity_0 must have shape \[2, 3\]"):
        Momentum(0.1, parameters=network()).set_state_dict({"w_velocity_0": np.zeros(2)})


def test_a_missing_moment_is_named() -> None:
    ps = network()
    optimizer = Adam(0.1, parameters=ps)
    train(optimizer, ps, 1, seed=0)
    state = {k: v for k, v in optimizer.state_dict().items() if not k.startswith("w_moment2")}
    with pytest.raises(UnknownNameError, match="no w_moment2, but others of that parameter"):
        optimizer.set_state_dict(state)


def test_a_missing_parameter_is_named() -> None:
    ps = network()
    optimizer = Adam(0.1, parameters=ps)
    train(optimizer, ps, 1, seed=0)
    state = {k: v for k, v in optimizer.state_dict().items() if not k.startswith("w")}
    with pytest.raises(UnknownNameError, match="nothing for w"):
        optimizer.set_state_dict(state)


def test_a_state_of_other_parameters_is_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"it has v_velocity_0, wanted is w_velocity"):
        Momentum(0.1, parameters=network()).set_state_dict({"v_velocity_0": np.zeros((2, 3))})


def test_unused_entries_are_warned_of() -> None:
    ps = network()
    optimizer = Momentum(0.1, parameters=ps)
    train(optimizer, ps, 1, seed=0)
    with pytest.warns(UserWarning, match="no use for the entries"):
        optimizer.set_state_dict({**optimizer.state_dict(), "more": np.zeros(1)})


def test_a_schedule_needs_its_state() -> None:
    with pytest.raises(UnknownNameError, match="no 'LR_Scheduler', which StepDecay needs"):
        SGD(StepDecay(0.1, 2), network()).set_state_dict({})


def test_a_schedule_of_a_function_may_go_without_its_state() -> None:
    optimizer = SGD(LambdaDecay(0.1, lambda epoch: 1.0), network())
    optimizer.set_state_dict({})
    assert optimizer.get_lr() == 0.1


def test_the_state_of_a_schedule_does_not_matter_to_a_number() -> None:
    optimizer = SGD(0.1, network())
    optimizer.set_state_dict({"LR_Scheduler": {"last_epoch": 2, "last_lr": 0.3}})
    assert optimizer.get_lr() == 0.1


def test_the_state_of_a_program_is_set_in_its_scope() -> None:
    main, startup = Program(), Program()
    with program_guard(main, startup), unique_name.guard():
        w = current().create_parameter(Spec((2,)), lambda s: fill(s.shape, 1.0, s.dtype), name="w")
        optimizer = Momentum(0.1)
        optimizer.minimize(total(w))
    with scope_guard(Scope()):
        executor = Executor()
        executor.run(startup)
        optimizer.set_state_dict({"w_velocity_7": np.full(2, 10.0, np.float32)})
        (found,) = executor.run(main, fetch_list=["w_velocity_0"])
    assert list(optimizer.state_dict()) == ["w_velocity_0"]
    assert found.tolist() in ([10.0, 10.0], [10 * 0.9 + 1] * 2)
