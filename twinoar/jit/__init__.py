"""Dynamic code as Programs: to_static, save, load."""

from twinoar.jit.explain import explain
from twinoar.jit.log import set_code_level, set_verbosity
from twinoar.jit.save_load import TranslatedLayer, load, save
from twinoar.jit.switch import enable_to_static
from twinoar.jit.to_static import (
    StaticFunction,
    ignore_module,
    not_to_static,
    to_static,
)

__all__ = [
    "StaticFunction",
    "TranslatedLayer",
    "enable_to_static",
    "explain",
    "ignore_module",
    "load",
    "not_to_static",
    "save",
    "set_code_level",
    "set_verbosity",
    "to_static",
]
