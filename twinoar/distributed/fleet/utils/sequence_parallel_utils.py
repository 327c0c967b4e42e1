"""Tensor parallelism whose processes divide the positions of a sequence between the linear layers.

Between a column-parallel and a row-parallel layer each process has some features of all positions,
elsewhere all features of some positions: so norms and dropout are divided too. Positions are rows,
the first dimension. What all processes have whole there, such as the weights of norms, sees a part
of the positions in each, and its gradients are added up after backward.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.autograd.after import after_backward
from twinoar.core.interpreter import recording, using
from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.distributed.fleet.tensor_parallel import ColumnParallelLinear, RowParallelLinear
from twinoar.distributed.fleet.topology import group_for
from twinoar.errors import ArgumentError
from twinoar.nn import functional as F
from twinoar.nn.layer import Layer
from twinoar.ops.collective.all_reduce import all_reduce_sum
from twinoar.ops.collective.exchange import all_gather_rows, reduce_scatter_rows
from twinoar.ops.collective.parallel import join_rows, own_rows
from twinoar.ops.index.selected_rows import dense
from twinoar.ops.math.fill import zeros_of
from twinoar.runtime.collective import current_world


def scatter(input: Tensor) -> Tensor:
    """This process's part of the rows of what all have. [s,*] -> [s/n,*].

    Its gradient is gathered. Raises ShapeError where the processes cannot share the rows equally.
    """
    there = group_for("model")
    return own_rows(input, there.id, there.rank, there.nranks)


def gather(input: Tensor) -> Tensor:
    """The rows of all processes, which all go on to use in the same way. [s/n,*] -> [s,*].

    Its gradient is this process's part.
    """
    there = group_for("model")
    return join_rows(input, there.id, there.rank, there.nranks)


def all_gather(input: Tensor) -> Tensor:
    """The rows of all processes, of which each makes another use. [s/n,*] -> [s,*].

    Its gradient is the sum of those of all, of which each has its rows.
    """
    there = group_for("model")
    return all_gather_rows(input, there.id, there.nranks)


def reduce_scatter(input: Tensor) -> Tensor:
    """This process's rows of the sum over processes. [s,*] -> [s/n,*].

    Its gradient is gathered. Raises ShapeError where the processes cannot share the rows equally.
    """
    there = group_for("model")
    return reduce_scatter_rows(input, "sum", there.id, there.nranks)


class _Named:
    """A function by the name of a class of Paddle's, which is called by `apply`."""

    def __init__(self) -> None:
        raise ArgumentError(f"{type(self).__name__} is called by its apply(input)")


class ScatterOp(_Named):
    """`apply(input)`: see `scatter`."""

    apply = staticmethod(scatter)


class GatherOp(_Named):
    """`apply(input)`: see `gather`."""

    apply = staticmethod(gather)


class AllGatherOp(_Named):
    """`apply(input)`: see `all_gather`."""

    apply = staticmethod(all_gather)


class ReduceScatterOp(_Named):
    """`apply(input)`: see `reduce_scatter`."""

    apply = staticmethod(reduce_scatter)


class ColumnSequenceParallelLinear(ColumnParallelLinear):
    """`ColumnParallelLinear` of inputs whose positions the processes divide: [s/n,*] -> [s,*].

    Each process computes some columns, for all positions. Raises ArgumentError for gather_output
    with several processes, as Paddle does.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        if self.is_mp and self.gather_output:
            raise ArgumentError(
                "ColumnSequenceParallelLinear: gather_output is True",
                cure="pass gather_output=False; RowSequenceParallelLinear takes what it gives",
            )

    def forward(self, x: Tensor) -> Tensor:
        """`x @ weight + bias`."""
        if not self.is_mp:
            return F.linear(x, self.weight, self.bias)
        there = self.model_parallel_group
        return F.linear(all_gather_rows(x, there.id, there.nranks), self.weight, self.bias)


class RowSequenceParallelLinear(RowParallelLinear):
    """`RowParallelLinear` whose outputs' positions the processes divide: [s,*] -> [s/n,*].

    Its bias is marked, as each process adds it to its positions: see
    `register_sequence_parallel_allreduce_hooks`. Raises ArgumentError without input_is_parallel
    with several processes, as Paddle does.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        if self.is_mp and not self.input_is_parallel:
            raise ArgumentError(
                "RowSequenceParallelLinear: input_is_parallel is False",
                cure="pass input_is_parallel=True, and what ColumnSequenceParallelLinear gives",
            )
        if self.is_mp and self.bias is not None:
            mark_as_sequence_parallel_parameter(self.bias)

    def forward(self, x: Tensor) -> Tensor:
        """`x @ weight + bias`."""
        if not self.is_mp:
            return F.linear(x, self.weight, self.bias)
        there = self.model_parallel_group
        product = F.linear(x, self.weight)
        own = reduce_scatter_rows(product, "sum", there.id, there.nranks)
        return own if self.bias is None else own + self.bias


def mark_as_sequence_parallel_parameter(parameter: Any) -> None:
    """Say that a parameter meets a part of the positions in each process."""
    parameter.sequence_parallel = True


def is_sequence_parallel_parameter(parameter: Any) -> bool:
    """Whether it was said."""
    return bool(getattr(parameter, "sequence_parallel", False))


def register_sequence_parallel_allreduce_hooks(
    model: Layer, accumulation_steps: int, fuse_sequence_parallel_allreduce: bool = False
) -> None:
    """Let gradients of marked parameters be their sums over the processes, after backward.

    accumulation_steps: after so many backwards, whose gradients add up until then.
    fuse_sequence_parallel_allreduce: without effect. All processes call it.
    """
    group = group_for("model")
    marked = [
        p for p in model.parameters() if is_sequence_parallel_parameter(p) and not p.stop_gradient
    ]
    if accumulation_steps > 0 and group.nranks > 1 and marked:
        found: Any = model
        found._sequence_parallel_sums = _Sums(marked, accumulation_steps, group.id)


class _Sums:
    """Adds up gradients of some parameters over a group, after each so many backwards."""

    def __init__(self, parameters: Sequence[Any], every: int, group: int):
        self._parameters, self._every, self._number = list(parameters), every, group
        self._world, self._count = current_world(), 0
        after_backward(self._after_backward)

    def _after_backward(self, here: Any, leaves: list) -> None:
        changed = {id(x) for x in leaves}
        if current_world() is not self._world or not any(
            id(p) in changed for p in self._parameters
        ):
            return
        self._count = (self._count + 1) % self._every
        if self._count:
            return
        with using(recording(False)):
            for p in self._parameters:
                g = here.gradients.read(here, p)
                own = zeros_of(p.spec) if g is None else dense(g)
                here.gradients.set(here, p, all_reduce_sum(own, self._number))


__all__ = declared(globals())
