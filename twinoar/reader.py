"""Readers, as Paddle 1 has them: functions without arguments that return an iterator of samples.

Each function here takes readers and returns another one. What a reader raises, its user sees, also
where it runs in a thread or a process of its own.
"""

from __future__ import annotations

import itertools
import multiprocessing
import pickle
import queue
import random
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from twinoar.core.public import declared
from twinoar.errors import ArgumentError

Reader = Callable[[], Iterable[Any]]


class ComposeNotAligned(ValueError):
    """What `compose` raises where one reader ends before another."""


class _End:
    """What follows the last sample of a reader that runs elsewhere; `error` is what it raised."""

    def __init__(self, error: BaseException | None = None):
        self.error = error


def batch(reader: Reader, batch_size: int, drop_last: bool = False) -> Reader:
    """A reader of lists of `batch_size` samples; the last is shorter, or left out by drop_last.

    Raises ArgumentError where batch_size is no positive integer.

    >>> list(twinoar.batch(lambda: range(5), 2)())
    [[0, 1], [2, 3], [4]]
    """
    size = _positive("batch_size", batch_size)

    def batched() -> Iterator[list[Any]]:
        samples = iter(reader())
        while found := list(itertools.islice(samples, size)):
            if len(found) == size or not drop_last:
                yield found

    return batched


def cache(reader: Reader) -> Reader:
    """A reader of the samples of `reader`, which is read once, now."""
    samples = tuple(reader())
    return lambda: iter(samples)


def map_readers(func: Callable[..., Any], *readers: Reader) -> Reader:
    """A reader of what `func` returns for one sample of each reader.

    >>> from twinoar import reader
    >>> list(reader.map_readers(lambda a, b: a + b, lambda: [1, 2], lambda: [10, 20])())
    [11, 22]
    """
    return lambda: map(func, *(reader() for reader in readers))


def shuffle(reader: Reader, buf_size: int) -> Reader:
    """A reader of the same samples, each `buf_size` of them in random order (`random.seed`)."""
    size = _positive("buf_size", buf_size)

    def shuffled() -> Iterator[Any]:
        samples = iter(reader())
        while buffer := list(itertools.islice(samples, size)):
            random.shuffle(buffer)
            yield from buffer

    return shuffled


def chain(*readers: Reader) -> Reader:
    """A reader of the samples of each reader, one reader after the other."""
    return lambda: itertools.chain.from_iterable(reader() for reader in readers)


def compose(*readers: Reader, check_alignment: bool = True) -> Reader:
    """A reader of tuples: one sample of each reader, tuples among them laid out flat.

    check_alignment: raise ComposeNotAligned where one ends before another; else the shortest one
    decides.

    >>> from twinoar import reader
    >>> list(reader.compose(lambda: [(1, 2)], lambda: [3])())
    [(1, 2, 3)]
    """

    def composed() -> Iterator[tuple]:
        missing = object()
        for row in itertools.zip_longest(*(reader() for reader in readers), fillvalue=missing):
            if any(sample is missing for sample in row):
                if check_alignment:
                    raise ComposeNotAligned("the readers have different numbers of samples")
                return
            yield tuple(itertools.chain.from_iterable(map(_as_tuple, row)))

    return composed


def firstn(reader: Reader, n: int) -> Reader:
    """A reader of the first `n` samples."""
    return lambda: itertools.islice(reader(), n)


def buffered(reader: Reader, size: int) -> Reader:
    """A reader of the same samples, up to `size` of which a thread reads ahead."""
    capacity = _positive("size", size)

    def ahead() -> Iterator[Any]:
        ready: queue.Queue = queue.Queue(capacity)
        stopped = threading.Event()

        def read() -> None:
            _put_all(reader, lambda item: _put(ready, item, stopped))

        threading.Thread(target=read, daemon=True).start()
        try:
            yield from _until_end(ready.get, 1)
        finally:
            stopped.set()

    return ahead


def xmap_readers(
    mapper: Callable[[Any], Any],
    reader: Reader,
    process_num: int,
    buffer_size: int,
    order: bool = False,
) -> Reader:
    """A reader of `mapper(sample)`, computed by `process_num` threads.

    order: keep the order of the samples. buffer_size: how many may be ready before they are wanted.
    """
    workers, capacity = _positive("process_num", process_num), _positive("buffer_size", buffer_size)

    def mapped() -> Iterator[Any]:
        waiting: queue.Queue = queue.Queue(capacity)
        ready: queue.Queue = queue.Queue(capacity)
        stopped = threading.Event()

        def read() -> None:
            _put_all(
                lambda: enumerate(reader()), lambda item: _put(waiting, item, stopped), workers
            )

        def work() -> None:
            def results() -> Iterator[tuple[int, Any]]:
                for number, sample in _until_end(waiting.get, 1):
                    yield number, mapper(sample)

            _put_all(results, lambda item: _put(ready, item, stopped))

        for target in (read, *[work] * workers):
            threading.Thread(target=target, daemon=True).start()
        found = _until_end(ready.get, workers)
        try:
            yield from _in_order(found) if order else (sample for _, sample in found)
        finally:
            stopped.set()

    return mapped


def multiprocess_reader(
    readers: Sequence[Reader], use_pipe: bool = True, queue_size: int = 1000
) -> Reader:
    """A reader of the samples of all readers, each read by a process of its own, as they come.

    use_pipe: accepted. queue_size: how many samples may be ready before they are wanted.
    """
    if not readers:
        raise ArgumentError("readers must not be empty", cure="give one reader for each process")
    capacity = _positive("queue_size", queue_size)

    def merged() -> Iterator[Any]:
        context = multiprocessing.get_context("fork")  # readers are closures, which have no pickle
        ready = context.Queue(capacity)

        def put(item: Any) -> None:
            ready.put(pickle.dumps(item))

        processes = [
            context.Process(target=_put_all, args=(reader, put), daemon=True) for reader in readers
        ]
        for process in processes:
            process.start()
        try:
            yield from _until_end(lambda: pickle.loads(ready.get()), len(processes))
        finally:
            for process in processes:
                process.terminate()
                process.join()

    return merged


class _Stopped(BaseException):
    """Ends a thread whose samples nobody wants any more."""


def _put(where: queue.Queue, item: Any, stopped: threading.Event) -> None:
    """Put `item`, and wait for a place; raises _Stopped when nobody takes any more."""
    while not stopped.is_set():
        try:
            where.put(item, timeout=0.1)
            return
        except queue.Full:
            continue
    raise _Stopped


def _put_all(reader: Reader, put: Callable[[Any], None], ends: int = 1) -> None:
    """Put all samples, then the end for each of `ends` users, with the error there was."""
    end = _End()
    try:
        for sample in reader():
            put(sample)
    except _Stopped:
        return
    except Exception as error:
        end = _End(error)
    try:
        for _ in range(ends):
            put(end)
    except _Stopped:
        return


def _until_end(get: Callable[[], Any], ends: int) -> Iterator[Any]:
    """What `get` gives, until it has given `ends` ends; raises what a reader raised."""
    while ends:
        item = get()
        if not isinstance(item, _End):
            yield item
        elif item.error is not None:
            raise item.error
        else:
            ends -= 1


def _in_order(found: Iterable[tuple[int, Any]]) -> Iterator[Any]:
    """The samples by their numbers."""
    early: dict[int, Any] = {}
    following = 0
    for number, sample in found:
        early[number] = sample
        while following in early:
            yield early.pop(following)
            following += 1


def _as_tuple(sample: Any) -> tuple:
    return sample if isinstance(sample, tuple) else (sample,)


def _positive(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ArgumentError(f"{name} must be a positive integer, received {value!r}")
    return value


__all__ = declared(globals())
