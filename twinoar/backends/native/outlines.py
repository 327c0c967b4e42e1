"""What a Program is compiled as where its sizes vary: few plans, for all sizes that they serve.

The names of sizes in a Program (feeds declared None) stay expressions while it is planned; a plan
serves all sizes for which its guards hold, see `twinoar.core.varying`, and is kept on disk for
other processes. Where a Program has no such plan, as where a branch decides or data gives shapes,
it is planned for each set of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from twinoar import config
from twinoar.backends.native import kept
from twinoar.backends.native.compiled import Compiled, Outline, outlined
from twinoar.backends.native.failure import refuse_unaddressable
from twinoar.backends.native.outline_text import kernels, parsed, printed
from twinoar.compile import pipeline
from twinoar.compile.specialise import dynamic_operator, specialise
from twinoar.compile.stages import Stages
from twinoar.compile.target import Target
from twinoar.core.ir.program import Program
from twinoar.core.report import is_reported
from twinoar.core.varying import Guards, LateQuestionError
from twinoar.errors import TwinoarError

MOST = 4  # plans of one Program: if others are asked for still, its sizes are better as numbers
LEAST_HINT = 2  # a single row is no example of many
Served = tuple[Outline, Compiled]


class Outlines:
    """The plans of a Program, the one that was used last first.

    identity: gives the Program's, None where it holds what is not of the compiler's own files.
    """

    def __init__(self, program: Program, target: Target, identity: Callable[[], str | None]):
        self.program, self.target, self._identity = program, target, identity
        self.found: list[Outline] = []
        self.varies = not any(o.blocks for o in program.main.ops)
        self._read = 0  # of those on disk
        self._planned = 0

    def serving(self, sizes: Mapping[str, int]) -> Served | None:
        """A plan with these sizes put in; None where they are to be planned as numbers alone."""
        if not sizes or not self.varies or min(sizes.values()) < 1:
            return None
        if config.passes or is_reported(kept.SHOWN):  # which expect, and print, numbers
            return None
        if self._identity() is None:  # rules of users' may look a number up in a table
            return None
        try:
            for outline in self.found:
                made = outline.compiled(sizes)
                if made is not None:
                    return self._used(outline, made)
            return self._served_by_kept(sizes) or self._served_by_new(sizes)
        except LateQuestionError:  # as a loop over time asks, whose body is planned for numbers
            self.varies = False
            return None

    def planned_as(self, found: Outline) -> Outline | None:
        """The plan that was found on the disk, made anew."""
        assert found.guards is not None
        outline = self._outlined(found.guards.hints)
        if outline is not None:
            outline.ways = found.ways
        return outline

    def _used(self, outline: Outline, made: Compiled) -> Served:
        self.found = [outline, *(o for o in self.found if o is not outline)]
        return outline, made

    def _key(self, number: int) -> str | None:
        return kept.key_of(self._identity(), self.target, {"": number})

    def _served_by_kept(self, sizes: Mapping[str, int]) -> Served | None:
        """The next on disk that serves."""
        while self._read < MOST:
            key = self._key(self._read)
            text = None if key is None else kept.get_text(key)
            codes = None if text is None else kept.handles_of(set(kernels(text)), self.program)
            if text is None or codes is None:
                return None
            self._read += 1
            outline = parsed(text, codes, self.target)
            made = outline.compiled(sizes)
            if made is not None:
                return self._used(outline, made)
        return None

    def _served_by_new(self, sizes: Mapping[str, int]) -> Served | None:
        """A new plan, with these sizes as hints."""
        if self._planned == MOST:
            return None
        outline = self._outlined({name: max(n, LEAST_HINT) for name, n in sizes.items()})
        made = None if outline is None else outline.compiled(sizes)
        if outline is None or made is None:
            return None
        self._planned += 1
        self._keep(outline)
        return self._used(outline, made)

    def _outlined(self, hints: Mapping[str, int]) -> Outline | None:
        guards, stages = Guards(hints), Stages()
        try:
            with stages.stage("specialise"):
                program, _ = specialise(self.program, guards.sizes)
            refuse_unaddressable(program)
            with stages.stage("passes"):
                pipeline.lower(program)
        except TwinoarError:  # such as sizes that only fit as numbers, which are tried next
            return None
        if dynamic_operator(program) is not None:
            self.varies = False
            return None
        return outlined(program, self.target, stages, guards=guards)

    def _keep(self, outline: Outline) -> None:
        key = self._key(self._read) if self._read < MOST else None
        text = None if key is None else printed(outline)
        if key is not None and text is not None:
            kept.put_text(key, text)
            self._read += 1
