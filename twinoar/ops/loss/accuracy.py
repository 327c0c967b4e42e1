"""Accuracy: the share of examples whose label is among the best guesses."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dim import is_known
from twinoar.core.dtype import float32, int32, int64
from twinoar.core.interpreter import current
from twinoar.core.op.declare import Desc, Spec, Tensor, loop, primitive
from twinoar.core.op.explain import told
from twinoar.errors import ShapeError
from twinoar.ops.index.sort import topk


@told
def accuracy(
    input: Tensor,
    label: Tensor,
    k: int = 1,
    correct: Tensor | None = None,
    total: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """The share of examples whose label is among their k highest scores.

    input: scores, [N,C]. label: class numbers, [N,1]. correct, total: tensors that take the number
    of examples that are right, and of all. Returns [], float32. Raises ShapeError, ArgumentError.

    >>> scores = twinoar.to_tensor([[0.1, 0.9], [0.8, 0.2]])
    >>> twinoar.metric.accuracy(scores, twinoar.to_tensor([[1], [1]])).item()
    0.5
    """
    values, indices = topk(input, k)
    out, right, count = accuracy_op(values, indices, label)
    for given, found in ((correct, right), (total, count)):
        if given is not None:
            current().rebind(given, found)
    if name is not None:
        out.rename(name)
    return out


@primitive(
    name="accuracy",
    grad=lambda: (None, None, None),
    desc=Desc(
        "accuracy",
        {"Out": "values", "Indices": "indices", "Label": "label"},
        outputs=("Accuracy", "Correct", "Total"),
    ),
)
def accuracy_op(values: Tensor, indices: Tensor, label: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The share and the number of rows of guesses that hold their label, and the number of rows.

    values: the guesses' scores, [N,k], not looked at. indices: the guesses, [N,k]. label: [N,1].
    Returns [] float32, [] int32, [] int32.
    """


@accuracy_op.infer
def _(values, indices, label):
    _check(indices.shape, label.shape)
    return Spec((), float32), Spec((), int32), Spec((), int32)


@accuracy_op.kernel
def _(values, indices, label):
    _check(indices.shape, label.shape)
    right = np.count_nonzero((indices == label).any(axis=1))
    count = len(indices)
    share = np.float32(right / count if count else 0.0)
    return np.asarray(share), np.asarray(right, np.int32), np.asarray(count, np.int32)


@accuracy_op.lower
def _(i, indices, label, nth):
    count, guesses = indices.shape
    if nth == 2:
        return count

    def is_right(row):
        wanted = loop.cast(label[row, 0], int64)
        return loop.any_((guesses,), lambda k: loop.eq(loop.cast(indices[row, k], int64), wanted))

    right = loop.sum((count,), lambda row: loop.cast(is_right(row), int32))
    return right if nth == 1 else loop.cast(right, float32) / max(count, 1)


@accuracy_op.samples
def _(s):
    values, indices = s.randn(4, 2), np.array([[0, 1], [1, 2], [2, 0], [0, 2]])
    yield s(values, indices, np.array([[1], [1], [1], [0]]), gradient=False)
    yield s(s.zeros(0, 2), s.ints(0, 1, 0, 2), s.ints(0, 1, 0, 1), gradient=False)
    yield s.bad(ShapeError, "label must be [4, 1]", values, indices, s.ints(0, 3, 4))


def _check(indices: tuple[Any, ...], label: tuple[Any, ...]) -> None:
    if len(indices) != 2:
        raise ShapeError(
            f"guesses must be [N,k], received shape {list(indices)}",
            cure="give scores of shape [N, classes]",
        )
    fits = len(label) == 2 and label[1] == 1
    if not fits or (is_known(indices[0], label[0]) and indices[0] != label[0]):
        raise ShapeError(
            f"label must be [{indices[0]}, 1], received shape {list(label)}",
            cure="add the axis with unsqueeze(label, 1)",
        )
