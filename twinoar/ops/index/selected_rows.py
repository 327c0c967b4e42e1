"""SelectedRows: a gradient of a table as the rows that are not zero, in any interpreter.

It is two ordinary values, and no value of a Program itself: which rows, and a vector for each. What
makes, adds, clips and takes such gradients works on these with operators, so that they are in eager
mode, in Programs and in compiled steps what operators are there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.dtype import DType
from twinoar.core.op.declare import Spec, Tensor, Value
from twinoar.errors import UnsupportedError
from twinoar.ops.index.rows import merge_rows, put_rows
from twinoar.ops.math.arithmetic import add
from twinoar.ops.math.cast import astype
from twinoar.ops.math.fill import zeros_of
from twinoar.ops.shape.concat import concat_op

CURE = "take g.to_dense(), or change g.vectors, and g.rows() tells which rows these are of"
# What SelectedRows are made as where their vectors are of a kind of values; filled by `wiring`.
KINDS: list[tuple[type, type[SelectedRows]]] = []


class SelectedRows(Value):
    """A gradient of [height,width] that is zero but for some rows.

    positions: [n], int64: which rows; they may repeat, then their vectors are added up, and one
    below 0 is none. vectors: [n,width]. Made by an embedding with sparse=True. It can be added,
    multiplied by a number, merged and cast; for all else see `to_dense`.
    """

    stop_gradient = True

    def __init__(self, positions: Any, vectors: Any, height: Any):
        self.positions, self.vectors, self._height = positions, vectors, height

    @property
    def spec(self) -> Spec:
        """That of the whole gradient."""
        return Spec((self._height, *self.vectors.spec.shape[1:]), self.vectors.dtype)

    @property
    def name(self) -> str:
        """The name of the vectors."""
        found: str = self.vectors.name
        return found

    def rename(self, name: str) -> None:
        """Take `name`."""
        self.vectors.rename(name)
        self.positions.rename(f"{name}@ROWS")

    @property
    def home(self) -> Any:
        """The Block of a Program that it belongs to; None in eager mode."""
        return getattr(self.vectors, "home", None)

    @property
    def producer(self) -> Any:
        """What made the vectors."""
        return self.vectors.producer

    def latest(self) -> SelectedRows:
        """It with what was done to its parts in place."""
        return selected_rows(self.positions.latest(), self.vectors.latest(), self._height)

    def height(self) -> int:
        """Rows of the table."""
        found: int = self._height
        return found

    def is_selected_rows(self) -> bool:
        """True."""
        return True

    def is_dense(self) -> bool:
        """False."""
        return False

    def get_selected_rows(self) -> SelectedRows:
        """It: what has `rows()`, `height()` and `get_tensor()`."""
        return self

    def get_tensor(self) -> Any:
        """The vectors."""
        return self.vectors

    def to_dense(self) -> Any:
        """The whole gradient, [height,width]."""
        rows, sums = merge_rows(self.positions, self.vectors, self._height)
        return put_rows(zeros_of(self.spec), rows, sums)

    def merge(self) -> SelectedRows:
        """Rows in order, each once, with the sum of its vectors in the order they stand in."""
        rows, sums = merge_rows(self.positions, self.vectors, self._height)
        return selected_rows(rows, sums, self._height).compact()

    def compact(self) -> SelectedRows:
        """It without the places that are of no row, where their number is known."""
        return self

    def map(self, function: Callable[[Any], Any]) -> SelectedRows:
        """The same rows of what `function` makes of the vectors; 0 must stay 0."""
        return selected_rows(self.positions, function(self.vectors), self._height)

    def astype(self, dtype: DType | str) -> SelectedRows:
        """The vectors in another dtype."""
        return self.map(lambda v: astype(v, dtype))

    cast = astype

    def detach(self) -> SelectedRows:
        """It: gradients have no graph."""
        return self

    clone = detach

    def __mul__(self, other: Any) -> SelectedRows:
        return self.map(lambda v: v * _number(other))

    def __rmul__(self, other: Any) -> SelectedRows:
        return self * other

    scale = multiply = __mul__

    def __truediv__(self, other: Any) -> SelectedRows:
        return self.map(lambda v: v / _number(other))

    def __neg__(self) -> SelectedRows:
        return self * -1.0

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Value) or other.spec.shape != self.spec.shape:
            raise UnsupportedError(
                f"a row-sparse gradient of {self.spec} is added to gradients like it, "
                f"received {other.spec if isinstance(other, Value) else other!r}",
                cure=CURE,
            )
        return add_gradients(self, other)

    def __radd__(self, other: Any) -> Any:
        return self + other

    add = __add__

    def __repr__(self) -> str:
        return f"SelectedRows(rows={self.positions}, vectors={self.vectors}, height={self._height})"


def _number(x: Any) -> Any:
    """A number, or a value of one element: what does not make a zero anything else."""
    if isinstance(x, Value):
        if x.spec.size != 1 or isinstance(x, SelectedRows):
            raise UnsupportedError(
                f"a row-sparse gradient is multiplied by numbers, received {x.spec}", cure=CURE
            )
        return x.reshape([])
    return x


def selected_rows(positions: Any, vectors: Any, height: Any) -> SelectedRows:
    """SelectedRows as they are where such values live."""
    for kind, made in KINDS:
        if isinstance(vectors, kind):
            return made(positions, vectors, height)
    return SelectedRows(positions, vectors, height)


def add_gradients(a: Tensor, b: Tensor) -> Any:
    """The sum of two gradients, of which each may be SelectedRows; merged SelectedRows if both."""
    if not isinstance(a, SelectedRows) or not isinstance(b, SelectedRows):
        return add.function(dense(a), dense(b))
    positions = concat_op.function([a.positions, b.positions], 0)
    vectors = concat_op.function([a.vectors, b.vectors], 0)
    return selected_rows(positions, vectors, a.height()).merge()


def dense(g: Any) -> Any:
    """A gradient with all its rows; None stays None."""
    return g.to_dense() if isinstance(g, SelectedRows) else g


def merged(g: Any) -> Any:
    """A gradient of which each row stands once."""
    return g.merge() if isinstance(g, SelectedRows) else g


def elements(g: Any) -> Any:
    """The elements of a gradient that may be other than zero, as one value."""
    return g.vectors if isinstance(g, SelectedRows) else g


def with_elements(g: Any, made: Any) -> Any:
    """What `made`, of the elements of a gradient, is a gradient of."""
    return g.map(lambda _: made) if isinstance(g, SelectedRows) else made
