"""Calls of oneDNN: the primitives that run one."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from twinoar.backends import onednn
from twinoar.backends.onednn import Layout, Primitive, Window
from twinoar.compile.part import Piece, Temporary
from twinoar.compile.pipeline import CallStep, Post
from twinoar.compile.storage import View
from twinoar.core.dtype import bfloat16, float32
from twinoar.core.ir.program import Variable
from twinoar.core.op.library import Convolution, Description, Matmul, image_axes
from twinoar.late import dataclass
from twinoar.runtime import openmp

STRIP = 1280  # columns of a product that are computed together where there are many
# Threads that compute a gradient of filters wait for each other in a loop that never sleeps: where
# another process has one of their cores, for as long as that may keep it, some milliseconds. With
# fewer multiplications, about 0.3 ms in one thread, two save less than that.
ALONE_MULTIPLICATIONS = 25_000_000
# By direction: what makes the primitive from layouts of x, weight and y; its arguments.
CONVOLUTIONS: dict[str, tuple[Callable[..., Primitive | None], tuple[str, str, str]]] = {
    "forward": (
        functools.partial(onednn.convolution_forward, training=True),
        ("src", "weights", "dst"),
    ),
    "backward_data": (onednn.convolution_backward_data, ("diff_dst", "weights", "diff_src")),
    "backward_weights": (
        onednn.convolution_backward_weights,
        ("src", "diff_dst", "diff_weights"),
    ),
}
ROLES = {
    "src": "x", "diff_src": "x", "dst": "y", "diff_dst": "y",
    "weights": "weight", "diff_weights": "weight",
}  # fmt: skip


NOT_THERE = ("max", "min", "hardswish")  # posts; its own give a number for nan, or round elsewhere

Way = Callable[[], "list[Execution] | None"]


@dataclass
class Execution:
    """A primitive and the place of each of its arguments.

    packs: the state that it only brings into another layout, if it does nothing else.
    """

    primitive: Primitive
    arguments: dict[str, Piece] = field(default_factory=dict)
    packs: Variable | None = None


def executions(
    step: CallStep,
    asked: Description,
    kept: Callable[[Execution], bool],
    way: str = "",
    rounds: bool = False,
) -> tuple[str, list[Execution]]:
    """The primitives that run a call, in order: of several ways the fastest, found by measuring.

    asked: what they do. kept: which executions run once, when a state is bound, and so cost
    nothing. way: the one that was the fastest for other sizes, and is taken unmeasured. rounds:
    whether operands may be rounded to bfloat16.
    """
    views = [x for x in step.operands if isinstance(x, View)]
    result = step.result
    assert result is not None
    if isinstance(asked, Matmul):
        ways = _products(asked, views, result, step.posts, rounds)
    else:
        assert isinstance(asked, Convolution)
        ways = _convolutions(asked, views, result, step.posts, rounds)
    known = ways[way]() if way in ways else None
    if known is not None:
        return way, known
    made: dict[str, list[Execution] | None] = {}

    def primitives(name: str) -> list[Primitive] | None:
        if name not in made:
            made[name] = ways[name]()
        found = made[name]
        return None if found is None else [e.primitive for e in found if not kept(e)]

    layouts = [layout_of(v) for v in (*views, result)]
    key = f"{asked}, {', '.join(map(shown, layouts))}, {[p.kind for p in step.posts]}"
    key += ", rounded" if rounds else ""
    chosen = onednn.fastest(key, {name: functools.partial(primitives, name) for name in ways})
    assert chosen is not None
    found = made[chosen[0]]
    assert found is not None
    return chosen[0], found


def shown(layout: Layout) -> str:
    """A layout in the key of a measurement."""
    return f"{layout.dtype.short}{list(layout.dims)}{list(layout.strides or ())}"


def takes_posts(asked: Description, posts: Sequence[Post]) -> bool:
    """True for calls whose primitive can do this to each element that it writes."""
    if any(p.kind in NOT_THERE for p in posts):
        return False
    if isinstance(asked, Convolution):
        return asked.direction == "forward" and not asked.channels_last
    return isinstance(asked, Matmul)


def _posts(
    posts: Sequence[Post], like: Layout, count: int
) -> tuple[list[onednn.PostOp], dict[str, Piece]]:
    """A call's posts as the library's, for a result of layout `like`; and their arguments."""
    made: list[onednn.PostOp] = []
    pieces = {}
    for post in posts:
        if post.kind in ("old plus", "old minus"):
            made += [onednn.Eltwise("linear", -1.0)] * (post.kind == "old minus")
            made.append(onednn.Sum())
            continue
        if post.operand is None:
            made.append(onednn.Eltwise(post.kind, 1.0 if post.kind == "swish" else 0.0))
            continue
        layout = like
        if post.operand.count == 1:
            layout = Layout.row_major((1,) * len(like.dims), like.dtype)
        elif post.operand.count != count:
            assert like.strides is not None
            last = like.strides.index(1)
            dims = tuple(n if d == last else 1 for d, n in enumerate(like.dims))
            strides = tuple(1 if d == last else dims[last] for d in range(len(dims)))
            layout = Layout(dims, like.dtype, strides)
        pieces[f"post_{len(made)}"] = Piece(post.operand)
        made.append(onednn.Binary(post.kind, layout))
    return made, pieces


def layout_of(view: View) -> Layout:
    """The layout of a view; the stride of a size of 1 is of no account, so it is made plausible."""
    strides, step = list(view.strides), 1
    for d in sorted(range(len(strides)), key=lambda d: view.strides[d]):
        if view.shape[d] == 1:
            strides[d] = step
        step = max(step, strides[d] * view.shape[d])
    return Layout(view.shape, view.base.dtype, tuple(strides))


def piece_of(view: View) -> Piece:
    """Where a view begins."""
    return Piece(view.base, view.offset * view.base.dtype.itemsize)


def finished(primitive: Primitive, arguments: dict[str, Piece]) -> Execution:
    """An execution with memory for what the primitive itself needs."""
    if primitive.scratchpad_bytes:
        scratch = Temporary(primitive.scratchpad_bytes, "scratchpad")
        arguments = {**arguments, "scratchpad": Piece(scratch)}
    return Execution(primitive, arguments)


def in_layout(
    wanted: Layout, given: Layout, piece: Piece, before: list[Execution], state: Any = None
) -> Piece:
    """`piece` in the wanted layout: as it is, or after a reorder that is put into `before`."""
    if wanted.matches(given):
        return piece
    copy = onednn.reorder(given, wanted)
    assert copy is not None
    packed = Temporary(copy.nbytes("dst"), "packed")
    made = finished(copy, {"src": piece, "dst": Piece(packed)})
    made.packs = state
    before.append(made)
    return Piece(packed)


def _products(
    asked: Matmul, views: list[View], result: View, posts: Sequence[Post], rounds: bool
) -> dict[str, Way]:
    """Ways to multiply: as operands lie, rearranged first, in strips of columns, or rounded."""
    x, y = views
    rank = max(len(x.shape), len(y.shape))
    layouts = []
    for view, turned in ((x, asked.transpose_x), (y, asked.transpose_y)):
        shape, strides = list(view.shape), list(layout_of(view).strides or ())
        if turned:
            shape[-2:], strides[-2:] = shape[:-3:-1], strides[:-3:-1]
        missing = rank - len(shape)
        fill = max((s * d for s, d in zip(strides, shape, strict=True)), default=1)
        leading = (1,) * missing, (fill,) * missing
        layouts.append(
            Layout(leading[0] + tuple(shape), view.base.dtype, leading[1] + tuple(strides))
        )
    first, second = layouts
    folded = result.shape
    out = layout_of(result)
    if out.matches(Layout.row_major(out.dims, out.dtype)):
        first, second, folded = _folded(*layouts)
        out = Layout.row_major(folded, out.dtype)
    post, pieces = _posts(posts, out, result.base.count)

    def whole(left: Layout, right: Layout) -> list[Execution] | None:
        made = onednn.matmul(left, right, out, post=post)
        if made is None:
            return None
        before: list[Execution] = []
        state = y.base.variable
        arguments = {
            "src": in_layout(made.layout("src"), first, piece_of(x), before),
            "weights": in_layout(made.layout("weights"), second, piece_of(y), before, state),
            "dst": Piece(result.base),
            **pieces,
        }
        return [*before, finished(made, arguments)]

    def strips() -> list[Execution] | None:
        runs = []
        width = folded[-1]
        for start in range(0, width, STRIP):
            size = min(STRIP, width - start)
            right = _columns(second, size)
            made = onednn.matmul(first, right, _columns(out, size))
            if made is None:
                return None
            assert second.strides is not None
            item = second.dtype.itemsize
            source = Piece(y.base, (y.offset + start * second.strides[-1]) * item)
            target = Piece(result.base, start * out.dtype.itemsize)
            arguments = {"src": piece_of(x), "weights": source, "dst": target}
            runs.append(finished(made, arguments))
        return runs

    splits = len(folded) == 2 and folded[-1] >= 2 * STRIP and not posts
    tiles = Layout.any(second.dims, second.dtype)
    ways: dict[str, Way] = {
        "as it lies": lambda: whole(first, second),
        "tiled right": lambda: whole(first, tiles),
    }
    if asked.transpose_x:
        ways["turned left"] = lambda: whole(Layout.row_major(first.dims, first.dtype), second)
    if splits:
        ways["strips"] = strips
    if rounds and first.dtype is float32:
        ways |= {name: functools.partial(whole, *pair) for name, pair in _rounded(first, second)}
    return ways


def _rounded(left: Layout, right: Layout) -> Iterator[tuple[str, tuple[Layout, Layout]]]:
    """Layouts in which operands may be rounded to bfloat16."""
    rows, tiles = Layout.row_major(left.dims, bfloat16), Layout.any(right.dims, bfloat16)
    yield "rounded", (rows, tiles)
    yield "rounded as it lies", (_as_it_lies(left), _as_it_lies(right))
    yield "rounded tiles", (Layout.any(left.dims, bfloat16), tiles)


def _as_it_lies(given: Layout) -> Layout:
    """A dense layout of bfloat16 whose dimensions lie in the order of those of another."""
    strides = given.strides or ()
    order = sorted(range(len(strides)), key=lambda d: (-strides[d], d))
    return Layout.ordered(given.dims, bfloat16, order)


def _columns(layout: Layout, count: int) -> Layout:
    """The layout of some columns of a matrix."""
    return Layout((*layout.dims[:-1], count), layout.dtype, layout.strides)


def _folded(x: Layout, y: Layout) -> tuple[Layout, Layout, tuple[int, ...]]:
    """Operands with leading dimensions joined to rows where y is one matrix; and the result's."""
    lead = [max(a, b) for a, b in zip(x.dims[:-2], y.dims[:-2], strict=True)]
    shape = (*lead, x.dims[-2], y.dims[-1])
    if len(shape) == 2 or any(n != 1 for n in y.dims[:-2]):
        return x, y, shape
    assert x.strides is not None and y.strides is not None
    expected, rows = x.strides[-2] * x.dims[-2], x.dims[-2]
    for n, stride in zip(reversed(x.dims[:-2]), reversed(x.strides[:-2]), strict=True):
        if n != 1 and stride != expected:
            return x, y, shape
        expected, rows = expected * n, rows * n
    flat = Layout((rows, x.dims[-1]), x.dtype, (x.strides[-2], x.strides[-1]))
    return flat, Layout(y.dims[-2:], y.dtype, y.strides[-2:]), (rows, y.dims[-1])


def _convolutions(
    asked: Convolution, views: list[View], result: View, posts: Sequence[Post], rounds: bool
) -> dict[str, Way]:
    """Ways to convolve: on images as they lie, with channels last, in tiles, or rounded."""
    given: dict[str, tuple[View, Layout]] = {}
    for role, view in zip(asked.roles, (*views, result), strict=True):
        layout = layout_of(view)
        if asked.channels_last and role != "weight":
            axes = image_axes(len(view.shape), True)
            assert layout.strides is not None
            strides = tuple(layout.strides[a] for a in axes)
            layout = Layout(tuple(view.shape[a] for a in axes), layout.dtype, strides)
        given[role] = view, layout
    window = Window(asked.strides, asked.padding, asked.dilation, asked.groups)
    make, names = CONVOLUTIONS[asked.direction]
    lies = {role: layout for role, (_, layout) in given.items()}
    lies["weight"] = window.filters(lies["weight"])
    post, pieces = _posts(posts, lies["y"], result.base.count)
    if post:
        make = functools.partial(make, post=post)
    work = math.prod(lies["y"].dims) * math.prod(given["weight"][0].shape[1:])
    if asked.direction == "backward_weights" and work < ALONE_MULTIPLICATIONS:
        make = openmp.one_thread()(make)
    places = {role: piece_of(view) for role, (view, _) in given.items()}
    state = given["weight"][0].base.variable

    def way(x: Layout, weight: Layout | None, y: Layout) -> list[Execution] | None:
        made = None if weight is None else make(x, weight, y, window)
        if made is None:
            return None
        *reads, writes = names
        before: list[Execution] = []
        after: list[Execution] = []
        arguments = dict(pieces)
        for name in reads:
            role = ROLES[name]
            packs = state if role == "weight" else None
            wanted = made.layout(name)
            arguments[name] = in_layout(wanted, lies[role], places[role], before, packs)
        written, layout = made.layout(writes), lies[ROLES[writes]]
        arguments[writes] = Piece(result.base)
        if not written.matches(layout):
            copy = onednn.reorder(written, layout)
            assert copy is not None
            arguments[writes] = Piece(Temporary(made.nbytes(writes), "loose"))
            after.append(finished(copy, {"src": arguments[writes], "dst": Piece(result.base)}))
        return [*before, finished(made, arguments), *after]

    x, w, y = lies["x"], lies["weight"], lies["y"]
    any_x, any_w, any_y = (Layout.any(layout.dims, layout.dtype) for layout in (x, w, y))
    last = Layout.channels_last(x.dims, x.dtype)
    is_last = last.matches(x)
    x = last if is_last else x  # the library knows images of one channel by these strides alone
    found = {
        "as it lies": lambda: way(x, any_w, y),
        "tiled images": lambda: way(any_x, any_w, any_y),
    }
    if not is_last:
        found["channels last"] = lambda: way(last, any_w, y)
    if asked.direction == "backward_weights" and x.dtype is not float32:
        wide = [Layout.any(layout.dims, float32) for layout in (x, w, y)]
        found["in float32"] = lambda: way(*wide)
    if asked.direction != "backward_weights":
        found["tiled filters"] = lambda: way(last, _tiles(last, any_w, y, window), y)
    if rounds and x.dtype is float32:
        written = ROLES[names[-1]]
        for name, layouts in _rounded_images({"x": x, "weight": any_w, "y": y}, written):
            found[name] = functools.partial(way, *layouts)
    return found


def _rounded_images(
    given: Mapping[str, Layout], written: str
) -> Iterator[tuple[str, list[Layout]]]:
    """Layouts in which what a convolution reads may be rounded to bfloat16; by role.

    There are kernels for images of which both have their channels last, whatever lies otherwise.
    """
    dtypes = {role: float32 if role == written else bfloat16 for role in given}
    tiles = {role: Layout.any(x.dims, dtypes[role]) for role, x in given.items()}
    last = {
        role: x if role == "weight" else Layout.channels_last(x.dims, x.dtype)
        for role, x in tiles.items()
    }
    yield "rounded", list(last.values())
    yield "rounded as it lies", list({**last, written: given[written]}.values())
    yield "rounded tiles", list(tiles.values())


def _tiles(x: Layout, weight: Layout, y: Layout, window: Window) -> Layout | None:
    """The layout in which the gradient of filters is computed, which forward likes as well."""
    made = onednn.convolution_backward_weights(x, weight, y, window)
    return None if made is None else made.layout("diff_weights")
