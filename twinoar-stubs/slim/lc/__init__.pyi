"""Weights of 4 bits for language models, layer by layer. PaddleSlim's names."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from . import layers as layers
from . import quantizers as quantizers
