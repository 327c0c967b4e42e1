"""The parameters of a saved inference model, without running or understanding its program.

Paddle 2 and 3 save a model as files of one prefix: the program (`.pdmodel` or `.json`), the
parameters (`.pdiparams`) and perhaps `.pdiparams.info`. Paddle 1 saves a folder: a program and a
file for all parameters, or one for each.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from twinoar.errors import FileError
from twinoar.formats.paddle import info, tensors
from twinoar.formats.paddle.schema import CODE_OF_KIND, read_program

PROGRAM_OF_FOLDER = "__model__"
PROGRAMS = (".pdmodel", ".json")  # of Paddle 2 and of Paddle 3


def program_of_prefix(prefix: str) -> Path:
    """The file of the program of a model: that of Paddle 3 where there is none of Paddle 2."""
    paths = [Path(prefix + ending) for ending in PROGRAMS]
    return next((path for path in paths if path.is_file()), paths[0])


def state_of_prefix(prefix: str) -> dict[str, np.ndarray] | None:
    """The parameters of the model `prefix`, or None if there is no such model.

    By structured name if the files know it, else by variable name. Raises FileError if a file is
    missing or damaged.
    """
    program = program_of_prefix(prefix)
    if not program.is_file():
        return None
    parameters = Path(prefix + ".pdiparams")
    if not parameters.is_file():
        raise FileError(
            f"{program} has no parameters beside it",
            cure=f"put {parameters.name} into the same folder",
        )
    arrays = tensors.load(parameters.read_bytes(), names_in_program(program), str(parameters))
    details = Path(prefix + ".pdiparams.info")
    return _structured(arrays, details) if details.is_file() else arrays


def state_of_folder(
    folder: str, program_name: str | None = None, parameters_name: str | None = None
) -> dict[str, np.ndarray]:
    """The parameters in a `folder` of Paddle 1, by variable name.

    program_name: the file of the program, by default `__model__`; without one every file is a
    parameter. parameters_name: the file of all parameters; by default each has a file of its own
    name.
    """
    program = Path(folder, program_name or PROGRAM_OF_FOLDER)
    if program.is_file():
        names = names_in_program(program)
    elif program_name is None and parameters_name is None:
        names = sorted(
            p.relative_to(folder).as_posix() for p in Path(folder).rglob("*") if p.is_file()
        )
    else:
        raise FileError(
            f"{program} does not exist", cure="give model_filename the name of the program"
        )
    if not names:
        raise FileError(
            f"{folder} is a directory without parameters", cure="give the path of a file"
        )
    if parameters_name is not None:
        path = Path(folder, parameters_name)
        return tensors.load(_read(path), names, str(path))
    paths = {name: _inside(folder, name) for name in names}
    return {name: tensors.load_tensor(_read(path), str(path)) for name, path in paths.items()}


def names_in_program(program: Path) -> list[str]:
    """The names of the parameters and persistable buffers of a `.pdmodel` or `.json` program."""
    data = program.read_bytes()
    if program.suffix == ".json":
        return _names_in_json(data, str(program))
    kinds = (CODE_OF_KIND["DENSE_TENSOR"], CODE_OF_KIND["SELECTED_ROWS"])
    variables = read_program(data, str(program)).blocks[0].vars
    return [var.name for var in variables if var.persistable and var.type.type in kinds]


def _names_in_json(data: bytes, path: str) -> list[str]:
    """The names of the persistable operators `p`, which stand for parameters, of Paddle 3."""
    try:
        operators = json.loads(data)["program"]["regions"][0]["blocks"][0]["ops"]
        parameters = [operator for operator in operators if operator["#"] == "p"]
        names = [parameter["A"][3] for parameter in parameters if parameter["OA"][:1] == [1]]
    except (ValueError, LookupError, TypeError, RecursionError) as failure:
        raise FileError(f"{path}: expected a program in JSON form ({failure})") from failure
    if not all(isinstance(name, str) for name in names):
        raise FileError(f"{path}: expected names of parameters")
    return names


def _structured(arrays: dict[str, np.ndarray], details: Path) -> dict[str, np.ndarray]:
    variables = info.load(details.read_bytes(), str(details))
    missing = next((name for name in arrays if name not in variables), None)
    if missing is not None:
        raise FileError(f"{details} does not know the variable {missing!r}")
    return {variables[name].structured_name: array for name, array in arrays.items()}


def _inside(folder: str, name: str) -> Path:
    """The file of a parameter, which a program must not place outside the folder."""
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise FileError(f"{folder}: the parameter {name!r} is outside the folder of the model")
    return Path(folder, name)


def _read(path: Path) -> bytes:
    if not path.is_file():
        raise FileError(f"{path} does not exist", cure="copy the whole folder of the model")
    return path.read_bytes()
