"""Registries, by PaddleSlim's name."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

class Registry:
    """What is registered under a name, by the name of each."""
    def __init__(self, name: builtins.str) -> None: ...
    def get(self, key: builtins.str) -> Any:
        """What is registered as `key`, or None."""
    def register(self, cls: Any) -> Any:
        """Decorator: keep a class or function by its name"""
    name: builtins.str
    module_dict: builtins.dict[builtins.str, Any]
