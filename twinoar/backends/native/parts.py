"""What the steps of a Plan run as on this back end, and the commands that run them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from twinoar.backends.llvm import jit
from twinoar.backends.llvm.contraction.launch import Launch as Contracting
from twinoar.backends.llvm.contraction.launch import Memory
from twinoar.backends.llvm.contraction.streamed import is_of_few_rows
from twinoar.backends.llvm.emit import NAME, Emitted
from twinoar.backends.native import own_library
from twinoar.backends.native.blocks import Functions
from twinoar.backends.native.library import Execution
from twinoar.backends.native.named import NAMED, is_named, words_of
from twinoar.backends.onednn.recipe import recipe_text
from twinoar.compile.assemble import Assembler
from twinoar.compile.commands import (
    Block,
    Call,
    Checked,
    Command,
    Host,
    Kernel,
    Launch,
    Span,
    Unless,
)
from twinoar.compile.part import Part, Temporary
from twinoar.compile.pipeline import CallStep, KernelStep, Step
from twinoar.compile.storage import Storage, View
from twinoar.compile.work import elements_read
from twinoar.core.ir.program import Operator
from twinoar.core.loop.expression import Expr, walk
from twinoar.core.varying import greater
from twinoar.late import dataclass

if TYPE_CHECKING:
    from twinoar.backends.native.compiled import Compiled

GRAIN = 16  # rows of a vector
SERIAL = 30_000  # elements times the cost of one: less is not divided among threads
LLVM, LIBRARY, HOST = "llvm", "onednn", "host"  # kinds of kernels


class Alone:
    """What most parts are: nothing to split off, no memory of their own, a command of their own."""

    joins: ClassVar[str] = ""
    can_fail: ClassVar[bool] = False
    follows_checks: ClassVar[bool] = False
    may_settle: ClassVar[bool] = True
    bodies: Mapping[str, Compiled] = {}
    step: Step

    def split(self, is_fixed: Callable[[Storage], bool]) -> tuple[list[Part], Part]:
        """Nothing, and all."""
        return [], self  # type: ignore[return-value]  # those derived from it are Parts

    def temporaries(self) -> Iterable[Temporary]:
        """None."""
        return ()

    def packed(self) -> Iterable[Temporary]:
        """None."""
        return ()


def work_of(step: KernelStep) -> int:
    """About how long a kernel takes, in elements copied."""
    kernel = step.kernel
    cost = 1 + sum(
        8 if e.kind == "call" else 2 if e.kind in ("div", "sqrt") else 0
        for e in walk(*kernel.expressions)
    )
    read = sum(elements_read(kernel.expressions).values())
    most: int = greater(step.nest.work, read)
    return most * cost


@dataclass(frozen=True)
class KernelCode:
    """A kernel as it is compiled, and what its launches depend on.

    places, numbers: what its block of arguments holds. checks: the indices that it checks. rows:
    its iterations. work: about how long these take, see `work_of`. divisible: they are independent.
    grain: those of a vector, where rows are vectorised.
    """

    kernel: Kernel
    code: jit.Code
    places: tuple[int, ...]
    numbers: tuple[int, ...]
    checks: tuple[Expr, ...]
    rows: int
    work: int
    divisible: bool
    grain: int


def kernel_code(step: KernelStep, emitted: Emitted, code: jit.Code) -> KernelCode:
    """The kernel of a step."""
    adds = any(r.combine for r in step.kernel.roots)
    return KernelCode(
        _of_code(code, NAME, emitted.polls),
        code,
        emitted.places,
        emitted.numbers,
        emitted.checks,
        step.nest.row.size,
        work_of(step),
        divisible=not adds,
        grain=1 if step.kernel.columns else GRAIN,
    )


@dataclass
class KernelPart(Alone):
    """A kernel, ready to run."""

    step: KernelStep
    made: KernelCode

    @property
    def checks(self) -> tuple[Expr, ...]:
        """The indices that it checks."""
        return self.made.checks

    @property
    def can_fail(self) -> bool:  # type: ignore[override]
        """True where it checks indices."""
        return bool(self.made.checks)

    @property
    def joins(self) -> str:  # type: ignore[override]
        """Its code, if rows are independent, so that they may be divided anyhow."""
        return self.made.kernel.source if self.made.divisible else ""

    def commands(self, others: Sequence[KernelPart], into: Assembler) -> list[Command]:
        """One launch of all."""
        parts = [self, *others]
        grain = self.made.grain
        blocks = tuple([p._block(into) for p in parts])
        kernel = into.kernel(self.made.code, self.made.kernel)
        at_once = sum(p.made.work for p in parts) > SERIAL and any(b.size > grain for b in blocks)
        return [Launch(kernel, blocks, into.target.threads, grain, at_once)]

    def _block(self, into: Assembler) -> Block:
        flags: Span | int = 0
        if self.checks:
            sizes, names = zip(*((e.args[1], e.args[2]) for e in self.checks), strict=True)
            flags = into.flags(self, Checked(names, sizes))
        spans = [into.span(into.by_place[place]) for place in self.made.places]
        return Block((*spans, flags, *self.made.numbers), self.made.rows)


@dataclass
class LibraryPart(Alone):
    """A call of oneDNN. kept: the runs that pack weights when these are bound."""

    step: CallStep
    runs: list[Execution]
    kept: list[Execution]

    def split(self, is_fixed: Callable[[Storage], bool]) -> tuple[list[Part], Part]:
        """What packs values that follow from weights, and the rest."""
        packing: list[Part] = []
        rest, reads = [], list(self.step.reads)
        for run in self.runs:
            is_packing = run.packs is not None and run not in self.kept
            source = run.arguments["src"].home if is_packing else None
            if isinstance(source, Storage) and is_fixed(source):
                step = replace(self.step, reads=[source], writes=[])
                packing.append(LibraryPart(step, [run], []))
                reads.remove(source)
            else:
                rest.append(run)
        return packing, replace(self, step=replace(self.step, reads=reads), runs=rest)

    def temporaries(self) -> Iterable[Temporary]:
        """What is packed, and what primitives need."""
        pieces = (piece for run in self.runs for piece in run.arguments.values())
        return [p.home for p in pieces if isinstance(p.home, Temporary)]

    def packed(self) -> Iterable[Temporary]:
        """The packed weights."""
        homes = (run.arguments["dst"].home for run in self.kept)
        return [h for h in homes if isinstance(h, Temporary)]

    def commands(self, others: Sequence[LibraryPart], into: Assembler) -> list[Command]:
        """The primitives in order; those that pack weights run when these are bound."""
        found: list[Command] = []
        for run in self.runs:
            source = recipe_text(run.primitive)
            kernel = into.kernel(run.primitive, Kernel(LIBRARY, run.primitive.function, source))
            spans = [
                (name, into.span(p.home, p.offset, _size(p.home, p.offset)))
                for name, p in run.arguments.items()
            ]
            call = Call(kernel, tuple(spans))
            if run in self.kept:
                place = into.place_of(run.packs)
                assert place is not None
                into.packing.setdefault(place, []).append(call)
            else:
                found.append(call)
        return found


@dataclass
class TiledPart(Alone):
    """A sum of products in loops of our own."""

    step: CallStep
    launches: list[Contracting]

    @property
    def joins(self) -> str:  # type: ignore[override]
        """Its code, if that reads a matrix once for few rows, whose columns are independent."""
        if len(self.launches) != 1 or not is_of_few_rows(self.launches[0]):
            return ""
        return jit.key(self.launches[0].code.text)

    def split(self, is_fixed: Callable[[Storage], bool]) -> tuple[list[Part], Part]:
        """What packs fixed values into panels, and the rest."""
        packing: list[Part] = []
        rest = []
        for launch in self.launches:
            packed = own_library.packs(launch)
            if packed is not None and is_fixed(packed):
                packing.append(TiledPart(replace(self.step, reads=[packed], writes=[]), [launch]))
            else:
                rest.append(launch)
        return packing, TiledPart(self.step, rest)

    def temporaries(self) -> Iterable[Temporary]:
        """Panels, and what is computed elsewhere first."""
        memories = (m for launch in self.launches for m in launch.memories.values())
        return [m.home for m in memories if isinstance(m.home, Temporary)]

    def commands(self, others: Sequence[TiledPart], into: Assembler) -> list[Command]:
        """The launches in order; those that are joined as one."""
        if others:
            return [_launched([x for p in (self, *others) for x in p.launches], into)]
        return [_launched([launch], into) for launch in self.launches]


@dataclass
class HostPart(Alone):
    """A call of an operator's NumPy kernel. functions: what it calls for the operator's blocks.

    reason: why its blocks are not commands.
    """

    step: CallStep
    functions: Functions = field(default_factory=dict)
    reason: str = ""
    can_fail: ClassVar[bool] = True
    follows_checks: ClassVar[bool] = True
    may_settle: ClassVar[bool] = False

    def commands(self, others: Sequence[HostPart], into: Assembler) -> list[Command]:
        """The call."""
        return [self.command(into)]

    def command(self, into: Assembler) -> Host:
        """The call."""
        kernel = into.kernel(self, self._kernel(into))
        operands = [into.value(x) if isinstance(x, View) else None for x in self.step.operands]
        known = (s if s is None or s in into.homes else None for s in self.step.writes)
        results = [None if s is None else into.value(s) for s in known]
        return Host(kernel, tuple(operands), tuple(results))

    def _kernel(self, into: Assembler) -> Kernel:
        """What it is to other processes, or to this one alone."""
        o, given = self.step.operator, self.step.operands
        if is_named(o) and all(isinstance(x, View) for x in given):
            number = sum(k.kind == NAMED for k in into.kernels)
            return Kernel(NAMED, o.op.name, words_of(o, len(given), number))
        named = " ".join(v.name for v in o.results if v is not None)
        program = into.planned.program
        source = f"{program.name} {program.main.ops.index(o)} {named}"
        return Kernel(HOST, o.op.name, source)


@dataclass
class UnlessPart(Alone):
    """A call of a NumPy kernel that does nothing while an operand of its operator is true."""

    step: CallStep
    can_fail: ClassVar[bool] = True
    follows_checks: ClassVar[bool] = True
    may_settle: ClassVar[bool] = False

    def commands(self, others: Sequence[UnlessPart], into: Assembler) -> list[Command]:
        """A look at the operand, and the call."""
        op = self.step.operator.op
        names = [x.name for x in op.operands]
        condition = self.step.operands[names.index(op.rules["unless"])]
        if isinstance(condition, View):
            span = into.span(condition.base, condition.offset, 1)
        else:
            span = into.table(np.array([bool(condition)]))._replace(size=1)
        return [Unless(span, HostPart(self.step).command(into))]


def is_rare(o: Operator) -> bool:
    """True for what only runs where something fails."""
    return "unless" in o.op.rules


def _of_code(code: jit.Code, name: str, polls: bool = False) -> Kernel:
    return Kernel(LLVM, name, jit.key(code.text), polls)


def _launched(launches: Sequence[Contracting], into: Assembler) -> Launch:
    """Launches of one kernel as a command."""
    first = launches[0]
    kernel = into.kernel(first.code, _of_code(first.code, first.name))
    blocks = [Block(tuple([_word(word, into) for word in x.words]), x.iterations) for x in launches]
    is_parallel = any(x.is_parallel for x in launches)
    return Launch(kernel, tuple(blocks), into.target.threads if is_parallel else 1)


def _word(word: Memory | np.ndarray | int, into: Assembler) -> Span | int:
    """A word of a contraction's arguments."""
    if isinstance(word, Memory):
        assert isinstance(word.home, (Storage, Temporary))
        return into.span(word.home, word.offset, _size(word.home, word.offset))
    return into.table(word) if isinstance(word, np.ndarray) else int(word)


def _size(home: Storage | Temporary, offset: int) -> int:
    return max(0, home.bytes - offset)
