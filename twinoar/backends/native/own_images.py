"""Convolutions of images in loops of our own, with what is done to each sum: forward, in float32.

Two kinds are faster so than by the library: depthwise ones, and those whose results are finished by
steps that it does not do, which would be written and read again.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, Protocol

import numpy as np

from twinoar.backends.llvm.contraction import channelwise, finish, window
from twinoar.backends.llvm.contraction.channelwise import PIXELS, Filter
from twinoar.backends.llvm.contraction.finish import Step
from twinoar.backends.llvm.contraction.launch import Launch, Memory
from twinoar.backends.llvm.contraction.plan import (
    SERIAL_ELEMENTS,
    Steps,
    copied,
    finished,
    one_panel,
)
from twinoar.backends.llvm.contraction.table import Lie, offsets, spread
from twinoar.backends.llvm.contraction.tile import Shape, shape_of
from twinoar.backends.llvm.contraction.window import Border, Rows
from twinoar.backends.llvm.jit import Code, load
from twinoar.compile.part import Temporary
from twinoar.compile.pipeline import Post
from twinoar.compile.storage import View
from twinoar.compile.target import Target
from twinoar.core.dtype import DType, float32
from twinoar.core.loop.language import compute_dtype
from twinoar.core.op.library import Convolution, Description, image_axes
from twinoar.core.varying import is_one, same

# Multiplications for a result up to which these loops are faster where they finish it as well, as
# the library multiplies up to 10% faster, and another kernel reads and writes the result again: 64
# channels to 384 of 14 by 14 pixels take 92 us, and 95 and 6 apart; 96 to 576 203, and 198 and 7;
# 160 to 960 of 7 by 7 150, and 149 and 3; 128 to 512 of 28 by 28 1010, and 900 and 50.
FEW_PRODUCTS = 96
NONE: Border = ((0, 0), (0, 0))


class Weight(Protocol):
    """What is asked of filters: their sizes and dtype."""

    @property
    def shape(self) -> Sequence[int]:
        """[O,C/groups,*]."""

    @property
    def dtype(self) -> DType:
        """Of an element."""


def is_depthwise(asked: Convolution, weight: Sequence[int]) -> bool:
    """True where each channel has a filter of its own. weight: its sizes."""
    return asked.groups == weight[0] > 1 and weight[1] == 1


def is_served(asked: Description, weight: Weight) -> bool:
    """True for what the loops of this module run: a depthwise convolution, or one of one group."""
    if not isinstance(asked, Convolution) or asked.direction != "forward":
        return False
    of_images = len(weight.shape) == 4 and weight.dtype is float32
    return of_images and (asked.groups == 1 or is_depthwise(asked, weight.shape))


def is_channelwise(asked: Description, weight: Weight) -> bool:
    """True for a depthwise convolution that they run, with posts or without."""
    return is_served(asked, weight) and isinstance(asked, Convolution) and asked.groups > 1


def are_brief(asked: Description, weight: Weight, posts: Sequence[Post]) -> bool:
    """True where finishing results elsewhere takes longer than the library gains on the products.

    Not with an operand as large as the result, which is read badly column by column.
    """
    if not is_served(asked, weight) or math.prod(weight.shape[1:]) > FEW_PRODUCTS:
        return False
    width = weight.shape[0]
    operands = [p.operand for p in posts if p.operand is not None]
    return are_taken(posts) and all(is_one(x.count) or same(x.count, width) for x in operands)


def are_taken(posts: Sequence[Post]) -> bool:
    """True for what can be done to each result of what is served."""
    return all(p.kind in finish.KINDS for p in posts)


def image_launches(
    asked: Convolution,
    operands: Sequence[View],
    result: View,
    target: Target,
    posts: Sequence[Post] = (),
) -> list[Launch]:
    """The kernels that compute a result from its operands, in order; `posts` finish its elements.

    Where there are posts, the result lies with channels last, without gaps.
    """
    x, weight = operands
    steps = [step_of(p, result) for p in posts]
    image, filters, y = (
        images_lie(x, asked),
        Lie(weight.shape, weight.strides),
        images_lie(result, asked),
    )
    a, b, out = map(memory_of, (x, weight, result))
    if is_depthwise(asked, weight.shape):
        before: list[Launch] = []
        filter, _ = filter_of(asked, filters.shape[2:], image.shape[3], y.shape[3])
        if _hangs_far(filter):
            border = window.forward_border(asked)
            asked = replace(asked, padding=(0,) * 4)
            image, a, before = images_copied(image, a, border, a.dtype, target)
        elif image.shape[1] > 1 and image.strides[1] != 1:
            image, a, before = images_copied(image, a, NONE, a.dtype, target)
        y, out, after = in_scratch(y, out, target)
        lies, memories = (image, filters, y), (a, b, out)
        return [*before, *_channelwise(asked, lies, memories, target, steps), *after]
    image, a, before = bordered(image, a, window.forward_border(asked), target)
    c = window.forward(asked, image, filters, y)
    return [*before, *finished(c, a, b, out, target, steps)]


def step_of(post: Post, result: View) -> tuple[Step, Memory | int]:
    """A post as a step, and its operand."""
    if post.operand is None:
        return Step(post.kind, number=post.number), 0
    count = post.operand.count
    of: Literal["one", "place", "column"] = "column"
    if count in (1, result.base.count):
        of = "one" if count == 1 else "place"
    return Step(post.kind, of), Memory(post.operand, post.operand.dtype)


def images_lie(view: View, asked: Convolution) -> Lie:
    """A view of images with its dimensions in the order [N,C,*]."""
    axes = image_axes(len(view.shape), asked.channels_last)
    return Lie(tuple(view.shape[a] for a in axes), tuple(view.strides[a] for a in axes))


def memory_of(view: View) -> Memory:
    """Where a view begins."""
    return Memory(view.base, view.base.dtype, view.offset * view.base.dtype.itemsize)


def bordered(
    image: Lie, given: Memory, border: Border, target: Target
) -> tuple[Lie, Memory, list[Launch]]:
    """The image with its border, and the copy that gives it one; as it is where it needs none."""
    if not any(map(any, border)) or 0 in image.shape:
        return image, given, []
    wide, dtype = window.bordered(image, border), compute_dtype(given.dtype)
    home = Memory(Temporary(wide.count * dtype.itemsize, "bordered"), dtype)
    return wide, home, [copied(window.bordered_rows(image, border), given, home, target)]


def in_scratch(y: Lie, out: Memory, target: Target) -> tuple[Lie, Memory, list[Launch]]:
    """Where results lie with channels last, and the copy to their place, if this is another."""
    _, c, height, width = y.shape
    if c == 1 or y.strides[1] == 1 or 0 in y.shape:
        return y, out, []
    assert width == 1 or y.strides[3] == 1, "a result that others see lies in row-major order"
    lie = Lie(y.shape, (height * width * c, 1, width * c, c))
    home = Memory(Temporary(lie.count * out.dtype.itemsize, "result"), out.dtype)
    targets, sources = (offsets(*(x.axis(d) for d in (0, 1, 2))) for x in (y, lie))
    moves = Rows(targets, sources, 0, width, width, c)
    return lie, home, [copied(moves, home, out, target)]


def images_copied(
    image: Lie, given: Memory, border: Border, dtype: DType, target: Target, slack: int = 0
) -> tuple[Lie, Memory, list[Launch]]:
    """An image with channels last and a border, and the copy. slack: bytes behind it."""
    n, c, *sizes = image.shape
    high, wide = (size + sum(edge) for size, edge in zip(sizes, border, strict=True))
    lie = Lie((n, c, high, wide), (high * wide * c, 1, wide * c, c))
    home = Memory(Temporary(lie.count * dtype.itemsize + slack, "bordered"), dtype)
    (left, right), size = border[1], sizes[1]
    images, edges, first = offsets(image.axis(0)), [_edged(image, 2, border[0])], 0
    if image.axis(3) == (size, c) and (c == 1 or image.strides[1] == 1):  # whole rows of pixels
        count, before, total, step = size * c, left * c, wide * c, 1
        targets = offsets(lie.axis(0), lie.axis(2))
    else:
        edges.append(_edged(image, 3, (left, right)))
        count, before, total, step = c, 0, c, image.strides[1]
        targets = offsets(lie.axis(0), lie.axis(2), lie.axis(3))
        first = int(offsets(image.axis(3)).min())
    first += int(offsets(image.axis(2)).min() + images.min())
    found = spread(*edges)
    sources = np.where(found < 0, -1, found + (images - images.min())[:, None]).reshape(-1)
    moves = Rows(targets, sources, before, count, total, step, first)
    return lie, home, [copied(moves, given, home, target)]


def _edged(image: Lie, axis: int, edge: tuple[int, int]) -> np.ndarray:
    """Where the pixels of an axis lie, from the first of them on; far below 0 in the border."""
    places = offsets(image.axis(axis))
    return np.pad(places - places.min(), edge, constant_values=-2 * image.extent)


def _channelwise(
    asked: Convolution,
    lies: tuple[Lie, Lie, Lie],
    memories: tuple[Memory, Memory, Memory],
    target: Target,
    steps: Steps,
) -> list[Launch]:
    """The kernels of a depthwise convolution."""
    (image, filters, y), (a, b, out) = lies, memories
    if 0 in y.shape:
        return []
    shape, (n, _, height, _) = shape_of(out.dtype, target), y.shape
    inner = offsets(filters.axis(2), filters.axis(3))
    b, step, packing = one_panel(b, inner, offsets(filters.axis(0)), shape, target)
    filter, ends = filter_of(asked, filters.shape[2:], image.shape[3], y.shape[3])
    words = channelwise_words(asked, (image, y), ends, (out, a, b), step, steps)
    code = _channelwise_code(shape, filter, target, tuple([step for step, _ in steps]))
    is_parallel = math.prod(y.shape) * len(inner) >= SERIAL_ELEMENTS
    return [packing, Launch(channelwise.NAME, code, words, n * height, is_parallel)]


def filter_of(
    asked: Convolution, kernel: Sequence[int], given: int, width: int
) -> tuple[Filter, tuple[int, int]]:
    """What of a depthwise convolution is written into code, and where tiles of a row end.

    That is where no more of the greater size begin, and where the last begins. given, width: pixels
    of a row of images and of the result.
    """
    (_, stride), (_, dilation), left = asked.strides, asked.dilation, asked.padding[2]
    reach = (kernel[1] - 1) * dilation
    right = max(0, (width - 1) * stride + reach - left - (given - 1))
    count = -(-width // PIXELS)
    tile = -(-width // count)
    less = tile * count - width  # tiles with one pixel less
    tiles = 1 if count == 1 else 3 if less else 2
    last = width - tile + (less > 0)
    middle = (count - less) * tile if less else last
    return Filter(kernel[0], kernel[1], stride, dilation, left, right, tile, tiles), (middle, last)


def _hangs_far(filter: Filter) -> bool:
    """True where more windows than those of a tile hang over an edge."""
    size = filter.stride * (filter.tile - (filter.tiles == 3))
    return filter.tiles > 1 and max(filter.left, filter.right) > size


def channelwise_words(
    asked: Convolution,
    lies: tuple[Lie, Lie],
    ends: tuple[int, int],
    memories: tuple[Memory | int, Memory | int, Memory],
    step: int,
    steps: Steps,
) -> tuple[Memory | int, ...]:
    """The words of a depthwise convolution of images, in the order [N,C,H,W].

    ends: of tiles, see `filter_of`. memories: of the result, the images and the panel, whose rows
    are `step` elements apart.
    """
    (image, y), (out, a, b) = lies, memories
    size, (_, channels, height, _) = b.dtype.itemsize, y.shape
    top, _, left, _ = asked.padding
    steps_of = [lie.strides[d] * size for lie in (image, y) for d in (0, 2, 3)]
    return (
        out, a, b, *steps_of, step * size, image.shape[2], height, channels, *ends,
        top, left, asked.strides[0], asked.dilation[0], *(memory for _, memory in steps),
    )  # fmt: skip


@functools.cache
def _channelwise_code(
    shape: Shape, filter: Filter, target: Target, steps: tuple[Step, ...]
) -> Code:
    text = channelwise.channelwise(shape, filter, target, steps)
    return load(text, [channelwise.NAME], target=target)
