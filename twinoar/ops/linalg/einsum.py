"""Sums of products by Einstein's convention."""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from typing import Any

from twinoar.core.dim import is_known
from twinoar.core.op.declare import Desc, Tensor, Value, function, op
from twinoar.core.spec import broadcast
from twinoar.errors import ArgumentError, ShapeError
from twinoar.late import dataclass
from twinoar.ops.index.diagonal import diagonal
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.cast import broadcast_to, promote_operands
from twinoar.ops.reduce.reduction import sum_op
from twinoar.ops.shape.reshape import reshape_op, transpose_op

DOTS = "0123456789"  # what "..." stands for, one a dimension; the last one is the last dimension


@dataclass(frozen=True, slots=True)
class Labeled:
    """A tensor with a label for each dimension, none twice."""

    x: Tensor
    labels: str

    def size(self, label: str) -> Any:
        """The size of the dimension `label`."""
        return self.x.spec.shape[self.labels.index(label)]

    def summed(self, gone: Iterable[str]) -> Labeled:
        """Without the dimensions `gone`, which are summed over."""
        axes = tuple(i for i, label in enumerate(self.labels) if label in gone)
        kept = "".join(label for label in self.labels if label not in gone)
        return Labeled(sum_op(self.x, axes), kept) if axes else self

    def ordered(self, labels: str) -> Tensor:
        """The tensor with its dimensions in the order of `labels`."""
        if labels == self.labels:
            return self.x
        return transpose_op(self.x, tuple(map(self.labels.index, labels)))


@function(named=False)
def einsum(equation: str, *operands: Tensor) -> Tensor:
    """The sum of the products of the operands' elements, by Einstein's convention.

    equation: a letter for each dimension of each operand, with commas between operands, then
    `->` and the letters of the result; "..." stands for leading dimensions that broadcast. Letters
    that the result lacks are summed over. Without `->` the result has the letters that occur once,
    in alphabetical order. Pairs are multiplied from left to right, as products of matrices. Returns
    the sizes of the result's letters. Raises ArgumentError, ShapeError.

    >>> x, y = twinoar.to_tensor([[1.0, 2.0]]), twinoar.to_tensor([[3.0], [4.0]])
    >>> twinoar.einsum("ij,jk->ik", x, y).tolist()
    [[11.0]]
    """
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    return _summed(equation, operands)


@op(
    name="einsum",
    amp="low",
    desc=Desc(
        "einsum",
        {"Operands": "x"},
        attrs={"equation": "equation"},
        extra_outputs=("InnerCache", "XShape"),
    ),
)
def einsum_op(x: Sequence[Tensor], equation: str) -> Tensor:
    """The operator of files that Paddle writes, which hold `einsum` whole. See `einsum`."""
    return _summed(equation, tuple(x))


@einsum_op.samples
def _(s):
    yield s([s.randn(2, 3), s.randn(3, 4)], "ij,jk->ik")
    yield s([s.randn(2, 3, 3)], "bii->b")
    yield s([s.randn(2, 1, 3), s.randn(4, 3), s.randn(2)], "b...i,ji,b->b...j")
    yield s([s.randn(2), s.randn(3)], "i,j")
    yield s.bad(ArgumentError, "has 2 operands, received 1", [s.randn(2)], "i,j->i")


def _summed(equation: str, operands: tuple[Tensor, ...]) -> Tensor:
    inputs, output = _read(equation, operands)
    terms = [
        _on_diagonal(x, labels)
        for x, labels in zip(promote_operands(operands), inputs, strict=True)
    ]
    _check_sizes(equation, terms)
    found = terms[0]
    for n, term in enumerate(terms[1:], 2):
        later = "".join(t.labels for t in terms[n:])
        found = _product(found, term, output + later)
    return found.summed(set(found.labels) - set(output)).ordered(output)


def _read(equation: str, operands: Sequence[Tensor]) -> tuple[list[str], str]:
    """The labels of each operand and of the result."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(operands):
        raise ArgumentError(
            f"the equation {equation!r} has {len(terms)} operands, received {len(operands)}",
            cure="separate the letters of operands with commas",
        )
    inputs = [_labels(term, x.ndim, equation) for term, x in zip(terms, operands, strict=True)]
    every = "".join(inputs)
    dots = max((_dots(x) for x in inputs), key=len)
    if not arrow:
        once = sorted(x for x in set(every) if x in string.ascii_letters and every.count(x) == 1)
        return inputs, dots + "".join(once)
    output = right.replace("...", dots)
    wrong = [x for x in output if x not in every or output.count(x) > 1]
    if wrong:
        raise ArgumentError(
            f"the result of {equation!r} has {wrong[0]!r}, which must be in an operand, and once",
            cure="name each dimension of the result once",
        )
    return inputs, output


def _labels(term: str, ndim: int, equation: str) -> str:
    """One label for each dimension; those of "..." are digits, counted from the last one."""
    letters = term.replace("...", "", 1)
    count = ndim - len(letters) if "..." in term else 0
    if not all(x in string.ascii_letters for x in letters) or count < 0 or count > len(DOTS):
        raise ArgumentError(f"{term!r} in the equation {equation!r} has not one letter a dimension")
    if len(letters) + count != ndim:
        raise ShapeError(
            f"{term!r} in the equation {equation!r} meets an operand of {ndim} dimensions",
            cure="give one letter for each dimension",
        )
    return term.replace("...", DOTS[len(DOTS) - count :])


def _dots(labels: str) -> str:
    return "".join(x for x in labels if x in DOTS)


def _on_diagonal(x: Tensor, labels: str) -> Labeled:
    """x with repeated labels brought together: the diagonal of their dimensions."""
    for label in labels:
        while labels.count(label) > 1:
            first, second = labels.index(label), labels.rindex(label)
            if is_known(x.spec.shape[first], x.spec.shape[second]):
                broadcast(x.spec.shape[first : first + 1], x.spec.shape[second : second + 1])
            x = diagonal(x, 0, first, second)
            labels = labels[:first] + labels[first + 1 : second] + labels[second + 1 :] + label
    return Labeled(x, labels)


def _check_sizes(equation: str, terms: Sequence[Labeled]) -> None:
    known: dict[str, Any] = {}
    for term in terms:
        for label in term.labels:
            size = term.size(label)
            other = known.setdefault(label, size)
            if is_known(size, other) and size != other and 1 not in (size, other):
                raise ShapeError(f"in {equation!r} {label!r} is both {other} and {size}")
            known[label] = other if size == 1 else size


def _product(a: Labeled, b: Labeled, wanted: str) -> Labeled:
    """The product of two, summed over what nobody wants later."""
    a = a.summed(set(a.labels) - set(b.labels) - set(wanted))
    b = b.summed(set(b.labels) - set(a.labels) - set(wanted))
    shared = [x for x in a.labels if x in b.labels]
    a, b = _in_equal_sizes(a, b, shared)
    batch = "".join(x for x in shared if x in wanted)
    inner = "".join(x for x in shared if x not in wanted)
    rows = "".join(x for x in a.labels if x not in shared)
    columns = "".join(x for x in b.labels if x not in shared)
    out = matmul(_grouped(a, (batch, rows, inner)), _grouped(b, (batch, inner, columns)))
    shape = [*map(a.size, batch + rows), *map(b.size, columns)]
    return Labeled(reshape_op(out, tuple(shape)), batch + rows + columns)


def _in_equal_sizes(a: Labeled, b: Labeled, shared: Sequence[str]) -> tuple[Labeled, Labeled]:
    sizes = {x: broadcast((a.size(x),), (b.size(x),))[0] for x in shared}
    return _expanded(a, sizes), _expanded(b, sizes)


def _expanded(a: Labeled, sizes: dict[str, Any]) -> Labeled:
    shape = tuple(sizes.get(x, size) for x, size in zip(a.labels, a.x.spec.shape, strict=True))
    return a if shape == a.x.spec.shape else Labeled(broadcast_to(a.x, shape), a.labels)


def _grouped(a: Labeled, groups: Sequence[str]) -> Tensor:
    """The dimensions of each group as one; those of the first stay apart."""
    batch, *others = groups
    x = a.ordered("".join(groups))
    sizes = [_total(a, group) for group in others]
    shape = (*map(a.size, batch), *sizes)
    return x if shape == x.spec.shape else reshape_op(x, shape)


def _total(a: Labeled, group: str) -> Any:
    total: Any = 1
    for label in group:
        total = total * a.size(label)
    return total


@function
def tensordot(x: Tensor, y: Tensor, axes: Any = 2) -> Tensor:
    """The sum of the products of x and y over pairs of dimensions.

    x, y: [*]. axes: a number n, the last n of x with the first n of y; or a list for x and one for
    y; one list serves both. Sizes must be equal, or 1. Returns the other dimensions of x, then
    those of y. Raises ShapeError, ArgumentError.

    >>> x = twinoar.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> twinoar.tensordot(x, x, axes=2).item()
    30.0
    """
    of_x, of_y = _paired_axes(x, y, axes)
    if max(x.ndim, y.ndim) > len(string.ascii_lowercase):
        raise ShapeError(f"at most 26 dimensions can be named, received {x.spec} and {y.spec}")
    x_labels = string.ascii_lowercase[: x.ndim]
    names = dict(zip(of_y, (x_labels[i] for i in of_x), strict=True))
    y_labels = "".join(names.get(i, string.ascii_uppercase[i]) for i in range(y.ndim))
    rest = "".join(n for n in x_labels + y_labels if n not in names.values())
    return einsum(f"{x_labels},{y_labels}->{rest}", x, y)


def _paired_axes(x: Tensor, y: Tensor, axes: Any) -> tuple[list[int], list[int]]:
    if isinstance(axes, Value):
        axes = axes.tolist()
    if isinstance(axes, int):
        if not 0 <= axes <= min(x.ndim, y.ndim):
            raise ArgumentError(
                f"axes must be in [0, {min(x.ndim, y.ndim)}] for {x.spec} and {y.spec}, "
                f"received {axes}",
                cure="it is how many dimensions of both are summed over",
            )
        return list(range(x.ndim - axes, x.ndim)), list(range(axes))
    of_x, of_y = (axes, axes) if not _is_nested(axes) else (axes[0], axes[-1])
    of_x, of_y = (list(a) if isinstance(a, (list, tuple)) else [a] for a in (of_x, of_y))
    longer = max(of_x, of_y, key=len)
    of_x, of_y = (a + longer[len(a) :] for a in (of_x, of_y))
    return [a % x.ndim for a in of_x], [a % y.ndim for a in of_y]


def _is_nested(axes: Sequence[Any]) -> bool:
    return any(isinstance(a, (list, tuple)) for a in axes)


@function
def multi_dot(x: Sequence[Tensor]) -> Tensor:
    """The product of matrices, in the order of multiplications that takes the fewest steps.

    x: two or more matrices; the first and the last may be vectors. Returns [M,N], without M or N
    where an end is a vector. Raises ArgumentError, ShapeError. Source: Cormen et al.,
    "Introduction to Algorithms", 15.2.

    >>> x = twinoar.to_tensor([[1.0, 2.0]])
    >>> twinoar.linalg.multi_dot([x, x.T, x]).tolist()
    [[5.0, 10.0]]
    """
    if len(x) < 2:
        raise ArgumentError(f"multi_dot wants two or more matrices, received {len(x)}")
    first = 1 if x[0].ndim == 1 else x[0].spec.shape[0]
    last = 1 if x[-1].ndim == 1 else x[-1].spec.shape[1]
    widths = [first, *(m.spec.shape[-1] for m in x[:-1]), last]
    if not is_known(*widths):
        return _chained(list(x))
    cuts = _best_cuts(widths)

    def product(i: int, j: int) -> Tensor:
        return x[i] if i == j else matmul(product(i, cuts[i, j]), product(cuts[i, j] + 1, j))

    return product(0, len(x) - 1)


def _chained(x: list[Tensor]) -> Tensor:
    out = x[0]
    for matrix in x[1:]:
        out = matmul(out, matrix)
    return out


def _best_cuts(widths: Sequence[Any]) -> dict[tuple[int, int], int]:
    """Where the product of matrices i to j is best cut in two."""
    count = len(widths) - 1
    cost = {(i, i): 0 for i in range(count)}
    cuts: dict[tuple[int, int], int] = {}
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            ends = widths[i] * widths[j + 1]
            costs = {k: cost[i, k] + cost[k + 1, j] + ends * widths[k + 1] for k in range(i, j)}
            cuts[i, j] = min(costs, key=lambda k: costs[k])
            cost[i, j] = costs[cuts[i, j]]
    return cuts
