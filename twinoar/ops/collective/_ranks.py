"""What all collectives share: the group by its number, and how Paddle's files name it."""

from __future__ import annotations

from functools import partial
from typing import Any

from twinoar.core.dtype import dtype_of
from twinoar.core.op.declare import Desc, Spec, primitive
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.runtime.collective.communicator import Communicator
from twinoar.runtime.collective.current import current_world

RING = {"ring_id": "group"}
ON_STREAM = {"use_calc_stream": True}
HOST = "MPI, called from Python where no native code does it"
collective = partial(primitive, effect=True, host=HOST, amp="keep")
REDUCE_TYPES = ("sum", "max", "min", "prod", "avg")  # Paddle's numbers of them are their places


def communicator(group: int, nranks: int | None = None) -> Communicator:
    """The group with this number, as this rank sees it.

    Raises ArgumentError where it has another number of ranks than the Program was made for.
    """
    found = current_world().of(group)
    if nranks is not None and found.size != nranks:
        raise ArgumentError(
            f"the call is made for {nranks} ranks, the group {group} has {found.size}",
            cure="build the Program anew, on as many ranks as run it",
        )
    return found


def with_rows(x: Spec, rows: Any) -> Spec:
    """The spec of `x` with another first size; that of a scalar is [rows]."""
    return Spec((rows, *x.shape[1:]), x.dtype)


def parted_rows(x: Spec, nranks: int, what: str) -> Any:
    """The rows that each of `nranks` ranks has of x. Raises ShapeError where none are equal."""
    if not x.shape:
        raise ShapeError(f"{what}: a scalar has no rows that {nranks} ranks could share")
    rows = x.shape[0]
    if isinstance(rows, int) and rows % nranks:
        raise ShapeError(f"{what}: {nranks} ranks cannot share {rows} rows equally")
    return rows // nranks


def need_order(x: Any, reduction: str) -> None:
    """Raise DTypeError for a reduction that has no meaning for the dtype of x, spec or array."""
    dtype = dtype_of(x.dtype)
    if reduction in ("max", "min") and dtype.is_complex:
        raise DTypeError(f"{reduction}: complex numbers have no order, received {dtype}")
    if reduction == "avg" and not (dtype.is_floating or dtype.is_complex):
        raise DTypeError(
            f"avg: expected a floating or complex dtype, received {dtype}",
            cure="take the sum, and divide it as you want it rounded",
        )


def by_reduction(operators: dict[str, Any], slot: str = "x", root: str | None = None) -> Any:
    """A `read` rule for the type that Paddle 3 has for all reductions: its number chooses."""

    def read(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Any:
        x = slots.get(slot) or slots["X"]
        reduction = REDUCE_TYPES[attrs.get("reduce_type", 0)]
        rest = {"group": attrs.get("ring_id", 0)}
        if root is not None:
            rest["root"] = attrs.get(root, 0)
        return operators[reduction](x[0], **rest)

    return read


__all__ = [
    "HOST", "ON_STREAM", "REDUCE_TYPES", "RING", "Desc", "by_reduction", "collective",
    "communicator", "need_order", "parted_rows", "with_rows",
]  # fmt: skip
