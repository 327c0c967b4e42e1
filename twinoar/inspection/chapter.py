"""What the page tells of one compiled Program: operators, passes, kernels, and which made which."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from twinoar.backends.llvm.jit import assembly
from twinoar.backends.llvm.target import cores
from twinoar.backends.native.executable import Form
from twinoar.compile.pipeline import PIPELINE
from twinoar.compile.specialise import specialise
from twinoar.core.ir.program import Operator, Program
from twinoar.inspection.code import irs_of, loops_of
from twinoar.inspection.explain import Explanation
from twinoar.inspection.occupancy import Occupancy, occupancy_of
from twinoar.inspection.origin import batches_of_operators, readers_of_operators
from twinoar.inspection.precision import Loss
from twinoar.late import dataclass
from twinoar.passes.manager import PassRecord, run_passes


@dataclass(frozen=True)
class PassChange:
    """What a pass did: its record, and the lines of the difference that it made."""

    record: PassRecord
    difference: list[str]


@dataclass(frozen=True)
class Code:
    """The texts of a batch: the loops of each part, LLVM IR and assembly of each different code."""

    loops: str
    ir: str
    assembly: str


@dataclass(frozen=True)
class Chapter:
    """One form of a Program, which has run.

    written: the operators as the user's code made them. origin: for each operator of the lowered
    Program the one that it comes from. batches: for each operator of both Programs the numbers of
    the batches that compute it. codes: by the number of the batch. occupancy: memory over time.
    losses: of results in lower precision, where that was measured.
    """

    name: str
    sizes: Mapping[str, int]
    program: Program
    lowered: Program
    passes: list[PassChange]
    explanation: Explanation
    origin: dict[Operator, Operator]
    batches: dict[Operator, list[int]]
    codes: dict[int, Code]
    occupancy: Occupancy
    losses: tuple[Loss, ...] = ()

    @property
    def written(self) -> list[Operator]:
        """The operators of the Program as it was written."""
        return self.program.main.ops


def chapter_of(name: str, form: Form, losses: Sequence[Loss] = ()) -> Chapter:
    """The chapter of a form that has run; raises ProgramError for one that has not."""
    compiled = form.compiled
    batches = batches_of_operators(compiled)
    origin = origins(form.program, compiled.program)
    of_written: dict[Operator, set[int]] = {o: set() for o in form.program.main.ops}
    for lowered, written in origin.items():
        of_written[written].update(batches[lowered])
    return Chapter(
        name,
        form.sizes,
        form.program,
        compiled.program,
        passes_of(form.program, form.sizes),
        form.explanation(),
        origin,
        batches | {o: sorted(numbers) for o, numbers in of_written.items()},
        codes_of(form),
        occupancy_of(compiled),
        tuple(losses),
    )


def origins(written: Program, lowered: Program) -> dict[Operator, Operator]:
    """For operators of the lowered Program the one of the written Program that they come from.

    That is the one whose result they define, or help to compute: names of values outlive passes.
    """
    named = {v.name: o for o in written.main.ops for v in o.results if v is not None}
    readers = readers_of_operators(lowered)
    found: dict[Operator, Operator] = {}
    for o in reversed(lowered.main.ops):
        own = [named[v.name] for v in o.results if v is not None and v.name in named]
        later = [found[r] for r in readers[o] if r in found]
        if own or later:
            found[o] = (own or later)[0]
    return found


def passes_of(program: Program, sizes: Mapping[str, int]) -> list[PassChange]:
    """What each pass does to the Program on its way to kernels, found by running them again."""
    concrete, _ = specialise(program, sizes)
    changes = []
    before = concrete.to_text()
    for one in PIPELINE:
        records: list[PassRecord] = []
        concrete = run_passes(concrete, [one], records)
        after = concrete.to_text()
        difference = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2)
        changes += [PassChange(r, list(difference)[2:]) for r in records]
        before = after
    return changes


def codes_of(form: Form) -> dict[int, Code]:
    """The texts of each batch of loops; equal LLVM IR is compiled to assembly once."""
    batches = form.compiled.batches
    irs = {n: found for n, batch in enumerate(batches) if (found := irs_of(batch))}
    texts = list(dict.fromkeys(text for found in irs.values() for text in found))
    with ThreadPoolExecutor(max_workers=cores()) as pool:
        assemblies = dict(zip(texts, pool.map(assembly, texts), strict=True))
    return {
        n: Code(
            "\n\n".join(loops_of(batches[n])),
            "\n".join(found),
            "\n".join(assemblies[text] for text in found),
        )
        for n, found in irs.items()
    }
