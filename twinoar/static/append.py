"""Operators called by Paddle's type, slots and attributes, through their `desc` rules."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from twinoar.core.dtype import DType, dtype_of
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.described import MARKS, ROLES
from twinoar.core.ir.program import Variable
from twinoar.core.near import near_names
from twinoar.core.op.definition import Op, registry
from twinoar.errors import (
    ArgumentError,
    FileError,
    TypeMismatchError,
    UnknownNameError,
    UnsupportedError,
)
from twinoar.formats.paddle.program_desc import (
    DTYPE_ATTRIBUTES,
    dtype_of_code,
    form_of,
    operators_by_type,
)
from twinoar.formats.paddle.program_read import BOOKKEEPING, Attributes, Slots, named_results
from twinoar.formats.paddle.program_read import call_by_type as call_of_file
from twinoar.ops.create.fill import assign

Held = Mapping[str, list[Any]]
CHOOSES_A_KERNEL = ("use_", "mkldnn_", "with_quant_", "cudnn_")  # begin attributes without meaning

ELSEWHERE = {
    "feed": "declare an input: static.data(name, shape)",
    "fetch": "ask for values: exe.run(program, feed, fetch_list)",
}


def call_by_type(
    builder: Builder, type: str, inputs: Held, outputs: Held, attrs: Mapping[str, Any]
) -> list[tuple[Any, Any]]:
    """Call the operator `type` in `builder`; returns each Variable of `outputs` with its value.

    type, slots and attributes are Paddle's, or an operator's name, operands and attributes.
    """
    for held in inputs.values():
        for v in held:
            if not isinstance(v, Variable):
                raise TypeMismatchError(
                    f"{type} reads Variables, received {v!r}", cure="pass Variables or their names"
                )
    builder.role = _role(attrs.get("op_role", 0))
    builder.marks = {**builder.marks, **{k: attrs[k] for k in MARKS if k in attrs}}
    given = {k: v for k, v in attrs.items() if k not in BOOKKEEPING}
    own = registry.get(type)
    before = {id(o) for o in builder.block.ops}
    operators = operators_by_type()
    if any(op.takes_blocks for op in [*operators.get(type, ()), *([own] if own else ())]):
        raise UnsupportedError(
            f"an operator {type} has blocks, which are built around it",
            cure="call static.nn.cond or static.nn.while_loop",
        )
    has_own_names = own is not None and inputs.keys() <= {o.name for o in own.operands}
    if own is not None and has_own_names and (inputs or type not in operators):
        pairs = _call_own(own, inputs, outputs, given)
    else:
        op, results = call_paddles(builder, type, inputs, outputs, given)
        pairs = _paired(op, outputs, results)
    return [(target, value if _is_new(value, before) else assign(value)) for target, value in pairs]


def _role(number: Any) -> str:
    """What an operator is for, by Paddle's number: roles that are not ours are the forward one."""
    if not isinstance(number, int):
        raise TypeMismatchError(
            f"op_role must be an int, received {number!r}", cure="0 forward, 1 backward, 2 optimize"
        )
    kind = number & 0xFF
    return ROLES[kind] if kind < len(ROLES) else ROLES[0]


def _is_new(value: Any, before: set[int]) -> bool:
    made_by = value.producer if isinstance(value, Variable) else None
    return made_by is not None and id(made_by) not in before


def _call_own(op: Op, inputs: Held, outputs: Held, attrs: Mapping[str, Any]) -> list:
    several = {o.name for o in op.operands if o.variadic}
    given = {k: v if k in several or len(v) != 1 else v[0] for k, v in inputs.items()}
    if unknown := attrs.keys() - op.attrs.keys():
        raise _unknown(op.name, "attribute", min(unknown), op.attrs)
    out = op(**given, **attrs)
    results = out if isinstance(out, (tuple, list)) else (out,)
    targets = [v for held in outputs.values() for v in held]
    if len(targets) > len(results):
        raise ArgumentError(
            f"{op.name} has {len(results)} results, received {len(targets)} outputs"
        )
    return list(zip(targets, results, strict=False))


def call_paddles(
    interpreter: Any, type: str, inputs: Held, outputs: Held, attrs: Mapping[str, Any]
) -> tuple[Op, tuple]:
    """Let `interpreter` apply Paddle's operator `type`: ours, and its results.

    Raises UnknownNameError for a type, slot or attribute that does not exist.
    """
    operators = operators_by_type()
    if type not in operators:
        near = difflib.get_close_matches(type, {*operators, *registry}, 3)
        cure = f"the nearest are {', '.join(near)}" if near else "name one that Paddle has"
        if type.endswith("_grad"):
            cure = "gradients are appended by static.gradients or static.append_backward"
        raise UnknownNameError(
            f"there is no operator of type {type!r}", cure=ELSEWHERE.get(type, cure)
        )
    forms = [form_of(op) for op in operators[type]]
    slots_in = {s for f in forms for s in (*f.inputs, *f.size_slots.values())}
    slots_out = {s for f in forms for s in (*f.outputs, *f.extra_outputs)}
    if not any(f.read for f in forms):
        for slot in inputs.keys() - slots_in:
            raise _unknown(type, "input", slot, slots_in)
        known = {name for f in forms for name in (*f.attrs, *f.fixed)}
        written = any(f.write for f in forms)
        for name in attrs.keys() - known:
            if not written and not name.startswith(CHOOSES_A_KERNEL):
                raise _unknown(type, "attribute", name, known)
    for slot in outputs.keys() - slots_out:
        raise _unknown(type, "output", slot, slots_out)
    read = Attributes({k: _dtype(v) if k in DTYPE_ATTRIBUTES else v for k, v in attrs.items()})
    slots = Slots({slot: list(held) for slot, held in inputs.items() if held})
    try:
        return call_of_file(interpreter, operators, type, slots, read, "append_op")
    except FileError as error:
        raise ArgumentError(
            f"{type}: {error.message}", cure="pass the slots and attributes of Paddle's operator"
        ) from None


def _paired(op: Op, outputs: Held, results: tuple) -> list[tuple[Any, Any]]:
    targets = {f"{slot} {i}": v for slot, held in outputs.items() for i, v in enumerate(held)}
    named = {s: [f"{s} {i}" for i, _ in enumerate(held)] for s, held in outputs.items()}
    return [(targets[name], value) for name, value in named_results(op, named, results)]


def _dtype(value: Any) -> DType | None:
    if isinstance(value, int):
        return None if value == -1 else dtype_of_code(value, "append_op")
    return dtype_of(value)


def _unknown(type: str, what: str, name: str, known: Any) -> UnknownNameError:
    return UnknownNameError(
        f"operator {type} has no {what} {name!r}", cure=near_names(name, sorted(known))
    )
