"""Saved models by folder and names of files, as PaddleSlim's functions are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from twinoar.core.ir.program import State
from twinoar.errors import FileError
from twinoar.static.executor import Executor
from twinoar.static.inference_io import load_inference_model as load_saved
from twinoar.static.scope import Scope, scope_guard

MODEL, PARAMS = "model.pdmodel", "model.pdiparams"


def get_model_dir(
    model_dir: str, model_filename: str | None = None, params_filename: str | None = None
) -> tuple[str, str, str]:
    """The folder of a model and the names of its files, those of Paddle by default.

    >>> get_model_dir("net/")
    ('net', 'model.pdmodel', 'model.pdiparams')
    """
    return model_dir.rstrip("/"), model_filename or MODEL, params_filename or PARAMS


def load_inference_model(
    path_prefix: str,
    executor: Any = None,
    model_filename: str | None = None,
    params_filename: str | None = None,
) -> list[Any]:
    """[Program, names of inputs, results] of a model in a folder, or of a prefix.

    Values go into the current scope. Raises FileError where there is none.
    """
    folder = Path(path_prefix)
    name = (model_filename or MODEL).removesuffix(".pdmodel")
    runner = executor or Executor()
    if not folder.is_dir():
        return load_saved(str(folder), runner)
    if (folder / f"{name}.pdmodel").exists():
        return load_saved(str(folder / name), runner)
    if model_filename is None:
        raise FileError(
            f"{folder} has no {MODEL}", cure="name the file of the model in model_filename"
        )
    return load_saved(
        str(folder), runner, model_filename=model_filename, params_filename=params_filename
    )


def get_feed_vars(
    model_dir: str, model_filename: str | None = None, params_filename: str | None = None
) -> list[str]:
    """The names of the inputs of a model. Raises FileError."""
    with scope_guard(Scope()):
        found: list[str] = load_inference_model(model_dir, None, model_filename, params_filename)[1]
    return found


def weights_of(program: Any, *dimensions: int) -> list[str]:
    """The names of the weights of products that have so many dimensions, in order.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     y = static.nn.fc(static.data("x", [None, 4]), 2)
    ...     weights_of(static.default_main_program(), 2)[0].startswith("fc")
    True
    """
    operators = [o for o in program.main.ops if len(o.operands) > 1 and not o.blocks]
    read = [o.operands[1] for o in operators]
    found = [x for x in read if isinstance(x, State) and len(x.shape) in dimensions]
    return list(dict.fromkeys(x.name for x in found if not x.is_constant))
