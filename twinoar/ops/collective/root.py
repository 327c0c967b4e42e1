"""What one rank, the root, has for all, or gets of all.

Ranks in arguments are those in the group. On ranks that get nothing, the result is zeros: so each
of these operators is linear, and the gradient of one is another.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.op.declare import Tensor
from twinoar.core.op.library import Collective
from twinoar.errors import ArgumentError, GradientError, ShapeError
from twinoar.ops.collective._ranks import (
    ON_STREAM,
    REDUCE_TYPES,
    RING,
    Desc,
    by_reduction,
    collective,
    communicator,
    need_order,
    parted_rows,
    with_rows,
)

ROOT_REDUCE: dict[str, Any] = {}


def _or_zeros(found: np.ndarray | None, shape: Any, dtype: Any) -> np.ndarray:
    return np.zeros(shape, dtype) if found is None else found


@collective(
    infer=lambda x, root, group: x,
    kernel=lambda x, root, group: communicator(group).broadcast(x, root),
    collective=lambda root, group: Collective("broadcast", "", group, root),
    desc=Desc("c_broadcast", {"X": "x"}, attrs={**RING, "root": "root"}, fixed=ON_STREAM),
    moves=True,
    grad=lambda g, root, group: root_reduce_sum(g, root, group),
)
def broadcast_from(x: Tensor, root: int = 0, group: int = 0) -> Tensor:
    """The x of rank `root`, on all ranks. x: [*], of one shape and dtype on all. Returns [*]."""


def _reducing(reduction: str) -> dict[str, Any]:
    def infer(x: Any, root: int, group: int) -> Any:
        need_order(x, reduction)
        return x

    def kernel(x: np.ndarray, root: int, group: int) -> np.ndarray:
        need_order(x, reduction)
        return _or_zeros(communicator(group).reduce(x, root, reduction), x.shape, x.dtype)

    desc = Desc(
        f"c_reduce_{reduction}",
        {"X": "x"},
        attrs={**RING, "root_id": "root"},
        fixed=ON_STREAM,
    )
    return {"infer": infer, "kernel": kernel, "desc": desc}


def _any_reduction() -> Desc:
    return Desc(
        "reduce",
        {"x": "x"},
        ("out",),
        attrs={**RING, "root_id": "root"},
        write=lambda attrs, specs: {"reduce_type": REDUCE_TYPES.index("avg")},
        read=by_reduction(ROOT_REDUCE, root="root_id"),
    )


@collective(**_reducing("sum"))
def root_reduce_sum(x: Tensor, root: int = 0, group: int = 0) -> Tensor:
    """The sum of the x of all ranks on rank `root`, zeros on others. x: [*]. Returns [*]."""


@root_reduce_sum.grad
def _(g, root, group):
    return broadcast_from(g, root, group)


@collective(**{**_reducing("avg"), "desc": _any_reduction()})
def root_reduce_avg(x: Tensor, root: int = 0, group: int = 0) -> Tensor:
    """The mean of the x of all ranks on rank `root`, zeros on others. x: [*]. Returns [*]."""


@root_reduce_avg.grad
def _(g, root, group):
    return broadcast_from(g, root, group) / communicator(group).size


def _refuse(what: str) -> GradientError:
    return GradientError(
        f"{what} over ranks to one of them has no gradient rule",
        cure="reduce to all ranks: all_reduce has one",
    )


@collective(**_reducing("max"))
def root_reduce_max(x: Tensor, root: int = 0, group: int = 0) -> Tensor:
    """The greatest x of all ranks on rank `root`, zeros on others. x: [*]. Returns [*]."""


@collective(**_reducing("min"))
def root_reduce_min(x: Tensor, root: int = 0, group: int = 0) -> Tensor:
    """The least x of all ranks on rank `root`, zeros on others. x: [*]. Returns [*]."""


@collective(**_reducing("prod"))
def root_reduce_prod(x: Tensor, root: int = 0, group: int = 0) -> Tensor:
    """The product of the x of all ranks on rank `root`, zeros on others. x: [*]. Returns [*]."""


@root_reduce_max.grad
def _(g):
    raise _refuse("the maximum")


@root_reduce_min.grad
def _(g):
    raise _refuse("the minimum")


@root_reduce_prod.grad
def _(g):
    raise _refuse("the product")


ROOT_REDUCE.update(
    sum=root_reduce_sum,
    avg=root_reduce_avg,
    max=root_reduce_max,
    min=root_reduce_min,
    prod=root_reduce_prod,
)


@collective(moves=True)
def root_gather(x: Tensor, root: int = 0, group: int = 0, nranks: int = 1) -> Tensor:
    """The x of all ranks below each other on rank `root`, zeros on others.

    x: [n,*], of one shape and dtype on all. Returns [nranks*n,*].
    """


@root_gather.infer
def _(x, root, group, nranks):
    if not x.shape:
        raise ShapeError("gather: expected rows, received a scalar", cure="reshape it to [1]")
    return with_rows(x, x.shape[0] * nranks)


@root_gather.kernel
def _(x, root, group, nranks):
    found = communicator(group, nranks).gather(x, root)
    shape = (nranks * x.shape[0], *x.shape[1:])
    return _or_zeros(found, shape, x.dtype).reshape(shape)


@root_gather.grad
def _(g, root, group, nranks):
    return root_scatter(g, root, group, nranks)


@collective(
    moves=True,
    desc=Desc(
        "c_scatter",
        {"X": "x"},
        attrs={**RING, "root": "root", "nranks": "nranks"},
        fixed=ON_STREAM,
    ),
    infer=lambda x, root, group, nranks: with_rows(x, parted_rows(x, nranks, "scatter")),
    grad=lambda g, root, group, nranks: root_gather(g, root, group, nranks),
)
def root_scatter(x: Tensor, root: int = 0, group: int = 0, nranks: int = 1) -> Tensor:
    """The part of the x of rank `root` that is this rank's; the x of others has no effect.

    x: [nranks*n,*], of one shape and dtype on all. Returns [n,*].
    """


@root_scatter.kernel
def _(x, root, group, nranks):
    parts = np.reshape(x, (nranks, x.shape[0] // nranks, *x.shape[1:]))
    return communicator(group, nranks).scatter(parts, root)


def _samples(s: Any, *more: Any) -> Any:
    yield s(s.randn(2, 3))
    yield s(s.zeros(0, 2))
    yield s(s.randn(1, dtype="float64"))
    yield from more
    yield s.bad(ArgumentError, "there is no rank 3", s.randn(2), 3, static_error=False)
    yield s.bad(ArgumentError, "there is no group 77", s.randn(2), 0, 77, static_error=False)


@root_gather.samples
def _(s):
    yield from _samples(s, s(s.ints(0, 5, 4)), s(s.bools(3)))
    yield s.bad(ShapeError, "scalar", s.randn())
    yield s.bad(ArgumentError, "for 2 ranks", s.randn(2), nranks=2, static_error=False)


@root_scatter.samples
def _(s):
    yield from _samples(s, s(s.ints(0, 5, 4)), s(s.bools(3)))
    yield s.bad(ShapeError, "scalar", s.randn())
    yield s.bad(ShapeError, "cannot share 3 rows", s.randn(3), nranks=2)


@broadcast_from.samples
def _(s):
    yield from _samples(s, s(s.ints(0, 5, 4)), s(s.bools(3)), s(s.randn()))


@root_reduce_sum.samples
def _(s):
    yield from _samples(s, s(s.ints(0, 5, 4)), s(s.bools(3)), s(s.randn()))


@root_reduce_avg.samples
def _(s):
    yield from _samples(s, s(s.randn()))


def _flat_samples(s: Any) -> Any:
    yield s(s.randn(2, 3), gradient=False)
    yield s(s.zeros(0, 2), gradient=False)
    yield s(s.ints(0, 5, 4), gradient=False)
    yield s.bad(ArgumentError, "there is no rank 3", s.randn(2), 3, static_error=False)


for _operator in (root_reduce_max, root_reduce_min, root_reduce_prod):
    _operator.samples(lambda s: _flat_samples(s))
