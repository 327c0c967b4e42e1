"""The kinds of layers that slide windows: convolutions, pooling, padding, scaling up.

Channels come last, as Keras has them by default. "same" padding hangs on the size: what is left
over goes behind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.errors import UnsupportedError
from twinoar.nn import functional as F
from twinoar.pretrained.keras.setting import Arrays, Function, Part, Settings, kind, take

FORMATS: dict[int, tuple[str, str]] = {
    1: ("NLC", "NCL"),
    2: ("NHWC", "NCHW"),
    3: ("NDHWC", "NCDHW"),
}
CONVOLUTIONS: dict[int, Callable[..., Any]] = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
TRANSPOSED: dict[int, Callable[..., Any]] = {
    1: F.conv1d_transpose,
    2: F.conv2d_transpose,
    3: F.conv3d_transpose,
}
MAXIMA: dict[int, Callable[..., Any]] = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}
MEANS: dict[int, Callable[..., Any]] = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}


def spread(size: Any, kernel: int, stride: int, dilation: int = 1) -> tuple[int, int]:
    """What "same" adds before and after an axis, so that ceil(size / stride) windows fit."""
    reach = (kernel - 1) * dilation + 1
    if stride == 1:
        total = reach - 1
    elif isinstance(size, int):
        total = max((-(-size // stride) - 1) * stride + reach - size, 0)
    else:
        raise UnsupportedError(
            f'padding="same" with a stride of {stride} needs the size of the image',
            cure="give the size as a number in the InputSpec",
        )
    return total // 2, total - total // 2


def sizes_of(x: Any, is_first: bool) -> list[Any]:
    return list(x.shape[2:] if is_first else x.shape[1:-1])


def around(paddings: list[tuple[int, int]], is_first: bool) -> list[int]:
    """Two numbers for each axis, from the first on."""
    inner = [n for pair in paddings for n in pair]
    return [0, 0, 0, 0, *inner] if is_first else [0, 0, *inner, 0, 0]


class Convolution(Part):
    """A convolution, its bias and activation; or one of each channel, and one of all after it."""

    def __init__(self, settings: Settings, rank: int):
        super().__init__()
        self.rank, self.is_first = rank, settings.is_channels_first()
        self.kernel_size = settings.sizes("kernel_size", rank)
        self.stride = settings.sizes("strides", rank)
        self.dilation = settings.sizes("dilation_rate", rank)
        allowed = ("valid", "same", "causal") if rank == 1 else ("valid", "same")
        self.padding = settings.choice("padding", allowed, "valid")
        self.groups = settings.count("groups") if "groups" in settings else 1
        self.activation = settings.function()
        self.has_bias = settings.flag("use_bias", True)

    def forward(self, x: Any) -> Any:
        x = self.padded(x)
        format = FORMATS[self.rank][self.is_first]
        run = CONVOLUTIONS[self.rank]
        first = None if self.pointwise is not None else self.bias
        x = run(x, self.kernel, first, list(self.stride), 0, list(self.dilation), self.groups,
                data_format=format)  # fmt: skip
        if self.pointwise is not None:
            x = run(x, self.pointwise, self.bias, data_format=format)
        return self.activation(x)

    def padded(self, x: Any) -> Any:
        if self.padding == "valid":
            return x
        settings = zip(
            sizes_of(x, self.is_first), self.kernel_size, self.stride, self.dilation, strict=True
        )
        paddings = [spread(*each) for each in settings]
        if self.padding == "causal":
            paddings = [((self.kernel_size[0] - 1) * self.dilation[0], 0)]
        return F.pad(x, around(paddings, self.is_first)) if any(map(any, paddings)) else x


def _kernel(array: np.ndarray) -> np.ndarray:
    """[*,in,out] as [out,in,*]."""
    return np.moveaxis(array, (-1, -2), (0, 1))


def _each(array: np.ndarray) -> np.ndarray:
    """[*,in,times] as [in*times,1,*]."""
    moved = np.moveaxis(array, (-2, -1), (0, 1))
    return moved.reshape(-1, 1, *array.shape[:-2])


def _convolution(rank: int) -> Callable[[Settings, Arrays], Part]:
    def make(settings: Settings, arrays: Arrays) -> Part:
        made, filters = Convolution(settings, rank), settings.count("filters")
        settings.refuse(lora_rank=None)
        settings.read.update(("lora_alpha",))
        bias = (filters,) if made.has_bias else None
        kernel, *rest = take(settings, arrays, (*made.kernel_size, None, filters), bias)
        made.kernel = made.weight("kernel", kernel, _kernel)
        made.bias = made.weight("bias", rest[0]) if made.has_bias else None
        made.pointwise = None
        return made

    return make


def _depthwise(rank: int, separable: bool) -> Callable[[Settings, Arrays], Part]:
    def make(settings: Settings, arrays: Arrays) -> Part:
        made, times = Convolution(settings, rank), settings.count("depth_multiplier")
        shapes = [(*made.kernel_size, None, times)]
        filters = settings.count("filters") if separable else None
        if separable:
            shapes.append((*[1] * rank, None, filters))
        kernel, *rest = take(settings, arrays, *shapes, (filters,) if made.has_bias else None)
        made.groups = kernel.shape[-2]
        made.kernel = made.weight("kernel", kernel, _each)
        made.pointwise = made.weight("pointwise", rest.pop(0), _kernel) if separable else None
        made.bias = made.weight("bias", rest[0]) if made.has_bias else None
        return made

    return make


class Transposed(Convolution):
    """A transposed convolution: the whole, of which "same" keeps size * stride from the middle."""

    def forward(self, x: Any) -> Any:
        more = [max(s - k, 0) for s, k in zip(self.stride, self.kernel_size, strict=True)]
        sizes = [n * s for n, s in zip(sizes_of(x, self.is_first), self.stride, strict=True)]
        x = TRANSPOSED[self.rank](
            x, self.kernel, self.bias, list(self.stride), 0, more,
            data_format=FORMATS[self.rank][self.is_first],
        )  # fmt: skip
        if self.padding == "same":
            for axis, (size, k, s) in enumerate(
                zip(sizes, self.kernel_size, self.stride, strict=True), 2 if self.is_first else 1
            ):
                start = max(k - s, 0) // 2
                x = x[(*[slice(None)] * axis, slice(start, start + size))]
        return self.activation(x)


def _transposed(rank: int) -> Callable[[Settings, Arrays], Part]:
    def make(settings: Settings, arrays: Arrays) -> Part:
        made, filters = Transposed(settings, rank), settings.count("filters")
        settings.refuse(output_padding=None, dilation_rate=[1] * rank)
        bias = (filters,) if made.has_bias else None
        kernel, *rest = take(settings, arrays, (*made.kernel_size, filters, None), bias)
        made.kernel = made.weight("kernel", kernel, _kernel)  # [*,out,in] as [in,out,*]
        made.bias = made.weight("bias", rest[0]) if made.has_bias else None
        return made

    return make


class Pool(Part):
    """The largest, or the mean, of windows; padding counts for neither."""

    def __init__(self, settings: Settings, rank: int, is_mean: bool):
        super().__init__()
        self.rank, self.is_mean, self.is_first = rank, is_mean, settings.is_channels_first()
        self.kernel_size = settings.sizes("pool_size", rank)
        given = settings.has("strides")
        self.stride = settings.sizes("strides", rank) if given else self.kernel_size
        self.padding = settings.choice("padding", ("valid", "same"), "valid")

    def forward(self, x: Any) -> Any:
        if not self.is_first:  # pooling of our layers along one axis has channels first
            x = x.transpose([0, x.ndim - 1, *range(1, x.ndim - 1)])
        paddings = [(0, 0)] * self.rank
        if self.padding == "same":
            settings = zip(x.shape[2:], self.kernel_size, self.stride, strict=True)
            paddings = [spread(*each) for each in settings]
        if any(map(any, paddings)) and not self.is_mean:
            x, paddings = F.pad(x, around(paddings, True), value=-np.inf), [(0, 0)]
        flat = [n for pair in paddings for n in pair] if any(map(any, paddings)) else 0
        run = MEANS if self.is_mean else MAXIMA
        x = run[self.rank](x, list(self.kernel_size), list(self.stride), flat)
        return x if self.is_first else x.transpose([0, *range(2, x.ndim), 1])


def _global(rank: int, is_mean: bool) -> Callable[[Settings, Arrays], Part]:
    def make(settings: Settings, arrays: Arrays) -> Part:
        first, keep = settings.is_channels_first(), settings.flag("keepdims", False)
        axes = list(range(2, rank + 2)) if first else list(range(1, rank + 1))
        by = (lambda x: x.mean(axes, keep)) if is_mean else (lambda x: x.amax(axes, keep))
        return Function(by)

    return make


def _pool(rank: int, is_mean: bool) -> Callable[[Settings, Arrays], Part]:
    return lambda settings, arrays: Pool(settings, rank, is_mean)


for rank in (1, 2, 3):
    kind(f"Conv{rank}D", f"Convolution{rank}D")(_convolution(rank))
    kind(f"Conv{rank}DTranspose")(_transposed(rank))
    kind(f"MaxPooling{rank}D", f"MaxPool{rank}D")(_pool(rank, False))
    kind(f"AveragePooling{rank}D", f"AvgPool{rank}D")(_pool(rank, True))
    kind(f"GlobalMaxPooling{rank}D", f"GlobalMaxPool{rank}D")(_global(rank, False))
    kind(f"GlobalAveragePooling{rank}D", f"GlobalAvgPool{rank}D")(_global(rank, True))
for rank in (1, 2):
    kind(f"DepthwiseConv{rank}D")(_depthwise(rank, separable=False))
    kind(f"SeparableConv{rank}D")(_depthwise(rank, separable=True))


def _margins(settings: Settings, name: str, rank: int) -> list[tuple[int, int]]:
    """Numbers before and after each axis, of one number, a number or two for each axis."""
    value: Any = settings[name]
    values: Any = [value] * rank if type(value) is int else value
    if rank == 1 and isinstance(value, list | tuple) and len(value) == 2:
        values = [value]
    pairs = [(n, n) if type(n) is int else tuple(n) for n in values]
    if len(pairs) != rank or not all(len(p) == 2 and min(p) >= 0 for p in pairs):
        raise UnsupportedError(f"{settings.layer}: {name}={str(value)[:80]} is not read")
    return [(int(a), int(b)) for a, b in pairs]


def _zeros(rank: int) -> Callable[[Settings, Arrays], Part]:
    def make(settings: Settings, arrays: Arrays) -> Part:
        padding = around(_margins(settings, "padding", rank), settings.is_channels_first())
        return Function(lambda x: F.pad(x, padding))

    return make


def _cropped(rank: int) -> Callable[[Settings, Arrays], Part]:
    def make(settings: Settings, arrays: Arrays) -> Part:
        margins, first = _margins(settings, "cropping", rank), settings.is_channels_first()
        cuts = [slice(a, -b if b else None) for a, b in margins]
        index = (*[slice(None)] * (2 if first else 1), *cuts)
        return Function(lambda x: x[index])

    return make


for rank in (1, 2, 3):
    kind(f"ZeroPadding{rank}D")(_zeros(rank))
    kind(f"Cropping{rank}D")(_cropped(rank))


@kind("UpSampling1D")
def _(settings: Settings, arrays: Arrays) -> Part:
    times = settings.count("size")
    return Function(lambda x: x.repeat_interleave(times, 1))


@kind("UpSampling2D")
def _(settings: Settings, arrays: Arrays) -> Part:
    times, first = settings.sizes("size", 2), settings.is_channels_first()
    mode = settings.choice("interpolation", ("nearest", "bilinear"), "nearest")
    format = FORMATS[2][first]
    return Function(
        lambda x: F.interpolate(x, scale_factor=list(times), mode=mode, data_format=format)
    )
