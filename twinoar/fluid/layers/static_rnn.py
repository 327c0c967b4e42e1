"""StaticRNN: a step of a recurrent network, recorded, and repeated for each of a sequence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import twinoar as paddle
from twinoar.core.interpreter import using
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, ProgramError, ShapeError
from twinoar.fluid.layers.recording import Recording, recording


class StaticRNN:
    """A recurrent network: in `with rnn.step():` stands what is done with each step.

    Calling the StaticRNN gives its outputs, [T,...] each, one alone or a list. Modern spelling:
    `nn.RNN`, or a Python loop.
    """

    def __init__(self, name: str | None = None):
        self.body: Recording | None = None
        self.sequences: dict[Any, Any] = {}
        self.memories: dict[Any, Any] = {}
        self.following: dict[Any, Any] = {}
        self.outputs: list[Any] = []
        self.results: list[Any] = []

    @contextmanager
    def step(self) -> Iterator[None]:
        """The block of one step. Raises ArgumentError for a memory that is not updated."""
        with recording("StaticRNN", "use nn.RNN, or a Python loop") as self.body:
            yield
        if missing := [m.name for m in self.memories if m not in self.following]:
            raise ArgumentError(
                f"the memories {', '.join(missing)} are not updated", cure="call update_memory"
            )
        self._repeat()

    def step_input(self, x: Any) -> Any:
        """The part of x, [T,...], of one step. Raises ShapeError for an unknown T, or another."""
        steps = x.spec.shape[0]
        known = [s.spec.shape[0] for s in self.sequences.values()]
        if not isinstance(steps, int) or any(s != steps for s in known):
            raise ShapeError(
                f"the first dimension of each sequence is the number of steps, received {x.spec}",
                cure="declare it as a number, the same for all",
            )
        part = self._recorded().placeholder(Spec(x.spec.shape[1:], x.dtype))
        self.sequences[part] = x
        return part

    def memory(
        self,
        init: Any = None,
        shape: Any = None,
        batch_ref: Any = None,
        init_value: float = 0.0,
        init_batch_dim_idx: int = 0,
        ref_batch_dim_idx: int = 1,
    ) -> Any:
        """What the step before has left, `init` in the first step.

        Without `init` it is `init_value` everywhere, of `shape`, where the size at
        init_batch_dim_idx is that of dimension ref_batch_dim_idx of batch_ref, or of the sequence
        that batch_ref is a part of. Raises ArgumentError without either.
        """
        body = self._recorded()
        if init is None:
            if shape is None or batch_ref is None:
                raise ArgumentError("a memory needs init, or shape and batch_ref")
            sizes = list(shape)
            whole = self.sequences.get(batch_ref, batch_ref)
            sizes[init_batch_dim_idx] = whole.spec.shape[ref_batch_dim_idx]
            with using(body.inner.outer):
                init = paddle.full(sizes, init_value, whole.dtype)
        made = body.placeholder(init.spec)
        self.memories[made] = init
        return made

    def update_memory(self, mem: Any, var: Any) -> None:
        """Let `var` be what the next step finds in `mem`. Raises ArgumentError for no memory."""
        if mem not in self.memories:
            raise ArgumentError("update_memory takes what memory() has returned")
        self.following[mem] = var

    def step_output(self, o: Any) -> None:
        """Let o be an output of each step."""
        self.outputs.append(o)

    def output(self, *outputs: Any) -> None:
        """Let each be an output of each step."""
        self.outputs.extend(outputs)

    def __call__(self) -> Any:
        if not self.results:
            raise ProgramError("a StaticRNN has no outputs", cure="call step_output in the step")
        return self.results[0] if len(self.results) == 1 else self.results

    def _recorded(self) -> Recording:
        if self.body is None:
            raise ProgramError(
                "a StaticRNN has its parts in its step", cure="use `with rnn.step():`"
            )
        return self.body

    def _repeat(self) -> None:
        if not self.sequences:
            raise ArgumentError("a StaticRNN needs a sequence", cure="call step_input in the step")
        body, memories = self._recorded(), dict(self.memories)
        wanted = [*(self.following[m] for m in memories), *self.outputs]
        wanted = [v.latest() for v in wanted]
        taken: list[list[Any]] = []
        parts = {part: paddle.unstack(x) for part, x in self.sequences.items()}
        for n in range(next(iter(self.sequences.values())).spec.shape[0]):
            found = body.again(memories | {part: x[n] for part, x in parts.items()}, wanted)
            memories = dict(zip(memories, found, strict=False))
            taken.append(found[len(memories) :])
        self.results = [paddle.stack(list(steps)) for steps in zip(*taken, strict=True)]


__all__ = ["StaticRNN"]
