"""Layers whose weights several processes divide; one process has all of them.

In one process they have the parameters, and begin with the values, of the plain layers.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.distributed.fleet.topology import group_for
from twinoar.distributed.group import Group, member, new_group
from twinoar.distributed.world import get_world_size
from twinoar.errors import ArgumentError, ShapeError, UnknownNameError, UnsupportedError
from twinoar.nn import functional as F
from twinoar.nn.initializer import Constant
from twinoar.nn.layer import Layer
from twinoar.ops.collective.all_reduce import all_reduce_max
from twinoar.ops.collective.parallel import enter_ranks, join_parts, own_part, sum_of_parts
from twinoar.ops.index.along_axis import take_along_axis
from twinoar.ops.math.exponential import exp, log
from twinoar.ops.math.logical import logical_and
from twinoar.ops.random.uniform import generator
from twinoar.ops.random.uniform import seed as seed_all
from twinoar.ops.shape.reshape import unsqueeze
from twinoar.runtime.collective import current_world

MODEL_PARALLEL_RNG = "model_parallel_rng"
SEED_BITS = 20
FIRST_SEED = 1024  # of weights that are drawn apart, where nobody has seeded them
OPERATIONS = ("linear", "embedding")


class _Divided(Layer):
    """A layer whose weight the processes of a group share: each has `rank`'s part of it."""

    def __init__(self, mp_group: Any, name: str | None):
        super().__init__()
        there = member(group_for("model") if mp_group is None else mp_group)
        self.model_parallel_group, self._name = there, name
        self.rank, self.world_size = there.rank, there.nranks
        self.is_mp = self.world_size > 1

    def _part_of(self, size: int, what: str) -> int:
        """How much of a size each process has. Raises ShapeError where they cannot share it."""
        if size % self.world_size:
            raise ShapeError(
                f"{type(self).__name__}: {self.world_size} processes cannot share {what} {size} "
                "equally",
                cure=f"make {what} a multiple of {self.world_size}",
            )
        return size // self.world_size

    def _weight(self, shape: Sequence[int], attr: Any) -> None:
        """The weight of this process, drawn apart from those of others."""
        if not self.is_mp:
            self.weight = self.create_parameter(list(shape), attr=attr)
            return
        if MODEL_PARALLEL_RNG not in _tracker.states_:
            _tracker.add(MODEL_PARALLEL_RNG, FIRST_SEED + self.rank)
        with _tracker.rng_state():
            self.weight = self.create_parameter(list(shape), attr=attr)
        weight: Any = self.weight
        weight.is_distributed = True

    def _bias(self, size: int, has_bias: bool, is_divided: bool) -> None:
        self.bias = None
        if has_bias:
            zero = Constant(0.0)
            bias: Any = self.create_parameter([size], attr=zero, is_bias=True)
            bias.is_distributed = is_divided and self.is_mp
            self.bias = bias


class ColumnParallelLinear(_Divided):
    """`x @ weight + bias`, of which each process of a group computes some columns.

    has_bias: False where it is left out. gather_output: give all processes all columns, else each
    has its own. mp_group: the processes, by default those of `fleet.init`. fuse_matmul_bias:
    without effect. Raises ShapeError where they cannot share the columns equally.

    >>> layer = ColumnParallelLinear(2, 3, has_bias=True)
    >>> layer(twinoar.ones([4, 2])).shape, layer.weight.shape
    ([4, 3], [2, 3])
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: Any = None,
        has_bias: bool | None = None,
        gather_output: bool = True,
        fuse_matmul_bias: bool = False,
        mp_group: Any = None,
        name: str | None = None,
    ):
        super().__init__(mp_group, name)
        self.gather_output = gather_output
        columns = self._part_of(out_features, "out_features")
        self._weight([in_features, columns], weight_attr)
        self._bias(columns, bool(has_bias), True)

    def forward(self, x: Tensor) -> Tensor:
        """`x @ weight + bias`."""
        if not self.is_mp:
            return F.linear(x, self.weight, self.bias)
        number = self.model_parallel_group.id
        found = F.linear(enter_ranks(x, number), self.weight, self.bias)
        if not self.gather_output:
            return found
        return join_parts(found, number, self.rank, self.world_size)


class RowParallelLinear(_Divided):
    """`x @ weight + bias`, of which each process of a group multiplies some columns of x.

    input_is_parallel: x is what this process has of it, else it is the whole. mp_group: the
    processes, by default those of `fleet.init`. fuse_matmul_bias: without effect. Raises ShapeError
    where they cannot share the rows of the weight equally.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: Any = None,
        has_bias: bool = True,
        input_is_parallel: bool = False,
        fuse_matmul_bias: bool = False,
        mp_group: Any = None,
        name: str | None = None,
    ):
        super().__init__(mp_group, name)
        self.input_is_parallel = input_is_parallel
        self._weight([self._part_of(in_features, "in_features"), out_features], weight_attr)
        self._bias(out_features, has_bias, False)

    def forward(self, x: Tensor) -> Tensor:
        """`x @ weight + bias`."""
        if not self.is_mp:
            return F.linear(x, self.weight, self.bias)
        number = self.model_parallel_group.id
        own = x if self.input_is_parallel else own_part(x, number, self.rank, self.world_size)
        total = sum_of_parts(F.linear(own, self.weight), number)
        return total if self.bias is None else total + self.bias


class VocabParallelEmbedding(_Divided):
    """Rows of a table by their numbers, of which each process of a group has some.

    mp_group: the processes, by default those of `fleet.init`. Raises ShapeError where they cannot
    share the rows equally.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        weight_attr: Any = None,
        mp_group: Any = None,
        name: str | None = None,
    ):
        super().__init__(mp_group, name)
        self.num_embeddings = num_embeddings
        self.rows = self._part_of(num_embeddings, "num_embeddings")
        self._weight([self.rows, embedding_dim], weight_attr)

    def forward(self, x: Tensor) -> Tensor:
        """The rows x of the table. Numbers that no process has give zeros."""
        if not self.is_mp:
            return F.embedding(x, self.weight)
        own, place = _own_numbers(x, self.rank * self.rows, self.rows)
        found = F.embedding(place, self.weight)
        found = found * unsqueeze(own, -1).astype(found.dtype)
        return sum_of_parts(found, self.model_parallel_group.id)


class ParallelCrossEntropy(Layer):
    """Cross entropy of logits, of whose classes each process of a group has some: [..., 1].

    label: numbers of classes, with a last dimension of 1 or without, the same in all processes.
    """

    def __init__(self, mp_group: Any = None, name: str | None = None, ignore_index: int = -100):
        super().__init__()
        self.model_parallel_group = member(group_for("model") if mp_group is None else mp_group)
        self.name, self.ignore_index = name, ignore_index

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        """The cross entropy of each row."""
        if label.ndim == input.ndim - 1:
            label = unsqueeze(label, -1)
        there = self.model_parallel_group
        if there.nranks > 1:
            return self._over_ranks(input, label, there)
        found: Any = F.softmax_with_cross_entropy(input, label, ignore_index=self.ignore_index)
        return found

    def _over_ranks(self, logits: Any, label: Any, there: Any) -> Tensor:
        """log(sum(exp(x))) - x[label], by the classes of all; x is less by its maximum."""
        highest = all_reduce_max(logits.detach().max(-1, keepdim=True), there.id)
        shifted = logits - highest
        total = sum_of_parts(exp(shifted).sum(-1, keepdim=True), there.id)
        classes = logits.shape[-1]
        own, place = _own_numbers(label, there.rank * classes, classes)
        picked = take_along_axis(shifted, place, -1) * own.astype(shifted.dtype)
        loss = log(total) - sum_of_parts(picked, there.id)
        return loss * (label != self.ignore_index).astype(loss.dtype)


def _own_numbers(x: Any, first: int, count: int) -> tuple[Any, Any]:
    """Which of x are among `count` numbers from `first` on, and their places; 0 for others."""
    own = logical_and(x >= first, x < first + count)
    return own, (x - first) * own.astype(x.dtype)


class RNGStatesTracker:
    """States of random numbers by name, each of which goes on where it was left.

    >>> tracker = RNGStatesTracker()
    >>> tracker.add("dropout", 7)
    >>> with tracker.rng_state("dropout"):
    ...     first = __import__("twinoar").rand([2])
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget all."""
        self.states_: dict[str, Any] = {}
        self.seeds_: set[int] = set()

    def add(self, name: str, seed: int) -> None:
        """Make a state of a seed. Raises ArgumentError where the name or the seed is taken."""
        if seed in self.seeds_:
            raise ArgumentError(f"seed {seed} already exists")
        if name in self.states_:
            raise ArgumentError(f"state {name} already exists")
        self.seeds_.add(seed)
        before = generator.get_state()
        generator.manual_seed(seed)
        self.states_[name] = generator.get_state()
        generator.set_state(before)

    def get_states_tracker(self) -> dict[str, Any]:
        """The states by name."""
        return dict(self.states_)

    def set_states_tracker(self, states: dict[str, Any]) -> None:
        """Put states in the place of all."""
        self.states_ = dict(states)

    @contextmanager
    def rng_state(self, name: str = MODEL_PARALLEL_RNG) -> Iterator[None]:
        """Draw from the state `name` within the block. Raises UnknownNameError."""
        if name not in self.states_:
            raise UnknownNameError(f"state {name} does not exist", cure="add(name, seed) it first")
        before = generator.get_state()
        generator.set_state(self.states_[name])
        try:
            yield
        finally:
            self.states_[name] = generator.get_state()
            generator.set_state(before)


_tracker = RNGStatesTracker()


def get_rng_state_tracker() -> RNGStatesTracker:
    """The tracker that layers draw from."""
    return _tracker


def model_parallel_random_seed(seed: int | None = None) -> None:
    """Seed the random numbers, equally in all processes, and those of the tracker apart.

    seed: by default one that the first process draws; then all processes call it.
    """
    number = seed if seed else secrets.randbits(SEED_BITS)
    if not seed and current_world().size > 1:
        number = current_world().all.all_gather_object(number)[0]
    _tracker.reset()
    _tracker.add(MODEL_PARALLEL_RNG, number * 1024 + group_for("model").rank)
    seed_all(number)


def dropout(
    x: Tensor,
    p: float = 0.5,
    axis: Any = None,
    rng_name: str | None = None,
    training: bool = True,
    mode: str = "upscale_in_train",
    name: str | None = None,
) -> Tensor:
    """Dropout that draws from a state of the tracker where `rng_name` is given."""
    if rng_name is None:
        return F.dropout(x, p, axis, training, mode, name=name)
    with _tracker.rng_state(rng_name):
        return F.dropout(x, p, axis, training, mode, name=name)


def split(
    x: Tensor,
    size: Sequence[int],
    operation: str,
    axis: int = 0,
    num_partitions: int = 1,
    gather_out: bool = True,
    weight_attr: Any = None,
    bias_attr: Any = None,
    name: str | None = None,
) -> Tensor:
    """A linear layer or an embedding in a Program, whose weight processes share.

    x: [*,M], or numbers of rows. size: (rows, columns) of the whole weight. operation: "linear" or
    "embedding". axis: 0 for rows of the weight each, which x may be divided for already; 1 for
    columns each, of which all get all where gather_out. num_partitions: how many processes; those
    of tensor parallelism by `fleet.init`, else that many next to each other, and then all processes
    call it. weight_attr, bias_attr: of this process's part; seed processes apart. Raises
    UnsupportedError eagerly, as Paddle does, ShapeError for sizes that cannot be shared.
    """
    if operation not in OPERATIONS:
        raise ArgumentError(f"expected operation among {OPERATIONS}, received {operation!r}")
    if axis not in (0, 1) or (operation == "embedding" and axis):
        raise ArgumentError(f"split: axis {axis} of {operation}")
    if current().runs:
        raise UnsupportedError(
            "distributed.split makes parameters in a static Program alone",
            cure="use fleet.meta_parallel.ColumnParallelLinear, RowParallelLinear or "
            "VocabParallelEmbedding",
        )
    parts = _Parts(_sharing(num_partitions), Layer(name), tuple(size), weight_attr, bias_attr)
    if operation == "embedding":
        return parts.embedding(x)
    return parts.by_columns(x, gather_out) if axis else parts.by_rows(x)


def _sharing(count: int) -> Group:
    """The processes that share a weight. Raises ArgumentError where there are not so many."""
    kept, world = group_for("model"), get_world_size()
    if kept.nranks == count:
        return kept
    if world % count:
        raise ArgumentError(
            f"num_partitions is {count}, there are {world} processes",
            cure="pass a number that divides them, such as mp_degree",
        )
    found = kept
    for first in range(0, world, count):
        made = new_group(list(range(first, first + count)))
        found = made if made.is_member() else found
    return found


class _Parts:
    """This process's part of one layer of `split`."""

    def __init__(
        self, group: Group, holder: Layer, size: tuple[int, ...], weight_attr: Any, bias_attr: Any
    ):
        self._group, self._holder, self._size = group, holder, size
        self._weight_attr, self._bias_attr = weight_attr, bias_attr

    def _weight(self, rows: int, columns: int) -> Any:
        made: Any = self._holder.create_parameter([rows, columns], attr=self._weight_attr)
        made.is_distributed = self._group.nranks > 1
        return made

    def _bias(self, size: int) -> Any:
        if self._bias_attr is False:
            return None
        return self._holder.create_parameter([size], self._bias_attr, None, True)

    def _share(self, size: int) -> int:
        count = self._group.nranks
        if size % count:
            raise ShapeError(
                f"split: {count} processes cannot share {size} equally",
                cure=f"make it a multiple of {count}",
            )
        return size // count

    def embedding(self, x: Any) -> Any:
        """The rows x of the table; the last process has what is left of it."""
        rows, columns = self._size
        each = -(-rows // self._group.nranks)
        first = self._group.rank * each
        weight = self._weight(min(each, rows - first), columns)
        if self._group.nranks == 1:
            return F.embedding(x, weight)
        own, place = _own_numbers(x, first, weight.shape[0])
        found = F.embedding(place, weight)
        return sum_of_parts(found * unsqueeze(own, -1).astype(found.dtype), self._group.id)

    def by_rows(self, x: Any) -> Any:
        """Each multiplies some columns of x, and all get the sum."""
        there, each = self._group, self._share(self._size[0])
        weight, bias = self._weight(each, self._size[1]), self._bias(self._size[1])
        if there.nranks == 1:
            return F.linear(x, weight, bias)
        own = x if x.shape[-1] == each else own_part(x, there.id, there.rank, there.nranks)
        total = sum_of_parts(F.linear(own, weight), there.id)
        return total if bias is None else total + bias

    def by_columns(self, x: Any, is_gathered: bool) -> Any:
        """Each computes some columns."""
        there, each = self._group, self._share(self._size[1])
        weight, bias = self._weight(self._size[0], each), self._bias(each)
        if there.nranks == 1:
            return F.linear(x, weight, bias)
        found = F.linear(enter_ranks(x, there.id), weight, bias)
        if not is_gathered:
            return found
        return join_parts(found, there.id, there.rank, there.nranks)


__all__ = declared(globals())
