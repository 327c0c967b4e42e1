"""Readers, as Paddle 1 has them: functions without arguments that return an iterator of samples."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

class ComposeNotAligned(builtins.ValueError):
    """What `compose` raises where one reader ends before another."""
from twinoar import batch as batch
def buffered(reader: collections.abc.Callable[[], collections.abc.Iterable[Any]], size: Any) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the same samples, up to `size` of which a thread reads ahead."""
def cache(reader: collections.abc.Callable[[], collections.abc.Iterable[Any]]) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the samples of `reader`, which is read once, now."""
def chain(*readers: collections.abc.Callable[[], collections.abc.Iterable[Any]]) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the samples of each reader, one reader after the other."""
def compose(*readers: collections.abc.Callable[[], collections.abc.Iterable[Any]], check_alignment: builtins.bool = True) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of tuples: one sample of each reader, tuples among them laid out flat."""
def firstn(reader: collections.abc.Callable[[], collections.abc.Iterable[Any]], n: Any) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the first `n` samples."""
def map_readers(func: collections.abc.Callable[..., Any], *readers: collections.abc.Callable[[], collections.abc.Iterable[Any]]) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of what `func` returns for one sample of each reader."""
def multiprocess_reader(readers: collections.abc.Sequence[collections.abc.Callable[[], collections.abc.Iterable[Any]]], use_pipe: builtins.bool = True, queue_size: Any = 1000) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the samples of all readers, each read by a process of its own, as they come."""
def shuffle(reader: collections.abc.Callable[[], collections.abc.Iterable[Any]], buf_size: Any) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the same samples, each `buf_size` of them in random order (`random.seed`)."""
def xmap_readers(mapper: collections.abc.Callable[[Any], Any], reader: collections.abc.Callable[[], collections.abc.Iterable[Any]], process_num: Any, buffer_size: Any, order: builtins.bool = False) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of `mapper(sample)`, computed by `process_num` threads."""
