"""`fleet` on several ranks: data, tensor and sharding parallelism, and Programs."""

import warnings

import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from tests.distributed.test_data_parallel_ranks import batch, loss_of, network, own_part
from twinoar.distributed.fleet import DistributedStrategy
from twinoar.distributed.fleet.entrance import Fleet
from twinoar.distributed.fleet.hybrid import divided_model, divided_optimizer, minimize_in_program
from twinoar.distributed.fleet.meta_parallel import (
    ColumnParallelLinear,
    ParallelCrossEntropy,
    RowParallelLinear,
    VocabParallelEmbedding,
)
from twinoar.errors import ArgumentError, ShapeError
from twinoar.runtime.collective import run_ranks

TOLERANCE = 1e-5


def begun(**degrees):
    """The groups of a rank, after fleet.init."""
    strategy = DistributedStrategy()
    strategy.hybrid_configs = degrees
    with warnings.catch_warnings(action="ignore"):
        fleet = Fleet().init(is_collective=True, strategy=strategy)
    return fleet.get_hybrid_communicate_group(), strategy


def test_groups_lie_along_their_axes():
    def run():
        groups, _ = begun(mp_degree=2, sharding_degree=2)
        names = ("data_parallel", "model_parallel", "sharding_parallel")
        found = [getattr(groups, f"get_{name}_group")() for name in names]
        ranks = [(g.rank, g.ranks) for g in found]
        return ranks, groups.get_parallel_mode(), groups.get_model_parallel_group_src_rank()

    found = run_ranks(8, run)
    assert found[5] == ([(1, [1, 5]), (1, [4, 5]), (0, [5, 7])], 1, 4)
    assert found[0][0] == [(0, [0, 4]), (0, [0, 1]), (0, [0, 2])]


@pytest.mark.parametrize("degrees", [{"mp_degree": 3}, {"pp_degree": 4}, {"ep_degree": 3}])
def test_degrees_that_do_not_fit_are_told(degrees):
    with pytest.raises(ArgumentError, match="degree"):
        run_ranks(2, lambda: begun(**degrees))


def test_axes_lie_in_the_order_that_is_asked_for():
    def run():
        groups, _ = begun(mp_degree=2, order=["mp", "dp"])
        return groups.get_model_parallel_group().ranks, groups.get_data_parallel_group().ranks

    assert run_ranks(4, run)[1] == ([1, 3], [0, 1])


@pytest.mark.parametrize("order", [["mp", "mp"], ["mp", "tensor"]])
def test_an_order_of_other_axes_is_told(order):
    with pytest.raises(ArgumentError, match="order"):
        run_ranks(1, lambda: begun(order=order))


def full(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype("float32") * 0.5


class Divided(paddle.nn.Layer):
    """Embedding, two divided linear layers, and logits that stay divided."""

    def __init__(self, rank, size):
        super().__init__()
        self.table = VocabParallelEmbedding(8, 6)
        self.column = ColumnParallelLinear(6, 4, has_bias=True, gather_output=False)
        self.row = RowParallelLinear(4, 6, input_is_parallel=True)
        self.norm = paddle.nn.LayerNorm(6)
        self.head = ColumnParallelLinear(6, 8, has_bias=False, gather_output=False)
        self.loss = ParallelCrossEntropy()
        part = lambda x, axis: np.split(x, size, axis)[rank]  # noqa: E731
        self.table.weight.set_value(part(full(0, 8, 6), 0))
        self.column.weight.set_value(part(full(1, 6, 4), 1))
        self.column.bias.set_value(part(full(2, 4), 0))
        self.row.weight.set_value(part(full(3, 4, 6), 0))
        self.head.weight.set_value(part(full(4, 6, 8), 1))

    def forward(self, x, y):
        h = self.norm(self.row(paddle.nn.functional.gelu(self.column(self.table(x)))))
        return self.loss(self.head(h), y).mean()


def numbers(seed, rows=8):
    made = np.random.default_rng(seed)
    return made.integers(0, 8, (rows,)), made.integers(0, 8, (rows, 1))


def steps(model, rule, part):
    losses = []
    for seed in range(4):
        x, y = (paddle.to_tensor(part(a)) for a in numbers(seed))
        loss = model(x, y)
        loss.backward()
        rule.step()
        rule.clear_grad()
        losses.append(loss.item())
    return losses


def rule_of(model, clip):
    clip = paddle.nn.ClipGradByGlobalNorm(0.2) if clip else None
    return paddle.optimizer.AdamW(1e-2, parameters=model.parameters(), grad_clip=clip)


@pytest.mark.parametrize("clip", [False, True])
@pytest.mark.parametrize(("size", "degrees"), [(2, {"mp_degree": 2}), (4, {"mp_degree": 2})])
def test_divided_layers_train_as_whole_ones(size, degrees, clip):
    def run():
        groups, strategy = begun(**degrees)
        divided = groups.get_model_parallel_group()
        model = Divided(divided.rank, divided.nranks)
        trained = divided_model(model, groups, strategy)
        rule = divided_optimizer(rule_of(model, clip), groups)
        place, count = groups.get_data_parallel_rank(), groups.get_data_parallel_world_size()
        losses = steps(trained, rule, lambda a: np.split(a, count)[place])
        return losses, model.table.weight.numpy(), model.norm.weight.numpy(), divided.rank

    whole = Divided(0, 1)
    losses = steps(whole, rule_of(whole, clip), lambda a: a)
    found = run_ranks(size, run)
    for own, table, norm, rank in found:
        if size == 2:
            np.testing.assert_allclose(own, losses, atol=TOLERANCE)
        np.testing.assert_allclose(
            table, np.split(whole.table.weight.numpy(), 2)[rank], atol=TOLERANCE
        )
        np.testing.assert_allclose(norm, whole.norm.weight.numpy(), atol=TOLERANCE)


def test_gathered_columns_and_whole_inputs_give_the_same():
    def run():
        groups, _ = begun(mp_degree=2)
        rank = groups.get_model_parallel_rank()
        column, row = ColumnParallelLinear(3, 4, has_bias=False), RowParallelLinear(4, 2)
        column.weight.set_value(np.split(full(1, 3, 4), 2, 1)[rank])
        row.weight.set_value(np.split(full(2, 4, 2), 2, 0)[rank])
        x = paddle.to_tensor(full(3, 5, 3), stop_gradient=False)
        y = row(column(x))
        (y * y).sum().backward()
        return y.numpy(), x.grad.numpy()

    product = full(1, 3, 4) @ full(2, 4, 2)
    y = full(3, 5, 3) @ product
    for found, gradient in run_ranks(2, run):
        np.testing.assert_allclose(found, y, atol=TOLERANCE)
        np.testing.assert_allclose(gradient, 2 * y @ product.T, atol=1e-4)


def test_sizes_that_ranks_cannot_share_are_named():
    def run():
        begun(mp_degree=2)
        ColumnParallelLinear(3, 5)

    with pytest.raises(ShapeError, match="2 processes cannot share out_features 5"):
        run_ranks(2, run)


def test_weights_of_ranks_are_drawn_apart():
    def run():
        begun(mp_degree=2)
        return ColumnParallelLinear(3, 4).weight.numpy()

    first, second = run_ranks(2, run)
    assert np.abs(first - second).min() > 0


@pytest.mark.parametrize("degrees", [{}, {"sharding_degree": 2}])
def test_fleet_trains_as_one_process_does(degrees):
    def trained(model, rule):
        for seed in range(4):
            loss_of(model, *map(own_part, batch(seed=seed))).backward()
            rule.step()
            rule.clear_grad()
        return [p.numpy() for p in model.parameters()]

    def run():
        groups, strategy = begun(**degrees)
        model = divided_model(network(), groups, strategy)
        return trained(model, divided_optimizer(rule_of(model, True), groups))

    whole = network()
    expected = trained(whole, rule_of(whole, True))
    for found in run_ranks(4, run):
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a, b, atol=TOLERANCE)


def test_a_program_of_each_rank_has_collectives_between_gradients_and_updates():
    def run():
        groups, _ = begun()
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup):
            x = paddle.static.data("x", [None, 2])
            loss = (paddle.static.nn.fc(x, 1) ** 2).mean()
            sgd = paddle.optimizer.SGD(0.1)
            minimize_in_program(sgd, groups.averaged_group(), loss, startup, None, None)
        types = [o.type for o in main.global_block().ops]
        return types, [o.type for o in startup.global_block().ops]

    for types, first in run_ranks(2, run):
        assert types.count("all_reduce") == types.count("sgd") == 2
        assert max(i for i, t in enumerate(types) if t == "all_reduce") < types.index("sgd")
        assert first.count("c_broadcast") == 2


def test_workers_know_each_other():
    def run():
        with warnings.catch_warnings(action="ignore"):
            fleet = Fleet().init(is_collective=True)
        util, rank = fleet.util, dist.get_rank()
        return (
            (fleet.worker_index(), fleet.worker_num(), fleet.is_first_worker()),
            (util.all_reduce(rank + 1), util.all_reduce([rank, 2], "max").tolist()),
            (util.all_gather(rank), util.get_file_shard(["a", "b", "c"])),
        )

    first, second = run_ranks(2, run)
    assert first == ((0, 2, True), (3, [1, 2]), ([0, 1], ["a", "b"]))
    assert second == ((1, 2, False), (3, [1, 2]), ([0, 1], ["c"]))
