"""Building a Program a line at a time: the verbs of the files that `core.to_python` writes.

A specification is written as in the text of Programs, `f32[N,3]`; `!` after it says that the
gradient is wanted. While a Construction is open it is the interpreter, so that the functions users
call work in it as well as `ops`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal, NamedTuple

import ml_dtypes
import numpy as np

from twinoar.core.dim import names_in, parse_dim
from twinoar.core.interpreter import current, using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Block, Operator, Program, State, Variable
from twinoar.core.live import LIVE, READERS
from twinoar.core.near import near_names
from twinoar.core.op.attr import REQUIRED, Operand
from twinoar.core.op.definition import DERIVATIONS, Op, op_named
from twinoar.core.spec import Spec
from twinoar.errors import (
    ArgumentError,
    FileError,
    ProgramError,
    ShapeError,
    SourceLine,
    TwinoarError,
    UnknownNameError,
)

Style = Literal["paddle", "numbers"]
Role = Literal["forward", "backward", "optimize"]
NUMBERED = re.compile(r"(.*?)(\d+)((?:\.tmp_\d+)?)", re.DOTALL | re.ASCII)

dim = parse_dim
spec = Spec.parse


class Naming:
    """The names of results that are given none: each goes on from the last of its operator.

    style: "paddle" gives `relu_3.tmp_0`, by the operator's type; "numbers" gives `12`.
    """

    def __init__(self, style: Style):
        self.style = style
        self.number = -1  # the last name that is a number
        self.last: dict[tuple[str, int], tuple[str, int, str]] = {}

    def of_results(self, op: Op, count: int) -> list[str]:
        """A name for each of `count` results."""
        if self.style == "numbers":
            return [str(self.number + 1 + i) for i in range(count)]
        found = []
        for i in range(count):
            before, number, after = self.last.get((op.name, i), (f"{op.type}_", -1, f".tmp_{i}"))
            found.append(f"{before}{number + 1}{after}")
        return found

    def note(self, op: Op, index: int, name: str) -> None:
        """Go on from `name`, which result `index` of a call of `op` has got."""
        numbered = NUMBERED.fullmatch(name)
        if name.isdecimal():
            self.number = int(name)
        elif numbered is not None:
            self.last[op.name, index] = numbered[1], int(numbered[2]), numbered[3]


class Construction:
    """Fills `program`, within a `with` statement.

    >>> program = Program("double")
    >>> with Construction(program) as p:
    ...     x = p.input("x", "f32[N]")
    ...     p.output(ops.multiply(x, 2.0))
    >>> print(program)
    program double {
      main(%x: f32[N]) {
        %elementwise_mul_0.tmp_0: f32[N] = multiply(%x, 2.0)
        return %elementwise_mul_0.tmp_0
      }
    }
    """

    def __init__(self, program: Program, names: Style = "paddle"):
        self.program, self.naming = program, Naming(names)
        self.builder = _Lines(program, self)
        self.source: SourceLine | None = None
        self.present_role: Role = "forward"
        self.named: dict[Block, set[str]] = {}
        self.numbered: dict[str, Variable] = {}  # results whose names were not given
        self._open = ExitStack()

    def __enter__(self) -> Construction:
        self._open.enter_context(using(self.builder))
        return self

    def __exit__(self, *failure: Any) -> None:
        self._open.close()

    def param(self, name: str, spec: str, frozen: bool = False, **traits: Any) -> State:
        """A parameter. traits: what optimizers want to know of it."""
        state = self._state(name, spec, is_parameter=True, stop_gradient=frozen)
        state.__dict__.update(traits)
        return state

    def state(self, name: str, spec: str, *, persistable: bool = True, **traits: Any) -> State:
        """What lives on between runs and is not trained: a statistic, a moment, a random key."""
        state = self._state(
            name, spec.removesuffix("!"), persistable, stop_gradient=not spec.endswith("!")
        )
        state.__dict__.update(traits)
        return state

    def const(self, name: str, spec: str, value: Any, *, persistable: bool = False) -> State:
        """A state that never changes; `array` says what `value` may be."""
        return self._state(name, spec, persistable, data=array(spec, value), is_constant=True)

    def live(self, name: str, of: str | None = None) -> State:
        """A value of the process that runs the Program; of: its name there, such as random_state.

        Raises UnknownNameError where there is none of that name.
        """
        wanted = of or name
        if wanted not in LIVE:
            raise UnknownNameError(
                f"there is no live value {wanted!r}", cure=near_names(wanted, LIVE)
            )
        value = LIVE[wanted]()
        state = self._state(name, str(value.spec), data=value, stop_gradient=value.stop_gradient)
        self.program.captured[id(value)] = state
        return state

    def read_anew(self, name: str, by: str, index: int) -> State:
        """A state that is read anew before each run; by: what reads it, such as random_key.

        Raises UnknownNameError where there is none of that name.
        """
        if by not in READERS:
            raise UnknownNameError(f"there is no reader {by!r}", cure=near_names(by, READERS))
        reader = READERS[by](index)
        state = self._state(name, str(reader.spec), persistable=False)
        state.traits["read"] = reader
        return state

    def input(self, name: str, spec: str) -> Variable:
        """What is fed."""
        return self._input(self.program.main, name, spec)

    def block(self, inputs: Mapping[str, str]) -> Callable[[Callable[..., Any]], Block]:
        """Decorator: the function, called once with inputs of these names and specs, as a Block.

        It sees its inputs alone: what it needs from outside is given to the operator.
        """

        def build(function: Callable[..., Any]) -> Block:
            block = Block(self.program.names)
            given = [self._input(block, name, spec) for name, spec in inputs.items()]
            inner = self.builder.twin(block=block, imported={}, rebinds=[], changed={})
            with using(inner):
                out = function(*given)
                results = out if isinstance(out, (tuple, list)) else (out,)
                block.outputs = [inner.lift(v) for v in results]
            return block

        return build

    def at(self, line: str | None) -> None:
        """The line of the source, `model.py:31`, that the operators from here on come from."""
        file, _, number = (line or "").rpartition(":")
        if line is not None and not (file and number.isdecimal()):
            raise ArgumentError(f"expected a line such as 'model.py:31', received {line!r}")
        self.source = None if line is None else SourceLine(file, int(number))

    def role(self, role: Role) -> None:
        """What the operators from here on are for."""
        self.present_role = role

    def update(self, state: State, value: Variable) -> None:
        """`state` takes `value` after the run."""
        if self.program.states.get(getattr(state, "name", "")) is not state:
            raise ProgramError(
                f"{state} is no state of this program, and takes no update",
                cure="declare it with p.state or p.param",
            )
        self.program.update(state, self.builder.lift(value))

    def output(self, *values: Any) -> None:
        """What the Program returns."""
        self.program.main.outputs = [self.builder.lift(v) for v in values]

    def read(self, text: str) -> Spec:
        """The spec that `text` says; no new size of this Program takes the names in it."""
        found = Spec.parse(text)
        self.program.symbols.taken.update(*map(names_in, found.shape))
        return found

    def name(self, v: Variable, block: Block, name: str | None, default: str) -> str:
        """Call a result `name`, or where none is given `default` or a numbered form of it."""
        if name is None:
            v.name = self.program.names.take(default)
            self.named.setdefault(block, set()).add(v.name)
            self.numbered[v.name] = v
        else:
            self._take(block, name)
            v.name = name
        return v.name

    def _state(self, name: str, spec: str, persistable: bool = True, **fields: Any) -> State:
        main = self.program.main
        self._take(main, name)
        state = State(name, self.read(spec), home=main, **fields)
        state.persistable = persistable
        self.program.states[name] = state
        return state

    def _input(self, block: Block, name: str, spec: str) -> Variable:
        self._take(block, name)
        read, stops = self.read(spec.removesuffix("!")), not spec.endswith("!")
        block.inputs.append(Variable(name, read, home=block, stop_gradient=stops))
        return block.inputs[-1]

    def _take(self, block: Block, name: str) -> None:
        """Let `name` be free in `block`: a name that was given wins over one that was not."""
        known = self.named.setdefault(block, set())
        numbered = self.numbered.get(name)
        if numbered is not None and numbered.home is block:
            known.discard(name)
            del self.numbered[name]
            numbered.rename(f"{name}_0")
            known.add(numbered.name)
        if name in known:
            raise ProgramError(f"%{name} is defined twice", cure="give another name")
        known.add(name)
        self.program.names.taken.add(name)


Many = tuple[Any, ...]


class Said(NamedTuple):
    """What a line says of the results of its call: one for each, None where it says nothing."""

    names: Many = ()
    specs: Many = ()
    stops: Many = ()
    unused: tuple[int, ...] = ()


class _Lines(Builder):
    """Appends what the lines of a Construction call."""

    def __init__(self, program: Program, construction: Construction):
        super().__init__(program)
        self.construction, self.follows = construction, False
        self.pending: tuple[Op, Said] | None = None

    def call(self, op: Op, operands: tuple[Any, ...], attrs: dict[str, Any], said: Said) -> Any:
        """The results of `op`, named and specified as `said`."""
        self.pending = op, said
        try:
            super().apply(op, operands, attrs)
        finally:
            self.pending = None
        results = self.block.ops[-1].results
        return results[0] if len(results) == 1 else results

    def append(self, o: Operator) -> None:
        """Name the results, and note where the operator comes from."""
        said = self._said(o.op)
        o.source, o.role = self.construction.source, self.construction.present_role
        o.results = tuple(None if i in said.unused else v for i, v in enumerate(o.results))
        defaults = self.construction.naming.of_results(o.op, len(o.results))
        names, stops = (_one_each(x, o) for x in (said.names, said.stops))
        for i, v in enumerate(o.results):
            if v is not None:
                name = self.construction.name(v, self.block, names[i], defaults[i])
                self.construction.naming.note(o.op, i, name)
                v.stop_gradient = v.stop_gradient if stops[i] is None else stops[i]
        super().append(o)

    def result_name(self, op: Op, index: int) -> str:
        """None yet: `append` names the results."""
        return ""

    def _result(
        self, op: Op, index: int, spec: Spec | None, needs_gradient: bool
    ) -> Variable | None:
        specs = self._said(op).specs
        text = specs[index] if index < len(specs) else None
        if spec is not None and text is not None:
            given = self.construction.read(text)
            if not may_be(given, spec):
                raise ProgramError(f"{op.name} gives {spec}, its line says {text}")
            spec = given
        return super()._result(op, index, spec, needs_gradient)

    def _said(self, op: Op) -> Said:
        return self.pending[1] if self.pending is not None and self.pending[0] is op else Said()

    def _import(self, v: Variable) -> Variable:
        if v.home is self.block:
            return v
        raise ProgramError(
            f"%{v.name} stands in another block or program",
            cure="blocks are closed: give it to the operator, and the block an input for it",
        )


def _one_each(said: Many, o: Operator) -> Many:
    if said and len(said) != len(o.results):
        raise ProgramError(f"{o.op.name} has {len(o.results)} results, its line names {len(said)}")
    return said or (None,) * len(o.results)


def may_be(given: Spec, inferred: Spec) -> bool:
    """True if inference, which may leave sizes open, allows the spec that is given."""
    return (
        given.dtype == inferred.dtype
        and len(given.shape) == len(inferred.shape)
        and all(
            n is None or not (isinstance(m, int) and isinstance(n, int)) or m == n
            for m, n in zip(given.shape, inferred.shape, strict=True)
        )
    )


class _Call:
    """An operator as a function of Variables, and of what its line says of the results."""

    def __init__(self, op: Op):
        self._op = op

    def __getattr__(self, derivation: str) -> _Call:
        return _Call(_operator(f"{self._op.name}.{derivation}"))

    def __call__(
        self,
        *args: Any,
        name: Any = None,
        spec: Any = None,
        stop_gradient: Any = None,
        unused: Sequence[int] = (),
        **kwargs: Any,
    ) -> Any:
        builder = current()
        if not isinstance(builder, _Lines):
            raise ProgramError(
                f"ops.{self._op.name} is called outside a Construction",
                cure="call it within `with Construction(program) as p:`",
            )
        operands, attrs = bind(self._op, args, kwargs)
        said = Said(_many(name), _many(spec), _many(stop_gradient), tuple(unused))
        return builder.call(self._op, operands, attrs, said)


class _Operators:
    """Every operator by its name: `ops.matmul`, `ops.matmul.grad`, `ops.if_`."""

    def __getattr__(self, name: str) -> _Call:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Call(_operator(name.rstrip("_")))


ops = _Operators()


def _operator(name: str) -> Op:
    try:
        return op_named(name)
    except TwinoarError as error:
        raise ProgramError(error.message, cure=error.cure) from None


def _many(said: Any) -> Many:
    return () if said is None else said if isinstance(said, tuple) else (said,)


def bind(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Many, dict[str, Any]]:
    """The operands and attributes of a call. Raises ProgramError where they do not fit `op`.

    As everywhere, a variadic operand is a list; a gradient takes all its operands one by one.
    """
    given = dict(kwargs)
    if is_gradient(op):
        operands: Many = tuple(args)
    else:
        parameters = [o.name for o in op.operands] + list(op.attrs)
        if len(args) > len(parameters):
            raise ProgramError(
                f"{op.name} takes {', '.join(parameters)}, received {len(args)} arguments"
            )
        for parameter, value in zip(parameters, args, strict=False):
            if parameter in given:
                raise ProgramError(f"{op.name} receives {parameter} twice")
            given[parameter] = value
        operands = tuple(x for o in op.operands for x in _operand(op, o, given))
    if unknown := given.keys() - op.attrs.keys():
        raise ProgramError(
            f"{op.name} has no operand or attribute {sorted(unknown)[0]!r}",
            cure=near_names(sorted(unknown)[0], [*(o.name for o in op.operands), *op.attrs]),
        )
    return operands, {name: _attribute(op, name, given) for name in op.attrs}


def is_gradient(op: Op) -> bool:
    """True for an operator that is derived from another, as `matmul.grad` is."""
    return op.name.rpartition(".")[2] in DERIVATIONS


def _operand(op: Op, operand: Operand, given: dict[str, Any]) -> Many:
    if operand.name not in given and not (operand.optional or operand.variadic):
        raise ProgramError(f"{op.name} lacks its operand {operand.name}")
    value = given.pop(operand.name, () if operand.variadic else None)
    if operand.variadic and not isinstance(value, (tuple, list)):
        raise ProgramError(f"{op.name} takes a list as {operand.name}, received {value}")
    return tuple(value) if operand.variadic else (value,)


def _attribute(op: Op, name: str, given: Mapping[str, Any]) -> Any:
    attr = op.attrs[name]
    if name not in given:
        if attr.default is REQUIRED:
            raise ProgramError(f"{op.name} lacks its attribute {name}")
        value = attr.default
    else:
        value = attr.convert(given[name])
    if getattr(attr.annotation, "is_block", False) and not isinstance(value, Block):
        raise ProgramError(
            f"{op.name} lacks its block {name}", cure="make it by @p.block, above the call"
        )
    return value


def array(spec: str, value: Any) -> np.ndarray:
    """The array of `spec` with the elements `value`: nested lists, or the bytes in hexadecimal.

    Raises ProgramError where the value does not fit.
    """
    read = Spec.parse(spec)
    try:
        if isinstance(value, str):
            flat = np.frombuffer(bytes.fromhex(value), read.dtype.numpy)
        else:
            flat = np.asarray(value, read.dtype.numpy)
        return flat.reshape(read.shape)
    except (TypeError, ValueError, OverflowError, ShapeError) as error:
        raise ProgramError(f"the value of {spec} does not fit: {error}") from None


def arrays(file: str, kind: Literal["constants", "values"]) -> dict[str, np.ndarray]:
    """Arrays by name, from the `.npz` that was written beside a Python file.

    Raises FileError if there is none, or it is damaged.
    """
    from zipfile import BadZipFile  # most processes read none

    path = Path(file).with_suffix(".npz")
    try:
        with np.load(path) as found:
            return {
                key.removeprefix(f"{kind}/"): _typed(found[key])
                for key in found.files
                if key.startswith(f"{kind}/")
            }
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise FileError(
            f"cannot read {path}: {error}", cure="keep it beside the Python file that loads it"
        ) from error


def _typed(array: np.ndarray) -> np.ndarray:
    """bfloat16 comes out of such files as two bytes."""
    return array.view(ml_dtypes.bfloat16) if array.dtype == np.dtype("V2") else array
