"""Layers whose weights several processes would divide: one process has all of them.

They have the parameters, and begin with the values, of the plain layers.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.distributed.group import member
from twinoar.distributed.world import refuse_more
from twinoar.errors import ArgumentError, UnknownNameError, UnsupportedError
from twinoar.nn import functional as F
from twinoar.nn.initializer import Constant
from twinoar.nn.layer import Layer
from twinoar.ops.random.uniform import generator
from twinoar.ops.random.uniform import seed as seed_all
from twinoar.ops.shape.reshape import unsqueeze

MODEL_PARALLEL_RNG = "model_parallel_rng"
SEED_BITS = 20
OPERATIONS = ("linear", "embedding")


class _Divided(Layer):
    """A layer of a group of processes, of which there is one."""

    is_mp, world_size = False, 1

    def __init__(self, mp_group: Any, name: str | None):
        super().__init__()
        self.model_parallel_group, self._name = member(mp_group), name

    def _weights(self, shape: Sequence[int], attr: Any, *, has_bias: bool) -> None:
        self.weight = self.create_parameter(list(shape), attr=attr)
        self.bias = None
        if has_bias:
            zero = Constant(0.0)
            self.bias = self.create_parameter([shape[1]], attr=zero, is_bias=True)


class ColumnParallelLinear(_Divided):
    """`x @ weight + bias`, whose columns several processes would divide.

    has_bias: False where it is left out. gather_output, fuse_matmul_bias: without effect.

    >>> import twinoar
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
        self._weights([in_features, out_features], weight_attr, has_bias=bool(has_bias))

    def forward(self, x: Tensor) -> Tensor:
        """`x @ weight + bias`."""
        return F.linear(x, self.weight, self.bias)


class RowParallelLinear(_Divided):
    """`x @ weight + bias`, whose rows several processes would divide.

    input_is_parallel, fuse_matmul_bias: without effect.
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
        self._weights([in_features, out_features], weight_attr, has_bias=has_bias)

    def forward(self, x: Tensor) -> Tensor:
        """`x @ weight + bias`."""
        return F.linear(x, self.weight, self.bias)


class ColumnSequenceParallelLinear(ColumnParallelLinear):
    """`ColumnParallelLinear` for inputs whose positions several processes would divide."""


class RowSequenceParallelLinear(RowParallelLinear):
    """`RowParallelLinear` for outputs whose positions several processes would divide."""


class VocabParallelEmbedding(_Divided):
    """Rows of a table by their numbers; several processes would divide the rows."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        weight_attr: Any = None,
        mp_group: Any = None,
        name: str | None = None,
    ):
        super().__init__(mp_group, name)
        self._weights([num_embeddings, embedding_dim], weight_attr, has_bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """The rows x of the table."""
        return F.embedding(x, self.weight)


class ParallelCrossEntropy(Layer):
    """Cross entropy of logits whose classes several processes would divide, [..., 1].

    label: numbers of classes, with a last dimension of 1 or without.
    """

    def __init__(self, mp_group: Any = None, name: str | None = None, ignore_index: int = -100):
        super().__init__()
        self.model_parallel_group = member(mp_group)
        self.name, self.ignore_index = name, ignore_index

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        """The cross entropy of each row."""
        if label.ndim == input.ndim - 1:
            label = unsqueeze(label, -1)
        found: Any = F.softmax_with_cross_entropy(input, label, ignore_index=self.ignore_index)
        return found


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
    """Seed the random numbers, and those of the tracker by another number."""
    number = seed if seed else secrets.randbits(SEED_BITS)
    _tracker.reset()
    _tracker.add(MODEL_PARALLEL_RNG, number * 1024)
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
    """A linear layer or an embedding in a Program, whose weight one process has whole.

    Raises UnsupportedError for several partitions, and eagerly, as Paddle does.
    """
    if operation not in OPERATIONS:
        raise ArgumentError(f"expected operation among {OPERATIONS}, received {operation!r}")
    refuse_more("num_partitions", num_partitions, "pass num_partitions=1")
    if axis not in (0, 1) or (operation == "embedding" and axis):
        raise ArgumentError(f"split: axis {axis} of {operation}")
    if current().runs:
        raise UnsupportedError(
            "distributed.split makes parameters in a static Program alone",
            cure="use fleet.meta_parallel.ColumnParallelLinear, RowParallelLinear or "
            "VocabParallelEmbedding",
        )
    holder = Layer(name)
    weight = holder.create_parameter(list(size), attr=weight_attr)
    if operation == "embedding":
        return F.embedding(x, weight)
    bias = None if bias_attr is False else holder.create_parameter([size[1]], bias_attr, None, True)
    return F.linear(x, weight, bias)


__all__ = declared(globals())
