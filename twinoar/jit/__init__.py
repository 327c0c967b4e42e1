"""Dynamic code as Programs: to_static, save, load."""

from twinoar.jit.save_load import TranslatedLayer, load, save
from twinoar.jit.to_static import (
    StaticFunction,
    enable_to_static,
    ignore_module,
    not_to_static,
    to_static,
)

__all__ = [
    "StaticFunction",
    "TranslatedLayer",
    "enable_to_static",
    "ignore_module",
    "load",
    "not_to_static",
    "save",
    "to_static",
]
