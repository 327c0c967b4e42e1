"""Transforms: the functions on images as objects, and how they are put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.core.op.explain import Told
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError, UnsupportedError
from twinoar.ops.shape.reshape import transpose
from twinoar.vision.image import is_pillow_image
from twinoar.vision.transforms import functional


class Compose:
    """Transforms one after the other.

    An exception in one of them is passed on with a note that says in which.

    >>> Compose([Resize(4), ToTensor()])(np.zeros((8, 8, 3), "uint8")).shape
    [3, 4, 4]
    """

    def __init__(self, transforms: Sequence[Callable[[Any], Any]]) -> None:
        self.transforms = transforms

    def __call__(self, data: Any) -> Any:
        for number, transform in enumerate(self.transforms):
            try:
                data = transform(data)
            except Exception as error:
                error.add_note(f"in transform {number} of Compose, {transform!r}")
                raise
        return data

    def __repr__(self) -> str:
        lines = [f"    {transform!r}" for transform in self.transforms]
        return "\n".join([f"{type(self).__name__}(", *lines, ")"])


class BaseTransform(Told):
    """Base of transforms of images and of what belongs to them, such as boxes.

    keys: what the parts of a tuple of inputs are, ("image",) by default; part i goes to
    `_apply_<key i>`, which the subclass defines, and parts without a key are passed on. An input
    that is no tuple is one part. `_get_params(inputs)`, called first, gives `self.params`: what is
    random is drawn there, so that all parts get the same.
    Raises UnsupportedError for a key without a method.

    >>> class Invert(BaseTransform):
    ...     def _apply_image(self, image):
    ...         return 255 - image
    >>> Invert()(np.array([[0, 5]], "uint8"))
    array([[255, 250]], dtype=uint8)
    >>> Invert()((np.array([[0, 5]], "uint8"), "label"))[1]
    'label'
    """

    def __init__(self, keys: Sequence[str] | None = None) -> None:
        if keys is not None and (isinstance(keys, str) or not isinstance(keys, Sequence)):
            raise TypeMismatchError(
                f"expected keys to be a sequence of names, received {keys!r}", cure="('image',)"
            )
        self.keys = ("image",) if keys is None else keys
        self.params: Any = None
        for key in self.keys:
            self._get_apply(key)

    def __call__(self, inputs: Any) -> Any:
        if not isinstance(inputs, tuple):
            self.params = self._get_params((inputs,))
            return self._get_apply(self.keys[0])(inputs) if self.keys else inputs
        self.params = self._get_params(inputs)
        keyed = zip(self.keys, inputs, strict=False)
        outputs = tuple([self._get_apply(key)(part) for key, part in keyed])
        return outputs + inputs[len(self.keys) :]

    def __repr__(self) -> str:
        settings = {k: v for k, v in vars(self).items() if k not in ("keys", "params")}
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in settings.items())})"

    def _get_params(self, inputs: tuple[Any, ...]) -> Any:
        return None

    def _get_apply(self, key: str) -> Callable[[Any], Any]:
        apply = getattr(self, "_apply_image" if key == "image" else f"_apply_{key}", None)
        if apply is None:
            name = type(self).__name__
            raise UnsupportedError(f"{name} has no _apply_{key}", cure=f"define it in {name}")
        return apply

    def _apply_image(self, image: Any) -> Any:
        name = type(self).__name__
        raise UnsupportedError(f"{name} has no _apply_image", cure=f"define it in {name}")


class ToTensor(BaseTransform):
    """An image as a Tensor: see `functional.to_tensor`.

    >>> ToTensor()(np.full((2, 3, 4), 255, "uint8")).shape
    [4, 2, 3]
    """

    def __init__(self, data_format: str = "CHW", keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.data_format = data_format

    def _apply_image(self, img: Any) -> Any:
        return functional.to_tensor(img, self.data_format)


class Normalize(BaseTransform):
    """(image - mean) / std: see `functional.normalize`. One number stands for three channels.

    >>> Normalize(mean=[127.5], std=[127.5])(np.full((1, 2, 2), 255.0))
    array([[[1., 1.],
            [1., 1.]]])
    """

    def __init__(
        self,
        mean: float | Sequence[float] = 0.0,
        std: float | Sequence[float] = 1.0,
        data_format: str = "CHW",
        to_rgb: bool = False,
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        self.mean = [mean] * 3 if isinstance(mean, (int, float)) else mean
        self.std = [std] * 3 if isinstance(std, (int, float)) else std
        self.data_format, self.to_rgb = data_format, to_rgb

    def _apply_image(self, img: Any) -> Any:
        return functional.normalize(img, self.mean, self.std, self.data_format, self.to_rgb)


class Resize(BaseTransform):
    """An image in another size: see `functional.resize`.

    >>> Resize((20, 30))(np.zeros((40, 50), "uint8")).shape
    (20, 30)
    """

    def __init__(
        self,
        size: int | Sequence[int],
        interpolation: str = "bilinear",
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        if not isinstance(size, int) and (not isinstance(size, Sequence) or len(size) != 2):
            raise ArgumentError(
                f"expected size to be an integer or a pair (height, width), received {size!r}",
                cure="pass a number of pixels, such as 224",
            )
        self.size, self.interpolation = size, interpolation

    def _apply_image(self, img: Any) -> Any:
        return functional.resize(img, self.size, self.interpolation)


class Transpose(BaseTransform):
    """The axes of an image in another order, (2, 0, 1) making [C,H,W] of [H,W,C].

    A Pillow image becomes an ndarray; [H,W] gets an axis of one channel first.

    >>> Transpose()(np.zeros((2, 3, 4))).shape
    (4, 2, 3)
    """

    def __init__(self, order: Sequence[int] = (2, 0, 1), keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.order = order

    def _apply_image(self, img: Any) -> Any:
        if isinstance(img, Value):
            return transpose(img, list(self.order))
        pixels = np.asarray(img) if is_pillow_image(img) else img
        if pixels.ndim == 2:
            pixels = pixels[..., None]
        if pixels.ndim != len(self.order):
            raise ShapeError(
                f"expected an image of {len(self.order)} axes, received shape {list(pixels.shape)}"
            )
        return pixels.transpose(self.order)
