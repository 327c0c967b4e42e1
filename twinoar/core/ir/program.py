"""Program, Block, Operator, Variable: a computation that has not run yet.

SSA without aliasing: a Variable is defined once, by its producer or as an input of its Block. What
lives on between runs (parameters, statistics, the random key, captured constants) is a State of the
Program; its next value leaves by `updates`, committed after the run. Blocks are closed: one nested
in an operator sees only its own inputs, which the operator's operands supply.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from twinoar.core.delayed import mark
from twinoar.core.dim import SymbolicDim, names_in, symbol
from twinoar.core.interpreter import current
from twinoar.core.ir.described import ROLES, Described
from twinoar.core.ir.text import print_block, print_operator, print_program
from twinoar.core.near import near_names as near_names
from twinoar.core.op.definition import Op
from twinoar.core.policy import NO_MARKS
from twinoar.core.shown import Shown
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.errors import (
    INTERNAL,
    ArgumentError,
    ConversionError,
    ProgramError,
    SourceLine,
    UnknownNameError,
)


class Names:
    """The names taken in one Program, and fresh ones."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.counts: dict[str, int] = {}

    def fresh(self, prefix: str = "", separator: str = "") -> str:
        """`prefix` with the lowest number not used with it; "" gives "0", "1", ..."""
        while True:
            count = self.counts.get(prefix, 0)
            self.counts[prefix] = count + 1
            name = f"{prefix}{separator}{count}"
            if name not in self.taken:
                self.taken.add(name)
                return name

    def take(self, wanted: str) -> str:
        """`wanted` itself where it is free, else numbered."""
        if wanted in self.taken:
            return self.fresh(wanted, "_")
        self.taken.add(wanted)
        return wanted


class Variable(Value):
    """A symbol: the result of an operator, or an input of a block.

    As a user's handle it may be rebound by in-place operators; `latest` follows to the value it
    stands for now. weak: True for what stands for a number of Python's; it promotes as a literal
    does.
    """

    weak = False
    __slots__ = (
        "__dict__",
        "__weakref__",
        "_spec",
        "home",
        "name",
        "producer",
        "rebound",
        "stop_gradient",
    )

    def __init__(
        self, name: str, spec: Spec, *, home: Block | None = None, stop_gradient: bool = True
    ):
        self.name, self._spec, self.home, self.stop_gradient = name, spec, home, stop_gradient
        self.producer: Operator | None = None
        self.rebound: Variable | None = None

    @property
    def spec(self) -> Spec:
        """Shape and dtype."""
        return self._spec

    stands_for: type | None = None  # while tracing

    @property
    def __class__(self) -> type:
        """What isinstance() goes by: to users' code that is traced, what it stands for there."""
        if current().traces and self.stands_for is not None:
            caller = sys._getframe(1).f_code.co_filename
            if not caller.startswith(INTERNAL):
                return self.stands_for
        return type(self)

    @__class__.setter
    def __class__(self, kind: type) -> None:
        vars(object)["__class__"].__set__(self, kind)

    def latest(self) -> Variable:
        """The Variable that this handle stands for now."""
        v = self
        while v.rebound is not None:
            v = v.rebound
        return v

    def rename(self, name: str) -> None:
        """Take `name`, or where it is taken a numbered form of it."""
        if self.home is not None and name != self.name:
            self.name = self.home.names.take(name)

    persistable = is_parameter = is_distributed = belong_to_optimizer = False
    error_clip: Any = None
    lod_level = 0
    type = "LOD_TENSOR"

    @property
    def block(self) -> Block | None:
        """The Block that it belongs to."""
        return self.home

    @property
    def op(self) -> Operator | None:
        """The operator that defines it, or None."""
        return self.producer

    @property
    def is_data(self) -> bool:
        """True for an input of its Block."""
        return self.home is not None and among(self, self.home.inputs)

    @property
    def grad_name(self) -> str:
        """The name of its gradient."""
        return f"{self.name}@GRAD"

    def get_value(self, scope: Any = None) -> Any:
        """The value in `scope`, or in the global one. Raises ProgramError where it has none."""
        return self._program().value_of(self, scope)

    def to_string(self, throw_on_error: bool = True, with_details: bool = False) -> str:
        """The text form, and with_details the traits that only some Variables have."""
        traits = {"error_clip": self.error_clip, **(self.__dict__ if with_details else {})}
        details = "".join(f"\n{k}: {v}" for k, v in traits.items()) if with_details else ""
        return Shown(f"{self._summary()}{details}")

    def _program(self) -> Program:
        if self.home is None or self.home.program is None:
            raise ProgramError(f"{self.name} ({self.spec}) belongs to no Program")
        return self.home.program

    def __bool__(self) -> bool:
        raise ConversionError(
            f"the truth of {self.name} ({self.spec}) is not known while a Program is built",
            cure="branch with static.nn.cond, or let to_static convert the function; "
            "a branch or loop that leaves by return, break or continue cannot depend on a tensor",
        )

    def _no_data(self, *args: Any, **kwargs: Any) -> Any:
        what = (
            f"{self.name} ({self.spec}) is a symbol of a Program: "
            "it has no data before the Program runs"
        )
        if current().traces:
            raise ConversionError(
                what,
                cure="stay with tensors and operators, or compute that part on the host by "
                "static.py_func; int(x), float(x), bool(x) and x.item() are understood in "
                "converted code",
            )
        raise ProgramError(
            what, cure="fetch it with an Executor: exe.run(program, feed=..., fetch_list=[...])"
        )

    def item(self, *index: int) -> Any:
        """The Variable itself, which must have one element: there is no number before it runs.

        As in Paddle. Raises ProgramError with an index, ArgumentError for more elements.
        """
        if index or current().traces:
            return self._no_data()
        if isinstance(self.spec.size, int) and self.spec.size != 1:
            raise ArgumentError(
                f"item() wants one element, {self.name} is {self.spec}",
                cure="take one: x[0].item()",
            )
        return self

    def tolist(self) -> Any:
        """The data as nested lists: a symbol has none before the Program runs."""
        return self._no_data()

    def numpy(self, blocking: bool = True) -> Any:
        """The data as an ndarray: a symbol has none before the Program runs."""
        return self._no_data()

    def set_value(self, value: Any, scope: Any = None) -> None:
        """Give a state `value` in `scope`, or in the global one; while tracing, stand for it."""
        if current().traces:
            super().set_value(value)
        else:
            self._program().give_value(self, value, scope)

    __float__ = __int__ = __complex__ = __index__ = __array__ = _no_data
    __array_ufunc__ = None  # `ndarray + symbol` comes to the symbol, np.add refuses it

    def _no_hook(self, *args: Any) -> None:
        raise ProgramError(
            f"{self.name} ({self.spec}) is a symbol of a Program: it calls no Python when it runs",
            cure="change gradients by a PyLayer, or work with p.grad after backward()",
        )

    register_hook = retain_grads = _no_hook

    @property
    def text_form(self) -> str:
        """How it is written in a text that is made when the Program runs."""
        return "" if self.stop_gradient else "!"

    def __format__(self, how: str) -> str:
        form = f":{how}" if how or not self.ndim else self.text_form
        return mark(self, form) or format(str(self), how)

    def __str__(self) -> str:
        return mark(self, self.text_form) or self._summary()

    def _summary(self) -> str:
        shape = ", ".join("-1" if isinstance(d, SymbolicDim) else str(d) for d in self._spec.shape)
        shape += "," if len(self._spec.shape) == 1 else ""
        return (
            f"{self._kind}{self.name} : LOD_TENSOR.shape({shape}).dtype({self._spec.dtype.name})"
            f".stop_gradient({self.stop_gradient})"
        )

    def __repr__(self) -> str:
        return str(self)

    _kind = "var "


class State(Variable):
    """A Variable that lives on between runs: parameter, statistic, moment, random key, constant.

    data: the live Tensor it stands for, a constant's array, or None where a Scope holds it by name.
    traits: what optimizers want to know of a parameter (learning rate factor, regularizer,
    need_clip).
    """

    __slots__ = ("data", "is_constant", "is_parameter", "persistable", "traits")

    def __init__(
        self,
        name: str,
        spec: Spec,
        *,
        data: Any = None,
        is_parameter: bool = False,
        is_constant: bool = False,
        stop_gradient: bool = True,
        home: Block | None = None,
    ):
        super().__init__(name, spec, home=home, stop_gradient=stop_gradient)
        self.data, self.is_parameter, self.is_constant = data, is_parameter, is_constant
        self.persistable = not is_constant
        self.traits: dict[str, Any] = {}

    @property
    def trainable(self) -> bool:
        """True for a parameter that optimizers change."""
        return self.is_parameter and not self.stop_gradient

    @property
    def _kind(self) -> str:  # type: ignore[override]  # computed here, fixed there
        return (
            "persist trainable param "
            if self.trainable
            else "persist var "
            if self.persistable
            else "var "
        )


class Operator(Described):
    """One call of an Op: operands, attributes, results, and the user's line.

    operands: Variables, literals or None. role: "forward", "backward" or "optimize": what
    `clone(for_test=True)` goes by. marks: what Paddle notes beside that, the scope of names and the
    device.
    """

    __slots__ = ()

    def __init__(
        self,
        op: Op,
        operands: tuple[Any, ...],
        attrs: dict[str, Any],
        results: tuple[Variable | None, ...] = (),
        source: SourceLine | None = None,
        role: str = ROLES[0],
        marks: Mapping[str, str] = NO_MARKS,
    ):
        self.op, self.operands, self.attrs, self.results = op, operands, attrs, results
        self.source, self.role, self.marks = source, role, marks
        for v in results:
            if v is not None:
                v.producer = self

    @property
    def blocks(self) -> dict[str, Block]:
        """Nested blocks by attribute name."""
        return {k: b for k, b in self.attrs.items() if isinstance(b, Block)}

    @property
    def has_effect(self) -> bool:
        """True if it, or an operator in its blocks, must not be dropped, merged or reordered."""
        return bool(self.op.rules.get("effect")) or any(b.has_effect for b in self.blocks.values())

    @property
    def block(self) -> Block | None:
        """The Block that it stands in; None for one that reads and defines nothing."""
        near = [v for v in (*self.results, *self.operands) if isinstance(v, Variable)]
        return min(near, key=lambda v: isinstance(v, State)).home if near else None

    @property
    def idx(self) -> int:
        """Its place among the operators of its Block."""
        return next(i for i, o in enumerate(self.block.ops if self.block else ()) if o is self)

    def _rename_input(self, old_name: str, new_name: str) -> None:
        """Read the Variable `new_name` in place of `old_name`."""
        if self.block is None or self.block.program is None:
            raise ProgramError(f"{self.op.name} stands in no Program")
        new = self.block.program.variable(new_name)
        old = self._known(old_name, {v.name: v for v in self.operands if isinstance(v, Variable)})
        self.operands = tuple(new if x is old else x for x in self.operands)
        self.block.changed(self)

    def to_string(self, throw_on_error: bool = True) -> str:
        """The text form."""
        return Shown(print_operator(self))

    def __str__(self) -> str:
        return print_operator(self)

    __repr__ = __str__


class Block:
    """A list of operators with inputs and outputs; edited in place."""

    is_block = True

    def __init__(self, names: Names | None = None, program: Program | None = None):
        self.names, self.program = names or Names(), program
        self.inputs: list[Variable] = []
        self.ops: list[Operator] = []
        self.outputs: list[Variable] = []
        self.derived: dict[Any, Any] = {}  # what `autograd.kept` keeps

    @property
    def has_effect(self) -> bool:
        """True if one of its operators must run, whether its results are wanted or not."""
        return any(o.has_effect for o in self.ops)

    def add_input(
        self,
        spec: Spec,
        name: str | None = None,
        *,
        stop_gradient: bool = True,
        kind: type[Variable] = Variable,
    ) -> Variable:
        """A new input, a Variable of class `kind`."""
        taken = self.names.take(name) if name else self.names.fresh()
        v = kind(taken, spec, home=self, stop_gradient=stop_gradient)
        self.inputs.append(v)
        return v

    def variables(self) -> Iterator[Variable]:
        """Inputs, then results in order."""
        yield from self.inputs
        for o in self.ops:
            yield from (v for v in o.results if v is not None)

    def walk(self) -> Iterator[Operator]:
        """Every operator, those of nested blocks after their own operator."""
        for o in self.ops:
            yield o
            for nested in o.blocks.values():
                yield from nested.walk()

    def replace(self, old: Variable | Operator, new: Any) -> None:
        """Let every later use of `old` read `new`.

        old: a Variable, or an Operator: then its results, and it is removed.
        """
        if isinstance(old, Operator):
            values = new if isinstance(new, (tuple, list)) else (new,)
            self.substitute(
                {v: n for v, n in zip(old.results, values, strict=True) if v is not None}
            )
            self.ops.remove(old)
        else:
            self.substitute({old: new})

    def substitute(self, new: dict[Variable, Any]) -> None:
        """Replace Variables by others, or by literals, wherever operators or outputs read them."""
        if not new:
            return
        for o in self.ops:
            if any(isinstance(x, Variable) and x in new for x in o.operands):
                o.operands = tuple(
                    new.get(x, x) if isinstance(x, Variable) else x for x in o.operands
                )
        self.outputs = [new.get(v, v) for v in self.outputs]

    def remove(self, o: Operator) -> None:
        """Delete an operator. Raises ProgramError while something reads its results."""
        read = {id(v) for v in self.outputs}.union(*(map(id, other.operands) for other in self.ops))
        for v in o.results:
            if v is not None and id(v) in read:
                raise ProgramError(f"%{v.name} is still read", cure="replace its uses first")
        self.ops.remove(o)

    def changed(self, o: Operator) -> None:
        """An attribute or an operand of its operator `o` is another one now."""
        if self.program is not None:
            self.program.version += 1

    def __str__(self) -> str:
        return Shown(print_block(self))

    __repr__ = __str__


class Program:
    """Blocks, states and updates; see the module. `core.parse` reads `str(program)` back."""

    block_type: type[Block] = Block

    def __init__(self, name: str = "program") -> None:
        self.name = name
        self.names = Names()
        self.main = self.block_type(self.names, self)
        self.states: dict[str, State] = {}
        self.updates: dict[State, Variable] = {}
        self.captured: dict[int, State] = {}
        self.symbols = Names()
        self.version = 0
        self.lost_gradient = ""  # of a file: why gradients are not those of what was saved

    def fresh_dim(self, name: str | None = None) -> SymbolicDim:
        """A new unknown size: N, N1, N2, ... or the one called `name`."""
        if name is not None:
            self.symbols.taken.add(name)
            return symbol(name)
        for v in self.main.inputs:  # whose sizes may have been named elsewhere
            self.symbols.taken.update(*map(names_in, v.spec.shape))
        return symbol(
            self.symbols.take("N") if "N" not in self.symbols.taken else self.symbols.fresh("N", "")
        )

    def add_state(self, spec: Spec, name: str | None = None, **kwargs: Any) -> State:
        """A new state, called `const_0`, `const_1`, ... without a name; `kwargs` are State's."""
        taken = self.names.take(name) if name is not None else self.names.fresh("const_")
        state = State(taken, spec, home=self.main, **kwargs)
        self.states[state.name] = state
        return state

    def add_constant(self, data: np.ndarray, spec: Spec) -> State:
        """A state that never changes and carries its value."""
        return self.add_state(spec, data=data, is_constant=True)

    def value_of(self, v: Variable, scope: Any = None) -> Any:
        """The value that `v` has in a Scope: static Programs know one."""
        return v._no_data()

    def give_value(self, v: Variable, value: Any, scope: Any = None) -> None:
        """Give `v` a value in a Scope: static Programs know one."""
        v._no_data()

    def update(self, state: State, value: Variable) -> None:
        """`state` takes `value` after the run."""
        if value.spec.dtype != state.spec.dtype:
            raise ProgramError(
                f"%{state.name} is {state.spec}, its update %{value.name} is {value.spec}"
            )
        self.updates[state] = value

    def variable(self, name: str) -> Variable:
        """The Variable called `name`. Raises UnknownNameError naming near ones."""
        if name in self.states:
            return self.states[name]
        for v in self.main.variables():
            if v.name == name:
                return v
        raise UnknownNameError(
            f"the program has no variable {name!r}", cure=near_names(name, self._all_names())
        )

    def _all_names(self) -> list[str]:
        return [*self.states, *(v.name for v in self.main.variables())]

    def to_text(self, sources: bool = True) -> Shown:
        """The text form; `sources` adds the user's lines as comments."""
        return Shown(print_program(self, sources))

    def __str__(self) -> str:
        return self.to_text()

    __repr__ = __str__


def among(v: Any, values: Iterable[Any]) -> bool:
    """True if `values` holds `v` itself: `in` would ask `==`, which is an operator."""
    return any(v is x for x in values)


def copy_block(
    block: Block, names: Names, mapping: dict[Variable, Any], into: Block | None = None
) -> Block:
    """A deep copy; `mapping` is filled with old -> new Variables, and may hold some already."""
    new = into if into is not None else Block(names)
    for v in block.inputs:
        new.inputs.append(_copy_variable(v, new, mapping))
    for o in block.ops:
        operands = tuple(_copied(x, o, mapping) for x in o.operands)
        attrs = {
            k: copy_block(a, names, {}, type(a)(names, new.program)) if isinstance(a, Block) else a
            for k, a in o.attrs.items()
        }
        results = tuple(v if v is None else _copy_variable(v, new, mapping) for v in o.results)
        new.ops.append(Operator(o.op, operands, attrs, results, o.source, o.role, o.marks))
    new.outputs = [mapping.get(v, v) if isinstance(v, Variable) else v for v in block.outputs]
    return new


def _copied(x: Any, o: Operator, mapping: Mapping[Variable, Any]) -> Any:
    if not isinstance(x, Variable):
        return x
    if x not in mapping:
        raise ProgramError(
            f"{o.op.name} reads %{x.name}, which is not defined before it in its block",
            cure="let an operator before it define that, or make it an input",
        ).attach(o.op.name, (), o.source)
    return mapping[x]


def _copy_variable(v: Variable, home: Block, mapping: dict[Variable, Any]) -> Variable:
    new = Variable(v.name, v.spec, home=home, stop_gradient=v.stop_gradient)
    mapping[v] = new
    return new


def copy_program(
    program: Program, into: Program | None = None
) -> tuple[Program, dict[Variable, Any]]:
    """A deep copy that shares only live data, and the mapping from old Variables to new ones."""
    new = into if into is not None else type(program)(program.name)
    new.names.taken, new.names.counts = set(program.names.taken), dict(program.names.counts)
    new.symbols.taken, new.symbols.counts = set(program.symbols.taken), dict(program.symbols.counts)
    mapping: dict[Variable, Any] = {}
    for name, s in program.states.items():
        copied = State(
            name,
            s.spec,
            data=s.data,
            is_parameter=s.is_parameter,
            is_constant=s.is_constant,
            stop_gradient=s.stop_gradient,
        )
        copied.persistable, copied.traits = s.persistable, dict(s.traits)
        copied.__dict__.update(s.__dict__)
        new.states[name] = mapping[s] = copied
    new.captured = {key: mapping[s] for key, s in program.captured.items() if s in mapping}
    for s in new.states.values():
        s.home = new.main
    copy_block(program.main, new.names, mapping, into=new.main)
    new.updates = {mapping[s]: mapping[v] for s, v in program.updates.items()}
    new.lost_gradient = program.lost_gradient
    for old, copy in list(mapping.items()):
        if old.rebound is not None and old.rebound in mapping:
            copy.rebound = mapping[old.rebound]
    return new, mapping
