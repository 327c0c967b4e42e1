"""Reverse-mode differentiation, written once for the eager tape and for Programs.

A walk over operators, last first, that turns gradients of results into gradients of operands by
each operator's rule. Rules call ordinary operators, so under Eager this computes, under a Builder
it appends, and with recording on the result can be differentiated again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from twinoar.autograd.conjugation import between_conjugations, meets_complex
from twinoar.autograd.kept import kept
from twinoar.core.dim import is_known
from twinoar.core.dtype import DType, default_dtype
from twinoar.core.interpreter import beside, current, recording, using
from twinoar.core.ir.builder import Builder, call_body, replay
from twinoar.core.ir.program import Block, Operator, Program, State, Variable
from twinoar.core.ir.silent import live
from twinoar.core.op.attr import Attr, Operand
from twinoar.core.op.definition import DERIVATIONS, Op
from twinoar.core.op.slots import Slots
from twinoar.core.values import Value
from twinoar.errors import GradientError, NotTensorError, ShapeError
from twinoar.ops.create.fill import constant
from twinoar.ops.index.selected_rows import add_gradients, dense
from twinoar.ops.math.fill import ones_of, zeros_of

KEPT = 64  # gradients of bodies that an operator keeps, by shapes and attributes


def accumulate(grads: dict, key: Any, g: Any) -> None:
    """Add `g` to what is known of the gradient of `key`."""
    before = grads.get(key)
    grads[key] = g if before is None else add_gradients(before, g)


def require_values(values: list, gradients: list) -> None:
    """Raise TypeMismatchError for what is no value; a gradient may be None."""
    for role, given in (("to differentiate", values), ("as gradient", gradients)):
        for x in given:
            if not isinstance(x, Value) and (x is not None or given is values):
                raise NotTensorError(
                    f"expected a Tensor {role}, received {type(x).__name__}",
                    cure="convert it with to_tensor",
                )


def seeded(outputs: list, gradients: list) -> list[tuple[Any, Any]]:
    """Each output with its gradient to begin with; ones where that is None.

    Raises GradientError for an output that wants no gradient, ShapeError where one does not fit.
    """
    for x, g in zip(outputs, gradients, strict=True):
        if x.stop_gradient:
            raise GradientError(
                f"the tensor {x.name} of shape {x.shape} does not want a gradient: "
                "stop_gradient is True",
                cure="set stop_gradient=False on the leaves that should get gradients "
                "before computing",
            )
        if g is not None and g.shape != x.shape:
            raise ShapeError(
                f"the gradient of a tensor of shape {x.shape} has shape {g.shape}",
                cure="give one number for each element",
            )
    with using(recording(False)):
        return [
            (x, _ones_for(x) if g is None else g) for x, g in zip(outputs, gradients, strict=True)
        ]


def _ones_for(x: Any) -> Any:
    with using(beside(x)):
        return ones_of(x.spec)


def wants_gradient(x: Variable) -> bool:
    """True for a Variable that gradients flow to."""
    return not x.stop_gradient


def backprop(
    operators: Iterable[Operator],
    grads: dict[Any, Any],
    wants: Callable[[Variable], bool] = wants_gradient,
    after: Callable[[dict[Any, Any]], None] | None = None,
) -> dict[Any, Any]:
    """Walk the Operators of a Block, last first; `grads`, by Variable, is filled in.

    wants: which operands gradients flow on to. after: called with `grads` after each Operator that
    they have gone through; it may change them.
    """
    for o in operators:
        gs = [None if v is None else dense(grads.get(v)) for v in o.results]
        if all(g is None for g in gs):
            continue
        wanted = [isinstance(x, Variable) and wants(x) for x in o.operands]
        if not any(wanted):
            continue
        interpreter = current()
        if not interpreter.runs:
            interpreter.source, interpreter.marks = o.source, o.marks
        for x, g, is_wanted in zip(o.operands, gradients_of(o, gs, wanted), wanted, strict=True):
            if is_wanted and g is not None:
                accumulate(grads, x, g)
        if after is not None:
            after(grads)
    return grads


def gradients_of(o: Operator, gs: list, wanted: list[bool]) -> tuple:
    """The gradients of one Operator's operands: one derived operator `<name>.grad`."""
    gs = [
        g if g is not None or v is None or not v.spec.dtype.is_differentiable else zeros_of(v.spec)
        for g, v in zip(gs, o.results, strict=True)
    ]
    check_differentiable(o.op, o.attrs)
    if gives_rows(o.op, o.attrs):
        outs = o.results if uses_results(o.op) else ()
        return call_rule(
            o.op, lambda name: _offer(o.op, name, tuple(gs), o.operands, outs, o.attrs)
        )
    values = (*gs, *o.operands, *(o.results if uses_results(o.op) else ()))
    derived = derived_grad(o.op)
    attrs = {**o.attrs, derived.count: len(o.results)}
    if derived.choice in derived.attrs:
        attrs[derived.choice] = tuple(wanted)
    out = current().apply(derived, values, attrs)
    return out if len(o.operands) != 1 else (out,)


def check_differentiable(op: Op, attrs: dict) -> None:
    """Raise GradientError for an operator that has no gradient."""
    if op.grad_rule is None and op.body is None:
        raise GradientError(
            f"{op.name} is not differentiable",
            cure="set stop_gradient=True on its operands, or detach() its result",
        )


def gives_rows(op: Op, attrs: dict) -> bool:
    """True where a gradient is SelectedRows, which no result of one operator is."""
    rule = op.rules.get("grad_of_rows")
    return rule is not None and rule(**attrs)


def no_graph_of_rows() -> GradientError:
    """The error for a gradient of a gradient that is SelectedRows."""
    return GradientError(
        "the gradient of embedding(sparse=True) is rows of a table, which have no gradient",
        cure="use sparse=False where gradients of gradients are wanted",
    )


def uses_results(op: Op) -> bool:
    """True if the gradient needs the operator's results."""
    return op.grad_rule is not None and op.grad_rule.needs_out


def call_rule(op: Op, offered: Callable[[str], Any]) -> tuple:
    """Run a gradient rule with what it asks for by name; one gradient per operand."""
    assert op.grad_rule is not None
    asked = [offered(name) for name in op.grad_rule.asks]
    if meets_complex(op.grad_rule, asked):
        return between_conjugations(op.grad_rule, asked)
    out = op.grad_rule.function(*asked)
    return out if isinstance(out, tuple) else (out,)


class DerivedGrad(Op):
    """The operator `<name>.grad`: gradients of results in, gradients of operands out.

    It also takes the operands and, where the rule needs them, the results. One line in a Program,
    expanded by `decompose`. The attribute that `count` names tells how many of its operands are
    gradients; the one that `choice` names, where the rule asks, which gradients are wanted: fixed
    when the operator is made, as which results there are must not depend on where its body is
    replayed.
    """

    def __init__(self, of: Op):
        self.of = of
        self.name = self.__name__ = f"{of.name}.grad"
        self.__doc__ = self.doc = f"Gradients of the operands of {of.name}."
        self.operands = (Operand("values", variadic=True),)
        self.count: str = "results" if not isinstance(of, DerivedGrad) else f"{of.count}_of_grad"
        self.choice: str = self.count.replace("results", "wanted")
        self.attrs = {**of.attrs, self.count: Attr(self.count, int, 1, int)}
        if of.grad_rule is not None and "wanted" in of.grad_rule.asks:
            self.attrs[self.choice] = Attr(self.choice, tuple[bool, ...], (), tuple)
        self.body = self.gradients
        self.rules = {}
        self.kernel_rule = self.promote_rule = self.grad_rule = None
        self.variadic, self.takes_blocks = True, False

    @property
    def type(self) -> str:
        """The type of the operator, and `_grad`."""
        return f"{self.of.type}_grad"

    def input_slots(self, operands: tuple, attrs: dict) -> Slots:
        """Those of the operator, and gradients of its results in `Out@GRAD` and its like."""
        gs, given, outs = self.split(operands, attrs[self.count])
        gradients = _of_gradients(self.of.output_slots(gs, attrs))
        results = self.of.output_slots(outs, attrs) if outs else {}
        return gradients | self.of.input_slots(given, attrs) | results

    def output_slots(self, results: tuple, attrs: dict) -> Slots:
        """Gradients of the operator's operands, in `X@GRAD` and its like."""
        return _of_gradients(self.of.input_slots(results, attrs))

    def shown_attrs(self, operands: tuple, attrs: dict) -> dict[str, Any]:
        """Those of the operator."""
        given = self.split(operands, attrs[self.count])[1]
        own = {name: value for name, value in attrs.items() if name in self.of.attrs}
        return self.of.shown_attrs(given, own)

    def split(self, values: tuple, results: int) -> tuple[tuple, tuple, tuple]:
        """Gradients of results, operands, results."""
        outs = results if uses_results(self.of) else 0
        end = len(values) - outs
        return values[:results], values[results:end], values[end:]

    def gradients(self, values: tuple, **attrs: Any) -> Any:
        """The body: the operator's rule, or where it has none the derivative of its body."""
        gs, operands, outs = self.split(tuple(values), attrs.pop(self.count))
        wanted = attrs.pop(self.choice, ())
        if self.of.grad_rule is not None:
            attrs["wanted"] = wanted
            found = call_rule(
                self.of, lambda name: _offer(self.of, name, gs, operands, outs, attrs)
            )
        else:
            found = _differentiate_body(self.of, gs, operands, attrs)
        if len(found) != len(operands):
            raise GradientError(
                f"{self.name} returned {len(found)} gradients for {len(operands)} operands"
            )
        return found if len(found) != 1 else found[0]


def _of_gradients(slots: Slots) -> Slots:
    return {f"{slot}@GRAD": held for slot, held in slots.items()}


def derived_grad(of: Op) -> DerivedGrad:
    """The operator that computes the gradients of `of`'s operands; made once, and kept by `of`."""
    found: DerivedGrad | None = of.__dict__.get("derived_grad")
    if found is None:
        found = of.__dict__["derived_grad"] = DerivedGrad(of)
    return found


DERIVATIONS["grad"] = derived_grad


def _offer(op: Op, name: str, gs: tuple, operands: tuple, outs: tuple, attrs: dict) -> Any:
    """What a gradient rule asks for as `name`."""
    match name:
        case "g":
            return gs[0]
        case "gs":
            return gs
        case "out":
            return outs[0]
        case "outs":
            return outs
        case "specs":
            return tuple(x.spec if isinstance(x, Value) else x for x in operands)
        case "wanted":
            return attrs["wanted"]
        case "vjp":
            return vjp
    if name in op.attrs:
        return attrs[name]
    return operand_called(op, name, operands)


def operand_called(op: Op, name: str, operands: tuple) -> Any:
    """The operand `name` of a call; for the variadic one, the tuple of what it holds."""
    index = next(i for i, o in enumerate(op.operands) if o.name == name)
    return tuple(operands[index:]) if op.operands[index].variadic else operands[index]


def _differentiate_body(op: Op, gs: tuple, operands: tuple, attrs: dict) -> tuple:
    """Gradients of a composite without a rule: its body built, walked back, and replayed here."""
    gradient = _kept_gradient(op, gs, operands, attrs)
    values = tuple(x for x in (*operands, *gs) if isinstance(x, Value))
    found = iter(replay(gradient, values, constants_of(gradient)))
    return tuple(next(found) if isinstance(x, Value) else None for x in operands)


def _kept_gradient(op: Op, gs: tuple, operands: tuple, attrs: dict) -> Block:
    """`_body_gradient`, built once for calls of which it cannot tell one from another."""

    def make() -> Block:
        return _body_gradient(op, gs, operands, attrs)

    blocks = [a for a in attrs.values() if isinstance(a, Block)]
    if blocks:
        known = (_form(x) for x in (*gs, *operands))
        return kept(blocks, (op, len(gs), *known, *attrs.items()), make)
    key = _key_of(op, gs, operands, attrs)
    if key is None:
        return make()
    gradients: dict[tuple, Block] = op.__dict__.setdefault("gradients_of_body", {})
    found = gradients.get(key)
    if found is None:
        if len(gradients) >= KEPT:
            gradients.clear()
        found = gradients[key] = make()
    return found


def _key_of(op: Op, gs: tuple, operands: tuple, attrs: dict) -> tuple | None:
    """What the gradient of a body depends on; None where more than plain values may tell.

    Bodies of users' operators may read anything, and sizes that are open belong to a Program.
    """
    if type(op) is not Op:
        return None
    forms: list[Any] = []
    for x in (*gs, *operands):
        if isinstance(x, Value):
            if not is_known(*x.spec.shape):
                return None
            forms += (x.spec.shape, x.spec.dtype)
        elif _is_plain(x):
            forms.append(repr(x))  # in which -0.0 is another number than 0.0
        else:
            return None
    if not all(map(_is_plain, attrs.values())):
        return None
    return len(gs), default_dtype(), *forms, repr(attrs)


def _is_plain(x: Any) -> bool:
    """True for what its text tells whole."""
    if isinstance(x, (tuple, list)):
        return all(map(_is_plain, x))
    return x is None or isinstance(x, (bool, int, float, complex, str, DType))


def constants_of(block: Block) -> dict[State, Any]:
    """The constants that `block` reads, as values of the current interpreter."""
    read = {x for o in block.ops for x in o.operands if isinstance(x, State) and x.is_constant}
    return {s: constant.function(np.asarray(s.data)) for s in read}


def _form(x: Any) -> tuple:
    """All that the gradient of a body can depend on in an operand."""
    return (Value, x.spec) if isinstance(x, Value) else (type(x), x)


def _body_gradient(op: Op, gs: tuple, operands: tuple, attrs: dict) -> Block:
    """The Block from tensor operands and gradients of results to the gradients of the former."""
    program = Program(op.name)
    builder = Builder(program)
    inputs = [
        program.main.add_input(x.spec, stop_gradient=not x.dtype.is_differentiable)
        if isinstance(x, Value)
        else x
        for x in operands
    ]
    seeds = [None if g is None else program.main.add_input(g.spec) for g in gs]
    with using(builder):
        out = call_body(op, tuple(inputs), attrs)
        results = out if isinstance(out, (tuple, list)) else (out,)
        grads = _summed_seeds(zip(results, seeds, strict=True))
        backprop(list(reversed(program.main.ops)), grads)
        found = [dense(grads.get(x)) for x in inputs if isinstance(x, Variable)]
    program.main.outputs = found
    return live(program.main)


def _summed_seeds(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """Gradients by result; one value may be several results, as in the body of `add.grad`."""
    grads: dict[Any, Any] = {}
    for result, seed in pairs:
        if seed is not None and isinstance(result, Variable):
            accumulate(grads, result, seed)
    return grads


def vjp(block: Block) -> Block:
    """The Block that maps (inputs of `block`, gradients of its outputs) to gradients of the inputs.

    Inputs that take no gradient get none: their place holds None. Outputs that are None take none.
    It is built once for a block: who puts it into an operator copies it.
    """
    return kept([block], vjp, lambda: _gradient_block(block))


def _gradient_block(block: Block) -> Block:
    program = Program("vjp")
    builder = Builder(program)
    with using(builder):
        inputs = [
            program.main.add_input(v.spec, stop_gradient=not v.dtype.is_differentiable)
            for v in block.inputs
        ]
        outputs = [v for v in replay(block, tuple(inputs)) if v is not None]
        seeds = [program.main.add_input(v.spec) for v in block.outputs if v is not None]
        pairs = zip(outputs, seeds, strict=True)
        grads = _summed_seeds(
            (v, s) for v, s in pairs if isinstance(v, Variable) and wants_gradient(v)
        )
        backprop(list(reversed(program.main.ops)), grads)
        found = [dense(grads.get(v)) for v in inputs]
    program.main.outputs = found
    return live(program.main)
