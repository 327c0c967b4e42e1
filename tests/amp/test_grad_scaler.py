"""Scaled losses: gradients are those without, overflow leaves a step out, the scale follows."""

import copy
import pickle

import numpy as np
import pytest

import twinoar as paddle
from twinoar import amp
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError, UnknownNameError

INF = float("inf")


class Training:
    """A small network, its optimizer and a scaler; `step` trains on rows times a factor."""

    def __init__(self, optimizer=paddle.optimizer.Adam, **settings):
        paddle.seed(5)
        self.network = paddle.nn.Linear(3, 2)
        self.optimizer = optimizer(0.1, parameters=self.network.parameters())
        self.scaler = amp.GradScaler(**{"init_loss_scaling": 8.0, **settings})
        self.x = paddle.rand([4, 3])

    def step(self, factor):
        loss = self.network(self.x * factor).square().mean()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.clear_grad()
        return loss

    def trained(self, factors, converted=False):
        """The weights, the scale and the moments after each step."""
        step = paddle.jit.to_static(self.step, full_graph=True) if converted else self.step
        found = []
        for factor in factors:
            step(paddle.to_tensor(factor))
            moments = [x.numpy() for x in self.optimizer.state_dict().values()]
            scale = self.scaler.state_dict()["scale"].item()
            found.append((self.network.weight.numpy(), scale, moments))
        return found


@pytest.mark.parametrize("converted", [False, True])
@pytest.mark.parametrize("kind", [amp.GradScaler, amp.AmpScaler])
def test_it_trains_as_without_where_nothing_overflows(kind, converted):
    """The scale is a power of two, so that not a bit differs."""
    training = Training()
    training.scaler = kind(init_loss_scaling=8.0)
    *_, (weight, _, _) = training.trained([1.0, 0.5, 2.0], converted)
    other = Training(enable=False)
    for factor in (1.0, 0.5, 2.0):
        other.step(paddle.to_tensor(factor))
    np.testing.assert_allclose(weight, other.network.weight.numpy(), rtol=1e-6)


@pytest.mark.parametrize("converted", [False, True])
@pytest.mark.parametrize("bad", [INF, float("nan")])
@pytest.mark.parametrize(
    "optimizer", [paddle.optimizer.Adam, paddle.optimizer.Momentum, paddle.optimizer.SGD]
)
def test_a_step_with_overflow_changes_nothing_but_the_scale(optimizer, bad, converted):
    training = Training(optimizer, incr_every_n_steps=2)
    first, second, third, fourth = training.trained([1.0, bad, 1.0, 1.0], converted)
    assert [first[1], second[1], third[1], fourth[1]] == [8.0, 4.0, 4.0, 8.0]
    np.testing.assert_array_equal(second[0], first[0])
    for x, y in zip(second[2], first[2], strict=True):
        np.testing.assert_array_equal(x, y)
    assert (third[0] != second[0]).all()


def test_converted_steps_do_not_ask_python():
    training = Training()
    step = paddle.jit.to_static(training.step, full_graph=True)
    step(paddle.to_tensor(1.0))
    step(paddle.to_tensor(INF))
    assert len(step.program_cache.concrete_programs()) == 1


def test_the_scale_shrinks_after_so_many_bad_steps_in_a_row():
    training = Training(decr_every_n_nan_or_inf=2, decr_ratio=0.25)
    scales = [scale for _, scale, _ in training.trained([INF, 1.0, INF, INF, INF, INF])]
    assert scales == [8.0, 8.0, 8.0, 2.0, 2.0, 1.0]  # 1 is the least


def test_a_scale_that_is_not_dynamic_stays_and_still_leaves_steps_out():
    training = Training(use_dynamic_loss_scaling=False)
    first, second = training.trained([1.0, INF])
    assert (first[1], second[1]) == (8.0, 8.0)
    np.testing.assert_array_equal(second[0], first[0])


def test_growth_ends_where_float32_does():
    training = Training(init_loss_scaling=3e38, incr_every_n_steps=1)
    with np.errstate(over="ignore"):
        assert [scale for _, scale, _ in training.trained([0.0, 0.0])] == [np.float32(3e38)] * 2


def test_unscaled_gradients_are_those_of_the_loss():
    training = Training()
    training.scaler.scale(training.network(training.x).sum()).backward()
    scaled = training.network.weight.grad.numpy()
    training.scaler.unscale_(training.optimizer)
    np.testing.assert_allclose(training.network.weight.grad.numpy() * 8, scaled)


def test_one_overflow_among_optimizers_shrinks_the_scale_and_leaves_out_its_step_alone():
    a, b = (paddle.create_parameter([2], "float32") for _ in range(2))
    sgd = [paddle.optimizer.SGD(0.5, parameters=[p]) for p in (a, b)]
    scaler = amp.GradScaler(init_loss_scaling=4.0)
    before = a.numpy(), b.numpy()
    scaler.scale((a * INF).sum() + b.sum()).backward()
    for optimizer in sgd:
        scaler.step(optimizer)
    scaler.update()
    np.testing.assert_array_equal(a.numpy(), before[0])
    np.testing.assert_array_equal(b.numpy(), before[1] - 0.5)
    assert scaler.state_dict()["scale"].tolist() == [2.0]


@pytest.mark.parametrize("enable", [False, True])
def test_minimize_is_step_and_update(enable):
    training = Training(enable=enable, incr_every_n_steps=1)
    other = Training(enable=enable, incr_every_n_steps=1)
    loss = training.network(training.x).sum()
    scaled = training.scaler.scale(loss)
    scaled.backward()
    training.scaler.minimize(training.optimizer, scaled)
    scaled = other.scaler.scale(other.network(other.x).sum())
    scaled.backward()
    other.scaler.step(other.optimizer)
    other.scaler.update()
    np.testing.assert_array_equal(training.network.weight.numpy(), other.network.weight.numpy())
    assert str(training.scaler.state_dict()) == str(other.scaler.state_dict())


def test_float16_gradients_that_would_vanish_do_not():
    weight = paddle.create_parameter([1], "float16")
    small = paddle.to_tensor([1e-4], "float16")
    scaler = amp.GradScaler(init_loss_scaling=2.0**14)
    (weight * small * small).sum().backward()
    assert weight.grad.item() == 0.0
    weight.clear_grad()
    scaler.scale((weight * small * small).sum()).backward()
    assert weight.grad.item() != 0.0


def test_a_parameter_without_a_gradient_is_passed_over():
    training = Training()
    spare = paddle.create_parameter([2], "float32")
    optimizer = paddle.optimizer.SGD(0.1, parameters=[*training.network.parameters(), spare])
    before = spare.numpy()
    training.scaler.scale(training.network(training.x).sum()).backward()
    training.scaler.step(optimizer)
    training.scaler.update()
    np.testing.assert_array_equal(spare.numpy(), before)
    empty = amp.GradScaler()
    empty.step(paddle.optimizer.SGD(0.1, parameters=[spare]))
    empty.update()
    assert empty.state_dict()["incr_count"] == 0


def test_states_go_on_where_they_were():
    training = Training(incr_every_n_steps=3)
    training.trained([1.0, INF, 1.0, 1.0])
    state = training.scaler.state_dict()
    assert list(state) == [
        "scale", "incr_ratio", "decr_ratio", "incr_every_n_steps", "decr_every_n_nan_or_inf",
        "incr_count", "decr_count", "use_dynamic_loss_scaling",
    ]  # fmt: skip
    assert (state["scale"].tolist(), state["incr_count"]) == ([4.0], 2)
    other = amp.GradScaler()
    other.load_state_dict(state)
    assert str(other.state_dict()) == str(state)
    training.scaler = other
    assert training.trained([1.0])[0][1] == 8.0


def test_copies_are_scalers_of_their_own():
    training = Training()
    for made in (copy.deepcopy(training.scaler), pickle.loads(pickle.dumps(training.scaler))):
        made.set_init_loss_scaling(2.0)
        assert training.scaler.state_dict()["scale"].tolist() == [8.0]
        assert made.state_dict()["scale"].tolist() == [2.0]


def test_a_scaler_that_is_off_does_nothing():
    scaler = amp.GradScaler(enable=False, init_loss_scaling=8.0)
    x = paddle.ones([1])
    assert scaler.scale(x) is x
    assert (scaler.is_enable(), scaler.is_use_dynamic_loss_scaling()) == (False, False)
    assert scaler.state_dict() == {}
    assert scaler.get_init_loss_scaling() == 1.0
    scaler.load_state_dict({"scale": 2.0})
    assert (scaler.get_incr_ratio(), scaler.get_decr_ratio()) == (2.0, 0.5)


def test_settings_are_kept():
    scaler = amp.GradScaler(init_loss_scaling=8.0)
    scaler.set_incr_ratio(3.0)
    scaler.set_decr_ratio(0.25)
    scaler.set_incr_every_n_steps(5)
    scaler.set_decr_every_n_nan_or_inf(2)
    scaler.set_init_loss_scaling(4.0)
    assert (scaler.get_incr_ratio(), scaler.get_decr_ratio()) == (3.0, 0.25)
    assert (scaler.get_incr_every_n_steps(), scaler.get_decr_every_n_nan_or_inf()) == (5, 2)
    assert scaler.get_init_loss_scaling() == 4.0
    assert amp.AmpScaler().get_init_loss_scaling() == 2.0**15
    assert amp.GradScaler().get_init_loss_scaling() == 2.0**16


def test_steps_out_of_order_are_refused():
    training = Training()
    scaler, optimizer = training.scaler, training.optimizer
    scaler.scale(training.network(training.x).sum()).backward()
    scaler.unscale_(optimizer)
    with pytest.raises(ProgramError, match="unscale_ is called twice"):
        scaler.unscale_(optimizer)
    scaler.step(optimizer)
    with pytest.raises(ProgramError, match="step is called twice"):
        scaler.step(optimizer)
    with pytest.raises(ProgramError, match="unscale_ is called after step"):
        scaler.unscale_(optimizer)
    scaler.update()
    scaler.step(optimizer)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"incr_ratio": 1.0}, "incr_ratio is 1.0"),
        ({"decr_ratio": 1.0}, "decr_ratio is 1.0"),
        ({"decr_ratio": 0.0}, "decr_ratio is 0.0"),
        ({"incr_every_n_steps": 0}, "incr_every_n_steps is 0"),
        ({"decr_every_n_nan_or_inf": -1}, "decr_every_n_nan_or_inf is -1"),
        ({"init_loss_scaling": 0.0}, "scale above 0, received 0.0"),
        ({"init_loss_scaling": INF}, "scale above 0, received inf"),
    ],
)
def test_numbers_outside_their_range_are_refused(settings, message):
    with pytest.raises(ArgumentError, match=message):
        amp.GradScaler(**settings)


def test_wrong_kinds_are_refused():
    scaler = amp.GradScaler()
    with pytest.raises(TypeMismatchError, match="a Tensor to scale, received float"):
        scaler.scale(1.0)
    for call in (scaler.step, scaler.unscale_, scaler.minimize, amp.GradScaler(False).step):
        with pytest.raises(TypeMismatchError, match="expected an optimizer, received Linear"):
            call(paddle.nn.Linear(1, 1))
    with pytest.raises(TypeMismatchError, match="expected a dict"):
        scaler.load_state_dict([1])
    with pytest.raises(UnknownNameError, match="lacks scale, incr_ratio"):
        scaler.load_state_dict({})
