"""Transforms of images: as objects here, as functions in `functional` and here."""

from twinoar.core.public import exported
from twinoar.vision.transforms.coloring import (
    BrightnessTransform,
    ColorJitter,
    ContrastTransform,
    Grayscale,
    HueTransform,
    SaturationTransform,
)
from twinoar.vision.transforms.framing import (
    CenterCrop,
    Pad,
    RandomCrop,
    RandomErasing,
    RandomHorizontalFlip,
    RandomResizedCrop,
    RandomVerticalFlip,
)
from twinoar.vision.transforms.functional import (
    adjust_brightness,
    adjust_contrast,
    adjust_hue,
    affine,
    center_crop,
    crop,
    erase,
    hflip,
    normalize,
    pad,
    perspective,
    resize,
    rotate,
    to_grayscale,
    to_tensor,
    vflip,
)
from twinoar.vision.transforms.transform import (
    BaseTransform,
    Compose,
    Normalize,
    Resize,
    ToTensor,
    Transpose,
)
from twinoar.vision.transforms.warping import RandomAffine, RandomPerspective, RandomRotation

__all__ = exported(globals())
