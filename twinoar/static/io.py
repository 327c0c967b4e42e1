"""`paddle.static.io`: Programs and Variables in files."""

# ruff: noqa: F401  # what is imported is what is exported

from twinoar.core.public import exported
from twinoar.static.inference_io import (
    deserialize_persistables,
    deserialize_program,
    load,
    load_from_file,
    load_inference_model,
    load_program_state,
    normalize_program,
    save,
    save_inference_model,
    save_to_file,
    serialize_persistables,
    serialize_program,
    set_program_state,
)
from twinoar.static.vars_io import is_persistable, load_vars, save_vars

__all__ = exported(globals())
