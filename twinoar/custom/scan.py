"""Operators that run along an axis: what elements make together, by an associative function of two.

The function is called with elements, each with as many components as there are operands, and what
it returns is read three ways: by compilers as it is, by NumPy for the kernel, and as operators for
the gradient, which is a linear recurrence the other way.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from twinoar.compile.evaluation import compiled
from twinoar.core.dtype import BY_NUMPY, DType
from twinoar.core.loop.expression import Expr, make, walk, wrap
from twinoar.core.loop.language import compute_dtype
from twinoar.core.op.definition import Op
from twinoar.core.spec import Spec, may_equal, normalize_axis
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
from twinoar.custom.expression import CURE, FLOATING_ONLY, KEPT, NUMBERS
from twinoar.custom.file_form import own_form
from twinoar.custom.scan_gradient import ScanGradient
from twinoar.errors import ArgumentError, DTypeError, ShapeError, TypeMismatchError
from twinoar.late import dataclass
from twinoar.ops.reduce._associative import associative_scan as launch_scan
from twinoar.ops.reduce._associative import scan_of_arrays

OWN = ("elems", "reverse", "axis")  # parameters that every scan has
TRIALS = 8  # triples that a function is tried on
FAR = 1e-4  # a relative difference in float64 that no rounding makes


def associative_scan(
    function: Callable[..., Any] | None = None,
    *,
    name: str | None = None,
    replace: bool = False,
    check: bool = True,
    **rules: Any,
) -> Any:
    """Define an operator that gives what the first elements along an axis make together.

    A decorator, bare or with options. The function takes two elements, what was so far and what
    comes next, and returns what they make together; it computes as that of `elementwise` does, and
    must be associative: f(f(a, b), c) is f(a, f(b, c)). Parameters after the first two are
    attributes. The operator is called as `name(elems, reverse=False, axis=0)`, like
    `jax.lax.associative_scan` without the function: elems is a tensor [*], or a tuple of tensors of
    one shape, and then an element is a tuple of one number of each. It gives as many tensors, of
    these shapes and dtypes: at each place along `axis` what all elements up to there make together;
    from the end for `reverse`. Shapes, dtypes, the NumPy kernel, a parallel native one and the
    gradient of any order are derived; `rules` (grad=, kernel=, ...) take the place of what is. In
    files the operator stands under its own name: a process that reads one must have run the
    definition.

    check: the function is tried on numbers first, and ArgumentError raised where it is associative
    on none of several kinds. Returns the operator. Raises ArgumentError for a name that is taken,
    TypeMismatchError for a signature that no scan has.

    >>> from twinoar import custom
    >>> @custom.associative_scan
    ... def decayed_sum(left, right):
    ...     (a, x), (b, y) = left, right
    ...     return a * b, b * x + y
    >>> decay = twinoar.to_tensor([0.5, 0.5, 0.5])
    >>> decayed_sum((decay, twinoar.to_tensor([8.0, 0.0, 1.0])))[1].tolist()
    [8.0, 4.0, 3.0]
    """

    def make_op(given: Callable[..., Any]) -> Op:
        typed = with_types(given, name)
        made = ScanOp(_definition(typed), composite=False, **rules)
        scan = Scan(made.name, typed, check)
        made.derive(
            infer=scan.infer,
            kernel=scan.kernel,
            procedure=Launches(made, scan),
            desc=own_form(made, made),
            grad=ScanGradient(made, scan),
        )
        return register(made, replace)

    return make_op if function is None else make_op(function)


class ScanOp(CustomOp):
    """An operator of a user's that takes one tensor as it takes several."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if args and not isinstance(args[0], (tuple, list)):
            args = ((args[0],), *args[1:])
        elif "elems" in kwargs and not isinstance(kwargs["elems"], (tuple, list)):
            kwargs = {**kwargs, "elems": (kwargs["elems"],)}
        return super().__call__(*args, **kwargs)


def _definition(function: FunctionType) -> FunctionType:
    """The signature of a scan by a function of two elements and attributes."""
    given = list(inspect.signature(function).parameters.values())
    attrs = [p for p in given if function.__annotations__[p.name] is not Value]
    if len(given) - len(attrs) != 2 or attrs != given[2:]:
        raise TypeMismatchError(
            f"operator {function.__name__}: a scan combines two elements, received the parameters "
            f"{', '.join(p.name for p in given)}",
            cure="take what was so far and what comes next, then attributes with a type or a "
            "default: def name(left, right, scale: float = 1.0)",
        )
    if taken := {p.name for p in attrs}.intersection(OWN):
        raise ArgumentError(
            f"operator {function.__name__}: every scan has the parameter {min(taken)}",
            cure=f"give the attribute another name: {min(taken)}_",
        )
    required = [p for p in attrs if p.default is p.empty]
    rest = ", ".join(p.name for p in attrs)
    text = f"def {function.__name__}(elems, reverse=False, axis=0, *, {rest}): ..."
    space: dict[str, Any] = {}
    exec(text if attrs else text.replace(", *, ", ""), space)
    made: FunctionType = space[function.__name__]
    made.__kwdefaults__ = {p.name: p.default for p in attrs if p not in required}
    types = {p.name: function.__annotations__[p.name] for p in attrs}
    made.__annotations__ = {"elems": Sequence[Value], "reverse": bool, "axis": int, **types}
    made.__doc__, made.__module__ = function.__doc__, function.__module__
    made.__qualname__ = function.__qualname__
    return made


@dataclass(frozen=True, slots=True)
class Form:
    """A function of two elements for components of certain dtypes.

    left, right: the components, in the dtypes that they are computed in. results: what they make
    together. combine: that of other components. run: it, of arrays.
    """

    left: tuple[Expr, ...]
    right: tuple[Expr, ...]
    results: tuple[Expr, ...]
    combine: Callable[..., tuple[Expr, ...]]
    run: Callable[..., tuple[np.ndarray, ...]]


class Scan:
    """A user's associative function, and the readings of what it returns."""

    def __init__(self, name: str, function: Callable[..., Any], check: bool):
        self.name, self.function, self.check = name, function, check
        self.known: dict[Any, Form] = {}

    def combined(self, left: Sequence[Any], right: Sequence[Any], **attrs: Any) -> tuple[Expr, ...]:
        """The components of what two elements make together, checked."""
        single = len(left) == 1
        given = (left[0], right[0]) if single else (tuple(left), tuple(right))
        found = run_rule(
            self.name, "function of two elements", CURE, self.function, *given, **attrs
        )
        parts = (found,) if single and not isinstance(found, (tuple, list)) else found
        if not isinstance(parts, (tuple, list)) or len(parts) != len(left):
            said = f"{len(parts)}" if isinstance(parts, (tuple, list)) else type(found).__name__
            raise TypeMismatchError(
                f"its function must return one element, components like those of each that it "
                f"takes: {len(left)}, received {said}",
                cure="return what is computed, in the order of the tensors: return a, b",
            ).attach(self.name, ())
        return tuple(self._part(p, x.dtype) for p, x in zip(parts, left, strict=True))

    def _part(self, given: Any, dtype: DType) -> Expr:
        if not isinstance(given, (Expr, *NUMBERS)):
            raise TypeMismatchError(
                f"a component must be a number, received {type(given).__name__}", cure=CURE
            ).attach(self.name, ())
        e = wrap(given, dtype)
        if e.depth:
            raise ArgumentError(
                "its function has a reduction, and sees two elements alone",
                cure="reduce before or after the scan",
            ).attach(self.name, ())
        if e.dtype is not dtype:
            raise DTypeError(
                f"a component of {dtype.name} becomes {e.dtype.name}",
                cure=f"cast it, s.cast(value, a.dtype), or give tensors of {e.dtype.name}",
            ).attach(self.name, ())
        wrong = [n for n in walk(e) if n.kind in FLOATING_ONLY and not n.dtype.is_floating]
        if wrong:
            raise DTypeError(
                f"its function has {wrong[0].kind} of {wrong[0].dtype.name}, which floats alone "
                "have",
                cure="give tensors of floats, or cast: s.cast(a, twinoar.float32)",
            ).attach(self.name, ())
        return e

    def form(self, dtypes: Sequence[DType], attrs: dict[str, Any]) -> Form:
        """The function for components of these dtypes; made once."""
        key = (*dtypes, repr(attrs) if attrs else "")
        if key not in self.known:
            if not dtypes:
                raise ArgumentError(
                    "a scan needs a tensor", cure="give one, or a tuple of them"
                ).attach(self.name, ())
            refuse_complex(self.name, dtypes)
            if len(self.known) >= KEPT:
                self.known.clear()
            self.known[key] = self._form(dtypes, attrs)
        return self.known[key]

    def _form(self, dtypes: Sequence[DType], attrs: dict[str, Any]) -> Form:
        left, right = (
            tuple(make("var", (f"{side}{n}",), compute_dtype(d)) for n, d in enumerate(dtypes))
            for side in ("left", "right")
        )
        results = self.combined(left, right, **attrs)
        runs = [compiled(e, (*left, *right)) for e in results]

        def combine(left: Sequence[Expr], right: Sequence[Expr]) -> tuple[Expr, ...]:
            return self.combined(left, right, **attrs)

        def run(left: Sequence[Any], right: Sequence[Any]) -> tuple[np.ndarray, ...]:
            pairs = zip(runs, left, strict=True)
            return tuple(np.broadcast_to(one(*left, *right), x.shape) for one, x in pairs)

        if self.check:
            self._try(run, [compute_dtype(d) for d in dtypes])
        return Form(left, right, results, combine, run)

    def _try(self, run: Callable[..., Any], dtypes: Sequence[DType]) -> None:
        """Raise ArgumentError for a function that is associative on no kind of numbers."""
        for kind in KINDS:
            random = np.random.default_rng(0)
            a, b, c = ([np.asarray(kind(random)).astype(d.numpy) for d in dtypes] for _ in range(3))
            ways = zip(run(run(a, b), c), run(a, run(b, c)), strict=True)
            if all(np.allclose(x, y, FAR, FAR, equal_nan=True) for x, y in ways):
                return
        raise ArgumentError(
            "its function is not associative: f(f(a, b), c) and f(a, f(b, c)) differ",
            cure="write what two elements make together so that it does not matter which two are "
            "taken first; where it is associative on your data alone, say check=False",
        ).attach(self.name, ())

    def infer(self, *elems: Spec, reverse: bool, axis: int, **attrs: Any) -> Any:
        """The specs of the operands."""
        self.form([x.dtype for x in elems], attrs)
        first = elems[0]
        for x in elems:
            if x.ndim != first.ndim or not may_equal(x.shape, first.shape):
                raise ShapeError(
                    f"all tensors of a scan have one shape, received {list(first.shape)} and "
                    f"{list(x.shape)}",
                    cure="bring them to one: twinoar.broadcast_tensors(elems)",
                ).attach(self.name, ())
        normalize_axis(axis, first.ndim)
        return elems if len(elems) > 1 else first

    def kernel(self, *elems: np.ndarray, reverse: bool, axis: int, **attrs: Any) -> Any:
        """The running values by NumPy."""
        dtypes = [BY_NUMPY[x.dtype] for x in elems]
        form = self.form(dtypes, attrs)
        if any(x.shape != elems[0].shape for x in elems):
            raise IndexError  # sizes that only a run knows
        wide = [np.asarray(x, compute_dtype(d).numpy) for x, d in zip(elems, dtypes, strict=True)]
        found = scan_of_arrays(wide, axis, form.run, reverse)
        out = tuple(y.astype(d.numpy, copy=False) for y, d in zip(found, dtypes, strict=True))
        return out if len(out) > 1 else out[0]


# What a function is tried on: (generator) -> numbers.
KINDS: tuple[Callable[[np.random.Generator], np.ndarray], ...] = (
    lambda random: random.uniform(0.5, 2.0, TRIALS),
    lambda random: random.uniform(0.05, 0.45, TRIALS),
    lambda random: random.standard_normal(TRIALS),
    lambda random: random.integers(0, 5, TRIALS),
    lambda random: random.integers(0, 2, TRIALS),
)


class Launches(Rule):
    """The `procedure` rule."""

    def __init__(self, op: Op, scan: Scan):
        super().__init__("p", *parameters(op))
        self.scan = scan

    def apply(self, p: Any, elems: Sequence[Any], reverse: bool, axis: int, **attrs: Any) -> None:
        """Launch the scan."""
        dtypes = [x.dtype for x in elems]
        combine = self.scan.form(dtypes, attrs).combine
        axis = normalize_axis(axis, elems[0].ndim)
        launch_scan(p, elems, dtypes, p.results, axis, combine, reverse=reverse)
