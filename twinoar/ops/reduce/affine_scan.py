"""Linear recurrences along an axis: what gradients of associative scans are made of."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from twinoar.core.dtype import BY_NUMPY
from twinoar.core.loop.expression import const
from twinoar.core.loop.language import compute_dtype
from twinoar.core.op.declare import Spec, Tensor, normalize_axis, primitive
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, ShapeError
from twinoar.late import dataclass
from twinoar.ops.reduce._associative import associative_scan, scan_of_arrays
from twinoar.ops.shape.slice import END, set_slice, slice_op, unslice

Pattern = tuple[bool, ...]


@dataclass(frozen=True)
class Part:
    """All elements along an axis but the last, or but the first."""

    axis: int
    start: int
    end: int

    def __call__(self, x: Any) -> Any:
        """Those of x."""
        return slice_op(x, (self.axis,), (self.start,), (self.end,))

    def placed(self, part: Any, spec: Spec) -> Any:
        """`part` where they are, and zero."""
        return unslice(part, spec.shape, (self.axis,), (self.start,), (self.end,), (1,), ())

    def replaced(self, x: Any, part: Any) -> Any:
        """x with `part` in their place."""
        return set_slice(x, part, (self.axis,), (self.start,), (self.end,), (1,), ())


def neighbours(axis: int, reverse: bool) -> tuple[Part, Part]:
    """The elements that have one after them in a scan, and those after them."""
    first, last = Part(axis, 1, END), Part(axis, 0, -1)
    return (first, last) if reverse else (last, first)


@primitive(slow_kernel=True, apart="axis")
def affine_scan(
    terms: Sequence[Tensor], present: tuple[bool, ...], axis: int, reverse: bool = False
) -> tuple[Tensor, ...]:
    """y[t][i] = v[t][i] + the sum over j of a[t][i, j] y[t - 1][j], along an axis.

    Of k components the terms are those of the k * k coefficients a, row by row, that are `present`,
    the others being 0, and then v; all [*], of one dtype. The first coefficients of a line, which
    have nothing before them, are not used. reverse: y[t + 1] in the place of y[t - 1]. Returns y,
    k tensors [*].
    """


def _components(terms: Sequence[Any], present: Pattern) -> int:
    """The number of components. Raises ArgumentError."""
    k = len(terms) - sum(present)
    if k < 1 or k * k != len(present):
        raise ArgumentError(
            f"{len(present)} coefficients, of which {sum(present)} are present, do not fit "
            f"{len(terms)} terms"
        )
    return k


@affine_scan.infer
def _(*terms: Spec, present: Pattern, axis: int, reverse: bool) -> Any:
    k = _components(terms, present)
    last = terms[-1]
    normalize_axis(axis, last.ndim)
    for x in terms:
        if not may_equal(x.shape, last.shape) or x.dtype is not last.dtype:
            raise ShapeError(f"all terms must be {last}, received {x}")
    return terms[-k:] if k > 1 else last


class _Affine:
    """How elements of a recurrence follow each other: coefficients, then values.

    present: of what was given. pattern: of what may be other than 0 after any number of elements.
    """

    def __init__(self, present: Pattern, k: int):
        self.k, self.present = k, present
        known = set(_pairs(present, k))
        while more := {(i, m) for i, j in known for n, m in known if j == n} - known:
            known |= more
        self.places = sorted(known)

    def combine(self, left: Sequence[Any], right: Sequence[Any]) -> tuple[Any, ...]:
        """One element after another."""
        count = len(self.places)
        first, second = (dict(zip(self.places, s, strict=False)) for s in (left, right))
        products = [
            _summed(
                [second[i, j] * first[j, m] for j in range(self.k) if self._meet(i, j, m)],
                right[-1],
            )
            for i, m in self.places
        ]
        values = [
            reduce(
                operator.add,
                [second[i, j] * left[count + j] for j in range(self.k) if (i, j) in second],
                right[count + i],
            )
            for i in range(self.k)
        ]
        return (*products, *values)

    def _meet(self, i: int, j: int, m: int) -> bool:
        return (i, j) in self.places and (j, m) in self.places

    def spread(self, terms: Sequence[Any], fill: Any) -> list[Any]:
        """The components of elements, with `fill` where a coefficient is not given."""
        given = dict(zip(_pairs(self.present, self.k), terms, strict=False))
        return [*(given.get(place, fill) for place in self.places), *terms[-self.k :]]


def _pairs(present: Pattern, k: int) -> list[tuple[int, int]]:
    """The places of the coefficients that are present, row by row."""
    return [divmod(n, k) for n, is_there in enumerate(present) if is_there]


def _summed(terms: list[Any], like: Any) -> Any:
    """The sum; zero, like another element, of none."""
    if terms:
        return reduce(operator.add, terms)
    return np.zeros_like(like) if isinstance(like, np.ndarray) else const(0, like.dtype)


@lru_cache(maxsize=256)
def _affine(present: Pattern, k: int) -> _Affine:
    return _Affine(present, k)  # one, so that code is found again


@affine_scan.kernel
def _(*terms, present, axis, reverse):
    k = _components(terms, present)
    if any(x.shape != terms[-1].shape for x in terms):
        raise IndexError
    affine = _affine(present, k)
    dtype = compute_dtype(BY_NUMPY[terms[-1].dtype]).numpy
    wide = [x.astype(dtype, copy=False) for x in terms]
    given = affine.spread(wide, np.zeros_like(wide[-1]))
    found = scan_of_arrays(given, axis, affine.combine, reverse)[-k:]
    out = tuple(y.astype(terms[-1].dtype, copy=False) for y in found)
    return out if k > 1 else out[0]


@affine_scan.procedure
def _(p, terms, present, axis, reverse):
    k = _components(terms, present)
    affine = _affine(present, k)
    xs = affine.spread(terms, None)
    outs = [*[None] * (len(xs) - k), *p.results]
    dtypes = [terms[-1].dtype] * len(xs)
    axis = normalize_axis(axis, terms[-1].ndim)
    associative_scan(p, xs, dtypes, outs, axis, affine.combine, reverse=reverse)


@affine_scan.grad
def _(gs, terms, outs, present, axis, reverse):
    k = len(outs)
    spec = terms[-1].spec
    earlier, later = neighbours(axis, reverse)
    places = _pairs(present, k)
    pairs = zip(places, terms, strict=False)
    turned = {(j, i): earlier.placed(later(a), spec) for (i, j), a in pairs}
    pattern = tuple(divmod(n, k) in turned for n in range(k * k))
    coefficients = [turned[place] for place in sorted(turned)]
    slopes = affine_scan((*coefficients, *gs), pattern, axis, not reverse)
    slopes = slopes if k > 1 else (slopes,)
    products = [later.placed(later(slopes[i]) * earlier(outs[j]), spec) for i, j in places]
    return (*products, *slopes)


@affine_scan.samples
def _(s):
    yield s([s.randn(2, 5), s.randn(2, 5)], (True,), 1)
    yield s([s.randn(5, 3), s.randn(5, 3)], (True,), 0, True)
    yield s([s.randn(2, 6, dtype="float64") for _ in range(5)], (True, False, True, True), -1)
    yield s([s.randn(4, 2) for _ in range(3)], (False, False, True, False), 0)
    yield s([s.randn(1, 2), s.randn(1, 2)], (True,), 0)
    yield s([s.zeros(0, 2), s.zeros(0, 2)], (True,), 0)
    yield s([s.randn(3)], (False,), 0)
    yield s.bad(ShapeError, "all terms must be", [s.randn(3), s.randn(2)], (True,), 0)
    yield s.bad(ArgumentError, "do not fit", [s.randn(3), s.randn(3)], (True, True), 0)
