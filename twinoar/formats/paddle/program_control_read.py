"""Control flow in a `.pdmodel`, read: `conditional_block`, `select_input` and `while`.

Paddle's sub-blocks see the variables around them and change them in place. A nested block of ours
is closed: what it reads from outside becomes its inputs, and what it changes its outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Variable
from twinoar.errors import FileError, UnsupportedError
from twinoar.formats.paddle.attribute import attribute_value
from twinoar.formats.paddle.program_desc import slots_of
from twinoar.ops.control.branch_and_loop import build_if, build_while

NEGATION = "logical_not"


class Conditional:
    """A `conditional_block` whose results are still to be merged."""

    def __init__(self, cond: Any, message: Any, outputs: Sequence[str]):
        self.cond, self.message, self.outputs = cond, message, list(outputs)


def read_conditional(
    block: Any, op: Any, index: int
) -> None:  # Any: a BlockReader, which imports this module
    """A `conditional_block`: kept for a select to merge, or an `if` where it changes variables."""
    place = block.reader.place(block.message, index)
    slots, outputs = dict(slots_of(op.inputs)), dict(slots_of(op.outputs)).get("Out", [])
    cond = [block.variable(name, place) for name in slots.get("Cond", [])]
    if len(cond) != 1:
        raise FileError(f"{place}: expected one variable in slot Cond, received {len(cond)}")
    found = Conditional(cond[0], _sub_block(block, op, place), outputs)
    changed = [name for name in outputs if block.present(name) is not None]
    if changed or not outputs:
        others = [name for name in outputs if name not in changed]
        if others:
            raise UnsupportedError(
                f"a branch defines {others} and changes {changed}",
                cure="merge them with select_input",
            )
        before = {name: block.present(name) for name in changed}
        _append_if(block, found, None, [(name, name, name) for name in changed], before)
        return
    for name in outputs:
        block.pending[name] = found


def read_select(block: Any, op: Any, index: int) -> None:
    """A `select_input`: one `if` for all that the two conditional blocks before it compute."""
    place = block.reader.place(block.message, index)
    if _selected(op)[2] in block.merged:
        return
    no, yes, _ = _selected(op)
    found = [block.pending.get(name) for name in (yes, no)]
    if None in found:
        raise FileError(
            f"{place}: slot X must hold results of conditional blocks, not {no} and {yes}"
        )
    then, orelse = found
    negated = orelse.cond.producer if isinstance(orelse.cond, Variable) else None
    condition = block.builder.lift(then.cond)  # which a block around this one may have computed
    if negated is None or negated.type != NEGATION or negated.operands[0] is not condition:
        raise UnsupportedError("the two branches must have a condition and its negation")
    merges = []
    for later in block.message.ops[index:]:
        if later.type == "select_input":
            no, yes, out = _selected(later)
            if block.pending.get(yes) is then and block.pending.get(no) is orelse:
                merges.append((yes, no, out))
                block.merged.add(out)
    _append_if(block, then, orelse, merges, {})


def _selected(op: Any) -> tuple[str, str, str]:
    """The variables of the false and the true side, and the result."""
    names, out = dict(slots_of(op.inputs)).get("X", []), dict(slots_of(op.outputs)).get("Out", [])
    if len(names) != 2 or len(out) != 1:
        raise FileError(
            f"expected two variables in slot X and one in Out, received {names} and {out}"
        )
    return names[0], names[1], out[0]


def _append_if(
    block: Any,
    then: Conditional,
    orelse: Conditional | None,
    merges: Sequence[tuple[str, str, str]],
    before: dict,
) -> None:
    """Append an `if`; merges: (name in `then`, name in `orelse`, result).

    Without an `orelse`, `before` has the values that stay.
    """
    sides = [_branch(block, then, [yes for yes, _, _ in merges])]
    if orelse is not None:
        sides.append(_branch(block, orelse, [no for _, no, _ in merges]))
    else:
        with block.builder.nested() as inner:
            inner.block.outputs = [inner.lift(value) for value in before.values()]
        sides.append(inner)
    results = build_if(then.cond, *sides)
    made = {block.builder.block.ops[-1]}
    for (_, _, name), value in zip(merges, results, strict=True):
        block.define(name, value, made)


def _branch(block: Any, branch: Conditional, wanted: Sequence[str]) -> Builder:
    with block.builder.nested() as inner:
        reader = block.nested(branch.message, inner)
        reader.read_operators()
        place = f"{block.reader.path}: the results of block {branch.message.idx}"
        inner.block.outputs = [inner.lift(reader.variable(name, place)) for name in wanted]
    return inner


def read_while(block: Any, op: Any, index: int) -> None:
    """A `while`: what its block changes, the condition included, is carried from iteration to
    iteration."""
    place = block.reader.place(block.message, index)
    slots = dict(slots_of(op.inputs))
    condition = slots.get("Condition", [])
    if len(condition) != 1:
        raise FileError(
            f"{place}: expected one variable in slot Condition, received {len(condition)}"
        )
    message = _sub_block(block, op, place)
    written = {
        name for inner in message.ops for _, names in slots_of(inner.outputs) for name in names
    }
    declared = {var.name for var in message.vars}
    carried = [n for n in sorted(written - declared) if block.present(n) is not None]
    if condition[0] not in carried:
        raise FileError(f"{place}: its block never changes the condition {condition[0]}")
    values = [block.variable(name, place) for name in carried]

    def iteration(*given: Variable) -> list[Any]:
        reader = block.nested(message, current())
        reader.environment.update(zip(carried, given, strict=True))
        reader.read_operators()
        return [reader.variable(name, place) for name in carried]

    tested = carried.index(condition[0])
    results = build_while(block.builder, lambda *given: given[tested], iteration, values)
    made = {block.builder.block.ops[-1]}
    for name, value in zip(carried, results, strict=True):
        block.define(name, value, made)


def _sub_block(block: Any, op: Any, place: str) -> Any:
    number = next((attribute_value(a) for a in op.attrs if a.name == "sub_block"), None)
    if type(number) is not int:
        raise FileError(f"{place}: expected the attribute sub_block")
    found = block.reader.desc.blocks[number]
    if found.parent_idx != block.message.idx:
        raise FileError(f"{place}: block {number} belongs to block {found.parent_idx}")
    return found


CONTROL_READERS = {
    "conditional_block": read_conditional,
    "select_input": read_select,
    "while": read_while,
}
