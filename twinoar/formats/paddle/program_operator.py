"""One operator on its way into a `.pdmodel`: its slots, its attributes, and what of it is written.

All follows from the operator's `desc` rule.
"""

from __future__ import annotations

import typing
from collections.abc import Sequence
from typing import Any

from twinoar.core.dim import SymbolicDim
from twinoar.core.dtype import DType, float32, int32, literal_dtype
from twinoar.core.ir.builder import describe
from twinoar.core.ir.program import Block, Operator, Variable
from twinoar.core.ir.size_names import decides_a_size, names_asked
from twinoar.core.op.definition import Op
from twinoar.core.spec import Spec
from twinoar.errors import UnsupportedError
from twinoar.formats.paddle import schema
from twinoar.formats.paddle.program_desc import (
    dtype_code,
    form_of,
    has_file_form,
    is_symbolic,
    kind_and_value,
    size_in_file,
)

INT32_LIMITS = (-(2**31), 2**31 - 1)


def input_slots(o: Operator) -> list[tuple[str, tuple]]:
    """Each input slot of an operator and the operands in it."""
    found = []
    place = {operand.name: i for i, operand in enumerate(o.op.operands)}
    for slot, named in form_of(o.op).inputs.items():
        names = (named,) if isinstance(named, str) else named or ()
        given: list[Any] = []
        for i in (place[name] for name in names):
            given += o.operands[i:] if o.op.operands[i].variadic else o.operands[i : i + 1]
        found.append((slot, tuple(given)))
    return found


def output_slots(o: Operator, desc: Any) -> list[tuple[str, tuple]]:
    """Each output slot of an operator and its results; the last slot takes all that are left."""
    if desc is None:
        return []
    last = len(desc.outputs) - 1
    return [
        (slot, o.results[i:] if i == last and len(o.results) > last else o.results[i : i + 1])
        for i, slot in enumerate(desc.outputs)
    ]


def written_operands(o: Operator) -> list[Variable]:
    """The Variables that an operator reads in the file: no keys of random numbers, as Paddle makes
    those itself.
    """
    if not has_file_form(o.op) or o.blocks:
        return [x for x in o.operands if isinstance(x, Variable)]
    return [x for _, found in input_slots(o) for x in found if isinstance(x, Variable)]


def live_operators(block: Block, roots: set[Variable], keeps_all: bool) -> list[Operator]:
    """The operators that the file needs: what `roots` depend on, or all that have a file form.

    Left out too is what only computes operands that no slot holds.
    """
    needed = set(roots)
    asked: set[str] = set()
    kept = []
    for o in reversed(block.ops):
        wanted = any(v in needed for v in o.results) or decides_a_size(o, asked)
        if wanted or o.has_effect or (keeps_all and has_file_form(o.op)):
            kept.append(o)
            needed.update(written_operands(o))
            asked |= names_asked([o])
    return kept[::-1]


def read_variables(operators: Sequence[Operator]) -> set[Variable]:
    """All Variables that operators, or blocks in them, read or return."""
    found: set[Variable] = set()
    for o in operators:
        found.update(written_operands(o))
        for nested in o.blocks.values():
            found |= read_variables(nested.ops)
            found.update(v for v in nested.outputs if isinstance(v, Variable))
    return found


def attributes_of(o: Operator) -> tuple[dict[str, tuple[str, Any]], dict[str, Any]]:
    """Paddle's attributes of an operator, as (kind, value), and sizes that stand in slots."""
    desc = form_of(o.op)
    found: dict[str, tuple[str, Any]] = {
        name: kind_and_value(value) for name, value in desc.fixed.items()
    }
    symbolic: dict[str, Any] = {}  # by slot: a list of sizes, or one
    raw: dict[str, Any] = {}
    for name, entry in desc.attrs.items():
        ours, to_paddle = entry[:2] if isinstance(entry, tuple) else (entry, None)
        value = to_paddle(o.attrs[ours]) if to_paddle else _declared(o.op, ours, o.attrs[ours])
        if value is not None:
            raw[name] = value
    if desc.write is not None:
        specs = tuple(x.spec if isinstance(x, Variable) else x for x in o.operands)
        raw |= desc.write(o.attrs, specs)
    for name, value in raw.items():
        kind, plain = value if _has_kind(value) else (kind_and_value(value)[0], value)
        if name in desc.size_slots:
            plain = _with_symbols(plain, desc.attrs.get(name), o)
        if is_symbolic(plain):
            if name not in desc.size_slots:
                raise UnsupportedError(
                    f"the attribute {name} of {desc.type} must be known before the run",
                    cure="give the size as a number",
                ).attach(o.op.name, describe(o.op, o.operands), o.source)
            symbolic[desc.size_slots[name]] = plain
            plain = 0 if isinstance(plain, SymbolicDim) else plain
        found[name] = kind, _fitted(kind, plain)
    return found, symbolic


def _with_symbols(written: Any, attribute: Any, o: Operator) -> Any:
    """The sizes to write: those of our own attribute where several of the written ones are -1."""
    sizes = written if isinstance(written, (list, tuple)) else ()
    several = sum(1 for d in sizes if isinstance(d, int) and d == -1) > 1
    return o.attrs[attribute] if several and isinstance(attribute, str) else written


def _has_kind(value: Any) -> bool:
    is_pair = isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str)
    return is_pair and value[0] in schema.CODE_OF_ATTRIBUTE


def _declared(op: Op, name: str, value: Any) -> Any:
    """An attribute's value, with the kind of its annotation where the value alone does not tell."""
    hint = op.attrs[name].annotation
    if (
        value == ()
        and typing.get_origin(hint) is tuple
        and typing.get_args(hint)[0] in (float, bool, str)
    ):
        return ({float: "FLOATS", bool: "BOOLEANS", str: "STRINGS"}[typing.get_args(hint)[0]], [])
    return value


def _fitted(kind: str, value: Any) -> Any:
    """A value as `set_attribute` takes it: unknown sizes as -1, 32-bit bounds cut off."""
    if isinstance(value, DType):
        return dtype_code(value)
    if kind in ("INT", "LONG"):
        value = size_in_file(value)
        return min(max(value, INT32_LIMITS[0]), INT32_LIMITS[1]) if kind == "INT" else value
    if kind in ("INTS", "LONGS"):
        return [_fitted(kind[:-1], x) for x in value]
    if kind in ("FLOAT", "FLOAT64"):
        return float(value)
    if kind in ("BOOLEAN", "STRING"):
        return bool(value) if kind == "BOOLEAN" else value
    return [_fitted(kind[:-1], x) for x in value] if kind.endswith("S") else value


def literal_spec(x: Any, o: Operator) -> Spec:
    """The spec of a number among the operands: the first type beside it that holds such numbers.

    Integers take a floating type only where the operator brings its operands to one type.
    """
    own = literal_dtype(x)
    if o.op.promote_rule is None and own.is_integer:
        made = [v.spec.dtype for v in o.results if v is not None and v.spec.dtype.is_integer]
        fits = INT32_LIMITS[0] <= x <= INT32_LIMITS[1]
        return Spec((), made[0] if made else int32 if fits else own)
    beside = [v.spec.dtype for v in (*o.operands, *o.results) if isinstance(v, Variable)]
    return Spec((), next((d for d in beside if d.category >= own.category), own))


def extra_spec(o: Operator, has_zero: bool = False) -> Spec:
    """The declared spec of a variable that is written and never read: that of the first operand.

    Paddle's XShape is that with a zero in front.
    """
    first = next((v for v in (*o.operands, *o.results) if isinstance(v, Variable)), None)
    if first is None:
        return Spec((0,), float32)
    return Spec((0, *first.spec.shape), first.spec.dtype) if has_zero else first.spec
