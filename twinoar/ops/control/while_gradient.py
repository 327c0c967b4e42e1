"""Gradients of `while`, and the gradients of these: the loop runs again, then iterations go back.

Kernels that call blocks, and no loops of a Program: what a loop carries may have another shape
after each iteration, as a list that grows has, so no tensor could hold what all iterations started
from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from twinoar.core.dtype import float64, int64
from twinoar.core.ir.builder import trace
from twinoar.core.ir.program import Block, copy_block
from twinoar.core.op.declare import Spec, Tensor, primitive
from twinoar.errors import GradientError
from twinoar.ops.math.arithmetic import add, multiply
from twinoar.ops.math.compare import less_than

Function = Callable[..., tuple[Any, ...]]  # a block, as kernels receive it
Arrays = Sequence[Any]


def _gradient_specs(*values: Any, test: Block, body: Block, backward: Block, carried: int) -> Any:
    return _differentiable(values[: len(values) - carried])


@primitive(infer=_gradient_specs)
def while_gradient(
    values: Sequence[Tensor], test: Block, body: Block, backward: Block, carried: int
) -> Tensor:
    """Gradients of `while`, the last iteration first.

    The loop runs again, keeping what each iteration started from; then `backward` runs iteration by
    iteration. values: the operands of the loop, then the gradients of its results. backward: the
    gradient block of `body`. Returns the gradients of the differentiable operands.
    """


@while_gradient.kernel
def _(*values, test, body, backward, carried):
    xs, gs = values[: len(values) - carried], values[len(values) - carried :]
    starts = _starts(test, body, xs[:carried], xs[carried:])
    _, first, totals = _went_back(backward, starts, xs[carried:], gs)
    return _results([*first, *totals], xs)


@while_gradient.grad
def _(vjp, gs, values, test, body, backward, carried):
    count = len(values) - carried
    found = while_second_gradient(
        [*values, *gs], test, body, backward, own_copy(vjp(backward)), carried, count
    )
    return in_places(found, values)


@while_gradient.samples
def _(s):
    given = [s.randn(3, dtype="float64") for _ in range(3)]
    for start in (0, 1, 5):
        yield s(
            [np.array(start), *given[:2], np.array(0), given[2]],
            *_products()[:3],
            2,
            second=False,
            half=False,
        )


def _second_specs(*values: Any, carried: int, operands: int, **blocks: Block) -> Any:
    return _differentiable(values[: operands + carried])


@primitive(infer=_second_specs)
def while_second_gradient(
    values: Sequence[Tensor],
    test: Block,
    body: Block,
    backward: Block,
    second: Block,
    carried: int,
    operands: int,
) -> Tensor:
    """Gradients of `while_gradient`: what goes back through the iterations that went back.

    The loop runs again, and back; then `second`, the gradient block of `backward`, runs from the
    first iteration to the last, and `backward` once more from the last to the first.
    values: the `operands` of the loop, the gradients of its results, then the gradients of what
    `while_gradient` returns. Returns the gradients of the first two. It has no gradient itself.
    """


@while_second_gradient.kernel
def _(*values, test, body, backward, second, carried, operands):
    xs, gs = values[:operands], values[operands : operands + carried]
    seeds = _by_operand(values[operands + carried :], xs)
    rest = xs[carried:]
    starts = _starts(test, body, xs[:carried], rest)
    given, _, _ = _went_back(backward, starts, rest, gs)
    forward, totals = seeds[:carried], [np.zeros_like(x) for x in rest]
    direct = []  # of what each iteration started from: the gradient that came through its backward
    for start, g in zip(starts, given, strict=True):
        wanted = [found is not None for found in backward(*start, *rest, *g)]
        asked = zip([*forward, *seeds[carried:]], wanted, strict=True)
        found = second(*start, *rest, *g, *(x for x, is_wanted in asked if is_wanted))
        direct.append(found[:carried])
        totals = _sums(totals, found[carried:operands])
        forward = _filled(found[operands:], g)
    last = [np.zeros_like(g) for g in gs]
    for start, through in zip(reversed(starts), reversed(direct), strict=True):
        found = backward(*start, *rest, *last)
        last = _sums(_filled(found[:carried], start), through)
        totals = _sums(totals, found[carried:])
    return _results([*last, *totals, *forward], [*xs, *gs])


@while_second_gradient.grad
def _(values):
    raise GradientError(
        "a loop that depends on a tensor has first and second derivatives, and no third",
        cure="loop over a plain int, which to_static unrolls, or differentiate once less",
    )


@while_second_gradient.samples
def _(s):
    given = [s.randn(3, dtype="float64") for _ in range(5)]
    for start in (0, 5):
        yield s(
            [np.array(start), *given[:2], np.array(0), *given[2:]],
            *_products(),
            2,
            3,
            gradient=False,
            half=False,
        )


def _differentiable(values: Iterable[Any]) -> tuple[Spec, ...] | Spec:
    found = tuple(x for x in values if x.dtype.is_differentiable)
    return found if len(found) != 1 else found[0]


def in_places(found: Any, values: Sequence[Any]) -> tuple[Any, ...]:
    """The results in the places of the differentiable values, None in the others."""
    computed = iter(found if isinstance(found, tuple) else (found,))
    return tuple(next(computed) if x.dtype.is_differentiable else None for x in values)


def own_copy(block: Block) -> Block:
    """The same block again, for one operator: passes change the blocks of operators in place."""
    return copy_block(block, block.names, {})


# Of kernels. A gradient is None where there is none.


def _starts(test: Function, body: Function, state: Arrays, rest: Arrays) -> list[Arrays]:
    """What each iteration starts from."""
    starts = []
    while test(*state, *rest)[0]:
        starts.append(state)
        state = body(*state, *rest)
    return starts


def _went_back(
    backward: Function, starts: list[Arrays], rest: Arrays, gs: Arrays
) -> tuple[list[Arrays], Arrays, Arrays]:
    """The gradients of what each iteration gave, of what the first started from, and of `rest`."""
    given, totals = [], [np.zeros_like(x) for x in rest]
    for start in reversed(starts):
        given.append(gs)
        found = backward(*start, *rest, *gs)
        gs = _filled(found[: len(start)], start)
        totals = _sums(totals, found[len(start) :])
    return given[::-1], gs, totals


def _filled(gradients: Arrays, values: Arrays) -> list[Any]:
    return [np.zeros_like(x) if g is None else g for g, x in zip(gradients, values, strict=True)]


def _sums(totals: Arrays, more: Arrays) -> list[Any]:
    return [t if g is None else np.asarray(t + g) for t, g in zip(totals, more, strict=True)]


def _by_operand(gradients: Arrays, values: Arrays) -> list[Any]:
    """The gradients in the places of the differentiable values, None in the others."""
    given = iter(gradients)
    return [next(given) if _is_differentiable(x) else None for x in values]


def _results(gradients: Arrays, values: Arrays) -> Any:
    kept = [g for g, x in zip(gradients, values, strict=True) if _is_differentiable(x)]
    return tuple(map(np.asarray, kept)) if len(kept) != 1 else np.asarray(kept[0])


def _is_differentiable(x: Any) -> bool:
    return x.dtype.kind in "fcV"


def _products() -> tuple[Block, Block, Block, Block]:
    """The blocks of `while i < 3: i, x = i + 1, x * y` and of its gradients, for samples."""
    n, x = Spec((), int64), Spec((3,), float64)

    def second(i: Any, x: Any, y: Any, gi: Any, g: Any, hx: Any, hy: Any) -> tuple[Any, ...]:
        of_g = add(multiply(hx, y), multiply(hy, x))
        return None, multiply(hy, g), multiply(hx, g), None, of_g

    return (
        trace(lambda i, x, y: (less_than(i, 3),), n, x, x).main,
        trace(lambda i, x, y: (add(i, 1), multiply(x, y)), n, x, x).main,
        trace(lambda i, x, y, gi, g: (None, multiply(g, y), multiply(g, x)), n, x, x, n, x).main,
        trace(second, n, x, x, n, x, x, x).main,
    )
