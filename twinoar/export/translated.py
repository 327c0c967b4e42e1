"""A loaded model as a Layer: trained further, saved again, a part of other networks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from twinoar.backends.base import Executable
from twinoar.core.interpreter import current
from twinoar.core.ir.program import Program, State
from twinoar.core.op.definition import of_complex
from twinoar.core.values import Value
from twinoar.eager.tensor import Parameter, Tensor
from twinoar.export.loaded import FORWARD, Called, LoadedModel, called
from twinoar.export.save import read_model
from twinoar.jit.program_op import ProgramOp, recorded
from twinoar.nn.layer import Layer
from twinoar.passes.inference import INFERENCE
from twinoar.passes.manager import run
from twinoar.passes.registry import Pass
from twinoar.tracebacks import showing_users_frames

MOST = 4  # times that an entry point is prepared; if weights change more often, it is trained


class Prepared(ProgramOp):
    """An entry point after the passes of inference, with the weights that were there.

    Takes what `plain` takes, and computes what it does. Gradients are those of `plain`, which is
    run for them: few ask for any in this mode. What passes computed of weights is of the arrays
    `seen`, which are held, so that no other can take their place unseen.
    """

    def __init__(self, program: Program, plain: ProgramOp, states: Sequence[State]):
        differentiable = [v for v in plain.results if not v.stop_gradient]
        super().__init__(plain.program, plain.results, differentiable)
        self.plain = plain
        self.answering, own, _ = called(run(program, list(INFERENCE)), training=False)
        self.weights = [s.data._data for s in own]
        self.seen = [(s.data, s.data._data, s.data._version) for s in states]
        self.__dict__["recorded"] = self  # a call with a gradient keeps its operands alone

    def is_current(self) -> bool:
        """Whether all weights are as they were."""
        return all(t._data is array and t._version == n for t, array, n in self.seen)

    def run(self, *arrays: np.ndarray) -> np.ndarray | tuple[np.ndarray, ...]:
        """The kernel."""
        return self.answering.run(*arrays[: self.feed_count], *self.weights)

    @of_complex
    def gradients(self, gs: tuple, xs: tuple, outs: tuple) -> tuple:
        """The gradient rule: run `plain` with a record, and its backward Program."""
        op = recorded(self.plain)
        found = current().apply(op, tuple(xs), {})
        results = found if isinstance(found, tuple) else (found,)
        others = (None,) * (len(results) - len(gs))
        return op.gradients((*gs, *others), xs, results)

    def executables(self) -> dict[str, Executable]:
        """What answers, and what gradients were computed by."""
        found = self.plain.executables() if "recorded" in self.plain.__dict__ else {}
        return {**found, "forward": self.answering.executable}


class TranslatedLayer(LoadedModel, Layer):
    """A loaded model: called like the Layer that was saved, and trainable like it.

    Each entry point that was saved is a method. In eval mode it runs as a Predictor would, after
    the passes of inference; weights that these fold are held besides the parameters. programs: by
    the name of the entry point. tensors: the parameters and buffers by the names that the saved
    Layer has for them.
    """

    def __init__(self, programs: dict[str, Program], tensors: dict[str, Tensor]):
        Layer.__init__(self)
        LoadedModel.__init__(self, programs)
        self._prepared: dict[str, Prepared] = {}
        self._times: Counter[str] = Counter()  # that each entry point was prepared
        for name, tensor in tensors.items():
            holder: dict = self._parameters if isinstance(tensor, Parameter) else self._buffers
            holder[name] = tensor
        for name in programs:
            if name != FORWARD:
                self.__dict__[name] = partial(self._run, name)

    @showing_users_frames
    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        return Layer.__call__(self, *inputs, **kwargs)

    def _chosen(self, method: str, values: Sequence[Value]) -> Called:
        op, states, updates = self._operator(method)
        is_here = all(isinstance(s.data._data, np.ndarray) for s in states)  # not on a device
        if self.training or updates or not is_here or not current().runs:
            return op, states, updates
        found = self._prepared.get(method)
        if found is None or not found.is_current():
            if self._times[method] >= MOST:
                self._prepared.pop(method, None)
                return op, states, updates
            self._times[method] += 1
            found = self._prepared[method] = Prepared(self.program(method), op, states)
        return found, states, updates

    def _run_by(self, method: str) -> ProgramOp:
        found = None if self.training else self._prepared.get(method)
        return self._operator(method)[0] if found is None else found

    def apply_passes(self, passes: Sequence[str | Pass] | str | Pass) -> None:
        """Run passes on the Program of each entry point; what they made is called and saved.

        passes: as `twinoar.passes.run` takes them. Weights that passes computed become parameters,
        those that no entry point reads any more go. Raises as `run` does, and then nothing has
        changed.
        """
        programs = {name: run(program, passes) for name, program in self._programs.items()}
        states = [s for p in programs.values() for s in p.states.values() if not s.is_constant]
        read = {id(s.data) for s in states}
        for holder in (self._parameters, self._buffers):
            for name in [n for n, t in holder.items() if id(t) not in read]:
                del holder[name]
            read.difference_update(map(id, holder.values()))
        self._parameters.update({s.name: s.data for s in states if id(s.data) in read})
        self._programs, self._operators, self._prepared = programs, {}, {}


def load(path: str, **configs: Any) -> TranslatedLayer:
    """Load what `jit.save`, or the real Paddle 2.x, saved under the prefix `path`.

    path: or a `.pt2` file of `torch.export.save`, of which nothing is run; what the module returned
    is returned flat, and its branches on the mode are as they were when it was exported.
    model_filename, params_filename: other names of the two files, in the folder `path`. Returns a
    TranslatedLayer in inference mode, which has each method that was saved. Raises FileError where
    a file is missing or does not read.
    """
    return TranslatedLayer(*read_model(path, **configs))
