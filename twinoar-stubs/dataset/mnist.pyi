"""Handwritten digits: samples (image, label), the image 784 floats in [-1, 1], the label an int."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

def test() -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the 10,000 digits to test with"""
def train() -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the 60,000 digits to train with"""
