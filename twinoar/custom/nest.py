"""Operators from a loop nest: an element of the result at an index, from any elements of operands.

The function is called with readers of the operands: for the shapes alone to infer, by compilers,
and by NumPy, which runs through all indices at once, for the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.compile.evaluation import elements, reader_of
from twinoar.core.dtype import DType, dtype_of
from twinoar.core.loop.expression import Axis, Expr, axis_value, cast, make, within, wrap
from twinoar.core.loop.language import Reader, compute_dtype
from twinoar.core.op.definition import Op
from twinoar.core.spec import Spec
from twinoar.custom.definition import (
    CustomOp,
    Rule,
    operands_of,
    parameters,
    refuse_complex,
    register,
    run_rule,
    with_types,
)
from twinoar.custom.file_form import own_form
from twinoar.custom.nest_gradient import NestGradient, Slopes
from twinoar.errors import ArgumentError, AxisError, ShapeError, TypeMismatchError
from twinoar.late import dataclass

KEPT = 256  # calls whose indices are known to be in range
CURE = (
    "read elements as x[i, j], with an index for each dimension, and compute with the functions of "
    "twinoar.custom.language"
)


@dataclass(frozen=True)
class Elements:
    """What the function of a loop nest returns: a shape, and the element at each index of it.

    element: called with one index for each dimension. dtype: that of the first operand by default.
    """

    shape: Sequence[Any]
    element: Callable[..., Any]
    dtype: Any = None


def loop(
    function: Callable[..., Any] | None = None,
    *,
    name: str | None = None,
    replace: bool = False,
    **rules: Any,
) -> Any:
    """Define an operator by the shape of its result and the element at each index.

    A decorator, bare or with options. The function gets operands as readers, with `shape`, `dtype`
    and `x[i, j]`, an element, and attributes as they are; it returns `Elements`, or a tuple of them
    for several results. Reductions are `language.sum(sizes, term)` and its kin. Shapes, the NumPy
    kernel, fusion and the file form are derived; sizes may be unknown where only the shape is
    asked for, so what computes stands in the element's function. The gradient is derived too, by
    gathering elements for all indices at once; a rule for it, written with ordinary operators
    (`grad=`, or `@name.grad` below), is faster. In files the operator stands under its own
    name: a process that reads one must have run the definition.

    Returns the operator. Raises ArgumentError for a name that is taken, TypeMismatchError for a
    signature that no operator has.

    >>> from twinoar import custom
    >>> from twinoar.custom import language as s
    >>> @custom.loop
    ... def sums_of_rows(x):
    ...     rows, columns = x.shape
    ...     return custom.Elements([rows], lambda i: s.sum([columns], lambda k: x[i, k]))
    >>> sums_of_rows(twinoar.to_tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [3.0, 7.0]
    """

    def make_op(given: Callable[..., Any]) -> Op:
        definition = with_types(given, name)
        made = CustomOp(definition, composite=False, **rules)
        nest = Nest(made, definition)
        made.slopes = Slopes(made, nest)
        made.derive(
            infer=nest.infer,
            kernel=nest.kernel,
            lower=Lowering(made, nest),
            desc=own_form(made, made),
            grad=NestGradient(made.slopes),
        )
        return register(made, replace)

    return make_op if function is None else make_op(function)


class Nest:
    """A user's function of readers, and the readings of what it returns."""

    def __init__(self, op: Op, function: Callable[..., Any]):
        self.op, self.name, self.function = op, op.name, function
        self.in_range: set[str] = set()

    def results(self, operands: Sequence[Any], attrs: dict[str, Any]) -> list[Elements]:
        """What the function returns for these operands, checked; dtypes are filled in."""
        refuse_complex(self.name, [x.dtype for x in operands if isinstance(x, Reader)])
        fixed = len(self.op.operands) - self.op.variadic
        given = [*operands[:fixed], *([tuple(operands[fixed:])] if self.op.variadic else ())]
        found = run_rule(self.name, "loop nest", CURE, self.function, *given, **attrs)
        results = list(found) if isinstance(found, (tuple, list)) else [found]
        for r in results:
            if not isinstance(r, Elements):
                raise TypeMismatchError(
                    f"its loop nest must return Elements, received {type(r).__name__}",
                    cure="return custom.Elements(shape, lambda i, j: ...)",
                ).attach(self.name, ())
        first = next((x.dtype for x in operands if isinstance(x, Reader)), None)
        return [Elements(tuple(r.shape), r.element, self._dtype(r.dtype, first)) for r in results]

    def _dtype(self, given: Any, first: DType | None) -> DType:
        if given is None and first is None:
            raise ArgumentError(
                "its loop nest has no operand to take the dtype from",
                cure="say it: custom.Elements(shape, element, dtype='float32')",
            ).attach(self.name, ())
        return first if given is None else dtype_of(given)  # type: ignore[return-value]

    def infer(self, *specs: Any, **attrs: Any) -> Any:
        """The shapes that the function returns; where all sizes are known, indices are checked."""
        names = self.op.operand_names(len(specs))
        operands = [
            reader_of_spec(s, name) if isinstance(s, Spec) else s
            for s, name in zip(specs, names, strict=True)
        ]
        found = self.results(operands, attrs)
        inferred = tuple(Spec(tuple(r.shape), r.dtype) for r in found)
        known = [s for s in (*specs, *inferred) if isinstance(s, Spec)]
        key = repr((specs, attrs))
        if all(s.is_static for s in known) and key not in self.in_range:
            for r in found:
                self.element(r)(tuple(axis_value(Axis(n, f"i{k}")) for k, n in enumerate(r.shape)))
            if len(self.in_range) >= KEPT:
                self.in_range.clear()
            self.in_range.add(key)
        return inferred if len(inferred) != 1 else inferred[0]

    def kernel(self, *arrays: Any, **attrs: Any) -> Any:
        """All elements by NumPy."""
        names = self.op.operand_names(len(arrays))
        operands = [
            CheckedReader(name, reader_of(a)) if isinstance(a, np.ndarray) else a
            for a, name in zip(arrays, names, strict=True)
        ]
        results = self.results(operands, attrs)
        found = tuple(elements(Reader(r.shape, r.dtype, self.element(r))) for r in results)
        return found if len(found) != 1 else found[0]

    def element(self, result: Elements) -> Callable[[tuple[Expr, ...]], Expr]:
        """The element of a result at an index, in the dtype that it is computed in."""
        dtype = compute_dtype(result.dtype)

        def at(i: tuple[Expr, ...]) -> Expr:
            found = run_rule(self.name, "loop nest", CURE, result.element, *i)
            if not isinstance(found, (Expr, bool, int, float)):
                raise TypeMismatchError(
                    f"the element of its loop nest must be one element, received "
                    f"{type(found).__name__}",
                    cure="return the element",
                ).attach(self.name, ())
            return cast(wrap(found, dtype), dtype)

        return at


class Lowering(Rule):
    """The `lower` rule: the element of result `nth`."""

    def __init__(self, op: Op, nest: Nest):
        super().__init__(*parameters(op), "nth")
        self.op, self.nest = op, nest

    def apply(self, nth: int, **given: Any) -> Callable[[tuple[Expr, ...]], Expr]:
        """The element's function."""
        operands = operands_of(self.op, given)
        return self.nest.element(self.nest.results(operands, given)[nth])


class CheckedReader(Reader):
    """A Reader that refuses an index which may lie outside; compiled code does not look."""

    __slots__ = ("name",)

    def __init__(self, name: str, reader: Reader):
        super().__init__(reader.shape, reader.dtype, reader.element)
        self.name = name

    def __getitem__(self, index: Any) -> Expr:
        given = index if isinstance(index, tuple) else (index,)
        for axis, (i, size) in enumerate(zip(map(wrap, given), self.shape, strict=False)):
            if size and not within(i, 0, size):
                low, high = ("?" if end is None else end for end in i.bounds)
                raise AxisError(
                    f"index {axis} of {self.name} may be {low} to {high}, and the size is {size}",
                    cure=f"x.padded((i, j), fill) gives a value outside, s.clamped(i, {size}) the "
                    f"nearest element, s.bounded(i, {size}) an error where data is wrong",
                )
        return super().__getitem__(index)


def reader_of_spec(spec: Spec, name: str) -> Reader:
    """A reader of elements that are not there yet; where sizes are unknown, of none."""

    def element(i: tuple[Expr, ...]) -> Expr:
        if not spec.is_static:
            raise ShapeError(
                f"an element of {name} is asked for before its sizes are known",
                cure="read elements in the element's function alone, not where the shape is made",
            )
        return make("load", (name, *i), compute_dtype(spec.dtype))

    reader = Reader(spec.shape, spec.dtype, element)  # type: ignore[arg-type]
    return CheckedReader(name, reader) if spec.is_static else reader
