"""Saving and loading what Layers and optimizers hold: `.pdparams` and `.pdopt`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from twinoar.eager.tensor import Parameter
from twinoar.errors import ArgumentError, FileError, TypeMismatchError
from twinoar.export.objects import load, save
from twinoar.formats.atomic import StrPath, path_text

PARAMETERS, OPTIMIZER = ".pdparams", ".pdopt"


def save_dygraph(state_dict: Mapping[str, Any], model_path: StrPath) -> None:
    """Write `<model_path>.pdparams` for a Layer's state, `<model_path>.pdopt` for an optimizer's.

    It is a Layer's where a parameter is in it. Raises ArgumentError for a path that names a folder,
    FileError if the file cannot be written.

    >>> import tempfile
    >>> from twinoar import fluid
    >>> with fluid.dygraph.guard(), tempfile.TemporaryDirectory() as folder:
    ...     layer = fluid.dygraph.Linear(2, 3)
    ...     fluid.save_dygraph(layer.state_dict(), f"{folder}/model")
    ...     parameters, optimizer = fluid.load_dygraph(f"{folder}/model")
    ...     sorted(parameters), optimizer
    (['bias', 'weight'], None)
    """
    name = path_text(model_path)
    if not Path(name).name or name.endswith("/"):
        raise ArgumentError(
            f"expected the prefix of a file, received {name!r}", cure="add a name: folder/model"
        )
    if not isinstance(state_dict, Mapping):
        kind = type(state_dict).__name__
        raise TypeMismatchError(f"expected a state dict, received {kind}", cure="call state_dict()")
    is_layers = any(isinstance(value, Parameter) for value in state_dict.values())
    save(dict(state_dict), name + (PARAMETERS if is_layers else OPTIMIZER))


def load_dygraph(
    model_path: StrPath, keep_name_table: bool = False
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """The states in `<model_path>.pdparams` and `<model_path>.pdopt`: dicts of ndarrays, or None.

    model_path: with or without one of the endings; or a folder, or the prefix of an inference
    model, which give parameters. keep_name_table: keep the table of the parameters' names. Raises
    FileError where there is neither, or one is damaged.
    """
    name = path_text(model_path)
    prefix = name.removesuffix(PARAMETERS).removesuffix(OPTIMIZER)
    options = {"return_numpy": True, "keep_name_table": keep_name_table}
    parameters = optimizer = None
    if Path(prefix + OPTIMIZER).is_file():
        optimizer = load(prefix + OPTIMIZER, **options)
    if Path(prefix + PARAMETERS).is_file():
        parameters = load(prefix + PARAMETERS, **options)
    elif optimizer is None:
        if not Path(name).is_dir() and not Path(f"{name}.pdmodel").is_file():
            raise FileError(
                f"there is neither {prefix}{PARAMETERS} nor {prefix}{OPTIMIZER}",
                cure=f"check the path; the working directory is {Path.cwd()}",
            )
        parameters = load(name)
    return parameters, optimizer


__all__ = ["load_dygraph", "save_dygraph"]
