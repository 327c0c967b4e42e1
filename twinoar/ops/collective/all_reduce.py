"""What all ranks get of the values of all: sums, extremes, products, means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.op.declare import Tensor, Value
from twinoar.core.op.library import Collective
from twinoar.errors import ArgumentError, DTypeError
from twinoar.ops.collective._ranks import (
    ON_STREAM,
    REDUCE_TYPES,
    RING,
    Desc,
    by_reduction,
    collective,
    communicator,
    need_order,
)
from twinoar.ops.index.mask import where
from twinoar.ops.math.cast import cast
from twinoar.ops.math.compare import equal
from twinoar.ops.math.fill import ones_of, zeros_of

ALL_REDUCE: dict[str, Any] = {}


def _rules(reduction: str) -> dict[str, Any]:
    def infer(x: Any, group: int) -> Any:
        need_order(x, reduction)
        return x

    def kernel(x: np.ndarray, group: int) -> np.ndarray:
        need_order(x, reduction)
        return communicator(group).all_reduce(x, reduction)

    return {
        "infer": infer,
        "kernel": kernel,
        "collective": lambda group: Collective("all_reduce", reduction, group),
        "desc": Desc(f"c_allreduce_{reduction}", {"X": "x"}, attrs=RING, fixed=ON_STREAM),
    }


def _any_reduction() -> Desc:
    """Paddle 3 has one type for all; Paddle 2 none for means, so means are written as that one."""
    return Desc(
        "all_reduce",
        {"x": "x"},
        ("out",),
        attrs=RING,
        write=lambda attrs, specs: {"reduce_type": REDUCE_TYPES.index("avg")},
        read=by_reduction(ALL_REDUCE),
    )


@collective(**_rules("sum"))
def all_reduce_sum(x: Tensor, group: int = 0) -> Tensor:
    """The sum of the x of all ranks of a group, on each of them.

    x: [*], of equal shapes and dtypes on all ranks. Returns [*]. Floats of 16 bits are added up in
    float32. Raises DistributedError, on all ranks, where ranks call different things.
    """


@all_reduce_sum.grad
def _(g, group):
    return all_reduce_sum(g, group)


@collective(**{**_rules("avg"), "desc": _any_reduction()})
def all_reduce_avg(x: Tensor, group: int = 0) -> Tensor:
    """The mean of the x of all ranks of a group, on each of them.

    x: [*], floating or complex. Returns [*].
    """


@all_reduce_avg.grad
def _(g, group):
    return all_reduce_avg(g, group)


@collective(**_rules("max"))
def all_reduce_max(x: Tensor, group: int = 0) -> Tensor:
    """The greatest of the x of all ranks of a group, element by element, on each of them.

    x: [*], not complex. Returns [*], nan where one is nan.
    """


@collective(**_rules("min"))
def all_reduce_min(x: Tensor, group: int = 0) -> Tensor:
    """The least of the x of all ranks of a group, element by element, on each of them.

    x: [*], not complex. Returns [*], nan where one is nan.
    """


@all_reduce_max.grad
def _(g, x, out, group):
    return _to_extremes(g, x, out, group)


@all_reduce_min.grad
def _(g, x, out, group):
    return _to_extremes(g, x, out, group)


def _to_extremes(g: Value, x: Value, out: Value, group: int) -> Value:
    """The gradient goes to the ranks whose x it is, in equal parts where several have it."""
    own = cast(equal(x, out), g.dtype)
    return all_reduce_sum(g, group) * own / all_reduce_sum(own, group)


@collective(**_rules("prod"))
def all_reduce_prod(x: Tensor, group: int = 0) -> Tensor:
    """The product of the x of all ranks of a group, on each of them. x: [*]. Returns [*]."""


@all_reduce_prod.grad
def _(g, x, group):
    # The product of the others', which x / out is not where something is zero.
    is_zero = equal(x, zeros_of(x.spec))
    zeros = all_reduce_sum(cast(is_zero, g.dtype), group)
    nonzero = all_reduce_prod(where(is_zero, ones_of(x.spec), x), group)
    nothing, one = zeros_of(g.spec), ones_of(g.spec)
    where_zero = where(equal(zeros, one), nonzero, nothing)
    elsewhere = where(equal(zeros, nothing), nonzero / where(is_zero, one, x), nothing)
    return all_reduce_sum(g, group) * where(is_zero, where_zero, elsewhere)


@collective(
    infer=lambda *xs, group: many(xs),
    kernel=lambda *xs, group: reduced_together(xs, group),
)
def all_reduce_together(xs: Sequence[Tensor], group: int = 0) -> Any:
    """The mean over ranks of each of some tensors of one dtype, which travel as one.

    xs: [*] each, floating. Returns as many. Small tensors cost a message each otherwise.
    """


@all_reduce_together.grad
def _(gs, group):
    found = all_reduce_together(tuple(gs), group)
    return found if isinstance(found, tuple) else (found,)


def many(xs: Any) -> Any:
    """The specs of tensors that travel as one. Raises ArgumentError, DTypeError."""
    if not xs:
        raise ArgumentError("all_reduce_together: expected at least one tensor")
    if len({x.dtype.name for x in xs}) > 1:
        received = ", ".join(str(x.dtype) for x in xs)
        raise DTypeError(f"all_reduce_together: expected one dtype, received {received}")
    need_order(xs[0], "avg")
    return tuple(xs) if len(xs) > 1 else xs[0]


def reduced_together(xs: tuple[np.ndarray, ...], group: int) -> Any:
    """The mean over ranks of each array."""
    many(xs)
    flat = np.concatenate([np.reshape(x, -1) for x in xs])
    total = communicator(group).all_reduce(flat, "avg")
    parts = np.split(total, np.cumsum([x.size for x in xs])[:-1])
    found = tuple(p.reshape(x.shape) for p, x in zip(parts, xs, strict=True))
    return found if len(found) > 1 else found[0]


@all_reduce_together.samples
def _(s):
    yield s([s.randn(2, 3), s.randn(4), s.randn()])
    yield s([s.randn(3)])
    yield s([s.zeros(0, 2), s.randn(2)])
    yield s.bad(DTypeError, "one dtype", [s.randn(2), s.ints(0, 3, 2)])
    yield s.bad(DTypeError, "floating", [s.ints(0, 3, 2)])


ALL_REDUCE.update(
    sum=all_reduce_sum,
    avg=all_reduce_avg,
    max=all_reduce_max,
    min=all_reduce_min,
    prod=all_reduce_prod,
)


def _samples(s: Any, is_whole: bool = True) -> Any:
    yield s(s.randn(2, 3))
    yield s(s.randn())
    yield s(s.zeros(0, 2))
    yield s(s.randn(1, dtype="float64"))
    if is_whole:
        yield s(s.ints(0, 5, 4))
        yield s(s.bools(3))
    yield s.bad(ArgumentError, "there is no group 77", s.randn(2), group=77, static_error=False)


for _reduction, _operator in ALL_REDUCE.items():
    _operator.samples(lambda s, _whole=_reduction != "avg": _samples(s, _whole))
