"""Paddle's face of a Block: Variables by name, and operators put where the user wants them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from twinoar.core.dtype import dtype_of
from twinoar.core.interpreter import current, using
from twinoar.core.ir import program as ir
from twinoar.core.ir.builder import infer
from twinoar.core.ir.program import Operator, State, Variable, among
from twinoar.core.near import near_names
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, TypeMismatchError, UnknownNameError
from twinoar.static import files
from twinoar.static.builder import builder_of

if TYPE_CHECKING:
    from twinoar.static.program import Program


class Block(ir.Block):
    """The operators of a Program, with Paddle's access by name."""

    program: Program
    forward_block_idx = backward_block_idx = -1

    def __init__(self, names: ir.Names, program: Program):
        super().__init__(names, program)
        self.declared: dict[str, Variable] = {}

    @property
    def idx(self) -> int:
        """Its number in the Program: 0 for the outermost, the next free one while it is built."""
        blocks = self.program.blocks
        return next((i for i, b in enumerate(blocks) if b is self), len(blocks))

    @property
    def parent_idx(self) -> int:
        """The number of the block around it, -1 for the outermost."""
        blocks = self.program.blocks
        holds = (i for i, b in enumerate(blocks) if among(self, _nested(b)))
        return next(holds, -1)

    @property
    def vars(self) -> dict[str, Variable]:
        """All Variables by name: states, inputs, results and those made by `create_var`."""
        found: dict[str, Variable] = {}
        if self is self.program.main:
            found |= self.program.states
        found |= {name: v.latest() for name, v in self.declared.items()}
        return found | {v.name: v for v in self.variables()}

    def var(self, name: str) -> Variable:
        """The Variable called `name`. Raises UnknownNameError."""
        if not isinstance(name, str):
            raise TypeMismatchError(f"a name must be a string, received {type(name).__name__}")
        known = self.vars
        if name not in known:
            raise UnknownNameError(
                f"the block has no variable {name!r}", cure=near_names(name, known)
            )
        return known[name]

    def has_var(self, name: str) -> bool:
        """True if there is a Variable called `name`."""
        return name in self.vars

    def _find_var_recursive(self, name: str) -> Variable | None:
        """The Variable called `name`, here or in the outermost block; None where there is none."""
        return {**self.program.main.vars, **self.vars}.get(name)

    def _var_recursive(self, name: str) -> Variable:
        """The Variable called `name`, here or in the outermost block. Raises UnknownNameError."""
        return self.var(name) if self.has_var(name) else self.program.main.var(name)

    def all_parameters(self) -> list[State]:
        """The trainable and frozen parameters."""
        return list(self.iter_parameters())

    def iter_parameters(self) -> Iterator[State]:
        """The trainable and frozen parameters, one after the other."""
        yield from (s for s in self.program.states.values() if s.is_parameter)

    def create_var(
        self,
        *,
        name: str | None = None,
        dtype: Any = "float32",
        shape: Any = (),
        persistable: bool = False,
        stop_gradient: bool = False,
        type: Any = None,
        lod_level: int = 0,
    ) -> Variable:
        """Declare a Variable that an operator will define later; one that is there is returned.

        It serves as `py_func(out=...)`, `assign(output=...)` and `append_op(outputs=...)`. shape:
        sizes, -1 or None where unknown. type, lod_level: for Paddle's code. Returns the Variable;
        reading it before it is defined is an error.
        """
        if name is not None and self.has_var(name):
            return self.var(name)
        spec = Spec(self.program.shape_of(shape), dtype_of(dtype))
        if persistable:
            return self.program.add_state(
                spec, name or self.names.fresh("create_var_"), stop_gradient=stop_gradient
            )
        made = self.names.take(name) if name else self.names.fresh("_generated_var_")
        v = Variable(made, spec, home=self, stop_gradient=stop_gradient)
        self.declared[made] = v
        return v

    def create_parameter(
        self,
        *,
        shape: Any,
        dtype: Any,
        name: str | None = None,
        initializer: Any = None,
        trainable: bool = True,
        **traits: Any,
    ) -> State:
        """A parameter of this very Program, and with an initializer what fills it at each run.

        So that of a startup Program has an initializer, and that of the main Program, called the
        same, has none. traits: `optimize_attr`, `regularizer`, `need_clip`, ... Returns the State.
        """
        spec = Spec(self.program.shape_of(shape), dtype_of(dtype))
        state = self.program.states.get(name or "")
        if state is None:
            state = self.program.add_state(
                spec,
                name or self.names.fresh("param_"),
                is_parameter=True,
                stop_gradient=not trainable,
            )
        state.__dict__.update({k: v for k, v in traits.items() if k not in ("lod_level", "type")})
        if initializer is not None:
            with using(builder_of(self.program)) as builder:
                self.program.update(state, builder.lift(initializer(spec)))
        return state

    def append_op(
        self,
        type: str | None = None,
        inputs: Mapping[str, Any] | None = None,
        outputs: Mapping[str, Any] | None = None,
        attrs: Mapping[str, Any] | None = None,
        stop_gradient: bool = False,
    ) -> Operator:
        """Append the operator `type` by Paddle's slots and attributes, or by twinoar's names.

        inputs: Variables or names, by slot. outputs: Variables that take the results, by slot: made
        by `create_var`, or there already, which are changed in place. Returns the last of the
        operators that were appended. Raises UnknownNameError for a type, slot or attribute that
        does not exist, and the operator's own errors.

        >>> from twinoar import static
        >>> main = static.Program()
        >>> with static.program_guard(main):
        ...     x = static.data("x", [2])
        ...     block = main.global_block()
        ...     out = block.create_var(name="out", shape=[2])
        ...     print(block.append_op("relu", inputs={"X": x}, outputs={"Out": out}).type)
        relu
        """
        return self._insert_op(len(self.ops), type, inputs, outputs, attrs, stop_gradient)

    def _prepend_op(self, *args: Any, **kwargs: Any) -> Operator:
        """Insert an operator before all others. See `append_op`."""
        return self._insert_op(0, *args, **kwargs)

    def _insert_op(
        self,
        index: int,
        type: str | None = None,
        inputs: Mapping[str, Any] | None = None,
        outputs: Mapping[str, Any] | None = None,
        attrs: Mapping[str, Any] | None = None,
        stop_gradient: bool = False,
    ) -> Operator:
        """Insert an operator before the one at `index`. See `append_op`."""
        if not isinstance(type, str):
            raise TypeMismatchError(
                f"the type of an operator must be a string, received {type!r}",
                cure="name it: append_op(type='relu', ...)",
            )
        place = index if index >= 0 else len(self.ops) + index
        if not 0 <= place <= len(self.ops):
            raise ArgumentError(
                f"the block has {len(self.ops)} operators, received the index {index}"
            )
        ends = place == len(self.ops)
        given = {slot: self._all_of(held) for slot, held in (inputs or {}).items()}
        targets = {slot: self._all_of(held) for slot, held in (outputs or {}).items()}
        if not ends:
            earlier = set(self.ops[:place])
            given = {slot: [_at(v, earlier) for v in held] for slot, held in given.items()}
            targets = {slot: [_at(v, earlier) for v in held] for slot, held in targets.items()}
        builder = builder_of(self.program, self)
        builder = builder.twin(place=[None if ends else place], follows=ends)
        before = len(self.ops)
        with using(builder):
            for target, value in files.call_by_type(builder, type, given, targets, attrs or {}):
                if stop_gradient:
                    value.stop_gradient = True
                self._take(target, value, place + len(self.ops) - before)
        return self.ops[place + len(self.ops) - before - 1]

    def _remove_op(self, index: int, sync: bool = True) -> None:
        """Delete the operator at `index`; another may define its results anew.

        A state that it writes keeps the value that it had before.
        """
        o = self.ops[index]
        gone = {v for v in o.results if v is not None}
        for v in (*self.program.states.values(), *self.variables(), *self.declared.values()):
            if v.rebound in gone and v not in gone:
                v.rebound = None
        updates = self.program.updates
        self.program.updates = {s: v for s, v in updates.items() if v not in gone}
        for v in gone:
            v.producer = None
            self.declared[v.name] = v
        del self.ops[index]
        self.program.version += 1

    def _remove_var(self, name: str, sync: bool = True) -> None:
        """Delete a state, or what `create_var` has declared. Raises UnknownNameError."""
        v = self.var(name)
        self.declared.pop(name, None)
        if isinstance(v, State):
            del self.program.states[name]
            self.program.updates.pop(v, None)
        self.program.version += 1

    def _rename_var(self, name: str, new_name: str) -> Variable:
        """Call the Variable `name` otherwise. Raises UnknownNameError, ArgumentError if taken."""
        if self.has_var(new_name):
            raise ArgumentError(f"the block has a variable {new_name!r} already")
        v = self.var(name)
        v.name = new_name
        self.names.taken.add(new_name)
        for table in (self.declared, self.program.states):
            if name in table:
                table[new_name] = table.pop(name)  # type: ignore[assignment]
        return v

    def _clone_variable(self, var: Variable, force_persistable: bool = True) -> Variable:
        """A Variable like `var` of another block, declared here."""
        return self.create_var(
            name=var.name,
            shape=var.spec.shape,
            dtype=var.dtype,
            persistable=force_persistable or var.persistable,
            stop_gradient=var.stop_gradient,
        )

    def _sync_with_cpp(self) -> None:
        """Nothing to bring in line: a Program has one form."""

    def _slice_ops(self, start: int, end: int) -> list[Operator]:
        """The operators from `start` to before `end`."""
        return self.ops[start:end]

    def changed(self, o: Operator) -> None:
        """Infer anew what `o`, whose attributes or operands are others now, and those after it
        give.
        """
        super().changed(o)
        for later in self.ops[o.idx :]:
            specs = infer(later.op, later.operands, later.attrs, later.source)
            for v, spec in zip(later.results, specs, strict=True):
                if v is not None and spec is not None and None not in spec.shape:
                    v._spec = spec

    def to_string(self, throw_on_error: bool = True, with_details: bool = False) -> str:
        """The text form; the user's lines are in it."""
        return str(self)

    def _all_of(self, held: Any) -> list[Any]:
        """The Variables in a slot: one, several, or their names."""
        several = held if isinstance(held, (list, tuple)) else [held]
        return [self._var_recursive(v) if isinstance(v, str) else v for v in several]

    def _take(self, target: Any, value: Variable, end: int) -> None:
        """Let `target` be `value` for all that comes from index `end` on."""
        if not isinstance(target, Variable):
            raise TypeMismatchError(
                f"outputs takes Variables, received {type(target).__name__}",
                cure="make one: block.create_var(name=..., shape=..., dtype=...)",
            )
        if end == len(self.ops) and among(target, self.vars.values()):
            defined = target.producer is not None or isinstance(target, State) or target.is_data
            if defined or target.rebound is not None:
                current().rebind(target, value)
                return
        define(target, value)
        for o in self.ops[end:]:
            o.operands = tuple(value if x is target else x for x in o.operands)
        self.outputs = [value if v is target else v for v in self.outputs]
        updates = self.program.updates
        updates.update({s: value for s, v in updates.items() if v is target})
        if isinstance(target, State):
            updates.setdefault(target, value)


def _at(v: Any, earlier: set[Operator]) -> Any:
    """What the handle `v` stands for after the operators in `earlier`."""
    while isinstance(v, Variable) and v.rebound is not None and v.rebound.producer in earlier:
        v = v.rebound
    return v


def _nested(block: ir.Block) -> Sequence[ir.Block]:
    return [b for o in block.ops for b in o.blocks.values()]


def define(target: Variable, value: Variable) -> Variable:
    """Let `value` be what `create_var` declared as `target`, name included. Returns `target`."""
    if (
        target.producer is None
        and isinstance(target.home, Block)
        and target.home.declared.get(target.name) is target
    ):
        value.name = target.name
        value.stop_gradient = value.stop_gradient and target.stop_gradient
    target.rebound = value
    return target
