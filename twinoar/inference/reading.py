"""The Program of a saved model, with its weights."""

from __future__ import annotations

from twinoar.core.ir.program import Program
from twinoar.eager.tensor import Parameter
from twinoar.errors import FileError
from twinoar.formats.paddle import tensors
from twinoar.formats.paddle.program_read import read_program
from twinoar.formats.paddle.saved_state import state_of_folder
from twinoar.inference.config import Config


def read_model(config: Config) -> Program:
    """The Program as it was saved, with its weights. Raises FileError, UnsupportedError."""
    data, parameters, place = config.contents()
    program = read_program(data, config.prog_file() or place)
    names = [s.name for s in program.states.values() if s.data is None]
    if parameters is None:
        arrays = state_of_folder(config.model_dir())
    else:
        arrays = tensors.load(parameters, names, place) if names else {}
    for name in names:
        state, array = program.states[name], arrays[name]
        if list(array.shape) != list(state.spec.shape) or array.dtype != state.spec.dtype.numpy:
            raise FileError(
                f"{place}: {name} has shape {list(array.shape)} and elements of type "
                f"{array.dtype}, the model says {state.spec}"
            )
        state.data = Parameter(array, True, name)
    return program
