"""Control flow as operators: `if` and `while` with nested blocks, and functions that build them.

A nested block is closed: its inputs are the operator's operands after the predicate. Kernels
receive blocks as functions of arrays, so they read like the Python they stand for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.core.dim import Dim
from twinoar.core.dtype import float64, int64, literal_dtype
from twinoar.core.interpreter import current
from twinoar.core.ir.builder import Builder, replay, trace
from twinoar.core.ir.program import Block, Variable
from twinoar.core.ir.silent import silent
from twinoar.core.op.declare import Desc, Spec, Tensor, primitive
from twinoar.errors import ArgumentError, ConversionError, DTypeError, ShapeError, TypeMismatchError
from twinoar.late import dataclass
from twinoar.ops.control.while_gradient import in_places, own_copy, while_gradient
from twinoar.ops.math.arithmetic import add, multiply
from twinoar.ops.math.compare import less_than
from twinoar.ops.math.fill import zeros_of

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
    shape = (m if _is_same(m, n) else None for m, n in zip(a.shape, b.shape, strict=True))
    return Spec(tuple(shape), a.dtype)  # type: ignore[arg-type]  # None: only the data decides


def _is_same(a: Dim, b: Dim) -> bool:
    """True for equal sizes; a symbolic one equals -1 too."""
    return isinstance(a, int) is isinstance(b, int) and a == b


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
    merged = []
    for i, (x, v, before) in enumerate(zip(xs[:carried], body.outputs, body.inputs, strict=False)):
        if x.dtype != v.dtype or x.ndim != v.spec.ndim:
            raise ShapeError(
                f"loop value {i} is {x} before an iteration and {v.spec} after it",
                cure="keep dtype and number of dimensions, with astype or reshape",
            )
        for wanted, size in zip(before.spec.shape, v.spec.shape, strict=True):
            if isinstance(wanted, int) and not _is_same(wanted, size):
                raise ShapeError(
                    f"the block of a loop takes {before.spec} as value {i} and returns {v.spec}",
                    cure="give its input a symbolic size",
                )
        merged.append(_merged(x, v.spec))
    return tuple(merged) if carried != 1 else merged[0]


@primitive(infer=_loop_specs, desc=Desc("while", {"X": "xs"}))
def while_(
    xs: Sequence[Tensor],
    test: Block = None,  # type: ignore[assignment]  # a block is always given
    body: Block = None,  # type: ignore[assignment]  # a block is always given
    carried: int = 0,
) -> Tensor:
    """`body` again and again while `test` holds.

    xs: the `carried` values that body maps to their next ones, then what test and body only read.
    Returns the carried values after the last iteration. Raises ShapeError where an iteration
    changes dtype or number of dimensions.
    """


@while_.kernel
def _(*xs, test, body, carried):
    values, rest = xs[:carried], xs[carried:]
    while test(*values, *rest)[0]:
        values = body(*values, *rest)
    return tuple(values) if carried != 1 else np.asarray(values[0])


@while_.grad
def _(vjp, gs, xs, outs, test, body, carried):
    seeds = [zeros_of(v.spec) if g is None else g for g, v in zip(gs, outs, strict=True)]
    backward = own_copy(vjp(body))
    found = while_gradient([*xs, *seeds], silent(test), silent(body), backward, carried)
    return in_places(found, xs)


@while_.samples
def _(s):
    n, x = Spec((), int64), Spec((3,), float64)
    given = [s.randn(3, dtype="float64"), s.randn(3, dtype="float64")]
    blocks = {
        "test": _block(lambda i, x, y: (less_than(i, 3),), n, x, x),
        "body": _block(lambda i, x, y: (add(i, 1), multiply(x, y)), n, x, x),
    }
    yield s([np.array(0), *given], carried=2, half=False, **blocks)
    yield s([np.array(5), *given], carried=2, half=False, **blocks)


def cond(
    pred: Any,
    true_fn: Callable[..., Any] | None = None,
    false_fn: Callable[..., Any] | None = None,
    name: str | None = None,
    return_names: Any = None,
) -> Any:
    """`true_fn()` or `false_fn()`, by the truth value `pred`.

    In a Program both are built as branches of one operator; they return values of equal structure,
    dtype and number of dimensions. With data at hand only the chosen function is called.
    return_names is accepted. Raises ConversionError where the structures differ.

    >>> twinoar.static.nn.cond(twinoar.to_tensor(True), lambda: 1, lambda: 2)
    1
    """
    if not isinstance(pred, Variable):
        chosen = true_fn if pred else false_fn
        return chosen() if chosen is not None else None
    builder = current()
    if builder.runs:
        raise TypeMismatchError(
            "the predicate is a symbol of a Program, and no Program is being built"
        )
    (then, structure), (orelse, other) = (_trace(builder, f) for f in (true_fn, false_fn))
    if structure != other:
        raise ConversionError(
            f"the branches return different structures: {structure} and {other}",
            cure="return as many values from both",
        )
    return _rebuild(structure, iter(build_if(pred, then, orelse)))


def build_if(pred: Variable, then: Builder, orelse: Builder) -> tuple[Variable, ...]:
    """Append an `if` operator from two traced branches, whose blocks have their outputs.

    What a branch changed in place has after the `if` the value that the branch that ran gave it.
    """
    sides, count = (then, orelse), len(then.block.outputs)
    pairs = list(zip(then.block.outputs, orelse.block.outputs, strict=True))
    stops = [a.stop_gradient and b.stop_gradient for a, b in pairs]
    place = {(id(a), id(b)): n for n, (a, b) in enumerate(pairs)}
    merged = {}
    for handle in dict.fromkeys((*then.changed, *orelse.changed)):
        a, b = (s.changed[handle] if handle in s.changed else s.lift(handle) for s in sides)
        merged[handle] = place.setdefault((id(a), id(b)), len(pairs))
        if merged[handle] == len(pairs):
            pairs.append((a, b))
            ends = [a, b]
            if _is_leaf(handle.latest()):  # given a value under no_grad, it is one again
                ends = [s.changed[handle] for s in sides if handle in s.changed]
            stops.append(all(v.stop_gradient for v in ends))
    if not pairs and not any(side.block.has_effect for side in sides):
        return ()
    for n, side in enumerate(sides):
        side.block.outputs = [pair[n] for pair in pairs]
    captured = close_blocks([side.block for side in sides], [side.imported for side in sides])
    results = _flagged(if_(pred, captured, then.block, orelse.block), stops)
    for handle, n in merged.items():
        current().merge(handle, results[n])
    return tuple(results[:count])


def _is_leaf(v: Variable) -> bool:
    """True for what has no history: an input, a parameter, and what no gradient flows through."""
    if v.producer is None:
        return v.home is current().program.main
    return not any(isinstance(x, Variable) and not x.stop_gradient for x in v.producer.operands)


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    is_test: bool = False,
    name: str | None = None,
) -> list[Any]:
    """Run `body(*loop_vars)` while `cond(*loop_vars)` holds; returns the last loop variables.

    In a Program both are built as blocks of one operator: each iteration keeps dtypes and numbers
    of dimensions. With data at hand it is a Python loop. Raises TypeMismatchError for what is not
    callable, ArgumentError for no loop variables.

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
    builder: Builder,
    cond: Callable[..., Any],
    body: Callable[..., Any],
    values: list[Any],
    known: Sequence[Carried] = (),
) -> list[Any]:
    """Append a `while` operator for loop values that are symbols, or become so.

    known: what is known of each value before every iteration, where more is than the values tell.

    Its blocks are traced until they hold for every iteration: a size that iterations change is a
    symbol, a value that an iteration gives a gradient wants one from the start, and what the body
    changes in place is carried too. Returns the values after the loop.
    """
    starts = [as_variable(builder, v) for v in values]
    handles: list[Variable] = []
    carried = list(known) or [Carried(v.spec, v.stop_gradient) for v in starts]
    while True:
        test, iteration = (_trace_iteration(builder, f, carried, handles) for f in (cond, body))
        if test.changed.keys() - set(handles):
            name = next(iter(test.changed)).name
            raise ConversionError(
                f"{name} is changed in place by the condition of a loop that depends on a tensor",
                cure="change it in the body",
            )
        found = len(iteration.block.outputs) + len(handles)
        if found != len(carried):
            raise ArgumentError(
                f"body returns {len(iteration.block.outputs)} values for {len(values)} loop "
                "variables"
            )
        iteration.block.outputs += [iteration.changed[handle] for handle in handles]
        following = [
            x.after(v, builder.program.fresh_dim)
            for x, v in zip(carried, iteration.block.outputs, strict=True)
        ]
        new = [builder.lift(handle) for handle in iteration.changed if handle not in set(handles)]
        if following == carried and not new:
            break
        handles = list(iteration.changed)
        starts += new
        carried = [*following, *(Carried(v.spec, v.stop_gradient) for v in new)]
    captured = close_blocks(
        [test.block, iteration.block], [test.imported, iteration.imported], len(carried)
    )
    out = while_([*starts, *captured], test.block, iteration.block, len(carried))
    results = _flagged(out, [x.stop_gradient for x in carried])
    for handle, v in zip(handles, results[len(values) :], strict=True):
        builder.merge(handle, v)
    return results[: len(values)]


@dataclass(frozen=True)
class Carried:
    """What is known of a loop value before every iteration. free: dimensions that iterations
    change."""

    spec: Spec
    stop_gradient: bool
    free: frozenset[int] = frozenset()

    def after(self, v: Variable, fresh_dim: Callable[[], Dim]) -> Carried:
        """What holds before an iteration, and after one that gives `v`."""
        pairs = list(enumerate(zip(self.spec.shape, v.spec.shape, strict=False)))
        changed = {n for n, (a, b) in pairs if not _is_same(a, b)} - self.free
        shape = tuple(fresh_dim() if n in changed else d for n, d in enumerate(self.spec.shape))
        if v.spec.dtype != self.spec.dtype or not changed:
            shape = self.spec.shape
        stop_gradient = self.stop_gradient and v.stop_gradient
        return Carried(Spec(shape, self.spec.dtype), stop_gradient, self.free | changed)


def _trace_iteration(
    builder: Builder, function: Callable[..., Any], carried: list[Carried], handles: list[Variable]
) -> Builder:
    """The nested Builder of a condition or body, whose block returns what `function` returns."""
    with builder.nested() as inner:
        given = [inner.block.add_input(x.spec, stop_gradient=x.stop_gradient) for x in carried]
        count = len(given) - len(handles)
        for handle, v in zip(handles, given[count:], strict=True):
            inner.stand_in(handle, v)
        out = function(*given[:count])
        results = out if isinstance(out, (list, tuple)) else (out,)
        inner.block.outputs = [as_variable(inner, v) for v in results]
        for before, after in zip(given[:count], inner.block.outputs, strict=False):
            if before.rebound is not None and before.latest() is not after:
                raise ConversionError(
                    "a value is changed in place and then replaced by another, in a loop that "
                    "depends on a tensor: other names for it would not show the change",
                    cure="do not change it in place: x = x + y instead of x.add_(y)",
                )
    return inner


def _flagged(out: Any, stops: list[bool]) -> list[Variable]:
    """The results of an operator as a list, with these values of stop_gradient."""
    results = list(out) if isinstance(out, tuple) else [out]
    for v, stop in zip(results, stops, strict=True):
        v.stop_gradient = stop
    return results


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


def _trace(builder: Builder, function: Callable[..., Any] | None) -> tuple[Builder, Any]:
    """The nested Builder of a branch, and the structure of what it returns."""
    with builder.nested() as inner:
        out = function() if function is not None else None
        leaves: list[Any] = []
        structure = _flatten(out, leaves)
        inner.block.outputs = [as_variable(inner, v) for v in leaves]
    return inner, structure


def close_blocks(blocks: list[Block], imports: list[Imports], leading: int = 0) -> list[Variable]:
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
