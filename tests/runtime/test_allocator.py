"""Memory for large arrays is lent and taken back, and what is kept is bounded."""

from __future__ import annotations

import numpy as np
import pytest

from twinoar.runtime.allocator import ALIGNMENT, POOL, SMALLEST_BYTES, Blank, Pool, rounded

FLOAT = np.dtype(np.float32)


@pytest.fixture(autouse=True)
def empty_pool():
    POOL.release()
    yield
    POOL.release()


def empty(shape, dtype, order=None) -> np.ndarray:
    return Blank(shape, dtype, order).new()


def address_of(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("order", [None, (0, 2, 3, 1)])
def test_arrays_have_shape_order_and_alignment(order) -> None:
    array = empty((2, 32, 40, 50), FLOAT, order)
    assert (array.shape, array.dtype, type(array)) == ((2, 32, 40, 50), FLOAT, np.ndarray)
    assert array.transpose(order or (0, 1, 2, 3)).flags.c_contiguous
    assert address_of(array) % ALIGNMENT == 0


def test_memory_comes_back_when_the_last_view_is_gone() -> None:
    array = empty((100, 1000), FLOAT)
    view = array.T[3:]
    del array
    assert POOL.kept_bytes == 0
    del view
    assert POOL.kept_bytes == rounded(400_000)


def test_two_arrays_never_share_memory() -> None:
    first = empty((100, 1000), FLOAT)
    assert not np.shares_memory(first, empty((100, 1000), FLOAT))


def test_small_arrays_are_left_to_numpy() -> None:
    array = empty((SMALLEST_BYTES // 8,), FLOAT)
    assert array.base is None


def test_no_more_than_the_limit_is_kept() -> None:
    pool = Pool(limit_bytes=3 << 20)
    blocks = [np.empty(1 << 20, np.uint8) for _ in range(5)]
    for block in blocks:
        pool.give(block)
    assert pool.kept_bytes == 3 << 20
    pool.release()
    assert pool.kept_bytes == 0


def test_sizes_that_are_not_asked_for_any_more_go_first() -> None:
    pool = Pool(limit_bytes=2 << 20)
    old, new = (np.zeros(1 << 20, np.uint8), np.zeros(1 << 19, np.uint8))
    pool.give(old)
    pool.give(old)
    pool.take(new.size)
    pool.give(new)
    pool.give(new)
    assert pool.kept_bytes == 2 << 20
    assert pool.take(new.size)[0] == 0
    assert pool.kept_bytes == 3 << 19


@pytest.mark.parametrize("size", [1 << 16, (1 << 16) + 1, 100_000, 12_345_678])
def test_sizes_are_rounded_up_by_at_most_an_eighth(size) -> None:
    assert size <= rounded(size) <= size * 9 / 8
