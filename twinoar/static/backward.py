"""Gradients in a Program: append_backward and gradients."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from twinoar.autograd.backprop import backprop
from twinoar.core.ir import State, Variable
from twinoar.errors import ArgumentError, GradientError, ShapeError, TypeMismatchError
from twinoar.ops.create import ones_of
from twinoar.static.mode import building
from twinoar.static.program import Program


def append_backward(
    loss: Variable,
    parameter_list: Sequence | None = None,
    no_grad_set: Iterable | None = None,
    callbacks: Any = None,
) -> list[tuple[State, Variable]]:
    """Append to the Program of `loss` the operators that compute the gradients of its parameters.

    loss: [] or [1]. parameter_list: parameters or names, all trainable ones by default.
    no_grad_set: Variables or names through which no gradient flows. Returns (parameter, gradient)
    pairs; the gradient of `w` is called `w@GRAD`. Raises ArgumentError for a loss with several
    elements, GradientError where it depends on no parameter.
    """
    program = program_of(loss, "loss")
    if loss.spec.size != 1:
        raise ArgumentError(
            f"the loss must have one element, {loss.name} is {loss.spec}",
            cure="reduce it with mean()",
        )
    wanted = (
        [_state(program, p) for p in parameter_list]
        if parameter_list is not None
        else program.all_parameters()
    )
    wanted = [p for p in wanted if not p.stop_gradient]
    found = _differentiate(program, [loss], [None], no_grad_set)
    pairs = [(p, found[p]) for p in wanted if p in found]
    if not pairs:
        raise GradientError(
            f"{loss.name} depends on no trainable parameter",
            cure="check stop_gradient of the parameters and of what leads to the loss",
        )
    return [(p, name_gradient(g, p)) for p, g in pairs]


def gradients(
    targets: Any, inputs: Any, target_gradients: Any = None, no_grad_set: Iterable | None = None
) -> list[Variable | None]:
    """Append operators that compute the gradients of `targets` with respect to `inputs`.

    target_gradients: one Variable per target, None means ones. Returns a list, None for an input
    that targets do not depend on or that has stop_gradient=True.
    """
    outputs, wanted = _as_list(targets), _as_list(inputs)
    program = program_of(outputs[0], "targets")
    seeds = _as_list(target_gradients) if target_gradients is not None else [None] * len(outputs)
    if len(seeds) != len(outputs):
        raise ArgumentError(
            f"{len(outputs)} targets need as many target_gradients, received {len(seeds)}"
        )
    found = _differentiate(program, outputs, seeds, no_grad_set)
    results = [found.get(v.latest() if not isinstance(v, State) else v) for v in wanted]
    return [
        None if g is None else name_gradient(g, v) for g, v in zip(results, wanted, strict=True)
    ]


def program_of(v: Any, what: str) -> Program:
    """The static Program that `v` belongs to."""
    program = v.home.program if isinstance(v, Variable) and v.home is not None else None
    if not isinstance(program, Program) or v.home is not program.main:
        raise TypeMismatchError(
            f"{what} must be a Variable of a static Program, received {type(v).__name__}",
            cure="build it under enable_static() or program_guard()",
        )
    return program


def _differentiate(
    program: Program, outputs: list, seeds: list, no_grad_set: Iterable | None
) -> dict:
    blocked = [program.main.var(v) if isinstance(v, str) else v for v in no_grad_set or ()]
    before = [(v, v.stop_gradient) for v in blocked]
    for v in blocked:
        v.stop_gradient = True
    operators = list(reversed(program.main.ops))
    try:
        with building(program, None, "backward"):
            grads: dict[Any, Any] = {}
            for v, seed in zip(outputs, seeds, strict=True):
                if seed is not None and seed.spec.shape != v.spec.shape:
                    raise ShapeError(
                        f"the gradient of {v.name} must be {v.spec}, received {seed.spec}"
                    )
                grads[v.latest()] = ones_of(v.spec) if seed is None else seed
            return backprop(operators, grads)
    finally:
        for v, stop in before:
            v.stop_gradient = stop


def name_gradient(g: Variable, of: Any) -> Variable:
    """`g`, where backward made it just now, called after what it is the gradient of."""
    if g.producer is not None and g.producer.role == "backward" and "@GRAD" not in g.name:
        g.rename(f"{of.name}@GRAD")
    return g


def _state(program: Program, p: Any) -> State:
    return program._state(p if isinstance(p, str) else p.name)


def _as_list(x: Any) -> list:
    return list(x) if isinstance(x, (list, tuple)) else [x]
