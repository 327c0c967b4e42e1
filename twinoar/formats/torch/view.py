"""Operators of ATen whose results show the memory of an operand, and what changing them changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.op.declare import normalize_axis
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.formats.torch.aten import position, shape
from twinoar.ops.shape.reshape import reshape, transpose

PutBack = Callable[..., Any]


def _in_shape(base: Value, part: Value, **told: Any) -> Any:
    return reshape(part, list(base.spec.shape))


def _whole(base: Value, part: Value, **told: Any) -> Any:
    return part


def _selected(base: Value, part: Value, dim: int, index: Any) -> Any:
    return position.select_scatter(base, part, dim, index)


def _sliced(base: Value, part: Value, **told: Any) -> Any:
    return position.slice_scatter(base, part, **told)


def _narrowed(base: Value, part: Value, dim: int, start: Any, length: Any) -> Any:
    return position.slice_scatter(base, part, dim, start, start + length)


def _transposed(base: Value, part: Value, dim0: int, dim1: int) -> Any:
    return shape.transposed(part, dim0, dim1)


def _permuted(base: Value, part: Value, dims: list[int]) -> Any:
    order = [normalize_axis(d, base.ndim) for d in dims]
    return transpose(part, sorted(range(len(order)), key=order.__getitem__))


def _not_put_back(base: Value, part: Value, **told: Any) -> Any:
    raise UnsupportedError("a view of this kind is changed in place")


# In the order of the rest of the table: what gives the base back of a part that is a new one.
VIEWS: dict[str, PutBack] = {
    **dict.fromkeys(
        (
            "aten.view", "aten.reshape", "aten._unsafe_view", "aten.flatten", "aten.unflatten",
            "aten.squeeze", "aten.unsqueeze", "aten.view_as", "aten.reshape_as", "aten.ravel",
        ),
        _in_shape,
    ),
    **dict.fromkeys(
        (
            "aten.alias", "aten.detach", "aten.lift_fresh", "aten.dropout", "aten.contiguous",
            "aten.to", "aten.type_as",
        ),
        _whole,
    ),
    **dict.fromkeys(
        (
            "aten.expand", "aten.expand_as", "aten.broadcast_to", "aten.diagonal", "aten.split",
            "aten.chunk", "aten.unbind", "aten.split_with_sizes", "aten.unfold", "aten.as_strided",
            "aten.movedim", "aten.tensor_split",
            "aten.real", "aten.imag", "aten.view_as_real", "aten.view_as_complex",
        ),
        _not_put_back,
    ),
    "aten.select": _selected,
    "aten.slice": _sliced,
    "aten.narrow": _narrowed,
    "aten.transpose": _transposed,
    "aten.t": lambda base, part, **told: shape.t(part),
    "aten.permute": _permuted,
}  # fmt: skip


SHARED_IF_CONTIGUOUS = ("aten.reshape", "aten.flatten", "aten.ravel", "aten.reshape_as")
SHARED_IF_SAME = ("aten.to", "aten.type_as")


def shares(target: str, base: Any, result: Any, told: dict[str, Any]) -> bool | None:
    """Whether the result of a target shows the memory of its base; None where nothing tells.

    base, result: what the archive says of the two.
    """
    name = target.rpartition(".")[0]
    if name not in VIEWS or base is None or result is None:
        return False
    if name == "aten.contiguous":
        return is_contiguous(base)
    if name in SHARED_IF_CONTIGUOUS:
        return True if is_contiguous(base) else None
    if name in SHARED_IF_SAME:
        return base["dtype"] == result["dtype"] and not told.get("copy", {}).get("as_bool")
    return name != "aten.dropout" or not told["train"]["as_bool"]


def is_contiguous(meta: Any) -> bool:
    """Whether a tensor lies without gaps and in order; sizes of 1 may have any stride."""
    wanted: int | None = 1
    for size, stride in zip(reversed(meta["sizes"]), reversed(meta["strides"]), strict=True):
        n = size.get("as_int")
        if n == 1:
            continue
        if wanted is not None and stride.get("as_int") != wanted:
            return False
        wanted = wanted * n if wanted is not None and n is not None else None
    return True


def put_back(target: str, base: Value, part: Value, told: dict[str, Any]) -> Any:
    """`base` with what `target` shows of it replaced by `part`."""
    told = {name: value for name, value in told.items() if name not in ("self", "input")}
    return VIEWS[target.rpartition(".")[0]](base, part, **told)
