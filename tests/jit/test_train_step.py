"""A training step under to_static: forward, backward and update equal the eager ones to the bit."""

import numpy as np
import pytest

import twinoar as paddle
from tests.jit.training import RULES, Run, assert_same, compare, lenet, mlp, usual
from twinoar import nn, optimizer
from twinoar.errors import ConversionError
from twinoar.jit import to_static
from twinoar.static import InputSpec

pytestmark = pytest.mark.usefixtures("numpy_backend")


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("make", [mlp, lenet])
def test_step_equals_the_eager_one(make, rule):
    step = compare(usual, make=make, rule=rule)
    assert len(step.program_cache) == 1


def test_gradients_that_are_forgotten_are_none_after_the_call():
    step = compare(lambda run: usual(run, False), rule="adam")
    assert len(step.program_cache) == 1


def test_one_program_holds_forward_backward_and_update():
    run = Run()
    step = to_static(usual(run))
    step(*run.batch())
    program = step.main_program
    assert [o.role for o in program.main.ops] == sorted(
        (o.role for o in program.main.ops), key=["forward", "backward", "optimize"].index
    )
    assert {s.data for s in program.updates} == set(run.parameters)
    assert "linear_0.w_0@GRAD" in str(program)


def test_unknown_batch_size_is_one_program():
    def convert(run):
        spec = [InputSpec([None, 6], "float32", "x"), InputSpec([None], "int64", "y")]
        return to_static(usual(run), input_spec=spec)

    eager, static = Run(), Run()
    step, converted = usual(eager), convert(static)
    for count in (4, 2, 7, 2):
        x, y = eager.batch(count)
        np.testing.assert_array_equal(converted(x, y).numpy(), step(x, y).numpy())
    assert_same(static.arrays(), eager.arrays())
    assert len(converted.program_cache) == 1


def test_mode_of_the_network_is_looked_at_and_both_programs_are_kept():
    run = Run(lenet)
    step = to_static(usual(run))
    for training in (True, False, True, False):
        run.net.train(training)
        step(*run.batch())
    assert len(step.program_cache) == 2


# Gradients from before the call, and after it.


def test_gradients_accumulate_over_calls():
    def step_of(run):
        def only_backward(x, y):
            loss = run.loss(x, y)
            loss.backward()
            return loss

        return only_backward

    results = []
    for convert in (lambda step: step, to_static):
        run = Run(rule="adam")
        step = convert(step_of(run))
        losses = []
        for i in range(6):
            losses.append(step(*run.batch()).numpy())
            if i % 3 == 2:
                run.optimizer.step()
                run.optimizer.clear_grad()
        step(*run.batch())
        results.append([*losses, *run.arrays()])
    assert_same(results[1], results[0])
    assert len(step.program_cache) == 2  # without gradients from before, and with


def test_gradients_that_nobody_clears_add_up():
    def step_of(run):
        def train_step(x, y):
            loss = run.loss(x, y)
            loss.backward()
            run.optimizer.step()
            return loss

        return train_step

    compare(step_of, rule="momentum")


def test_micro_batches_accumulate_inside_the_function():
    def step_of(run):
        def train_step(x, y):
            total = 0.0
            for i in range(2):
                loss = run.loss(x[2 * i : 2 * i + 2], y[2 * i : 2 * i + 2]) / 2
                loss.backward()
                total = total + loss.detach()
            run.optimizer.step()
            run.optimizer.clear_grad()
            return total

        return train_step

    compare(step_of, rule="adam")


def test_zeroed_gradients_of_an_unused_parameter_still_move_it():
    def step_of(run):
        spare = paddle.create_parameter([2], "float32")
        spare.grad = paddle.ones([2])
        run.optimizer = optimizer.Adam(0.1, parameters=[*run.parameters, spare])
        run.parameters.append(spare)
        return usual(run)

    compare(step_of)


def test_a_parameter_without_gradient_stays_and_has_no_moments():
    def step_of(run):
        run.parameters.append(paddle.create_parameter([2], "float32"))
        run.optimizer = optimizer.Adam(0.1, parameters=run.parameters)
        return usual(run)

    step = compare(step_of)
    assert len(step.program_cache) == 1


def test_gradients_can_be_read_and_replaced_inside():
    def step_of(run):
        def train_step(x, y):
            loss = run.loss(x, y)
            loss.backward()
            norm = nn.utils.clip_grad_norm_(run.parameters, 0.1)
            for p in run.parameters:
                p.grad = p.grad * 0.5
            run.optimizer.step()
            return norm + run.parameters[0].grad.sum()

        return train_step

    compare(step_of, calls=3)


def test_a_gradient_that_two_leaves_share_is_changed_for_one_alone():
    a, b = (paddle.create_parameter([2], "float32") for _ in range(2))

    @to_static
    def add_up(x):
        (a + b + x).sum().backward()
        a.grad.scale_(3.0)
        return x

    add_up(paddle.ones([2]))
    assert (a.grad.tolist(), b.grad.tolist()) == ([3.0, 3.0], [1.0, 1.0])


def test_parameters_are_frozen_and_freed_between_calls():
    results = []
    for convert in (lambda step: step, to_static):
        run = Run(rule="sgd")
        step = convert(usual(run))
        for frozen in (False, True, False):
            run.parameters[0].stop_gradient = frozen
            step(*run.batch())
        results.append(run.arrays())
    assert_same(results[1], results[0])


# Optimizers.


def test_schedule_outside_changes_the_rate_of_the_next_call():
    results = []
    for convert in (lambda step: step, to_static):
        run = Run()
        schedule = optimizer.lr.StepDecay(0.2, 1, 0.5)
        run.optimizer = optimizer.Adam(schedule, parameters=run.parameters)
        step = convert(usual(run))
        for _ in range(3):
            step(*run.batch())
            schedule.step()
        run.optimizer.set_lr_scheduler(optimizer.lr.StepDecay(0.7, 1))
        step(*run.batch())
        results.append(run.arrays())
    assert_same(results[1], results[0])
    assert len(step.program_cache) == 1


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda run, schedule: schedule.step(), r"StepDecay\.step"),
        (lambda run, schedule: run.optimizer.set_lr(0.3), "set_lr"),
        (lambda run, schedule: paddle.seed(3), "seeding"),
        (lambda run, schedule: run.net[0].weight.register_hook(print), "register_hook"),
    ],
)
def test_what_changes_python_state_is_refused_inside(change, name):
    run, schedule = Run(), optimizer.lr.StepDecay(0.2, 1, 0.5)

    @to_static
    def train_step(x):
        change(run, schedule)
        return x

    with pytest.raises(ConversionError, match=f"{name} changes Python's state"):
        train_step(paddle.ones([1]))


def test_minimize_uses_the_gradients_that_backward_left():
    def step_of(run):
        def train_step(x, y):
            loss = run.loss(x, y)
            loss.backward()
            run.optimizer.minimize(loss)
            run.net.clear_gradients()
            return loss

        return train_step

    compare(step_of, rule="adamw")


def test_two_optimizers_and_a_forward_after_the_first_update():
    def step_of(run):
        first, last = run.parameters[:2], run.parameters[2:]
        run.optimizer, other = optimizer.Adam(0.1, parameters=first), optimizer.SGD(0.2, last)

        def train_step(x, y):
            hidden = run.net[0](x)
            target = hidden.detach()
            loss = run.loss(x, y) + (hidden**2).mean()
            loss.backward()
            run.optimizer.step()
            run.optimizer.clear_grad()
            other.clear_grad()
            again = run.loss(x, y) + ((run.net[0](x) - target) ** 2).mean()
            again.backward()
            other.step()
            run.optimizer.step()
            return loss.detach() + again.detach()

        return train_step

    compare(step_of, calls=3)


def test_several_steps_in_one_call():
    def step_of(run):
        def train_steps(x, y):
            for _ in range(3):
                loss = run.loss(x, y)
                loss.backward()
                run.optimizer.step()
                run.optimizer.clear_grad()
            return loss

        return train_steps

    compare(step_of, calls=2, rule="momentum")


def test_state_is_saved_loaded_and_shared_with_eager_code():
    results = []
    for convert in (lambda step: step, to_static):
        run = Run(rule="adam")
        step, plain = convert(usual(run)), usual(run)
        step(*run.batch())
        saved = {k: v.numpy() for k, v in run.optimizer.state_dict().items()}
        step(*run.batch())
        plain(*run.batch())
        run.optimizer.set_state_dict(saved)
        run.net.set_state_dict({k: v.numpy() * 0.5 for k, v in run.net.state_dict().items()})
        step(*run.batch())
        results.append(run.arrays())
    assert_same(results[1], results[0])
