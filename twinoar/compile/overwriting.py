"""Values that a kernel writes where another lies that it reads for the last time, place by place.

`relu(conv(x) + b)` needs no second memory: less of it is at work at once, and stays in caches.
"""

from __future__ import annotations

from twinoar.compile.pipeline import CallStep, KernelStep, Plan, reads_elsewhere
from twinoar.compile.storage import Storage
from twinoar.core.ir.program import Variable
from twinoar.core.varying import same


def overwritten(planned: Plan) -> dict[Storage, Storage]:
    """By value the one in whose memory it is written.

    What follows from states that no run changes does not give way: later runs read it again.
    """
    kept = {s for s in (*planned.outputs, *planned.updates.values()) if isinstance(s, Storage)}
    for step in planned.steps:  # what travels lies side by side, where nothing else has lain
        if isinstance(step, CallStep) and "collective" in step.operator.op.rules:
            kept.update(s for s in (*step.reads, *step.writes) if s is not None)
    passing = _passing(planned) - kept
    last: dict[Storage, int] = {}
    for n, step in enumerate(planned.steps):
        last.update(dict.fromkeys(step.reads, n))
    found: dict[Storage, Storage] = {}
    for n, step in enumerate(planned.steps):
        if not isinstance(step, KernelStep) or any(r.combine for r in step.kernel.roots):
            continue
        free = [s for s in step.reads if s in passing and last[s] == n]
        for root in step.kernel.roots:
            if root.storage in kept or root.storage in planned.in_place:
                continue
            over = next((s for s in free if _fits(root.storage, s, step)), None)
            if over is not None:
                found[root.storage] = over
                free.remove(over)
    return found


def _fits(made: Storage, over: Storage, step: KernelStep) -> bool:
    """Whether a kernel may write a value over another, element by element."""
    if made.dtype is not over.dtype or made.dtype.is_complex or not same(made.count, over.count):
        return False
    return not reads_elsewhere(step, over.variable, made)


def _passing(planned: Plan) -> set[Storage]:
    """What each run computes anew, of its inputs and of states that it changes."""
    program = planned.program
    changing: set[Variable] = {*program.main.inputs, *planned.updates}
    found: set[Storage] = set()
    for step in planned.steps:
        if any(s in found or s.variable in changing for s in step.reads):
            found.update(s for s in step.writes if s is not None and s not in planned.in_place)
    return found
