"""Paddle Serving's names over this server: models converted, served and asked as it does."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

