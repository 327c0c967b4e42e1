"""DataLoader in one process: batching, collating, what it refuses."""

from __future__ import annotations

from collections import namedtuple
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from twinoar import static
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError
from twinoar.io import (
    BatchSampler,
    DataLoader,
    Dataset,
    IterableDataset,
    TensorDataset,
    get_worker_info,
)
from twinoar.io.collate import default_collate_fn

Pair = namedtuple("Pair", "image label")


class Items(Dataset):
    """Items that a function makes of their index."""

    def __init__(self, make: Any, count: int = 5) -> None:
        self.make, self.count = make, count

    def __getitem__(self, index: int) -> Any:
        return self.make(index)

    def __len__(self) -> int:
        return self.count


class Stream(IterableDataset):
    """The arrays [i, i] for i below 5."""

    def __iter__(self) -> Any:
        return (np.full(2, i, "float32") for i in range(5))


NUMBERS = Items(lambda i: i)


def only_batch(make: Any) -> Any:
    return next(iter(DataLoader(Items(make, 2), batch_size=2)))


def values(loader: Any) -> list:
    return [batch.tolist() for batch in loader]


@pytest.mark.parametrize(
    ("make", "shape", "dtype"),
    [
        (lambda i: np.zeros(3, "float32"), [2, 3], "float32"),
        (lambda i: np.zeros((3, 4)), [2, 3, 4], "float64"),
        (lambda i: Tensor(np.zeros(3, "float16")), [2, 3], "float16"),
        (lambda i: i, [2], "int64"),
        (lambda i: 0.5, [2], "float64"),
        (lambda i: True, [2], "bool"),
        (lambda i: np.float32(i), [2], "float32"),
        (lambda i: np.int32(i), [2], "int32"),
        (lambda i: np.bool_(i), [2], "bool"),
    ],
)
def test_field_collates_to_tensor(make: Any, shape: list[int], dtype: str) -> None:
    batch = only_batch(make)
    assert isinstance(batch, Tensor)
    assert (batch.shape, batch.dtype, batch.stop_gradient) == (shape, dtype, True)


@pytest.mark.parametrize("text", ["a", b"a"])
def test_text_collates_to_list(text: Any) -> None:
    assert only_batch(lambda i: text) == [text, text]


@pytest.mark.parametrize("make", [lambda i: (i, 0.5), lambda i: [i, 0.5], lambda i: Pair(i, 0.5)])
def test_tuples_and_lists_collate_to_list_of_fields(make: Any) -> None:
    batch = only_batch(make)
    assert type(batch) is list
    assert [field.tolist() for field in batch] == [[0, 1], [0.5, 0.5]]


def test_mapping_with_nested_fields_collates_key_by_key() -> None:
    batch = only_batch(lambda i: {"a": (i, {"b": 1.5}), "name": "x"})
    assert batch["a"][0].tolist() == [0, 1]
    assert batch["a"][1]["b"].tolist() == [1.5, 1.5]
    assert batch["name"] == ["x", "x"]


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda i: np.zeros(i + 1), ShapeError, r"shapes \[1\], \[2\]"),
        (lambda i: (1,) * (i + 1), ShapeError, r"received \[1, 2\] fields"),
        (
            lambda i: {"a": 1} if i == 0 else {"b": 1},
            ShapeError,
            "sample 1 of the batch has no 'a'",
        ),
        (lambda i: None, TypeMismatchError, "received builtins.NoneType"),
        (lambda i: 1 if i == 0 else None, TypeMismatchError, "expected numbers"),
    ],
)
def test_samples_that_do_not_collate_are_explained(make: Any, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        only_batch(make)


def test_array_without_tensor_type_is_refused_with_cure() -> None:
    with pytest.raises(TypeError, match="uint64"):
        only_batch(lambda i: np.zeros(1, "uint64"))


def test_last_batch_is_short_or_dropped() -> None:
    assert values(DataLoader(NUMBERS, batch_size=2)) == [[0, 1], [2, 3], [4]]
    assert values(DataLoader(NUMBERS, batch_size=2, drop_last=True)) == [[0, 1], [2, 3]]


def test_length_counts_batches() -> None:
    assert len(DataLoader(NUMBERS, batch_size=2)) == 3
    assert len(DataLoader(NUMBERS, batch_size=2, drop_last=True)) == 2
    assert len(DataLoader(NUMBERS, batch_size=None)) == 5


def test_loader_is_iterable_and_callable_again_and_again() -> None:
    loader = DataLoader(NUMBERS, batch_size=3)
    assert values(loader) == values(loader()) == values(loader) == [[0, 1, 2], [3, 4]]


def test_shuffle_follows_numpy_seed_and_differs_between_epochs() -> None:
    loader = DataLoader(Items(lambda i: i, 10), batch_size=10, shuffle=True)
    np.random.seed(0)
    epochs = [values(loader)[0] for _ in range(2)]
    assert epochs == [[2, 8, 4, 9, 1, 6, 7, 3, 0, 5], [3, 5, 1, 2, 9, 8, 0, 6, 7, 4]]


def test_batch_sampler_decides_batches() -> None:
    assert values(DataLoader(NUMBERS, batch_sampler=[[4, 0], [2]])) == [[4, 0], [2]]
    sampler = BatchSampler(NUMBERS, batch_size=4)
    assert values(DataLoader(NUMBERS, batch_sampler=sampler)) == [[0, 1, 2, 3], [4]]


ROWS = TensorDataset(
    [
        Tensor(np.arange(30, dtype="float32").reshape(10, 3)),
        Tensor(np.arange(10)),
        Tensor(np.zeros((10, 0), "float16")),
    ]
)


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("indices", [[3], [9, 0, 0, -1], np.arange(4), (2, 1)])
def test_rows_of_tensors_are_gathered_as_their_samples_are_collated(
    indices: Any, workers: int
) -> None:
    (batch,) = DataLoader(ROWS, batch_sampler=[indices], num_workers=workers)
    samples = default_collate_fn([ROWS[i] for i in indices])
    for found, expected in zip(batch, samples, strict=True):
        assert (found.numpy().dtype, found.shape) == (expected.dtype, list(expected.shape))
        assert np.array_equal(found.numpy(), expected)


@pytest.mark.parametrize("index", [10, -11])
def test_a_row_that_is_not_there_is_an_index_error(index: int) -> None:
    with pytest.raises(IndexError):
        list(DataLoader(ROWS, batch_sampler=[[0, index]]))


@pytest.mark.parametrize("workers", [0, 1])
def test_a_dataset_is_asked_for_one_sample_at_a_time_by_a_batch_sampler(workers: int) -> None:
    dataset = Items(lambda i: [float(i), f"sample {i}"])
    loader = DataLoader(dataset, batch_sampler=[[4, 0]], num_workers=workers)
    numbers, names = next(iter(loader))
    assert numbers.tolist() == [4.0, 0.0]
    assert names == ["sample 4", "sample 0"]
    gathered = DataLoader(dataset, batch_sampler=[[4, 0]], collate_fn=len, num_workers=workers)
    assert list(gathered) == [2]


def test_batch_size_none_passes_samples_on_one_by_one() -> None:
    loader = DataLoader(Items(lambda i: (np.full(2, i), i, "n")), batch_size=None)
    first = next(iter(loader))
    assert isinstance(first[0], Tensor)
    assert (first[0].shape, first[1:]) == ([2], [0, "n"])


def test_unbatched_tensor_does_not_alias_the_dataset() -> None:
    data = np.zeros((2, 3))
    tensor = next(iter(DataLoader(data, batch_size=None)))
    data[:] = 1
    assert tensor.tolist() == [0, 0, 0]


def test_custom_collate_result_has_arrays_as_tensors_and_tuples_as_lists() -> None:
    loader = DataLoader(NUMBERS, batch_size=5, collate_fn=lambda batch: (np.array(batch), "n", 3))
    (batch,) = list(loader)
    assert type(batch) is list
    assert (batch[0].tolist(), batch[1:]) == ([0, 1, 2, 3, 4], ["n", 3])


def test_stream_is_batched() -> None:
    assert [b.shape for b in DataLoader(Stream(), batch_size=2)] == [[2, 2], [2, 2], [1, 2]]
    assert len(list(DataLoader(Stream(), batch_size=2, drop_last=True))) == 2
    assert [b.shape for b in DataLoader(Stream(), batch_size=None)] == [[2]] * 5


def test_stream_has_no_length() -> None:
    with pytest.raises(ValueError, match="no length"):
        len(DataLoader(Stream()))
    with pytest.raises(TypeError):
        len(DataLoader(Stream()))


def test_feed_list_without_return_list_gives_dict_of_names() -> None:
    feed = [SimpleNamespace(name="x"), SimpleNamespace(name="y")]
    loader = DataLoader(Items(lambda i: (i, 0.5)), feed_list=feed, return_list=False, batch_size=5)
    ((batch,),) = list(loader)
    assert {name: tensor.shape for name, tensor in batch.items()} == {"x": [5], "y": [5]}


def test_feed_list_of_other_length_than_fields_is_refused() -> None:
    feed = [SimpleNamespace(name="x")]
    loader = DataLoader(Items(lambda i: (i, 0.5)), feed_list=feed, return_list=False)
    with pytest.raises(ArgumentError, match="1 variables, a batch has 2 fields"):
        list(loader)


def test_a_loader_gives_lists_where_operators_run_at_once() -> None:
    (batch,) = DataLoader(Items(lambda i: (i, 0.5)), return_list=False, batch_size=10)
    assert [type(field) for field in batch] == [Tensor, Tensor]


def test_a_loader_for_a_program_wants_variables_to_feed() -> None:
    with static.program_guard(static.Program()), pytest.raises(ArgumentError, match="feed_list"):
        DataLoader(NUMBERS, return_list=False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch_size": 0}, "batch_size to be a positive integer, received 0"),
        ({"batch_size": 2.5}, "batch_size to be a positive integer, received 2.5"),
        ({"num_workers": -1}, "num_workers of at least 0"),
        ({"timeout": -1}, "timeout of at least 0"),
        ({"prefetch_factor": 0}, "prefetch_factor to be a positive"),
        ({"batch_sampler": [[0]], "batch_size": 2}, "for the batch sampler to decide"),
        ({"batch_sampler": [[0]], "shuffle": True}, "for the batch sampler to decide"),
        ({"batch_sampler": [[0]], "drop_last": True}, "for the batch sampler to decide"),
        ({"places": "gpu:0"}, "no device 'gpu:0'"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: dict, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        DataLoader(NUMBERS, **options)


@pytest.mark.parametrize("option", ["shuffle", "drop_last"])
def test_switches_must_be_bool(option: str) -> None:
    with pytest.raises(TypeMismatchError, match=f"expected {option} to be True or False"):
        DataLoader(NUMBERS, **{option: 1})


@pytest.mark.parametrize("options", [{"shuffle": True}, {"batch_sampler": [[0]]}])
def test_stream_takes_no_shuffle_and_no_batch_sampler(options: dict) -> None:
    with pytest.raises(ArgumentError, match="decides its own order"):
        DataLoader(Stream(), **options)


def test_exception_in_dataset_reaches_the_loop_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        list(DataLoader(Items(lambda i: 1 / (i - 3))))


def test_there_is_no_worker_info_outside_workers() -> None:
    assert get_worker_info() is None
