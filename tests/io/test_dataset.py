"""Datasets and datasets made of datasets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, AxisError, ShapeError, TypeMismatchError, UnsupportedError
from twinoar.io import (
    ChainDataset,
    ComposeDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    Subset,
    TensorDataset,
    random_split,
)


class Numbers(Dataset):
    """start, start + 1, ..."""

    def __init__(self, count: int, start: int = 0) -> None:
        self.count, self.start = count, start

    def __getitem__(self, index: int) -> Any:
        return self.start + index

    def __len__(self) -> int:
        return self.count


class Count(IterableDataset):
    """0, 1, 2."""

    def __iter__(self) -> Any:
        yield from range(3)


@pytest.mark.parametrize("use", [lambda d: d[0], len])
def test_dataset_without_methods_says_which_to_define(use: Any) -> None:
    class Empty(Dataset):
        pass

    with pytest.raises(UnsupportedError, match=r"define __.*__ in Empty"):
        use(Empty())


def test_iterable_dataset_without_iter_says_to_define_it() -> None:
    with pytest.raises(NotImplementedError, match="IterableDataset has no __iter__"):
        iter(IterableDataset())


@pytest.mark.parametrize("error", [TypeError, ValueError, RuntimeError])
@pytest.mark.parametrize("use", [lambda d: d[0], len])
def test_stream_has_neither_items_nor_length(use: Any, error: type) -> None:
    with pytest.raises(error, match="Count is an IterableDataset and has no"):
        use(Count())


def test_stream_becomes_a_list() -> None:
    assert list(Count()) == [0, 1, 2]


def test_tensor_dataset_gives_rows_as_tensors() -> None:
    data = TensorDataset([Tensor(np.arange(6).reshape(3, 2)), Tensor(np.arange(3))])
    assert len(data) == 3
    row = data[-1]
    assert type(row) is tuple
    assert [(t.shape, t.tolist()) for t in row] == [([2], [4, 5]), ([], 2)]


def test_tensor_dataset_ends_with_index_error() -> None:
    with pytest.raises(IndexError):
        TensorDataset([Tensor(np.arange(3))])[3]


def test_tensor_dataset_refuses_other_lengths() -> None:
    with pytest.raises(ShapeError, match=r"\(3,\), \(4,\)"):
        TensorDataset([Tensor(np.zeros(3)), Tensor(np.zeros(4))])


@pytest.mark.parametrize("tensors", [Tensor(np.zeros(3)), []])
def test_tensor_dataset_wants_a_sequence_of_tensors(tensors: Any) -> None:
    with pytest.raises(TypeMismatchError, match="sequence of at least one tensor"):
        TensorDataset(tensors)


def test_compose_puts_fields_side_by_side() -> None:
    pairs = Subset([(0, [0]), (1, [1])], [0, 1])
    assert ComposeDataset([pairs, Numbers(2, 10)])[1] == (1, [1], 11)


def test_compose_refuses_other_lengths() -> None:
    with pytest.raises(ArgumentError, match=r"lengths \[3, 4\]"):
        ComposeDataset([Numbers(3), Numbers(4)])


def test_chain_yields_one_stream_after_the_other() -> None:
    assert list(ChainDataset([Count(), Count()])) == [0, 1, 2, 0, 1, 2]


def test_concat_counts_on_and_takes_negative_indices() -> None:
    data = ConcatDataset([Numbers(3), Numbers(4, 10)])
    assert [data[i] for i in range(len(data))] == [0, 1, 2, 10, 11, 12, 13]
    assert (data[-1], data[-7], data.cumulative_sizes) == (13, 0, [3, 7])


@pytest.mark.parametrize("index", [7, -8])
def test_concat_refuses_index_out_of_range(index: int) -> None:
    with pytest.raises(AxisError, match=f"below 7, received {index}"):
        ConcatDataset([Numbers(3), Numbers(4)])[index]


@pytest.mark.parametrize("kind", [ComposeDataset, ChainDataset, ConcatDataset])
def test_nothing_to_combine_is_refused(kind: type) -> None:
    with pytest.raises(ArgumentError, match="at least one dataset"):
        kind([])


@pytest.mark.parametrize(
    ("kind", "part"), [(ComposeDataset, Count()), (ConcatDataset, Count()), (ChainDataset, [1])]
)
def test_combining_the_wrong_kind_is_refused(kind: type, part: Any) -> None:
    with pytest.raises(TypeMismatchError, match="Dataset"):
        kind([part])


def test_subset_takes_samples_at_indices() -> None:
    assert list(Subset(Numbers(10), [3, 5])) == [3, 5]


def test_random_split_follows_numpy_seed() -> None:
    np.random.seed(0)
    first, second = random_split(Numbers(10), [7, 3])
    assert (list(first), list(second)) == ([2, 8, 4, 9, 1, 6, 7], [3, 0, 5])


def test_random_split_takes_a_generator_of_its_own() -> None:
    parts = [random_split(Numbers(9), [4, 5], np.random.RandomState(3))[0].indices for _ in "ab"]
    assert parts[0] == parts[1]


@pytest.mark.parametrize(
    ("fractions", "counts"), [([0.7, 0.3], [7, 3]), ([0.33, 0.33, 0.34], [4, 3, 3])]
)
def test_random_split_takes_fractions(fractions: list[float], counts: list[int]) -> None:
    assert [len(part) for part in random_split(Numbers(10), fractions)] == counts


@pytest.mark.parametrize("lengths", [[7, 4], [11, -1], [0.7, 0.4], [1.5, -0.5]])
def test_random_split_refuses_lengths_that_do_not_add_up(lengths: list) -> None:
    with pytest.raises(ArgumentError, match="add up to"):
        random_split(Numbers(10), lengths)
