"""What all ranks get of all: rows gathered, summed and scattered, exchanged."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from twinoar.core.op.declare import Tensor
from twinoar.core.op.library import Collective
from twinoar.errors import ArgumentError, GradientError, ShapeError
from twinoar.ops.collective._ranks import (
    ON_STREAM,
    REDUCE_TYPES,
    RING,
    Desc,
    collective,
    communicator,
    need_order,
    parted_rows,
    with_rows,
)
from twinoar.ops.shape.reshape import reshape

SIZED = {**RING, "nranks": "nranks"}
LINEAR = ("sum", "avg")


@collective(
    moves=True,
    desc=Desc("c_allgather", {"X": "x"}, attrs=SIZED, fixed=ON_STREAM, reads=("all_gather",)),
    infer=lambda x, group, nranks: with_rows(x, (x.shape[0] if x.shape else 1) * nranks),
    collective=lambda group, nranks: Collective("all_gather", "", group, nranks=nranks),
)
def all_gather_rows(x: Tensor, group: int = 0, nranks: int = 1) -> Tensor:
    """The x of all ranks below each other, in the order of ranks, on each of them.

    x: [n,*], of one shape and dtype on all ranks; a scalar counts as [1]. Returns [nranks*n,*].
    """


@all_gather_rows.kernel
def _(x, group, nranks):
    found = communicator(group, nranks).all_gather(x)
    return found.reshape(-1, *x.shape[1:]) if x.size else _empty(found, x.shape)


@all_gather_rows.grad
def _(g, specs, group, nranks):
    found = reduce_scatter_rows(g, "sum", group, nranks)
    return found if specs[0].shape else reshape(found, [])


def _empty(found: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """[nranks,n,*] without elements as [nranks*n,*], whose -1 NumPy could not tell."""
    return found.reshape(found.shape[0] * shape[0], *shape[1:])


@collective(
    collective=lambda reduction, group, nranks: Collective(
        "reduce_scatter", reduction, group, nranks=nranks
    ),
    desc=Desc(
        "c_reducescatter",
        {"X": "x"},
        attrs=SIZED,
        fixed=ON_STREAM,
        reads=("reduce_scatter",),
        write=lambda attrs, specs: {"twinoar_reduction": attrs["reduction"]},
        read=lambda slots, attrs: reduce_scatter_rows(
            (slots.get("X") or slots["x"])[0],
            attrs.get("twinoar_reduction") or REDUCE_TYPES[attrs.get("reduce_type", 0)],
            attrs.get("ring_id", 0),
            attrs.get("nranks", 1),
        ),
    ),
)
def reduce_scatter_rows(
    x: Tensor,
    reduction: Literal["sum", "max", "min", "prod", "avg"] = "sum",
    group: int = 0,
    nranks: int = 1,
) -> Tensor:
    """The x of all ranks as one, of which each rank gets its part.

    x: [nranks*n,*], of one shape and dtype on all ranks. Returns [n,*].
    """


@reduce_scatter_rows.infer
def _(x, reduction, group, nranks):
    need_order(x, reduction)
    return with_rows(x, parted_rows(x, nranks, "reduce_scatter"))


@reduce_scatter_rows.kernel
def _(x, reduction, group, nranks):
    need_order(x, reduction)
    parted_rows(x, nranks, "reduce_scatter")
    parts = np.reshape(x, (nranks, x.shape[0] // nranks, *x.shape[1:]))
    return communicator(group, nranks).reduce_scatter(parts, reduction)


@reduce_scatter_rows.grad
def _(g, reduction, group, nranks):
    if reduction not in LINEAR:
        raise GradientError(
            f"reduce_scatter of {reduction} has no gradient rule",
            cure="all_reduce has one: take this rank's rows of it",
        )
    gathered = all_gather_rows(g, group, nranks)
    return gathered / nranks if reduction == "avg" else gathered


@collective(
    moves=True,
    desc=Desc(
        "alltoall",
        {"X": "x"},
        attrs=RING,
        fixed=ON_STREAM,
        reads=("all_to_all",),
        write=lambda attrs, specs: {
            f"twinoar_{k}": list(attrs[k]) for k in ("sent", "taken") if attrs[k]
        },
        read=lambda slots, attrs: all_to_all_rows(
            (slots.get("X") or slots["x"])[0],
            tuple(attrs.get("twinoar_sent", ())),
            tuple(attrs.get("twinoar_taken", ())),
            attrs.get("ring_id", 0),
        ),
    ),
    grad=lambda g, sent, taken, group: all_to_all_rows(g, taken, sent, group),
)
def all_to_all_rows(
    x: Tensor, sent: tuple[int, ...] = (), taken: tuple[int, ...] = (), group: int = 0
) -> Tensor:
    """Rows of x to each rank, and the rows that arrive, in the order of ranks.

    x: [n,*]. sent, taken: how many rows go to each rank, and come from each; () for equally many,
    and then as many come as go. Returns [n,*], or [sum(taken),*]. Raises ShapeError, on all ranks,
    where one takes another number than is sent.
    """


@all_to_all_rows.infer
def _(x, sent, taken, group):
    _need_sendable(x.shape, sent)
    return with_rows(x, sum(taken)) if taken else x


@all_to_all_rows.kernel
def _(x, sent, taken, group):
    _need_sendable(x.shape, sent)
    return communicator(group).all_to_all(x, sent or None, taken or None)


def _need_sendable(shape: tuple[Any, ...], sent: tuple[int, ...]) -> None:
    if not shape:
        raise ShapeError("all_to_all: a scalar has no rows to send")
    if sent and isinstance(shape[0], int) and sum(sent) != shape[0]:
        raise ShapeError(f"all_to_all: sent {list(sent)} of {shape[0]} rows")


@collective(
    infer=lambda x, group: x,
    desc=Desc("barrier", {"X": "x"}, attrs=RING),
    moves=True,
    grad=lambda g: g,
)
def barrier_before(x: Tensor, group: int = 0) -> Tensor:
    """x, once all ranks of the group are here. x: [*]. Returns [*]."""


@barrier_before.kernel
def _(x, group):
    communicator(group).barrier()
    return x


def _samples(s: Any) -> Any:
    yield s(s.randn(2, 3))
    yield s(s.zeros(0, 2))
    yield s(s.ints(0, 5, 4))
    yield s(s.bools(3))
    yield s.bad(ArgumentError, "there is no group 77", s.randn(2), group=77, static_error=False)


@all_gather_rows.samples
def _(s):
    yield from _samples(s)
    yield s(s.randn())
    yield s.bad(ArgumentError, "for 2 ranks", s.randn(2), nranks=2, static_error=False)


@reduce_scatter_rows.samples
def _(s):
    yield from _samples(s)
    yield s(s.randn(2, 3), "avg")
    yield s(s.randn(2, 3), "max", gradient=False)
    yield s.bad(ShapeError, "cannot share 3 rows", s.randn(3), nranks=2)
    yield s.bad(ShapeError, "scalar", s.randn())


@all_to_all_rows.samples
def _(s):
    yield from _samples(s)
    yield s(s.randn(3, 2), (3,), (3,))
    yield s.bad(ShapeError, "of 3 rows", s.randn(3), (2,))
    yield s.bad(ShapeError, "scalar", s.randn())
    yield s.bad(ShapeError, "takes 2", s.randn(3), (3,), (2,), static_error=False)


@barrier_before.samples
def _(s):
    yield from _samples(s)
    yield s(s.randn())
