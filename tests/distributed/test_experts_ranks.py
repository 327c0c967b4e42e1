"""Experts on several ranks: tokens reach them and come back, and all train as in one process."""

import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from tests.distributed.mixtures import (
    EXPERTS,
    WIDTH,
    expert,
    mixture_in_a_pipeline,
    trained_mixture,
)
from tests.distributed.pipelines import begun
from twinoar.distributed import experts
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError, UnsupportedError
from twinoar.incubate.distributed.models.moe import (
    BaseGate,
    ClipGradForMOEByGlobalNorm,
    GShardGate,
    MoELayer,
    SwitchGate,
)
from twinoar.runtime.collective import run_ranks

TOLERANCE = 1e-5


def test_rows_are_sent_as_paddle_sends_them():
    """The example of Paddle's documentation, and its gradient."""

    def run():
        x = paddle.to_tensor(np.arange(1.0, 11).reshape(5, 2), "float32", stop_gradient=False)
        count = paddle.to_tensor([1, 1, 2, 1] if dist.get_rank() else [2, 1, 1, 1])
        y = experts.global_scatter(x, count, count)
        back = experts.global_gather(y, count, count)
        (y * y).sum().backward()
        return y.tolist(), np.array_equal(back.numpy(), x.numpy()), x.grad.tolist()

    first, second = run_ranks(2, run)
    assert first[0] == [[1, 2], [3, 4], [1, 2], [5, 6], [3, 4]]
    assert second[0] == [[7, 8], [5, 6], [7, 8], [9, 10], [9, 10]]
    assert first[1] and second[1]
    assert first[2] == second[2] == [[2, 4], [6, 8], [10, 12], [14, 16], [18, 20]]


@pytest.mark.parametrize(("size", "own"), [(1, 3), (2, 1), (3, 2), (4, 3)])
def test_any_counts_go_there_and_back(size, own):
    table = np.random.default_rng(size).integers(0, 4, (size, size, own))  # from, to, expert
    table[0, :, 0] = 0

    def run():
        rank = dist.get_rank()
        sent, coming = table[rank], table[:, rank]
        labels = [
            (rank, to, e, i) for to in range(size) for e in range(own) for i in range(sent[to, e])
        ]
        x = paddle.to_tensor(np.array(labels, "int64").reshape(-1, 4))
        counts = (paddle.to_tensor(c.reshape(-1)) for c in (sent, coming))
        local, coming = counts
        y = experts.global_scatter(x, local, coming)
        back = experts.global_gather(y, local, coming)
        return y.numpy(), np.array_equal(back.numpy(), x.numpy())

    for rank, (found, is_back) in enumerate(run_ranks(size, run)):
        assert is_back
        assert found.tolist() == [
            [source, rank, e, i]
            for e in range(own)
            for source in range(size)
            for i in range(table[source, rank, e])
        ]


@pytest.mark.parametrize("kind", ["naive", "gshard", "switch"])
@pytest.mark.parametrize(("size", "degrees"), [(2, {"ep_degree": 2}), (4, {"ep_degree": 2})])
@pytest.mark.parametrize("clip", [None, "global"])
def test_mixtures_train_as_one_process_with_all_experts(kind, size, degrees, clip):
    out, parameters = trained_mixture(kind, clip)
    for rank, (own, found) in enumerate(
        run_ranks(size, lambda: trained_mixture(kind, clip, **degrees))
    ):
        assert set(found) == set(parameters)
        np.testing.assert_allclose(own, np.split(out, size)[rank], rtol=TOLERANCE, atol=TOLERANCE)
        for name, value in parameters.items():
            np.testing.assert_allclose(found[name], value, rtol=TOLERANCE, atol=TOLERANCE)


@pytest.mark.parametrize("clip", [None, 0.1])
def test_stages_with_experts_train_as_one_process_does(clip):
    expected = mixture_in_a_pipeline(1, clip)
    whole = {}
    for found in run_ranks(4, lambda: mixture_in_a_pipeline(2, clip)):
        whole |= found
        for name, value in found.items():
            np.testing.assert_allclose(value, expected[name], rtol=TOLERANCE, atol=TOLERANCE)
    assert set(whole) == set(expected)


def test_a_clip_of_experts_has_the_norm_of_all():
    _, parameters = trained_mixture("naive", "experts")
    for _, found in run_ranks(2, lambda: trained_mixture("naive", "experts", ep_degree=2)):
        for name, value in parameters.items():
            np.testing.assert_allclose(found[name], value, rtol=TOLERANCE, atol=TOLERANCE)


def test_tensor_parallel_processes_take_a_part_of_the_tokens_each():
    x = np.random.default_rng(0).standard_normal((2, 4, WIDTH)).astype("float32")

    def mixture(group=None):
        paddle.seed(3)
        layer = MoELayer(WIDTH, [expert(i) for i in range(2)], {"type": "naive"}, mp_group=group)
        for i, p in enumerate(layer.gate.parameters()):
            p.set_value(np.random.default_rng(i).standard_normal(p.shape).astype("float32"))
        given = paddle.to_tensor(x, stop_gradient=False)
        out = layer(given)
        (out * out).sum().backward()
        return out.numpy(), given.grad.numpy()

    def run():
        groups, _ = begun(mp_degree=2)
        return mixture(groups.get_model_parallel_group())

    whole = mixture()
    for found in run_ranks(2, run):
        for ours, expected in zip(found, whole, strict=True):
            np.testing.assert_allclose(ours, expected, rtol=1e-4, atol=1e-5)


def test_experts_take_no_more_than_their_capacity_over_all_ranks():
    def run():
        group = dist.new_group()
        gate = SwitchGate(WIDTH, 1, 2, 1, 0.0, (0.5, 0.5), group=group)
        gate.gate.weight.set_value(np.zeros((WIDTH, 2), "float32"))
        gate.gate.bias.set_value(np.array([1.0, 0.0], "float32"))  # all choose the first
        _, choices = gate(paddle.ones([8, WIDTH]))
        return (choices.numpy() == 0).sum()

    assert run_ranks(2, run) == [4, 0]  # half of a process's tokens, the first process first


def test_tokens_without_an_expert_are_zeros_and_the_loss_has_a_gradient():
    gate = SwitchGate(WIDTH, 2, 1, 1, 0.0, (0.25, 0.25))
    layer = MoELayer(WIDTH, [expert(i) for i in range(2)], gate)
    x = paddle.ones([1, 8, WIDTH])
    out = layer(x)
    assert (np.abs(out.numpy()[0]).sum(-1) > 0).sum() == 2
    gate.get_loss().backward()
    assert gate.gate.weight.grad is not None
    assert gate.get_loss() is None


def test_second_experts_are_left_out_at_random():
    paddle.seed(0)
    gate = GShardGate(WIDTH, 4, 1, capacity=(99, 99))
    gate.gate.bias.set_value(np.array([0.3, 0.25, 0.0, 0.0], "float32"))
    gate.gate.weight.set_value(np.zeros((WIDTH, 4), "float32"))
    _, choices = gate(paddle.ones([1000, WIDTH]))
    share = (choices.numpy()[:, 1] == -1).mean()
    assert share == pytest.approx(0.5, abs=0.06)  # 1 - 2 * 0.25


@pytest.mark.parametrize("interval", [0, 1])
def test_experts_without_tokens_and_batches_of_one_row_work(interval):
    layer = MoELayer(WIDTH, [expert(i) for i in range(EXPERTS)], recompute_interval=interval)
    layer.gate.random_routing = False
    out = layer(paddle.ones([1, 1, WIDTH]))
    out.sum().backward()
    assert out.shape == [1, 1, WIDTH]


def test_experts_computed_twice_have_the_same_gradient():
    found = []
    for interval in (0, 1):
        layer = MoELayer(
            WIDTH, [expert(i) for i in range(2)], {"type": "naive"}, recompute_interval=interval
        )
        layer.gate.gate.weight.set_value(np.eye(WIDTH, 2, dtype="float32"))
        x = paddle.to_tensor(np.arange(24.0).reshape(1, 4, WIDTH).astype("float32"))
        layer(x).sum().backward()
        found.append([p.grad.numpy() for p in layer.experts.parameters()])
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: MoELayer(4, [], {"type": "best"}), ArgumentError, "gate type 'best'"),
        (lambda: MoELayer(4, [], BaseGate(1, 1)), TypeMismatchError, "NaiveGate"),
        (lambda: MoELayer(WIDTH, [expert(0)])(paddle.ones([2, WIDTH])), ShapeError, "expected"),
        (lambda: GShardGate(4, 2, 1, topk=1), ArgumentError, "chooses 2"),
        (lambda: SwitchGate(4, 2, 1, topk=2), ArgumentError, "chooses 1"),
        (
            lambda: experts.global_scatter(
                paddle.ones([3]), paddle.to_tensor([1]), paddle.to_tensor([1])
            ),
            ShapeError,
            "1 rows are to be sent",
        ),
        (
            lambda: experts.number_count(paddle.to_tensor([3]), 3),
            ArgumentError,
            "a choice of expert 3",
        ),
        (
            lambda: experts.random_routing(
                paddle.to_tensor([[1]]), paddle.ones([1, 1]), paddle.ones([1])
            ),
            ArgumentError,
            "two choices",
        ),
    ],
)
def test_what_makes_no_sense_is_told(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_a_clip_has_to_know_experts():
    def run():
        ClipGradForMOEByGlobalNorm(1.0, moe_group=dist.new_group())

    with pytest.raises(ArgumentError, match="is_expert_param_func"):
        run_ranks(2, run)


@pytest.mark.parametrize("degrees", [{"ep_degree": 3}, {"ep_degree": 2, "moe_sharding_degree": 3}])
def test_experts_that_ranks_cannot_share_are_told(degrees):
    with pytest.raises(ArgumentError, match="ep_degree"):
        run_ranks(4, lambda: begun(**degrees))


def test_experts_whose_moments_would_be_shared_are_refused():
    with pytest.raises(UnsupportedError, match="sharding_degree with experts"):
        run_ranks(2, lambda: trained_mixture("naive", ep_degree=2, sharding_degree=2))


def test_groups_of_experts_lie_next_to_each_other():
    def run():
        groups, _ = begun(ep_degree=2, mp_degree=2)
        sharing = groups.get_expert_parallel_group()
        return sharing.ranks, groups.get_moe_sharding_parallel_group().ranks

    found = run_ranks(8, run)
    assert found[0] == ([0, 2], [0, 4])
    assert found[7] == ([5, 7], [3, 7])
