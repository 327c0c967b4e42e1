"""Writing a Program as the bytes of a `.pdmodel`, which Paddle 2 and 3 read.

Each operator goes in by its `desc` rule. A composite without one is expanded into its body; a
primitive without one has no file form. Numbers become `scale` operators or `fill_constant`
variables, updates of states become operators that write to the state's own name. Equal Programs
give equal bytes, and nothing about the machine or the source is in them.
"""

from __future__ import annotations

import numpy as np

from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Block, Operator, Program, State, Variable, copy_program
from twinoar.core.op.definition import Op
from twinoar.formats.paddle import schema
from twinoar.formats.paddle.program_block import STORED_AS, BlockWriter
from twinoar.formats.paddle.program_desc import (
    FEED,
    FETCH,
    LOST_GRADIENT,
    OP_VERSIONS,
    PADDLE_VERSION,
    has_file_form,
)
from twinoar.formats.paddle.program_operator import (
    input_slots,
    live_operators,
    output_slots,
    read_variables,
    written_operands,
)
from twinoar.passes.dead import eliminate_dead
from twinoar.passes.decompose import decompose
from twinoar.passes.draw_once import draw_once

MAX_INLINE = 1024  # elements; a larger constant of an inference program is stored beside it


def write_program(program: Program) -> bytes:
    """The bytes of a `.pdmodel` with all of `program`, as `save(program, "x.pdmodel")` has it.

    Parts of gradients that Paddle has in another form stand in it under types of our own, so the
    file of a Program that trains is for twinoar alone. Raises UnsupportedError, with the user's
    line, for an operator that has no form at all.
    """
    return write_whole_program(program)[0]


def write_whole_program(program: Program) -> tuple[bytes, list[State]]:
    """The bytes of `write_program`, and the states of `program` that they name."""
    return _written(program, inference=False)


def write_inference_program(program: Program) -> tuple[bytes, list[State]]:
    """The bytes of a `.pdmodel` that computes the outputs of `program` from its inputs.

    Returned too are the states of `program` whose values belong beside it, in a `.pdiparams`, by
    name. Updates are left out: inference changes nothing. Raises UnsupportedError, with the user's
    line, for an operator that has no form in such files.
    """
    return _written(program, inference=True)


def _written(program: Program, inference: bool) -> tuple[bytes, list[State]]:
    lowered, mapping = copy_program(program)
    for v in mapping.values():
        if isinstance(v, Variable):
            v.rebound = None
    if inference:
        eliminate_dead(lowered)
    decompose(lowered, keep=_is_written)
    draw_once(lowered)
    _prepare(lowered, lowered.main)
    decompose(lowered, keep=_is_written)
    writer = ProgramWriter(lowered, inference)
    data = writer.write()
    return data, [program.states[s.name] for s in writer.stored]


def _is_written(op: Op) -> bool:
    return has_file_form(op) or op.body is None


def _prepare(program: Program, block: Block) -> None:
    """Insert what brings operands to the form that Paddle's kernels take."""
    for o in list(block.ops):
        for nested in o.blocks.values():
            _prepare(program, nested)
        desc = o.op.rules.get("desc")
        if desc is None or desc.prepare is None:
            continue
        builder = Builder(program, block, at=block.ops.index(o))
        builder.source, builder.role, builder.follows = o.source, o.role, False
        with using(builder):
            o.operands = tuple(builder.lift(x) for x in desc.prepare(o.operands, o.attrs))


class ProgramWriter:
    """Fills a ProgramDesc with a Program whose operators have a file form or are primitives."""

    def __init__(self, program: Program, inference: bool):
        self.program, self.inference = program, inference
        self.desc = schema.ProgramDesc()
        self.desc.version.version = PADDLE_VERSION
        self.names: dict[Variable, str] = {}
        self.taken: set[str] = {FEED, FETCH, *(s.name for s in program.states.values())}
        self.counts: dict[str, int] = {}
        self.stored: list[State] = []
        self.read: set[Variable] = set()
        self.own = {v.name for o in program.main.walk() for v in o.results if v is not None}
        self.main = BlockWriter(self, None)

    def write(self) -> bytes:
        """The bytes."""
        main, block = self.program.main, self.main
        self._drop_updates_of_keys()
        operators = live_operators(main, self._roots(), keeps_all=not self.inference)
        self._declare_states(operators)
        for v in main.inputs:
            block.define(v, is_input=True)
        if self.inference:
            block.declare_plain(FEED, "FEED_MINIBATCH")
            block.declare_plain(FETCH, "FETCH_LIST")
            for column, v in reversed(list(enumerate(main.inputs))):
                block.add(FEED, {"X": [FEED]}, {"Out": [self.names[v]]}, {"col": ("INT", column)})
        self.read = read_variables(operators) | self._roots()
        later = Updates(self, operators)
        for o in operators:
            block.operator(o)
        later.finish(block)
        for column, v in enumerate(main.outputs if self.inference else ()):
            name = block.fetched(v, column)
            told: dict[str, tuple[str, object]] = {"col": ("INT", column)}
            if self.program.lost_gradient:
                told[LOST_GRADIENT] = "STRING", self.program.lost_gradient
            block.add(FETCH, {"X": [name]}, {"Out": [FETCH]}, told)
        for written in self.desc.blocks:
            ordered = sorted(written.vars, key=lambda v: (v.name in (FEED, FETCH), v.name.encode()))
            del written.vars[:]
            written.vars.extend(ordered)
        for name, version in OP_VERSIONS.items():
            self.desc.op_version_map.pair.add(op_name=name).op_version.version = version
        return schema.serialize(self.desc)

    def fresh(self, prefix: str) -> str:
        """A name with `prefix` that nothing has or will have, in Paddle's form: `relu_0.tmp_0`."""
        while True:
            number = self.counts.get(prefix, 0)
            self.counts[prefix] = number + 1
            name = f"{prefix}_{number}.tmp_0"
            if name not in self.taken and name not in self.own:
                return self.take(name)

    def take(self, wanted: str) -> str:
        """`wanted` where it is free, else numbered."""
        name, number = wanted, 0
        while name in self.taken:
            number += 1
            name = f"{wanted}_{number}"
        self.taken.add(name)
        return name

    def _roots(self) -> set[Variable]:
        program = self.program
        return {v for v in program.main.outputs if isinstance(v, Variable)} | set(
            program.updates.values()
        )

    def _drop_updates_of_keys(self) -> None:
        """Leave out what only advances a key of random numbers: Paddle makes those itself."""
        program = self.program
        read = {x for o in program.main.ops if has_file_form(o.op) for x in written_operands(o)}
        program.updates = {
            s: v
            for s, v in program.updates.items()
            if s in read or v.producer is None or has_file_form(v.producer.op)
        }

    def _declare_states(self, operators: list[Operator]) -> None:
        """Declare the states that something uses, and write constants down."""
        used = {x for o in operators for x in written_operands(o)} | self._roots()
        used |= set(self.program.updates)
        if not self.inference:
            read = {x for o in self.program.main.ops for x in o.operands if isinstance(x, State)}
            used |= {s for s in self.program.states.values() if s not in read and not s.is_constant}
        for s in self.program.states.values():
            if s not in used:
                continue
            self.names[s] = s.name
            array = np.asarray(s.data) if s.is_constant else None
            if array is None or (self.inference and not is_inline(array)):
                self.stored.append(s)
                self.main.declare(
                    s.name,
                    s.spec,
                    persistable=True,
                    is_parameter=s.is_parameter,
                    stop=s.stop_gradient,
                )
            else:
                self.main.constant(s.name, s.spec, array)


class Updates:
    """How new values reach their states: by the operator that makes them, or by a last `assign`."""

    def __init__(self, writer: ProgramWriter, operators: list[Operator]):
        self.writer, program = writer, writer.program
        self.pending: dict[State, Variable] = {}
        last_read = {x: i for i, o in enumerate(operators) for x in written_operands(o)}
        place = {v: i for i, o in enumerate(operators) for v in o.results if v is not None}
        kept = {v for v in program.main.outputs if isinstance(v, Variable)} | set(
            program.updates.values()
        )
        for state, value in program.updates.items():
            if state not in writer.names:
                continue
            made = place.get(value)
            direct = value not in writer.names and state not in kept
            if (
                made is not None
                and direct
                and last_read.get(state, -1) <= made
                and _may_overwrite(operators[made], state, value)
            ):
                writer.names[value] = state.name
            elif made is not None or value in writer.names:
                self.pending[state] = value

    def finish(self, block: BlockWriter) -> None:
        """Assign what is left; what is overwritten and still to be read is copied before."""
        names = self.writer.names
        sources = {state: names[value] for state, value in self.pending.items()}
        for state, value in self.pending.items():
            if value in self.pending and value is not state:
                sources[state] = block.assigned(
                    sources[state], value.spec, self.writer.fresh("assign")
                )
        for state in self.pending:
            block.add("assign", {"X": [sources[state]]}, {"Out": [state.name]}, {})


def _may_overwrite(o: Operator, state: State, value: Variable) -> bool:
    """True if `o` does not read the state, or reads it in slot `X` and gives `value` in `XOut`."""
    if all(x is not state for x in written_operands(o)):
        return True
    desc = o.op.rules.get("desc")
    slots = [slot for slot, found in input_slots(o) if any(x is state for x in found)]
    wanted = {f"{slot}Out" for slot in slots}
    return any(
        slot in wanted and any(v is value for v in found) for slot, found in output_slots(o, desc)
    )


def is_inline(array: np.ndarray) -> bool:
    """True for constants that stand in the program itself."""
    return array.size <= MAX_INLINE and array.dtype.name in STORED_AS
