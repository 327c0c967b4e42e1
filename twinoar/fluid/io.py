"""Files and readers, by the names of Paddle 1.8.

Its files are folders: `__model__` and a file for each parameter, or one for all. `save` and `load`
are those of Paddle 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.core.ir.program import State, Variable
from twinoar.errors import ArgumentError, FileError, TypeMismatchError, UnsupportedError
from twinoar.fluid.absent import refusing
from twinoar.fluid.model_folder import write_arrays, write_model
from twinoar.fluid.reader import DataLoader, PyReader
from twinoar.formats.atomic import AtomicFiles, StrPath, path_text
from twinoar.formats.paddle import tensors
from twinoar.formats.unfinished import settle
from twinoar.io.collate import default_collate_fn
from twinoar.reader import (
    ComposeNotAligned,
    batch,
    buffered,
    cache,
    chain,
    compose,
    firstn,
    map_readers,
    multiprocess_reader,
    shuffle,
    xmap_readers,
)
from twinoar.static import inference_io
from twinoar.static.inference_io import load, load_program_state, save, set_program_state
from twinoar.static.mode import default_main_program
from twinoar.static.program import Program
from twinoar.static.scope import global_scope

Predicate = Callable[[Variable], bool]


def save_inference_model(
    dirname: StrPath,
    feeded_var_names: str | Sequence[str],
    target_vars: Any,
    executor: Any,
    main_program: Program | None = None,
    model_filename: str | None = None,
    params_filename: str | None = None,
    export_for_deployment: bool = True,
    program_only: bool = False,
) -> list[str]:
    """Write the model that computes `target_vars` from the inputs `feeded_var_names`: a folder.

    model_filename: "__model__" by default. params_filename: one file for all parameters; None
    writes one for each. program_only: no parameters. Returns the names of target_vars. Raises
    UnsupportedError where export_for_deployment is False, ProgramError where the targets need
    another input or a state is not initialized.
    """
    if not export_for_deployment:
        raise UnsupportedError(
            "save_inference_model writes models for inference", cure="use fluid.save to train on"
        )
    program = _program(main_program)
    feeds = [program.main.var(name) for name in _as_list(feeded_var_names)]
    targets = _as_list(target_vars)
    return write_model(
        program, feeds, targets, dirname, model_filename, params_filename, program_only
    )


def load_inference_model(
    dirname: StrPath,
    executor: Any,
    model_filename: str | None = None,
    params_filename: str | None = None,
    pserver_endpoints: Any = None,
) -> list[Any]:
    """The model in a folder: [program, names of its inputs, Variables to fetch].

    Its parameters are put into the global scope. Raises FileError for files that are missing or
    damaged, UnsupportedError for pserver_endpoints.
    """
    if pserver_endpoints is not None:
        raise UnsupportedError("there are no parameter servers", cure="leave pserver_endpoints out")
    names = {"model_filename": model_filename, "params_filename": params_filename}
    return inference_io.load_inference_model(dirname, executor, **names)


def save_vars(
    executor: Any,
    dirname: StrPath | None,
    main_program: Program | None = None,
    vars: Iterable[Any] | None = None,
    predicate: Predicate | None = None,
    filename: str | None = None,
) -> None:
    """Write the values of `vars`, Variables or names, or of those that `predicate` is true for.

    filename: one file in `dirname` for all; None writes one for each. Raises ProgramError for one
    that is not initialized.
    """
    chosen = _chosen(_program(main_program), vars, predicate)
    values = {s.name: np.asarray(global_scope().read(s)) for s in chosen}
    with AtomicFiles() as files:
        write_arrays(files, values, _folder(dirname, filename), filename)


def save_params(
    executor: Any,
    dirname: StrPath | None,
    main_program: Program | None = None,
    filename: str | None = None,
) -> None:
    """Write the parameters of a Program; see `save_vars`."""
    save_vars(executor, dirname, main_program, None, is_parameter, filename)


def save_persistables(
    executor: Any,
    dirname: StrPath | None,
    main_program: Program | None = None,
    filename: str | None = None,
) -> None:
    """Write all that lives on between runs of a Program: parameters, statistics, moments."""
    save_vars(executor, dirname, main_program, None, is_persistable, filename)


def load_vars(
    executor: Any,
    dirname: StrPath | None,
    main_program: Program | None = None,
    vars: Iterable[Any] | None = None,
    predicate: Predicate | None = None,
    filename: str | None = None,
) -> None:
    """Set the values that `save_vars` has written. Raises FileError, or ShapeError where one does
    not fit; then nothing is set.
    """
    program = _program(main_program)
    chosen = [s for s in _chosen(program, vars, predicate) if "read" not in s.traits]
    folder, names = Path(path_text(_folder(dirname, filename))), [s.name for s in chosen]
    settle(folder / "any")
    if filename is None:
        found = {n: tensors.load_tensor(_read(folder / n), str(folder / n)) for n in names}
    else:
        written = [s.name for s in _chosen(program, vars, predicate)]
        found = tensors.load(_read(folder / filename), written, str(folder / filename))
    program.set_state_dict({name: found[name] for name in names})


def load_params(
    executor: Any,
    dirname: StrPath | None,
    main_program: Program | None = None,
    filename: str | None = None,
) -> None:
    """Set the parameters that `save_params` has written; see `load_vars`."""
    load_vars(executor, dirname, main_program, None, is_parameter, filename)


def load_persistables(
    executor: Any,
    dirname: StrPath | None,
    main_program: Program | None = None,
    filename: str | None = None,
) -> None:
    """Set what `save_persistables` has written; see `load_vars`."""
    load_vars(executor, dirname, main_program, None, is_persistable, filename)


def is_parameter(var: Variable) -> bool:
    """True for what optimizers train."""
    return isinstance(var, State) and var.is_parameter


def is_persistable(var: Variable) -> bool:
    """True for what lives on between runs."""
    return isinstance(var, State) and not var.is_constant and var.data is None


def get_program_parameter(program: Program) -> list[State]:
    """The parameters of a Program."""
    return [s for s in program.states.values() if is_parameter(s)]


def get_program_persistable_vars(program: Program) -> list[State]:
    """What lives on between the runs of a Program."""
    return [s for s in program.states.values() if is_persistable(s)]


def _chosen(
    program: Program, given: Iterable[Any] | None, predicate: Predicate | None
) -> list[State]:
    if given is None:
        wanted = predicate or is_persistable
        return [s for s in program.states.values() if wanted(s)]
    return [program._state(v if isinstance(v, str) else v.name) for v in given]


def _program(given: Any) -> Program:
    found = default_main_program() if given is None else getattr(given, "program", given)
    if not isinstance(found, Program):
        raise TypeMismatchError(
            f"main_program must be a Program, received {type(given).__name__}",
            cure="leave it out to take the default main Program",
        )
    return found


def _folder(dirname: StrPath | None, filename: str | None) -> StrPath:
    if dirname is None and filename is None:
        raise ArgumentError("dirname must be given", cure="give the folder for the files")
    return dirname or ""


def _read(path: Path) -> bytes:
    if not path.is_file():
        raise FileError(f"{path} does not exist", cure=f"the working directory is {Path.cwd()}")
    return path.read_bytes()


def _as_list(given: Any) -> list[Any]:
    if isinstance(given, Mapping):
        return list(given.values())
    return list(given) if isinstance(given, (list, tuple)) else [given]


__getattr__ = refusing(
    __name__,
    {
        "get_parameter_value": "read fluid.global_scope().find_var(name).get_tensor()",
        "get_parameter_value_by_name": "read fluid.global_scope().find_var(name).get_tensor()",
        "prepend_feed_ops": "feed by name: exe.run(program, feed={...})",
        "append_fetch_ops": "fetch by name: exe.run(program, fetch_list=[...])",
    },
)

__all__ = [
    "ComposeNotAligned",
    "DataLoader",
    "PyReader",
    "batch",
    "buffered",
    "cache",
    "chain",
    "compose",
    "default_collate_fn",
    "firstn",
    "get_program_parameter",
    "get_program_persistable_vars",
    "load",
    "load_inference_model",
    "load_params",
    "load_persistables",
    "load_program_state",
    "load_vars",
    "map_readers",
    "multiprocess_reader",
    "save",
    "save_inference_model",
    "save_params",
    "save_persistables",
    "save_vars",
    "set_program_state",
    "shuffle",
    "xmap_readers",
]
