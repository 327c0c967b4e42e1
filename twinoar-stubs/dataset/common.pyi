"""Where the files of data sets are, and readers that keep their samples in files."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import typing
from typing import Any, Literal, overload

import numpy as _numpy

DATA_HOME: builtins.str
def cluster_files_reader(files_pattern: builtins.str, trainer_count: Any, trainer_id: Any, loader: collections.abc.Callable[[typing.IO[builtins.bytes]], Any] = ...) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the samples in every `trainer_count`-th of the files that match a pattern."""
def download(url: builtins.str, module_name: builtins.str, md5sum: builtins.str, save_name: builtins.str | None = None) -> builtins.str:
    """The path of a file, downloaded if it is not there"""
def md5file(fname: builtins.str) -> builtins.str:
    """The md5 of a file."""
def split(reader: collections.abc.Callable[[], collections.abc.Iterable[Any]], line_count: Any, suffix: builtins.str = '%05d.pickle', dumper: collections.abc.Callable[[Any, typing.IO[builtins.bytes]], Any] = ...) -> None:
    """Write the samples of a reader to files of `line_count` samples each, named by `suffix`."""
