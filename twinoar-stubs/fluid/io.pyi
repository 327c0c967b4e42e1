"""Files and readers, by the names of Paddle 1.8."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import os
import twinoar.fluid
import twinoar.fluid.framework
import twinoar.fluid.io
import twinoar.io
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.reader import ComposeNotAligned as ComposeNotAligned
class DataLoader(twinoar.io.DataLoader):
    """Batches of a Dataset; see `paddle.io.DataLoader`."""
    def __init__(self, dataset: Any, feed_list: collections.abc.Sequence[twinoar.fluid.Variable] | None = None, places: Any = None, return_list: builtins.bool = False, batch_sampler: Any = None, batch_size: Any = 1, shuffle: builtins.bool = False, drop_last: builtins.bool = False, collate_fn: collections.abc.Callable[[builtins.list[Any]], Any] | None = None, num_workers: Any = 0, use_buffer_reader: builtins.bool = True, use_shared_memory: builtins.bool = True, timeout: Any = 0, worker_init_fn: collections.abc.Callable[[builtins.int], None] | None = None) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    @staticmethod
    def from_generator(feed_list: collections.abc.Sequence[twinoar.fluid.Variable] | None = None, capacity: Any = None, use_double_buffer: builtins.bool = True, iterable: builtins.bool = True, return_list: builtins.bool = False, use_multiprocess: builtins.bool = False) -> twinoar.fluid.io._GeneratorLoader:
        """A loader of what a generator gives; see `GeneratorLoader`."""
    @staticmethod
    def from_dataset(dataset: Any, places: Any, drop_last: builtins.bool = True) -> Any:
        """Raise UnsupportedError: use a Dataset of `paddle.io`, or from_generator."""
class PyReader(twinoar.fluid.io._GeneratorLoader):
    """The older name of `DataLoader.from_generator`, whose methods begin with `decorate_`."""
    def __init__(self, feed_list: collections.abc.Sequence[twinoar.fluid.Variable] | None = None, capacity: Any = None, use_double_buffer: builtins.bool = True, iterable: builtins.bool = True, return_list: builtins.bool = False) -> None: ...
    def decorate_sample_generator(self, sample_generator: collections.abc.Callable[[], collections.abc.Iterable[Any]], batch_size: Any, drop_last: builtins.bool = True, places: Any = None) -> None:
        """Take samples, and make batches of them."""
    def decorate_sample_list_generator(self, reader: collections.abc.Callable[[], collections.abc.Iterable[Any]], places: Any = None) -> None:
        """Take batches that are lists of samples."""
    def decorate_batch_generator(self, reader: collections.abc.Callable[[], collections.abc.Iterable[Any]], places: Any = None) -> None:
        """Take batches that are arrays or tensors."""
from twinoar import batch as batch
from twinoar.reader import buffered as buffered
from twinoar.reader import cache as cache
from twinoar.reader import chain as chain
from twinoar.reader import compose as compose
def default_collate_fn(batch: collections.abc.Sequence[Any]) -> Any:
    """A batch of samples as one sample whose arrays have a leading batch axis."""
from twinoar.reader import firstn as firstn
def get_program_parameter(program: twinoar.fluid.Program) -> builtins.list[twinoar.fluid.framework.Parameter]:
    """The parameters of a Program."""
def get_program_persistable_vars(program: twinoar.fluid.Program) -> builtins.list[twinoar.fluid.framework.Parameter]:
    """What lives on between the runs of a Program."""
from twinoar.fluid import load as load
def load_inference_model(dirname: builtins.str | os.PathLike[builtins.str], executor: Any, model_filename: builtins.str | None = None, params_filename: builtins.str | None = None, pserver_endpoints: Any = None) -> builtins.list[Any]:
    """The model in a folder: [program, names of its inputs, Variables to fetch]."""
def load_params(executor: Any, dirname: builtins.str | os.PathLike[builtins.str] | None, main_program: twinoar.fluid.Program | None = None, filename: builtins.str | None = None) -> None:
    """Set the parameters that `save_params` has written; see `load_vars`."""
def load_persistables(executor: Any, dirname: builtins.str | os.PathLike[builtins.str] | None, main_program: twinoar.fluid.Program | None = None, filename: builtins.str | None = None) -> None:
    """Set what `save_persistables` has written; see `load_vars`."""
from twinoar.static import load_program_state as load_program_state
def load_vars(executor: Any, dirname: builtins.str | os.PathLike[builtins.str] | None, main_program: twinoar.fluid.Program | None = None, vars: collections.abc.Iterable[Any] | None = None, predicate: collections.abc.Callable[[twinoar.fluid.Variable], builtins.bool] | None = None, filename: builtins.str | None = None) -> None:
    """Set the values that `save_vars` has written"""
from twinoar.reader import map_readers as map_readers
from twinoar.reader import multiprocess_reader as multiprocess_reader
from twinoar.fluid import save as save
def save_inference_model(dirname: builtins.str | os.PathLike[builtins.str], feeded_var_names: builtins.str | collections.abc.Sequence[builtins.str], target_vars: Any, executor: Any, main_program: twinoar.fluid.Program | None = None, model_filename: builtins.str | None = None, params_filename: builtins.str | None = None, export_for_deployment: builtins.bool = True, program_only: builtins.bool = False) -> builtins.list[builtins.str]:
    """Write the model that computes `target_vars` from the inputs `feeded_var_names`: a folder."""
def save_params(executor: Any, dirname: builtins.str | os.PathLike[builtins.str] | None, main_program: twinoar.fluid.Program | None = None, filename: builtins.str | None = None) -> None:
    """Write the parameters of a Program; see `save_vars`."""
def save_persistables(executor: Any, dirname: builtins.str | os.PathLike[builtins.str] | None, main_program: twinoar.fluid.Program | None = None, filename: builtins.str | None = None) -> None:
    """Write all that lives on between runs of a Program: parameters, statistics, moments."""
def save_vars(executor: Any, dirname: builtins.str | os.PathLike[builtins.str] | None, main_program: twinoar.fluid.Program | None = None, vars: collections.abc.Iterable[Any] | None = None, predicate: collections.abc.Callable[[twinoar.fluid.Variable], builtins.bool] | None = None, filename: builtins.str | None = None) -> None:
    """Write the values of `vars`, Variables or names, or of those that `predicate` is true for."""
from twinoar.static import set_program_state as set_program_state
from twinoar.reader import shuffle as shuffle
from twinoar.reader import xmap_readers as xmap_readers
class _GeneratorLoader:
    """Batches that a generator gives, ready to be fed: `DataLoader.from_generator` makes it."""
    def __init__(self, feed_list: collections.abc.Sequence[twinoar.fluid.Variable] | None = None, capacity: Any = None, use_double_buffer: builtins.bool = True, iterable: builtins.bool = True, return_list: builtins.bool = False, use_multiprocess: builtins.bool = False) -> None: ...
    def set_sample_generator(self, reader: collections.abc.Callable[[], collections.abc.Iterable[Any]], batch_size: Any, drop_last: builtins.bool = True, places: Any = None) -> twinoar.fluid.io._GeneratorLoader:
        """Take samples, tuples with one field for each Variable, and make batches of them."""
    def set_sample_list_generator(self, reader: collections.abc.Callable[[], collections.abc.Iterable[Any]], places: Any = None) -> twinoar.fluid.io._GeneratorLoader:
        """Take batches that are lists of samples."""
    def set_batch_generator(self, reader: collections.abc.Callable[[], collections.abc.Iterable[Any]], places: Any = None) -> twinoar.fluid.io._GeneratorLoader:
        """Take batches that are arrays or tensors, one for each Variable."""
    def __call__(self) -> collections.abc.Iterator[Any]: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    def start(self) -> None:
        """Begin an epoch: Executors that run without a feed take its batches."""
    def reset(self) -> None:
        """End the epoch."""
    def next_feed(self) -> builtins.dict[builtins.str, _numpy.ndarray[Any, Any]]:
        """The next batch by name"""
    @property
    def is_started(self) -> builtins.bool:
        """True between `start` and `reset`."""
    iterable: builtins.bool
