"""Gradients in a Program: append_backward and gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from twinoar.autograd.backprop import backprop
from twinoar.core.ir.program import State, Variable
from twinoar.errors import ArgumentError, GradientError, ShapeError, TypeMismatchError
from twinoar.ops.index.selected_rows import elements
from twinoar.ops.math.fill import ones_of
from twinoar.passes.recomputation import recompute
from twinoar.static.mode import building
from twinoar.static.program import Program


def append_backward(
    loss: Variable,
    parameter_list: Sequence | None = None,
    no_grad_set: Iterable | None = None,
    callbacks: Sequence[Callable[..., Any]] | None = None,
    checkpoints: Sequence | None = None,
) -> list[tuple[Variable, Variable]]:
    """Append to the Program of `loss` the operators that compute the gradients of its parameters.

    loss: [] or [1]. parameter_list: parameters, other Variables or names; all trainable parameters
    by default, and then none are returned where only other Variables want gradients.
    no_grad_set: Variables or names through which no gradient flows. callbacks: functions called
    with `block` and `context`, a dict from names of gradients to names of what they are of, after
    each operator of the backward pass; one may append operators, and change gradients in place.
    checkpoints: Variables or names between which values are not kept but computed again, which
    takes less memory; see `twinoar.passes.recompute`.
    Returns (Variable, gradient) pairs. The gradient of `w` is called `w@GRAD`; under such a name
    those of all Variables are found and fetched. That of the table of an embedding with sparse=True
    is SelectedRows: `w@GRAD` are the vectors, `w@GRAD@ROWS` their rows. Raises ArgumentError for a
    loss with several elements, GradientError where it depends on no parameter although no_grad_set
    is empty, TypeMismatchError for callbacks that are no functions.
    """
    program = program_of(loss, "loss")
    if loss.spec.size != 1:
        raise ArgumentError(
            f"the loss must have one element, {loss.name} is {loss.spec}",
            cure="reduce it with mean()",
        )
    asked = program.all_parameters() if parameter_list is None else parameter_list
    wanted = [v for v in (_variable(program, p) for p in asked) if not v.stop_gradient]
    found = _differentiate(program, [loss], [None], no_grad_set, _functions(callbacks))
    pairs = [(p, found[p]) for p in wanted if p in found]
    if not pairs and not no_grad_set and (parameter_list is not None or loss.stop_gradient):
        raise GradientError(
            f"{loss.name} depends on no trainable parameter",
            cure="check stop_gradient of the parameters and of what leads to the loss",
        )
    named = [(p, name_gradient(g, p)) for p, g in pairs]
    for v, g in found.items():
        program.main.declared.setdefault(v.grad_name, elements(g))
    if checkpoints:
        recompute(program, checkpoints)
    return named


def gradients(
    targets: Any, inputs: Any, target_gradients: Any = None, no_grad_set: Iterable | None = None
) -> list[Variable | None]:
    """Append operators that compute the gradients of `targets` with respect to `inputs`.

    target_gradients: one Variable per target, None means ones. Returns a list, None for an input
    that targets do not depend on or that has stop_gradient=True.
    """
    outputs = _as_list(targets)
    if not outputs:
        raise ArgumentError("targets is empty", cure="pass the Variables to differentiate")
    program = program_of(outputs[0], "targets")
    wanted = [program.main.var(v) if isinstance(v, str) else v for v in _as_list(inputs)]
    for v in (*outputs, *wanted):
        if program_of(v, "targets and inputs") is not program:
            raise ArgumentError(
                f"{v.name} and {outputs[0].name} belong to two programs",
                cure="build both under one program_guard",
            )
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
    program: Program,
    outputs: list,
    seeds: list,
    no_grad_set: Iterable | None,
    callbacks: Sequence[Callable[..., Any]] = (),
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
            return backprop(operators, grads, after=_calling(callbacks, program))
    finally:
        for v, stop in before:
            v.stop_gradient = stop


def _calling(
    callbacks: Sequence[Callable[..., Any]], program: Program
) -> Callable[[dict], None] | None:
    """What calls all callbacks, and goes on with gradients as they have left them."""

    def call(grads: dict) -> None:
        for v, g in grads.items():
            program.main.declared[v.grad_name] = elements(g)
        context = {v.grad_name: v.name for v in grads}
        context["__current_op_desc__"] = program.main.ops[-1]
        for callback in callbacks:
            callback(block=program.main, context=context)
        grads.update({v: g.latest() for v, g in grads.items()})

    return call if callbacks else None


def _functions(callbacks: Any) -> Sequence[Callable[..., Any]]:
    if not isinstance(callbacks, (list, tuple, type(None))) or not all(
        map(callable, callbacks or ())
    ):
        raise TypeMismatchError(
            f"callbacks must be a list of functions, received {callbacks!r}",
            cure="write [function], also for one",
        )
    return callbacks or ()


def name_gradient(g: Variable, of: Any) -> Variable:
    """`g`, where backward made it just now, called after what it is the gradient of."""
    if g.producer is not None and g.producer.role == "backward" and "@GRAD" not in g.name:
        g.rename(f"{of.name}@GRAD")
    return g


def _variable(program: Program, v: Any) -> Variable:
    """The Variable that is asked for by itself or by its name; in another Program, its namesake."""
    if isinstance(v, Variable) and v.home is program.main and not isinstance(v, State):
        return v.latest()
    name = v if isinstance(v, str) else v.name
    return program.main.var(name) if program.main.has_var(name) else program._state(name)


def _as_list(x: Any) -> list:
    return list(x) if isinstance(x, (list, tuple)) else [x]
