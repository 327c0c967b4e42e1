"""The NumPy back end: runs each operator's kernel in order. The oracle for every other back end.

Sizes that are not known before the run are bound from the feeds, and from results as they appear.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from twinoar.backends.base import Arrays, Executable, Sort
from twinoar.compile.specialise import is_symbolic, resolve, states_read
from twinoar.core.device import Buffer
from twinoar.core.dim import Dim, SymbolicDim, evaluate
from twinoar.core.interpreter import observers_now
from twinoar.core.ir.builder import describe, infer, strong_literals
from twinoar.core.ir.program import Block, Operator, Program, State, Variable
from twinoar.core.ir.size_names import names_asked, names_told
from twinoar.core.memory_error import lack_of_memory
from twinoar.core.observer import OPERATOR, Call, Observer, observed
from twinoar.core.spec import Spec
from twinoar.eager.tensor import Tensor
from twinoar.errors import (
    ArgumentError,
    DeviceError,
    DTypeError,
    ProgramError,
    ShapeError,
    TwinoarError,
    is_users_error,
    users_error,
)
from twinoar.tracebacks import shown_cause

if TYPE_CHECKING:
    from twinoar.compile.commands import Place

Sizes = dict[str, int]
BlockAsFunction = Callable[[Block], Callable[..., tuple] | None]


def compile_numpy(program: Program) -> NumpyExecutable:
    """An Executable of `program`, whose operators must all have kernels (see passes.decompose)."""
    return NumpyExecutable(program)


class NumpyExecutable(Executable):
    """A Program as a list of kernel calls over numbered slots; it drops dead values as it runs."""

    def __init__(self, program: Program, function: BlockAsFunction | None = None):
        """function: what runs nested blocks, where it is not None for one."""
        self.program = program
        self.states = states_read(program)
        self.feed_names = [v.name for v in program.main.inputs]
        self.state_names = [s.name for s in self.states if not s.is_constant]
        self.updated_names = [s.name for s in program.updates]
        leading = [*self.states, *program.main.inputs]
        outputs = [*program.main.outputs, *program.updates.values()]
        self.constants = {s: np.asarray(s.data) for s in self.states if s.is_constant}
        self.code = BlockCode(program.main, leading, outputs, function)

    def call(
        self, feeds: Arrays, states: Arrays, sizes: Sizes | None = None
    ) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Run once, by position. sizes: those that are known; the others are added."""
        sizes = {} if sizes is None else sizes
        live = iter(states)
        given = [self.constants[s] if s.is_constant else next(live) for s in self.states]
        for v, array in zip(self.program.main.inputs, feeds, strict=True):
            check_feed(v, array, sizes)
            given.append(array)
        results = self.code.run(given, sizes)
        count = len(self.program.main.outputs)
        return results[:count], results[count:]

    def unchecked(self, feeds: Arrays, sizes: Sizes) -> list[np.ndarray]:
        """The outputs of a Program without live states, for feeds and sizes known to fit it."""
        return self.code.run([*self.constants.values(), *feeds], sizes)

    call_by_operator = call

    def table(self, sort: Sort = "order") -> str:
        """Each operator and the kernel that runs it, in order: kernels are not timed."""
        return "\n".join(f"{o.op.name:<24} NumPy kernel" for o in self.program.main.ops)


def check_feed(v: Variable | Place, array: np.ndarray, sizes: Sizes) -> None:
    """Hold `array` against the spec of an input or state `v`, and bind its unknown sizes."""
    is_state = isinstance(v, State) if isinstance(v, Variable) else v.role == "state"
    what = f"{'state' if is_state else 'input'} {v.name}"
    if isinstance(array, Buffer):
        raise DeviceError(f"{what} is needed on the CPU, and lies on {array.device}")
    if array.dtype != v.spec.dtype.numpy:
        raise DTypeError(
            f"{what} must be {v.spec}, received {array.dtype} of shape {list(array.shape)}",
            cure=f"convert it with .astype('{v.spec.dtype.name}')",
        )
    if array.ndim != v.spec.ndim:
        raise ShapeError(
            f"{what} must be {v.spec}, received shape {list(array.shape)}: {array.ndim} dimensions"
        )
    for axis, (wanted, size) in enumerate(zip(v.spec.shape, array.shape, strict=True)):
        if isinstance(wanted, int):
            if wanted != size:
                raise ShapeError(
                    f"{what} must be {v.spec}, received shape {list(array.shape)}: "
                    f"dimension {axis} is {size}"
                )
        elif not bind(wanted, size, sizes):
            raise ShapeError(
                f"{what} must be {v.spec}, received shape {list(array.shape)}: "
                f"the size {wanted} is {evaluate(wanted, sizes)} elsewhere"
            )


def bind(dim: Dim, size: int, sizes: Sizes) -> bool:
    """Learn that `dim` is `size`; False if it is known to be another."""
    if isinstance(dim, int):
        return dim == size
    name = str(dim)
    if name not in sizes and dim.terms == (((name,), 1),):
        sizes[name] = size
        return True
    try:
        return evaluate(dim, sizes) == size
    except ShapeError:  # an expression whose names nothing has bound yet
        sizes[name] = size
        return True


class BlockCode:
    """A Block as kernel calls over a list of slots."""

    def __init__(
        self,
        block: Block,
        leading: Sequence[Variable],
        outputs: Sequence[Any],
        function: BlockAsFunction | None = None,
    ):
        slots: dict[Variable, int] = {v: i for i, v in enumerate(leading)}
        for o in block.ops:
            for v in (x for x in o.results if x is not None):
                slots[v] = len(slots)
        self.size = len(slots)
        self.outputs = [slots[v] if isinstance(v, Variable) else v for v in outputs]
        self.literal = [not isinstance(v, Variable) for v in outputs]
        last_use = self._last_uses(block, slots)
        self.steps = [
            _Step(o, slots, last_use.get(i, ()), function) for i, o in enumerate(block.ops)
        ]

    def run(self, given: Sequence[np.ndarray], sizes: Sizes) -> list[np.ndarray]:
        """Run the steps on `given`, the values of the leading slots."""
        values: list[Any] = [*given, *([None] * (self.size - len(given)))]
        for step in self.steps:
            step.run(values, sizes)
        return [
            _literal(i) if literal else values[i]
            for i, literal in zip(self.outputs, self.literal, strict=True)
        ]

    def _last_uses(self, block: Block, slots: dict[Variable, int]) -> dict[int, list[int]]:
        last: dict[int, int] = {}
        for index, o in enumerate(block.ops):
            last.update((slots[x], index) for x in o.operands if isinstance(x, Variable))
            last.update((slots[v], index) for v in o.results if v is not None)
        kept = {i for i, literal in zip(self.outputs, self.literal, strict=True) if not literal}
        uses: dict[int, list[int]] = {}
        for slot, index in last.items():
            if slot not in kept:
                uses.setdefault(index, []).append(slot)
        return uses


def _value(x: Any) -> Any:
    return Tensor(x) if isinstance(x, np.ndarray) else x


def _values(arrays: Sequence[Any]) -> tuple[Any, ...]:
    return tuple([_value(x) for x in arrays])


def _literal(x: Any) -> Any:
    return None if x is None else np.asarray(x)


class _Step:
    """One kernel call: which slots go in, which come out, which are free after it."""

    def __init__(
        self,
        o: Operator,
        slots: dict[Variable, int],
        frees: Sequence[int],
        function: BlockAsFunction | None,
    ):
        if o.op.kernel_rule is None:
            raise ProgramError(f"{o.op.name} has no kernel", cure="run passes.decompose before")
        self.operator, self.kernel, self.frees = o, o.op.kernel_rule, frees
        operands = o.operands
        dtype = next((x.spec.dtype.numpy for x in operands if isinstance(x, Variable)), None)
        if o.op.promote_rule is not None and dtype is not None and dtype.kind == "V":
            operands = strong_literals(operands, dtype)
        self.operands = [
            (slots[x], True) if isinstance(x, Variable) else (x, False) for x in operands
        ]
        self.results = [None if v is None else slots[v] for v in o.results]
        self.attrs = o.attrs
        self.blocks = {k: (function and function(b)) or _function(b) for k, b in o.blocks.items()}
        self.symbolic = [k for k, a in o.attrs.items() if is_symbolic(a)]
        self.binds = [
            v.spec for v in o.results if v is not None and any(map(_is_name, v.spec.shape))
        ]

    def run(self, values: list, sizes: Sizes) -> None:
        arrays = [values[x] if is_slot else x for x, is_slot in self.operands]
        attrs = self.attrs
        if self.blocks:
            attrs = {**attrs, **{k: partial(f, sizes) for k, f in self.blocks.items()}}
        if self.symbolic:
            attrs = {**attrs, **{k: resolve(attrs[k], sizes) for k in self.symbolic}}
        try:
            observers = observers_now()
            if observers:
                out = self._told(observers, arrays, attrs)
            else:
                out = self.kernel(*arrays, **attrs)
        except Exception as error:
            raise explained(self.operator, error, arrays, attrs) from shown_cause(error)
        results = out if out.__class__ is tuple else (out,)
        for slot, array in zip(self.results, results, strict=True):
            if slot is not None:
                values[slot] = array if array.__class__ is np.ndarray else np.asarray(array)
        for spec in self.binds:
            self._bind(spec, values, sizes)
        for slot in self.frees:
            values[slot] = None

    def _told(self, observers: Sequence[Observer], arrays: list, attrs: dict[str, Any]) -> Any:
        """What the kernel gives; who asks for each operator of a Program is told of it."""
        asking = [x for x in observers if x.by_operator]
        call = Call(OPERATOR, self.operator.op.name, self.operator.op, _values(arrays), attrs)
        out: Any = None

        def run() -> Any:
            nonlocal out
            out = self.kernel(*arrays, **attrs)
            return _values(out) if out.__class__ is tuple else _value(out)

        observed(asking, call, run)
        return out

    def _bind(self, spec: Spec, values: list, sizes: Sizes) -> None:
        for v, slot in zip(self.operator.results, self.results, strict=True):
            if slot is not None and v is not None and v.spec is spec:
                for dim, size in zip(spec.shape, values[slot].shape, strict=True):
                    bind(dim, size, sizes)


def explained(
    o: Operator, error: Exception, arrays: Sequence[Any], attrs: dict[str, Any]
) -> Exception:
    """What a kernel raised, with its operator, operands and the user's line.

    What inference says of the operands at hand is preferred to the kernel's words.
    """
    if isinstance(error, RecursionError):
        return error
    if is_users_error(error):
        return users_error(error, o.source)  # type: ignore[return-value]
    given = tuple(Tensor(a) if isinstance(a, np.ndarray) else a for a in arrays)
    described = describe(o.op, given)
    if isinstance(error, TwinoarError):
        is_told = bool(o.blocks) and error.operator is not None  # by an operator in a block
        return error.attach(o.op.name, described, None if is_told else o.source)
    specs: Sequence[Spec | None] = ()
    if not o.blocks:
        try:
            specs = infer(o.op, given, attrs, o.source)
        except TwinoarError as better:
            return better
    lacking = lack_of_memory(error, specs)
    if lacking is not None:
        return lacking.attach(o.op.name, described, o.source)
    kind = DTypeError if isinstance(error, TypeError) else ArgumentError
    return kind(str(error)).attach(o.op.name, described, o.source)


def kernel_attributes(o: Operator) -> dict[str, Any]:
    """The attributes of an operator as its kernel takes them: nested Blocks as functions."""
    return {**o.attrs, **{k: partial(_function(b), {}) for k, b in o.blocks.items()}}


def _function(block: Block) -> Callable[..., tuple]:
    """A nested Block as a function of the sizes around it and of arrays."""
    code = BlockCode(block, block.inputs, block.outputs)
    own = decided(block)

    def call(around: Sizes, *arrays: np.ndarray) -> tuple:
        sizes: Sizes = {}
        for v, a in zip(block.inputs, arrays, strict=True):
            for dim, size in zip(v.spec.shape, a.shape, strict=True):
                bind(dim, size, sizes)
        outside = {name: size for name, size in around.items() if name not in own}
        return tuple(code.run(arrays, {**outside, **sizes}))

    return call


def decided(block: Block) -> set[str]:
    """The names of sizes that operators of a block decide: around it they mean something else."""
    asked = names_told(block.inputs)
    found: set[str] = set()
    for o in block.ops:
        asked |= names_asked([o]) | names_told(x for x in o.operands if isinstance(x, Variable))
        found |= names_told(o.results) - asked
    return found


def _is_name(dim: Dim) -> bool:
    return isinstance(dim, SymbolicDim)
