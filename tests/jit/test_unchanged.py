"""Calls compare nothing one by one where nothing has changed, and see whatever has."""

import math
import random

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.jit import to_static

CLIP, DECAY = nn.ClipGradByNorm, paddle.regularizer.L2Decay


class Training:
    """A step of training, and what one can change of it."""

    def __init__(self):
        paddle.seed(3)
        self.net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 2))
        self.p = self.net[0].weight
        self.net[2].bias.regularizer = DECAY(0.5)
        self.clip, self.decay = CLIP(0.5), DECAY(0.1)
        self.schedule = paddle.optimizer.lr.StepDecay(0.05, 1)
        groups = [
            {"params": self.net[0].parameters(), "weight_decay": self.decay},
            {"params": self.net[2].parameters(), "grad_clip": self.clip},
        ]
        self.optimizer = paddle.optimizer.Momentum(
            self.schedule, parameters=groups, grad_clip=self.clip
        )
        self.group = self.optimizer._groups[0]

    def step(self, x):
        loss = (self.net(x) - 2.0).square().sum()
        loss.backward()
        self.optimizer.step()
        self.optimizer.clear_grad()
        return loss

    def values(self):
        return [p.numpy() for p in self.net.parameters()]


CHANGES = {
    "need_clip": lambda t: setattr(t.p, "need_clip", False),
    "need_clip in vars": lambda t: vars(t.p).__setitem__("need_clip", False),
    "need_clip by update": lambda t: t.p.__dict__.update(need_clip=False),
    "need_clip beneath": lambda t: object.__setattr__(t.p, "need_clip", False),
    "regularizer": lambda t: setattr(t.net[2].weight, "regularizer", DECAY(0.3)),
    "regularizer in vars": lambda t: vars(t.net[2].bias).update(regularizer=DECAY(0.9)),
    "regularizer deleted": lambda t: delattr(t.net[2].bias, "regularizer"),
    "optimize_attr": lambda t: setattr(t.p, "optimize_attr", {"learning_rate": 0.25}),
    "item of optimize_attr": lambda t: t.p.optimize_attr.__setitem__("learning_rate", 0.25),
    "update of optimize_attr": lambda t: t.p.optimize_attr.update(learning_rate=0.25),
    "optimize_attr in vars": lambda t: vars(t.p).update(optimize_attr={"learning_rate": 2.0}),
    "trainable": lambda t: setattr(t.p, "trainable", False),
    "stop_gradient in vars": lambda t: vars(t.p).__setitem__("stop_gradient", True),
    "rate of the optimizer": lambda t: setattr(t.optimizer, "_learning_rate", 0.125),
    "schedule": lambda t: t.schedule.step(),
    "attribute of the schedule": lambda t: setattr(t.schedule, "last_lr", 0.01),
    "rate of a group": lambda t: setattr(t.group, "learning_rate", 0.5),
    "setting of a group": lambda t: t.group.settings.__setitem__("momentum", 0.1),
    "clip of a group": lambda t: setattr(t.group, "grad_clip", CLIP(0.01)),
    "no clip of a group": lambda t: setattr(t.group, "grad_clip", None),
    "regularizer of a group": lambda t: setattr(t.group, "regularizer", None),
    "parameters of a group": lambda t: t.group.parameters.pop(),
    "groups": lambda t: t.optimizer._groups.pop(),
    "norm of the clip": lambda t: setattr(t.clip, "clip_norm", 0.01),
    "norm of the clip in vars": lambda t: vars(t.clip).update(clip_norm=0.01),
    "coefficient": lambda t: setattr(t.decay, "_coeff", 0.9),
    "rescaling": lambda t: setattr(t.optimizer, "_rescale_grad", 0.5),
    "optimizer": lambda t: setattr(
        t, "optimizer", paddle.optimizer.SGD(0.1, parameters=t.net.parameters())
    ),
}  # fmt: skip


def trained(change, convert):
    training = Training()
    step = convert(training.step)
    found = []
    for i in range(7):
        if i == 4:
            change(training)
        found += [step(paddle.to_tensor([[1.0, 2.0]])).numpy(), *training.values()]
    return found


@pytest.fixture(scope="module")
def without_a_change():
    return trained(lambda training: None, to_static)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_training_step_sees_what_changes_after_unchanged_calls(change, without_a_change):
    expected, found = trained(change, lambda f: f), trained(change, to_static)
    for array, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(array, wanted, rtol=1e-4, atol=1e-6)
    assert not all(map(np.allclose, found, without_a_change))


def compared(static):
    """The places that a call compares one by one, of how many."""
    (concrete,) = static.program_cache.values()
    guards = concrete._trace.guards
    return [str(w.place) for w in guards._sweep.others], len(guards.watched)


def test_an_unchanged_training_step_compares_nothing_one_by_one():
    training = Training()
    step = to_static(training.step)
    for _ in range(3):
        step(paddle.to_tensor([[1.0, 2.0]]))
    others, all_of_them = compared(step)
    assert others == [] and all_of_them > 40


def test_a_place_that_holds_equal_objects_in_turn_is_the_only_one_compared():
    settings = {"factor": 0.5, "names": ["a", "b"], "bias": 1.0}
    static = to_static(lambda x: x * settings["factor"] + settings["bias"] + len(settings["names"]))
    x = paddle.to_tensor([1.0])
    for i in range(1, 5):
        settings["factor"] = float(f"0.{5 * 10**i}")  # equal, and another object each time
        assert static(x).item() == 3.5
    others, all_of_them = compared(static)
    assert others == ["['factor'] of a dict"] and all_of_them > 3


VALUES = (0, 1, True, False, 1.0, 0.0, -0.0, math.nan, "a", "b", None, (1, 2), (True, 2), (0.0,))


def digest(tree):
    found, entries = 0.0, tree.items() if isinstance(tree, dict) else enumerate(tree)
    for i, (key, value) in enumerate(entries):
        if isinstance(value, (list, dict)):
            part = digest(value) + 0.5
        else:
            part = sum(map(ord, repr((key, value)))) / 100
        found = found * 1.01 + part * (i + 1)
    return found


def container(chance, depth):
    inner = [
        container(chance, depth - 1) if depth and chance.random() < 0.4 else chance.choice(VALUES)
        for _ in range(chance.randrange(4))
    ]
    return inner if chance.random() < 0.5 else dict(zip(("u", 1, None), inner, strict=False))


def mutate(chance, tree):
    """Change one thing somewhere in `tree`: it may be that the same is put there again."""
    below = [v for v in (tree.values() if isinstance(tree, dict) else tree)]
    deeper = [v for v in below if isinstance(v, (list, dict))]
    if deeper and chance.random() < 0.6:
        mutate(chance, chance.choice(deeper))
    elif isinstance(tree, list):
        act = chance.randrange(4)
        if not tree or act == 0:
            tree.append(chance.choice(VALUES))
        elif act == 1:
            tree.pop(chance.randrange(len(tree)))
        elif act == 2:
            tree.reverse()
        else:
            tree[chance.randrange(len(tree))] = container(chance, 1)
    else:
        key = chance.choice(("u", 1, True, None))
        if chance.random() < 0.4:
            value = tree.pop(key, 0)  # to the end, perhaps under an equal key
            key = {True: 1}.get(key, key) if chance.random() < 0.5 else key
            tree[key] = value
        else:
            tree[key] = chance.choice(VALUES)


@pytest.mark.filterwarnings("ignore::twinoar.jit.warning.RecompilationWarning")
@pytest.mark.parametrize("seed", range(12))
def test_any_change_of_nested_containers_is_seen(seed):
    chance = random.Random(seed)
    tree = [container(chance, 2), container(chance, 2), {"u": 1.0}]
    static = to_static(lambda x: x * digest(tree))
    x = paddle.to_tensor([1.0], dtype="float64")
    for _ in range(10):
        for _ in range(chance.randrange(1, 4)):
            assert static(x).item() == pytest.approx(digest(tree))
        mutate(chance, tree)
