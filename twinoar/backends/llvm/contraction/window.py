"""The tables of a convolution and of its gradients.

Images get a border of zeros where windows hang over the edge, so that every window is a sum of
offsets: that of the pixel where it begins and that of the place inside it.
"""

from __future__ import annotations

import numpy as np

from twinoar.backends.llvm.contraction.table import Contraction, Lie, Sizes, offsets, spread
from twinoar.core.op.library import Convolution
from twinoar.late import dataclass

Border = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Rows:
    """A copy with a border, row by row: see COPY_WORDS of `pack`. sources count from `first` on."""

    targets: np.ndarray
    sources: np.ndarray
    before: int
    count: int
    total: int
    step: int
    first: int = 0


def bordered(image: Lie, border: Border) -> Lie:
    """A dense array with a wider edge: before and after each spatial axis, in the same order."""
    shape = list(image.shape)
    for d, (before, after) in enumerate(border, 2):
        shape[d] += before + after
    strides, step = [0] * len(shape), 1
    for d in reversed(image.order):
        strides[d] = step
        step *= shape[d]
    return Lie(tuple(shape), tuple(strides))


def bordered_rows(image: Lie, border: Border) -> Rows:
    """How an image is copied into `bordered(image, border)`."""
    wide = bordered(image, border)
    edges = ((0, 0), (0, 0), *border)
    *outer, inner = image.order
    lost = -image.extent * len(outer)
    sources = []
    for d in outer:
        before, after = edges[d]
        places = offsets(image.axis(d))
        sources.append(np.pad(places - places.min(), (before, after), constant_values=lost))
    found = spread(*sources)
    return Rows(
        targets=offsets(*(wide.axis(d) for d in outer)),
        sources=np.where(found < 0, -1, found),
        before=edges[inner][0],
        count=image.shape[inner],
        total=wide.shape[inner],
        step=image.strides[inner],
        first=sum(int(offsets(image.axis(d)).min()) for d in outer),
    )


def forward_border(asked: Convolution) -> Border:
    """The border that x needs, forward and for the gradient of the weights."""
    return tuple(zip(asked.padding[::2], asked.padding[1::2], strict=True))


def forward(asked: Convolution, x: Lie, weight: Lie, y: Lie) -> Contraction:
    """y from x with its border: rows are pixels, columns filters, and k a channel and a place."""
    groups, filters = asked.groups, y.shape[1] // asked.groups
    channels, places = weight.shape[1], weight.shape[2:]
    return Contraction(
        a_batch=offsets((groups, channels * x.strides[1])),
        a_rows=offsets(x.axis(0), *zip(y.shape[2:], _scaled(x, asked.strides), strict=True)),
        a_inner=offsets(
            (channels, x.strides[1]), *zip(places, _scaled(x, asked.dilation), strict=True)
        ),
        b_batch=offsets((groups, filters * weight.strides[0])),
        b_inner=offsets(*(weight.axis(d) for d in range(1, len(weight.shape)))),
        b_columns=offsets((filters, weight.strides[0])),
        c_batch=offsets((groups, filters * y.strides[1])),
        c_rows=offsets(*(y.axis(d) for d in range(len(y.shape)) if d != 1)),
        c_columns=offsets((filters, y.strides[1])),
    )


def backward_weights(asked: Convolution, x: Lie, y: Lie, weight: Lie) -> Contraction:
    """The weights' gradient from x with its border and y's: k is a pixel of y.

    Rows are in the order in which x lies, so that a tile's elements of it are neighbors.
    """
    f = forward(asked, x, weight, y)
    order = np.argsort(f.a_inner, kind="stable")
    return Contraction(
        a_batch=f.a_batch,
        a_rows=f.a_inner[order],
        a_inner=f.a_rows,
        b_batch=f.c_batch,
        b_inner=f.c_rows,
        b_columns=f.c_columns,
        c_batch=f.b_batch,
        c_rows=f.b_inner[order],
        c_columns=f.b_columns,
    )


@dataclass(frozen=True)
class Axis:
    """What one spatial axis of x gets from y, for the pixels first, first + stride, ...

    places: of the weight. begins: for each place, the pixel of y that the first of these pixels
    gets; the next gets the next one.
    """

    first: int
    count: int
    places: Sizes
    begins: Sizes


def backward_axes(asked: Convolution, axis: int, size: int, places: int) -> list[Axis]:
    """Pixels that lie the same way to the windows, `stride` kinds of them."""
    stride, dilation = asked.strides[axis], asked.dilation[axis]
    found = []
    for first in range(min(stride, size)):
        reach = {p: first + asked.padding[2 * axis] - p * dilation for p in range(places)}
        kept = {p: r // stride for p, r in reach.items() if r % stride == 0}
        count = -(-(size - first) // stride)
        found.append(Axis(first, count, tuple(kept), tuple(kept.values())))
    return found


def backward_border(asked: Convolution, y: Lie, weight: Lie, x: Lie) -> Border:
    """The border that y's gradient needs."""
    border = []
    for d, size in enumerate(x.shape[2:]):
        kinds = [k for k in backward_axes(asked, d, size, weight.shape[2 + d]) if k.places]
        before = max([0, *(-min(k.begins) for k in kinds)])
        ends = (max(k.begins) + k.count - y.shape[2 + d] for k in kinds)
        border.append((before, max([0, *ends])))
    return tuple(border)


def backward_data(
    asked: Convolution, y: Lie, weight: Lie, x: Lie, border: Border
) -> list[Contraction]:
    """x's gradient from y's with its border: one Contraction for each kind of pixels."""
    kinds: list[tuple[Axis, ...]] = [()]
    for d, size in enumerate(x.shape[2:]):
        axes = backward_axes(asked, d, size, weight.shape[2 + d])
        kinds = [(*kind, axis) for kind in kinds for axis in axes]
    return [_backward_kind(asked, (y, weight, x), border, kind) for kind in kinds]


def _backward_kind(
    asked: Convolution, lies: tuple[Lie, Lie, Lie], border: Border, kind: tuple[Axis, ...]
) -> Contraction:
    y, weight, x = lies
    filters, channels = weight.shape[0] // asked.groups, weight.shape[1]
    steps = zip((a.count for a in kind), y.strides[2:], strict=True)
    begins = [
        (np.array(a.begins, np.int64) + before) * stride
        for a, (before, _), stride in zip(kind, border, y.strides[2:], strict=True)
    ]
    places = [
        np.array(a.places, np.int64) * stride
        for a, stride in zip(kind, weight.strides[2:], strict=True)
    ]
    pixels = [
        (a.first + np.arange(a.count) * step) * stride
        for a, step, stride in zip(kind, asked.strides, x.strides[2:], strict=True)
    ]
    return Contraction(
        a_batch=offsets((asked.groups, filters * y.strides[1])),
        a_rows=offsets(y.axis(0), *steps),
        a_inner=spread(offsets((filters, y.strides[1])), *begins),
        b_batch=offsets((asked.groups, filters * weight.strides[0])),
        b_inner=spread(offsets((filters, weight.strides[0])), *places),
        b_columns=offsets((channels, weight.strides[1])),
        c_batch=offsets((asked.groups, channels * x.strides[1])),
        c_rows=spread(offsets(x.axis(0)), *pixels),
        c_columns=offsets((channels, x.strides[1])),
    )


def _scaled(image: Lie, factors: Sizes) -> list[int]:
    """The strides of steps of several pixels along each spatial axis."""
    return [factor * s for factor, s in zip(factors, image.strides[2:], strict=True)]
