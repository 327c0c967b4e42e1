"""Runs passes: verifies, times and counts them, prints what they changed, skips the disabled."""

from __future__ import annotations

import difflib
import time
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from twinoar import config
from twinoar.core.ir.program import Program, Variable, copy_program
from twinoar.core.ir.rewrite import Rule
from twinoar.core.ir.verify import Sound, verify
from twinoar.core.report import is_reported, report
from twinoar.errors import ProgramError, TypeMismatchError
from twinoar.late import dataclass
from twinoar.passes.registry import Pass, get, is_disabled, name_of


@dataclass
class PassRecord:
    """What one pass did in one run.

    hits: how often it was applied, for a Rule. before, after: the Program as text, without source
    lines; "" where nobody asked.
    """

    name: str
    seconds: float
    operators_before: int
    operators_after: int
    hits: int | None = None
    before: str = field(default="", repr=False)
    after: str = field(default="", repr=False)

    def difference(self, context: int = 1) -> str:
        """What the pass changed as a unified diff, with `context` lines around each change."""
        return "\n".join(text_difference(self.before, self.after, context)) or "(no change)"


def run(
    program: Program,
    passes: Sequence[str | Pass] | str | Pass,
    *,
    record: list[PassRecord] | None = None,
) -> Program:
    """A Program that passes have been run on, in order; the one that is given stays as it is.

    program: a static Program, or what `fn.concrete_program.main_program` and `layer.program()` of a
    loaded model are. States that live in a Scope or in tensors are shared. Where a Program does not
    say what it returns, passes keep all that nothing reads. passes: names, functions
    from Program to Program, and Rules. record: receives a PassRecord each, with the texts before
    and after. TWINOAR_PASSES=-name leaves a pass out. Raises UnknownNameError for a name that no
    pass has, TypeMismatchError for a pass that returns no Program, ProgramError for one that leaves
    a Program that is not sound.

    >>> from twinoar import passes, square
    >>> from twinoar.core.ir.builder import trace
    >>> from twinoar.core.spec import Spec
    >>> program = trace(lambda x: square(x * 1.0), Spec((2,)))
    >>> record = []
    >>> print(passes.run(program, ["simplify"], record=record).to_text(sources=False))
    program program {
      main(%x: f32[2]) {
        %1: f32[2] = square(%x)
        return %1
      }
    }
    >>> record[0].operators_before, record[0].operators_after
    (2, 1)
    """
    if not isinstance(program, Program):
        raise TypeMismatchError(
            f"expected a Program, received {type(program).__name__}",
            cure="pass a static.Program, fn.concrete_program.main_program of a function under "
            "to_static, or layer.program() of a loaded model",
        )
    wanted = [passes] if isinstance(passes, str) or callable(passes) else list(passes)
    chosen = [get(p) if isinstance(p, str) else p for p in wanted]
    for one in chosen:
        if not callable(one):
            raise TypeMismatchError(
                f"expected a pass or the name of one, received {type(one).__name__}",
                cure="a pass is a function from Program to Program, or a rule made by @rewrite",
            )
    copied = copy_of(program)
    copied.version = program.version
    says_outputs = bool(copied.main.outputs)
    if not says_outputs:
        copied.main.outputs = _unread(copied)
    changed = run_passes(copied, chosen, record, users=True)
    if not says_outputs:
        changed.main.outputs = []
    return changed


def copy_of(program: Program) -> Program:
    """A copy, with what a static Program knows beside its operators."""
    clone = getattr(program, "clone", None)
    copied: Program = copy_program(program)[0] if clone is None else clone()
    return copied


def run_passes(
    program: Program,
    passes: Sequence[Pass],
    record: list[PassRecord] | None = None,
    *,
    users: bool = False,
) -> Program:
    """Run `passes` in order, in place, and return the Program. `record` receives a PassRecord each.

    users: True for passes that others than twinoar may have written: what they return is verified,
    and records hold texts. TWINOAR_PASSES=-name,-name leaves passes out; TWINOAR_CHECK=1 verifies
    after each; TWINOAR_DEBUG=3 prints the difference that each made.
    """
    sound: Sound = {}  # most operators are touched by few passes
    for one in passes:
        name = name_of(one)
        if is_disabled(name):
            continue
        shown = is_reported(3) or (users and record is not None)
        before = program.to_text(sources=not users) if shown else ""
        count, hits = len(program.main.ops), one.hits if isinstance(one, Rule) else None
        start = time.perf_counter()
        program = _verified(name, one(program), users, sound)
        seconds = time.perf_counter() - start
        after = program.to_text(sources=not users) if shown else ""
        done = PassRecord(name, seconds, count, len(program.main.ops), before=before, after=after)
        if hits is not None and isinstance(one, Rule):
            done.hits = one.hits - hits
        if record is not None:
            record.append(done)
        if is_reported(3):
            report(3, f"--- pass {name}, {seconds * 1e3:.2f} ms\n{done.difference()}")
    return program


def _unread(program: Program) -> list[Variable]:
    """The results that no operator reads, and no state takes: one of them may be fetched."""
    read = {x for o in program.main.ops for x in o.operands if isinstance(x, Variable)}
    read.update(program.updates.values())
    results = [v for o in program.main.ops for v in o.results if v is not None]
    return [v for v in results if v not in read]


def _verified(name: str, result: Any, users: bool, sound: Sound) -> Program:
    """What a pass returned, if it is a Program and, where that is asked, a sound one."""
    if not isinstance(result, Program):
        raise TypeMismatchError(
            f"the pass {name} must return a Program, it returned {type(result).__name__}",
            cure="end it with `return program`",
        )
    if users or config.check:
        try:
            verify(result, sound)
        except ProgramError as error:
            raise ProgramError(
                f"the pass {name} leaves a Program that is not sound: {error}"
            ) from error
        result.version += 1
    return result


def text_difference(before: str, after: str, context: int) -> list[str]:
    """The lines of a unified diff of two texts, without its head."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=context)
    return list(lines)[2:]
