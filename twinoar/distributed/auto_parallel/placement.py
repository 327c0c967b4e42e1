"""How the parts of a tensor lie on a mesh of processes."""

from __future__ import annotations

from enum import IntEnum

from twinoar.errors import TypeMismatchError


class ReduceType(IntEnum):
    """How the parts of a `Partial` tensor make the whole."""

    kRedSum, kRedMax, kRedMin, kRedProd, kRedAvg, kRedAny, kRedAll = range(7)


class Placement:
    """Base of the three."""

    def is_shard(self, dim: int | None = None) -> bool:
        """Whether each process has a part, of dimension `dim` where that is given."""
        return False

    def is_replicated(self) -> bool:
        """Whether each process has the whole."""
        return False

    def is_partial(self) -> bool:
        """Whether the tensors of the processes are combined to the whole."""
        return False

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))


class Shard(Placement):
    """Each process has a part of dimension `dim`.

    >>> Shard(1), Shard(1).is_shard(0), Shard(1) == Shard(1)
    (Shard(dim=1), False, True)
    """

    def __init__(self, dim: int):
        if isinstance(dim, bool) or not isinstance(dim, int):
            raise TypeMismatchError(f"dim: expected an integer, received {type(dim).__name__}")
        self._dim = dim

    def get_dim(self) -> int:
        """The dimension."""
        return self._dim

    def is_shard(self, dim: int | None = None) -> bool:
        """True; with `dim`, whether it is this one."""
        return dim is None or dim == self._dim

    def __repr__(self) -> str:
        return f"Shard(dim={self._dim})"


class Replicate(Placement):
    """Each process has the whole.

    >>> Replicate().is_replicated()
    True
    """

    def is_replicated(self) -> bool:
        """True."""
        return True

    def __repr__(self) -> str:
        return "Replicate()"


class Partial(Placement):
    """The tensors of the processes are combined to the whole, by default summed.

    >>> Partial(ReduceType.kRedMax)
    Partial(reduce_type=MAX)
    """

    def __init__(self, reduce_type: ReduceType = ReduceType.kRedSum):
        self._reduce_type = ReduceType(reduce_type)

    def reduce_type(self) -> ReduceType:
        """How they are combined."""
        return self._reduce_type

    def is_partial(self) -> bool:
        """True."""
        return True

    def __repr__(self) -> str:
        return f"Partial(reduce_type={self._reduce_type.name.removeprefix('kRed').upper()})"
