"""A loaded model as a Layer: trained further, saved again, a part of other networks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from twinoar.core.ir.program import Program
from twinoar.eager.tensor import Parameter, Tensor
from twinoar.export.loaded import FORWARD, LoadedModel
from twinoar.export.save import read_model
from twinoar.nn.layer import Layer
from twinoar.passes.manager import run
from twinoar.passes.registry import Pass
from twinoar.tracebacks import showing_users_frames


class TranslatedLayer(LoadedModel, Layer):
    """A loaded model: called like the Layer that was saved, and trainable like it.

    Each entry point that was saved is a method. programs: by the name of the entry point. tensors:
    the parameters and buffers by the names that the saved Layer has for them.
    """

    def __init__(self, programs: dict[str, Program], tensors: dict[str, Tensor]):
        Layer.__init__(self)
        LoadedModel.__init__(self, programs)
        for name, tensor in tensors.items():
            holder: dict = self._parameters if isinstance(tensor, Parameter) else self._buffers
            holder[name] = tensor
        for name in programs:
            if name != FORWARD:
                self.__dict__[name] = partial(self._run, name)

    @showing_users_frames
    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        return Layer.__call__(self, *inputs, **kwargs)

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
        self._programs, self._operators = programs, {}


def load(path: str, **configs: Any) -> TranslatedLayer:
    """Load what `jit.save`, or the real Paddle 2.x, saved under the prefix `path`.

    path: or a `.pt2` file of `torch.export.save`, of which nothing is run; what the module returned
    is returned flat, and its branches on the mode are as they were when it was exported.
    model_filename, params_filename: other names of the two files, in the folder `path`. Returns a
    TranslatedLayer in inference mode, which has each method that was saved. Raises FileError where
    a file is missing or does not read.
    """
    return TranslatedLayer(*read_model(path, **configs))
