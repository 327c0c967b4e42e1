"""Text as words of a model and back, by the `tokenizer.json` of its folder: byte-pair encoding."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

FILE: builtins.str
from twinoar.pretrained import Tokenizer as Tokenizer
