"""Static Programs in files: inference models, and the state of training, in Paddle's formats.

An inference model is a `.pdmodel`, the part of a Program that its fetches need, and a `.pdiparams`
with the values of its states. `save` and `load` keep a whole Program and its states apart:
`.pdparams`, `.pdopt` and `.pdmodel`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.core.ir.program import State, Variable, among, copy_program, near_names
from twinoar.errors import (
    ArgumentError,
    FileError,
    ProgramError,
    TypeMismatchError,
    UnknownNameError,
)
from twinoar.formats.atomic import AtomicFiles, StrPath, path_text, write_atomically
from twinoar.formats.paddle import pdparams, tensors
from twinoar.formats.paddle.pir.write import program_file
from twinoar.formats.paddle.program_read import read_program
from twinoar.formats.paddle.program_write import write_inference_program, write_whole_program
from twinoar.formats.paddle.saved_state import program_of_prefix, state_of_folder
from twinoar.formats.unfinished import settle
from twinoar.passes.dead import eliminate_dead
from twinoar.static.mode import default_main_program
from twinoar.static.program import Program, for_testing
from twinoar.static.scope import global_scope

SAVE_OPTIONS = {"program", "clip_extra", "legacy_format", "skip_prune_program", "keep_name_table"}
LOAD_OPTIONS = {"model_filename", "params_filename"}


def save_inference_model(
    path_prefix: StrPath, feed_vars: Any, fetch_vars: Any, executor: Any = None, **kwargs: Any
) -> None:
    """Write the model that computes `fetch_vars` from `feed_vars`: `<prefix>.pdmodel` and
    `<prefix>.pdiparams`.

    feed_vars, fetch_vars: Variables of one Program, or lists of them; the model takes and gives
    them in this order. kwargs: `program`, the one they belong to if it is not the default main
    Program. What the fetches do not need is left out, and `training` is off. Both files appear
    whole or not at all. Raises ProgramError where the fetches need an input that is not in
    feed_vars or a state is not initialized, UnsupportedError for an operator without a file form,
    FileError if the files cannot be written.

    >>> import tempfile, numpy as np
    >>> from twinoar import static
    >>> with static.program_guard(static.Program()), tempfile.TemporaryDirectory() as folder:
    ...     x = static.data("x", [None, 2])
    ...     static.save_inference_model(f"{folder}/double", x, x * 2.0)
    ...     program, feeds, fetches = static.load_inference_model(f"{folder}/double")
    ...     static.Executor().run(program, {"x": np.ones([1, 2], "float32")}, fetches)
    [array([[2., 2.]], dtype=float32)]
    """
    _check_options("save_inference_model", kwargs, SAVE_OPTIONS)
    prefix = _prefix(path_prefix)
    normal = normalize_program(_program(kwargs.get("program"), fetch_vars), feed_vars, fetch_vars)
    data, states = write_inference_program(normal)
    file, data = program_file(prefix, data)
    with AtomicFiles() as files:
        files.write(file, data)
        if states:  # Paddle refuses a file of no parameters
            files.write(f"{prefix}.pdiparams", tensors.dump(_values(states)))


def load_inference_model(
    path_prefix: StrPath | None, executor: Any = None, **kwargs: Any
) -> list[Any]:
    """The model that `save_inference_model`, `jit.save` or Paddle has written: [program, feed
    names, fetches].

    path_prefix: of the files, or a folder of Paddle 1. kwargs: `model_filename` and
    `params_filename`, names of the files in that folder or, with path_prefix=None, their bytes. The
    program runs with `exe.run(program, feed={...}, fetch_list=fetches)`; its states are put into
    the global scope. Raises FileError for files that are missing or damaged,
    UnsupportedError for an operator of Paddle 3 that is not read.
    """
    _check_options("load_inference_model", kwargs, LOAD_OPTIONS)
    if path_prefix is None:
        model, parameters = kwargs.get("model_filename"), kwargs.get("params_filename")
        if not isinstance(model, bytes) or not isinstance(parameters, (bytes, type(None))):
            raise TypeMismatchError(
                "without path_prefix, model_filename and params_filename must be bytes"
            )
        program = deserialize_program(model)
        deserialize_persistables(program, parameters, executor)
    else:
        program = _load_files(path_text(path_prefix), **kwargs)
    return [program, [v.name for v in program.main.inputs], list(program.main.outputs)]


def normalize_program(program: Program, feed_vars: Any, fetch_vars: Any, **kwargs: Any) -> Program:
    """A copy of `program` that only computes `fetch_vars` from `feed_vars`, with `training` off.

    Its inputs are feed_vars and its outputs fetch_vars, in this order. A feed may be any Variable:
    what computes it is left out. Raises ProgramError where the fetches need another input,
    TypeMismatchError for what is no Variable.
    """
    if not isinstance(program, Program):
        raise TypeMismatchError(
            f"expected a static Program, received {type(program).__name__}",
            cure="pass what static.default_main_program() returns",
        )
    feeds, fetches = (
        _variables(program, feed_vars, "feed_vars"),
        _variables(program, fetch_vars, "fetch_vars"),
    )
    if not fetches:
        raise ArgumentError("fetch_vars must name at least one Variable")
    copied, mapping = copy_program(program)
    assert isinstance(copied, Program)
    main = copied.main
    outputs = [mapping[v.latest()] for v in fetches]
    inputs = [mapping[v if among(v, program.main.inputs) else v.latest()] for v in feeds]
    for_testing(copied)
    new = {v: _cut(main, v) for v in inputs if all(v is not i for i in main.inputs)}
    main.outputs = outputs
    main.substitute(new)
    eliminate_dead(copied)
    kept = [new.get(v, v) for v in inputs]
    needed = {x for o in main.walk() for x in o.operands if isinstance(x, Variable)} | set(
        main.outputs
    )
    missing = [v.name for v in main.inputs if v in needed and all(v is not k for k in kept)]
    if missing:
        raise ProgramError(f"the fetches need {', '.join(missing)} too", cure="add it to feed_vars")
    main.inputs = kept
    return copied


def serialize_program(feed_vars: Any, fetch_vars: Any, **kwargs: Any) -> bytes:
    """The bytes of the `.pdmodel` that `save_inference_model` writes. kwargs: `program`."""
    _check_options("serialize_program", kwargs, SAVE_OPTIONS)
    program = _program(kwargs.get("program"), fetch_vars)
    return write_inference_program(normalize_program(program, feed_vars, fetch_vars))[0]


def serialize_persistables(
    feed_vars: Any, fetch_vars: Any, executor: Any = None, **kwargs: Any
) -> bytes:
    """The bytes of the `.pdiparams` that `save_inference_model` writes. kwargs: `program`."""
    _check_options("serialize_persistables", kwargs, SAVE_OPTIONS)
    program = _program(kwargs.get("program"), fetch_vars)
    states = write_inference_program(normalize_program(program, feed_vars, fetch_vars))[1]
    return tensors.dump(_values(states))


def deserialize_program(data: bytes) -> Program:
    """The Program in the bytes of a `.pdmodel`. Raises FileError if they are something else."""
    if not isinstance(data, bytes):
        raise TypeMismatchError(
            f"expected bytes, received {type(data).__name__}", cure="read the file in mode 'rb'"
        )
    program = read_program(data, "the program", factory=Program)
    assert isinstance(program, Program)
    return program


def deserialize_persistables(program: Program, data: bytes | None, executor: Any = None) -> None:
    """Put the states in the bytes of a `.pdiparams` into the global scope. Raises FileError if they
    do not fit.
    """
    _set_states(
        program,
        tensors.load(data or b"", _stored_names(program), "the parameters"),
        "the parameters",
    )


def save_to_file(path: StrPath, content: bytes) -> None:
    """Write bytes to a file, whole or not at all. Raises TypeMismatchError, FileError."""
    if not isinstance(content, bytes):
        raise TypeMismatchError(
            f"content must be bytes, received {type(content).__name__}", cure="encode it first"
        )
    write_atomically(path, content)


def load_from_file(path: StrPath) -> bytes:
    """The bytes of a file. Raises FileError if there is none."""
    return _read(path_text(path))


def save(program: Program, model_path: StrPath, protocol: int = 4, **configs: Any) -> None:
    """Write `program` and the values of its states: `<path>.pdmodel`, `<path>.pdparams` and
    `<path>.pdopt`.

    `.pdparams` holds parameters and statistics, `.pdopt` what optimizers remember. protocol: of
    pickle, 2, 3 or 4. Raises ProgramError for a state that the startup program has not initialized,
    and the errors of `save_inference_model`.
    """
    if not isinstance(program, Program):
        raise TypeMismatchError(
            f"expected a static Program, received {type(program).__name__}",
            cure="pass what static.default_main_program() returns",
        )
    prefix = _prefix(model_path)
    data, states = write_whole_program(program)
    remembered = _optimizer_states(program)
    with AtomicFiles() as files:
        for ending, wanted in ((".pdparams", False), (".pdopt", True)):
            values = _values(s for s in states if (s in remembered) == wanted)
            files.write(prefix + ending, pdparams.dump(values, protocol))
        files.write(f"{prefix}.pdmodel", data)


def load(
    program: Program, model_path: StrPath, executor: Any = None, var_list: Sequence | None = None
) -> None:
    """Set the states of `program` from the files that `save` or Paddle has written.

    var_list: Variables to set, all states by default. Raises FileError for files that are missing,
    damaged or lack a state, ShapeError for a state of another shape; then nothing is set.
    """
    found = load_program_state(model_path, var_list)
    wanted = _kept_in_scope(program)
    if var_list is not None:
        names = {v.name for v in var_list}
        wanted = [s for s in wanted if s.name in names]
    remembered = _optimizer_states(program)
    missing = [s.name for s in wanted if s.name not in found and s not in remembered]
    if missing:
        raise FileError(f"{path_text(model_path)} has no value for {', '.join(missing)}")
    program.set_state_dict({s.name: found[s.name] for s in wanted if s.name in found})


def load_program_state(
    model_path: StrPath, var_list: Sequence | None = None
) -> dict[str, np.ndarray]:
    """Arrays by name from files that `save` has written, or from an inference model or a folder of
    Paddle 1.

    var_list: Variables whose values are wanted, all by default. Raises FileError.
    """
    name = path_text(model_path)
    prefix = next(
        (name.removesuffix(e) for e in (".pdparams", ".pdopt", ".pdmodel") if name.endswith(e)),
        name,
    )
    if Path(f"{prefix}.pdparams").is_file():
        found = _pickled(f"{prefix}.pdparams")
        if Path(f"{prefix}.pdopt").is_file():
            found |= _pickled(f"{prefix}.pdopt")
    elif Path(name).is_dir():
        found = state_of_folder(name)
    elif Path(f"{prefix}.pdmodel").is_file() and Path(f"{prefix}.pdiparams").is_file():
        program = read_program(_read(f"{prefix}.pdmodel"), f"{prefix}.pdmodel", factory=Program)
        found = tensors.load(
            _read(f"{prefix}.pdiparams"), _stored_names(program), f"{prefix}.pdiparams"
        )
    else:
        raise FileError(
            f"{prefix}.pdparams does not exist", cure=f"the working directory is {Path.cwd()}"
        )
    wanted = None if var_list is None else {v.name for v in var_list}
    return {k: v for k, v in found.items() if wanted is None or k in wanted}


def set_program_state(program: Program, state_dict: Mapping[str, Any]) -> None:
    """Set the states of `program` that `state_dict` has by name; names that it does not have are
    left out.

    Raises ShapeError for a state of another shape; then nothing is set.
    """
    known = {s.name for s in _kept_in_scope(program)}
    program.set_state_dict({k: v for k, v in state_dict.items() if k in known})


def _load_files(
    name: str, model_filename: str | None = None, params_filename: str | None = None
) -> Program:
    if Path(name).is_dir():
        model = Path(name, model_filename or "__model__")
        program = read_program(_read(str(model)), str(model), factory=Program)
        states = (
            state_of_folder(name, model_filename, params_filename) if _stored_names(program) else {}
        )
        place = name
    else:
        model = (
            program_of_prefix(name)
            if model_filename is None
            else Path(name).parent / model_filename
        )
        program = read_program(_read(str(model)), str(model), factory=Program)
        place = (
            f"{name}.pdiparams"
            if params_filename is None
            else str(Path(name).parent / params_filename)
        )
        names = _stored_names(program)
        states = tensors.load(_read(place), names, place) if names else {}
    assert isinstance(program, Program)
    _set_states(program, states, place)
    return program


def _set_states(program: Any, arrays: Mapping[str, np.ndarray], place: str) -> None:
    for name, array in arrays.items():
        state = program.states[name]
        if array.dtype != state.spec.dtype.numpy or not _fits(array.shape, state.spec.shape):
            raise FileError(
                f"{place}: {name} is {state.spec} in the program, "
                f"and {array.dtype} {list(array.shape)} here"
            )
    for name, array in arrays.items():
        global_scope().write(program.states[name], array)


def _fits(found: Sequence[int], declared: Sequence[Any]) -> bool:
    return len(found) == len(declared) and all(
        m == n or not isinstance(n, int) for m, n in zip(found, declared, strict=True)
    )


def _kept_in_scope(program: Program) -> list[State]:
    """The states that have their value in a Scope, and not in a live tensor or number."""
    return [s for s in program.states.values() if s.data is None and "read" not in s.traits]


def _stored_names(program: Any) -> list[str]:
    """The states that a file of parameters holds for a Program that was read."""
    return [s.name for s in program.states.values() if s.data is None]


def _values(states: Iterable[State]) -> dict[str, np.ndarray]:
    return {s.name: np.asarray(global_scope().read(s)) for s in states}


def _optimizer_states(program: Program) -> set[State]:
    """The states that are neither parameters nor read by what computes the loss: moments, the
    learning rate.
    """
    read = {
        x
        for o in program.main.ops
        if o.role == "forward"
        for x in o.operands
        if isinstance(x, State)
    }
    return {
        s
        for s in program.states.values()
        if not s.is_parameter and s not in read and program.main.ops
    }


def _pickled(path: str) -> dict[str, np.ndarray]:
    found = pdparams.load(_read(path), path)
    if not isinstance(found, dict) or any(type(name) is not str for name in found):
        raise FileError(f"{path}: expected a dict of arrays by name")
    return {k: v for k, v in found.items() if isinstance(v, np.ndarray)}


def _cut(main: Any, v: Variable) -> Variable:
    """A new input in the place, and with the name, of a Variable that operators compute."""
    if isinstance(v, State):
        raise ArgumentError(
            f"{v.name} is a state of the program, and cannot be fed", cure="set it in the scope"
        )
    name, v.name = v.name, main.names.fresh(f"{v.name}_computed_")
    fed = main.add_input(v.spec)
    fed.name = name
    return fed


def _variables(program: Program, given: Any, what: str) -> list[Variable]:
    found = []
    for v in given if isinstance(given, (list, tuple)) else [given]:
        if isinstance(v, str):
            v = program.main.var(v)
        if not isinstance(v, Variable):
            raise TypeMismatchError(
                f"{what} must be Variables, received {type(v).__name__}",
                cure="pass Variables of the Program, or their list",
            )
        if v.home is not program.main:
            known = program.main.vars
            if v.name not in known:
                raise UnknownNameError(
                    f"the program has no variable {v.name!r}", cure=near_names(v.name, known)
                )
            v = known[v.name]
        found.append(v)
    return found


def _program(given: Any, fetch_vars: Any) -> Program:
    if given is not None:
        return getattr(given, "program", given)
    first = fetch_vars[0] if isinstance(fetch_vars, (list, tuple)) and fetch_vars else fetch_vars
    home = getattr(first, "home", None)
    return (
        home.program
        if home is not None and isinstance(home.program, Program)
        else default_main_program()
    )


def _prefix(path: StrPath) -> str:
    name = path_text(path)
    if not name or name.endswith(("/", os.sep)):
        raise ArgumentError(
            f"expected the prefix of files, received {name!r}",
            cure="add a name, such as folder/model",
        )
    return name


def _read(path: str) -> bytes:
    settle(path)
    try:
        return Path(path).read_bytes()
    except OSError as failure:
        raise FileError(
            f"cannot read {path}: {failure.strerror}", cure="check the path and its permissions"
        ) from failure


def _check_options(function: str, given: Mapping[str, Any], known: set[str]) -> None:
    if unknown := given.keys() - known:
        raise ArgumentError(
            f"{function} has no option {sorted(unknown)}; expected {', '.join(sorted(known))}",
            cure="leave it out",
        )
