"""Calls of a converted function that are compared with plain Python as they happen."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from typing import Any

import numpy as np

from twinoar.core.device import to_host
from twinoar.core.interpreter import current, under
from twinoar.core.tree import flatten, unflatten
from twinoar.eager.tensor import Tensor
from twinoar.errors import VerificationError
from twinoar.jit.compare import difference, gap
from twinoar.jit.concrete import ConcreteProgram
from twinoar.jit.kept import Kept, array_of, layers_met
from twinoar.jit.recording import Event, Parting, Record, Recorder, Walk, first_parting
from twinoar.jit.snapshot import same
from twinoar.jit.switch import unconverted
from twinoar.ops.create.fill import clone

Value = tuple[Tensor, np.ndarray, np.ndarray | None]
Values = list[Value]


class Check:
    """Runs plain Python before the Program, on copies of the arguments, and compares.

    Compared are results, and what both leave in parameters, buffers, the states of optimizers and
    their gradients; not the gradients that flow back later. What plain Python did is undone, so
    that the Program does it: in tensors, in Layers, in what the function finds by name, and in what
    the trace saw it change. limit: calls of each Program; None: all.
    """

    def __init__(self, limit: int | None):
        self.limit = limit
        self.counts: dict[ConcreteProgram, int] = {}

    def wants(self, concrete: ConcreteProgram) -> bool:
        """True if a call of this Program is to be compared; it counts as one."""
        count = self.counts[concrete] = self.counts.get(concrete, 0) + 1
        return self.limit is None or count <= self.limit

    def __call__(
        self,
        name: str,
        plain: Callable,
        concrete: ConcreteProgram,
        tensors: Sequence[Tensor],
        arguments: tuple[tuple, dict],
        run: Callable[[], Any],
    ) -> Any:
        """What `run()` returns: the call of the Program. Raises VerificationError."""
        trace = concrete._trace
        states = [s.data for s in concrete.program.states.values()]
        kept = Kept(plain, layers_met(trace), [*states, *tensors], concrete.changes.places)
        record = Record(np.inf, keeps=True)
        wanted, left = self._python(plain, arguments, record, kept)
        out = run()
        problem = _different_result(out, wanted) or _different_state(kept.values(), left)
        if problem is None:
            return out
        kept.restore()
        inputs = [t._data for t in tensors]
        parting = first_parting(_events(concrete, inputs), record.events)
        raise _error(f"{name}, as a Program, {problem}", parting)

    def _python(
        self, plain: Callable, arguments: tuple[tuple, dict], record: Record, kept: Kept
    ) -> tuple[tuple[list, Any], Values]:
        """What plain Python returns for copies of the arguments, and what it leaves in tensors."""
        leaves, structure = flatten(arguments)
        copies = {id(x): _copy(x) for x in leaves if isinstance(x, Tensor)}
        args, kwargs = unflatten(structure, [copies.get(id(x), x) for x in leaves])
        observers = (*current().policy.observers, Recorder(record))
        try:
            with unconverted(), redirect_stdout(io.StringIO()), under(observers=observers):
                found, shape = flatten(plain(*args, **kwargs))
                results = [to_host(x._data) if isinstance(x, Tensor) else x for x in found]
            return (results, shape), [_left(value, copies) for value in kept.values()]
        finally:
            kept.restore()


def _copy(x: Tensor) -> Tensor:
    """A tensor like `x`: a leaf where that is one."""
    copied = Tensor(x._data, x.stop_gradient)
    if x.producer is not None:
        made = clone(copied)
        assert isinstance(made, Tensor)
        return made
    copied._grad = x._grad
    return copied


def _left(value: Value, copies: dict[int, Tensor]) -> Value:
    """What plain Python left in a tensor, or in the copy that it was called with."""
    copied = copies.get(id(value[0]))
    if copied is None:
        return value
    return value[0], copied._data, getattr(copied._grad, "_data", None)


def _different_result(out: Any, wanted: tuple[list, Any]) -> str | None:
    """How a result differs from the wanted (leaves, structure), in words."""
    leaves, structure = flatten(out)
    if structure != wanted[1]:
        return f"returns the structure {structure}, plain Python {wanted[1]}"
    for found, value in zip(leaves, wanted[0], strict=True):
        if isinstance(found, Tensor) and isinstance(value, np.ndarray):
            if gap(to_host(found._data), value) > 1:
                return f"gives {difference(to_host(found._data), value)}"
        elif not same(found, value):
            return f"returns {found!r}, plain Python {value!r}"
    return None


def _different_state(found: Values, wanted: Values) -> str | None:
    """How a tensor, or its gradient, is another one afterwards, in words."""
    for (tensor, data, gradient), (_, python, its_gradient) in zip(found, wanted, strict=True):
        if gap(data, python) > 1:
            return f"leaves in {tensor.name} {difference(data, python)}"
        if (gradient is None) != (its_gradient is None):
            which = ("no gradient", "a gradient")
            return f"leaves {which[gradient is not None]} in {tensor.name}, plain Python another"
        if gradient is not None and its_gradient is not None and gap(gradient, its_gradient) > 1:
            return f"leaves as gradient of {tensor.name} {difference(gradient, its_gradient)}"
    return None


def _events(concrete: ConcreteProgram, inputs: list[np.ndarray]) -> list[Event]:
    """The operators of the Program as it was traced, one by one."""
    record = Record(np.inf, keeps=True)
    Walk(concrete.program, array_of).run(inputs, record)
    return record.events


def _error(message: str, parting: Parting | None) -> VerificationError:
    if parting is None:
        return VerificationError(
            f"{message}; its operators agree one by one, so passes or the back end differ",
            cure="please report it; TWINOAR_BACKEND=numpy and TWINOAR_PASSES tell which",
        )
    error = VerificationError(f"{message}; the first difference: {parting.what}")
    error.attach(parting.where, (), parting.source)
    return error
