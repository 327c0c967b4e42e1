"""What TWINOAR_DEBUG prints of compiled Programs: `twinoar.config` says at which level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from twinoar.backends.llvm.jit import assembly
from twinoar.backends.native.compiled import Compiled, KernelPart, LibraryPart, Part, TiledPart
from twinoar.core.report import is_reported, report


def report_compilation(compiled: Compiled, sizes: Mapping[str, int]) -> None:
    """Level 1: a line about time. 4, 5, 6: each kernel's loops, LLVM IR, assembly."""
    kinds = Counter(map(_kind, compiled.parts))
    counted = ", ".join(f"{n} {kind}" for kind, n in kinds.items()) or "nothing to run"
    bound = "".join(f" {name}={n}" for name, n in sizes.items())
    report(1, f"{compiled.program.name}{bound}: {counted}; compiled in {compiled.stages}")
    if not is_reported(4):
        return
    for n, batch in enumerate(compiled.batches):
        kernels = [p for p in batch if isinstance(p, KernelPart)]
        for part in kernels:
            names = ", ".join(s.name for s in part.step.writes)
            report(4, f"--- kernel {n}: {names}\n{part.step.nest}")
        if kernels:
            report(5, f"--- LLVM IR of kernel {n}\n{kernels[0].emitted.text}")
        if kernels and is_reported(6):
            report(6, f"--- assembly of kernel {n}\n{assembly(kernels[0].emitted.text)}")


def _kind(part: Part) -> str:
    if isinstance(part, KernelPart):
        return "kernels"
    if isinstance(part, TiledPart):
        return "tiled loops"
    return "oneDNN calls" if isinstance(part, LibraryPart) else "NumPy calls"
