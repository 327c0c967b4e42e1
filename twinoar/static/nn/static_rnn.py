"""StaticRNN: a network over time whose step is written once, in a `with` block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from twinoar.core.dim import differ
from twinoar.core.interpreter import current, using
from twinoar.core.ir.builder import Builder, replay
from twinoar.core.ir.program import Variable
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, ProgramError, ShapeError
from twinoar.ops.control.through_time import through_time
from twinoar.ops.math.fill import fill
from twinoar.static.nn.parameter import check_variable


@dataclass
class _Memory:
    """A value that goes from one step to the next: its start, and what a step makes of it."""

    start: Any
    following: Any = None


class StaticRNN:
    """A recurrent network in a Program: what stands in `with rnn.step()` is done at every step.

    They are one operator of the Program, `over_time`. A call returns what `output` named, [time,*]
    each: a Variable, or a list of several.
    Raises ProgramError where a method is used outside of the block, or the call inside.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     x = static.data("x", [5, 2, 3])
    ...     rnn = static.nn.StaticRNN()
    ...     with rnn.step():
    ...         now = rnn.step_input(x)
    ...         sum_so_far = rnn.memory(shape=[-1, 3], batch_ref=now)
    ...         rnn.update_memory(sum_so_far, sum_so_far + now)
    ...         rnn.output(sum_so_far)
    ...     print(rnn().shape)
    [5, 2, 3]
    """

    def __init__(self, name: str | None = None):
        self._outside: Builder | None = None
        self._inside: Builder | None = None
        self._sequences: dict[Variable, Any] = {}  # a step's input -> the sequence
        self._memories: dict[Variable, _Memory] = {}
        self._outputs: list[Variable] = []
        self._results: list[Any] | None = None

    @contextmanager
    def step(self) -> Iterator[None]:
        """The block in which one step is written."""
        builder = current()
        if builder.runs:
            raise ProgramError(
                "StaticRNN adds to a Program, and none is being built",
                cure="call enable_static() first, or write a loop",
            )
        if self._outside is not None:
            raise ProgramError("a StaticRNN has one step block", cure="make another StaticRNN")
        self._outside = builder
        with builder.nested() as inner:
            self._inside = inner
            yield
        self._inside = None
        self._check(inner)
        self._results = self._run(inner)

    def step_input(self, x: Any) -> Variable:
        """What a step sees of the sequence x [time,*]: [*].

        Raises ShapeError where another sequence has another number of steps.
        """
        check_variable(x, "step_input")
        if x.ndim < 1:
            raise ShapeError(f"a sequence has a dimension of time, received {x.spec}")
        for other in self._sequences.values():
            if differ(other.spec.shape[0], x.spec.shape[0]):
                raise ShapeError(
                    f"all sequences have the same number of steps, received {other.spec} "
                    f"and {x.spec}",
                    cure="time is the first dimension: transpose [batch, time, ...]",
                )
        spec = Spec(x.spec.shape[1:], x.dtype)
        found = self._block().add_input(spec, stop_gradient=x.stop_gradient)
        self._sequences[found] = x
        return found

    def memory(
        self,
        init: Any = None,
        shape: Any = None,
        batch_ref: Any = None,
        init_value: float = 0.0,
        init_batch_dim_idx: int = 0,
        ref_batch_dim_idx: int = 1,
    ) -> Variable:
        """A value that goes from one step to the next by `update_memory`.

        It starts with init, or with init_value in `shape`, whose size init_batch_dim_idx is that of
        batch_ref along ref_batch_dim_idx; for a step's input that is the whole sequence. Raises
        ArgumentError where neither is given.
        """
        block = self._block()
        if init is None:
            if shape is None or batch_ref is None:
                raise ArgumentError(
                    "a memory needs init, or shape and batch_ref", cure="give the first value"
                )
            check_variable(batch_ref, "memory")
            sizes: list[Any] = list(shape)
            reference = self._sequences.get(batch_ref, batch_ref)
            sizes[init_batch_dim_idx] = reference.spec.shape[ref_batch_dim_idx]
            with using(self._outside):
                init = fill(sizes, init_value, reference.dtype)
        check_variable(init, "memory")
        found = block.add_input(init.spec, stop_gradient=False)
        self._memories[found] = _Memory(init)
        return found

    def update_memory(self, mem: Variable, var: Any) -> None:
        """Let `var` be `mem` at the next step. Raises ArgumentError where mem is no memory."""
        self._block()
        if mem not in self._memories:
            raise ArgumentError("mem must be what memory() returned", cure="rnn.memory(...)")
        check_variable(var, "update_memory")
        self._memories[mem].following = var

    def step_output(self, o: Any) -> None:
        """Collect `o` of every step."""
        self._block()
        check_variable(o, "step_output")
        self._outputs.append(o)

    def output(self, *outputs: Any) -> None:
        """Collect each of `outputs` of every step."""
        for o in outputs:
            self.step_output(o)

    def __call__(self) -> Any:
        if self._results is None:
            raise ProgramError(
                "a StaticRNN has results after its step block", cure="leave `with rnn.step()` first"
            )
        return self._results[0] if len(self._results) == 1 else list(self._results)

    def _block(self) -> Any:
        if self._inside is None:
            raise ProgramError(
                "steps are written in the step block", cure="write it in `with rnn.step():`"
            )
        return self._inside.block

    def _check(self, inner: Builder) -> None:
        if not self._sequences or not self._outputs:
            raise ArgumentError(
                "a StaticRNN needs a step_input and an output", cure="name them in the step block"
            )
        forgotten = [v.name for v, m in self._memories.items() if m.following is None]
        if forgotten:
            raise ArgumentError(
                f"the memories {', '.join(forgotten)} are never updated", cure="use update_memory"
            )
        if inner.changed:
            name = next(iter(inner.changed)).name
            raise ProgramError(
                f"{name} is changed in place by a step",
                cure="make it a memory; normalize by the batch after the network",
            )

    def _run(self, inner: Builder) -> list[Any]:
        """The results, from the block of one step."""
        block, outside = inner.block, {v: x for x, v in inner.imported.items()}
        block.inputs = []
        memories = list(self._memories.values())
        block.outputs = [inner.lift(v) for v in (*(m.following for m in memories), *self._outputs)]

        def step(now: list[Any], state: tuple[Any, ...]) -> tuple[Any, Any]:
            slices = dict(zip(self._sequences, now, strict=True))
            known = dict(zip(self._memories, state, strict=True))
            found = replay(block, (), outside | slices | known)
            return found[len(memories) :], found[: len(memories)]

        starts = tuple(m.start for m in memories)
        return through_time(step, list(self._sequences.values()), starts)[0]
