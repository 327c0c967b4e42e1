"""Tensor parallelism whose processes divide the positions of a sequence between the linear layers."""

# Written by tools/stubs.py.

import builtins
import twinoar
import twinoar.distributed.fleet.meta_parallel
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

class AllGatherOp:
    """`apply(input)`: see `all_gather`."""
    @staticmethod
    def apply(input: twinoar._TensorLike) -> twinoar.Tensor:
        """The rows of all processes, of which each makes another use"""
    def __init__(self) -> None: ...
class ColumnSequenceParallelLinear(twinoar.distributed.fleet.meta_parallel.ColumnParallelLinear):
    """`ColumnParallelLinear` of inputs whose positions the processes divide: [s/n,*] -> [s,*]."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def forward(self, x: twinoar._TensorLike) -> twinoar.Tensor:
        """`x @ weight + bias`."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class GatherOp:
    """`apply(input)`: see `gather`."""
    @staticmethod
    def apply(input: twinoar._TensorLike) -> twinoar.Tensor:
        """The rows of all processes, which all go on to use in the same way"""
    def __init__(self) -> None: ...
class ReduceScatterOp:
    """`apply(input)`: see `reduce_scatter`."""
    @staticmethod
    def apply(input: twinoar._TensorLike) -> twinoar.Tensor:
        """This process's rows of the sum over processes"""
    def __init__(self) -> None: ...
class RowSequenceParallelLinear(twinoar.distributed.fleet.meta_parallel.RowParallelLinear):
    """`RowParallelLinear` whose outputs' positions the processes divide: [s,*] -> [s/n,*]."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def forward(self, x: twinoar._TensorLike) -> twinoar.Tensor:
        """`x @ weight + bias`."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class ScatterOp:
    """`apply(input)`: see `scatter`."""
    @staticmethod
    def apply(input: twinoar._TensorLike) -> twinoar.Tensor:
        """This process's part of the rows of what all have"""
    def __init__(self) -> None: ...
def all_gather(input: twinoar._TensorLike) -> twinoar.Tensor:
    """The rows of all processes, of which each makes another use"""
def gather(input: twinoar._TensorLike) -> twinoar.Tensor:
    """The rows of all processes, which all go on to use in the same way"""
def is_sequence_parallel_parameter(parameter: Any) -> builtins.bool:
    """Whether it was said."""
def mark_as_sequence_parallel_parameter(parameter: Any) -> None:
    """Say that a parameter meets a part of the positions in each process."""
def reduce_scatter(input: twinoar._TensorLike) -> twinoar.Tensor:
    """This process's rows of the sum over processes"""
def register_sequence_parallel_allreduce_hooks(model: twinoar.nn.Layer, accumulation_steps: Any, fuse_sequence_parallel_allreduce: builtins.bool = False) -> None:
    """Let gradients of marked parameters be their sums over the processes, after backward."""
def scatter(input: twinoar._TensorLike) -> twinoar.Tensor:
    """This process's part of the rows of what all have"""
