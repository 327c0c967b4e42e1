"""Control flow in a `.pdmodel`, written: `if` and `while` with their blocks.

Paddle's sub-blocks see the variables of the blocks around them and change them in place; ours are
closed. So an `if` is two `conditional_block` operators, on the predicate and on its negation, whose
results `select_input` merges; a `while` carries its values in variables of their own, which the end
of each iteration assigns to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.dtype import bool_, int32
from twinoar.core.ir.program import Block, Operator, Variable
from twinoar.core.spec import Spec
from twinoar.formats.paddle.program_sizes import SizeTensors
from twinoar.formats.paddle.schema import CODE_OF_DTYPE


def write_if(block: Any, o: Operator) -> None:  # Any: a BlockWriter, which imports this module
    """Append an `if`: two conditional blocks, and a select for each result."""
    writer = block.writer
    predicate = block.argument(o.operands[0], o)
    captured = [block.argument(x, o) for x in o.operands[1:]]
    negated = block.declare(writer.fresh("logical_not"), Spec((), bool_))
    sides = []
    for name, cond in (("then", predicate), ("orelse", negated)):
        if name == "orelse":
            block.add("logical_not", {"X": [predicate]}, {"Out": [negated]}, {})
        sides.append(_conditional(block, o.attrs[name], cond, captured))
    mask = block.declare(writer.fresh("cast"), Spec((), int32))
    block.cast(predicate, CODE_OF_DTYPE["bool"], mask, CODE_OF_DTYPE["int32"])
    for v, yes, no in zip(o.results, *sides, strict=True):
        if v is not None:
            block.add(
                "select_input", {"X": [no, yes], "Mask": [mask]}, {"Out": [block.define(v)]}, {}
            )
            block.sizes.note(v.spec, block.scope[v])


def _conditional(block: Any, branch: Block, cond: str, captured: Sequence[str]) -> list[str]:
    """Append one branch; the names of its results, which the block around it declares."""
    writer = block.writer
    results = [block.declare(writer.fresh("_generated_var"), _spec_of(v)) for v in branch.outputs]
    inner = block.nested(branch, captured)
    for o in branch.ops:
        inner.operator(o)
    for v, name in zip(branch.outputs, results, strict=True):
        inner.add("assign", {"X": [inner.value(v)]}, {"Out": [name]}, {})
    scope = block.declare_plain(writer.fresh("_generated_scope"), "STEP_SCOPES")
    attrs = {"sub_block": ("BLOCK", inner.message.idx), "is_scalar_condition": ("BOOLEAN", True)}
    inputs = {"Cond": [cond], "Input": [n for n in _outer_names(inner) if n not in results]}
    block.add("conditional_block", inputs, {"Out": results, "Scope": [scope]}, attrs)
    return results


def write_while(block: Any, o: Operator) -> None:
    """Append a `while`: its values are copied, tested, and changed in place by each iteration."""
    writer, test, body = block.writer, o.attrs["test"], o.attrs["body"]
    count = o.attrs["carried"]
    carried = [
        block.assigned(block.argument(x, o), _spec_of(v), writer.fresh("assign"))
        for x, v in zip(o.operands[:count], body.inputs[:count], strict=True)
    ]
    rest = [block.argument(x, o) for x in o.operands[count:]]
    condition = block.declare(writer.fresh("assign"), Spec((), bool_))
    block.add("assign", {"X": [_inlined(block, test, [*carried, *rest])]}, {"Out": [condition]}, {})
    inner = block.nested(body, [*carried, *rest])
    for one in body.ops:
        inner.operator(one)
    following = [inner.value(v) for v in body.outputs]
    following = [  # a value that moves to another place must survive until all are assigned
        inner.assigned(name, _spec_of(v), writer.fresh("assign"))
        if name in carried and name != to
        else name
        for name, to, v in zip(following, carried, body.outputs, strict=True)
    ]
    again = _inlined(inner, test, [*following, *rest])
    for name, to in [*zip(following, carried, strict=True), (again, condition)]:
        if name != to:
            inner.add("assign", {"X": [name]}, {"Out": [to]}, {})
    scope = block.declare_plain(writer.fresh("_generated_scope"), "STEP_SCOPES")
    attrs = {"sub_block": ("BLOCK", inner.message.idx), "is_test": ("BOOLEAN", writer.inference)}
    inputs = {"Condition": [condition], "X": [n for n in _outer_names(inner) if n != condition]}
    block.add("while", inputs, {"Out": [*carried, condition], "StepScopes": [scope]}, attrs)
    for v, name in zip(o.results, carried, strict=True):
        if v is not None:
            block.scope[v] = name
            block.sizes.note(v.spec, name)


def _inlined(block: Any, test: Block, given: Sequence[str]) -> str:
    """Append the operators of `test` to `block`; the name of its result.

    Sizes in it are those of what it is given: an iteration may have changed them.
    """
    outer, sizes = block.scope, block.sizes
    block.scope = dict(zip(test.inputs, given, strict=True))
    block.sizes = SizeTensors(block, sizes)
    for v, name in zip(test.inputs, given, strict=True):
        block.sizes.note(v.spec, name)
    for o in test.ops:
        block.operator(o)
    name = block.value(test.outputs[0])
    block.scope, block.sizes = outer, sizes
    return name


def _outer_names(inner: Any) -> list[str]:
    """The variables of outer blocks that the operators of a block touch, in order."""
    touched = {
        name
        for op in inner.message.ops
        for slot in (*op.inputs, *op.outputs)
        for name in slot.arguments
    }
    return sorted(name for name in touched if name not in inner.declared)


def _spec_of(v: Any) -> Spec:
    if isinstance(v, Variable):
        return v.spec
    raise TypeError(f"a block returns {v!r}, which is no Variable")


CONTROL_WRITERS = {"conditional_block": write_if, "while": write_while}
