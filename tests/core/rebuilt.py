"""Programs written as Python and built again, and what the text of a Program leaves out."""

from __future__ import annotations

from typing import Any

from twinoar.core.ir.program import Block, Program, Variable
from twinoar.core.to_python import to_python


def run_text(text: str, path: str = "model.py") -> dict[str, Any]:
    """The names that a Python file defines."""
    space: dict[str, Any] = {"__name__": "model", "__file__": path}
    exec(compile(text, path, "exec"), space)
    return space


def rebuilt(program: Program) -> Program:
    """The Program that the Python form of `program` builds."""
    return run_text(to_python({"build": program}).text)["build"]()


def unsaid(program: Program) -> list[Any]:
    """All fields of a Program that its text does not show, and a file can hold."""
    found: list[Any] = [type(program), program.name, getattr(program, "random_seed", None)]
    for s in program.states.values():
        given = {**s.__dict__, **s.traits}.items()
        traits = {k: str(v) for k, v in given if k not in ("read", "live")}
        found.append((_seen(s), s.is_parameter, s.is_constant, s.persistable, traits))
    return found + _block(program.main)


def _block(block: Block) -> list[Any]:
    found: list[Any] = [_seen(v) for v in block.variables()]
    for o in block.ops:
        found += [o.op, o.role, *(x for b in o.blocks.values() for x in _block(b))]
    return found


def _seen(v: Variable) -> tuple[str, str, bool]:
    return v.name, str(v.spec), v.stop_gradient


def assert_identical(found: Program, program: Program) -> None:
    assert str(found) == str(program)
    assert unsaid(found) == unsaid(program)
