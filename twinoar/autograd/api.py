"""What users call: backward, grad, no_grad and its kin."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast, overload

from twinoar.autograd.after import LISTENERS, tell
from twinoar.core.interpreter import _innermost, base, current, recording, using
from twinoar.core.op.explain import told
from twinoar.core.op.view import ALL_OF_IT
from twinoar.core.values import Value, method
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, GradientError
from twinoar.ops.create.fill import identity

F = TypeVar("F", bound=Callable[..., Any])


class BackwardStrategy:
    """How Paddle 1 sums gradients. sort_sum_gradient: in a fixed order, as twinoar does always."""

    sort_sum_gradient = False


@method("backward")
def _backward(
    self: Any,
    grad_tensor: Tensor | BackwardStrategy | None = None,
    retain_graph: bool = False,
    *,
    backward_strategy: BackwardStrategy | None = None,
) -> None:
    """Add the gradient of this tensor to `.grad` of every leaf that wants one.

    See `twinoar.autograd.backward`. A BackwardStrategy is accepted, as Paddle 1 has it.
    """
    if isinstance(grad_tensor, BackwardStrategy):
        grad_tensor = None
    backward([self], None if grad_tensor is None else [grad_tensor], retain_graph)


@method("detach")
def _detach(self: Value) -> Value:
    """The same data, outside the autograd graph."""
    with using(recording(False)):
        return current().share(self, identity.function(self), ALL_OF_IT, apart=True)


@method("detach_")
def _detach_(self: Any) -> Any:
    """Take the tensor out of the autograd graph, in place, and return it."""
    if current().runs:
        self.producer, self.stop_gradient = None, True
    else:
        recording(True).rebind(self, _detach(self))
    return self


def backward(
    tensors: Tensor | Sequence[Tensor], grad_tensors: Any = None, retain_graph: bool = False
) -> None:
    """Add the gradients of `tensors` to `.grad` of every leaf that wants one.

    grad_tensors: one gradient per tensor, of its shape; None means ones. retain_graph: keep what a
    second backward through the same operators needs. Raises GradientError where nothing wants a
    gradient, or the graph was freed.

    >>> x = twinoar.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> (x * x).backward()
    >>> x.grad.tolist()
    [2.0, 4.0]
    """
    outputs = _as_list(tensors)
    if not outputs:
        raise ArgumentError("backward expects at least one tensor, received none")
    here, seeds = current(), _gradients(grad_tensors, len(outputs), "tensors")
    leaves = here.gradients.backward(here, outputs, seeds, retain_graph)
    if LISTENERS:
        tell(here, leaves)


@told
def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool = False,
    no_grad_vars: Any = None,
) -> list:
    """Gradients of `outputs` with respect to `inputs`; `.grad` of tensors stays as it is.

    grad_outputs: one gradient per output, None means ones. create_graph: the results can be
    differentiated again. retain_graph: False frees what a later backward through the same operators
    needs; else it is kept. no_grad_vars: tensors through which no gradient flows. Returns a list,
    one gradient per input, None for an input that outputs do not depend on where allow_unused;
    otherwise that raises GradientError.

    >>> x = twinoar.to_tensor(3.0, stop_gradient=False)
    >>> (first,) = twinoar.grad(x * x * x, x, create_graph=True)
    >>> twinoar.grad(first, x)[0].item()
    18.0
    """
    if not only_inputs:
        raise ArgumentError(
            "only_inputs=False is not served",
            cure="use backward(), which fills .grad of all leaves",
        )
    targets, wanted = _as_list(outputs), _as_list(inputs)
    if not wanted:
        raise ArgumentError("grad expects at least one input, received none")
    here = current()
    found: list = here.gradients.grad(
        here,
        targets,
        wanted,
        _gradients(grad_outputs, len(targets), "outputs"),
        create_graph=create_graph,
        retain_graph=retain_graph is not False,
        blocked=[x for x in _as_list(no_grad_vars) if x is not None],
    )
    for x, g in zip(wanted, found, strict=True):
        if g is None and not allow_unused:
            raise GradientError(
                f"the outputs do not depend on input {x.name} of shape {x.shape}, "
                "or it has stop_gradient=True",
                cure="pass allow_unused=True to get None for it",
            )
    return found


def _gradients(given: Any, count: int, of: str) -> list:
    """A gradient, or None, for each of `count` tensors."""
    gradients = [None] * count if given is None else _as_list(given)
    if len(gradients) != count:
        raise ArgumentError(
            f"{count} {of} need as many gradients, received {len(gradients)}",
            cure="pass one gradient, or None, for each",
        )
    return gradients


def _as_list(x: Any) -> list:
    return list(x) if isinstance(x, (list, tuple, set)) else [x]


class _GradientMode:
    """A context manager and decorator that switches recording on or off."""

    def __init__(self, records: bool):
        self.records = records
        self._tokens: list = []

    def __enter__(self) -> None:
        self._tokens.append(_innermost.set(recording(self.records)))

    def __exit__(self, *error: Any) -> None:
        _innermost.reset(self._tokens.pop())

    def __call__(self, function: F) -> F:
        records = self.records
        if inspect.isgeneratorfunction(function):
            return cast(F, _stepwise(function, records))

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with _GradientMode(records):
                return function(*args, **kwargs)

        return cast(F, wrapper)


class _GradientSwitch(_GradientMode):
    """As _GradientMode, and in force from the moment it is made; leaving it undoes that."""

    def __init__(self, records: bool):
        super().__init__(records)
        self._before = _innermost.get()
        chosen = recording(records)
        _innermost.set(None if chosen is base() else chosen)  # so that enable_static() shows

    def __exit__(self, *error: Any) -> None:
        self._tokens.pop()
        _innermost.set(self._before)

    def __call__(self, function: F) -> F:
        _innermost.set(self._before)
        return super().__call__(function)


def _stepwise(function: Callable, records: bool) -> Callable:
    """A generator function whose steps record or do not; the code that uses it is not touched."""

    @functools.wraps(function)
    def stepwise(*args: Any, **kwargs: Any) -> Any:
        running = function(*args, **kwargs)
        resume, given = running.send, None
        while True:
            try:
                with _GradientMode(records):
                    value = resume(given)
            except StopIteration as stop:
                return stop.value
            try:
                resume, given = running.send, (yield value)
            except GeneratorExit:
                with _GradientMode(records):
                    running.close()
                raise
            except BaseException as error:
                resume, given = running.throw, error

    return stepwise


@overload
def no_grad(function: None = None) -> _GradientMode: ...


@overload
def no_grad(function: F) -> F: ...


def no_grad(function: Any = None) -> Any:
    """Record nothing for backward: a context manager, a decorator with or without parentheses.

    >>> x = twinoar.to_tensor(1.0, stop_gradient=False)
    >>> with twinoar.no_grad():
    ...     y = x * 2
    >>> y.stop_gradient
    True
    """
    return _GradientMode(False) if function is None else _GradientMode(False)(function)


@overload
def enable_grad(function: None = None) -> _GradientMode: ...


@overload
def enable_grad(function: F) -> F: ...


def enable_grad(function: Any = None) -> Any:
    """Record for backward, inside `no_grad` too: a context manager and a decorator."""
    return _GradientMode(True) if function is None else _GradientMode(True)(function)


def set_grad_enabled(mode: bool) -> _GradientMode:
    """From now on record for backward if `mode`; as a context manager or decorator, within it.

    >>> with twinoar.set_grad_enabled(False):
    ...     twinoar.is_grad_enabled()
    False
    """
    return _GradientSwitch(bool(mode))


def is_grad_enabled() -> bool:
    """True where operators record for backward.

    >>> is_grad_enabled()
    True
    """
    return current().policy.records


__all__ = ["backward", "enable_grad", "grad", "is_grad_enabled", "no_grad", "set_grad_enabled"]
