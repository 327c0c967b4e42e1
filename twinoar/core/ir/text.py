"""Programs as text: the printing half. `core.parse` reads the same text back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from twinoar.core.dtype import BY_NUMPY, DType
from twinoar.core.spec import Spec

if TYPE_CHECKING:
    from twinoar.core.ir.program import Block, Operator, Program

INDENT = "  "


def print_program(program: Program, sources: bool = True) -> str:
    """The whole Program; `sources` adds the user's lines as comments."""
    lines = [f"program {program.name} {{"]
    for s in program.states.values():
        word = "const" if s.is_constant else "param" if s.is_parameter else "state"
        value = f" = {_print_array(np.asarray(s.data))}" if s.is_constant else ""
        frozen = " frozen" if s.is_parameter and s.stop_gradient else ""
        lines.append(f"{INDENT}{word} %{s.name}: {s.spec}{frozen}{value}")
    updates = [f"update %{s.name} = %{v.name}" for s, v in program.updates.items()]
    lines += [
        INDENT + line
        for line in print_block(program.main, "main", updates, "return", sources).split("\n")
    ]
    return "\n".join([*lines, "}"])


def print_block(
    block: Block,
    head: str = "block",
    updates: list[str] | None = None,
    end: str = "yield",
    sources: bool = True,
) -> str:
    """`head(%x: f32[2]) { ... }`, a line per operator."""
    inputs = ", ".join(f"%{v.name}: {v.spec}{'' if v.stop_gradient else '!'}" for v in block.inputs)
    lines = [f"{head}({inputs}) {{"]
    for o in block.ops:
        lines += [INDENT + line for line in print_operator(o, sources).split("\n")]
    lines += [INDENT + u for u in updates or []]
    if block.outputs:
        lines.append(f"{INDENT}{end} {', '.join(print_operand(v) for v in block.outputs)}")
    return "\n".join([*lines, "}"])


def print_operator(o: Operator, sources: bool = True) -> str:
    """`%2: f32[3] = add(%0, %1)  # file.py:3`; nested blocks follow in their own lines."""
    results = ", ".join("_" if v is None else f"%{v.name}: {v.spec}" for v in o.results)
    arguments = [print_operand(x) for x in o.operands]
    blocks = []
    for name, value in o.attrs.items():
        if hasattr(value, "ops"):
            blocks.append(print_block(value, name, sources=sources))
        elif not is_default(value, o.op.attrs[name].default):
            arguments.append(f"{name}={print_literal(value)}")
    text = f"{results}{' = ' if results else ''}{o.op.name}({', '.join(arguments)})"
    if blocks:
        return " ".join([text, *blocks])
    if sources and o.source is not None:
        text = f"{text:<70}  # {Path(o.source.file).name}:{o.source.line}{_scope(o)}"
    return text


def _scope(o: Operator) -> str:
    """` in /block/`, where the user has named a scope."""
    scope = o.marks.get("op_namescope", "/")
    return "" if scope == "/" else f" in {scope}"


def print_operand(x: Any) -> str:
    """`%x` for a Variable, the literal otherwise."""
    return f"%{x.name}" if hasattr(x, "home") else print_literal(x)


def print_literal(x: Any) -> str:
    """A number, string, tuple, dtype, spec, size or array, as `core.parse` reads it."""
    if isinstance(x, DType):
        return x.name
    if isinstance(x, Spec):
        return f"spec('{x}')"
    if isinstance(x, np.ndarray):
        return f"ndarray('{Spec(x.shape, BY_NUMPY[x.dtype])}', {_print_array(x)})"
    if isinstance(x, (tuple, list)):
        inner = ", ".join(map(print_literal, x))
        return f"({inner},)" if len(x) == 1 else f"({inner})"
    if isinstance(x, np.generic):
        return repr(x.item())
    return repr(x)


def _print_array(x: np.ndarray) -> str:
    if x.dtype.kind in "biuf" and x.size <= 16:
        return f"array({x.tolist()!r})"
    return f"bytes('{x.tobytes().hex()}')"


def is_default(value: Any, default: Any) -> bool:
    """True for an attribute that is not written, as it has its default."""
    return type(value) is type(default) and not isinstance(value, np.ndarray) and value == default
