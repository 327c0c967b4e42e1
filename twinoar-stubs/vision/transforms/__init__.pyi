"""Transforms of images: as objects here, as functions in `functional` and here."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.vision.transforms
from typing import Any, Literal, overload

import numpy as _numpy

class BaseTransform:
    """Base of transforms of images and of what belongs to them, such as boxes."""
    def __init__(self, keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    def __call__(self, inputs: Any) -> Any: ...
    keys: Any
    params: Any
class BrightnessTransform(twinoar.vision.transforms.BaseTransform):
    """An image brighter or darker by a factor of at most 1 + value, at least 1 - value."""
    def __init__(self, value: Any, keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    value: Any
class CenterCrop(twinoar.vision.transforms.BaseTransform):
    """The middle of an image: see `functional.center_crop`."""
    def __init__(self, size: Any, keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    size: Any
class ColorJitter(twinoar.vision.transforms.BaseTransform):
    """Brightness, contrast, saturation and hue changed at random, in an order drawn at random."""
    def __init__(self, brightness: Any = 0, contrast: Any = 0, saturation: Any = 0, hue: Any = 0, keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    brightness: builtins.float | collections.abc.Sequence[builtins.float]
    contrast: builtins.float | collections.abc.Sequence[builtins.float]
    saturation: builtins.float | collections.abc.Sequence[builtins.float]
    hue: builtins.float | collections.abc.Sequence[builtins.float]
class Compose:
    """Transforms one after the other."""
    def __init__(self, transforms: collections.abc.Sequence[collections.abc.Callable[[Any], Any]]) -> None: ...
    def __call__(self, data: Any) -> Any: ...
    transforms: collections.abc.Sequence[collections.abc.Callable[[Any], Any]]
class ContrastTransform(twinoar.vision.transforms.BaseTransform):
    """An image with more or less contrast, by a factor as of BrightnessTransform."""
    def __init__(self, value: Any, keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    value: Any
class Grayscale(twinoar.vision.transforms.BaseTransform):
    """A gray image: see `functional.to_grayscale`."""
    def __init__(self, num_output_channels: Any = 1, keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    num_output_channels: builtins.int
class HueTransform(twinoar.vision.transforms.BaseTransform):
    """An image whose colors are turned by at most value of the color circle."""
    def __init__(self, value: Any, keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    value: Any
class Normalize(twinoar.vision.transforms.BaseTransform):
    """(image - mean) / std: see `functional.normalize`"""
    def __init__(self, mean: Any = ..., std: Any = ..., data_format: builtins.str = 'CHW', to_rgb: builtins.bool = False, keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    mean: Any
    std: Any
    data_format: builtins.str
    to_rgb: builtins.bool
class Pad(twinoar.vision.transforms.BaseTransform):
    """An image with borders: see `functional.pad`."""
    def __init__(self, padding: Any, fill: Any = 0, padding_mode: Literal['constant', 'edge', 'reflect', 'symmetric'] = 'constant', keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    padding: builtins.int | collections.abc.Sequence[builtins.int]
    fill: builtins.float | collections.abc.Sequence[builtins.float]
    padding_mode: Literal['constant', 'edge', 'reflect', 'symmetric']
class RandomAffine(twinoar.vision.transforms.BaseTransform):
    """An image turned, moved, scaled and sheared at random: see `functional.affine`."""
    def __init__(self, degrees: Any, translate: collections.abc.Sequence[Any] | None = None, scale: collections.abc.Sequence[Any] | None = None, shear: Any = None, interpolation: builtins.str = 'nearest', fill: Any = 0, center: collections.abc.Sequence[Any] | None = None, keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    degrees: Any
    translate: collections.abc.Sequence[builtins.float] | None
    scale: collections.abc.Sequence[builtins.float] | None
    shear: Any
    interpolation: builtins.str
    fill: builtins.float | collections.abc.Sequence[builtins.float]
    center: collections.abc.Sequence[builtins.float] | None
class RandomCrop(twinoar.vision.transforms.BaseTransform):
    """A part of an image at a place drawn at random."""
    def __init__(self, size: Any, padding: Any = None, pad_if_needed: builtins.bool = False, fill: Any = 0, padding_mode: Literal['constant', 'edge', 'reflect', 'symmetric'] = 'constant', keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    size: Any
    padding: builtins.int | collections.abc.Sequence[builtins.int] | None
    pad_if_needed: builtins.bool
    fill: builtins.float | collections.abc.Sequence[builtins.float]
    padding_mode: Literal['constant', 'edge', 'reflect', 'symmetric']
class RandomErasing(twinoar.vision.transforms.BaseTransform):
    """An image in which a rectangle drawn at random is overwritten, with the probability prob."""
    def __init__(self, prob: Any = ..., scale: collections.abc.Sequence[Any] = ..., ratio: collections.abc.Sequence[Any] = ..., value: Any = 0, inplace: builtins.bool = False, keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    prob: Any
    scale: collections.abc.Sequence[builtins.float]
    ratio: collections.abc.Sequence[builtins.float]
    value: builtins.float | collections.abc.Sequence[builtins.float] | builtins.str
    inplace: builtins.bool
class RandomHorizontalFlip(twinoar.vision.transforms.BaseTransform):
    """An image with left and right exchanged, with the probability prob."""
    def __init__(self, prob: Any = ..., keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    prob: Any
class RandomPerspective(twinoar.vision.transforms.BaseTransform):
    """An image seen from a side drawn at random, with the probability prob."""
    def __init__(self, prob: Any = ..., distortion_scale: Any = ..., interpolation: builtins.str = 'nearest', fill: Any = 0, keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    prob: Any
    distortion_scale: Any
    interpolation: builtins.str
    fill: builtins.float | collections.abc.Sequence[builtins.float]
class RandomResizedCrop(twinoar.vision.transforms.BaseTransform):
    """A part of an image, of a size and shape drawn at random, in the size `size`."""
    def __init__(self, size: Any, scale: collections.abc.Sequence[Any] = ..., ratio: collections.abc.Sequence[Any] = ..., interpolation: builtins.str = 'bilinear', keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    size: Any
    scale: collections.abc.Sequence[builtins.float]
    ratio: collections.abc.Sequence[builtins.float]
    interpolation: builtins.str
class RandomRotation(twinoar.vision.transforms.BaseTransform):
    """An image turned by an angle drawn at random: see `functional.rotate`."""
    def __init__(self, degrees: Any, interpolation: builtins.str = 'nearest', expand: builtins.bool = False, center: collections.abc.Sequence[Any] | None = None, fill: Any = 0, keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    degrees: Any
    interpolation: builtins.str
    expand: builtins.bool
    center: collections.abc.Sequence[builtins.float] | None
    fill: builtins.float | collections.abc.Sequence[builtins.float]
class RandomVerticalFlip(twinoar.vision.transforms.BaseTransform):
    """An image with top and bottom exchanged, with the probability prob."""
    def __init__(self, prob: Any = ..., keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    prob: Any
class Resize(twinoar.vision.transforms.BaseTransform):
    """An image in another size: see `functional.resize`."""
    def __init__(self, size: Any, interpolation: builtins.str = 'bilinear', keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    size: builtins.int | collections.abc.Sequence[builtins.int]
    interpolation: builtins.str
class SaturationTransform(twinoar.vision.transforms.BaseTransform):
    """An image with stronger or weaker colors, by a factor as of BrightnessTransform."""
    def __init__(self, value: Any, keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    value: Any
class ToTensor(twinoar.vision.transforms.BaseTransform):
    """An image as a Tensor: see `functional.to_tensor`."""
    def __init__(self, data_format: builtins.str = 'CHW', keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    data_format: builtins.str
class Transpose(twinoar.vision.transforms.BaseTransform):
    """The axes of an image in another order, (2, 0, 1) making [C,H,W] of [H,W,C]."""
    def __init__(self, order: collections.abc.Sequence[Any] = ..., keys: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    order: collections.abc.Sequence[builtins.int]
@overload
def adjust_brightness(img: Any, brightness_factor: Any) -> Any:
    """An image whose pixels are brightness_factor times as bright: 0 is black, 1 the image."""
@overload
def adjust_brightness(*args: Any, img: Any = ..., brightness_factor: Any = ..., out: Any = ...) -> Any: ...
@overload
def adjust_contrast(img: Any, contrast_factor: Any) -> Any:
    """An image contrast_factor times as far from its average: 0 is gray, 1 the image."""
@overload
def adjust_contrast(*args: Any, img: Any = ..., contrast_factor: Any = ..., out: Any = ...) -> Any: ...
@overload
def adjust_hue(img: Any, hue_factor: Any) -> Any:
    """An image whose colors are turned by hue_factor of the color circle; gray stays."""
@overload
def adjust_hue(*args: Any, img: Any = ..., hue_factor: Any = ..., out: Any = ...) -> Any: ...
@overload
def affine(img: Any, angle: Any, translate: collections.abc.Sequence[Any], scale: Any, shear: Any, interpolation: builtins.str = 'nearest', fill: Any = 0, center: collections.abc.Sequence[Any] | None = None) -> Any:
    """An image sheared, scaled, turned by angle degrees with the clock, and moved, in this order."""
@overload
def affine(*args: Any, img: Any = ..., angle: Any = ..., translate: Any = ..., scale: Any = ..., shear: Any = ..., interpolation: Any = ..., fill: Any = ..., center: Any = ..., out: Any = ...) -> Any: ...
@overload
def center_crop(img: Any, output_size: Any) -> Any:
    """The middle of an image; output_size: (height, width), or both as one number."""
@overload
def center_crop(*args: Any, img: Any = ..., output_size: Any = ..., out: Any = ...) -> Any: ...
@overload
def crop(img: Any, top: Any, left: Any, height: Any, width: Any) -> Any:
    """The part of an image that begins at row top and column left; kinds as of `hflip`."""
@overload
def crop(*args: Any, img: Any = ..., top: Any = ..., left: Any = ..., height: Any = ..., width: Any = ..., out: Any = ...) -> Any: ...
@overload
def erase(img: Any, i: Any, j: Any, h: Any, w: Any, v: Any, inplace: builtins.bool = False) -> Any:
    """An image in which h by w pixels from row i and column j on are v; kinds as of `hflip`."""
@overload
def erase(*args: Any, img: Any = ..., i: Any = ..., j: Any = ..., h: Any = ..., w: Any = ..., v: Any = ..., inplace: Any = ..., out: Any = ...) -> Any: ...
@overload
def hflip(img: Any) -> Any:
    """An image with left and right exchanged."""
@overload
def hflip(*args: Any, img: Any = ..., out: Any = ...) -> Any: ...
@overload
def normalize(img: Any, mean: Any, std: Any, data_format: builtins.str = 'CHW', to_rgb: builtins.bool = False) -> Any:
    """(img - mean) / std, channel by channel."""
@overload
def normalize(*args: Any, img: Any = ..., mean: Any = ..., std: Any = ..., data_format: Any = ..., to_rgb: Any = ..., out: Any = ...) -> Any: ...
@overload
def pad(img: Any, padding: Any, fill: Any = 0, padding_mode: Literal['constant', 'edge', 'reflect', 'symmetric'] = 'constant') -> Any:
    """An image with borders; kinds as of `hflip`."""
@overload
def pad(*args: Any, img: Any = ..., padding: Any = ..., fill: Any = ..., padding_mode: Any = ..., out: Any = ...) -> Any: ...
@overload
def perspective(img: Any, startpoints: collections.abc.Sequence[collections.abc.Sequence[Any]], endpoints: collections.abc.Sequence[collections.abc.Sequence[Any]], interpolation: builtins.str = 'nearest', fill: Any = 0) -> Any:
    """An image seen so that its four startpoints (x, y) come to lie at the endpoints."""
@overload
def perspective(*args: Any, img: Any = ..., startpoints: Any = ..., endpoints: Any = ..., interpolation: Any = ..., fill: Any = ..., out: Any = ...) -> Any: ...
@overload
def resize(img: Any, size: Any, interpolation: builtins.str = 'bilinear') -> Any:
    """An image in another size."""
@overload
def resize(*args: Any, img: Any = ..., size: Any = ..., interpolation: Any = ..., out: Any = ...) -> Any: ...
@overload
def rotate(img: Any, angle: Any, interpolation: builtins.str = 'nearest', expand: builtins.bool = False, center: collections.abc.Sequence[Any] | None = None, fill: Any = 0) -> Any:
    """An image turned by angle degrees, against the clock."""
@overload
def rotate(*args: Any, img: Any = ..., angle: Any = ..., interpolation: Any = ..., expand: Any = ..., center: Any = ..., fill: Any = ..., out: Any = ...) -> Any: ...
@overload
def to_grayscale(img: Any, num_output_channels: Any = 1) -> Any:
    """A gray image; a Pillow image and an ndarray [H,W] or [H,W,1] for one channel."""
@overload
def to_grayscale(*args: Any, img: Any = ..., num_output_channels: Any = ..., out: Any = ...) -> Any: ...
@overload
def to_tensor(pic: Any, data_format: builtins.str = 'CHW') -> twinoar.Tensor:
    """An image as a Tensor [C,H,W], or [H,W,C] with data_format='HWC'."""
@overload
def to_tensor(*args: Any, pic: Any = ..., data_format: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def vflip(img: Any) -> Any:
    """An image with top and bottom exchanged; kinds as of `hflip`."""
@overload
def vflip(*args: Any, img: Any = ..., out: Any = ...) -> Any: ...
