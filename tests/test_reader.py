"""Readers: functions without arguments that return samples, and what is made of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import twinoar
from twinoar import reader
from twinoar.errors import ArgumentError


def count(stop: int, start: int = 0) -> Callable[[], range]:
    return lambda: range(start, stop)


def broken() -> Iterator[int]:
    yield 1
    raise KeyError("the reader's own")


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (twinoar.batch(count(5), 2), [[0, 1], [2, 3], [4]]),
        (twinoar.batch(count(5), 2, drop_last=True), [[0, 1], [2, 3]]),
        (reader.map_readers(lambda a, b: a * b, count(3), count(6, 3)), [0, 4, 10]),
        (reader.chain(count(2), count(5, 3)), [0, 1, 3, 4]),
        (reader.compose(count(2), lambda: [(7, 8), (9, 9)]), [(0, 7, 8), (1, 9, 9)]),
        (reader.compose(count(2), count(3), check_alignment=False), [(0, 0), (1, 1)]),
        (reader.firstn(count(9), 2), [0, 1]),
        (reader.buffered(count(5), 2), [0, 1, 2, 3, 4]),
        (reader.cache(count(3)), [0, 1, 2]),
        (reader.xmap_readers(lambda x: x * x, count(5), 3, 2, order=True), [0, 1, 4, 9, 16]),
    ],
)
def test_readers_give_the_samples_each_time(made: reader.Reader, expected: list[Any]) -> None:
    assert [list(made()), list(made())] == [expected, expected]


def test_shuffle_keeps_the_samples_of_each_buffer() -> None:
    random.seed(0)
    found = list(reader.shuffle(count(20), 10)())
    assert sorted(found[:10]) == list(range(10))
    assert sorted(found) == list(range(20)) != found


def test_threads_and_processes_give_all_samples() -> None:
    assert sorted(reader.xmap_readers(str, count(9), 2, 3)()) == [str(i) for i in range(9)]
    merged = reader.multiprocess_reader([count(3), count(9, 6)], queue_size=2)
    assert sorted(merged()) == [0, 1, 2, 6, 7, 8]


def test_a_cached_reader_is_read_once() -> None:
    calls = []

    def counted() -> list[int]:
        calls.append(1)
        return [1]

    cached = reader.cache(counted)
    assert [*cached(), *cached(), len(calls)] == [1, 1, 1]


def test_readers_of_different_lengths_are_not_aligned() -> None:
    with pytest.raises(reader.ComposeNotAligned):
        list(reader.compose(count(2), count(3))())


@pytest.mark.parametrize(
    "made",
    [
        reader.buffered(broken, 2),
        reader.xmap_readers(abs, broken, 1, 1),
        reader.multiprocess_reader([broken]),
        reader.xmap_readers(lambda x: {}["mapper"], count(3), 2, 2),
    ],
)
def test_what_a_reader_raises_is_seen(made: reader.Reader) -> None:
    with pytest.raises(KeyError):
        list(made())


@pytest.mark.parametrize(
    "make",
    [
        lambda: twinoar.batch(count(3), 0),
        lambda: twinoar.batch(count(3), 1.5),
        lambda: reader.shuffle(count(3), 0),
        lambda: reader.multiprocess_reader([]),
    ],
)
def test_sizes_must_be_positive_integers(make: Callable[[], Any]) -> None:
    with pytest.raises(ArgumentError):
        make()
