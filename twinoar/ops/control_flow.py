"""Control flow as operators: `if` and `while` with nested blocks, and functions that build them.

A nested block is closed: its inputs are the operator's operands after the predicate. Kernels
receive blocks as functions of arrays, so they read like the Python they stand for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.core.builder import Builder, replay, trace
from twinoar.core.desc import Desc
from twinoar.core.dtype import float64, int64, literal_dtype
from twinoar.core.interpreter import current
from twinoar.core.ir import Block, Variable
from twinoar.core.op import primitive
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, ConversionError, DTypeError, ShapeError, TypeMismatchError
from twinoar.ops.compare import less_than
from twinoar.ops.create import zeros_of
from twinoar.ops.elementwise import add, multiply

Tensor = Value
Imports = dict[Variable, Variable]  # values outside a block -> its inputs


def _branch_specs(predicate: Any, *xs: Any, then: Block, orelse: Block) -> tuple[Spec, ...] | Spec:
    if predicate.dtype != "bool" or predicate.size not in (1, -1):
        raise DTypeError(f"the predicate must be one truth value, received {predicate}")
    if len(then.outputs) != len(orelse.outputs):
        raise ArgumentError(
            f"one branch returns {len(then.outputs)} values, the other {len(orelse.outputs)}"
        )
    merged = tuple(
        _merged(a.spec, b.spec) for a, b in zip(then.outputs, orelse.outputs, strict=True)
    )
    return merged if len(merged) != 1 else merged[0]


def _merged(a: Spec, b: Spec) -> Spec:
    if a.dtype != b.dtype or a.ndim != b.ndim:
        raise ShapeError(
            f"the branches give {a} and {b} for the same value",
            cure="make dtype and number of dimensions equal, with astype or reshape",
        )
    shape = (m if m is n or m == n else None for m, n in zip(a.shape, b.shape, strict=True))
    return Spec(tuple(shape), a.dtype)  # type: ignore[arg-type]  # None: only the data decides


@primitive(
    infer=_branch_specs, desc=Desc("conditional_block", {"Cond": "predicate", "Input": "xs"})
)
def if_(
    predicate: Tensor,
    xs: Sequence[Tensor],
    then: Block = None,  # type: ignore[assignment]  # a block is always given
    orelse: Block = None,  # type: ignore[assignment]  # a block is always given
) -> Tensor:
    """One of two blocks, by a predicate.

    predicate: one truth value. xs: operands of both blocks. Returns the outputs of the block that
    ran. Raises ShapeError where the blocks return values of different dtype or number of
    dimensions.
    """


@if_.kernel
def _(predicate, *xs, then, orelse):
    out = then(*xs) if predicate else orelse(*xs)
    return out if len(out) != 1 else out[0]


@if_.grad
def _(vjp, gs, predicate, xs, then, orelse):
    gradients = [vjp(then), vjp(orelse)]
    needed = [any(b.outputs[i] is not None for b in gradients) for i in range(len(xs))]
    seeds = [
        g if g is not None else zeros_of(v.spec) for g, v in zip(gs, then.outputs, strict=True)
    ]

    def run(block: Block) -> Callable[[], tuple[Any, ...]]:
        def branch() -> tuple[Any, ...]:
            found = replay(block, (*xs, *seeds))
            filled = [zeros_of(x.spec) if g is None else g for g, x in zip(found, xs, strict=True)]
            return tuple(g for g, n in zip(filled, needed, strict=True) if n)

        return branch

    found = cond(predicate, run(gradients[0]), run(gradients[1])) if any(needed) else ()
    computed = iter(found if isinstance(found, (tuple, list)) else (found,))
    return (None, *(next(computed) if n else None for n in needed))


@if_.samples
def _(s):
    spec, x, y = (
        Spec((2, 3), float64),
        s.randn(2, 3, dtype="float64"),
        s.randn(2, 3, dtype="float64"),
    )
    blocks = {
        "then": _block(lambda x, y: (multiply(x, y),), spec, spec),
        "orelse": _block(lambda x, y: (add(x, y),), spec, spec),
    }
    yield s(np.array(True), [x, y], half=False, **blocks)
    yield s(np.array(False), [x, y], half=False, **blocks)
    yield s.bad(DTypeError, "truth value", s.randn(2), [x, y], **blocks)


def _loop_specs(*xs: Any, test: Block, body: Block, carried: int) -> tuple[Spec, ...] | Spec:
    if len(test.outputs) != 1 or test.outputs[0].dtype != "bool":
        raise DTypeError("the condition of a loop must be one truth value")
    for i, (x, v) in enumerate(zip(xs[:carried], body.outputs, strict=True)):
        if x.dtype != v.dtype or x.ndim != v.spec.ndim:
            raise ShapeError(
                f"loop value {i} is {x} before a trip and {v.spec} after it",
                cure="keep dtype and number of dimensions, with astype or reshape",
            )
    merged = tuple(_merged(x, v.spec) for x, v in zip(xs[:carried], body.outputs, strict=True))
    return merged if carried != 1 else merged[0]


@primitive(infer=_loop_specs, desc=Desc("while", {"X": "xs"}))
def while_(
    xs: Sequence[Tensor],
    test: Block = None,  # type: ignore[assignment]  # a block is always given
    body: Block = None,  # type: ignore[assignment]  # a block is always given
    carried: int = 0,
) -> Tensor:
    """`body` again and again while `test` holds.

    xs: the `carried` values that body maps to their next ones, then what test and body only read.
    Returns the carried values after the last trip. Raises ShapeError where a trip changes dtype or
    number of dimensions.
    """


@while_.kernel
def _(*xs, test, body, carried):
    values, rest = xs[:carried], xs[carried:]
    while test(*values, *rest)[0]:
        values = body(*values, *rest)
    return tuple(values) if carried != 1 else np.asarray(values[0])


@while_.grad
def _(vjp, gs, xs, test, body, carried):
    seeds = [
        g if g is not None else zeros_of(x.spec) for g, x in zip(gs, xs[:carried], strict=True)
    ]
    found = while_gradient([*xs, *seeds], test, body, vjp(body), carried)
    computed = iter(found if isinstance(found, tuple) else (found,))
    return tuple(next(computed) if x.dtype.is_differentiable else None for x in xs)


@while_.samples
def _(s):
    n, x = Spec((), int64), Spec((3,), float64)
    given = [s.randn(3, dtype="float64"), s.randn(3, dtype="float64")]
    blocks = {
        "test": _block(lambda i, x, y: (less_than(i, 3),), n, x, x),
        "body": _block(lambda i, x, y: (add(i, 1), multiply(x, y)), n, x, x),
    }
    yield s([np.array(0), *given], carried=2, second=False, half=False, **blocks)
    yield s([np.array(5), *given], carried=2, second=False, half=False, **blocks)


def _gradient_specs(*values: Any, test: Block, body: Block, backward: Block, carried: int) -> Any:
    found = tuple(x for x in values[: len(values) - carried] if x.dtype.is_differentiable)
    return found if len(found) != 1 else found[0]


@primitive(infer=_gradient_specs)
def while_gradient(
    values: Sequence[Tensor], test: Block, body: Block, backward: Block, carried: int
) -> Tensor:
    """Gradients of `while`, the last trip first.

    The loop runs again, keeping what each trip started from; then `backward` runs trip by trip.
    values: the operands of the loop, then the gradients of its results. backward: the gradient
    block of `body`. Returns the gradients of the differentiable operands. It has no gradient
    itself.
    """


@while_gradient.kernel
def _(*values, test, body, backward, carried):
    xs, gs = values[: len(values) - carried], list(values[len(values) - carried :])
    state, rest = xs[:carried], xs[carried:]
    starts = []
    while test(*state, *rest)[0]:
        starts.append(state)
        state = body(*state, *rest)
    totals = [np.zeros_like(x) for x in rest]
    for start in reversed(starts):
        found = backward(*start, *rest, *gs)
        gs = [
            np.zeros_like(x) if g is None else g
            for g, x in zip(found[:carried], start, strict=True)
        ]
        totals = [t if g is None else t + g for t, g in zip(totals, found[carried:], strict=True)]
    kept = tuple(
        np.asarray(g) for g, x in zip([*gs, *totals], xs, strict=True) if x.dtype.kind in "fcV"
    )
    return kept if len(kept) != 1 else kept[0]


@while_gradient.samples
def _(s):
    n, x = Spec((), int64), Spec((3,))
    yield s(
        [np.array(0), s.randn(3), s.randn(3), np.array(0), s.randn(3)],
        _block(lambda i, x, y: (less_than(i, 2),), n, x, x),
        _block(lambda i, x, y: (add(i, 1), multiply(x, y)), n, x, x),
        _block(lambda i, x, y, gi, gx: (None, multiply(gx, y), multiply(gx, x)), n, x, x, n, x),
        2,
        gradient=False,
    )


def cond(
    pred: Any,
    true_fn: Callable[..., Any] | None = None,
    false_fn: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Any:
    """`true_fn()` or `false_fn()`, by the truth value `pred`.

    In a Program both are built as branches of one operator; they return values of equal structure,
    dtype and number of dimensions. With data at hand only the chosen function is called. Raises
    ConversionError where the structures differ.

    >>> import twinoar
    >>> twinoar.static.nn.cond(twinoar.to_tensor(True), lambda: 1, lambda: 2)
    1
    """
    if not isinstance(pred, Variable):
        chosen = true_fn if pred else false_fn
        return chosen() if chosen is not None else None
    builder = current()
    if not isinstance(builder, Builder):
        raise TypeMismatchError(
            "the predicate is a symbol of a Program, and no Program is being built"
        )
    sides = [_trace(builder, f) for f in (true_fn, false_fn)]
    (then, structure, _), (orelse, other, _) = sides
    if structure != other:
        raise ConversionError(
            f"the branches return different structures: {structure} and {other}",
            cure="return as many values from both",
        )
    captured = _close([side[0] for side in sides], [side[2] for side in sides])
    out = if_(pred, captured, then, orelse)
    return _rebuild(structure, iter(out if isinstance(out, tuple) else (out,)))


def build_if(pred: Variable, then: Builder, orelse: Builder) -> tuple[Variable, ...]:
    """Append an `if` operator from two traced branches, whose blocks have their outputs."""
    captured = _close([then.block, orelse.block], [then.imported, orelse.imported])
    out = if_(pred, captured, then.block, orelse.block)
    return out if isinstance(out, tuple) else (out,)


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    is_test: bool = False,
    name: str | None = None,
) -> list[Any]:
    """Run `body(*loop_vars)` while `cond(*loop_vars)` holds; returns the last loop variables.

    In a Program both are built as blocks of one operator: each trip keeps dtypes and numbers of
    dimensions. With data at hand it is a Python loop. Raises TypeMismatchError for what is not
    callable, ArgumentError for no loop variables.

    >>> import twinoar
    >>> i = twinoar.to_tensor(0)
    >>> twinoar.static.nn.while_loop(lambda i: i < 3, lambda i: [i + 1], [i])[0].item()
    3
    """
    if not callable(cond) or not callable(body):
        raise TypeMismatchError("cond and body of while_loop must be callable")
    if not isinstance(loop_vars, (list, tuple)) or not loop_vars:
        raise ArgumentError("loop_vars must be a list or tuple with at least one value")
    values = list(loop_vars)
    test = cond(*values)
    while not isinstance(test, Variable):
        if not test:
            return values
        out = body(*values)
        values = list(out) if isinstance(out, (list, tuple)) else [out]
        if len(values) != len(loop_vars):
            raise ArgumentError(
                f"body returns {len(values)} values for {len(loop_vars)} loop variables"
            )
        test = cond(*values)
    return build_while(current(), cond, body, values)


def build_while(
    builder: Builder, cond: Callable[..., Any], body: Callable[..., Any], values: list[Any]
) -> list[Any]:
    """Append a `while` operator for loop values that are symbols, or become so."""
    lifted = [as_variable(builder, v) for v in values]
    blocks, imports = [], []
    for function in (cond, body):
        with builder.nested() as inner:
            carried = [inner.block.add_input(v.spec, stop_gradient=v.stop_gradient) for v in lifted]
            out = function(*carried)
            results = out if isinstance(out, (list, tuple)) else (out,)
            inner.block.outputs = [as_variable(inner, v) for v in results]
        if function is body and len(results) != len(values):
            raise ArgumentError(
                f"body returns {len(results)} values for {len(values)} loop variables"
            )
        blocks.append(inner.block)
        imports.append(inner.imported)
    captured = _close(blocks, imports, len(lifted))
    out = while_([*lifted, *captured], blocks[0], blocks[1], len(lifted))
    return list(out) if isinstance(out, tuple) else [out]


def as_variable(builder: Builder, x: Any) -> Variable:
    """`x` as a Variable of the builder's block: numbers become constants of the default dtypes."""
    if isinstance(x, (bool, int, float)):
        x = np.asarray(x, literal_dtype(x).numpy)
    lifted = builder.lift(x)
    if not isinstance(lifted, Variable):
        raise ConversionError(
            f"a value of type {type(x).__name__} cannot pass through control flow that depends on "
            "a tensor",
            cure="give it a tensor or number before the branch or loop",
        )
    return lifted


def _trace(builder: Builder, function: Callable[..., Any] | None) -> tuple[Block, Any, Imports]:
    """A branch as a Block, the structure of what it returns, and what it takes from outside."""
    with builder.nested() as inner:
        out = function() if function is not None else None
        leaves: list[Any] = []
        structure = _flatten(out, leaves)
        inner.block.outputs = [as_variable(inner, v) for v in leaves]
    return inner.block, structure, inner.imported


def _close(blocks: list[Block], imports: list[Imports], leading: int = 0) -> list[Variable]:
    """Give all blocks, after `leading` inputs, what any takes from outside. Returns that."""
    captured = list(dict.fromkeys(v for imported in imports for v in imported))
    for block, imported in zip(blocks, imports, strict=True):
        block.inputs = block.inputs[:leading]
        for v in captured:
            if v in imported:
                block.inputs.append(imported[v])
            else:
                block.add_input(v.spec, stop_gradient=v.stop_gradient)
    return captured


def _flatten(x: Any, leaves: list[Any]) -> Any:
    if isinstance(x, (list, tuple)):
        return type(x).__name__, tuple(_flatten(i, leaves) for i in x)
    if x is None:
        return None
    leaves.append(x)
    return "value"


def _rebuild(structure: Any, values: Any) -> Any:
    if structure == "value":
        return next(values)
    if structure is None:
        return None
    kind, items = structure
    made = [_rebuild(i, values) for i in items]
    return made if kind == "list" else tuple(made)


def _block(function: Callable[..., Any], *specs: Spec) -> Block:
    """The block of a function, for samples."""
    return trace(function, *specs).main
