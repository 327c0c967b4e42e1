"""Expand composite operators into their bodies, until only those remain that a target can run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from twinoar.core.dim import Dim
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder, call_body, infer
from twinoar.core.ir.program import Block, Operator, Program, Variable
from twinoar.core.ir.size_names import turned_out
from twinoar.core.op.definition import Op
from twinoar.errors import ProgramError
from twinoar.passes.sizes import rename_sizes

Keep = Callable[[Op], bool]
Whole = Callable[[Op, Sequence[Any], Mapping[str, Any]], bool]


def has_kernel(op: Op) -> bool:
    """True for operators that the NumPy back end runs as they are."""
    return op.kernel_rule is not None


def is_whole(op: Op, operands: Sequence[Any], attrs: Mapping[str, Any]) -> bool:
    """True of all calls: the operator alone decides."""
    return True


def decompose(program: Program, keep: Keep = has_kernel, whole: Whole = is_whole) -> Program:
    """Expand, in place, every operator that `keep` refuses. Returns the program.

    whole: of composites that are kept, which calls are, by their operands and attributes. Results
    keep their names. Raises ProgramError for a primitive that `keep` refuses.
    """
    sizes: dict[str, Dim] = {}

    def kept(op: Op, operands: Sequence[Any], attrs: Mapping[str, Any]) -> bool:
        return keep(op) and (op.body is None or whole(op, operands, attrs))

    _expand_block(program, program.main, kept, sizes)
    if sizes:
        rename_sizes(program.main, sizes)
    return program


class _Expander(Builder):
    """Appends what is kept to a list of its own, and expands the rest on the spot.

    sizes: what those that the data decides turn out to be.
    """

    def __init__(self, program: Program, block: Block, keep: Whole, sizes: dict[str, Dim]):
        super().__init__(program, block)
        self.keep, self.sizes = keep, sizes
        self.kept: list[Operator] = []
        self.follows = False

    def apply(self, op: Op, operands: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Append `op` if it is kept; otherwise run its body here."""
        if self.keep(op, operands, attrs):
            return super().apply(op, operands, attrs)
        return _body(op)(op, operands, attrs)

    def append(self, o: Operator) -> None:
        """Keep a finished operator, its nested blocks expanded."""
        for nested in o.blocks.values():
            _expand_block(self.program, nested, self.keep, self.sizes)
        self.kept.append(o)

    def inside(self, block: Block) -> Self:
        """An expander for a block nested here, which goes straight into that block."""
        inner = type(self)(self.program, block, self.keep, self.sizes)
        inner.outer, inner.kept, inner.source, inner.role = self, block.ops, self.source, self.role
        return inner


def _expand_block(program: Program, block: Block, keep: Whole, sizes: dict[str, Dim]) -> None:
    expander = _Expander(program, block, keep, sizes)
    new: dict[Variable, Any] = {}
    for o in block.ops:
        o.operands = tuple(new.get(x, x) if isinstance(x, Variable) else x for x in o.operands)
        if keep(o.op, o.operands, o.attrs):
            expander.append(o)
            continue
        expander.source = o.source
        with using(expander):
            out = _body(o.op)(o.op, o.operands, o.attrs)
        results = out if isinstance(out, (tuple, list)) else (out,)
        for nth, (old, value) in enumerate(zip(o.results, results, strict=True)):
            if old is not None:
                new[old] = value
                _inherit(old, value, o)
                found = turned_out(old, value) if isinstance(value, Variable) else {}
                if found and _decides_sizes(o, nth):
                    sizes.update(found)
    block.ops = expander.kept
    block.outputs = [new.get(v, v) if isinstance(v, Variable) else v for v in block.outputs]
    if block is program.main:
        program.updates = {s: new.get(v, v) for s, v in program.updates.items()}
        for v in list(program.states.values()):
            if v.rebound in new:
                v.rebound = new[v.rebound]


def _decides_sizes(o: Operator, nth: int) -> bool:
    """True where the inference of an operator says that data decides sizes of a result.

    Other sizes than the body's came from outside, such as the one that both sides of a branch have.
    """
    spec = infer(o.op, o.operands, o.attrs, o.source)[nth] if "infer" in o.op.rules else None
    return spec is not None and None in spec.shape


def _inherit(old: Variable, value: Any, expanded: Operator) -> None:
    """The value that takes the place of `old` takes its name too, unless it had one before."""
    if (
        isinstance(value, Variable)
        and value.producer is not None
        and all(value is not x for x in expanded.operands)
    ):
        value.name = old.name


def _body(op: Op) -> Callable[..., Any]:
    if op.body is None:
        raise ProgramError(f"the operator {op.name} is a primitive that the target has no rule for")
    return call_body
