"""Whether a model that was saved computes what its Python code does: it is run beside it.

The inputs are those of earlier calls, and generated ones: several sizes, kinds of numbers, and a
search for what reaches each side of each `if` and several numbers of iterations of each loop. What
the search does not reach is told. Saving is for inference, so the Layers are in eval mode and
dropout is off; what draws random numbers is held to shapes and dtypes alone.
"""

from __future__ import annotations

import io
import logging
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, redirect_stdout
from typing import Any

import numpy as np

from twinoar import config
from twinoar.autograd.api import no_grad
from twinoar.backends.numpy import compile_numpy
from twinoar.core.device import to_host
from twinoar.core.interpreter import using
from twinoar.core.ir.program import Operator, Program, Variable, copy_program
from twinoar.core.policy import Policy
from twinoar.core.tree import flatten
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, TwinoarError, VerificationError
from twinoar.export.entry_point import EntryPoint
from twinoar.export.inference import layers_of
from twinoar.export.loaded import LoadedModel
from twinoar.export.proof import Proof, Sample, shapes
from twinoar.export.samples import Samples
from twinoar.export.sensitivity import is_rounding, spreads
from twinoar.jit.compare import difference, gap
from twinoar.jit.kept import array_of, in_eval_mode, layers_met, undone
from twinoar.jit.recording import (
    Inference,
    OutOfTime,
    Parting,
    Record,
    Recorder,
    Walk,
    first_parting,
)
from twinoar.jit.snapshot import same
from twinoar.jit.switch import unconverted
from twinoar.jit.tracing import Trace
from twinoar.late import dataclass
from twinoar.passes.pipeline import lower

log = logging.getLogger("twinoar.jit")

TRIALS = 400
UNTIL_ONE_FITS = 60
PATIENCE = 3  # runs that take too long before one does not, where somebody insists
SLOWER = 20  # times that a run may take longer than one before
SHORTEST = 0.1  # seconds that any run may take
CASES = {"then": (1,), "orelse": (1,), "body": (0, 1, Walk.MANY)}
SIDES = {
    ("then", 1): "the condition never held",
    ("orelse", 1): "the condition always held",
    ("body", 0): "the loop always made an iteration",
    ("body", 1): "the loop never made just one iteration",
    ("body", Walk.MANY): "the loop never made several iterations",
}


@dataclass(frozen=True)
class Limits:
    """How long one run may take, and the search for further inputs, in seconds.

    always: generated inputs that are compared whether they reach anything new or not. compiled:
    operators of the longest Program that is compiled for it.
    """

    run: float
    search: float
    always: int
    compiled: float
    insists: bool


AUTOMATIC, INSISTING = Limits(0.3, 0.3, 8, 100, False), Limits(20.0, 2.0, 48, math.inf, True)


class NotPossible(Exception):
    """A proof that cannot be given, and why."""


def prove(
    parts: Sequence[tuple[EntryPoint, Trace, Program]], loaded: LoadedModel, insists: bool
) -> Proof | None:
    """Compare each entry point with what was saved of it.

    insists: take the time that it takes, and raise ArgumentError where no inputs can be made.
    Returns None where it would take long, or cannot be done, and nobody insists. Raises
    VerificationError where results differ.
    """
    started = time.perf_counter()
    proof = Proof()
    for entry, trace, program in parts:
        limits = INSISTING if insists else AUTOMATIC
        comparison = Comparison(entry, trace, program, loaded, limits)
        try:
            with redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
                with config.override(backend="numpy"):  # no kernel is compiled for a few runs
                    proof.samples[entry.name] = comparison.samples()
                comparison.compare_compiled()
        except NotPossible as reason:
            if insists:
                raise ArgumentError(
                    f"{entry.name} cannot be verified: {reason}",
                    cure="call it once before, so that inputs are known; or pass verify=False",
                ) from None
            log.info("%s is saved without being verified: %s", entry.name, reason)
            return None
        proof.unreached += comparison.unreached()
        proof.notes += comparison.notes()
    proof.seconds = time.perf_counter() - started
    log.info("%s", proof)
    return proof


class Comparison:
    """One entry point: plain Python, the Program traced of it, and what was saved."""

    def __init__(
        self,
        entry: EntryPoint,
        trace: Trace,
        program: Program,
        loaded: LoadedModel,
        limits: Limits,
    ):
        self.entry, self.trace, self.loaded, self.limits = entry, trace, loaded, limits
        self.walk = Walk(program, array_of)
        saved, _ = copy_program(loaded.program(entry.name))
        self.oracle = compile_numpy(lower(saved))
        self.layers = [*layers_of(entry), *layers_met(trace)]
        self.reached: set[tuple[Operator, str, int]] = set()
        self.drawn = drawn_outputs(program)
        self.count = len(program.main.outputs)
        self.kept: list[Sample] = []
        self.moved: dict[int, float] = {}  # results that rounding decides, and by how much
        self.patience = limits.run  # seconds for one run; less once one is known to take less

    def samples(self) -> list[Sample]:
        """Compare on one input after the other. Raises NotPossible, VerificationError."""
        started = time.perf_counter()
        refused: BaseException | None = None
        timeouts = 0
        for number, inputs in enumerate(self._inputs()):
            elapsed = time.perf_counter() - started
            is_wanted = number < self.limits.always
            is_over = elapsed > self.limits.search or (not is_wanted and self._is_complete())
            if number >= TRIALS or (is_over and (self.kept or number >= UNTIL_ONE_FITS)):
                break
            try:
                sample = self._sample(inputs, is_wanted)
            except OutOfTime:
                timeouts += 1
                if not self.kept and timeouts >= (PATIENCE if self.limits.insists else 1):
                    raise NotPossible(f"one run takes over {self.patience} s") from None
                continue
            except Refused as reason:
                refused = reason.__cause__
                continue
            if sample is not None:
                self.kept.append(sample)
        if not self.kept:
            raise NotPossible(f"it takes none of the inputs that were tried: {refused}")
        return self.kept

    def _inputs(self) -> Iterator[list[np.ndarray]]:
        for arrays in self.entry.examples():
            if all(map(fits, arrays, self.walk.program.main.inputs)):
                yield arrays
        samples = Samples(self.walk.program, self.entry.constants())
        yield from samples.first()
        if not self.kept:
            yield from samples.larger()
        yield from samples.random()

    def _sample(self, inputs: list[np.ndarray], is_wanted: bool) -> Sample | None:
        """Compare on these inputs; None where they reach nothing new. Raises Refused, OutOfTime."""
        failure: BaseException | None = None
        walked: list[np.ndarray] = []
        started = time.perf_counter()
        try:
            walked = self.walk.run(inputs, self._record())
        except (Exception, OutOfTime) as error:
            failure = error
        new = self.walk.reached - self.reached
        if not (is_wanted or new):
            return None
        then = time.perf_counter()
        try:
            wanted = self._python(inputs, self._record())
        except Exception as error:
            raise Refused from error
        now = time.perf_counter()
        if isinstance(failure, OutOfTime):
            walked = self._long_run(inputs, now - then)
        elif failure is not None:
            raise self._failing(failure, inputs)
        self.patience = min(self.patience, max(SHORTEST, SLOWER * (now - started)))
        self.reached |= new
        if not self._agree(walked, wanted):
            raise self._parting(inputs, walked, wanted)
        outputs, following = self.oracle.execute(inputs, self._states())
        by_name = dict(zip(self.oracle.updated_names, following, strict=True))
        saved = [*outputs, *(by_name[s.name] for s in self.walk.program.updates)]
        unlike = self._unlike(inputs, saved, wanted)
        if unlike is None:
            raise self._changed_by_saving(inputs, saved, wanted)
        left_out = [is_drawn or n in unlike for n, is_drawn in enumerate(self.drawn)]
        pairs = zip(left_out[: self.count], wanted, strict=False)
        return Sample(inputs, [None if is_left_out else x for is_left_out, x in pairs])

    def _long_run(self, inputs: list[np.ndarray], python: float) -> list[np.ndarray]:
        """The Program's results where Python had its own soon: it is slow, or has no end.

        Raises OutOfTime where nobody insists on knowing, VerificationError where it goes on.
        """
        if not self.limits.insists:
            raise OutOfTime
        limit = time.perf_counter() + self.limits.run
        try:
            return self.walk.run(inputs, Record(limit))
        except OutOfTime:
            raise VerificationError(
                f"the Program of {self.entry.name} takes over {self.limits.run} s on inputs "
                f"{shapes(inputs)}, and the Python function {python:.3f} s"
            ) from None

    def _record(self, keeps: bool = False) -> Record:
        return Record(time.perf_counter() + self.patience, keeps)

    def _python(self, inputs: list[np.ndarray], record: Record) -> list[np.ndarray]:
        """What plain Python returns, in the places of the Program's outputs, and its new states."""
        args, kwargs = self.entry.arguments([Tensor(a.copy()) for a in inputs])
        states = [s.data for s in self.trace.program.states.values()]
        with ExitStack() as stack:
            stack.enter_context(undone(self.entry.plain, self.layers, states))
            stack.enter_context(in_eval_mode(self.layers))
            stack.enter_context(unconverted())
            stack.enter_context(using(Inference(Policy(observers=(Recorder(record),)))))
            leaves, structure = flatten(self.entry.plain(*args, **kwargs))
            outputs = outputs_of(leaves, structure, self.trace, self.entry.name)
            return [*outputs, *(to_host(s.data._data) for s in self.walk.program.updates)]

    def _states(self) -> list[np.ndarray]:
        states = self.loaded.program(self.entry.name).states
        return [to_host(states[name].data._data) for name in self.oracle.state_names]

    def _agree(self, found: Sequence[np.ndarray], wanted: Sequence[np.ndarray]) -> bool:
        """True for the same outputs; of those that random numbers decide, shape and dtype."""
        if len(found) != len(wanted):
            return False
        return all(
            (a.shape == b.shape and a.dtype == b.dtype) if is_drawn else gap(a, b) <= 1
            for a, b, is_drawn in zip(found, wanted, self.drawn, strict=False)
        )

    def _unlike(
        self, inputs: list[np.ndarray], found: Sequence[np.ndarray], wanted: Sequence[np.ndarray]
    ) -> set[int] | None:
        """Which results differ, and by what rounding does to these; None where one does by more.

        The Program has been found to be that of Python: what is compared is another order in which
        it is computed.
        """
        if self._agree(found, wanted):
            return set()
        unlike = {n for n, pair in enumerate(zip(found, wanted, strict=False)) if gap(*pair) > 1}
        unlike -= {n for n, is_drawn in enumerate(self.drawn) if is_drawn}
        try:
            moved = spreads(self.walk.program, array_of, inputs, self._long_record)
        except (Exception, OutOfTime):
            return None
        if moved is None or len(found) != len(wanted):
            return None
        if not all(is_rounding(found[n], wanted[n], moved[n]) for n in unlike):
            return None
        for n in unlike:
            self.moved[n] = max(self.moved.get(n, 0.0), float(moved[n].max()))
        return unlike

    def _long_record(self) -> Record:
        return Record(time.perf_counter() + self.limits.run)

    def compare_compiled(self) -> None:
        """Run the loaded model on the first inputs as users will: compiled."""
        sample = self.kept[0]
        is_long = sum(1 for _ in self.walk.program.main.walk()) > self.limits.compiled
        if any(self.drawn) or is_long:
            return
        states = self.loaded.tensors
        try:
            with undone(self.entry.plain, [], states), no_grad():
                out = self.loaded.methods[self.entry.name](*map(Tensor, sample.inputs))
        except TwinoarError as error:
            raise self._failing(error, sample.inputs) from error
        found = [to_host(x._data) for x in (out if isinstance(out, list) else [out])]
        # What rounding decides has been compared, and is left out here.
        pairs = zip(found, sample.outputs, strict=False)
        wanted = [x if y is None else y for x, y in pairs]
        fits_in_number = len(found) == len(sample.outputs)
        if not fits_in_number or self._unlike(sample.inputs, found, wanted) is None:
            raise VerificationError(
                f"{self.entry.name} gives {_first_difference(found, wanted)} when the saved model "
                "is compiled; its Program is right",
                cure="please report it; TWINOAR_BACKEND=numpy runs it right",
            )

    def _is_complete(self) -> bool:
        return not self._missing()

    def _missing(self) -> list[tuple[Operator, str, int]]:
        return [
            (o, name, count)
            for o in self.walk.program.main.walk()
            for name in o.blocks
            for count in CASES.get(name, ())
            if (o, name, count) not in self.reached
        ]

    def unreached(self) -> list[str]:
        """What no input reached, in words."""
        return list(
            dict.fromkeys(f"{o.source}: {SIDES[name, n]}" for o, name, n in self._missing())
        )

    def notes(self) -> list[str]:
        """What the comparison leaves out."""
        found = []
        off = [o for o in self.trace.program.main.walk() if o.attrs.get("training")]
        if off:
            found.append(
                f"saved for inference: {off[0].op.name} at {off[0].source} is switched off"
            )
        if any(self.drawn):
            found.append("outputs that random numbers decide are compared in shape and dtype alone")
        for n, size in sorted(self.moved.items()):
            found.append(f"rounding decides output {n}: it alone moves it by as much as {size:.2g}")
        if self.trace.changes:
            found.append("what the function assigns to Python's objects is not part of the model")
        return found

    def _failing(self, failure: BaseException, inputs: list[np.ndarray]) -> Exception:
        """The Program raises what plain Python does not."""
        error = VerificationError(
            f"the Program of {self.entry.name} fails where the Python function does not, on inputs "
            f"{shapes(inputs)}: {getattr(failure, 'message', failure)}",
            cure="declare in the InputSpec the sizes that it is for; verify=False saves it so",
        )
        if isinstance(failure, TwinoarError):
            error.attach(failure.operator or "", failure.operands, failure.source)
        return error

    def _parting(self, inputs: list, found: Sequence, wanted: Sequence) -> Exception:
        """The Program computes another result than plain Python; says where."""
        record, program = self._record(True), self._record(True)
        self._python(inputs, record)
        self.walk.run(inputs, program)
        parting = first_parting(program.events, record.events)
        return differing(
            f"the Program of {self.entry.name} gives {_first_difference(found, wanted)} on inputs "
            f"{shapes(inputs)}",
            parting,
        )

    def _changed_by_saving(self, inputs: list, found: Sequence, wanted: Sequence) -> Exception:
        """What was read back computes another result than the Program that was written."""
        written, read = self._record(True), self._record(True)
        self.walk.run(inputs, written)
        saved = self.loaded.program(self.entry.name)
        Walk(saved, lambda s: np.asarray(s.data) if s.is_constant else to_host(s.data._data)).run(
            inputs, read
        )
        return differing(
            f"{self.entry.name} gives {_first_difference(found, wanted)} when it has been saved "
            f"and read back, on inputs {shapes(inputs)}",
            first_parting(read.events, written.events, by_line=False),
        )


class Refused(Exception):
    """Inputs that the function itself does not take."""


def outputs_of(leaves: list, structure: Any, trace: Trace, name: str) -> list[np.ndarray]:
    """What plain Python returned, in the places of the Program's outputs.

    Raises VerificationError where it returned another structure, or another plain value.
    """
    if structure != trace.structure:
        raise VerificationError(
            f"{name} returns the structure {structure}, its Program {trace.structure}"
        )
    found = []
    for leaf, traced in zip(leaves, trace.leaves, strict=True):
        if isinstance(traced, Variable):
            found.append(np.asarray(to_host(leaf._data) if isinstance(leaf, Tensor) else leaf))
        elif not same(leaf, traced):
            raise VerificationError(f"{name} returns {leaf!r}, its Program {traced!r}")
    return found


def drawn_outputs(program: Program) -> list[bool]:
    """For each output, then each new value of a state, whether a random number decides it."""
    drawn: set[Variable] = set()
    for o in program.main.ops:
        if any(x in drawn for x in o.operands if isinstance(x, Variable)) or _draws(o):
            drawn.update(v for v in o.results if v is not None)
    results = [*program.main.outputs, *program.updates.values()]
    return [isinstance(v, Variable) and v in drawn for v in results]


def _draws(o: Operator) -> bool:
    """True for an operator that has a key of random numbers, itself or in its blocks."""
    names = o.op.operand_names(len(o.operands))
    if any(n == "key" and x is not None for n, x in zip(names, o.operands, strict=True)):
        return True
    return any(_draws(inner) for block in o.blocks.values() for inner in block.walk())


def fits(array: np.ndarray, v: Variable) -> bool:
    """True if `array` is one that the input takes, as far as it alone tells."""
    shape = v.spec.shape
    return (
        array.dtype == v.spec.dtype.numpy
        and len(shape) == array.ndim
        and all(not isinstance(d, int) or d == n for d, n in zip(shape, array.shape, strict=True))
    )


def differing(message: str, parting: Parting | None) -> VerificationError:
    """The error for results that differ, with the first operator that makes the difference."""
    if parting is None:
        return VerificationError(f"{message}; no operator differs")
    error = VerificationError(f"{message}; the first difference: {parting.what}")
    error.attach(parting.where, (), parting.source)
    return error


def _first_difference(found: Sequence[np.ndarray], wanted: Sequence[np.ndarray]) -> str:
    """The first output that differs, in words."""
    if len(found) != len(wanted):
        return f"{len(found)} results, not {len(wanted)},"
    pairs = zip(found, wanted, strict=True)
    return next((difference(a, b) for a, b in pairs if gap(a, b) > 1), "another result")
