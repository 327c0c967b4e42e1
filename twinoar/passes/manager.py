"""Runs passes: verifies, times and counts them, prints what they changed, skips the disabled."""

from __future__ import annotations

import difflib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from twinoar import config
from twinoar.core.ir import Program
from twinoar.core.report import is_reported, report
from twinoar.core.verify import verify

Pass = Callable[[Program], Program]


@dataclass
class PassRecord:
    """What one pass did in one run."""

    name: str
    seconds: float
    operators_before: int
    operators_after: int


def run_passes(
    program: Program, passes: Sequence[Pass], record: list[PassRecord] | None = None
) -> Program:
    """Run `passes` in order and return the Program. `record` receives a PassRecord each.

    TWINOAR_PASSES=-name,-name leaves passes out; TWINOAR_CHECK=1 verifies after each;
    TWINOAR_DEBUG=3 prints the difference that each made.
    """
    for one in passes:
        if is_disabled(one.__name__):
            continue
        before = program.to_text() if is_reported(3) else ""
        count, start = len(program.main.ops), time.perf_counter()
        program = one(program)
        seconds = time.perf_counter() - start
        if config.check:
            verify(program)
        if record is not None:
            record.append(PassRecord(one.__name__, seconds, count, len(program.main.ops)))
        if before:
            print_difference(one.__name__, before, program.to_text(), seconds)
    return program


def is_disabled(name: str) -> bool:
    """True if TWINOAR_PASSES leaves out the pass or rule `name`."""
    return f"-{name}" in config.passes


def print_difference(name: str, before: str, after: str, seconds: float) -> None:
    """Report a unified diff of two Programs."""
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), "before", "after", lineterm="", n=1
    )
    body = "\n".join(lines) or "(no change)"
    report(3, f"--- pass {name}, {seconds * 1e3:.2f} ms\n{body}")
