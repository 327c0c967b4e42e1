"""A Program as one native call per step.

There is a Form for each set of sizes that feeds bring. Where sizes vary, few plans serve them all.
Feeds and states are bound by address. A state that the Program updates is written in place, unless
somebody else holds the array: then the run writes to a copy, and nobody's array changes under them.
"""

from __future__ import annotations

import sys
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from twinoar import config
from twinoar.backends.base import Arrays, Executable, HostCommand, Sort
from twinoar.backends.native import kept
from twinoar.backends.native.blocks import functions_of
from twinoar.backends.native.compiled import Compiled, Outline, compile_program, refuse_if_strict
from twinoar.backends.native.derived import Common, common_of
from twinoar.backends.native.failure import (
    plain,
    refuse_unaddressable,
    told_by,
    without_effects,
)
from twinoar.backends.native.instance import IndexOutside, Instance, nothing
from twinoar.backends.native.outlines import Outlines
from twinoar.backends.native.staged import OnHost, Stage, Staged
from twinoar.backends.numpy import NumpyExecutable, check_feed
from twinoar.backends.segments import Segment
from twinoar.compile import pipeline
from twinoar.compile.commands import Commands, Place, Value
from twinoar.compile.identity import identity
from twinoar.compile.specialise import dynamic_operator, specialise, states_read
from twinoar.compile.stages import Stages
from twinoar.compile.target import Target
from twinoar.core.interpreter import products_now
from twinoar.core.ir.program import Operator, Program, copy_program
from twinoar.core.memory_error import lack_of_memory
from twinoar.core.recent import make_room, now
from twinoar.core.report import is_reported, report
from twinoar.errors import ProgramError, TwinoarError
from twinoar.inspection.compilation import report_compilation, report_found
from twinoar.inspection.explain import Explanation, explained, host_commands
from twinoar.passes.pipeline import lower
from twinoar.runtime.allocator import SMALLEST_BYTES, Blank, Block

# References to a state's array that are ours: the Tensor or Scope that holds it, the caller's list
# and ours, the local variable, and the call that counts.
OURS = 5
NOTHING: Mapping[str, int] = {}
REPORTED_RUN = 3  # TWINOAR_DEBUG=2 prints the table after it


class NativeExecutable(Executable):
    """A Program compiled for the sizes that it meets; any number of threads may run it."""

    def __init__(self, program: Program, target: Target):
        self.program, self.target = program, target
        self.states = [s for s in states_read(program) if not s.is_constant]
        self.feed_names = [v.name for v in program.main.inputs]
        self.state_names = [s.name for s in self.states]
        self.updated_names = [s.name for s in program.updates]
        self.forms: dict[tuple[tuple[int, ...], ...], Form] = {}
        self.derived: dict[str, Common] = {}  # by derivation, for Forms of which it is the same
        self.outlines = Outlines(program, target, lambda: self._identity)
        self.lock = threading.Lock()

    @cached_property
    def _identity(self) -> str | None:
        return identity(self.program)

    def call(self, feeds: Arrays, states: Arrays) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Run once, by position; states are written in place where nobody else holds them."""
        one = self._asked()
        key = tuple([a.shape for a in feeds])
        form = one.forms.get(key)
        if form is None:
            form = one._form(feeds, key)
        form.used = now()
        return form.run(feeds, states)

    def _asked(self) -> NativeExecutable:
        """What runs the Program with products as exact as the Policy of now wants them."""
        if products_now() != "medium" or self.target.rounds:
            return self
        return self.rounding if self.target.multiplies_bfloat16 else self

    @cached_property
    def rounding(self) -> NativeExecutable:
        """What runs the same Program with operands of products rounded to bfloat16."""
        return NativeExecutable(self.program, self.target.rounding())

    def call_by_operator(
        self, feeds: Arrays, states: Arrays
    ) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Run once on NumPy, where each operator stands for itself."""
        by_name = dict(zip(self.state_names, states, strict=True))
        one = self._by_operator
        found, following = one.call(feeds, [by_name[name] for name in one.state_names])
        updated = dict(zip(one.updated_names, following, strict=True))
        return found, [updated[name] for name in self.updated_names]

    @cached_property
    def _by_operator(self) -> NumpyExecutable:
        return NumpyExecutable(lower(copy_program(self.program)[0]))

    def table(self, sort: Sort = "order") -> str:
        """What ran as what, for the sizes that were compiled last, as exact as is asked now."""
        forms = self._asked().forms
        if not forms:
            return "not compiled yet: that is done at the first run"
        return list(forms.values())[-1].explain(sort)

    def host_commands(self) -> list[HostCommand] | None:
        """What Python or NumPy runs, for the sizes that were compiled last."""
        forms = self._asked().forms
        return list(forms.values())[-1].host_commands() if forms else None

    def sized(self, feeds: Arrays, sizes: dict[str, int], most: int) -> Form | None:
        """What runs it on such feeds with sizes that they do not tell, too.

        None where `most` sets of numbers have a plan of their own, and these had none so far.
        """
        one = self._asked()
        key = (*[a.shape for a in feeds], tuple(sizes.values()))
        form = one.forms.get(key)
        if form is None:
            own = sum(f.outline is None for f in one.forms.values())
            if own >= most:
                return None
            form = one._form(feeds, key, sizes)
        form.used = now()
        return form

    def _form(
        self, feeds: Arrays, key: tuple[tuple[int, ...], ...], known: Mapping[str, int] = NOTHING
    ) -> Form:
        sizes = dict(known)
        for v, a in zip(self.program.main.inputs, feeds, strict=True):
            check_feed(v, a, sizes)
        with self.lock:
            if key not in self.forms:
                made = Form(
                    self.program,
                    self.target,
                    sizes,
                    self.state_names,
                    self._identity,
                    self.outlines,
                    self.derived,
                )
                make_room(self.forms, config.programs_kept)
                self.forms[key] = made
            return self.forms[key]


class Form:
    """A Program compiled for certain sizes, and the instances that run it."""

    def __init__(
        self,
        program: Program,
        target: Target,
        sizes: Mapping[str, int],
        state_names: Sequence[str],
        identity: str | None,
        outlines: Outlines,
        derived: dict[str, Common],
    ):
        self.program, self.sizes, self.state_names = program, sizes, state_names
        self.target, self.used, self.outlines = target, now(), outlines
        self.staged: Staged | None = None
        self.dynamic: Operator | None = None
        self.unreported = REPORTED_RUN
        self.free: list[Instance] = []
        started = time.perf_counter()
        outline, shared = outlines.serving(sizes) or (None, None)
        self.outline: Outline | None = outline
        key = None if shared is not None else kept.key_of(identity, target, sizes)
        found = None if key is None else kept.get(key, program)
        if outline is not None and shared is not None and not outline.has_loops:
            found = shared.commands, shared.handles
        if found is not None:
            commands, self.handles = found
            report_found(commands, sizes, time.perf_counter() - started)
        else:
            planned = shared or self._planned()
            if planned is None:
                return
            report_compilation(planned, sizes)
            self.compiled = planned
            commands, self.handles = planned.commands, planned.handles
            if key is not None:
                kept.put(key, commands)
        self.common = common_of(commands, self.handles, derived)
        self._bind(commands)

    def _planned(self) -> Compiled | None:
        """The Program compiled; None where data decides shapes, so that it runs in stages."""
        program, stages = self.program, Stages()
        try:
            with stages.stage("specialise"):
                concrete, _ = specialise(program, self.sizes)
            self.dynamic = dynamic_operator(concrete)
        except TwinoarError:  # sizes may belong to one side of a branch alone
            self.dynamic = next((o for o in program.main.ops if o.blocks), None)
            if self.dynamic is None:
                raise
            concrete, _ = copy_program(program)
        refuse_unaddressable(concrete)
        if self.dynamic is None:
            with stages.stage("passes"):
                pipeline.lower(concrete, self.target.rounds)
            self.dynamic = dynamic_operator(concrete)  # one in the body of another
        if self.dynamic is not None:
            self.staged = Staged(lower(concrete), self.sizes, self._stage)
            for o in self.staged.on_host:
                refuse_if_strict(o)
            return None
        compiled = compile_program(concrete, self.target, stages)
        make = partial(NativeExecutable, target=self.target)
        for part in compiled.hosted:
            part.functions = functions_of(part.step.operator, make)
        return compiled

    @cached_property
    def compiled(self) -> Compiled:
        """The plan, made anew where the Commands were found on the disk.

        Raises ProgramError where what is planned differs from what was found.
        """
        if self.outline is None:
            planned = self._planned()
        else:
            outline = self.outlines.planned_as(self.outline)
            planned = None if outline is None else outline.compiled(self.sizes)
        if planned is None or planned.commands != self.commands:
            raise ProgramError(
                f"what was kept of {self.program.name} on the disk is not what is planned now",
                cure="empty the folder that TWINOAR_CACHE_DIR names, and start again",
            )
        return planned

    def _bind(self, commands: Commands) -> None:
        """Note what goes in and out of a run, by place."""
        self.commands, state_names = commands, list(self.state_names)
        by_role: dict[str, list[tuple[int, Place]]] = {}
        for n, p in enumerate(commands.places):
            by_role.setdefault(p.role, []).append((n, p))
        self.feeds = [(n, p, p.spec.dtype.numpy) for n, p in by_role.get("feed", ())]
        # By position: the place of each state, and whether the run writes into it. Less those that
        # lowering found unused. Of those that are only read, and nothing is derived from, the
        # address is all that is kept: who holds such an array hinders others to write into it.
        states = {p.name: (n, p) for n, p in by_role.get("state", ())}
        found = [(k, *states[name]) for k, name in enumerate(state_names) if name in states]
        is_read = {n: not p.is_written and n not in commands.sources for _, n, p in found}
        self.states = [(k, n, p.is_written) for k, n, p in found if not is_read[n]]
        self.read = [(k, n) for k, n, _ in found if is_read[n]]
        # What becomes of each updated state: the array at a position, or a value.
        self.following = [
            (0, v) if isinstance(v, Value) else (state_names.index(name), None)
            for name, v in commands.updates.items()
        ]
        # The places of outputs that each run makes, and what makes an array for each.
        self.made = [(n, _blank(p)) for n, p in by_role.get("result", ())]
        # Of each output: which of what is made, or a value that lies elsewhere or is known.
        number = {n: k for k, (n, _) in enumerate(self.made)}
        self.outputs = [
            (number[x], None) if isinstance(x, int) else (None, x) for x in commands.outputs
        ]
        # What is there for one run alone.
        self.passing = [*((n, _blank(p)) for n, p, _ in self.feeds), *self.made]

    def run(self, feeds: Arrays, states: Arrays) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Run once on arrays in order."""
        if self.staged is not None:
            return self._run_by_name(self.staged, feeds, states)
        try:
            instance = self.free.pop()
        except IndexError:
            instance = self._instance()
        if instance.flights and not instance.is_usable:
            instance = self._instance()
        try:
            found = self._run_on(instance, feeds, states)
        except IndexOutside as error:
            raise self._explained(error, feeds, states) from None
        except MemoryError as error:
            raise self._lacking(error) from None
        finally:
            self.free.append(instance)
        if is_reported(2):
            self._report()
        return found

    def _run_on(
        self, instance: Instance, feeds: Arrays, states: Arrays
    ) -> tuple[list[np.ndarray], list[np.ndarray]]:
        bind, bound = instance.bind, instance.arrays
        for (place, p, dtype), array in zip(self.feeds, feeds, strict=True):
            if (
                array.__class__ is not np.ndarray
                or array.dtype is not dtype
                or not array.flags.c_contiguous
            ):
                check_feed(p, array, {})
                array = np.ascontiguousarray(array)
            bind(place, array)
        current = list(states)
        for k, place, is_written in self.states:
            array = states[k]
            if array is bound[place]:
                if not is_written or sys.getrefcount(array) <= OURS + 1:
                    continue
                array = current[k] = _copied(array)
            else:
                check_feed(self.commands.places[place], array, {})
                if is_written and (sys.getrefcount(array) > OURS or not _is_own(array)):
                    array = current[k] = _copied(array)
                elif not array.flags.c_contiguous:
                    array = current[k] = np.ascontiguousarray(array)
            bind(place, array)
        known = instance.known
        for k, place in self.read:
            array = states[k]
            if known[place]() is not array:
                check_feed(self.commands.places[place], array, {})
                if not array.flags.c_contiguous:
                    array = current[k] = np.ascontiguousarray(array)
                bind(place, array)
                bound[place] = None
                known[place] = weakref.ref(array)
        made = []
        for place, blank in self.made:
            array = blank.new()
            made.append(array)
            bind(place, array)
        instance.run()
        outputs = [made[k] if k is not None else self._output(s, instance) for k, s in self.outputs]
        following = [
            current[k] if v is None else np.array(instance.view(v)) for k, v in self.following
        ]
        self._forget(instance)
        return outputs, following

    def _forget(self, instance: Instance) -> None:
        """Hold no feed and no result longer than the run: they may be large."""
        bound = instance.arrays
        for place, _ in self.passing:
            bound[place] = None

    def _explained(self, error: IndexOutside, feeds: Arrays, states: Arrays) -> TwinoarError:
        """What NumPy's kernels raise, who know the data; less where that would call a user."""
        program, _ = copy_program(specialise(self.program, self.sizes)[0])
        if without_effects(program):
            try:
                self._run_by_name(NumpyExecutable(lower(program)), feeds, states)
            except TwinoarError as told:
                return told
        return plain(error, self.compiled)

    def _report(self) -> None:
        """Print what the runs are made of, once, when these are as fast as later ones."""
        self.unreported -= 1
        if self.unreported == 0:
            report(2, self.explain())

    def _lacking(self, error: MemoryError) -> TwinoarError:
        """That memory lacks, with the largest of what the Program keeps, and where it is made."""
        if isinstance(error, TwinoarError):
            return error
        largest = max(self.compiled.places, key=lambda s: s.bytes).variable
        lacking = lack_of_memory(error, [largest.spec])
        assert lacking is not None
        return told_by(lacking, largest)

    def _instance(self) -> Instance:
        try:
            instance = Instance(self.commands, self.handles, common=self.common)
        except MemoryError as error:
            raise self._lacking(error) from None
        for place, array in self.commands.constants.items():
            instance.bind(place, array)
        return instance

    @staticmethod
    def _output(s: object, instance: Instance) -> Any:
        """An output that no run makes: a copy of what lies elsewhere, or a value."""
        if isinstance(s, Value):
            s = instance.view(s)
        return None if s is None else np.array(s)

    def _run_by_name(
        self, one: NumpyExecutable | Staged, feeds: Arrays, states: Arrays
    ) -> tuple[list[np.ndarray], list[np.ndarray]]:
        by_name = dict(zip(self.state_names, states, strict=True))
        return one.call(feeds, [by_name[n] for n in one.state_names])

    def _stage(self, segment: Segment) -> Stage | OnHost:
        make = partial(NativeExecutable, target=self.target)
        return OnHost(segment, make) if segment.on_host else Stage(segment, make(segment.program))

    def explain(self, sort: Sort = "order") -> str:
        """A line per batch: what it computes, what it runs as, and how fast."""
        if self.staged is not None:
            return self.staged.explain(sort)
        return self.explanation().table(sort)

    def host_commands(self) -> list[HostCommand]:
        """What Python or NumPy runs."""
        if self.staged is not None:
            return self.staged.host_commands()
        return host_commands(self.compiled)

    def explanation(self) -> Explanation:
        """The batches with their times. Raises ProgramError before the first run."""
        if not self.free:
            raise ProgramError("nothing to explain: no run has ended", cure="run the Program first")
        instance = self.free.pop()
        # What else is read, as it was, where it is still there.
        read = [(n, _blank(self.commands.places[n]), instance.known[n]()) for _, n in self.read]
        for place, blank, array in [*((n, b, None) for n, b in self.passing), *read]:
            if array is None:
                array = blank.new()
                array.fill(0)
            instance.bind(place, array)
        try:
            return explained(self.compiled, instance)
        finally:
            self._forget(instance)
            for place, _, _ in read:
                instance.arrays[place], instance.known[place] = None, nothing
            self.free.append(instance)


def _blank(p: Place) -> Blank:
    return Blank(p.spec.shape, p.spec.dtype.numpy, p.order)  # type: ignore[arg-type]  # known sizes


def _is_own(array: np.ndarray) -> bool:
    """True for memory that no other array may have part in, and that vectors do not straddle."""
    base = array.base
    if array.nbytes >= SMALLEST_BYTES:
        # Of the references to the memory one is the array's, the others are ours.
        is_alone = isinstance(base, Block) and sys.getrefcount(base) <= 3
        return is_alone and array.flags.writeable
    return base is None and array.flags.writeable


def _copied(array: np.ndarray) -> np.ndarray:
    """A copy in memory of its own, as `_is_own` wants it."""
    copy = Blank(array.shape, array.dtype).new()
    copy[...] = array
    return copy
