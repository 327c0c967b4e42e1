"""`paddle.distributed.io`: the parameters and moments of a Program, and models, in folders."""

from __future__ import annotations

from typing import Any

from twinoar.core.public import declared
from twinoar.distributed.world import ONE_PROCESS
from twinoar.errors import UnsupportedError
from twinoar.static.inference_io import load_inference_model
from twinoar.static.vars_io import is_persistable, load_vars, save_vars


def save_persistables(
    executor: Any, dirname: str, main_program: Any = None, filename: str | None = None
) -> None:
    """Save what a Program keeps, each in a file by its name, or together in `filename`."""
    save_vars(executor, dirname, main_program, predicate=is_persistable, filename=filename)


def load_persistables(
    executor: Any, dirname: str, main_program: Any = None, filename: str | None = None
) -> None:
    """Load what `save_persistables` has saved."""
    load_vars(executor, dirname, main_program, predicate=is_persistable, filename=filename)


def load_inference_model_distributed(
    dirname: str,
    executor: Any,
    model_filename: str | None = None,
    params_filename: str | None = None,
    pserver_endpoints: Any = None,
) -> Any:
    """Load a model for inference. Raises UnsupportedError for parameters that servers hold."""
    if pserver_endpoints:
        raise UnsupportedError(
            f"parameters on {len(pserver_endpoints)} servers: {ONE_PROCESS}",
            cure="leave out pserver_endpoints",
        )
    return load_inference_model(
        dirname, executor, model_filename=model_filename, params_filename=params_filename
    )


__all__ = declared(globals(), "is_persistable")
