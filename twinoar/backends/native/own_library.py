"""Calls of our own contractions: the kernels that run one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from twinoar.backends.llvm.contraction import table, window
from twinoar.backends.llvm.contraction.launch import Launch, Memory
from twinoar.backends.llvm.contraction.pack import PANELS
from twinoar.backends.llvm.contraction.plan import can_update, contracted, copied, scaled
from twinoar.backends.llvm.contraction.rows import Weight
from twinoar.backends.llvm.contraction.table import Contraction, Lie, offsets
from twinoar.backends.llvm.contraction.window import Rows
from twinoar.backends.native.own_images import (
    are_taken,
    bordered,
    image_launches,
    is_channelwise,
    is_served,
)
from twinoar.backends.native.own_inverted import inverted_launches
from twinoar.compile.part import Temporary
from twinoar.compile.pipeline import Post
from twinoar.compile.storage import Storage, View
from twinoar.compile.target import Target
from twinoar.core.op.library import (
    Convolution,
    Description,
    Inverted,
    Matmul,
    WeightOnly,
    image_axes,
)


def launches(
    asked: Description,
    operands: Sequence[View],
    result: View,
    target: Target,
    posts: Sequence[Post] = (),
) -> list[Launch]:
    """The kernels that compute a result from its operands, in order.

    posts: those of an update, or what finishes the results of a convolution.
    """
    views = [*operands, result]
    if isinstance(asked, Matmul):
        scale = Memory(posts[0].operand, result.base.dtype) if posts else None
        a, b, out = map(_memory, views)
        return contracted(_matmul(asked, views), a, b, out, target, scale)
    if isinstance(asked, WeightOnly):
        return _weight_only(asked, views, target)
    if isinstance(asked, Inverted):
        return inverted_launches(asked, operands, result, target, posts)
    assert isinstance(asked, Convolution)
    if posts or is_channelwise(asked, operands[1]):
        return image_launches(asked, operands, result, target, posts)
    return _convolution(asked, views, target)


def takes_posts(
    asked: Description, operands: Sequence[View], result: View, posts: Sequence[Post]
) -> bool:
    """True for an update by a product: what the result held, less the product times a number.

    So it is for what finishes the results of a convolution.
    """
    if isinstance(asked, Inverted):
        return are_taken(posts)
    if isinstance(asked, Convolution):
        return is_served(asked, operands[1]) and are_taken(posts)
    if not is_update(posts) or not isinstance(asked, Matmul):
        return False
    scale = posts[0].operand
    is_one = scale is not None and scale.count == 1
    return is_one and can_update(_matmul(asked, [*operands, result]), result.base.dtype)


def is_update(posts: Sequence[Post]) -> bool:
    """True for what the result held, less the product times a number."""
    return [p.kind for p in posts] == ["mul", "old minus"]


def packs(launch: Launch) -> Storage | None:
    """What a kernel only brings into panels, if it does nothing else."""
    if launch.name != PANELS:
        return None
    source = launch.memories[1].home
    return source if isinstance(source, Storage) else None


def _memory(view: View) -> Memory:
    return Memory(view.base, view.base.dtype, view.offset * view.base.dtype.itemsize)


def _matmul(asked: Matmul, views: Sequence[View]) -> Contraction:
    rank = len(views[2].shape)
    lies = []
    for view, turned in zip(views, (asked.transpose_x, asked.transpose_y, False), strict=True):
        shape, strides = list(view.shape), list(view.strides)
        if turned:
            shape[-2:], strides[-2:] = shape[:-3:-1], strides[:-3:-1]
        missing = rank - len(shape)
        lies.append(Lie((*[1] * missing, *shape), (*[0] * missing, *strides)))
    return table.matmul(*lies)


def _weight_only(asked: WeightOnly, views: Sequence[View], target: Target) -> list[Launch]:
    """Each of the operands in rows, and the product."""
    *given, result = views
    before, found = [], []
    for view in given:
        lie, memory, copies = _in_rows(view, target)
        found.append((lie, memory))
        before += copies
    (x, a), (weight, b), (_, scales) = found
    columns, inner = result.shape[-1], weight.shape[1]
    out = Lie(result.shape, result.strides)
    lead = len(x.shape) - 2
    y = Lie((*[1] * lead, inner, columns), (*[0] * lead, 1, 0))
    rows = np.repeat(offsets(weight.axis(0)), columns // weight.shape[0])
    c = replace(table.matmul(x, y, out), b_columns=rows)
    kind = Weight(b.dtype, asked.bits, scales.dtype)
    group = asked.group_size if asked.group_size > 0 else inner
    return [*before, *scaled(c, (a, b, _memory(result), scales), kind, group, target)]


def _in_rows(view: View, target: Target) -> tuple[Lie, Memory, list[Launch]]:
    """A view in row-major order without gaps, and what copies it there where it is not."""
    shape, memory = view.shape, _memory(view)
    dense = Lie(shape, _row_major(shape))
    if view.strides == dense.strides:
        return dense, memory, []
    home = Memory(Temporary(dense.count * memory.dtype.itemsize, "rows"), memory.dtype)
    lie = Lie(shape, view.strides)
    targets, sources = (offsets(*map(x.axis, range(len(shape) - 1))) for x in (dense, lie))
    width, step = lie.axis(-1)
    first = int(sources.min())
    moves = Rows(targets, sources - first, 0, width, width, step, first)
    return dense, home, [copied(moves, memory, home, target)]


def _row_major(shape: Sequence[int]) -> tuple[int, ...]:
    steps = np.cumprod([1, *shape[:0:-1]])[::-1]
    return tuple(map(int, steps))


def _convolution(asked: Convolution, views: Sequence[View], target: Target) -> list[Launch]:
    first, second, out = (
        _lie(view, asked, role) for view, role in zip(views, asked.roles, strict=True)
    )
    a, b, made = map(_memory, views)
    if asked.direction == "backward_data":
        border = window.backward_border(asked, first, second, out)
    else:
        border = window.forward_border(asked)
    first, a, before = bordered(first, a, border, target)
    if asked.direction == "forward":
        parts = [window.forward(asked, first, second, out)]
    elif asked.direction == "backward_weights":
        parts = [window.backward_weights(asked, first, second, out)]
    else:
        parts = window.backward_data(asked, first, second, out, border)
    return [*before, *(run for c in parts for run in contracted(c, a, b, made, target))]


def _lie(view: View, asked: Convolution, role: str) -> Lie:
    """A view with its dimensions in the order [N,C,*], as a weight always has them."""
    if role == "weight" or not asked.channels_last:
        return Lie(view.shape, view.strides)
    axes = image_axes(len(view.shape), True)
    return Lie(tuple(view.shape[a] for a in axes), tuple(view.strides[a] for a in axes))
