"""Batches in shared memory: whole, apart from each other, nothing copied or left that need not."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from twinoar.io import DataLoader, slots, transport
from twinoar.io.collate import default_collate_fn
from twinoar.io.transport import (
    MOST_HELD,
    SMALL_BYTES,
    Files,
    Inbox,
    Outbox,
    Parcel,
    slots_of,
)

SHARED_MEMORY = Path("/dev/shm")
PREFIX = f"twinoar-{os.getpid():x}-test"
LARGE = SMALL_BYTES // 4  # elements of float32 that are lent, not copied
needs_linux = pytest.mark.skipif(not SHARED_MEMORY.exists(), reason="looks into /dev/shm")
needs_lending = pytest.mark.skipif(not slots.can_part(), reason="the system cannot lend")

Way = Callable[[str, int], tuple[Outbox, Inbox]]


def nameless(prefix: str, count: int) -> tuple[Outbox, Inbox]:
    """Ends with descriptors of their own for the same files, as two processes have."""
    files = Files.of(prefix, count)
    assert len(files.descriptors) == count
    copies = Files([os.dup(descriptor) for descriptor in files.descriptors])
    return Outbox(prefix, True, copies), Inbox(prefix, count, files)


def named(prefix: str, count: int) -> tuple[Outbox, Inbox]:
    return Outbox(prefix, shared=True), Inbox(prefix, slots=count)


WAYS = [pytest.param(nameless, marks=needs_linux), named]


def packed(outbox: Outbox, batch: Any, slot: int) -> Parcel:
    outbox.begin(slot)
    parcel = outbox.pack(batch)
    outbox.settle()
    return parcel


def segments() -> list[str]:
    return [path.name for path in SHARED_MEMORY.glob(f"twinoar-{os.getpid():x}-*")]


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []
    assert segments() == []


class Numbers:
    """Rows of their own number, large enough to be lent."""

    def __init__(self, count: int = 24) -> None:
        self.count = count

    def __getitem__(self, index: int) -> Any:
        return np.full(LARGE, index, "float32"), index

    def __len__(self) -> int:
        return self.count


# One worker's ends.


@pytest.mark.parametrize("way", WAYS)
def test_a_slot_grows_with_its_batches(way: Way) -> None:
    outbox, inbox = way(PREFIX, 1)
    for size in (10, 5, 100_000, 7, 2_000_000, 0, 3):
        batch = np.arange(size)
        assert np.array_equal(inbox.unpack(packed(outbox, batch, 0)), batch)
    inbox.remove()


@pytest.mark.parametrize("way", WAYS)
def test_parcel_in_a_slot_is_read_where_it_was_written(way: Way) -> None:
    outbox, inbox = way(PREFIX, 2)
    parcels = [packed(outbox, {"x": np.full(5, slot), "y": slot}, slot) for slot in range(2)]
    contents = [inbox.unpack(parcel) for parcel in parcels]
    inbox.remove()
    assert [(c["x"].tolist(), c["y"]) for c in contents] == [([0] * 5, 0), ([1] * 5, 1)]


@needs_linux
def test_segment_that_was_never_announced_is_removed() -> None:
    outbox, inbox = named(PREFIX, 1)
    inbox.unpack(packed(outbox, np.zeros(10), 0))
    packed(outbox, np.zeros(1000), 0)
    inbox.remove()
    assert segments() == []


@needs_lending
def test_what_is_collated_in_a_slot_is_not_copied() -> None:
    outbox, inbox = nameless(PREFIX, 1)
    outbox.begin(0)
    mine = outbox.empty((LARGE,), np.dtype("float32"))
    assert mine is not None
    mine[:] = 1
    theirs = inbox.unpack(outbox.pack(mine))
    mine[0] = 7
    assert theirs[0] == 7
    inbox.remove()


@needs_lending
@pytest.mark.parametrize("dtype", ["bool", "uint8", "float16", "int64", "complex128"])
def test_arrays_in_a_slot_have_any_dtype(dtype: str) -> None:
    outbox, inbox = nameless(PREFIX, 1)
    outbox.begin(0)
    array = outbox.empty((3, 5), np.dtype(dtype))
    assert array is not None
    array[...] = np.arange(15).reshape(3, 5)
    found = inbox.unpack(outbox.pack(array))
    assert found.dtype == dtype
    assert np.array_equal(found, array)
    inbox.remove()


@needs_lending
def test_fields_keep_what_they_are_where_a_slot_grows_between_them() -> None:
    outbox, inbox = nameless(PREFIX, 1)
    outbox.begin(0)
    fields = []
    for number in range(6):
        array = outbox.empty((4 ** (number + 3),), np.dtype("float64"))
        assert array is not None
        array[:] = number
        fields.append(array)
    found = inbox.unpack(outbox.pack([*fields, np.full(9, 9.0)]))
    assert [float(f.mean()) for f in found] == [0, 1, 2, 3, 4, 5, 9]
    inbox.remove()


@needs_lending
def test_fields_that_share_memory_in_the_worker_are_apart_in_the_batch() -> None:
    outbox, inbox = nameless(PREFIX, 1)
    outbox.begin(0)
    array = outbox.empty((LARGE,), np.dtype("float32"))
    assert array is not None
    array[:] = 1
    first, second = inbox.unpack(outbox.pack([array, array[:]]))
    first[:] = 2
    assert second.tolist() == [1] * LARGE
    inbox.remove()


@needs_lending
def test_a_slot_is_free_when_the_last_array_on_it_is_gone() -> None:
    outbox, inbox = nameless(PREFIX, 2)
    assert inbox.take() == 0
    view = inbox.unpack(packed(outbox, np.ones(2 * LARGE, "float32"), 0))[LARGE:]
    inbox.answered()
    assert inbox.take() == 1
    inbox.answered()
    del view
    assert inbox.take() == 0
    inbox.remove()


@needs_lending
def test_a_small_array_that_is_kept_does_not_hold_a_slot() -> None:
    outbox, inbox = nameless(PREFIX, 1)
    labels = inbox.unpack(packed(outbox, [np.zeros(LARGE, "float32"), np.arange(9)], 0))[1]
    assert inbox.take() == 0
    assert labels.tolist() == list(range(9))
    inbox.remove()


@needs_lending
def test_batches_are_copied_out_where_slots_would_lack() -> None:
    outbox, inbox = nameless(PREFIX, slots_of(1))
    kept = []
    for number in range(3 * MOST_HELD):
        slot = inbox.take()
        kept.append(inbox.unpack(packed(outbox, np.full(LARGE, number, "float32"), slot)))
        inbox.answered()
    inbox.remove()
    assert [array[-1] for array in kept] == list(range(3 * MOST_HELD))


@needs_lending
def test_what_is_held_outlives_the_files() -> None:
    outbox, inbox = nameless(PREFIX, 1)
    array = inbox.unpack(packed(outbox, np.arange(LARGE, dtype="float32"), 0))
    inbox.remove()
    array += 1
    assert np.array_equal(array, np.arange(1, LARGE + 1))
    packed(outbox, np.zeros(LARGE, "float32"), 0)
    assert array[0] == 1


@needs_lending
@pytest.mark.parametrize("refuses", [False, True])
def test_what_is_made_private_keeps_its_content(
    monkeypatch: pytest.MonkeyPatch, refuses: bool
) -> None:
    if refuses:  # as a system before Linux 5.14 does
        monkeypatch.setattr(slots, "POPULATE_WRITE", -1)
    outbox, inbox = nameless(PREFIX, 1)
    array = inbox.unpack(packed(outbox, np.arange(9 * LARGE, dtype="float32"), 0))
    array[0] = 5
    inbox._files.part_all()
    packed(outbox, np.zeros(9 * LARGE, "float32"), 0)
    assert array[0] == 5
    assert np.array_equal(array[1:], np.arange(1, 9 * LARGE))
    inbox.remove()


# Through a loader.


def test_batches_are_right_whether_they_are_kept_or_not() -> None:
    loader = DataLoader(Numbers(), batch_size=2, num_workers=2, persistent_workers=True)
    kept = [batch for _ in range(3) for batch in loader]
    assert all((x.numpy() == y.numpy()[:, None]).all() for x, y in kept)
    assert [y.tolist()[0] for _, y in kept] == [*range(0, 24, 2)] * 3


@needs_linux
def test_keeping_batches_opens_no_files() -> None:
    loader = DataLoader(Numbers(80), num_workers=1, persistent_workers=True)
    counts, kept = [], []
    for batch in loader:
        kept.append(batch)
        counts.append(len(list(Path("/proc/self/fd").iterdir())))
    assert counts[-1] == counts[20]


def test_writing_to_a_batch_does_not_change_later_ones() -> None:
    loader = DataLoader(Numbers(), batch_size=2, num_workers=1)
    for x, y in loader:
        assert (x.numpy() == y.numpy()[:, None]).all()
        x.fill_(-1)


def test_what_a_dataset_keeps_of_its_batches_and_writes_to_is_its_own() -> None:
    kept: list[np.ndarray] = []

    def collate(samples: list) -> np.ndarray:
        for array in kept:
            array += 1000
        kept.append(default_collate_fn([row for row, _ in samples]))
        return kept[-1]

    for number, batch in enumerate(DataLoader(Numbers(), num_workers=1, collate_fn=collate)):
        assert batch.numpy()[0, 0] == number


def test_batches_of_a_collate_function_that_gives_the_same_array_again() -> None:
    whole = default_collate_fn([np.zeros(LARGE, "float32")])

    def collate(samples: list) -> np.ndarray:
        whole[:] = samples[0][0]
        return whole

    batches = list(DataLoader(Numbers(), num_workers=1, collate_fn=collate))
    assert [batch.numpy()[0, 5] for batch in batches] == list(range(24))


@needs_linux
def test_a_forked_process_has_batches_of_its_own() -> None:
    loader = DataLoader(Numbers(), batch_size=1, num_workers=1, persistent_workers=True)
    batches = iter(loader)
    x, _ = next(batches)
    child = os.fork()
    if child == 0:
        x.fill_(5)
        os._exit(0 if x.numpy().min() == 5 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert x.numpy().max() == 0
    assert [y.item() for _, y in batches] == list(range(1, 24))


@needs_linux
def test_loaders_that_start_while_batches_are_held_do_not_disturb_them() -> None:
    loader = DataLoader(Numbers(), batch_size=2, num_workers=1, persistent_workers=True)
    for x, y in loader:
        inner = DataLoader(Numbers(2), num_workers=1, collate_fn=lambda _, x=x: x.fill_(-1).numpy())
        assert next(iter(inner)).numpy().max() == -1
        assert (x.numpy() == y.numpy()[:, None]).all()


def test_system_that_cannot_lend_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "can_part", lambda: False)
    loader = DataLoader(Numbers(), batch_size=2, num_workers=2)
    kept = list(loader)
    assert all((x.numpy() == y.numpy()[:, None]).all() for x, y in kept)
