"""The files of one version of a model, opened: what runs on arrays by name.

Saved models of Paddle run by a Predictor, models of ONNX are saved as such first, and Python runs
where the owner of the server lets it.
"""

from __future__ import annotations

import runpy
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.core.dim import SymbolicDim
from twinoar.core.ir.program import Variable
from twinoar.errors import FileError, UnsupportedError
from twinoar.export.save import save
from twinoar.inference import Config, create_predictor
from twinoar.inference.predictor import Predictor
from twinoar.onnx.layer import load
from twinoar.serving.configuration import Port, below, ports_of
from twinoar.serving.datatypes import datatype_of
from twinoar.serving.request import Arrays

NAMES = (
    "model.pdmodel", "model.json", "inference.pdmodel", "inference.json", "__model__", "model.onnx",
    "model.py",
)  # fmt: skip
SUFFIXES = (".pdmodel", ".onnx")


@dataclass(frozen=True, slots=True)
class Runner:
    """What runs. inputs, outputs: with the batch axis; none where the model does not say.

    instance: makes what runs in one thread at a time: a function of arrays by name. has_batch_axis:
    whether the first sizes of all inputs and outputs are free. moves: whether it may run now in
    one thread, now in another, which is not asked of Python of users.
    """

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    instance: Callable[[], Callable[[Arrays], Arrays]]
    has_batch_axis: bool
    moves: bool = True


def open_version(folder: Path, config: Any, threads: int, *, python: bool = False) -> Runner:
    """The model in `folder`. threads: of each run, 0 for all. python: whether `model.py` may run.

    Raises FileError where there is no model or it is damaged, UnsupportedError for operators or
    files that are not served.
    """
    file = _model_file(folder, config.default_model_filename)
    if file.suffix == ".py":
        if not python:
            raise UnsupportedError(
                f"{file} is Python, which would run in the server",
                cure="--allow-python lets the models of a trusted repository do so",
            )
        return _python(file, config)
    if file.suffix == ".onnx":
        return _of_onnx(file, threads)
    return _saved(file, threads)


def _model_file(folder: Path, named: str) -> Path:
    if named:
        file = below(folder, named, "default_model_filename")
        if not file.is_file():
            raise FileError(f"{folder} has no {named}, which default_model_filename names")
        return file
    for name in NAMES:
        if (folder / name).is_file():
            return folder / name
    others = sorted(
        x
        for x in folder.iterdir()
        if x.suffix in SUFFIXES or (x.suffix == ".json" and x.with_suffix(".pdiparams").is_file())
    )
    if len(others) != 1:
        raise FileError(
            f"{folder} has {len(others)} models",
            cure=f"name it {NAMES[0]}, or name the file as default_model_filename in config.pbtxt",
        )
    return others[0]


def _saved(file: Path, threads: int) -> Runner:
    if file.name == "__model__" and not (file.parent / "__params__").is_file():
        config = Config(str(file.parent))
    elif file.name == "__model__":
        config = Config(str(file), str(file.parent / "__params__"))
    else:
        config = Config(str(file), str(file.with_suffix(".pdiparams")))
    if threads:
        config.set_cpu_math_library_num_threads(threads)
    return _of_predictor(create_predictor(config))


def _of_predictor(
    predictor: Predictor, input_names: Sequence[str] = (), output_names: Sequence[str] = ()
) -> Runner:
    """A Runner; the names are those that clients use, in order, where they are others."""
    main = predictor.program.main
    named = list(input_names) or predictor.get_input_names()
    given = list(output_names) or predictor.get_output_names()
    inputs = [_port(v, name) for v, name in zip(main.inputs, named, strict=True)]
    outputs = [_port(v, name) for v, name in zip(main.outputs, given, strict=True)]

    def instance() -> Callable[[Arrays], Arrays]:
        own = predictor.clone()

        def run(arrays: Arrays) -> Arrays:
            found = own.run([arrays[name] for name in named])
            return dict(zip(given, found or (), strict=True))

        return run

    free = all(_is_free(v) for v in (*main.inputs, *main.outputs)) and bool(main.inputs)
    return Runner(tuple(inputs), tuple(outputs), instance, free)


def _is_free(variable: Variable) -> bool:
    shape = variable.spec.shape
    return bool(shape) and isinstance(shape[0], SymbolicDim)


def _port(variable: Variable, name: str) -> Port:
    dims = tuple(d if isinstance(d, int) else -1 for d in variable.spec.shape)
    return Port(name, datatype_of(variable.spec.dtype.numpy), dims)


def _of_onnx(file: Path, threads: int) -> Runner:
    layer = load(file)
    inputs = [v.name for v in layer.inputs]
    outputs = [v.name for v in layer.model.graph.outputs]
    with tempfile.TemporaryDirectory() as folder:
        save(layer, f"{folder}/model", layer.input_spec)
        config = Config(f"{folder}/model.pdmodel", f"{folder}/model.pdiparams")
        if threads:
            config.set_cpu_math_library_num_threads(threads)
        return _of_predictor(create_predictor(config), inputs, outputs)


def _python(file: Path, config: Any) -> Runner:
    """The function `run(inputs)` of a file, or its class `Model` with such a method.

    Inputs and outputs are dictionaries of arrays; text is an array of bytes.
    """
    if not config.input or not config.output:
        raise FileError(
            f"{file} needs a config.pbtxt that lists inputs and outputs",
            cure='input [{ name: "x" data_type: TYPE_FP32 dims: [-1] }]',
        )
    names = runpy.run_path(str(file))
    made = names.get("Model", names.get("run"))
    if not callable(made):
        raise FileError(f"{file} has neither a function `run` nor a class `Model`")
    outputs = [x.name for x in config.output]

    def instance() -> Callable[[Arrays], Arrays]:
        run = made().run if isinstance(made, type) else made
        return lambda arrays: _checked(run(arrays), outputs, file)

    batches = config.max_batch_size > 0
    whole = [
        tuple(Port(p.name, p.datatype, tuple(p.shape(batches))) for p in ports_of(x))
        for x in (config.input, config.output)
    ]
    return Runner(whole[0], whole[1], instance, batches, moves=False)


def _checked(found: Any, outputs: Sequence[str], file: Path) -> Arrays:
    if not isinstance(found, Mapping) or set(found) < set(outputs):
        kind = sorted(found) if isinstance(found, Mapping) else type(found).__name__
        raise FileError(f"{file}: run returns a dictionary of {list(outputs)}, not {kind}")
    return {name: np.asarray(found[name]) for name in outputs}
