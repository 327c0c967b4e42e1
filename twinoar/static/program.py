"""Paddle's face of a Program: what static-graph code asks of one."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from twinoar.backends.base import Executable, Sort, explain_all
from twinoar.core.interpreter import current
from twinoar.core.ir import program as ir
from twinoar.core.ir.program import Variable, copy_program
from twinoar.core.near import near_names
from twinoar.core.shown import Shown
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError, UnknownNameError
from twinoar.formats.atomic import StrPath
from twinoar.inspection.notebook import program_html
from twinoar.passes.difference import diff
from twinoar.passes.graph import Graph
from twinoar.static import files
from twinoar.static.block import Block
from twinoar.static.python_file import program_to_python
from twinoar.static.scope import Scope, global_scope


class Program(ir.Program):
    """A static-graph program: what `program_guard` fills and an Executor runs.

    >>> from twinoar import static
    >>> static.Program().num_blocks
    1
    """

    block_type = Block
    main: Block
    _repr_html_ = program_html

    def __init__(self, name: str = "main") -> None:
        super().__init__(name)
        self._seed = 0
        self.plans: dict[Any, Any] = {}
        self.scopes: dict[str, int] = {}
        # Of each `minimize` the optimizer and its (parameter, gradient) pairs.
        self.trainings: list[tuple[Any, list[tuple[Any, Any]]]] = []
        self.after_run: Callable[[Scope], None] | None = None  # called by an Executor

    def explain(self, sort: Sort = "order") -> str:
        """What an Executor ran as what, a line for each part, with its time.

        sort: "order" or "time". A text for each list of fetches that was asked for.
        """
        executables = self.executables()
        if not executables:
            return Shown("not compiled yet: that is done when an Executor runs the Program")
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

    @staticmethod
    def parse_from_string(binary_str: bytes) -> Program:
        """The Program in the bytes of a `.pdmodel`. Raises FileError if they are something else."""
        return files.deserialize_program(binary_str)

    @property
    def desc(self) -> ProgramBytes:
        """The Program in Paddle's form: `desc.serialize_to_string()` gives its bytes."""
        return ProgramBytes(self)

    @property
    def random_seed(self) -> int:
        """Where each run starts its random numbers; 0 goes on where the last draw stopped."""
        return self._seed

    @random_seed.setter
    def random_seed(self, seed: int) -> None:
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise TypeMismatchError(f"random_seed must be an int, received {seed!r}")
        if seed < 0:
            raise ArgumentError(f"random_seed must not be negative, received {seed}")
        self._seed = seed

    def global_seed(self, seed: int = 0) -> None:
        """Set `random_seed` here, and in the default Programs."""
        self.random_seed = seed

    def count_scope(self, path: str) -> int:
        """How often a scope of names was called `path` before."""
        self.scopes[path] = self.scopes.get(path, -1) + 1
        return self.scopes[path]

    def _sync_with_cpp(self) -> None:
        """Nothing to bring in line: a Program has one form."""

    def global_block(self) -> Block:
        """The outermost block."""
        return self.main

    def current_block(self) -> Block:
        """The block that operators are appended to."""
        building = current()
        return building.block if building.program is self else self.main

    @property
    def current_block_idx(self) -> int:
        """The number of the block that operators are appended to."""
        return self.current_block().idx

    def block(self, index: int) -> Block:
        """Block `index`: 0 is the outermost, then nested ones in order. Raises ArgumentError."""
        blocks = self.blocks
        if not 0 <= index < len(blocks):
            raise ArgumentError(f"the program has {len(blocks)} blocks, received the index {index}")
        return blocks[index]

    @property
    def blocks(self) -> list[Block]:
        """The outermost block and all nested ones; gradients share those of their operators."""
        nested: Iterable[Any] = (b for o in self.main.walk() for b in o.blocks.values())
        return [self.main, *{id(b): b for b in nested}.values()]

    @property
    def num_blocks(self) -> int:
        """Number of blocks."""
        return len(self.blocks)

    def value_of(self, v: Variable, scope: Scope | None = None) -> Tensor:
        """The value that `v` has in `scope`. Raises ProgramError where it has none."""
        if isinstance(v, ir.State):
            return Tensor(np.array((scope or global_scope()).read(v)))
        entry = (scope or global_scope()).find_var(v.name)
        if entry is None:
            raise ProgramError(
                f"{v.name} ({v.spec}) has no value in the scope: it is no state",
                cure="fetch it with an Executor: exe.run(program, feed=..., fetch_list=[...])",
            )
        return Tensor(np.array(entry))

    def give_value(self, v: Variable, value: Any, scope: Scope | None = None) -> None:
        """Give the state `v` a value in `scope`. Raises ProgramError for what is no state."""
        if not isinstance(v, ir.State):
            raise ProgramError(
                f"{v.name} ({v.spec}) is computed by each run", cure="set a parameter, or feed it"
            )
        self.set_state_dict({v.name: value}, scope)

    def list_vars(self) -> Iterator[Variable]:
        """All Variables, states first."""
        yield from self.main.vars.values()

    def all_parameters(self) -> list[ir.State]:
        """The parameters, in order of creation."""
        return [s for s in self.states.values() if s.is_parameter]

    def to_string(self, throw_on_error: bool = True, with_details: bool = False) -> str:
        """The text form; with_details adds the user's lines."""
        return self.to_text(sources=with_details)

    def to_graph(self) -> Graph:
        """A copy as a graph: nodes to walk, replace, insert, delete and draw."""
        return Graph(self)

    def diff(self, other: ir.Program, context: int = 1) -> str:
        """What differs in another Program, as text; other names of the same values do not."""
        return diff(self, other, context)

    def to_python(
        self,
        path: StrPath | None = None,
        *,
        values: bool = False,
        startup: Program | None = None,
        sources: bool = True,
        scope: Scope | None = None,
    ) -> str:
        """A Python file that builds this Program again: to be read, edited and kept.

        path: where to write it; its large constants go into an `.npz` beside it. values: put those
        of the states there too, as the file's VALUES, for `set_state_dict`. startup: a Program that
        the file's `build_startup()` builds. sources: say which lines operators come from. Returns
        the text. Raises UnsupportedError for an operator that only this process has, ProgramError
        for a state without a value, FileError where the files cannot be written.

        >>> from twinoar import static
        >>> with static.program_guard(static.Program()):
        ...     y = static.data("x", [None, 3]) * 2.0
        ...     text = static.default_main_program().to_python(sources=False)
        >>> print(text.partition("with")[2])
         Construction(program) as p:
                x = p.input("x", "f32[N,3]")
        <BLANKLINE>
                elementwise_mul_0 = ops.multiply(x, 2.0)  # f32[N,3]
            return program
        <BLANKLINE>
        """
        text = program_to_python(self, path, values, startup, sources, scope or global_scope())
        return Shown(text)

    def clone(self, for_test: bool = False) -> Program:
        """A copy; with for_test, without backward and update operators and with `training` off.

        Parameters are shared through the scope. The copy's Variables have the names of the
        original's.
        """
        new, copies = copy_program(self)
        assert isinstance(new, Program)
        for name, v in self.main.declared.items():
            if v in copies:
                new.main.declared[name] = copies[v]
            elif v.producer is None:
                new.main.declared[name] = Variable(name, v.spec, home=new.main)
        new._seed = self._seed
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
        """Set states by name. Raises ShapeError or DTypeError, and then has set none.

        Warns of names that the Program does not have, and leaves them out.
        """
        for name in state_dict.keys() - self.states.keys():
            cure = near_names(name, self.states)
            warnings.warn(f"the program has no state {name!r}: {cure}", stacklevel=2)
        values = {
            self.states[name]: np.asarray(value)
            for name, value in state_dict.items()
            if name in self.states
        }
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


class ProgramBytes:
    """A Program in Paddle's form."""

    def __init__(self, program: Program):
        self.program = program

    def serialize_to_string(self) -> bytes:
        """The bytes of a `.pdmodel` of the whole Program."""
        return files.write_whole_program(self.program)[0]


def for_testing(program: ir.Program) -> None:
    """Drop, in place, backward and update operators, and turn `training` off.

    An operand `key` is for training alone, and goes too.
    """
    program.main.ops = [o for o in program.main.ops if o.role == "forward"]
    if isinstance(program.main, Block):
        made = {v for o in program.main.ops for v in o.results}
        program.main.declared = {
            n: v for n, v in program.main.declared.items() if v.producer is None or v in made
        }
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
