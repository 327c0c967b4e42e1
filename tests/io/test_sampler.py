"""Samplers and batch samplers; the numbers with a seed are Paddle's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError
from twinoar.io import (
    BatchSampler,
    DistributedBatchSampler,
    IterableDataset,
    RandomSampler,
    Sampler,
    SequenceSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)

TEN = range(10)
WEIGHTS = [0.1, 0.3, 0.5, 0.7, 0.2]


@pytest.fixture(autouse=True)
def _seed() -> None:
    np.random.seed(0)


@pytest.mark.parametrize(
    ("sampler", "order"),
    [
        (SequenceSampler(TEN), list(TEN)),
        (RandomSampler(TEN), [2, 8, 4, 9, 1, 6, 7, 3, 0, 5]),
        (RandomSampler(TEN, replacement=True, num_samples=6), [5, 0, 3, 3, 7, 9]),
        (RandomSampler(TEN, num_samples=4), [2, 8, 4, 9]),
        (RandomSampler(TEN, num_samples=3, generator=[3, 4, 5]), [3, 4, 5]),
        (WeightedRandomSampler(WEIGHTS, 5), [3, 3, 3, 3, 2]),
        (WeightedRandomSampler(WEIGHTS, 5, replacement=False), [3, 2, 1, 4, 0]),
    ],
)
def test_order_and_length(sampler: Any, order: list[int]) -> None:
    assert list(sampler) == order
    assert len(sampler) == len(order)


def test_subset_random_sampler_permutes_its_indices() -> None:
    sampler = SubsetRandomSampler([1, 3, 5, 7])
    assert sorted(sampler) == [1, 3, 5, 7]
    assert len({tuple(sampler) for _ in range(20)}) > 1


def test_base_sampler_says_to_define_iter() -> None:
    with pytest.raises(UnsupportedError, match="define __iter__ in Sampler"):
        iter(Sampler(TEN))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RandomSampler(TEN, num_samples=0), "num_samples to be a positive integer"),
        (lambda: RandomSampler([]), "received 0"),
        (lambda: RandomSampler(TEN, num_samples=14), "at most 10"),
        (lambda: WeightedRandomSampler([-1.0, 2.0], 3), "not negative"),
        (lambda: WeightedRandomSampler([0.0, 0.0], 3), "at least one of them positive"),
        (lambda: WeightedRandomSampler([0.1, 0.3, 0.0], 3, False), "at most 2 samples"),
        (lambda: WeightedRandomSampler([1.0], 0), "num_samples"),
        (lambda: SubsetRandomSampler([]), "at least one index"),
        (lambda: BatchSampler(), "received neither"),
        (lambda: BatchSampler(TEN, sampler=[1]), "received both"),
        (lambda: BatchSampler(TEN, batch_size=0), "batch_size"),
        (lambda: BatchSampler(sampler=[1], shuffle=True), "shuffle=True has no meaning"),
        (lambda: BatchSampler(IterableDataset()), "received an IterableDataset"),
        (lambda: DistributedBatchSampler(TEN, 2, num_replicas=0), "num_replicas"),
        (lambda: DistributedBatchSampler(TEN, 2, num_replicas=2, rank=2), "from 0 to 1"),
    ],
)
def test_arguments_that_are_not_allowed(make: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: RandomSampler(TEN, replacement=2),
        lambda: BatchSampler(TEN, shuffle=3),
        lambda: BatchSampler(TEN, drop_last=3),
    ],
)
def test_switches_must_be_bool(make: Any) -> None:
    with pytest.raises(TypeMismatchError, match="True or False"):
        make()


@pytest.mark.parametrize(
    ("options", "batches"),
    [
        ({"batch_size": 4}, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]),
        ({"batch_size": 4, "drop_last": True}, [[0, 1, 2, 3], [4, 5, 6, 7]]),
        ({"batch_size": 4, "shuffle": True}, [[2, 8, 4, 9], [1, 6, 7, 3], [0, 5]]),
        ({"batch_size": 5, "drop_last": True}, [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]),
    ],
)
def test_batches_and_their_number(options: dict, batches: list) -> None:
    sampler = BatchSampler(TEN, **options)
    assert list(sampler) == batches
    assert len(sampler) == len(batches)


def test_batch_sampler_takes_any_iterable_of_indices() -> None:
    assert list(BatchSampler(sampler=[3, 1, 2], batch_size=2)) == [[3, 1], [2]]


@pytest.mark.parametrize(
    ("count", "replicas", "rank", "batches"),
    [
        (10, 2, 0, [[0, 1], [4, 5], [8]]),
        (10, 2, 1, [[2, 3], [6, 7], [9]]),
        (10, 3, 2, [[4, 5], [0, 1]]),
        (10, 4, 3, [[6, 7], [1]]),
        (3, 8, 7, [[1]]),
        (11, 2, 1, [[2, 3], [6, 7], [10, 0]]),
    ],
)
def test_distributed_share(count: int, replicas: int, rank: int, batches: list) -> None:
    sampler = DistributedBatchSampler(range(count), 2, num_replicas=replicas, rank=rank)
    assert list(sampler) == batches
    assert len(sampler) == len(batches)


def test_distributed_shuffle_is_by_epoch() -> None:
    sampler = DistributedBatchSampler(TEN, 2, num_replicas=3, rank=1, shuffle=True)
    assert [list(sampler), list(sampler)] == [[[4, 0], [9, 3]], [[4, 0], [1, 9]]]
    sampler.set_epoch(0)
    assert list(sampler) == [[4, 0], [9, 3]]


def test_distributed_default_is_everything_in_one_process() -> None:
    assert list(DistributedBatchSampler(TEN, 5)) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]


def test_distributed_drop_last_leaves_out_the_short_batch() -> None:
    sampler = DistributedBatchSampler(TEN, 2, num_replicas=2, rank=0, drop_last=True)
    assert (list(sampler), len(sampler)) == ([[0, 1], [4, 5]], 2)
