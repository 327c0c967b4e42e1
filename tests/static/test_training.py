"""Optimizers, schedules, clipping and regularization in a Program do what they do eagerly."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn, static
from twinoar.optimizer import lr

STEPS = 5
RNG = np.random.default_rng(0)
BATCHES = [
    (RNG.standard_normal((8, 4)).astype(np.float32), RNG.integers(0, 3, (8, 1)))
    for _ in range(STEPS)
]
WEIGHT = RNG.standard_normal((4, 3)).astype(np.float32)
L1, L2 = paddle.regularizer.L1Decay(0.1), paddle.regularizer.L2Decay(0.1)

OPTIMIZERS = {
    "SGD": {},
    "Momentum": {"momentum": 0.9},
    "Adagrad": {},
    "Adadelta": {},
    "Adam": {},
    "AdamW": {"weight_decay": 0.1},
    "Adamax": {},
    "RMSProp": {"momentum": 0.5, "centered": True},
    "Lamb": {},
}
SCHEDULES = {
    "number": lambda: 0.1,
    "NoamDecay": lambda: lr.NoamDecay(16, 3),
    "PiecewiseDecay": lambda: lr.PiecewiseDecay([2, 4], [0.1, 0.05, 0.01]),
    "NaturalExpDecay": lambda: lr.NaturalExpDecay(0.1, 0.5),
    "InverseTimeDecay": lambda: lr.InverseTimeDecay(0.1, 0.5),
    "PolynomialDecay": lambda: lr.PolynomialDecay(0.1, 4),
    "LinearWarmup": lambda: lr.LinearWarmup(lr.StepDecay(0.1, 1), 2, 0.0, 0.1),
    "ExponentialDecay": lambda: lr.ExponentialDecay(0.1, 0.5),
    "MultiStepDecay": lambda: lr.MultiStepDecay(0.1, [1, 3]),
    "LambdaDecay": lambda: lr.LambdaDecay(0.1, lambda epoch: 0.9**epoch),
    "CosineAnnealingDecay": lambda: lr.CosineAnnealingDecay(0.1, 3),
    "MultiplicativeDecay": lambda: lr.MultiplicativeDecay(0.1, lambda epoch: 0.5),
    "OneCycleLR": lambda: lr.OneCycleLR(0.1, 10),
    "CyclicLR": lambda: lr.CyclicLR(0.01, 0.1, 2),
}
CLIPS = {
    "ByValue": lambda: nn.ClipGradByValue(0.05),
    "ByNorm": lambda: nn.ClipGradByNorm(0.1),
    "ByGlobalNorm": lambda: nn.ClipGradByGlobalNorm(0.1),
}


@pytest.fixture(autouse=True)
def scope():
    with static.scope_guard(static.Scope()):
        yield


def attrs(regularizer=None, **kwargs):
    return paddle.ParamAttr(
        initializer=nn.initializer.Assign(WEIGHT), regularizer=regularizer, **kwargs
    )


def eager_losses(make, attr):
    layer = nn.Linear(4, 3, weight_attr=attr)
    optimizer = make(layer.parameters())
    losses = []
    for x, y in BATCHES:
        loss = nn.functional.cross_entropy(layer(paddle.to_tensor(x)), paddle.to_tensor(y))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        step_schedule(optimizer)
        losses.append(loss.item())
    return losses, optimizer


def static_losses(make, attr, train=lambda optimizer, loss: optimizer.minimize(loss)):
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x, y = static.data("x", [None, 4]), static.data("y", [None, 1], "int64")
        loss = nn.functional.cross_entropy(nn.Linear(4, 3, weight_attr=attr)(x), y)
        optimizer = make(None)
        train(optimizer, loss)
    exe = static.Executor()
    exe.run(startup)
    losses = []
    for x, y in BATCHES:
        losses.append(exe.run(main, feed={"x": x, "y": y}, fetch_list=[loss])[0].item())
        step_schedule(optimizer)
    return losses, optimizer


def step_schedule(optimizer):
    if isinstance(optimizer._learning_rate, lr.LRScheduler):
        optimizer._learning_rate.step()


def assert_same(make, attr=None):
    attr = attr or attrs()
    expected, _ = eager_losses(make, attr)
    found, _ = static_losses(make, attr)
    np.testing.assert_allclose(found, expected, rtol=3e-6)
    assert len(set(found)) == STEPS  # it learns


@pytest.mark.parametrize("clip", [None, "ByGlobalNorm"])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers(name, clip):
    settings = dict(OPTIMIZERS[name])
    if clip:
        settings["grad_clip"] = CLIPS[clip]()
    assert_same(lambda ps: getattr(paddle.optimizer, name)(0.1, parameters=ps, **settings))


@pytest.mark.parametrize("name", SCHEDULES)
def test_schedules(name):
    assert_same(lambda ps: paddle.optimizer.Momentum(SCHEDULES[name](), parameters=ps))


@pytest.mark.parametrize("weight_decay", [None, 0.1, L1, L2])
@pytest.mark.parametrize("name", CLIPS)
def test_clips_and_regularizers(name, weight_decay):
    make = lambda ps: paddle.optimizer.Adam(  # noqa: E731
        0.1, parameters=ps, weight_decay=weight_decay, grad_clip=CLIPS[name]()
    )
    assert_same(make)


@pytest.mark.parametrize("attr", [attrs(L1), attrs(learning_rate=0.5), attrs(need_clip=False)])
def test_traits_of_parameters(attr):
    make = lambda ps: paddle.optimizer.SGD(0.1, parameters=ps, grad_clip=CLIPS["ByNorm"]())  # noqa: E731
    assert_same(make, attr)


def test_backward_and_apply_gradients_are_minimize():
    def halves(optimizer, loss):
        optimizer.apply_gradients(optimizer.backward(loss))

    make = lambda ps: paddle.optimizer.Momentum(0.1, parameters=ps, grad_clip=CLIPS["ByNorm"]())  # noqa: E731
    assert static_losses(make, attrs(), halves)[0] == static_losses(make, attrs())[0]


@pytest.mark.parametrize(
    ("settings", "trained"),
    [
        ({}, {"w", "b"}),
        ({"parameters": ["w"]}, {"w"}),
        ({"no_grad_set": {"b"}}, {"w"}),
    ],
)
def test_minimize_trains_the_chosen_parameters(settings, trained):
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        out = static.nn.fc(static.data("x", [None, 4]), 3, weight_attr="w", bias_attr="b")
        operators, pairs = paddle.optimizer.Adam(0.1).minimize(paddle.mean(out), **settings)
    assert {p.name for p, _ in pairs} == trained
    assert {o.type for o in operators if o.type == "adam"} == {"adam"}
    exe = static.Executor()
    exe.run(startup)
    before = main.state_dict("param")
    exe.run(main, {"x": BATCHES[0][0]})
    after = main.state_dict("param")
    assert {n for n in before if (before[n] != after[n]).any()} == trained


def test_minimize_puts_what_starts_its_states_into_the_startup_program_given():
    main, startup, other = static.Program(), static.Program(), static.Program()
    with static.program_guard(main, startup):
        loss = paddle.mean(static.nn.fc(static.data("x", [None, 4]), 3))
        optimizer = paddle.optimizer.Adam(0.1)
    optimizer.minimize(loss, startup_program=other)
    moments = {n for n in other.states if "moment" in n}
    assert len(moments) == 4 and not moments & set(startup.states)
    exe = static.Executor()
    exe.run(startup)
    exe.run(other)
    exe.run(main, {"x": BATCHES[0][0]})


def test_the_state_of_an_optimizer_holds_the_states_of_its_program():
    _, optimizer = static_losses(lambda ps: paddle.optimizer.Adam(0.1, parameters=ps), attrs())
    found = optimizer.state_dict()
    assert {type(v).__name__ for v in found.values()} == {"State"}
    assert sum("moment1" in name for name in found) == 2
    assert all(np.isfinite(v.get_value().numpy()).all() for v in found.values())


def test_a_training_goes_on_from_its_states():
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x, y = static.data("x", [None, 4]), static.data("y", [None, 1], "int64")
        loss = nn.functional.cross_entropy(nn.Linear(4, 3, weight_attr=attrs())(x), y)
        paddle.optimizer.Adam(0.1).minimize(loss)
    exe = static.Executor()
    exe.run(startup)

    def train(batches):
        return [exe.run(main, {"x": x, "y": y}, [loss])[0].item() for x, y in batches]

    train(BATCHES[:2])
    kept = main.state_dict()
    assert set(kept) == set(main.state_dict("param")) | set(main.state_dict("opt"))
    expected = train(BATCHES[2:])
    with static.scope_guard(static.Scope()):
        exe.run(startup)
        main.set_state_dict(kept)
        assert train(BATCHES[2:]) == expected
