"""Variables of a Program in files of Paddle 1's form: a file for each, or one for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.core.ir.program import State, Variable
from twinoar.errors import ArgumentError, FileError, TypeMismatchError
from twinoar.formats.atomic import AtomicFiles, StrPath, path_text
from twinoar.formats.paddle import tensors
from twinoar.formats.unfinished import settle
from twinoar.static.executor import program_to_run
from twinoar.static.scope import global_scope


def is_persistable(var: Variable) -> bool:
    """True for a Variable whose value outlives a run: a parameter, a statistic, a moment."""
    return isinstance(var, State) and var.persistable and "read" not in var.traits


def save_vars(
    executor: Any,
    dirname: StrPath | None,
    main_program: Any = None,
    vars: Sequence[Any] | None = None,
    predicate: Callable[[Variable], bool] | None = None,
    filename: StrPath | None = None,
) -> bytes | None:
    """Write Variables of `main_program`, by default the default one, to the folder `dirname`.

    vars: Variables or names; without them all that `predicate` is true for. filename: one file for
    all of them; without it each has a file of its name. dirname=None returns the bytes of the one
    file instead. Raises ProgramError for a state without a value, FileError.
    """
    chosen = _chosen(main_program, vars, predicate)
    values = {s.name: np.asarray(global_scope().read(s)) for s in chosen}
    if dirname is None:
        return tensors.dump(values)
    folder = Path(path_text(dirname))
    with AtomicFiles() as files:
        if filename is not None:
            files.write(str(folder / path_text(filename)), tensors.dump(values))
        else:
            for name, value in values.items():
                files.write(str(folder / name), tensors.dump({name: value}))
    return None


def load_vars(
    executor: Any,
    dirname: StrPath,
    main_program: Any = None,
    vars: Sequence[Any] | None = None,
    predicate: Callable[[Variable], bool] | None = None,
    filename: StrPath | None = None,
) -> None:
    """Set Variables from what `save_vars` has written, with the same arguments.

    Raises FileError for files that are missing or damaged, ShapeError or DTypeError for a value
    that does not fit; then nothing is set.
    """
    chosen = _chosen(main_program, vars, predicate)
    folder = Path(path_text(dirname))
    settle(folder / "any")
    if filename is not None:
        place = folder / path_text(filename)
        values = tensors.load(_bytes(place), [s.name for s in chosen], str(place))
    else:
        values = {}
        for s in chosen:
            values |= tensors.load(_bytes(folder / s.name), [s.name], str(folder / s.name))
    for s in chosen:
        global_scope().check(s, values[s.name])
    for s in chosen:
        global_scope().write(s, values[s.name])


def _chosen(main_program: Any, given: Any, predicate: Any) -> list[State]:
    program = program_to_run(main_program)
    if given is None and predicate is None:
        raise ArgumentError(
            "vars and predicate are both missing", cure="pass predicate=static.is_persistable"
        )
    if given is None:
        found = [v for v in program.main.vars.values() if predicate(v)]
    else:
        found = [program.main.var(v if isinstance(v, str) else v.name) for v in given]
    for v in found:
        if not isinstance(v, State):
            raise TypeMismatchError(
                f"{v.name} ({v.spec}) is computed by each run, and has no value to keep",
                cure="choose parameters and other persistable Variables",
            )
    return found


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as failure:
        raise FileError(
            f"cannot read {path}: {failure.strerror}", cure="check the folder and the names"
        ) from failure
