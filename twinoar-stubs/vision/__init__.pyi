"""Vision: data sets, transforms, models and operators for images."""

# Written by tools/stubs.py.

import builtins
import os
from typing import Any, Literal, overload

import numpy as _numpy

from . import datasets as datasets
def get_image_backend() -> builtins.str:
    """The name of the form that images have: 'pil' unless `set_image_backend` chose another."""
def image_load(path: builtins.str | os.PathLike[builtins.str], backend: builtins.str | None = None) -> Any:
    """The image in a file, read by Pillow."""
from . import models as models
from . import ops as ops
def set_image_backend(backend: builtins.str) -> None:
    """Choose the form of images: 'pil' (Pillow images), 'cv2' (ndarrays) or 'tensor'."""
from . import transforms as transforms
