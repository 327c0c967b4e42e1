"""Saved Programs to train on: their weights are trained again, and norms follow the data."""

from __future__ import annotations

from typing import Any

from twinoar.core.ir.program import Block, Operator, Program, State, Variable
from twinoar.ops.norm.batch_norm import batch_norm_op
from twinoar.passes.sites import sites

STATISTICS = slice(1, 3)  # which operands of batch norm, and which results, are mean and variance


def recover_inference_program(inference_program: Any, startup_program: Any = None) -> Any:
    """A Program for inference becomes, in place, one whose loss can be minimized.

    Its floating states are parameters that are trained, but for running means and variances, which
    follow the batches from now on. What dropout did is in no saved Program. startup_program:
    without effect, as values stay in the scope. Returns the Program.

    >>> from twinoar import static
    >>> program = static.Program()
    >>> with static.program_guard(program, static.Program()):
    ...     y = static.nn.fc(static.data("x", [None, 4]), 2)
    >>> test = recover_inference_program(program.clone(for_test=True))
    >>> [p.trainable for p in test.all_parameters()]
    [True, True]
    """
    program: Program = inference_program
    norms = [o for o in program.main.ops if o.op is batch_norm_op]
    statistics = {x for o in norms for x in o.operands[STATISTICS] if isinstance(x, State)}
    for state in program.states.values():
        if state.spec.dtype.is_floating and not state.is_constant and state not in statistics:
            state.is_parameter, state.stop_gradient = True, False
    for site in reversed(list(sites(program))):
        if site.outer is not None:
            _let_gradients_through(site.block)
    _let_gradients_through(program.main)
    for o in norms:
        _follow(program, o)
    return program


def _let_gradients_through(block: Block) -> None:
    if block.program is None or block is not block.program.main:
        for v in block.inputs:
            v.stop_gradient = not v.spec.dtype.is_differentiable
    for o in block.ops:
        wants = not o.op.stops_gradients and any(
            isinstance(x, Variable) and not x.stop_gradient for x in o.operands
        )
        for v in o.results:
            if v is not None:
                v.stop_gradient = not (wants and v.spec.dtype.is_differentiable)


def _follow(program: Program, o: Operator) -> None:
    """Let running statistics, which are states, be updated by each run."""
    pairs = list(zip(o.operands[STATISTICS], (1, 2), strict=True))
    if not all(isinstance(x, State) for x, _ in pairs):
        return
    o.attrs = {**o.attrs, "training": True}
    for state, n in pairs:
        assert isinstance(state, State)
        made = o.results[n]
        if made is None:
            made = Variable(program.names.fresh(), state.spec, home=program.main)
            made.producer = o
            o.results = (*o.results[:n], made, *o.results[n + 1 :])
        made.stop_gradient = True
        program.update(state, made)
