"""What `twinoar view` is told to show: `model.py:function`, a saved model, or a script that runs.

Each runs what it names as a user would, under a watch that keeps what was compiled.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from twinoar.backends.base import Executable
from twinoar.backends.choice import watched_executables
from twinoar.core.dim import SymbolicDim
from twinoar.core.spec import Spec
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, FileError, UnknownNameError
from twinoar.export.save import save
from twinoar.inspection.precision import Loss, losses_of
from twinoar.jit import load, to_static
from twinoar.jit.to_static import StaticFunction
from twinoar.static.input import InputSpec

RUNS = 3  # the first compiles
UNKNOWN_SIZE = 1  # of a dimension that the model leaves open


def executables_of(
    target: str, inputs: Sequence[str], run_script: Callable[[str], object]
) -> list[Executable]:
    """What running the target compiled.

    inputs: specs such as `f32[64,784]`, one for each argument. run_script: runs a script's file.
    Raises FileError where there is no such file, UnknownNameError for a name that the file lacks,
    ArgumentError where the arguments are not known.
    """
    file, colon, name = target.rpartition(":")
    with watched_executables() as made:
        if colon and file.endswith(".py"):
            _call(named_in(Path(file), name), [_array(Spec.parse(text)) for text in inputs])
        elif target.endswith(".py"):
            run_script(target)
        else:
            _run_model(target, inputs)
    return made


def losses_of_target(target: str, inputs: Sequence[str], dtype: str) -> list[Loss]:
    """How many bits each operator of a function or a saved model loses under `auto_cast`.

    inputs: specs, as for `executables_of`. Raises ArgumentError for a script, which may run
    anything, and for a function whose arguments are not known.
    """
    file, colon, name = target.rpartition(":")
    if not (colon and file.endswith(".py")):
        if target.endswith(".py"):
            raise ArgumentError(
                f"{target} is a script, which has no one Program to run in {dtype}",
                cure=f"name a function, {target}:function, or a saved model",
            )
        return losses_of(target.removesuffix(".pdmodel"), dtype=dtype)
    function = named_in(Path(file), name)
    specs = [Spec.parse(text) for text in inputs]
    declared = [InputSpec([_open(n) for n in s.shape], s.dtype.name) for s in specs] or None
    with TemporaryDirectory() as folder:
        prefix = f"{folder}/{Path(file).stem}"
        save(function, prefix, declared, verify=False)
        return losses_of(prefix, dtype=dtype)


def _open(size: Any) -> int:
    return -1 if isinstance(size, SymbolicDim) else int(size)


def named_in(file: Path, name: str) -> Any:
    """What `name`, with dots, is in the file, which is imported; of a class, an instance."""
    if not file.is_file():
        raise FileError(f"there is no file {file}", cure="name a Python file before the colon")
    sys.path.insert(0, str(file.resolve().parent))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    found: Any = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = found
    spec.loader.exec_module(found)
    for part in name.split("."):
        if not hasattr(found, part):
            raise UnknownNameError(f"{file} has no {name}", cure="name a function or a layer in it")
        found = getattr(found, part)
    return found() if isinstance(found, type) else found


def _call(function: Any, arrays: Sequence[np.ndarray]) -> None:
    """Run a function or layer, converted, on arrays; or on what its InputSpecs or defaults say."""
    converted = getattr(function, "forward", function)
    if not isinstance(converted, StaticFunction):
        converted = to_static(converted)
    declared = converted._input_spec
    if not arrays and declared:
        arrays = [_array(_spec_of(s)) for s in declared if isinstance(s, InputSpec)]
    needed = [
        p.name
        for p in inspect.signature(converted.dygraph_function).parameters.values()
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    if len(arrays) < len(needed):
        raise ArgumentError(
            f"the arguments {', '.join(needed)} are not known",
            cure="add --input SPEC for each, such as --input f32[64,784]",
        )
    for _ in range(RUNS):
        converted(*map(Tensor, arrays))


def _run_model(prefix: str, inputs: Sequence[str]) -> None:
    """Run a saved model on what its inputs are declared as, or on `inputs`."""
    model = load(prefix.removesuffix(".pdmodel"))
    declared = [v.spec for v in model.program().main.inputs]
    specs = [Spec.parse(text) for text in inputs] or declared
    for _ in range(RUNS):
        model(*(Tensor(_array(spec)) for spec in specs))


def _spec_of(declared: InputSpec) -> Spec:
    shape = tuple(n if isinstance(n, int) and n >= 0 else UNKNOWN_SIZE for n in declared.shape)
    return Spec(shape, declared.dtype)


def _array(spec: Spec) -> np.ndarray:
    """Random numbers for floats, zeros for others, which are positions most of the time."""
    shape = tuple(UNKNOWN_SIZE if isinstance(n, SymbolicDim) else n for n in spec.shape)
    if not spec.dtype.is_floating:
        return np.zeros(shape, spec.dtype.numpy)
    return np.random.default_rng(0).standard_normal(shape).astype(spec.dtype.numpy)
