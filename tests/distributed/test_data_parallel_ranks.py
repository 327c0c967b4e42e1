"""Several ranks that train together do what one process does on the whole batch."""

import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from twinoar import nn
from twinoar.errors import DistributedError
from twinoar.runtime.collective import run_ranks

TOLERANCE = 1e-6  # of sums in another order


def network():
    made = nn.Sequential(nn.Linear(6, 8), nn.GELU(), nn.Linear(8, 3))
    numbers = np.random.default_rng(0)
    for p in made.parameters():
        p.set_value(numbers.standard_normal(p.shape).astype("float32") * 0.3)
    return made


def batch(rows=12, seed=1):
    numbers = np.random.default_rng(seed)
    return numbers.standard_normal((rows, 6)).astype("float32"), numbers.integers(0, 3, (rows, 1))


def own_part(x):
    size, rank = dist.get_world_size(), dist.get_rank()
    return paddle.to_tensor(x[rank * len(x) // size : (rank + 1) * len(x) // size])


def loss_of(model, x, y):
    return nn.functional.cross_entropy(model(x), y)


def trained(model, steps=5, step=None):
    adam = paddle.optimizer.Adam(1e-2, parameters=model.parameters())

    def one(x, y):
        loss = loss_of(model, x, y)
        loss.backward()
        adam.step()
        adam.clear_grad()
        return loss

    run = one if step is None else step(one)
    for seed in range(steps):
        run(*map(own_part, batch(seed=seed)))
    return [p.numpy() for p in model.parameters()]


@pytest.mark.parametrize("step", [None, paddle.jit.to_static], ids=["eager", "to_static"])
@pytest.mark.parametrize("size", [2, 3])
def test_ranks_train_as_one_process_does(size, step):
    alone = trained(network())
    for found in run_ranks(size, lambda: trained(paddle.DataParallel(network()), step=step)):
        for a, b in zip(found, alone, strict=True):
            np.testing.assert_allclose(a, b, atol=TOLERANCE)


def test_small_buckets_give_the_same():
    def run():
        return trained(paddle.DataParallel(network(), comm_buffer_size=1e-4))

    for found in run_ranks(2, run):
        for a, b in zip(found, trained(network()), strict=True):
            np.testing.assert_allclose(a, b, atol=TOLERANCE)


def test_all_begin_with_the_values_of_the_first():
    def run():
        model = nn.BatchNorm1D(2)
        model.weight.set_value(np.full(2, dist.get_rank() + 5.0, "float32"))
        model._mean.set_value(np.full(2, dist.get_rank() + 7.0, "float32"))
        paddle.DataParallel(model)
        return model.weight.tolist(), model._mean.tolist()

    assert run_ranks(3, run) == [([5.0, 5.0], [7.0, 7.0])] * 3


def test_gradients_add_up_within_no_sync():
    x, y = batch()

    def run():
        model = paddle.DataParallel(network())
        with model.no_sync():
            loss_of(model, *map(own_part, (x[:6], y[:6]))).backward()
            between = model.parameters()[0].grad.numpy()
        loss_of(model, *map(own_part, (x[6:], y[6:]))).backward()
        return between, model.parameters()[0].grad.numpy()

    alone = network()
    loss_of(alone, *map(paddle.to_tensor, (x[:6], y[:6]))).backward()
    loss_of(alone, *map(paddle.to_tensor, (x[6:], y[6:]))).backward()
    first, second = run_ranks(2, run)
    assert np.abs(first[0] - second[0]).max() > 1e-3
    for found in (first[1], second[1]):
        np.testing.assert_allclose(found, alone.parameters()[0].grad.numpy(), atol=TOLERANCE)


class Either(nn.Layer):
    """Uses one of two layers."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(1, 1), nn.Linear(1, 1)

    def forward(self, x, use_second):
        return (self.second if use_second else self.first)(x)


def test_what_another_rank_has_not_used_is_named():
    def run():
        model = paddle.DataParallel(Either())
        model(paddle.ones([1, 1]), dist.get_rank() == 1).sum().backward()

    with pytest.raises(DistributedError, match=r"linear\S* has a gradient on the ranks \[\d\]"):
        run_ranks(2, run)


def test_what_is_unused_counts_as_zeros_where_that_is_asked_for():
    def run():
        model = paddle.DataParallel(Either(), find_unused_parameters=True)
        model(paddle.full([1, 1], 4.0), dist.get_rank() == 1).sum().backward()
        return [p.grad.item() for p in model.parameters()]

    assert run_ranks(2, run) == [[2.0, 0.5, 2.0, 0.5]] * 2


def test_what_no_rank_uses_has_no_gradient():
    def run():
        model = paddle.DataParallel(Either())
        model(paddle.ones([1, 1]), False).sum().backward()
        return [p.grad is None for p in model.parameters()]

    assert run_ranks(2, run) == [[False, False, True, True]] * 2


def test_a_rank_with_fewer_batches_is_named():
    def run():
        model = paddle.DataParallel(network())
        for seed in range(2 + dist.get_rank()):
            loss_of(model, *map(own_part, batch(seed=seed))).backward()

    with pytest.raises(DistributedError, match="rank 0 has ended, and rank 1 waits"):
        run_ranks(2, run)


def test_networks_that_differ_are_told():
    with pytest.raises(DistributedError, match=r"weight: float32\[2, [23]\]"):
        run_ranks(2, lambda: paddle.DataParallel(nn.Linear(2, 2 + dist.get_rank())))


def test_batch_normalization_over_ranks_is_that_of_the_whole_batch():
    x = np.random.default_rng(0).standard_normal((6, 3, 2, 2)).astype("float32")
    weights = np.random.default_rng(1).standard_normal((6, 3, 2, 2)).astype("float32")

    def run(rows, kind):
        layer, given = kind(3), paddle.to_tensor(x[rows], stop_gradient=False)
        out = layer(given)
        (out * paddle.to_tensor(weights[rows])).sum().backward()
        return (out.numpy(), given.grad.numpy(), layer._mean.numpy(), layer._variance.numpy())

    def on_rank():
        rows = slice(0, 2) if dist.get_rank() == 0 else slice(2, 6)  # uneven
        return run(rows, nn.SyncBatchNorm)

    first, second = run_ranks(2, on_rank)
    whole = run(slice(0, 6), nn.BatchNorm2D)
    for position in (0, 1):
        together = np.concatenate([first[position], second[position]])
        np.testing.assert_allclose(together, whole[position], atol=1e-5)
    for found in (first, second):
        np.testing.assert_allclose(found[2], whole[2], atol=TOLERANCE)
        np.testing.assert_allclose(found[3], whole[3], atol=TOLERANCE)


def test_a_sampler_gives_each_rank_its_part():
    def run():
        return list(paddle.io.DistributedBatchSampler(range(8), 2))

    assert run_ranks(2, run) == [[[0, 1], [4, 5]], [[2, 3], [6, 7]]]
