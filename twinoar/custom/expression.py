"""Elementwise operators from one expression: everything else is derived from it.

The function is called with elements of the operands, and what it returns is read three ways: by
compilers as it is, by NumPy for the kernel, and as operators for gradients and files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.autograd.backprop import backprop
from twinoar.compile.evaluation import compiled
from twinoar.core.dtype import BY_NUMPY, DType
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder, replay
from twinoar.core.ir.program import Block, Program
from twinoar.core.loop import language as loop
from twinoar.core.loop.expression import Expr, make, walk, wrap
from twinoar.core.loop.language import compute_dtype
from twinoar.core.op.definition import Op
from twinoar.core.spec import Spec, broadcast
from twinoar.core.values import Value
from twinoar.custom.definition import (
    CustomOp,
    Rule,
    parameters,
    refuse_complex,
    register,
    run_rule,
    with_types,
)
from twinoar.custom.operators import as_operators
from twinoar.errors import ArgumentError, DTypeError, TypeMismatchError
from twinoar.late import dataclass
from twinoar.ops.math.cast import astype, promote_operands, promote_to_floating, sum_to
from twinoar.ops.math.fill import fill
from twinoar.passes.cse import share_common
from twinoar.passes.dead import eliminate_dead
from twinoar.passes.decompose import decompose

NUMBERS = (bool, int, float)
FLOATING_ONLY = ("call", "div", "sqrt")
CURE = (
    "compute with the functions of twinoar.custom.language, as in s.exp(x), and choose with "
    "s.select(condition, a, b)"
)
KEPT = 256  # expressions, and gradients of them, that an operator keeps


def elementwise(
    function: Callable[..., Any] | None = None,
    *,
    name: str | None = None,
    integers: bool = False,
    replace: bool = False,
    **rules: Any,
) -> Any:
    """Define an operator by what one element of its result is, from one element of each operand.

    A decorator, bare or with options. The function computes with arithmetic, comparisons and the
    functions of `custom.language`; its parameters are operands, those annotated as float, int, bool
    or str are attributes. Operands broadcast, numbers may stand for them, and all are brought to
    one dtype, integers to a floating one unless `integers`. Shapes, dtypes, the NumPy kernel, the
    gradient of any order, fusion and the file form are derived; `rules` (grad=, kernel=, ...) take
    the place of what is derived. In files the operator stands as Paddle's operators, so these are
    read without it.

    Returns the operator. Raises ArgumentError for a name that is taken, TypeMismatchError for a
    signature that no operator has.

    >>> from twinoar import custom
    >>> @custom.elementwise
    ... def hinge(x, margin: float = 1.0):
    ...     return custom.language.max(margin - x, 0)
    >>> hinge(twinoar.to_tensor([-1.0, 0.5, 2.0])).tolist()
    [2.0, 0.5, 0.0]
    """

    def make_op(given: Callable[..., Any]) -> Op:
        definition = with_types(given, name)
        expression = Expression(definition.__name__, definition)
        made = CustomOp(definition, composite=True, **rules)
        if made.variadic:
            raise TypeMismatchError(
                f"operator {made.name}: an expression has a fixed number of operands",
                cure="name each, or define it with custom.op or custom.loop",
            )
        made.body = expression.body
        made.derive(
            infer=expression.infer,
            kernel=expression.kernel,
            promote=promote_operands if integers else promote_to_floating,
            scalar=expression.scalar,
            grad=Gradient(made, expression),
        )
        return register(made, replace)

    return make_op if function is None else make_op(function)


class Expression:
    """A user's function of elements, and the readings of what it returns."""

    def __init__(self, name: str, function: Callable[..., Any]):
        self.name, self.function = name, function
        self.known: dict[Any, Form] = {}

    def scalar(self, language: Any, *elements: Any, **attrs: Any) -> Expr:
        """The expression on elements; numbers take the dtype that these have."""
        dtype = next(e.dtype for e in elements if isinstance(e, Expr))
        given = [wrap(e, dtype) if isinstance(e, NUMBERS) else e for e in elements]
        found = run_rule(self.name, "expression", CURE, self.function, *given, **attrs)
        if not isinstance(found, (Expr, *NUMBERS)):
            raise TypeMismatchError(
                f"its expression must be one element, received {type(found).__name__}",
                cure="return the expression",
            ).attach(self.name, ())
        e = wrap(found, dtype)
        if e.depth:
            raise ArgumentError(
                "its expression has a reduction, and sees one element of each operand",
                cure="add up with Python's sum() over range(), or define it with custom.loop",
            ).attach(self.name, ())
        wrong = [n for n in walk(e) if n.kind in FLOATING_ONLY and not n.dtype.is_floating]
        if wrong:
            raise DTypeError(
                f"its expression has {wrong[0].kind} of {wrong[0].dtype.name}, which floats alone "
                "have",
                cure="leave out integers=True, or cast: s.cast(x, twinoar.float32)",
            ).attach(self.name, ())
        return e

    def form(self, dtypes: Sequence[DType | None], attrs: dict[str, Any]) -> Form:
        """The expression for operands of these dtypes; made once."""
        key = (*dtypes, repr(attrs) if attrs else "")
        found = self.known.get(key)
        if found is None:
            refuse_complex(self.name, dtypes)
            elements = [
                None if d is None else make("var", (f"x{n}",), compute_dtype(d))
                for n, d in enumerate(dtypes)
            ]
            e = self.scalar(loop, *elements, **attrs)
            first = next(d for d in dtypes if d is not None)
            dtype = first if e.dtype is compute_dtype(first) else e.dtype
            if len(self.known) >= KEPT:
                self.known.clear()
            found = self.known[key] = Form(e, elements, dtype, compiled(e, elements))
        return found

    def infer(self, *specs: Any, **attrs: Any) -> Spec:
        """The shape that the operands broadcast to, the dtype of the expression."""
        shapes = [s.shape for s in specs if isinstance(s, Spec)]
        return Spec(broadcast(*shapes), self.form(dtypes_of(specs), attrs).dtype)

    def kernel(self, *arrays: Any, **attrs: Any) -> np.ndarray:
        """The expression by NumPy."""
        form = self.form(dtypes_of(arrays), attrs)
        given = [
            None if x is None else np.asarray(a, x.dtype.numpy)
            for x, a in zip(form.elements, arrays, strict=True)
        ]
        shapes = [a.shape for a in given if a is not None]
        shape = shapes[0] if len(shapes) == 1 else np.broadcast_shapes(*shapes)
        out = np.asarray(form.run(*given))
        out = out if out.shape == shape else np.broadcast_to(out, shape).copy()
        return out.astype(form.dtype.numpy, copy=False)

    def body(self, *operands: Any, **attrs: Any) -> Any:
        """The expression as operators; 16-bit floats are worked on as float32."""
        form = self.form(dtypes_of(operands), attrs)
        known = {
            x: astype(v, x.dtype) if isinstance(v, Value) else fill((), v, x.dtype)
            for x, v in zip(form.elements, operands, strict=True)
            if x is not None
        }
        return astype(as_operators(self.name, form.expression, known), form.dtype)


@dataclass(frozen=True, slots=True)
class Form:
    """An expression for certain dtypes, the elements of the operands in it, and its own dtype.

    run: computes it from arrays.
    """

    expression: Expr
    elements: list[Expr | None]
    dtype: DType
    run: Callable[..., Any]


def dtypes_of(operands: Sequence[Any]) -> list[DType | None]:
    """The dtype of each operand; a number has that of the first tensor, None has none."""
    found = [
        BY_NUMPY[x.dtype] if isinstance(x, np.ndarray) else getattr(x, "dtype", x) for x in operands
    ]
    first = next(d for d in found if isinstance(d, DType))
    return [d if d is None or isinstance(d, DType) else first for d in found]


class Gradient(Rule):
    """The derived gradient rule: the expression as operators, differentiated once and kept."""

    def __init__(self, op: Op, expression: Expression):
        more = ("specs", "wanted") if len(op.operands) > 1 else ()
        super().__init__("g", *parameters(op), *more)
        self.op, self.expression = op, expression
        self.known: dict[Any, tuple[Block, list[bool]]] = {}

    def apply(
        self, g: Value, specs: Any = (None,), wanted: Any = (True,), **given: Any
    ) -> tuple[Any, ...]:
        """The gradients of the operands."""
        operands = [given.pop(o.name) for o in self.op.operands]
        dtypes = dtypes_of(operands)
        asked = [
            w and isinstance(x, Value) and x.dtype.is_differentiable
            for x, w in zip(operands, wanted, strict=True)
        ]
        key = (*dtypes, *asked, repr(given) if given else "")
        if key not in self.known:
            if len(self.known) >= KEPT:
                self.known.clear()
            self.known[key] = self._block(dtypes, asked, given)
        block, present = self.known[key]
        pairs = zip(operands, dtypes, strict=True)
        values = [x if isinstance(x, Value) else fill((), x, d) for x, d in pairs if d is not None]
        found = iter(replay(block, (*values, g)))
        return tuple(
            None if not there else next(found) if spec is None else sum_to(next(found), spec)
            for there, spec in zip(present, specs, strict=True)
        )

    def _block(
        self, dtypes: Sequence[DType | None], asked: Sequence[bool], attrs: dict[str, Any]
    ) -> tuple[Block, list[bool]]:
        """The gradients that are asked for, of single elements, and which of them there are.

        All its operators broadcast, so it serves operands of any shapes.
        """
        program = Program(f"{self.op.name}.grad")
        inputs = [
            None if d is None else program.main.add_input(Spec((), d), stop_gradient=not w)
            for d, w in zip(dtypes, asked, strict=True)
        ]
        with using(Builder(program)):
            out = self.expression.body(*inputs, **attrs)
            grads = {out: program.main.add_input(out.spec)}
            backprop(list(reversed(program.main.ops)), grads)
        found = [grads.get(x) if w else None for x, w in zip(inputs, asked, strict=True)]
        program.main.outputs = [v for v in found if v is not None]
        share_common(eliminate_dead(decompose(program)))
        return eliminate_dead(program).main, [v is not None for v in found]
