"""The derived gradient of a loop nest: its elements as operators, all indices at once.

An index is a tensor of whole numbers with a dimension for each loop, an element of an operand is
gathered there, a reduction goes over the last dimensions. Right for every nest; one that knows its
own gradient is faster with a rule of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from twinoar.autograd.backprop import backprop
from twinoar.compile.evaluation import loads
from twinoar.core.dtype import int64
from twinoar.core.interpreter import current, eager, using
from twinoar.core.ir.builder import Builder, replay
from twinoar.core.ir.program import Block, Program
from twinoar.core.loop.expression import Axis, Expr, axis_value, split
from twinoar.core.op.attr import Attr, Operand
from twinoar.core.op.definition import DERIVATIONS, Op, op_named
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.custom.definition import Rule, operands_of, parameters
from twinoar.custom.file_form import own_form
from twinoar.custom.operators import as_tensor, value_of
from twinoar.eager.tensor import Tensor
from twinoar.errors import UnsupportedError
from twinoar.ops.create.range import iota
from twinoar.ops.index.gather import gather
from twinoar.ops.math.cast import astype, broadcast_to
from twinoar.ops.shape.reshape import reshape_op as reshape
from twinoar.ops.shape.reshape import transpose_op
from twinoar.passes.cse import share_common
from twinoar.passes.dead import eliminate_dead
from twinoar.passes.decompose import decompose

if TYPE_CHECKING:
    from twinoar.custom.nest import Nest

SUFFIX = "slopes"
KEPT = 256  # gradients that an operator keeps


class Grid:
    """Values of nodes as tensors with one dimension for each axis; reductions add dimensions."""

    def __init__(self, name: str, axes: Sequence[Axis], outer: Grid | None = None):
        self.name, self.axes, self.outer = name, tuple(axes), outer
        self.values: dict[Expr, Any] = {}
        before = 0 if outer is None else outer.rank
        self.rank: int = before + len(axes)
        self.place: dict[Axis, int] = {} if outer is None else dict(outer.place)
        self.place.update((a, before + n) for n, a in enumerate(axes))

    def of(self, e: Expr) -> Any:
        """The value of a node: a tensor of `rank` dimensions, or a number."""
        if e not in self.values:
            self.values[e] = self._compute(e)
        return self.values[e]

    def _compute(self, e: Expr) -> Any:
        if self.outer is not None and not e.free.intersection(self.axes):
            found = self.outer.of(e)
            grown = [1] * len(self.axes)
            return reshape(found, [*found.shape, *grown]) if isinstance(found, Value) else found
        if e.kind == "axis":
            return reshape(iota(e.args[0].size), self._shape([e.args[0]]))
        if e.kind == "load":
            return self._element(*e.args)
        if e.kind == "bounded":
            return self.of(e.args[0])
        if e.kind == "reduce":
            return self._reduced(*e.args)
        return value_of(self.name, e, [self.of(c) for c in e.children])

    def _shape(self, axes: Sequence[Axis]) -> list[int]:
        """The sizes of these axes in their places, 1 elsewhere."""
        sizes = [1] * self.rank
        for a in axes:
            sizes[self.place[a]] = a.size
        return sizes

    def _element(self, row: Value, position: Expr) -> Value:
        axes = order_of(position, row.shape[0])
        if axes is not None:  # all elements, each once: no gathering, and no scattering back
            places = [self.place[a] for a in axes]
            perm = sorted(range(len(axes)), key=places.__getitem__)
            lying = transpose_op(reshape(row, [a.size for a in axes]), perm)
            return reshape(lying, self._shape(axes))
        index = as_tensor(self.of(position), int64, self.rank)
        return reshape(gather(row, reshape(index, [-1])), index.shape)

    def _reduced(self, kind: str, axes: tuple[Axis, ...], term: Expr) -> Value:
        inner = Grid(self.name, axes, self)
        values = as_tensor(inner.of(term), term.dtype, inner.rank)
        kept = values.shape[: self.rank]
        values = broadcast_to(values, (*kept, *(a.size for a in axes)))
        row = reshape(values, [*kept, math.prod(a.size for a in axes)])
        return op_named(kind)(row, self.rank if kind.startswith("arg") else (self.rank,))


def order_of(position: Expr, count: int) -> list[Axis] | None:
    """The axes that run through `count` elements in order, outermost first; None if none do."""
    constant, terms = split(position)
    if constant or any(t.kind != "axis" for t in terms):
        return None
    ordered = sorted(terms.items(), key=lambda item: -item[1])
    step = 1
    for t, c in reversed(ordered):
        if c != step:
            return None
        step *= t.args[0].size
    return [t.args[0] for t, _ in ordered] if step == count else None


def results_of(nest: Nest, operands: Sequence[Any], attrs: dict[str, Any]) -> list[Value]:
    """The results of a nest on values of known sizes, by operators."""
    readers = [
        loads(reshape(x, [-1]), tuple(x.shape), x.dtype) if isinstance(x, Value) else x
        for x in operands
    ]
    found = []
    for result in nest.results(readers, attrs):
        axes = [Axis(n, f"i{k}") for k, n in enumerate(result.shape)]
        e = nest.element(result)(tuple(map(axis_value, axes)))
        out = as_tensor(Grid(nest.name, axes).of(e), e.dtype)
        found.append(astype(broadcast_to(out, result.shape), result.dtype))
    return found


class NestGradient(Rule):
    """The derived gradient rule of a nest: one line, `<name>.slopes`."""

    def __init__(self, slopes: Slopes):
        super().__init__("gs", *parameters(slopes.of), "wanted")
        self.slopes = slopes

    def apply(self, gs: Any, wanted: Any, **given: Any) -> tuple[Any, ...]:
        """The gradients of the operands."""
        operands = operands_of(self.slopes.of, given)
        asked = tuple(
            bool(w) and isinstance(x, Value) and x.dtype.is_differentiable
            for x, w in zip(operands, wanted, strict=True)
        )
        if not any(asked):
            return (None,) * len(operands)
        values = (*gs, *operands)
        attrs = {**given, "present": tuple(x is not None for x in values), "asked": asked}
        values = tuple(x for x in values if x is not None)
        out = current().apply(self.slopes, values, attrs)
        found = iter(out if isinstance(out, tuple) else (out,))
        return tuple(next(found) if w else None for w in asked)


class Slopes(Op):
    """The operator `<name>.slopes`: gradients of results and operands in, of operands out.

    It stays one line until the sizes are known. present: which of the gradients of results and of
    the operands there are; the others are None. asked: which operands' gradients are wanted.
    """

    def __init__(self, of: Op, nest: Nest):
        self.of, self.nest = of, nest
        self.name = self.__name__ = f"{of.name}.{SUFFIX}"
        self.__doc__ = self.doc = f"Gradients of the operands of {of.name}, by operators."
        self.operands = (Operand("values", variadic=True),)
        self.attrs = {
            **of.attrs,
            **{name: Attr(name, tuple[bool, ...], (), tuple) for name in ("present", "asked")},
        }
        self.rules = {"infer": self.specs, "kernel": self.kernel, "desc": own_form(self, of)}
        self.kernel_rule, self.body = self.kernel, self.gradients
        self.promote_rule = self.grad_rule = None
        self.variadic, self.takes_blocks = True, False
        self.known: dict[str, Block] = {}

    @property
    def type(self) -> str:
        """Its own name, which in files is that of twinoar's operators."""
        return self.name

    def specs(self, *values: Any, present: Any, asked: Any, **attrs: Any) -> Any:
        """The specs of the operands that are asked for."""
        operands = _filled(values, present)[-len(asked) :]
        found = tuple(s for s, w in zip(operands, asked, strict=True) if w)
        return found if len(found) != 1 else found[0]

    def kernel(self, *arrays: Any, **attrs: Any) -> Any:
        """The body, run at once."""
        plain = eager(UNRECORDED)
        with using(plain):
            out = self.gradients([Tensor(a) if hasattr(a, "dtype") else a for a in arrays], **attrs)
        return tuple(g._data for g in out) if isinstance(out, tuple) else out._data

    def gradients(self, values: Any, *, present: Any, asked: Any, **attrs: Any) -> Any:
        """The body: the derivative of the nest as operators; built once for each shape."""
        specs = [x.spec if isinstance(x, Value) else x for x in values]
        if not all(s.is_static for s in specs if isinstance(s, Spec)):
            raise UnsupportedError(
                f"the derived gradient of {self.of.name} needs sizes, and this Program leaves some "
                "to the run",
                cure=f"give it a rule: @{self.of.name}.grad, with ordinary operators",
            )
        key = repr((specs, present, asked, attrs))
        if key not in self.known:
            if len(self.known) >= KEPT:
                self.known.clear()
            self.known[key] = self._block(_filled(specs, present), asked, attrs)
        found = replay(self.known[key], tuple(x for x in values if isinstance(x, Value)))
        return found if len(found) != 1 else found[0]

    def _block(self, specs: list[Any], asked: tuple[bool, ...], attrs: dict[str, Any]) -> Block:
        program, count = Program(self.name), len(specs) - len(asked)
        given = [
            program.main.add_input(s, stop_gradient=n < count or not asked[n - count])
            if isinstance(s, Spec)
            else s
            for n, s in enumerate(specs)
        ]
        with using(Builder(program)):
            results = results_of(self.nest, given[count:], attrs)
            grads: dict[Any, Any] = {
                r: g for r, g in zip(results, given[:count], strict=True) if g is not None
            }
            backprop(list(reversed(program.main.ops)), grads)
            wanted = [x for x, w in zip(given[count:], asked, strict=True) if w]
            program.main.outputs = [
                grads[x] if x in grads else op_named("fill")(x.spec.shape, 0, x.dtype)
                for x in wanted
            ]
        share_common(eliminate_dead(decompose(program)))
        return eliminate_dead(program).main


def _filled(values: Sequence[Any], present: Sequence[bool]) -> list[Any]:
    """The values, with None where one is not present."""
    given = iter(values)
    return [next(given) if is_there else None for is_there in present]


DERIVATIONS[SUFFIX] = attrgetter(SUFFIX)
