"""Small color images: samples (image, label), the image 3072 floats in [0, 1], the label an int."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

def test10(cycle: builtins.bool = False) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of 10,000 images in 10 classes; cycle: over and over"""
def test100() -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of 10,000 images in 100 classes"""
def train10(cycle: builtins.bool = False) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of 50,000 images in 10 classes; cycle: over and over"""
def train100() -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of 50,000 images in 100 classes"""
