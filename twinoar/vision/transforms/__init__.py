"""Transforms of images: as objects here, as functions in `functional` and here."""

from twinoar.vision.transforms.functional import normalize, resize, to_tensor
from twinoar.vision.transforms.transform import (
    BaseTransform,
    Compose,
    Normalize,
    Resize,
    ToTensor,
    Transpose,
)

__all__ = [
    "BaseTransform",
    "Compose",
    "Normalize",
    "Resize",
    "ToTensor",
    "Transpose",
    "normalize",
    "resize",
    "to_tensor",
]
