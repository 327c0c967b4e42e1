"""Paddle's face of the IR: Program and Block with the methods that static-graph code uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from twinoar.backends.base import Executable, Sort, explain_all
from twinoar.core import ir
from twinoar.core.dtype import dtype_of
from twinoar.core.ir import Operator, Variable, copy_program, near_names
from twinoar.core.op import op_named
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.formats.program_type import announce_program_type
from twinoar.static.scope import Scope, global_scope


class Block(ir.Block):
    """The operators of a Program, with Paddle's access by name."""

    program: Program
    idx, parent_idx, forward_block_idx = 0, -1, -1

    def __init__(self, names: ir.Names, program: Program):
        super().__init__(names, program)
        self.declared: dict[str, Variable] = {}

    @property
    def vars(self) -> dict[str, Variable]:
        """All Variables by name: states, inputs, results and those made by `create_var`."""
        found: dict[str, Variable] = dict(self.program.states)
        found |= {name: v.latest() for name, v in self.declared.items()}
        return found | {v.name: v for v in self.variables()}

    def var(self, name: str) -> Variable:
        """The Variable called `name`. Raises UnknownNameError."""
        known = self.vars
        if name not in known:
            raise UnknownNameError(
                f"the block has no variable {name!r}", cure=near_names(name, known)
            )
        return known[name]

    def has_var(self, name: str) -> bool:
        """True if there is a Variable called `name`."""
        return name in self.vars

    def all_parameters(self) -> list[ir.State]:
        """The trainable and frozen parameters."""
        return self.program.all_parameters()

    def create_var(
        self,
        *,
        name: str | None = None,
        dtype: Any = "float32",
        shape: Any = (),
        persistable: bool = False,
        stop_gradient: bool = False,
        **kwargs: Any,
    ) -> Variable:
        """Declare a Variable that an operator will define later.

        It serves as `py_func(out=...)` and `assign(output=...)`. shape: sizes, -1 or None where
        unknown. Returns the Variable; reading it before it is defined is an error.
        """
        spec = Spec(self.program.shape_of(shape), dtype_of(dtype))
        if persistable:
            return self.program.add_state(
                spec, name or self.names.fresh("create_var_"), stop_gradient=stop_gradient
            )
        made = self.names.take(name) if name else self.names.fresh("_generated_var_")
        v = Variable(made, spec, home=self, stop_gradient=stop_gradient)
        self.declared[made] = v
        return v

    def append_op(
        self, type: str, inputs: Any = None, outputs: Any = None, attrs: Any = None
    ) -> Operator:
        """Append the operator `type` (twinoar's name) on Variables given by operand name.

        outputs: Variables made by `create_var`, which take the results. Returns the Operator.
        """
        op = op_named(type)
        given = {
            k: v if not isinstance(v, (list, tuple)) or len(v) != 1 else v[0]
            for k, v in (inputs or {}).items()
        }
        if unknown := given.keys() - {o.name for o in op.operands}:
            raise UnknownNameError(
                f"{type} has no operand {sorted(unknown)}",
                cure=near_names("", [o.name for o in op.operands]),
            )
        results = op(**given, **(attrs or {}))
        appended = self.ops[-1]
        targets = list((outputs or {}).values())
        for target, value in zip(
            targets, results if isinstance(results, tuple) else (results,), strict=False
        ):
            define(target[0] if isinstance(target, (list, tuple)) else target, value)
        return appended


class Program(ir.Program):
    """A static-graph program: what `program_guard` fills and an Executor runs.

    >>> from twinoar import static
    >>> static.Program().num_blocks
    1
    """

    block_type = Block
    main: Block

    def __init__(self, name: str = "main") -> None:
        super().__init__(name)
        self.random_seed = 0
        self.plans: dict[Any, Any] = {}

    def explain(self, sort: Sort = "order") -> str:
        """What an Executor ran as what, a line for each part, with its time.

        sort: "order" or "time". A text for each list of fetches that was asked for.
        """
        executables = self.executables()
        if not executables:
            return "not compiled yet: that is done when an Executor runs the Program"
        return explain_all(executables, sort)

    def executables(self) -> dict[str, Executable]:
        """What Executors run the Program with, by the names of what they fetch."""
        found: dict[str, Executable] = {}
        for plan in self.plans.values():
            fetched = ", ".join(v.name for v in plan.fetches) or "updates"
            found[f"{self.name}: {fetched}"] = plan.executable
        return found

    def shape_of(self, shape: Any) -> tuple:
        """A shape with -1, None and names turned into unknown sizes of this Program."""
        return tuple(self._size(d) for d in shape)

    def _size(self, d: Any) -> Any:
        if d is None or (isinstance(d, int) and d < 0):
            return self.fresh_dim()
        if isinstance(d, str):
            return self.fresh_dim(d)
        return d

    def global_block(self) -> Block:
        """The outermost block."""
        return self.main

    def current_block(self) -> Block:
        """The block that operators are appended to."""
        return self.main

    def block(self, index: int) -> ir.Block:
        """Block `index`: 0 is the global one, then nested ones in order."""
        return self.blocks[index]

    @property
    def blocks(self) -> list[ir.Block]:
        """The global block and all nested ones."""
        return [self.main, *(b for o in self.main.walk() for b in o.blocks.values())]

    @property
    def num_blocks(self) -> int:
        """Number of blocks."""
        return len(self.blocks)

    def list_vars(self) -> Iterator[Variable]:
        """All Variables, states first."""
        yield from self.main.vars.values()

    def all_parameters(self) -> list[ir.State]:
        """The parameters, in order of creation."""
        return [s for s in self.states.values() if s.is_parameter]

    def to_string(self, throw_on_error: bool = True, with_details: bool = False) -> str:
        """The text form; with_details adds the user's lines."""
        return self.to_text(sources=with_details)

    def clone(self, for_test: bool = False) -> Program:
        """A copy; with for_test, without backward and update operators and with `training` off.

        Parameters are shared through the scope. The copy's Variables have the names of the
        original's.
        """
        new, _ = copy_program(self)
        assert isinstance(new, Program)
        new.random_seed = self.random_seed
        if for_test:
            for_testing(new)
        return new

    def state_dict(self, mode: str = "all", scope: Scope | None = None) -> dict[str, np.ndarray]:
        """Values of states by name: "all", "param" (parameters) or "opt" (the rest).

        Raises ArgumentError for another mode, ProgramError for a state that the startup program has
        not initialized.
        """
        if mode not in ("all", "param", "opt"):
            raise ArgumentError(
                f"mode must be 'all', 'param' or 'opt', received {mode!r}",
                cure="'all' is the usual one",
            )
        kept = [s for s in self.states.values() if not s.is_constant and "read" not in s.traits]
        wanted = [s for s in kept if mode == "all" or s.is_parameter == (mode == "param")]
        return {s.name: np.array((scope or global_scope()).read(s)) for s in wanted}

    def set_state_dict(self, state_dict: Mapping[str, Any], scope: Scope | None = None) -> None:
        """Set states by name. Raises UnknownNameError or ShapeError, and then has set none."""
        values = {self._state(name): np.asarray(value) for name, value in state_dict.items()}
        for state, value in values.items():
            (scope or global_scope()).check(state, value)
        for state, value in values.items():
            (scope or global_scope()).write(state, value)

    def _state(self, name: str) -> ir.State:
        if name not in self.states:
            raise UnknownNameError(
                f"the program has no state {name!r}", cure=near_names(name, self.states)
            )
        return self.states[name]


def for_testing(program: ir.Program) -> None:
    """Drop, in place, backward and update operators, and turn `training` off.

    An operand `key` is for training alone, and goes too.
    """
    program.main.ops = [o for o in program.main.ops if o.role == "forward"]
    program.updates = {}
    for s in program.states.values():
        s.rebound = None
    for o in program.main.walk():
        if "training" in o.attrs:
            o.attrs = {**o.attrs, "training": False}
            o.operands = tuple(
                None if n == "key" else x
                for n, x in zip(o.op.operand_names(len(o.operands)), o.operands, strict=True)
            )


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


announce_program_type(Program)
