"""Shape and dtype of a value: all that is known of it without running anything."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from twinoar.core.dim import Dim, SymbolicDim, differ, is_known, max_dim, parse_dim
from twinoar.core.dtype import BY_SHORT, DType, dtype_of, float32
from twinoar.core.varying import is_one, same_shape
from twinoar.errors import AxisError, ProgramError, ShapeError, TwinoarError, TypeMismatchError

Shape = tuple[Dim, ...]


@dataclass(slots=True, unsafe_hash=True)
class Spec:
    """Shape and dtype; prints as `f32[N,784]`. Never changed once made.

    >>> Spec.parse("f32[N,784]").shape
    (N, 784)
    """

    shape: Shape
    dtype: DType = float32

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> Dim:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def is_static(self) -> bool:
        """True if each dimension is a number."""
        return is_known(*self.shape)

    def __str__(self) -> str:
        return f"{self.dtype.short}[{','.join(map(str, self.shape))}]"

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Inverse of `str(spec)`."""
        short, bracket, dims = text.strip().partition("[")
        try:
            read = ast.parse(bracket + dims, mode="eval").body
            shape = tuple(map(parse_dim, read.elts)) if isinstance(read, ast.List) else None
        except (SyntaxError, ValueError, RecursionError, MemoryError, TwinoarError):
            shape = None
        if short in BY_SHORT and shape is not None:
            return cls(shape, dtype_of(BY_SHORT[short]))
        raise ProgramError(
            f"expected a spec such as f32[N,3], received {text[:80]!r}",
            cure="dtypes are written f32, i64, b8 and so on",
        )


def split_top_level(text: str, separator: str = ",") -> list[str]:
    """The parts of `text` between separators that stand outside all brackets and quotes."""
    parts, depth, start, quote = [], 0, 0, ""
    for position, c in enumerate(text):
        if quote:
            quote = "" if c == quote and text[position - 1] != "\\" else quote
        elif c in "'\"":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == separator and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return [p.strip() for p in parts if p.strip()]


def spec_of(value: Any) -> Spec | None:
    """The spec of a Tensor or Variable; None for a Python number or None."""
    return getattr(value, "spec", None)


def broadcast(*shapes: Shape) -> Shape:
    """The shape that all `shapes` broadcast to, by NumPy's rule.

    An unknown size against a number other than 1 becomes that number; against another unknown size
    it becomes the maximum of both. Raises ShapeError.

    >>> broadcast((3, 1), (4,))
    (3, 4)
    """
    result: Shape = ()
    for shape in shapes:
        result = shape if not result else _broadcast_pair(result, shape)
    return result


def _broadcast_pair(a: Shape, b: Shape) -> Shape:
    if same_shape(a, b):
        return a
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    shorter = (1,) * (len(longer) - len(shorter)) + shorter
    return tuple(_broadcast_dim(m, n, a, b) for m, n in zip(longer, shorter, strict=True))


def _broadcast_dim(m: Dim, n: Dim, a: Shape, b: Shape) -> Dim:
    if isinstance(m, int) and isinstance(n, int):
        if not (is_one(m) or is_one(n) or m == n):
            raise ShapeError(
                f"shapes {list(a)} and {list(b)} do not broadcast: sizes {m} and {n} meet",
                cure="make the sizes equal, or one of them 1",
            )
        return n if is_one(m) else m
    if isinstance(m, SymbolicDim) and isinstance(n, SymbolicDim):
        return max_dim(m, n)
    known, unknown = (m, n) if isinstance(m, int) else (n, m)
    return unknown if known == 1 else known


def may_equal(a: Shape, b: Shape) -> bool:
    """True if two shapes may be equal once all sizes are known."""
    return len(a) == len(b) and not any(map(differ, a, b))


def may_expand(shape: Shape, target: Shape) -> bool:
    """True if `shape` may broadcast to `target` once all sizes are known."""
    pairs = zip(reversed(shape), reversed(target), strict=False)
    return len(shape) <= len(target) and not any(differ(m, n) and differ(m, 1) for m, n in pairs)


def normalize_axis(axis: int, ndim: int, name: str = "axis") -> int:
    """`axis` counted from 0. Raises AxisError outside [-ndim, ndim).

    >>> normalize_axis(-1, 3)
    2
    """
    try:
        fits = -ndim <= axis < ndim
    except (TypeError, ValueError):
        raise TypeMismatchError(
            f"{name} must be an integer, received {axis!r}", cure="give a number such as -1"
        ) from None
    if not fits:
        bounds = f"in [{-ndim}, {ndim - 1}]" if ndim else "absent: the operand has no dimensions"
        cure = f"the operand has {ndim} dimensions, counted from 0, or backward from -1"
        raise AxisError(f"{name} must be {bounds}, received {axis}", cure=cure)
    return axis % ndim


def normalize_axes(
    axes: int | Iterable[int] | None, ndim: int, name: str = "axis"
) -> tuple[int, ...]:
    """Sorted axes counted from 0; all for None or (). Raises AxisError, also for repeated axes."""
    if axes is None or axes == () or axes == []:
        return tuple(range(ndim))
    given = (axes,) if isinstance(axes, int) else tuple(axes)
    found = tuple(sorted(normalize_axis(a, ndim, name) for a in given))
    if len(set(found)) != len(found):
        raise AxisError(
            f"{name} names a dimension twice: {list(given)}",
            cure=f"name it once: {list(set(found))}",
        )
    return found
