"""The inference model of Paddle 1: a folder with a program, `__model__`, and its parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from twinoar.formats.atomic import AtomicFiles, StrPath, path_text
from twinoar.formats.paddle import tensors
from twinoar.formats.paddle.program_write import write_inference_program
from twinoar.formats.paddle.saved_state import PROGRAM_OF_FOLDER
from twinoar.static.inference_io import normalize_program
from twinoar.static.program import Program
from twinoar.static.scope import global_scope


def write_model(
    program: Program,
    feeds: list[Any],
    fetches: list[Any],
    folder: StrPath,
    model_filename: str | None = None,
    params_filename: str | None = None,
    program_only: bool = False,
) -> list[str]:
    """Write the model that computes `fetches` from `feeds`, for inference.

    params_filename: one file for all parameters; None writes one for each, of its name. Returns the
    names of the fetches. Raises what `static.save_inference_model` raises.
    """
    data, states = write_inference_program(normalize_program(program, feeds, fetches))
    with AtomicFiles() as files:
        files.write(str(Path(path_text(folder), model_filename or PROGRAM_OF_FOLDER)), data)
        if not program_only:
            values = {s.name: np.asarray(global_scope().read(s)) for s in states}
            write_arrays(files, values, folder, params_filename)
    return [v.name for v in fetches]


def write_arrays(
    files: AtomicFiles, values: dict[str, np.ndarray], folder: StrPath, filename: str | None
) -> None:
    """Write arrays by name: to one file, or each to a file of its own name."""
    if filename is not None:
        files.write(str(Path(path_text(folder), filename)), tensors.dump(values))
        return
    for name, array in values.items():
        files.write(str(Path(path_text(folder), name)), tensors.dump_tensor(array))
