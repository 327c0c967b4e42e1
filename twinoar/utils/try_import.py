"""Modules that may be missing."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from twinoar.errors import MissingModuleError


def try_import(module_name: str, err_msg: str | None = None) -> ModuleType:
    """The module of that name. Raises MissingModuleError, saying `err_msg`, where it is missing.

    >>> try_import("json").dumps([1])
    '[1]'
    """
    try:
        return import_module(module_name)
    except ImportError as error:
        package = module_name.partition(".")[0]
        raise MissingModuleError(
            err_msg or f"{module_name} is not installed", cure=f"pip install {package}"
        ) from error
