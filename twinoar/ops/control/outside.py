"""What the blocks of control flow take from outside and give back, changed after they were built.

A block is closed: what it reads of the values around it are its inputs, which the operands of its
operator supply. So a pass that lets a block read one value more adds an operand, and an input to
every block of the operator; what a block changes for those that come after is carried through it.
"""

from __future__ import annotations

from dataclasses import dataclass

from twinoar.core.ir.program import Block, Operator, Variable
from twinoar.core.spec import Spec
from twinoar.ops.control.branch_and_loop import if_, while_
from twinoar.ops.control.over_time import over_time

Inputs = dict[Block, Variable]


def first_captured(o: Operator) -> tuple[int, int] | None:
    """The first operand that blocks only read, and the number of the input that it is there.

    From these on operands and inputs stand in pairs. None for operators that promise no such thing.
    """
    if o.op is if_:
        return 1, 0
    if o.op is while_:
        return o.attrs["carried"], o.attrs["carried"]
    if o.op is over_time:
        first = o.attrs["carried"] + o.attrs["sliced"]
        return first, first
    return None


def capture(o: Operator, x: Variable) -> Inputs:
    """The input that stands for `x` in each block of `o`: one that is there, or a new one."""
    first = first_captured(o)
    assert first is not None, o
    operand, place = first
    known = [n for n, y in enumerate(o.operands) if y is x and n >= operand]
    if known:
        return {b: b.inputs[place + known[0] - operand] for b in o.blocks.values()}
    o.operands = (*o.operands, x)
    return {b: b.add_input(x.spec, stop_gradient=x.stop_gradient) for b in _blocks(o)}


def drop_unread(o: Operator) -> None:
    """Take operands away that no block of `o` reads or returns, with their inputs."""
    first = first_captured(o)
    if first is None:
        return
    operand, place = first
    read = {v for b in _blocks(o) for v in _read(b)}
    kept = [
        n
        for n in range(len(o.operands) - operand)
        if any(b.inputs[place + n] in read for b in _blocks(o))
    ]
    o.operands = (*o.operands[:operand], *(o.operands[operand + n] for n in kept))
    for b in _blocks(o):
        b.inputs = [*b.inputs[:place], *(b.inputs[place + n] for n in kept)]


@dataclass(frozen=True, slots=True)
class Through:
    """A value that passes through an operator's blocks, each of which may give it another one.

    inputs: what it is at the start of a block. at: the number of the output that it is. result:
    what it is after the operator; of `over_time` before the first time and after each, [T+1,...].
    """

    inputs: Inputs
    at: int
    result: Variable

    def end(self, block: Block, value: Variable) -> None:
        """Let it be `value` at the end of a block."""
        block.outputs[self.at] = value


def carry(o: Operator, x: Variable) -> Through:
    """Let `x` pass through the blocks of `o`, as it is at first."""
    if "carried" not in o.attrs:
        inputs = capture(o, x)
        at = len(o.results)
        for b, v in inputs.items():
            b.outputs.append(v)
        return Through(inputs, at, _result(o, x.spec, at))
    at = o.attrs["carried"]
    o.attrs = {**o.attrs, "carried": at + 1}
    o.operands = (*o.operands[:at], x, *o.operands[at:])
    inputs = {}
    for name, b in o.blocks.items():
        inputs[b] = b.add_input(x.spec)
        b.inputs.insert(at, b.inputs.pop())
        if name != "test":
            b.outputs.insert(at, inputs[b])
    spec = x.spec
    if o.op is over_time:
        sequence = o.operands[at + 1]
        assert isinstance(sequence, Variable)
        spec = Spec((sequence.spec.shape[0] + 1, *spec.shape), spec.dtype)
    return Through(inputs, at, _result(o, spec, at))


def _result(o: Operator, spec: Spec, at: int) -> Variable:
    home = o.block
    assert home is not None
    made = Variable(home.names.fresh(), spec, home=home)
    made.producer = o
    o.results = (*o.results[:at], made, *o.results[at:])
    return made


def _blocks(o: Operator) -> list[Block]:
    return list(o.blocks.values())


def _read(b: Block) -> list[Variable]:
    operands = (x for o in b.ops for x in o.operands)
    return [x for x in (*operands, *b.outputs) if isinstance(x, Variable)]
