"""Blocks: layers of a supernet whose sizes the network around them chooses in each call."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.slim.nas.ofa import BaseBlock as BaseBlock
from twinoar.slim.nas.ofa import Block as Block
