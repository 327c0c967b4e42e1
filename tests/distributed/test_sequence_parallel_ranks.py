"""Positions of sequences that processes divide: layers, and attention over a ring of them."""

import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from tests.distributed.pipelines import begun
from tests.distributed.sequences import (
    TOLERANCE,
    attention_inputs,
    attention_of_one,
    over_ring,
    trained_over_ring,
    whole_block_steps,
    with_divided_positions,
)
from twinoar.distributed.auto_parallel.ring_attention import (
    RingFlashAttention,
    shard_seq_load_balance,
    unshard_seq_load_balance,
)
from twinoar.distributed.fleet.ring_attention import own_positions, ring_attention
from twinoar.distributed.fleet.utils import sequence_parallel_utils as sequences
from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.runtime.collective import run_ranks


def rows_of(function, x, weight):
    """What a function gives, and the gradient of its sum by weights."""
    x = paddle.to_tensor(x, stop_gradient=False)
    y = function(x)
    (y * paddle.to_tensor(weight)).sum().backward()
    return y.numpy(), x.grad.numpy()


def number(*shape):
    return np.random.default_rng(0).standard_normal(shape).astype("float32")


def test_scattering_takes_own_rows_and_gathers_the_gradient():
    x = number(4, 3)

    def run():
        begun(mp_degree=2)
        rows = slice(2 * dist.get_rank(), 2 * dist.get_rank() + 2)
        return rows_of(sequences.ScatterOp.apply, x, x[rows])

    for rank, (y, gradient) in enumerate(run_ranks(2, run)):
        np.testing.assert_array_equal(y, x[2 * rank : 2 * rank + 2])
        np.testing.assert_array_equal(gradient, x)


def test_gathering_for_one_use_keeps_the_own_rows_of_the_gradient():
    x = number(4, 3)

    def run():
        begun(mp_degree=2)
        return rows_of(sequences.GatherOp.apply, x[2 * dist.get_rank() :][:2], x)

    for rank, (y, gradient) in enumerate(run_ranks(2, run)):
        np.testing.assert_array_equal(y, x)
        np.testing.assert_array_equal(gradient, x[2 * rank : 2 * rank + 2])


def test_gathering_for_uses_of_each_adds_their_gradients_up():
    x = number(4, 3)

    def run():
        begun(mp_degree=2)
        rank = dist.get_rank()
        return rows_of(sequences.AllGatherOp.apply, x[2 * rank :][:2], x * (rank + 1))

    for rank, (y, gradient) in enumerate(run_ranks(2, run)):
        np.testing.assert_array_equal(y, x)
        np.testing.assert_allclose(gradient, 3 * x[2 * rank : 2 * rank + 2], rtol=1e-6)


def test_sums_are_scattered_and_their_gradient_is_gathered():
    x = number(4, 3)

    def run():
        begun(mp_degree=2)
        rank = dist.get_rank()
        return rows_of(sequences.ReduceScatterOp.apply, x * (rank + 1), x[2 * rank :][:2])

    for rank, (y, gradient) in enumerate(run_ranks(2, run)):
        np.testing.assert_allclose(y, 3 * x[2 * rank : 2 * rank + 2], rtol=1e-6)
        np.testing.assert_array_equal(gradient, x)


@pytest.mark.parametrize("clip", [False, True])
@pytest.mark.parametrize("accumulate", [1, 2])
def test_blocks_of_divided_positions_train_as_whole_ones(clip, accumulate):
    expected = whole_block_steps(clip, accumulate)
    for found in run_ranks(2, lambda: with_divided_positions(clip, accumulate)):
        for name, value in found.items():
            np.testing.assert_allclose(value, expected[name], rtol=TOLERANCE, atol=TOLERANCE)


def test_positions_that_cannot_be_shared_are_told():
    def run():
        begun(mp_degree=2)
        sequences.ScatterOp.apply(paddle.ones([3, 2]))

    with pytest.raises(ShapeError, match="2 ranks cannot divide 3 rows"):
        run_ranks(2, run)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: sequences.ColumnSequenceParallelLinear(4, 4), "gather_output"),
        (lambda: sequences.RowSequenceParallelLinear(4, 4), "input_is_parallel"),
        (sequences.ScatterOp, "apply"),
    ],
)
def test_layers_that_do_not_fit_are_told(make, text):
    def run():
        begun(mp_degree=2)
        make()

    with pytest.raises(ArgumentError, match=text):
        run_ranks(2, run)


ATTENTION = [
    (size, causal, balanced)
    for size in (1, 2, 3, 4)
    for causal, balanced in ((False, False), (True, False), (True, True))
]


@pytest.mark.parametrize(("size", "causal", "balanced"), ATTENTION)
def test_attention_over_a_ring_is_that_of_one_process(size, causal, balanced):
    whole = attention_of_one(12 * size, causal)
    for found in run_ranks(size, lambda: over_ring(12 * size, causal, balanced)):
        for ours, expected in zip(found, whole, strict=True):
            np.testing.assert_allclose(ours, expected, rtol=TOLERANCE, atol=TOLERANCE)


@pytest.mark.parametrize("kind", ["bool", "float32"])
@pytest.mark.parametrize("balanced", [False, True])
def test_a_mask_names_what_is_seen_of_all_positions(kind, balanced):
    mask = np.random.default_rng(3).integers(0, 2, (1, 1, 8, 8)).astype(bool)
    mask[..., 0] = True
    whole = attention_of_one(8, False, mask)

    def run():
        return over_ring(8, False, balanced, mask if kind == "bool" else mask * 1e4 - 1e4)

    for found in run_ranks(2, run):
        for ours, expected in zip(found, whole, strict=True):
            np.testing.assert_allclose(ours, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
def test_dtypes_stay_as_they_are(dtype):
    x = paddle.to_tensor(number(1, 4, 2, 3)).astype(dtype)
    x.stop_gradient = False
    y = ring_attention(x, x, x, is_causal=True)
    y.sum().backward()
    assert y.dtype == x.grad.dtype == x.dtype


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({"dropout": 0.1}, UnsupportedError, "no dropout"),
        ({"key": paddle.ones([1, 2, 2, 3])}, ShapeError, "one shape"),
        ({"attn_mask": paddle.ones([1, 1, 4, 3])}, ShapeError, "attn_mask"),
    ],
)
def test_attention_that_cannot_be_is_told(given, error, text):
    x = paddle.ones([1, 4, 2, 3])
    with pytest.raises(error, match=text):
        ring_attention(**{"query": x, "key": x, "value": x, **given})


def test_positions_lie_in_order_or_balanced():
    x = np.arange(8).reshape(1, 8)

    def run():
        begun(sep_degree=2)
        given = paddle.to_tensor(x)
        return own_positions(given).tolist(), own_positions(given, balanced=True).tolist()

    assert run_ranks(2, run) == [
        ([[0, 1, 2, 3]], [[0, 1, 6, 7]]),
        ([[4, 5, 6, 7]], [[2, 3, 4, 5]]),
    ]


@pytest.mark.parametrize("degrees", [{"sep_degree": 2}, {"cp_degree": 2}])
@pytest.mark.parametrize("size", [2, 4])
def test_networks_of_divided_positions_train_as_whole_ones(degrees, size):
    expected = trained_over_ring(1)
    for found in run_ranks(size, lambda: trained_over_ring(size, **degrees)):
        for ours, whole in zip(found, expected, strict=True):
            np.testing.assert_allclose(ours, whole, rtol=TOLERANCE, atol=TOLERANCE)


@pytest.mark.parametrize("causal", [False, True])
def test_attention_on_a_mesh_goes_round_too(causal):
    whole = attention_of_one(8, causal)

    def run():
        mesh = dist.ProcessMesh([0, 1], dim_names=["sep"])
        *given, g = attention_inputs(8)
        tensors = [
            dist.shard_tensor(x, mesh, [dist.Replicate()], stop_gradient=False) for x in given
        ]
        if causal:
            parts = [shard_seq_load_balance(x, 1) for x in tensors]
        else:
            parts = [dist.reshard(x, mesh, [dist.Shard(1)]) for x in tensors]
        out = RingFlashAttention.apply(*parts, is_causal=causal)
        out = unshard_seq_load_balance(out, 1) if causal else out
        (out * dist.shard_tensor(g, mesh, [dist.Replicate()])).sum().backward()
        return [out.numpy(), *(x.grad.numpy() for x in tensors)]

    for found in run_ranks(2, run):
        for ours, expected in zip(found, whole, strict=True):
            np.testing.assert_allclose(ours, expected, rtol=TOLERANCE, atol=TOLERANCE)


def test_attention_on_a_mesh_asks_for_its_axis():
    x = paddle.ones([1, 4, 2, 3])
    with pytest.raises(ArgumentError, match='an axis "sep"'):
        RingFlashAttention.apply(x, x, x)
