"""Pruned Programs are smaller, consistent, train, and compute what masked ones compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static
from twinoar.errors import ArgumentError, ProgramError, UnknownNameError
from twinoar.slim.prune import Pruner

pytestmark = pytest.mark.usefixtures("static_mode")

conv, norm, fc = static.nn.conv2d, static.nn.batch_norm, static.nn.fc


def residual(x: Any) -> Any:
    first = norm(conv(x, 8, 3, padding=1), act="relu")
    return conv(first + norm(conv(first, 8, 3, padding=1)), 3, 1)


def depthwise(x: Any) -> Any:
    return conv(conv(conv(x, 8, 3), 8, 3, groups=8), 3, 1)


def flattened(x: Any) -> Any:
    rows = paddle.reshape(conv(x, 8, 3, padding=1), [-1, 8, 64])
    return fc(paddle.reshape(rows, [-1, 512]), 5)


def halved(x: Any) -> Any:
    y = conv(x, 8, 3)
    return conv(y[:, :4] * y[:, 4:], 3, 1)


def joined(x: Any) -> Any:
    return conv(paddle.concat([conv(x, 8, 3), conv(x, 4, 3)], axis=1), 3, 1)


NETWORKS = (residual, depthwise, flattened, halved, joined)


def built(body: Callable[[Any], Any]) -> tuple[static.Program, static.Scope, str, str]:
    """A Program, its scope, the name of what it gives, and of its first weight."""
    main, startup, scope = static.Program(), static.Program(), static.Scope()
    with paddle.utils.unique_name.guard(), static.program_guard(main, startup):
        y = body(static.data("x", [None, 3, 8, 8]))
    main.random_seed = startup.random_seed = 4
    static.Executor().run(startup, scope=scope)
    return main, scope, y.name, main.all_parameters()[0].name


def run(program: static.Program, scope: static.Scope, name: str) -> np.ndarray:
    x = np.random.default_rng(1).normal(size=(2, 3, 8, 8)).astype("float32")
    test = program.clone(for_test=True)
    return static.Executor().run(test, feed={"x": x}, fetch_list=[name], scope=scope)[0]


def sizes(program: static.Program) -> int:
    return sum(int(np.prod(p.shape)) for p in program.all_parameters())


@pytest.mark.parametrize("body", NETWORKS)
def test_a_pruned_program_computes_what_zeros_compute(body: Callable[[Any], Any]) -> None:
    main, scope, y, weight = built(body)
    _, before, _ = Pruner().prune(main, scope, [weight], [0.5], lazy=True, param_backup=True)
    assert before
    wanted = run(main, scope, y)
    for name, value in before.items():
        scope.var(name).set(value)
    pruned, _, _ = Pruner().prune(main, scope, [weight], [0.5])
    assert sizes(pruned) < sizes(main)
    np.testing.assert_allclose(run(pruned, scope, y), wanted, rtol=1e-4, atol=1e-5)
    for p in pruned.all_parameters():
        assert scope.find_var(p.name).shape() == p.shape


def test_filters_that_matter_least_go() -> None:
    main, scope, _, weight = built(flattened)
    value = np.array(scope.find_var(weight))
    value[[1, 2, 5, 7]] *= 0.01
    scope.var(weight).set(value)
    Pruner().prune(main, scope, [weight], [0.5])
    assert (np.array(scope.find_var(weight)) == value[[0, 3, 4, 6]]).all()
    scope.var(weight).set(value)
    main, scope, _, weight = built(flattened)
    value = np.array(scope.find_var(weight))
    Pruner(lambda w: -np.arange(len(w))).prune(main, scope, [weight], [0.25])
    assert (np.array(scope.find_var(weight)) == value[:6]).all()


@pytest.mark.parametrize("criterion", ["l2_norm", "geometry_median"])
def test_each_criterion_prunes(criterion: str) -> None:
    main, scope, _, weight = built(residual)
    pruned, _, shapes = Pruner(criterion).prune(
        main, scope, [weight], [0.25], param_shape_backup=True
    )
    assert pruned.all_parameters()[0].shape[0] == 6
    assert shapes is not None and shapes[weight] == [8, 3, 3, 3]


def test_the_graph_alone_may_be_pruned() -> None:
    main, scope, y, weight = built(residual)
    before = run(main, scope, y)
    pruned, values, shapes = Pruner().prune(main, scope, [weight], [0.5], only_graph=True)
    assert (values, shapes) == (None, None)
    assert sizes(pruned) < sizes(main)
    assert (run(main, scope, y) == before).all()


def test_a_pruned_program_trains() -> None:
    main, scope, y, weight = built(residual)
    pruned, _, _ = Pruner().prune(main, scope, [weight], [0.5])
    startup = static.Program()
    with static.program_guard(pruned, startup):
        loss = paddle.mean(paddle.square(pruned.variable(y) - 1.0))
        paddle.optimizer.Adam(0.01).minimize(loss)
    exe = static.Executor()
    exe.run(startup, scope=scope)
    feed = {"x": np.random.default_rng(2).normal(size=(4, 3, 8, 8)).astype("float32")}
    losses = [
        float(exe.run(pruned, feed=feed, fetch_list=[loss], scope=scope)[0]) for _ in range(20)
    ]
    assert losses[-1] < 0.5 * losses[0]


def test_bad_calls_are_refused_and_change_nothing() -> None:
    main, scope, y, weight = built(residual)
    before = {n: a.copy() for n, a in scope.arrays.items()}
    with pytest.raises(UnknownNameError, match="criterion must be one of"):
        Pruner("random")
    with pytest.raises(UnknownNameError, match="idx_selector='optimal_threshold'"):
        Pruner(idx_selector="optimal_threshold")
    with pytest.raises(ArgumentError, match="1 parameters have 2 ratios"):
        Pruner().prune(main, scope, [weight], [0.5, 0.5])
    with pytest.raises(ArgumentError, match="a ratio is from 0 to below 1, received"):
        Pruner().prune(main, scope, [weight], [1.0])
    with pytest.raises(UnknownNameError, match="no parameter nobody"):
        Pruner().prune(main, scope, ["nobody"], [0.5])
    with pytest.raises(ProgramError, match="has no value in the scope"):
        Pruner().prune(main, static.Scope(), [weight], [0.5])
    with static.program_guard(main, static.Program()):
        paddle.optimizer.SGD(0.1).minimize(paddle.mean(main.variable(y)))
    with pytest.raises(ProgramError, match="prune before minimize"):
        Pruner().prune(main, scope, [weight], [0.5])
    assert all((scope.arrays[n] == a).all() for n, a in before.items())


def test_what_cannot_lose_channels_keeps_them() -> None:
    main, scope, _, _ = built(lambda x: conv(x, 4, 3))  # its channels are the results
    weight = main.all_parameters()[0].name
    pruned, _, _ = Pruner().prune(main, scope, [weight], [0.5])
    assert pruned.all_parameters()[0].shape == [4, 3, 3, 3]
