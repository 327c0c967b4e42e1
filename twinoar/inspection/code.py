"""The texts of what a batch runs: its loops, and the LLVM IR that they were compiled from."""

from __future__ import annotations

from collections.abc import Sequence

from twinoar.backends.native.loop import LoopPart
from twinoar.backends.native.parts import KernelPart, TiledPart
from twinoar.compile.part import Part


def loops_of(batch: Sequence[Part]) -> list[str]:
    """The loops of each part, in order; none of what a library or NumPy runs."""
    found = [str(part.step.nest) for part in batch if isinstance(part, KernelPart)]
    for launch in (launch for p in batch if isinstance(p, TiledPart) for launch in p.launches):
        threads = " in parallel" if launch.is_parallel else ""
        found.append(f"{launch.name}: {launch.iterations} iterations{threads}")
    for part in batch:
        for name, body in part.bodies.items():
            times = (
                f"{part.iterations.count} times, one after the other"
                if isinstance(part, LoopPart)
                else name
            )
            inside = [text for inner in body.batches for text in loops_of(inner)]
            found += [f"{times}:", *inside]
    return found


def irs_of(batch: Sequence[Part]) -> list[str]:
    """The different texts of LLVM IR, in order."""
    codes = [part.made.code for part in batch if isinstance(part, KernelPart)]
    codes += [launch.code for p in batch if isinstance(p, TiledPart) for launch in p.launches]
    found = [code.text for code in codes if code is not None]
    for body in (body for p in batch for body in p.bodies.values()):
        found += [text for inner in body.batches for text in irs_of(inner)]
    return list(dict.fromkeys(found))
