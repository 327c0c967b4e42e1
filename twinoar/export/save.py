"""Saving a converted function or Layer as files, and running it again without its class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from twinoar.autograd.py_layer import PyLayerOp
from twinoar.core.ir.program import Program, State, copy_program
from twinoar.core.layer_like import LayerLike
from twinoar.eager.tensor import Parameter, Tensor
from twinoar.errors import ArgumentError, FileError
from twinoar.export.entry_point import EntryPoint, entry_points
from twinoar.export.inference import traced_for_inference
from twinoar.export.loaded import FORWARD, LoadedModel, is_own_update
from twinoar.export.proof import SUFFIX, Proof, Row, read_samples, repeat
from twinoar.export.verify import prove
from twinoar.formats.atomic import AtomicFiles, path_text
from twinoar.formats.paddle import info, tensors
from twinoar.formats.paddle.pir.write import program_file
from twinoar.formats.paddle.program_read import read_program
from twinoar.formats.paddle.program_write import write_inference_program
from twinoar.formats.paddle.saved_state import PROGRAMS, program_of_prefix
from twinoar.formats.torch import HEAD
from twinoar.formats.torch.exported import read_exported
from twinoar.formats.unfinished import settle
from twinoar.jit.kept import array_of
from twinoar.jit.tracing import Trace
from twinoar.late import dataclass
from twinoar.ops.create.fill import written
from twinoar.ops.random.uniform import generator
from twinoar.passes.dead import eliminate_dead
from twinoar.static import program as static_program
from twinoar.static.program import for_testing
from twinoar.tracebacks import showing_users_frames

KNOWN_CONFIGS = frozenset(
    {
        "output_spec", "with_hook", "combine_params", "clip_extra", "skip_forward",
        "input_names_after_prune", "skip_prune_program", "separate_parameters",
    }
)  # fmt: skip


@dataclass
class Content:
    """What the two files of an entry point hold, and their names for messages."""

    model: bytes
    parameters: bytes | None
    model_file: str
    parameters_file: str

    @classmethod
    def of(cls, model: Path, parameters: Path) -> Content:
        """What is in these files."""
        settle(model)
        held = parameters.read_bytes() if parameters.is_file() else None
        return cls(model.read_bytes(), held, str(model), str(parameters))

    def arrays(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        """The parameters, which have these names. Raises FileError."""
        if not names:
            return {}
        if self.parameters is None:
            raise FileError(
                f"there is no file {self.parameters_file}", cure="keep it beside the model"
            )
        return tensors.load(self.parameters, sorted(names), self.parameters_file)


@dataclass
class Part:
    """An entry point as its Program, and as the contents of its files."""

    entry: EntryPoint
    trace: Trace
    program: Program
    model: bytes  # of a .pdmodel
    states: list[State]

    def file(self, path: str) -> tuple[str, bytes]:
        """The path and contents of the program's file, where `path` is the prefix of all."""
        return program_file(_prefix(path, self.entry.name), self.model)

    @cached_property
    def parameters(self) -> bytes:
        """The contents of the parameters' file."""
        return tensors.dump({s.name: array_of(s) for s in self.states})

    def content(self, path: str) -> Content:
        """What its files at the prefix `path` will hold."""
        name, model = self.file(path)
        return Content(model, self.parameters, name, f"{Path(name).with_suffix('')}.pdiparams")


@showing_users_frames
def save(
    layer: Any,
    path: str,
    input_spec: Sequence | None = None,
    *,
    verify: bool | Literal["auto"] = "auto",
    **configs: Any,
) -> Proof | None:
    """Save a Layer, or a function under `to_static`, for running without its Python code.

    path: a prefix; `.pdmodel` (with FLAGS_enable_pir_api the `.json` of Paddle 3), `.pdiparams` and
    `.pdiparams.info` are written, all or none; for
    each further method under `to_static` also `.NAME.pdmodel`, and `.NAME.pdiparams` where it has
    parameters. input_spec: an InputSpec, or an example Tensor, per tensor argument of forward; not
    needed where to_static has one, or the function was called. The Program is saved for inference:
    dropout is off, batch norm uses running statistics. What is loaded returns the tensors of the
    result in order, and numbers that only a run knows, as of `item()`, as tensors without
    dimensions. verify: what was written is read back and run beside the Python function before the
    files take their names; "auto" where that is quick, True insists on it. What was compared goes
    to `.verify.npz`, with which `twinoar verify PATH` repeats it.
    Returns the Proof, or None where nothing was verified. Raises TypeMismatchError for what cannot
    be converted, ArgumentError where the inputs are not known, VerificationError where results
    differ, FileError where a file cannot be written.
    """
    if unknown := configs.keys() - KNOWN_CONFIGS:
        raise ArgumentError(
            f"jit.save does not know {sorted(unknown)}", cure=f"it knows {sorted(KNOWN_CONFIGS)}"
        )
    path = path_text(path)
    parts = [_part(entry) for entry in entry_points(layer, input_spec)]
    described = _description(parts)
    proof = None
    if verify:
        programs, _ = _translated({p.entry.name: p.content(path) for p in parts}, described)
        proof = prove(
            [(p.entry, p.trace, p.program) for p in parts],
            LoadedModel(programs),
            insists=verify is True,
        )
    with AtomicFiles() as files:
        for part in parts:
            files.write(*part.file(path))
            if part.states:  # Paddle refuses a file of no parameters
                files.write(f"{_prefix(path, part.entry.name)}.pdiparams", part.parameters)
        files.write(f"{path}.pdiparams.info", info.dump(described))
        if proof is not None:
            files.write(f"{path}{SUFFIX}", proof.to_bytes())
    _remove_stale(path, parts, keeps_proof=proof is not None)
    return proof


def _part(entry: EntryPoint) -> Part:
    trace = traced_for_inference(entry)
    trace.changes.warn_of_loss(entry.name)
    program = for_saving(trace.program)
    program.lost_gradient = lost_gradient(program)
    model, states = write_inference_program(program)
    return Part(entry, trace, program, model, states)


def lost_gradient(program: Program) -> str:
    """What a file cannot say of gradients, and where; nothing where it says all."""
    for o in program.main.walk():
        if all(v is None or v.stop_gradient for v in o.results):
            continue
        where = f" at {o.source}" if o.source else ""
        if isinstance(o.op, PyLayerOp):
            return f"the PyLayer {o.op.name} has gradients of its own{where}"
        if o.op is written:
            return f"a tensor with gradients is changed in place under no_grad{where}"
    return ""


def for_saving(program: Program) -> Program:
    """The Program to write: a copy for inference, with the updates that inference makes."""
    copied, _ = copy_program(program)
    updates = {s: v for s, v in copied.updates.items() if _is_saved(s) and is_own_update(v)}
    for o in copied.main.ops:
        o.role = "forward"  # gradients that the function returns are results like others
    for_testing(copied)
    copied.updates = updates
    return eliminate_dead(copied)


def _is_saved(state: State) -> bool:
    """True for a parameter or buffer: not the random state, nor what Python's objects hold."""
    return isinstance(state.data, Tensor) and state.data is not generator.state


def _description(parts: list[Part]) -> dict[str, info.VariableInfo]:
    """What the file beside the parameters says of each."""
    return {
        s.name: info.VariableInfo(
            structured.get(s.name, s.name),
            s.stop_gradient,
            s.trainable if s.is_parameter else None,
        )
        for part in parts
        for structured in [_structured_names(part.entry.owner)]
        for s in part.states
    }


def _structured_names(owner: LayerLike | None) -> dict[str, str]:
    """Parameter and buffer names to the names they have in the Layer."""
    if owner is None:
        return {}
    return {t.name: key for key, t in owner.state_dict().items()}  # type: ignore[attr-defined]


def _prefix(path: str, name: str) -> str:
    return path if name == FORWARD else f"{path}.{name}"


def _methods_at(path: str) -> dict[str, Path]:
    """The models of further methods at a prefix, by name: those without an `.info` of their own."""
    found = {}
    for file in sorted(f for end in PROGRAMS for f in Path(path).parent.glob(f"*{end}")):
        model, _, name = file.stem.rpartition(".")
        own = Path(f"{path}.{name}.pdiparams.info")
        if model == Path(path).name and name.isidentifier() and not own.exists():
            found[name] = file
    return found


def _remove_stale(path: str, parts: list[Part], keeps_proof: bool) -> None:
    """Remove what an earlier save left at the prefix and this one did not replace."""
    for part in parts:
        prefix = _prefix(path, part.entry.name)
        written = part.file(path)[0]
        for file in (Path(prefix + ending) for ending in PROGRAMS):
            if str(file) != written:
                file.unlink(missing_ok=True)
        if not part.states:
            Path(f"{prefix}.pdiparams").unlink(missing_ok=True)
    names = {p.entry.name for p in parts}
    for name, file in _methods_at(path).items():
        if name not in names:
            file.unlink()
            Path(f"{path}.{name}.pdiparams").unlink(missing_ok=True)
    if not keeps_proof:
        Path(f"{path}{SUFFIX}").unlink(missing_ok=True)


def read_model(path: str, **configs: Any) -> tuple[dict[str, Program], dict[str, Tensor]]:
    """The Programs by entry point, and the tensors by name, that were saved under `path`.

    path: a prefix, or an archive of torch.export (`.pt2`). model_filename, params_filename: other
    names of the two files, in the folder `path`. Raises FileError where a file is missing or does
    not read.
    """
    path = path_text(path)
    if not configs and is_archive(path):
        return _exported(path)
    files = {FORWARD: _files_of(path, configs)}
    if not configs:
        files |= {n: (m, Path(f"{path}.{n}.pdiparams")) for n, m in _methods_at(path).items()}
    contents = {name: Content.of(*pair) for name, pair in files.items()}
    described = Path(f"{files[FORWARD][1]}.info")
    told = info.load(described.read_bytes(), str(described)) if described.is_file() else {}
    return _translated(contents, told)


def is_archive(path: str) -> bool:
    """Whether there is a zip at `path` itself, which `jit.save` does not write."""
    if not Path(path).is_file():
        return False
    with Path(path).open("rb") as file:
        return file.read(len(HEAD)) == HEAD


def _exported(path: str) -> tuple[dict[str, Program], dict[str, Tensor]]:
    """The Program and the tensors of an archive of torch.export."""
    program, arrays = read_exported(Path(path).read_bytes(), path, static_program.Program)
    live = {}
    for name, array in arrays.items():
        state = program.states[name]
        state.data = live[name] = _live(state, array, None)
    return {FORWARD: program}, live


def repeat_verification(path: str) -> list[Row]:
    """Run a saved model on the inputs that were kept when it was verified: what came of each.

    Raises FileError where the model, or what was kept, is missing or does not read.
    """
    path = path_text(path)
    loaded, file = LoadedModel(read_model(path)[0]), Path(f"{path}{SUFFIX}")
    if not file.is_file():
        raise FileError(
            f"there is no {file}", cure="save the model with jit.save(..., verify=True)"
        )
    samples = read_samples(file.read_bytes(), str(file))
    return list(repeat(loaded, samples))


def _files_of(path: str, configs: dict) -> tuple[Path, Path]:
    if "model_filename" in configs or "params_filename" in configs:
        folder = Path(path)
        model = folder / (configs.get("model_filename") or "__model__")
        parameters = folder / (configs.get("params_filename") or "__params__")
    else:
        model, parameters = program_of_prefix(path), Path(f"{path}.pdiparams")
    if not model.is_file():
        cure = f"save a model there first: jit.save(layer, {path!r}, input_spec=[...])"
        raise FileError(f"there is no model {model}", cure=cure)
    return model, parameters


def _translated(
    contents: Mapping[str, Content], told: Mapping[str, info.VariableInfo]
) -> tuple[dict[str, Program], dict[str, Tensor]]:
    """The Programs and tensors of these files; told: what is said of its parameters and buffers."""
    # Live parameters say whether they want a gradient; the Programs are ready for all.
    wanting = {
        n: v if v.trainable is None else replace(v, stop_gradient=False) for n, v in told.items()
    }
    programs: dict[str, Program] = {}
    live: dict[str, Tensor] = {}
    for method, content in contents.items():
        program = read_program(
            content.model, content.model_file, factory=static_program.Program, info=wanting
        )
        states = [s for s in program.states.values() if not s.is_constant and s.data is None]
        arrays = content.arrays([s.name for s in states])
        for s in states:
            array = arrays[s.name]
            if list(array.shape) != list(s.spec.shape) or array.dtype != s.spec.dtype.numpy:
                raise FileError(
                    f"{content.parameters_file}: {s.name} has shape {list(array.shape)} and "
                    f"elements of type {array.dtype}, the model says {s.spec}"
                )
            s.data = live.setdefault(s.name, _live(s, array, told.get(s.name)))
            if s.data._data is not array and not np.array_equal(s.data._data, array):
                raise FileError(f"{content.parameters_file}: {s.name} is another one elsewhere")
        programs[method] = program
    names = {n: v.structured_name for n, v in told.items()}
    return programs, {names.get(n, n): tensor for n, tensor in live.items()}


def _live(state: State, array: np.ndarray, told: info.VariableInfo | None) -> Tensor:
    """The tensor of a state that was read."""
    stop = state.stop_gradient if told is None else told.stop_gradient
    tensor = Parameter(array, stop) if state.is_parameter else Tensor(array)
    tensor.name, tensor.persistable = state.name, True
    return tensor
