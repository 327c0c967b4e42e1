"""Where ranks that compute one value together meet: the operators of divided layers.

All ranks go on with the same value and have the same loss, once and not once each. So the gradients
are not the transposes that the other collectives have: that of a sum is the identity, as the
gradient that comes in is already the whole one on each rank.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.op.declare import Spec, Tensor
from twinoar.core.op.library import Collective
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.collective._ranks import (
    ON_STREAM,
    RING,
    Desc,
    collective,
    communicator,
    with_rows,
)

PLACED = {**RING, "rank": "rank", "nranks": "nranks"}
MODEL_PARALLEL = {**ON_STREAM, "use_model_parallel": True}


@collective(
    infer=lambda x, group: x,
    kernel=lambda x, group: np.array(x),
    desc=Desc("c_identity", {"X": "x"}, attrs=RING, fixed=MODEL_PARALLEL),
    moves=True,
    grad=lambda g, group: sum_of_parts(g, group),
)
def enter_ranks(x: Tensor, group: int = 0) -> Tensor:
    """x, which is the same on all ranks of the group and which each uses for its part.

    x: [*]. Returns [*]. Its gradient is the sum of those of the ranks' uses.
    """


@collective(
    infer=lambda x, group: x,
    kernel=lambda x, group: communicator(group).all_reduce(x, "sum"),
    collective=lambda group: Collective("all_reduce", "sum", group),
    desc=Desc("mp_allreduce_sum", {"X": "x"}, attrs=RING, fixed=ON_STREAM),
    grad=lambda g, group: enter_ranks(g, group),
)
def sum_of_parts(x: Tensor, group: int = 0) -> Tensor:
    """The sum of the x of all ranks, with which all go on. x: [*]. Returns [*]."""


@collective(desc=Desc("c_concat", {"X": "x"}, attrs=PLACED, fixed=MODEL_PARALLEL), moves=True)
def join_parts(x: Tensor, group: int = 0, rank: int = 0, nranks: int = 1) -> Tensor:
    """The x of all ranks beside each other along the last axis, with which all go on.

    x: [*,n]. rank: this one. Returns [*,nranks*n].
    """


@join_parts.infer
def _(x, group, rank, nranks):
    _need_axis(x.shape)
    return Spec((*x.shape[:-1], x.shape[-1] * nranks), x.dtype)


@join_parts.kernel
def _(x, group, rank, nranks):
    _need_axis(x.shape)
    return np.concatenate(list(communicator(group, nranks).all_gather(x)), -1)


@join_parts.grad
def _(g, group, rank, nranks):
    return own_part(g, group, rank, nranks)


@collective(desc=Desc("c_split", {"X": "x"}, attrs=PLACED, fixed=MODEL_PARALLEL), moves=True)
def own_part(x: Tensor, group: int = 0, rank: int = 0, nranks: int = 1) -> Tensor:
    """Part number `rank` of x along the last axis; x is the same on all ranks.

    x: [*,nranks*n]. Returns [*,n].
    """


@own_part.infer
def _(x, group, rank, nranks):
    return Spec((*x.shape[:-1], _part(x.shape, rank, nranks)), x.dtype)


@own_part.kernel
def _(x, group, rank, nranks):
    size = _part(x.shape, rank, nranks)
    return x[..., rank * size : (rank + 1) * size].copy()


@own_part.grad
def _(g, group, rank, nranks):
    return join_parts(g, group, rank, nranks)


@collective(moves=True)
def join_rows(x: Tensor, group: int = 0, rank: int = 0, nranks: int = 1) -> Tensor:
    """The x of all ranks below each other, with which all go on.

    x: [n,*]. rank: this one. Returns [nranks*n,*]. Its gradient is this rank's part of the one that
    all have, where `all_gather_rows` adds those of all ranks up.
    """


@join_rows.infer
def _(x, group, rank, nranks):
    _need_rows(x.shape)
    return with_rows(x, x.shape[0] * nranks)


@join_rows.kernel
def _(x, group, rank, nranks):
    _need_rows(x.shape)
    return np.concatenate(list(communicator(group, nranks).all_gather(x)), 0)


@join_rows.grad
def _(g, group, rank, nranks):
    return own_rows(g, group, rank, nranks)


@collective(moves=True)
def own_rows(x: Tensor, group: int = 0, rank: int = 0, nranks: int = 1) -> Tensor:
    """Part number `rank` of the rows of x, which is the same on all ranks.

    x: [nranks*n,*]. Returns [n,*].
    """


@own_rows.infer
def _(x, group, rank, nranks):
    return with_rows(x, _part_of_rows(x.shape, rank, nranks))


@own_rows.kernel
def _(x, group, rank, nranks):
    size = _part_of_rows(x.shape, rank, nranks)
    return x[rank * size : (rank + 1) * size].copy()


@own_rows.grad
def _(g, group, rank, nranks):
    return join_rows(g, group, rank, nranks)


def _need_rows(shape: Any) -> None:
    if not shape:
        raise ShapeError("a scalar has no rows that ranks could divide")


def _part_of_rows(shape: Any, rank: int, nranks: int) -> Any:
    _need_rows(shape)
    if not 0 <= rank < nranks:
        raise ArgumentError(f"rank {rank} of {nranks}")
    if isinstance(shape[0], int) and shape[0] % nranks:
        raise ShapeError(f"{nranks} ranks cannot divide {shape[0]} rows equally")
    return shape[0] // nranks


def _need_axis(shape: Any) -> None:
    if not shape:
        raise ShapeError("a scalar has no axis along which ranks could divide it")


def _part(shape: Any, rank: int, nranks: int) -> Any:
    _need_axis(shape)
    if not 0 <= rank < nranks:
        raise ArgumentError(f"rank {rank} of {nranks}")
    if isinstance(shape[-1], int) and shape[-1] % nranks:
        raise ShapeError(f"{nranks} ranks cannot divide {shape[-1]} columns equally")
    return shape[-1] // nranks


def _samples(s: Any) -> Any:
    yield s(s.randn(2, 3))
    yield s(s.zeros(0, 2))
    yield s(s.randn(1, dtype="float64"))


@enter_ranks.samples
def _(s):
    yield from _samples(s)
    yield s(s.ints(0, 5, 4))
    yield s(s.randn())


@sum_of_parts.samples
def _(s):
    yield from _samples(s)
    yield s(s.randn())
    yield s.bad(ArgumentError, "there is no group 77", s.randn(2), group=77, static_error=False)


@join_parts.samples
def _(s):
    yield from _samples(s)
    yield s(s.bools(3))
    yield s.bad(ShapeError, "scalar", s.randn())


@own_part.samples
def _(s):
    yield from _samples(s)
    yield s(s.bools(3))
    yield s.bad(ShapeError, "scalar", s.randn())
    yield s.bad(ShapeError, "cannot divide 3 columns", s.randn(2, 3), 0, 0, 2)
    yield s.bad(ArgumentError, "rank 2 of 2", s.randn(2, 4), 0, 2, 2)


@join_rows.samples
def _(s):
    yield from _samples(s)
    yield s(s.bools(3))
    yield s.bad(ShapeError, "scalar", s.randn())


@own_rows.samples
def _(s):
    yield from _samples(s)
    yield s(s.bools(3))
    yield s.bad(ShapeError, "scalar", s.randn())
    yield s.bad(ShapeError, "cannot divide 3 rows", s.randn(3, 2), 0, 0, 2)
    yield s.bad(ArgumentError, "rank 2 of 2", s.randn(4, 2), 0, 2, 2)
