"""The derived gradient of a scan: a linear recurrence the other way.

With y[t] = f(y[t - 1], x[t]), the gradient of y[t] is what comes in and what passes through
y[t + 1]; the coefficients are slopes of f, at elements of operands and results. All of it is
ordinary operators, so gradients have gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from twinoar.autograd.backprop import backprop
from twinoar.core.dtype import DType, float32, float64
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder, replay
from twinoar.core.ir.program import Block, Program
from twinoar.core.loop.language import compute_dtype
from twinoar.core.op.definition import Op
from twinoar.core.spec import Spec, normalize_axis
from twinoar.custom.definition import Rule, parameters
from twinoar.custom.operators import as_operators
from twinoar.ops.math.cast import astype, broadcast_to
from twinoar.ops.math.fill import ones_of
from twinoar.ops.reduce.affine_scan import affine_scan, neighbours
from twinoar.passes.cse import share_common
from twinoar.passes.dead import eliminate_dead
from twinoar.passes.decompose import decompose

if TYPE_CHECKING:
    from twinoar.custom.scan import Scan

Slopes = dict[tuple[int, int], Any]  # of component i of a result by component j of an element
KEPT = 256  # gradients that an operator keeps


class ScanGradient(Rule):
    """The derived gradient rule."""

    def __init__(self, op: Op, scan: Scan):
        super().__init__("gs", *parameters(op), "outs")
        self.scan = scan
        self.known: dict[Any, tuple[Block, list[tuple[int, int]]]] = {}

    def apply(
        self,
        gs: Sequence[Any],
        elems: Sequence[Any],
        outs: Sequence[Any],
        reverse: bool,
        axis: int,
        **attrs: Any,
    ) -> tuple[Any, ...]:
        """The gradients of the operands."""
        smooth = [n for n, x in enumerate(elems) if x.dtype.is_differentiable]
        if not smooth:
            return (None,) * len(elems)
        wide = float64 if any(elems[n].dtype is float64 for n in smooth) else float32
        axis = normalize_axis(axis, elems[0].ndim)
        earlier, later = neighbours(axis, reverse)
        given = [*map(earlier, outs), *map(later, elems)]
        passed, own = self._slopes(given, smooth, wide, attrs)
        come = [astype(gs[n], wide) for n in smooth]
        slopes = _passed_on(come, passed, axis, reverse)
        grads: list[Any] = [None] * len(elems)
        for j, place in enumerate(smooth):
            terms = [own[i, j] * later(s) for i, s in enumerate(slopes) if (i, j) in own]
            total = sum(terms[1:], terms[0]) if terms else later(slopes[j]) * 0.0
            grads[place] = astype(later.replaced(slopes[j], total), elems[place].dtype)
        return tuple(grads)

    def _slopes(
        self, given: Sequence[Any], smooth: Sequence[int], wide: DType, attrs: dict[str, Any]
    ) -> tuple[Slopes, Slopes]:
        """The slopes of the function by what was so far, and by what comes next."""
        dtypes = [x.dtype for x in given[: len(given) // 2]]
        key = (*dtypes, repr(attrs) if attrs else "")
        if key not in self.known:
            if len(self.known) >= KEPT:
                self.known.clear()
            self.known[key] = self._block(dtypes, smooth, attrs)
        block, places = self.known[key]
        values = [astype(x, compute_dtype(x.dtype)) for x in given]
        found: tuple[Slopes, Slopes] = {}, {}
        shape = given[0].spec.shape
        for (i, j), slope in zip(places, replay(block, tuple(values)), strict=True):
            side, at = divmod(j, len(smooth))
            found[side][i, at] = broadcast_to(astype(slope, wide), shape)
        return found

    def _block(
        self, dtypes: Sequence[DType], smooth: Sequence[int], attrs: dict[str, Any]
    ) -> tuple[Block, list[tuple[int, int]]]:
        """The slopes of single elements, and of which result by which component each is.

        All its operators broadcast, so it serves operands of any shapes.
        """
        form = self.scan.form(dtypes, attrs)
        elements = (*form.left, *form.right)
        program = Program(f"{self.scan.name}.grad")
        inputs = [
            program.main.add_input(Spec((), x.dtype), stop_gradient=not x.dtype.is_differentiable)
            for x in elements
        ]
        wanted = [x for x in inputs if x.spec.dtype.is_differentiable]
        known = dict(zip(elements, inputs, strict=True))
        places, slopes = [], []
        with using(Builder(program)):
            results = [as_operators(self.scan.name, form.results[n], known) for n in smooth]
            steps = list(reversed(program.main.ops))
            for i, result in enumerate(results):
                grads = backprop(steps, {result: ones_of(result.spec)})
                places += [(i, j) for j, x in enumerate(wanted) if x in grads]
                slopes += [grads[x] for x in wanted if x in grads]
        program.main.outputs = slopes
        share_common(eliminate_dead(decompose(program)))
        return eliminate_dead(program).main, places


def _passed_on(come: Sequence[Any], passed: Slopes, axis: int, reverse: bool) -> tuple[Any, ...]:
    """The gradients of the results, with what passes through those after them."""
    k, spec = len(come), come[0].spec
    earlier, _ = neighbours(axis, reverse)
    pattern = tuple((i, j) in passed for j in range(k) for i in range(k))
    coefficients = [
        earlier.placed(passed[i, j], spec) for j in range(k) for i in range(k) if (i, j) in passed
    ]
    found = affine_scan((*coefficients, *come), pattern, axis, not reverse)
    return found if k > 1 else (found,)
