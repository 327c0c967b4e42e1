"""Sparsity: masks as Paddle 3.3.1 finds them, and optimizers that keep zeros."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static
from twinoar.errors import (
    ArgumentError,
    ProgramError,
    ShapeError,
    TypeMismatchError,
    UnknownNameError,
)
from twinoar.incubate import asp

MATRIX = np.array([[2, 8, 9, 9], [9, 1, 3, 9], [5, 6, 3, 9], [2, 4, 6, 9.0]])


@pytest.fixture(autouse=True)
def nothing_left_out():
    yield
    asp.reset_excluded_layers()


@pytest.mark.parametrize(
    ("find", "expected"),
    [
        (asp.get_mask_1d, [[0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]]),
        (asp.get_mask_2d_greedy, [[0, 1, 1, 0], [1, 0, 0, 0], [0, 1, 0, 1], [0, 0, 1, 1]]),
        (asp.get_mask_2d_best, [[0, 1, 1, 0], [1, 0, 0, 1], [1, 1, 0, 0], [0, 0, 1, 1]]),
    ],
)
def test_masks_are_those_of_paddle(find, expected):
    assert find(MATRIX, 2, 4).tolist() == expected


def test_of_equal_elements_the_same_are_left_as_in_paddle():
    assert asp.get_mask_1d(np.ones([1, 6]), 2, 4).tolist() == [[0, 0, 1, 1, 1, 1]]
    square = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]
    assert asp.get_mask_2d_greedy(np.ones([4, 4]), 2, 4).tolist() == square
    assert asp.get_mask_1d(np.arange(6.0).reshape(2, 3) - 3, 2, 4).tolist() == [
        [1, 1, 0],
        [0, 1, 1],
    ]


def test_the_best_pattern_leaves_the_largest_sizes():
    matrix = np.random.default_rng(0).standard_normal([4, 4])
    best, greedy = (
        (find(matrix, 2, 4) * np.abs(matrix)).sum()
        for find in (asp.get_mask_2d_best, asp.get_mask_2d_greedy)
    )
    mask = asp.get_mask_2d_best(matrix, 2, 4)
    assert best >= greedy
    assert (mask.sum(0) == 2).all()
    assert (mask.sum(1) == 2).all()


@pytest.mark.parametrize("algorithm", list(asp.MaskAlgo))
@pytest.mark.parametrize("shape", [(8,), (5, 12), (2, 3, 8), (2, 8, 4, 3)])
def test_what_a_mask_leaves_is_sparse(algorithm, shape):
    array = np.random.default_rng(1).standard_normal(shape).astype("float32")
    mask = asp.create_mask(array, algorithm)
    assert (mask.shape, mask.dtype) == (array.shape, array.dtype)
    check = asp.CheckMethod.get_checking_method(algorithm)
    assert asp.check_sparsity(array * mask, check)
    assert not asp.check_sparsity(array, check)


def test_weights_of_convolutions_and_linear_layers_are_pruned_along_inputs():
    net = paddle.nn.Sequential(
        paddle.nn.Conv2D(8, 6, 3), paddle.nn.Linear(6, 4), paddle.nn.Conv2D(2, 4, 3),
        paddle.nn.LayerNorm(8),
    )  # fmt: skip
    masks = asp.prune_model(net, with_mask=False)
    assert [asp.calculate_density(p.numpy()) for p in net[0].parameters()] == [0.5, 0.0]
    assert asp.calculate_density(net[1].weight.numpy()) == pytest.approx(2 / 3)
    assert [asp.calculate_density(net[n].weight.numpy()) for n in (2, 3)] == [1.0, 1.0]
    assert list(masks) == [net[n].weight.name for n in (0, 1, 2)]
    groups = (net[0].weight.numpy() != 0).reshape(6, 2, 4, 3, 3).sum(2)
    assert (groups == 2).all()


def train(net, optimizer):
    net(paddle.ones([2, 8])).sum().backward()
    optimizer.step()
    optimizer.clear_grad()


@pytest.mark.parametrize("convert", [lambda f: f, paddle.jit.to_static])
def test_a_decorated_optimizer_keeps_the_zeros(convert):
    paddle.seed(1)
    net = paddle.nn.Linear(8, 6)
    optimizer = asp.decorate(paddle.optimizer.Adam(0.1, parameters=net.parameters()))
    asp.prune_model(net)
    zeros, before = net.weight.numpy() == 0, net.weight.numpy()
    step = convert(train)
    for _ in range(3):
        step(net, optimizer)
    assert ((net.weight.numpy() == 0) == zeros).all()
    assert (net.weight.numpy() != before)[~zeros].all()
    assert optimizer.get_lr() == 0.1


def test_masks_are_part_of_the_state():
    net = paddle.nn.Linear(8, 6)
    inner = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    optimizer = asp.decorate(inner)
    masks = asp.prune_model(net)
    name = net.weight.name
    state = {k: v.clone() for k, v in optimizer.state_dict().items()}
    np.testing.assert_array_equal(state[f"{name}.asp_mask"], masks[name])
    asp.prune_model(net, mask_algo="mask_2d_greedy")
    optimizer.set_state_dict(state)
    np.testing.assert_array_equal(optimizer.state_dict()[f"{name}.asp_mask"], masks[name])


@pytest.mark.parametrize(
    "named", [lambda layer: layer.weight.name, lambda layer: layer.full_name()]
)
def test_what_is_excluded_stays(named):
    net = paddle.nn.Sequential(paddle.nn.Linear(8, 8), paddle.nn.Linear(8, 8))
    asp.set_excluded_layers([named(net[0])])
    masks = asp.prune_model(net, with_mask=False)
    assert list(masks) == [net[1].weight.name]
    asp.reset_excluded_layers()
    assert len(asp.prune_model(net, with_mask=False)) == 2


class Own(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.w = self.create_parameter([8, 8])
        self.b = self.create_parameter([8], is_bias=True)


def test_layers_of_ones_own_are_pruned_when_told():
    net, calls = Own(), []
    assert asp.prune_model(net, with_mask=False) == {}

    def function(weight, m, n, algorithm, name):
        calls.append((weight.shape, m, n, algorithm, name))
        return weight * 0, weight * 0

    asp.add_supported_layer(Own, function)
    asp.prune_model(net, with_mask=False)
    assert calls == [((8, 8), 4, 2, asp.MaskAlgo.MASK_1D, net.w.name)]
    assert asp.calculate_density(net.w.numpy()) == 0
    with pytest.raises(TypeMismatchError):
        asp.add_supported_layer(3)


def test_a_program_is_pruned_after_its_startup():
    main, startup = static.Program(), static.Program()
    paddle.enable_static()
    try:
        with static.program_guard(main, startup), static.scope_guard(static.Scope()):
            x = static.data("x", [2, 8])
            loss = static.nn.fc(x, 8).mean()
            asp.decorate(paddle.optimizer.SGD(0.1)).minimize(loss, startup)
            with pytest.raises(ProgramError, match="scope"):
                asp.prune_model(main)
            executor = static.Executor()
            executor.run(startup)
            (name,) = masks = asp.prune_model(main)
            executor.run(main, feed={"x": np.ones([2, 8], "float32")}, fetch_list=[loss])
            weight = np.array(static.global_scope().find_var(name).get_tensor())
    finally:
        paddle.disable_static()
    assert ((weight != 0) == (masks[name] != 0)).all()
    assert asp.calculate_density(weight) == 0.5


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: asp.prune_model(paddle.nn.Linear(8, 8)), ProgramError, "no optimizer keeps"),
        (
            lambda: asp.prune_model(paddle.nn.Linear(8, 8), mask_algo="x"),
            UnknownNameError,
            "mask_1d",
        ),
        (lambda: asp.prune_model(3), TypeMismatchError, "Program"),
        (
            lambda: asp.prune_model(paddle.nn.Linear(8, 8), 5, 4, with_mask=False),
            ArgumentError,
            "n=5",
        ),
        (lambda: asp.decorate(3), TypeMismatchError, "optimizer"),
        (lambda: asp.create_mask(np.ones([1] * 5)), ShapeError, "1 to 4"),
        (lambda: asp.create_mask(np.ones([4]), "mask_1d"), UnknownNameError, "MaskAlgo"),
        (lambda: asp.get_mask_1d(np.ones([4]), 2, 4), ShapeError, "matrix"),
        (lambda: asp.get_mask_2d_best(np.ones([8, 8]), 4, 8), ArgumentError, "greedy"),
    ],
)
def test_mistakes_are_told(call, error, message):
    with pytest.raises(error, match=message):
        call()
