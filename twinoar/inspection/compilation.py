"""What TWINOAR_DEBUG prints of compiled Programs: `twinoar.config` says at which level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from twinoar.backends.llvm.jit import assembly
from twinoar.backends.native.compiled import Compiled
from twinoar.backends.native.loop import LoopPart
from twinoar.backends.native.parts import KernelPart, LibraryPart, TiledPart
from twinoar.compile.commands import Commands
from twinoar.compile.part import Part
from twinoar.core.report import is_reported, report
from twinoar.inspection.code import irs_of, loops_of


def report_compilation(compiled: Compiled, sizes: Mapping[str, int]) -> None:
    """Level 1: a line about time. 4, 5, 6: each kernel's loops, LLVM IR, assembly."""
    kinds = Counter(map(_kind, compiled.parts))
    counted = ", ".join(f"{n} {kind}" for kind, n in kinds.items()) or "nothing to run"
    bound = "".join(f" {name}={n}" for name, n in sizes.items())
    report(1, f"{compiled.program.name}{bound}: {counted}; compiled in {compiled.stages}")
    if not is_reported(4):
        return
    for n, batch in enumerate(compiled.batches):
        loops = loops_of(batch)
        if loops:
            names = ", ".join(s.name for p in batch for s in p.step.writes if s is not None)
            report(4, "\n\n".join([f"--- kernel {n}: {names}\n{loops[0]}", *loops[1:]]))
        for text in irs_of(batch):
            report(5, f"--- LLVM IR of kernel {n}\n{text}")
            if is_reported(6):
                report(6, f"--- assembly of kernel {n}\n{assembly(text)}")


def report_found(commands: Commands, sizes: Mapping[str, int], seconds: float) -> None:
    """Level 1: a line about what was not planned."""
    bound = "".join(f" {name}={n}" for name, n in sizes.items())
    count = sum(map(len, commands.batches))
    report(
        1, f"{commands.name}{bound}: {count} commands found on the disk in {1e3 * seconds:.0f} ms"
    )


def _kind(part: Part) -> str:
    if isinstance(part, KernelPart):
        return "kernels"
    if isinstance(part, TiledPart):
        return "tiled loops"
    if isinstance(part, LoopPart):
        return "loops over time"
    if part.bodies:
        return "branches and loops"
    return "oneDNN calls" if isinstance(part, LibraryPart) else "NumPy calls"
