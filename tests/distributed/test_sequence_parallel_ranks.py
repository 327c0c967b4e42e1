"""Positions of sequences that processes divide: layers, and attention over a ring of them."""

import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from tests.distributed.pipelines import begun
from tests.distributed.sequences import TOLERANCE, whole_block_steps, with_divided_positions
from twinoar.distributed.fleet.utils import sequence_parallel_utils as sequences
from twinoar.errors import ArgumentError, ShapeError
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
