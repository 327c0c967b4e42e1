"""Gradients in training programs that Paddle wrote: `relu_grad` is our gradient of the `relu` read.

Paddle's gradient operators name what they need of the forward operator; ours follow from what was
built when that was read. The gradients of loops and branches are not served.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from twinoar.autograd.backprop import backprop
from twinoar.core.ir.program import Operator, Variable
from twinoar.errors import FileError
from twinoar.formats.paddle.program_desc import slots_of
from twinoar.ops.math.fill import zeros_of

GRADIENT = "_grad"  # ends the type of an operator
OF = "@GRAD"  # ends a slot; a variable's name may go on after it
EMPTY = "@EMPTY@"  # a gradient that nobody wants

Named = Mapping[str, Sequence[tuple[str, Any]]]  # by slot: names, and the values they had


class Forward(NamedTuple):
    """An operator of the file that was read, and what was built for it."""

    inputs: Named
    outputs: Named
    made: tuple[Operator, ...]


def is_gradient_of(op: Any, types: Mapping[str, Any]) -> bool:
    """True for the gradient of an operator that is known, and is not so itself."""
    return op.type not in types and op.type.removesuffix(GRADIENT) in types.keys() - {op.type}


def read_gradient(
    block: Any, op: Any, place: str
) -> None:  # Any: a BlockReader, which imports this
    """Define the gradients that the operator computes. Raises FileError where nothing fits it."""
    given, outputs = dict(slots_of(op.inputs)), dict(slots_of(op.outputs))
    forward = _forward(block.forwards.get(op.type.removesuffix(GRADIENT), ()), given)
    if forward is None:
        raise FileError(f"{place}: nothing before it is the operator that it is the gradient of")
    before = len(block.builder.block.ops)
    grads: dict[Any, Any] = {}
    for slot, named in forward.outputs.items():
        for (_, value), name in zip(named, given.get(slot + OF, ()), strict=False):
            if name != EMPTY:
                grads[value] = block.variable(name, place)
    targets = {
        name: value
        for slot, named in forward.inputs.items()
        for (_, value), name in zip(named, outputs.get(slot + OF, ()), strict=False)
        if name not in (EMPTY, "")
    }
    inside = set(forward.made)

    def wants(v: Variable) -> bool:
        asked = v.producer in inside or any(v is x for x in targets.values())
        return asked and v.spec.dtype.is_differentiable

    backprop(reversed(forward.made), grads, wants)
    for name, value in targets.items():  # one that is used twice has one gradient, and zeros
        found = grads.pop(value, None)
        found = zeros_of(value.spec) if found is None else found
        block.define(name, found, set(block.builder.block.ops[before:]))


def _forward(known: Sequence[Forward], given: Mapping[str, Sequence[str]]) -> Forward | None:
    """The last operator that has the variables that the gradient names."""
    for forward in reversed(known):
        slots = {**forward.inputs, **forward.outputs}
        shared = [s for s in slots if s in given]
        gradients = [s for s in forward.outputs if s + OF in given]
        if (
            gradients
            and all([n for n, _ in slots[s]] == list(given[s]) for s in shared)
            and all(_are_of(given[s + OF], forward.outputs[s]) for s in gradients)
        ):
            return forward
    return None


def _are_of(gradients: Sequence[str], named: Sequence[tuple[str, Any]]) -> bool:
    return all(
        g == EMPTY or g.startswith(name + OF)
        for g, (name, _) in zip(gradients, named, strict=False)
    )
