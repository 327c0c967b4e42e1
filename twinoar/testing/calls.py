"""Calls of an operator on its samples: eagerly, as a Program, and differentiated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.autograd.api import grad
from twinoar.autograd.backprop import backprop
from twinoar.backends.numpy import compile_numpy
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program, Variable, copy_program
from twinoar.core.op.definition import Op
from twinoar.eager.tensor import Tensor
from twinoar.passes.dead import eliminate_dead
from twinoar.passes.decompose import decompose
from twinoar.testing.sample import Sample


def map_arrays(x: Any, f: Callable) -> Any:
    """`x` with `f` applied to each array in it."""
    if isinstance(x, np.ndarray):
        return f(x)
    if isinstance(x, (list, tuple)) and any(isinstance(i, np.ndarray) for i in x):
        return type(x)(map_arrays(i, f) for i in x)
    return x


def arrays_of(sample: Sample) -> list[np.ndarray]:
    """The arrays of a sample, in order."""
    found: list[np.ndarray] = []
    with_arrays(sample, found.append)
    return found


def with_arrays(sample: Sample, f: Callable) -> tuple[tuple, dict]:
    """Arguments of a sample with `f` applied to each array."""
    args = tuple(map_arrays(x, f) for x in sample.args)
    return args, {k: map_arrays(v, f) for k, v in sample.kwargs.items()}


def is_float(a: Any) -> bool:
    """True for arrays that gradients flow into."""
    return np.asarray(a).dtype.kind == "f"


def call(op: Op, sample: Sample, values: list) -> tuple:
    """Call `op` on a sample whose arrays are replaced by `values`; results as a tuple."""
    remaining = iter(values)
    args, kwargs = with_arrays(sample, lambda a: next(remaining))
    out = op(*args, **kwargs)
    return out if isinstance(out, tuple) else (out,)


def run_eagerly(op: Op, sample: Sample, arrays: list | None = None) -> tuple[Any, ...]:
    """Results of the sample in eager mode."""
    arrays = arrays_of(sample) if arrays is None else arrays
    return tuple(
        None if t is None else t.numpy() for t in call(op, sample, [Tensor(a) for a in arrays])
    )


def build(op: Op, sample: Sample, arrays: list | None = None) -> Program:
    """The sample as a Program: its arrays are inputs, all floating ones want gradients."""
    program = Program(op.name.replace(".", "_"))
    arrays = arrays_of(sample) if arrays is None else arrays
    inputs = [program.main.add_input(Tensor(a).spec, stop_gradient=not is_float(a)) for a in arrays]
    with using(Builder(program)):
        program.main.outputs = [v for v in call(op, sample, inputs) if isinstance(v, Variable)]
    return program


def execute(program: Program, arrays: list) -> list[np.ndarray]:
    """Run a copy of a Program on the NumPy back end."""
    lowered, _ = copy_program(program)
    eliminate_dead(decompose(lowered))
    feeds = {v.name: a for v, a in zip(program.main.inputs, arrays, strict=True)}
    return compile_numpy(lowered).run(feeds, {})[0]


def gradients_eagerly(op: Op, sample: Sample, arrays: list, seeds: list) -> list[np.ndarray | None]:
    """Gradients of the floating arrays, for seeds on the floating results."""
    leaves = [Tensor(a, not is_float(a)) for a in arrays]
    outputs = [t for t in call(op, sample, leaves) if isinstance(t, Tensor) and not t.stop_gradient]
    wanted = [t for t in leaves if not t.stop_gradient]
    found = grad(outputs, wanted, [Tensor(s) for s in seeds], allow_unused=True)
    return [None if g is None else g.numpy() for g in found]


def second_gradients_eagerly(
    op: Op, sample: Sample, arrays: list, seeds: list, weights: list
) -> tuple[list, list]:
    """First gradients, and gradients of their weighted sum."""
    leaves = [Tensor(a, not is_float(a)) for a in arrays]
    outputs = [t for t in call(op, sample, leaves) if isinstance(t, Tensor) and not t.stop_gradient]
    wanted = [t for t in leaves if not t.stop_gradient]
    firsts = grad(outputs, wanted, [Tensor(s) for s in seeds], allow_unused=True, create_graph=True)
    pairs = [
        (g, Tensor(w))
        for g, w in zip(firsts, weights, strict=True)
        if g is not None and not g.stop_gradient
    ]
    first = [None if g is None else g.numpy() for g in firsts]
    if not pairs:
        return first, [None] * len(wanted)
    seconds = grad([g for g, _ in pairs], wanted, [w for _, w in pairs], allow_unused=True)
    return first, [None if g is None else g.numpy() for g in seconds]


def append_gradients(
    program: Program, seeds: list[Variable], wanted: list[Variable]
) -> list[Variable | None]:
    """Append the gradients of `wanted`, for seeds on the outputs that take one."""
    targets = [v for v in program.main.outputs if not v.stop_gradient]
    with using(Builder(program)):
        grads = backprop(list(reversed(program.main.ops)), dict(zip(targets, seeds, strict=True)))
    return [grads.get(v) for v in wanted]
