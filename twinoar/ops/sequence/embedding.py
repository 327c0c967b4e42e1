"""Numbers as vectors: one_hot and embedding."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import float32, int64
from twinoar.core.interpreter import current, recording, using
from twinoar.core.op.declare import Desc, Spec, Tensor, function, loop, primitive
from twinoar.errors import ArgumentError, AxisError, DTypeError, ShapeError
from twinoar.ops._sizes import is_dynamic, size
from twinoar.ops.index._position import add_at, check_index
from twinoar.ops.index._scatter import sums
from twinoar.ops.index.selected_rows import SelectedRows, selected_rows
from twinoar.ops.linalg.p_norm import p_norm
from twinoar.ops.math.arithmetic import add
from twinoar.ops.math.cast import cast
from twinoar.ops.math.compare import equal, greater_than
from twinoar.ops.math.fill import fill
from twinoar.ops.math.logical import logical_and
from twinoar.ops.math.select import select
from twinoar.ops.shape.reshape import reshape, unsqueeze_op


def _check_ids(ids: np.ndarray, size: int, what: str) -> None:
    if ids.dtype.kind not in "iu":
        raise DTypeError(
            f"x must hold integers, received {ids.dtype.name}", cure="convert it: x.astype('int64')"
        )
    wrong = ids[(ids < 0) | (ids >= size)]
    if wrong.size:
        raise AxisError(
            f"x holds {wrong.flat[0]}, which is not below the {size} {what}, or negative",
            cure=f"check the data, or make room: x must be in [0, {size})",
        )


def _one_hot_spec(x: Spec, num_classes: int) -> Spec:
    check_index(x, "x")
    return Spec((*x.shape, num_classes), float32)


@primitive(
    name="one_hot",
    infer=_one_hot_spec,
    desc=Desc(
        "one_hot_v2",
        {"X": "x"},
        attrs={"depth": "num_classes"},
        write=lambda attrs, specs: {"dtype": float32, "allow_out_of_range": False},
        read=lambda slots, attrs: one_hot(
            slots["X"][0], (slots.get("depth_tensor") or [attrs["depth"]])[0]
        ),
    ),
)
def one_hot_op(x: Tensor, num_classes: int) -> Tensor:
    """Unit vectors of `num_classes` elements, 1 at each number. See `one_hot`."""


@one_hot_op.kernel
def _(x, num_classes):
    _check_ids(x, num_classes, "classes")
    out = np.zeros((x.size, num_classes), np.float32)
    out[np.arange(x.size), x.reshape(-1)] = 1
    return out.reshape(*x.shape, num_classes)


@one_hot_op.lower
def _(i, x, num_classes):
    *at, place = i
    chosen = loop.bounded(loop.cast(x[tuple(at)], int64), num_classes, "x")
    return loop.select(loop.eq(place, chosen), 1.0, 0.0)


@one_hot_op.samples
def _(s):
    yield s(np.array([1, 0, 2]), 3)
    yield s(s.ints(0, 4, 2, 2, dtype="int32"), 4)
    yield s(np.array(1), 2)
    yield s(s.ints(0, 1, 0), 2)
    yield s.bad(AxisError, "x holds 3", np.array([1, 3]), 3, static_error=False)
    yield s.bad(DTypeError, "must hold integers", s.randn(2), 3)


@function
def one_hot(x: Tensor, num_classes: Any = -1) -> Tensor:
    """Unit vectors: 1 at the position that each element of x names, 0 elsewhere.

    x: [*], integers in [0, num_classes). num_classes: -1 takes the largest element and one more, in
    eager mode. Returns [*, num_classes], float32. Raises AxisError for an element out of range,
    DTypeError.

    >>> twinoar.nn.functional.one_hot(twinoar.to_tensor([1, 0]), 3).tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    """
    count = size(num_classes, "num_classes")
    if isinstance(count, int) and count == -1:
        if is_dynamic(x):
            raise ArgumentError(
                "num_classes is not known before the program runs", cure="give it as a number"
            )
        count = int(np.asarray(x).max(initial=-1)) + 1
    return one_hot_op.function(x, count)


def _embedded(x: Spec, weight: Spec, padding_idx: int | None, sparse: bool) -> Spec:
    check_index(x, "x")
    if weight.ndim != 2:
        raise ShapeError(f"weight must be [rows, width], received {weight}")
    return Spec((*x.shape, weight.shape[1]), weight.dtype)


def _gradient(
    g: Tensor, x: Tensor, specs: Any, padding_idx: int | None, sparse: bool
) -> tuple[None, Any]:
    if sparse:
        return None, _vectors_as_they_are(g, x, specs[1], padding_idx)
    return None, embedding_sum(g, x, specs[1].shape[0], padding_idx)


def _vectors_as_they_are(
    g: Tensor, x: Tensor, weight: Spec, padding_idx: int | None
) -> SelectedRows:
    """The gradient as the rows that x names. That of the row padding_idx is zeros."""
    rows = x if x.spec.ndim == 1 else reshape(x, [-1])
    vectors = reshape(g, [-1, weight.shape[1]])
    if padding_idx is not None:
        vectors = select(unsqueeze_op(equal(rows, padding_idx), (1,)), 0.0, vectors)
    return selected_rows(cast(rows, int64), vectors, weight.shape[0])


@primitive(
    name="embedding",
    infer=_embedded,
    grad=_gradient,
    grad_of_rows=lambda padding_idx, sparse: sparse,
    desc=Desc(
        "lookup_table_v2",
        {"Ids": "x", "W": "weight"},
        write=lambda attrs, specs: {
            "padding_idx": ("LONG", -1 if attrs["padding_idx"] is None else attrs["padding_idx"]),
            "is_sparse": attrs["sparse"],
        },
        read=lambda slots, attrs: embedding_op(
            slots["Ids"][0],
            slots["W"][0],
            None if attrs.get("padding_idx", -1) == -1 else attrs["padding_idx"],
            bool(attrs.get("is_sparse", False)),
        ),
    ),
    amp="full",
    moves=True,
)
def embedding_op(
    x: Tensor, weight: Tensor, padding_idx: int | None = None, sparse: bool = False
) -> Tensor:
    """Rows of `weight` by number; padding_idx counts from 0 here. See `embedding`."""


@embedding_op.kernel
def _(x, weight, padding_idx, sparse):
    if weight.ndim != 2:
        raise ShapeError(f"weight must have 2 dimensions, received {weight.ndim}")
    _check_ids(x, len(weight), "rows of weight")
    out = weight.take(x, 0)
    if padding_idx is not None:
        out[x == padding_idx] = 0
    return out


@embedding_op.lower
def _(i, x, weight, padding_idx):
    *at, place = i
    row = loop.bounded(loop.cast(x[tuple(at)], int64), weight.shape[0], "x")
    if padding_idx is None:
        return weight[row, place]
    return loop.select(loop.eq(row, padding_idx), 0, weight[row, place])


@embedding_op.samples
def _(s):
    yield s(np.array([[0, 2, 2], [3, 1, 0]]), s.randn(4, 3))
    yield s(np.array([0, 3, 1], np.int32), s.randn(4, 2), 3)
    yield s(np.array(1), s.randn(4, 2))
    yield s(s.ints(0, 1, 0), s.randn(4, 2))
    yield s.bad(AxisError, "x holds 4", np.array([4]), s.randn(4, 2), static_error=False)
    yield s.bad(AxisError, "x holds -1", np.array([-1]), s.randn(4, 2), static_error=False)
    yield s.bad(ShapeError, "weight must", np.array([1]), s.randn(4))
    yield s.bad(DTypeError, "must hold integers", s.randn(2), s.randn(4, 2))


@primitive(
    slow_kernel=True,
    infer=lambda values, x, rows, padding_idx: Spec((rows, values.shape[-1]), values.dtype),
    grad=lambda g, x, padding_idx: (embedding_op(x, g, padding_idx), None),
)
def embedding_sum(values: Tensor, x: Tensor, rows: int, padding_idx: int | None = None) -> Tensor:
    """Vectors added up by number into `rows` rows: the transpose of `embedding`.

    The row padding_idx stays zero.
    """


@embedding_sum.kernel
def _(values, x, rows, padding_idx):
    out = np.zeros((rows, values.shape[-1]), values.dtype)
    add_at(out, (x,), values)
    if padding_idx is not None:
        out[padding_idx] = 0
    return out


@embedding_sum.procedure
def _(p, values, x, rows, padding_idx):
    out = p.results[0].reshape(1, rows, values.shape[-1])
    places, given = x.reshape(1, -1, 1), values.reshape(1, x.size, values.shape[-1])
    sums(p, 0, out, places, given, reads="from the start", left_out=padding_idx)


@embedding_sum.samples
def _(s):
    yield s(s.randn(2, 3, 2), np.array([[0, 2, 2], [3, 1, 0]]), 4)
    yield s(s.randn(3, 2), np.array([0, 3, 0]), 4, 3)


@function
def embedding(
    x: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    sparse: bool = False,
    scale_grad_by_freq: bool = False,
) -> Tensor:
    """The rows of `weight` that the elements of x name.

    x: [*], integers in [0, rows). weight: [rows, width]. padding_idx: a row, counted from the end
    where negative, that gives zeros and gets no gradient. max_norm: rows that x names and whose
    norm, of norm_type, is greater are cut to it, in weight itself. scale_grad_by_freq: the gradient
    of a row is divided by how often x names it. sparse: the gradient of a weight that is a leaf is
    SelectedRows, of the rows that x names alone; optimizers that can (SGD, Adagrad, Adam with
    lazy_mode) change these rows alone, and what a step costs does not depend on the table.
    Returns [*, width]. Raises AxisError for an element out of range, ShapeError, DTypeError.

    >>> weight = twinoar.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> twinoar.nn.functional.embedding(twinoar.to_tensor([1, 0, 1]), weight).tolist()
    [[3.0, 4.0], [1.0, 2.0], [3.0, 4.0]]
    """
    if padding_idx is not None:
        rows: Any = weight.spec.shape[0]
        if isinstance(rows, int) and not -rows <= padding_idx < rows:
            raise AxisError(
                f"padding_idx must be in [{-rows}, {rows - 1}], received {padding_idx}",
                cure="give the number of a row, or None",
            )
        if padding_idx < 0:
            padding_idx = rows + padding_idx
    if max_norm is not None:
        with using(recording(False)):
            current().rebind(weight, _cut_rows(x, weight, max_norm, norm_type))
    if not scale_grad_by_freq:
        return embedding_op.function(x, weight, padding_idx, sparse)
    out = embedding_op(x, weight, padding_idx, sparse)
    held = out.detach()
    return add(held, (out - held) / embedding_op(x, _counts(x, weight)))


def _counts(x: Tensor, weight: Tensor) -> Tensor:
    """How often x names each row of weight, [rows,1]."""
    ones = fill((*x.spec.shape, 1), 1.0, weight.dtype)
    return embedding_sum(ones, x, weight.spec.shape[0])


def _cut_rows(x: Tensor, weight: Tensor, max_norm: float, norm_type: float) -> Tensor:
    """weight with rows that x names scaled to at most max_norm."""
    norms = p_norm(weight, float(norm_type), 1, keepdim=True)
    is_long = logical_and(greater_than(_counts(x, weight), 0.0), greater_than(norms, max_norm))
    return weight * select(is_long, max_norm / norms, 1.0)
