"""Gradients inside a traced function: backward, grad, .grad, and what is refused."""

import pytest

import twinoar as paddle
from tests.jit.training import Run, assert_same, compare, usual
from twinoar import optimizer
from twinoar.errors import (
    ArgumentError,
    ConversionError,
    GradientError,
    ProgramError,
    TypeMismatchError,
)
from twinoar.jit import to_static
from twinoar.nn import functional

pytestmark = pytest.mark.usefixtures("numpy_backend")


def test_gradient_penalty_differentiates_twice():
    def step_of(run):
        def train_step(x, y):
            x = x * 1.0
            x.stop_gradient = False
            out = run.net(x)
            (slope,) = paddle.grad(out.sum(), x, create_graph=True)
            loss = functional.cross_entropy(out, y) + ((slope**2).sum(axis=1) - 1).square().mean()
            loss.backward()
            run.optimizer.step()
            run.optimizer.clear_grad()
            return loss

        return train_step

    compare(step_of)


def test_grad_leaves_the_gradients_of_tensors_as_they_are():
    def step_of(run):
        def slopes(x, y):
            found = paddle.grad(run.loss(x, y), run.parameters[:1])
            assert run.parameters[0].grad is None
            return found[0]

        return slopes

    compare(step_of, calls=2)


def test_grad_reaches_a_parameter_through_its_old_value_and_its_new_one():
    def step_of(run):
        w = run.parameters[0]

        def slopes(x, y):
            before = (w * 3).sum()
            run.loss(x, y).backward()
            run.optimizer.step()
            run.optimizer.clear_grad()
            old = paddle.grad(before, w, retain_graph=True)[0]
            return old + paddle.grad(before + (w**3).sum(), w)[0]

        return slopes

    compare(step_of, calls=2)


def test_grad_with_respect_to_what_wants_none_is_refused():
    run = Run()

    @to_static
    def slope(x, y):
        return paddle.grad(run.loss(x, y), x)[0]

    with pytest.raises(GradientError, match="stop_gradient=True"):
        slope(*run.batch())


def test_grad_says_where_there_is_none():
    other = paddle.create_parameter([2], "float32")
    run = Run()

    @to_static
    def slope(x, y):
        return paddle.grad(run.loss(x, y), other)[0]

    with pytest.raises(GradientError, match="do not depend on input"):
        slope(*run.batch())


def test_graph_is_used_twice_only_where_it_is_retained():
    run = Run()

    def twice(x, y, retain_graph):
        loss = run.loss(x, y)
        loss.backward(retain_graph=retain_graph)
        loss.backward()
        return loss

    converted = to_static(twice)
    with pytest.raises(GradientError, match="already used by a backward pass"):
        converted(*run.batch(), False)
    assert all(p.grad is None for p in run.parameters)
    x, y = run.batch()
    converted(x, y, True)
    found = [p.grad.numpy() for p in run.parameters]
    run.optimizer.clear_grad(False)
    twice(x, y, True)
    assert_same(found, [p.grad.numpy() for p in run.parameters])


def test_result_is_no_leaf_and_its_graph_is_freed():
    run = Run()
    loss = to_static(usual(run))(*run.batch())
    assert (loss.stop_gradient, loss.is_leaf) == (False, False)
    with pytest.raises(GradientError, match="already used by a backward pass"):
        loss.backward()


def test_gradients_flow_out_of_results_that_no_backward_used():
    results = []
    for convert in (lambda step: step, to_static):
        run = Run()

        def partly(x, y, run=run):
            loss = run.loss(x, y)
            loss.backward()
            return loss, run.loss(x * 2, y)

        loss, other = convert(partly)(*run.batch())
        other.backward()
        with pytest.raises(GradientError, match="already used"):
            loss.backward()
        results.append([loss.numpy(), other.numpy(), *run.arrays()])
    assert_same(results[1], results[0])


def test_gradient_through_an_updated_parameter_does_not_leave_the_call():
    run = Run()

    @to_static
    def train_step(x, y):
        run.loss(x, y).backward()
        run.optimizer.step()
        return run.loss(x, y)

    with pytest.raises(ConversionError, match="through a parameter after its update"):
        train_step(*run.batch())


def test_gradients_of_arguments_are_added_to_theirs():
    @to_static
    def slope(x):
        loss = (x**3).sum()
        loss.backward()
        return x.grad * 1

    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    assert slope(x).tolist() == [3.0, 12.0]
    assert x.grad.tolist() == [3.0, 12.0]
    with pytest.raises(ConversionError, match="has a gradient from before the call"):
        slope(x)
    fixed = paddle.to_tensor([1.0, 2.0])
    with pytest.raises(GradientError, match="does not want a gradient"):
        slope(fixed)


def test_gradients_of_arguments_accumulate_and_pass_their_hooks():
    @to_static
    def back(x):
        (x * 2).sum().backward()
        return x.detach()

    x = paddle.to_tensor([1.0], stop_gradient=False)
    back(x)
    x.register_hook(lambda g: g * 10)
    back(x)
    assert x.grad.tolist() == [22.0]


def test_a_leaf_that_the_function_makes_has_a_gradient_and_may_be_changed():
    def step_of(run):
        def attacked(x, y):
            shift = paddle.zeros_like(x)
            shift.stop_gradient = False
            for _ in range(2):
                run.loss(x + shift, y).backward()
                with paddle.no_grad():
                    shift.add_(0.1 * shift.grad.sign())
                shift.clear_gradient()
            return usual(run)(x + shift.detach(), y)

        return attacked

    compare(step_of)


# What is refused.


def test_backward_does_not_leave_through_what_was_computed_outside():
    x = paddle.to_tensor([1.0], stop_gradient=False) * 2

    @to_static
    def captured(y):
        (x * y).sum().backward()
        return y

    @to_static
    def passed(y):
        (y * 3).sum().backward()
        return y.detach()

    with pytest.raises(GradientError, match="computed before"):
        captured(paddle.ones([1]))
    with pytest.raises(GradientError, match="computed before"):
        passed(x)


def test_a_parameter_that_is_also_an_argument_is_refused():
    w = paddle.create_parameter([2], "float32")
    sgd = optimizer.SGD(0.1, [w])

    @to_static
    def train_step(w, x):
        (w * x).sum().backward()
        sgd.step()
        return x

    with pytest.raises(ConversionError, match="is an argument"):
        train_step(w, paddle.ones([2]))


def test_the_gradient_of_an_argument_is_not_changed_inside():
    @to_static
    def cleared(x):
        x.clear_grad()
        return x

    with pytest.raises(ConversionError, match="gradient of the argument x0 is changed"):
        cleared(paddle.ones([1]))


def test_value_of_the_loss_is_a_number_and_no_array_inside():
    run = Run()

    @to_static
    def as_number(x, y):
        loss = run.loss(x, y)
        return float(loss), loss.item(), loss

    @to_static
    def as_array(x, y):
        return run.loss(x, y).numpy()

    a, b, loss = as_number(*run.batch())
    assert type(a) is type(b) is float and a == b == loss.item()
    with pytest.raises(ConversionError, match="only a run knows"):
        as_array(*run.batch())


def test_hooks_are_refused_before_and_after_the_trace():
    run = Run()
    step = to_static(usual(run))
    step(*run.batch())
    handle = run.parameters[0].register_hook(lambda g: g * 2)
    with pytest.raises(ConversionError, match="has a hook"):
        step(*run.batch())
    handle.remove()
    step(*run.batch())

    @to_static
    def reads_first(x, y):
        assert run.parameters[0].grad is not None
        return usual(run)(x, y)

    handle = run.parameters[0].register_hook(lambda g: g * 2)
    with pytest.raises(ConversionError, match="has a hook"):
        reads_first(*run.batch())

    @to_static
    def hooked(x):
        x.register_hook(print)
        return x

    with pytest.raises(ProgramError, match="calls no Python"):
        hooked(paddle.ones([1]))


def test_backward_in_a_branch_on_a_tensor_is_refused():
    run = Run()

    @to_static
    def train_step(x, y):
        loss = run.loss(x, y)
        if loss > 0:
            loss.backward()
        return loss

    with pytest.raises(ConversionError, match="inside a branch or loop"):
        train_step(*run.batch())


@pytest.mark.parametrize("rule", ["sgd", "adam"])
def test_a_step_in_a_branch_on_a_tensor_is_made_when_that_runs(rule):
    def step_of(run):
        def train_step(x, y):
            loss = run.loss(x, y)
            loss.backward()
            if x.mean() > 0:
                run.optimizer.step()
            run.optimizer.clear_grad()
            return run.loss(x, y).detach()

        return train_step

    compare(step_of, calls=6, rule=rule)


def test_a_leaf_is_not_changed_in_place_while_gradients_are_recorded():
    w = paddle.create_parameter([2], "float32")

    @to_static
    def change(x):
        w.scale_(2.0)
        return x

    with pytest.raises(ArgumentError, match="is changed in place"):
        change(paddle.ones([2]))


def test_under_no_grad_there_is_nothing_to_go_back_through():
    run = Run()
    step = to_static(usual(run))
    with paddle.no_grad(), pytest.raises(GradientError, match="does not want a gradient"):
        step(*run.batch())


def test_loss_must_be_a_tensor():
    @to_static
    def wrong(x):
        paddle.autograd.backward(["loss"])
        return x

    with pytest.raises(TypeMismatchError, match="expected a Tensor to differentiate"):
        wrong(paddle.ones([1]))


def test_a_trace_that_fails_leaves_no_symbol_behind():
    run = Run(rule="adam")
    fails = True

    def train_step(x, y):
        loss = usual(run)(x, y)
        if fails:
            raise RuntimeError("in the middle")
        return loss

    step = to_static(train_step)
    before = [p.numpy() for p in run.parameters]
    with pytest.raises(RuntimeError, match="in the middle"):
        step(*run.batch())
    assert all(p.grad is None for p in run.parameters)
    assert_same([p.numpy() for p in run.parameters], before)
    fails = False
    step(*run.batch())
    other = Run(rule="adam")
    other.batch()
    usual(other)(*other.batch())
    assert_same(run.arrays(), other.arrays())
