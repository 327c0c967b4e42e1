"""Gradients in a Program: `append_backward` and `gradients`."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.static import append_backward as append_backward
from twinoar.fluid import gradients as gradients
