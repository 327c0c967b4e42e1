"""What users call: backward, grad, no_grad and its kin."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from twinoar.autograd.tape import Between, call_leaf_hooks, differentiate, key_of
from twinoar.core.interpreter import _innermost, base, current, using
from twinoar.core.values import Value, method
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, GradientError, ProgramError, ShapeError, TypeMismatchError
from twinoar.ops.create import ones_of
from twinoar.ops.elementwise import add


@method("backward")
def _backward(self: Value, grad_tensor: Tensor | None = None, retain_graph: bool = False) -> None:
    """Add the gradient of this tensor to `.grad` of every leaf that wants one.

    See `twinoar.autograd.backward`.
    """
    backward([self], None if grad_tensor is None else [grad_tensor], retain_graph)


def backward(
    tensors: Tensor | Sequence[Tensor], grad_tensors: Any = None, retain_graph: bool = False
) -> None:
    """Add the gradients of `tensors` to `.grad` of every leaf that wants one.

    grad_tensors: one gradient per tensor, of its shape; None means ones. retain_graph: keep what a
    second backward through the same operators needs. Raises GradientError where nothing wants a
    gradient, or the graph was freed.

    >>> import twinoar
    >>> x = twinoar.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> (x * x).backward()
    >>> x.grad.tolist()
    [2.0, 4.0]
    """
    outputs = _as_list(tensors)
    if not outputs:
        raise ArgumentError("backward expects at least one tensor, received none")
    seeds = _seeds(
        outputs, _as_list(grad_tensors) if grad_tensors is not None else [None] * len(outputs)
    )
    grads = differentiate(seeds, create_graph=False, retain_graph=retain_graph)
    with using(current().without_gradients()):
        for leaf, g in grads.items():
            g = call_leaf_hooks(leaf, g)
            total = g if leaf._grad is None else add(leaf._grad, g)
            leaf._grad = Tensor(total._data, False)


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

    >>> import twinoar
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
    for x in (*targets, *wanted):
        _require_tensor(x, "to differentiate")
    gs = _as_list(grad_outputs) if grad_outputs is not None else [None] * len(targets)
    if len(gs) != len(targets):
        raise ArgumentError(f"{len(targets)} outputs need as many gradients, received {len(gs)}")
    pairs = [(x, g) for x, g in zip(targets, gs, strict=True) if not x.stop_gradient]
    seeds = _seeds([x for x, _ in pairs], [g for _, g in pairs])
    blocked = {key_of(x) for x in _as_list(no_grad_vars) if x is not None}
    grads = differentiate(
        {k: g for k, g in seeds.items() if k not in blocked},
        create_graph=create_graph,
        retain_graph=retain_graph is not False,
        between=Between({key_of(x) for x in wanted}, blocked),
    )
    found = [grads.get(key_of(x)) for x in wanted]
    for x, g in zip(wanted, found, strict=True):
        if g is None and not allow_unused:
            raise GradientError(
                f"the outputs do not depend on input {x.name} of shape {x.shape}, "
                "or it has stop_gradient=True",
                cure="pass allow_unused=True to get None for it",
            )
    return found


def _seeds(outputs: list, gs: list) -> dict:
    if len(outputs) != len(gs):
        raise ArgumentError(
            f"{len(outputs)} tensors need as many gradients, received {len(gs)}",
            cure="pass one gradient, or None, for each",
        )
    seeds: dict = {}
    for x, g in zip(outputs, gs, strict=True):
        _require_tensor(x, "to differentiate")
        if x.stop_gradient:
            raise GradientError(
                f"the tensor {x.name} of shape {x.shape} does not want a gradient: "
                "stop_gradient is True",
                cure="set stop_gradient=False on the leaves that should get gradients "
                "before computing",
            )
        if g is not None:
            _require_tensor(g, "as gradient")
        if g is not None and g.shape != x.shape:
            raise ShapeError(
                f"the gradient of a tensor of shape {x.shape} has shape {g.shape}",
                cure="give one number for each element",
            )
        seed = g if g is not None else _detached(ones_of, x.spec)
        key = key_of(x)
        seeds[key] = add(seeds[key], seed) if key in seeds else seed
    return seeds


def _require_tensor(x: Any, role: str) -> None:
    if isinstance(x, Value) and not isinstance(x, Tensor):
        raise ProgramError(
            "a Variable has no gradient before its Program runs",
            cure="use static.append_backward(loss) or static.gradients(targets, inputs)",
        )
    if not isinstance(x, Tensor):
        raise TypeMismatchError(
            f"expected a Tensor {role}, received {type(x).__name__}",
            cure="convert it with to_tensor",
        )


def _detached(make: Callable, spec: Any) -> Tensor:
    with using(current().without_gradients()):
        return make(spec)


def _as_list(x: Any) -> list:
    return list(x) if isinstance(x, (list, tuple, set)) else [x]


class _GradientMode:
    """A context manager and decorator that switches recording on or off."""

    def __init__(self, records: bool):
        self.records = records
        self._tokens: list = []

    def __enter__(self) -> None:
        self._tokens.append(_innermost.set(_switched(self.records)))

    def __exit__(self, *error: Any) -> None:
        _innermost.reset(self._tokens.pop())

    def __call__(self, function: Callable) -> Callable:
        records = self.records
        if inspect.isgeneratorfunction(function):
            return _stepwise(function, records)

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with _GradientMode(records):
                return function(*args, **kwargs)

        return wrapper


class _GradientSwitch(_GradientMode):
    """As _GradientMode, and in force from the moment it is made; leaving it undoes that."""

    def __init__(self, records: bool):
        super().__init__(records)
        self._before = _innermost.get()
        chosen = _switched(records)
        _innermost.set(None if chosen is base() else chosen)  # so that enable_static() shows

    def __exit__(self, *error: Any) -> None:
        self._tokens.pop()
        _innermost.set(self._before)

    def __call__(self, function: Callable) -> Callable:
        _innermost.set(self._before)
        return super().__call__(function)


def _switched(records: bool) -> Any:
    interpreter = current()
    return interpreter.with_gradients() if records else interpreter.without_gradients()


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


def no_grad(function: Callable | None = None) -> Any:
    """Record nothing for backward: a context manager, a decorator with or without parentheses.

    >>> import twinoar
    >>> x = twinoar.to_tensor(1.0, stop_gradient=False)
    >>> with twinoar.no_grad():
    ...     y = x * 2
    >>> y.stop_gradient
    True
    """
    return _GradientMode(False) if function is None else _GradientMode(False)(function)


def enable_grad(function: Callable | None = None) -> Any:
    """Record for backward, inside `no_grad` too: a context manager and a decorator."""
    return _GradientMode(True) if function is None else _GradientMode(True)(function)


def set_grad_enabled(mode: bool) -> _GradientMode:
    """From now on record for backward if `mode`; as a context manager or decorator, within it.

    >>> import twinoar
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
    interpreter = current()
    return getattr(interpreter, "records", getattr(interpreter, "gradients", True))


__all__ = ["backward", "enable_grad", "grad", "is_grad_enabled", "no_grad", "set_grad_enabled"]
