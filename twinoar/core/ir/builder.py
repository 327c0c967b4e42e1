"""The interpreter that appends each operator to a Block instead of running it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Self

import numpy as np

from twinoar.core.dim import Dim
from twinoar.core.dtype import BY_NUMPY
from twinoar.core.interpreter import autocast, current, eager, using
from twinoar.core.ir.program import Block, Operator, Program, State, Variable, among
from twinoar.core.ir.size_names import renamed, turned_out
from twinoar.core.op.definition import Op
from twinoar.core.op.explain import describe, misfit
from twinoar.core.policy import PLAIN, UNRECORDED, Policy
from twinoar.core.spec import Spec
from twinoar.core.stored import refuse
from twinoar.core.values import Value
from twinoar.errors import (
    ConversionError,
    NotTensorError,
    ProgramError,
    SourceLine,
    TwinoarError,
    TypeMismatchError,
    user_line,
)

Literal = (int, float, complex, bool, type(None))


class Builder:
    """Appends operators to `block` of `program`, or inserts them from index `at` on.

    outer: the Builder around a nested block, from which outside values are taken as inputs.
    changed: handles from outside that a nested block has rebound, and their values at its end.
    policy: where it does not record, all results are marked as needing no gradient.
    source: the line to note on operators, where it is not the user's current one. role: theirs.
    marks: what to note on operators beside that: the scope and the device of its Policy.
    place: the index from which on operators are inserted, in a list that twins share.
    follows: True where operands are users' handles, which in-place operators may have rebound;
        passes and gradients mean the very Variables they name.
    """

    runs = traces = False
    startup: Program | None = None

    def __init__(
        self,
        program: Program,
        block: Block | None = None,
        *,
        at: int | None = None,
        outer: Builder | None = None,
        policy: Policy = PLAIN,
    ):
        self.program, self.block, self.place = program, block or program.main, [at]
        self.outer, self.policy = outer, policy
        self.source: SourceLine | None = None
        self.role = "forward"
        self.follows = True
        self.marks: Mapping[str, str] = policy.marks
        self.imported: dict[Variable, Variable] = {}
        self.rebinds: list[tuple[Variable, Variable]] = []
        self.changed: dict[Variable, Variable] = {}

    def apply(self, op: Op, operands: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Infer the results' specs, append the operator, return its results."""
        source = self.source or user_line()
        try:
            if self.policy.autocast is not None:
                operands = autocast(self, op, operands)
            if op.promote_rule is not None:
                operands = op.promote_rule(weak_literals(operands))
            lifted = tuple(self.lift(x) for x in operands)
        except TwinoarError as error:
            raise error.attach(op.name, describe(op, operands), source) from None
        except (AttributeError, KeyError, TypeError) as error:
            raise (misfit(op, operands) or error) from error
        specs = infer(op, lifted, attrs, source)
        needs_gradient = (
            self.policy.records
            and not op.stops_gradients
            and any(isinstance(x, Variable) and not x.stop_gradient for x in lifted)
        )
        results = tuple(self._result(op, i, s, needs_gradient) for i, s in enumerate(specs))
        self.append(Operator(op, lifted, attrs, results, source, self.role, self.marks))
        return results[0] if len(results) == 1 else results

    def note_made(self, x: Any) -> None:
        """It is made once, while the Program is built."""

    def may_raise(self, error: str) -> None:
        """It is raised when the Program runs."""

    def append(self, o: Operator) -> None:
        """Put a finished operator in its place."""
        at = self.place[0]
        if at is None:
            self.block.ops.append(o)
        else:
            self.block.ops.insert(at, o)
            self.place[0] = at + 1
        self.program.version += 1

    def result_name(self, op: Op, index: int) -> str:
        """The name of a new result; the static-graph face names them as Paddle does."""
        return self.block.names.fresh()

    def lift(self, x: Any) -> Any:
        """`x` as an operand here: Variables of outer blocks are imported, data is captured."""
        if isinstance(x, Variable):
            return self._import(x.latest() if self.follows else x)
        if isinstance(x, Value):
            return self._import(self.capture(x).latest())
        if isinstance(x, Literal):
            return x
        if isinstance(x, (np.ndarray, np.generic)):
            array = np.asarray(x)
            return self._import(
                self.program.add_constant(array, Spec(array.shape, BY_NUMPY[array.dtype]))
            )
        raise NotTensorError(
            f"expected a Tensor or a number, received {type(x).__name__}",
            cure="convert it with to_tensor",
        )

    def capture(self, x: Value) -> State:
        """The state that stands for live data: each run reads it anew, and gradients flow to it."""
        found = self.program.captured.get(id(x))
        if found is None:
            kept = getattr(x, "persistable", False)
            name = getattr(x, "name", None) if kept else None
            found = self.program.add_state(
                x.spec,
                name,
                data=x,
                is_parameter=getattr(x, "is_parameter", False),
                stop_gradient=x.stop_gradient,
            )
            self.program.captured[id(x)] = found
        return found

    def rebind(self, target: Any, value: Any) -> None:
        """Let the handle `target` stand for `value` from now on; a state is updated.

        This is what in-place means in SSA. In a nested block it holds to the end of the block:
        whoever builds the operator around it merges what it has `changed`, or carries it.
        """
        if not isinstance(target, Value):
            kind = type(target).__name__
            raise NotTensorError(
                f"expected a Tensor to change in place, received {kind}",
                cure="convert it with to_tensor first",
            )
        root = target if isinstance(target, Variable) else self.capture(target)
        value = self.lift(value)
        if not isinstance(value, Variable):
            raise TypeMismatchError(
                f"expected a Variable to assign to {root.name}, received {value!r}",
                cure="convert it with to_tensor",
            )
        if self.outer is not None:
            self.stand_in(root, value)
            return
        last = root.latest()
        if isinstance(root, State):
            root.is_constant = False
            self.program.update(root, value)
        if last is not value:
            last.rebound = value

    def merge(self, handle: Any, value: Any) -> None:
        """After a nested block that changed `handle`: let it stand for what came out of that."""
        self.rebind(handle, value)

    def stand_in(self, handle: Variable, value: Variable) -> None:
        """Let `handle` stand for `value` until the end of this nested block."""
        last = handle.latest()
        if last is not value:
            self.rebinds.append((handle, last))
            last.rebound = value

    def share(self, base: Any, view: Any, step: Any, apart: bool = False) -> Any:
        """`view`: a Program has values, which share nothing."""
        return view

    def under(self, policy: Policy) -> Builder:
        """The same place under another Policy."""
        mine = self.policy
        if (mine.scope, mine.placed) == (policy.scope, policy.placed):
            return self.twin(policy=policy)
        return self.twin(policy=policy, marks=policy.marks)

    def create_parameter(self, spec: Spec, initializer: Callable[..., Any], **traits: Any) -> Any:
        """A trainable value; a plain Builder (tracing) cannot make any."""
        raise ConversionError(
            "a parameter is created while a function is being converted",
            cure="create layers and parameters once, outside the converted function",
        )

    def create_state(self, spec: Spec, initializer: Callable[..., Any], name: str) -> Any:
        """A live value that this Program reads and may update (an optimizer's moment)."""
        with using(eager(UNRECORDED.on(self.policy.device))) as interpreter:
            return interpreter.create_state(spec, initializer, name)

    def random_key(self, generator: Any) -> Any:
        """A key of its own for an operator that draws random numbers."""
        return generator.split()

    def live_number(self, name: str, read: Callable[[], float]) -> State:
        """A number that is read anew before each run (a learning rate)."""
        found = self.program.states.get(name)
        if found is None:
            found = self.program.add_state(Spec(()), name)
            found.traits["read"] = read
        return found

    def code_of(self, function: Any, layer: Any = None) -> Any:
        """What runs for a layer's `forward` or a hook: it."""
        return function

    # What is live has gradients of its own while a Program is built; its symbols have none.

    @property
    def gradients(self) -> Any:
        """Those of eager mode."""
        return eager().gradients

    def python_effect(self, what: str) -> None:
        """Python's own state may change while a Program is built."""

    @contextmanager
    def nested(self) -> Iterator[Self]:
        """A Builder of a new closed block here; `imported` maps outer values to its inputs."""
        inner = self.inside(type(self.block)(self.block.names, self.program))
        with using(inner):
            try:
                yield inner
            finally:
                inner.changed = {
                    handle: handle.latest()
                    for handle, last in inner.rebinds
                    if last.home is not inner.block
                }
                for _, last in inner.rebinds:
                    last.rebound = None

    def twin(self, **changes: Any) -> Builder:
        """A Builder of the same place, with these attributes changed."""
        twin = object.__new__(type(self))
        twin.__dict__ = {**self.__dict__, **changes}
        return twin

    def inside(self, block: Block) -> Self:
        """A Builder like this one for a block nested here."""
        inner = type(self)(self.program, block=block, outer=self, policy=self.policy)
        inner.source, inner.role, inner.follows = self.source, self.role, self.follows
        inner.marks = self.marks
        return inner

    def _import(self, v: Variable) -> Variable:
        if v.home is self.block:
            return v
        if self.outer is None:
            raise ProgramError(
                f"%{v.name} belongs to another program",
                cure="build on values of the program under program_guard",
            )
        if v not in self.imported:
            self.outer._import(v)
            self.imported[v] = self.block.add_input(
                v.spec, stop_gradient=v.stop_gradient, kind=type(v) if v.weak else Variable
            )
        return self.imported[v]

    def _result(
        self, op: Op, index: int, spec: Spec | None, needs_gradient: bool
    ) -> Variable | None:
        if spec is None:
            return None
        if None in spec.shape:  # a size that only the data decides
            spec = Spec(
                tuple(self.program.fresh_dim() if d is None else d for d in spec.shape), spec.dtype
            )
        stop = not (needs_gradient and spec.dtype.is_differentiable)
        return Variable(self.result_name(op, index), spec, home=self.block, stop_gradient=stop)


def infer(
    op: Op, operands: tuple[Any, ...], attrs: dict[str, Any], source: SourceLine | None = None
) -> tuple[Spec | None, ...]:
    """Specs of the results: by the operator's rule, or by building its body in a scratch block.

    A rule receives the spec of each tensor operand, and literals as they are.
    """
    try:
        refuse(op, operands)
        rule = op.rules.get("infer")
        if rule is not None:
            found = rule(*[x.spec if isinstance(x, Value) else x for x in operands], **attrs)
            specs = found if isinstance(found, tuple) else (found,)
            refuse(op, specs)
            return specs
        body = trace_body(op, operands, attrs, source)
        return tuple(None if v is None else v.spec for v in body.outputs)
    except TwinoarError as error:
        raise error.attach(op.name, describe(op, operands), source) from None
    except Exception as error:
        better = misfit(op, operands)
        if better is None:
            raise
        raise better.attach(op.name, (), source) from error


def weak_literals(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """NumPy's scalars as Python's numbers, which take the dtype of the tensors they meet."""
    return tuple(x.item() if isinstance(x, np.generic) else x for x in operands)


def strong_literals(operands: tuple[Any, ...], dtype: np.dtype) -> tuple[Any, ...]:
    """Numbers as arrays of `dtype`, for NumPy types whose literals are not weak (bfloat16)."""
    return tuple(np.asarray(x, dtype) if isinstance(x, (int, float)) else x for x in operands)


def trace_body(
    op: Op, operands: tuple[Any, ...], attrs: dict[str, Any], source: SourceLine | None = None
) -> Block:
    """The body of a composite operator, called at `source`, as a Block of a scratch Program.

    Its inputs are the tensor operands.
    """
    program = Program(op.name)
    inputs = [
        program.main.add_input(x.spec, stop_gradient=x.stop_gradient) if isinstance(x, Value) else x
        for x in operands
    ]
    builder = Builder(program)
    builder.source = source
    with using(builder):
        out = call_body(op, tuple(inputs), attrs)
        results = out if isinstance(out, (tuple, list)) else (out,)
        program.main.outputs = [builder.lift(v) for v in results]
    return program.main


def call_body(op: Op, operands: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """Run a composite's body; a variadic operand is handed over as a tuple."""
    assert op.body is not None
    if op.variadic:
        fixed = len(op.operands) - 1
        return op.body(*operands[:fixed], operands[fixed:], **attrs)
    return op.body(*operands, **attrs)


def trace(function: Callable[..., Any], *specs: Spec, name: str = "program") -> Program:
    """The Program of an ordinary function, by calling it once on Variables.

    >>> from twinoar.core.spec import Spec
    >>> from twinoar import tanh
    >>> print(trace(lambda x: tanh(x), Spec((2, 3))).to_text(sources=False))
    program program {
      main(%x: f32[2,3]) {
        %0: f32[2,3] = tanh(%x)
        return %0
      }
    }
    """
    program = Program(name)
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    inputs = [
        program.main.add_input(s, names[i] if i < len(names) else None) for i, s in enumerate(specs)
    ]
    with using(Builder(program)) as builder:
        out = function(*inputs)
        results = out if isinstance(out, (tuple, list)) else (out,)
        program.main.outputs = [builder.lift(v) for v in results]
    return program


def replay(
    block: Block,
    operands: tuple[Any, ...],
    known: Mapping[Any, Any] | None = None,
    outputs: Sequence[Any] | None = None,
) -> tuple[Any, ...]:
    """Call every operator of `block` again, under the current interpreter, on new operands.

    known: values for Variables that are not inputs (states). outputs: what to return in place of
    the outputs of the block. Where no gradient went through an operator of the block (no_grad),
    none goes through its new call. Sizes that operators ask for by name are those of the operands.
    """
    environment = {**(known or {}), **dict(zip(block.inputs, operands, strict=True))}
    sizes: dict[str, Dim] = {}
    for v, x in zip(block.inputs, operands, strict=True):
        sizes |= turned_out(v, x) if isinstance(x, Value) else {}
    for o in block.ops:
        given = tuple(environment.get(x, x) if isinstance(x, Variable) else x for x in o.operands)
        attrs = o.attrs
        if sizes:
            given, attrs = renamed(given, sizes), {k: renamed(a, sizes) for k, a in attrs.items()}
        out = current().apply(o.op, given, attrs)
        results = out if len(o.results) != 1 else (out,)
        environment.update((v, r) for v, r in zip(o.results, results, strict=True) if v is not None)
        if is_cut(o):
            for r in results:
                if isinstance(r, Variable) and not among(r, given):
                    r.stop_gradient = True
    wanted = block.outputs if outputs is None else outputs
    return tuple(environment.get(v, v) if isinstance(v, Variable) else v for v in wanted)


def is_cut(o: Operator) -> bool:
    """True where operands want gradients, and results that could have one do not."""
    return any(isinstance(x, Variable) and not x.stop_gradient for x in o.operands) and all(
        v is None or v.stop_gradient for v in o.results
    )


@contextmanager
def before(program: Program, o: Operator) -> Iterator[Builder]:
    """Operators called in this block are inserted before `o` of the main block.

    with before(program, o):
        new = linear(x, w, b)
    """
    builder = Builder(program, at=program.main.ops.index(o))
    builder.source = o.source
    with using(builder):
        yield builder
