"""`paddle.distributed.io`: the parameters and moments of a Program, and models, in folders."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.static import is_persistable as is_persistable
def load_inference_model_distributed(dirname: builtins.str, executor: Any, model_filename: builtins.str | None = None, params_filename: builtins.str | None = None, pserver_endpoints: Any = None) -> builtins.list[Any]:
    """Load a model for inference"""
def load_persistables(executor: Any, dirname: builtins.str, main_program: Any = None, filename: builtins.str | None = None) -> None:
    """Load what `save_persistables` has saved."""
def save_persistables(executor: Any, dirname: builtins.str, main_program: Any = None, filename: builtins.str | None = None) -> None:
    """Save what a Program keeps, each in a file by its name, or together in `filename`."""
