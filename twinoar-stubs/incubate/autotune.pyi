"""Settings of searches for the best kernels, which there are none of here."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

def set_config(config: collections.abc.Mapping[builtins.str, Any] | builtins.str | None = None) -> None:
    """Check settings, a dict or the path of a JSON file, and go on: nothing is searched for."""
