"""The interpreter that runs each operator at once, and records it where a gradient is wanted.

This is the hot path of eager mode: no inference, no allocation that is not needed. When a kernel
fails, the operator's `infer` explains why.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import chain, repeat
from typing import Any

import numpy as np

from twinoar import config
from twinoar.core.device import CPU, Buffer, device_of_all
from twinoar.core.finite import check_finite
from twinoar.core.interpreter import autocast, using
from twinoar.core.ir.builder import (
    Literal,
    call_body,
    infer,
    replay,
    strong_literals,
    weak_literals,
)
from twinoar.core.ir.program import Block
from twinoar.core.memory_error import lack_of_memory
from twinoar.core.observer import EVERYWHERE, OPERATOR, Call, observed
from twinoar.core.op.definition import FEW, Op
from twinoar.core.op.explain import describe, misfit
from twinoar.core.op.view import AnyStep
from twinoar.core.policy import Policy
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.eager.elsewhere import next_of, on_device
from twinoar.eager.lazy import lazy_parameter
from twinoar.eager.sharing import reseat, share, share_results, write
from twinoar.eager.tape import Node
from twinoar.eager.tensor import Parameter, Tensor
from twinoar.errors import (
    ArgumentError,
    DTypeError,
    NotTensorError,
    ProgramError,
    TwinoarError,
    is_users_error,
)
from twinoar.ops.create.fill import clone
from twinoar.runtime.allocator import POOL
from twinoar.tracebacks import shown_cause

ndarray = np.ndarray
DATA = ndarray, Buffer
LARGE = FEW  # elements of an operand from which native kernels are asked for
_new = object.__new__
RAW = (*Literal, ndarray)  # what kernels take as it is


class Eager:
    """Runs operators on Tensors.

    records, saving, autocast: its Policy's, at hand for the hot path. observed: whether that has
    observers. hears: False in the copy that runs one call which observers know of.
    gradients: walks what was recorded. kernels: has native kernels for large operands: `forward`
    and `gradient` give arrays, or None. Both stand above this folder; `twinoar.wiring` sets them.
    """

    __slots__ = (
        "_twin",
        "autocast",
        "elsewhere",
        "hears",
        "observed",
        "policy",
        "records",
        "saving",
    )
    runs, traces = True, False
    program = startup = None
    gradients: Any = None
    kernels: Any = None

    def __init__(self, policy: Policy):
        self.policy, self.records, self.saving = policy, policy.records, policy.saving
        self.autocast = policy.autocast
        self.observed, self.hears = bool(policy.observers), True
        self.elsewhere = policy.device != CPU
        self._twin: Eager | None = None

    def under(self, policy: Policy) -> Eager:
        """The same interpreter under another Policy; its twin for gradients is made once."""
        twin = self._twin
        if twin is not None and twin.policy is policy:
            return twin
        if policy is self.policy and self.hears:
            return self
        made = copy.copy(self)
        Eager.__init__(made, policy)
        if policy is self.policy.recording(policy.records) and self.hears:
            self._twin, made._twin = made, self
        return made

    def apply(self, op: Op, operands: tuple, attrs: dict[str, Any]) -> Any:
        """Run one operator: its kernel, or for a composite without one its body."""
        if self.observed or (EVERYWHERE and self.hears):
            return self._told(op, operands, attrs)
        if self.autocast is not None:
            operands = self._cast(op, operands)
        if op.promote_rule is not None and _mixed(operands):
            operands = _promoted(op, operands)
        kernel = op.kernel_rule
        arrays: list[Any] = []
        edges: list[Any] = []
        wanted = large = remote = False
        for x in operands:
            if isinstance(x, Tensor):
                data = x._data
                arrays.append(data)
                if data.__class__ is not ndarray:
                    remote = True
                elif data.size >= LARGE:
                    large = True
                if x.stop_gradient:
                    edges.append(None)
                else:
                    wanted = True
                    producer = x.producer
                    edges.append(x if producer is None else producer)
            else:
                arrays.append(_raw(op, x, operands))
                edges.append(None)
        if not self.records:
            wanted = False
        if kernel is None and wanted and op.grad_rule is None:
            if not remote:
                return self._replayed(op, operands, attrs)
            with using(self.under(self.policy.on(device_of_all(arrays)))):
                return self._replayed(op, operands, attrs)
        out = None
        if remote or self.elsewhere:
            out = on_device(op, operands, arrays, attrs, self.policy.device)
        elif large or op.elements_rule is not None or op.is_compiled_small:
            try:
                out = self.kernels.forward(op, arrays, attrs)
            except MemoryError as error:
                raise explain(op, operands, attrs, error) from None
        if out is None and kernel is None:
            if not wanted:
                return self._replayed(op, operands, attrs)
            out = self._unrecorded(op, operands, attrs)
        elif out is None:
            given = attrs if not op.takes_blocks else self._with_callables(attrs)
            try:
                out = kernel(*arrays, **given)  # type: ignore[misc]  # else `out` is there
            except MemoryError as error:
                out = _in_freed_memory(op, operands, arrays, attrs, given, error)
            except Exception as error:
                raise explain(op, operands, attrs, error) from shown_cause(error)
        if wanted and not op.stops_gradients:
            results = _recorded(op, attrs, arrays, edges, out)
            if self.saving is not None:
                results = self.saving.packed(results)
        else:
            results = _plain(out)
        if op.shows_memory:
            share_results(op, operands[0], results, attrs)
        return results

    def _told(self, op: Op, operands: tuple, attrs: dict[str, Any]) -> Any:
        """`apply`, of which observers are told; they are of the calls that it makes in turn."""
        one = copy.copy(self)
        one.observed = one.hears = False
        observers = (*self.policy.observers, *EVERYWHERE)
        call = Call(OPERATOR, op.name, op, operands, attrs)
        return observed(observers, call, lambda: one.apply(op, operands, attrs))

    def _cast(self, op: Op, operands: tuple) -> tuple:
        try:
            return autocast(self, op, operands)
        except TwinoarError as error:
            raise error.attach(op.name, describe(op, operands)) from None

    def _replayed(self, op: Op, operands: tuple, attrs: dict[str, Any]) -> Any:
        """The results of a composite's body, whose operators go to the current interpreter."""
        if self.autocast is None:
            return _replayed(op, operands, attrs)
        with using(self.under(self.policy.derived(self.records))):
            return _replayed(op, operands, attrs)

    def _unrecorded(self, op: Op, operands: tuple, attrs: dict[str, Any]) -> Any:
        """The arrays that a composite's body gives, for it to be recorded as one operator."""
        with using(self.under(self.policy.derived(False))):
            result = _replayed(op, operands, attrs)
        return tuple([t._data for t in result]) if isinstance(result, tuple) else result._data

    def _with_callables(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Attributes with nested blocks as functions of arrays."""
        here = self.under(self.policy.derived(False))
        return {k: _callable(a, here) if isinstance(a, Block) else a for k, a in attrs.items()}

    def rebind(self, target: Any, value: Any) -> None:
        """In-place semantics: `target` takes the data and the history of `value`."""
        if not isinstance(target, Value):
            kind = type(target).__name__
            raise NotTensorError(
                f"expected a Tensor to change in place, received {kind}",
                cure="convert it with to_tensor first",
            )
        if not isinstance(target, Tensor):
            raise ProgramError(f"{target} has no data to write in eager mode")
        if not isinstance(value, Tensor):
            value = Tensor(np.asarray(value, target._data.dtype))
        if self.records:
            refuse_leaf(target)
        target._version += 1
        if (target._views is None and target._shown is None) or reseat(target, value):
            data = value._data
            target._data = data if data.__class__ is ndarray else next_of(target._data, data)
        else:
            target._data = write(self, target, value)
        if not self.records:
            return
        if not value.stop_gradient:
            recorded = value if value.producer is not None else clone(value)
            target.producer, target.stop_gradient = recorded.producer, False
        elif target.producer is not None:
            target.producer, target.stop_gradient = None, True

    def share(self, base: Any, view: Any, step: AnyStep, apart: bool = False) -> Any:
        """`view`, which shows the memory of `base` from now on."""
        share(base, view, step, apart)
        return view

    def code_of(self, function: Callable, layer: Any = None) -> Callable:
        """What runs for a layer's `forward` or a hook: it."""
        return function

    def create_parameter(self, spec: Spec, initializer: Callable, **traits: Any) -> Parameter:
        """A Parameter filled by `initializer(spec)`: now, or when its data is needed."""
        if self.policy.lazy:
            return lazy_parameter(spec, initializer, **traits)
        with using(self.under(self.policy.derived(False))):
            value = initializer(spec)
        parameter = Parameter(
            value._data, traits.pop("stop_gradient", False), traits.pop("name", None)
        )
        parameter.__dict__.update(traits)
        return parameter

    def create_state(self, spec: Spec, initializer: Callable, name: str) -> Tensor:
        """A persistable Tensor called `name`, filled by `initializer(spec)`: a moment, say."""
        with using(self.under(self.policy.derived(False))):
            state = Tensor(initializer(spec)._data)
        state.persistable, state.name = True, name
        return state

    def random_key(self, generator: Any) -> Any:
        """A key of its own for an operator that draws random numbers."""
        return generator.split()

    def live_number(self, name: str, read: Callable[[], float]) -> float:
        """A number that may change between uses (a learning rate): what `read()` says now."""
        return read()

    def note_made(self, x: Any) -> None:
        """It is made each time that code runs."""

    def may_raise(self, error: str) -> None:
        """It is raised where the operator stands, and an except is found by Python."""

    def python_effect(self, what: str) -> None:
        """Python's own state may change: code runs each time."""


def refuse_leaf(target: Tensor) -> None:
    """Raise ArgumentError for a leaf that wants a gradient: it cannot have a history too."""
    if target.producer is None and not target.stop_gradient:
        raise ArgumentError(
            f"the leaf tensor {target.name} wants a gradient and is changed in place",
            cure="work on a copy (x.clone()), or change it under no_grad()",
        )


def _replayed(op: Op, operands: tuple, attrs: dict) -> Any:
    """The results of a composite's body, whose operators go to the current interpreter."""
    try:
        return call_body(op, operands, attrs)
    except TwinoarError as error:
        raise error.attach(op.name, describe(op, operands)) from error.__cause__
    except Exception as error:
        raise (misfit(op, operands) or error) from shown_cause(error)


def _in_freed_memory(
    op: Op, operands: tuple, arrays: list, attrs: dict, given: dict, error: MemoryError
) -> Any:
    """What the kernel gives in the memory that was kept for other arrays: `error` said it lacks."""
    if isinstance(error, TwinoarError) or is_users_error(error):  # code of users runs once
        raise explain(op, operands, attrs, error) from shown_cause(error)
    POOL.release()
    try:
        return op.kernel_rule(*arrays, **given)  # type: ignore[misc]
    except Exception as again:
        raise explain(op, operands, attrs, again) from shown_cause(again)


def _plain(out: Any) -> Any:
    """The results of a call that is not recorded, as Tensors."""
    if out.__class__ is ndarray:
        made = _new(Tensor)  # as Tensor(out), which takes twice as long
        made._data = out
        return made
    if out.__class__ is tuple:
        return tuple(Tensor(a if a.__class__ is ndarray else _as_data(a)) for a in out)
    return Tensor(_as_data(out))


def _as_data(out: Any) -> Any:
    """What a kernel gave as what a tensor holds."""
    return out if isinstance(out, Buffer) else np.asarray(out)


def _recorded(op: Op, attrs: dict[str, Any], arrays: list, edges: list, out: Any) -> Any:
    """The results of a call as Tensors whose Node keeps what the gradient rule asks for."""
    rule = op.grad_rule
    shapes = saved = outs = None
    if rule is None or rule.needs_specs:
        shapes = [(a.shape, a.dtype) if isinstance(a, DATA) else a for a in arrays]
    if rule is None or rule.needs_all:
        saved = arrays
    elif rule.needs_operands:
        needed = chain(rule.needs_operand, repeat(rule.needs_operand[-1]))  # the last: variadic
        saved = [a if is_needed else None for a, is_needed in zip(arrays, needed, strict=False)]
    if out.__class__ is not tuple:
        if out.__class__ is not ndarray:
            out = _as_data(out)
        if out.dtype.kind in "biu":
            return Tensor(out)
        if rule is not None and rule.needs_out:
            outs = (out,)
        return Tensor(out, False, Node(op, attrs, edges, saved, shapes, outs))
    out = tuple(a if a.__class__ is ndarray else _as_data(a) for a in out)
    outs = out if rule is not None and rule.needs_out else None
    node = Node(op, attrs, edges, saved, shapes, outs, [(a.shape, a.dtype) for a in out])
    return tuple(
        Tensor(a) if a.dtype.kind in "biu" else Tensor(a, False, r)
        for a, r in zip(out, node.split(), strict=True)
    )


def _mixed(operands: tuple) -> bool:
    """False in the common case: one NumPy floating dtype, which literals do not change."""
    if len(operands) == 2:
        x, y = operands
        if isinstance(x, Tensor) and isinstance(y, Tensor):
            dtype = x._data.dtype
            return dtype is not y._data.dtype or dtype.kind != "f"
    first = None
    for x in operands:
        if isinstance(x, Tensor):
            dtype = x._data.dtype
            if first is None:
                first = dtype
            elif dtype is not first:
                return True
        elif x.__class__ is not float and x.__class__ is not int and x is not None:
            return True
    return first is None or first.kind != "f"


def _promoted(op: Op, operands: tuple) -> tuple:
    assert op.promote_rule is not None
    try:
        operands = op.promote_rule(weak_literals(operands))
    except TwinoarError as error:
        raise error.attach(op.name, describe(op, operands)) from None
    except Exception as error:
        raise (misfit(op, operands) or error) from shown_cause(error)
    dtype = next((x._data.dtype for x in operands if isinstance(x, Tensor)), None)
    return strong_literals(operands, dtype) if dtype is not None and dtype.kind == "V" else operands


def _callable(block: Block, here: Eager) -> Callable[..., tuple]:
    def call(*arrays: ndarray) -> tuple:
        with using(here):
            out = replay(block, tuple(Tensor(np.asarray(a)) for a in arrays))
        return tuple(x._data if isinstance(x, Tensor) else x for x in out)

    return call


def _raw(op: Op, x: Any, operands: tuple) -> Any:
    if isinstance(x, RAW):
        return x
    if isinstance(x, np.generic):
        return x.item()
    if isinstance(x, Value):
        raise ProgramError(
            f"{x} is a symbol of a Program and has no data in eager mode",
            cure="call enable_static() or work under program_guard, "
            "or run the Program with an Executor",
        ).attach(op.name, describe(op, operands))
    raise NotTensorError(
        f"expected a Tensor or a number, received {type(x).__name__}",
        cure="convert it with to_tensor",
    ).attach(op.name, describe(op, operands))


def explain(op: Op, operands: tuple, attrs: dict, error: Exception) -> Exception:
    """The error to show for a kernel's `error`: what inference says, or that error with context."""
    if isinstance(error, TwinoarError):
        return error.attach(op.name, describe(op, operands))
    if isinstance(error, RecursionError) or is_users_error(error):
        return error
    specs: tuple[Spec | None, ...] = ()
    try:
        given = tuple(Tensor(x) if isinstance(x, ndarray) else x for x in operands)
        specs = infer(op, given, attrs)
    except TwinoarError as better:
        return better
    except Exception:
        if not isinstance(error, MemoryError):
            return misfit(op, operands) or error
    lacking = lack_of_memory(error, specs)
    if lacking is not None:
        return lacking.attach(op.name, describe(op, operands))
    if any(x is None for x in operands) and (unfit := misfit(op, operands)):
        return unfit
    kind = DTypeError if isinstance(error, TypeError) else ArgumentError
    return kind(str(error)).attach(op.name, describe(op, operands))


config.heed("finite", check_finite)
