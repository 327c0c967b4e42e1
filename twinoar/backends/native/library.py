"""Calls of oneDNN: which operators it runs, and the primitives that run one."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from twinoar.backends import onednn
from twinoar.backends.onednn import Layout, Primitive, Window
from twinoar.compile.element import asked_by
from twinoar.compile.graph import Order
from twinoar.compile.pipeline import CallStep, Post
from twinoar.compile.storage import Storage, View
from twinoar.core.dtype import bfloat16, float32
from twinoar.core.ir import Operator, Variable
from twinoar.core.library import Convolution, Description, Matmul, image_axes

SERVED = (float32, bfloat16)
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


@dataclass(frozen=True)
class Piece:
    """Where an argument of a primitive lies: `offset` bytes into a value or a temporary."""

    home: Storage | Temporary
    offset: int = 0


@dataclass(frozen=True, eq=False)
class Temporary:
    """Memory that one call needs for itself."""

    bytes: int
    name: str = "temporary"


@dataclass
class Execution:
    """A primitive and the place of each of its arguments.

    packs: the state that it only brings into another layout, if it does nothing else.
    """

    primitive: Primitive
    arguments: dict[str, Piece] = field(default_factory=dict)
    packs: Variable | None = None


def describe(o: Operator) -> Description | None:
    """What an operator asks of a library, or None."""
    rule = o.op.rules.get("library")
    operands = [x for x in o.operands if isinstance(x, Variable)]
    if rule is None or any(x.spec.dtype not in SERVED for x in operands):
        return None
    specs = tuple(x.spec if isinstance(x, Variable) else x for x in o.operands)
    if any(0 in s.shape for s in specs if s is not None) or not onednn.available():
        return None
    given = {**o.attrs, "specs": specs}
    found: Description | None = rule(**{name: given[name] for name in asked_by(rule)})
    return found if isinstance(found, (Matmul, Convolution)) else None


def result_order(o: Operator) -> Order | bool | None:
    """The order in which a library writes the result: True for row-major, None if it has none."""
    asked = describe(o)
    if isinstance(asked, Convolution) and asked.direction != "backward_weights":
        rank = o.results[0].spec.ndim  # type: ignore[union-attr]
        return True if asked.channels_last else (0, *range(2, rank), 1)
    return None if asked is None else True


def executions(step: CallStep) -> list[Execution]:
    """The primitives that run a call, in order, the work itself last."""
    asked = describe(step.operator)
    views = [x for x in step.operands if isinstance(x, View)]
    result = step.writes[0]
    assert result is not None
    if isinstance(asked, Matmul):
        return _matmul(asked, views, result, step.posts)
    assert isinstance(asked, Convolution)
    return _convolution(asked, views, result, step.posts)


def takes_posts(step: CallStep) -> bool:
    """True for calls whose primitive can do more to each element that it writes."""
    asked = describe(step.operator)
    forward = isinstance(asked, Convolution) and asked.direction == "forward"
    return isinstance(asked, Matmul) or (forward and not asked.channels_last)  # type: ignore


def _posts(
    posts: Sequence[Post], like: Layout, result: Storage
) -> tuple[list[onednn.PostOp], dict[str, Piece]]:
    """A call's posts as the library's, for a result of layout `like`; and their arguments."""
    made: list[onednn.PostOp] = []
    pieces = {}
    for n, post in enumerate(posts):
        if post.operand is None:
            made.append(onednn.Eltwise(post.kind, 1.0 if post.kind == "swish" else 0.0))
            continue
        layout = like
        if post.operand.count != result.count:
            assert like.strides is not None
            last = like.strides.index(1)
            dims = tuple(n if d == last else 1 for d, n in enumerate(like.dims))
            strides = tuple(1 if d == last else dims[last] for d in range(len(dims)))
            layout = Layout(dims, like.dtype, strides)
        made.append(onednn.Binary(post.kind, layout))
        pieces[f"post_{n}"] = Piece(post.operand)
    return made, pieces


def _layout(view: View) -> Layout:
    """The layout of a view; the stride of a size of 1 is of no account, so it is made plausible."""
    strides, step = list(view.strides), 1
    for d in sorted(range(len(strides)), key=lambda d: view.strides[d]):
        if view.shape[d] == 1:
            strides[d] = step
        step = max(step, strides[d] * view.shape[d])
    return Layout(view.shape, view.base.dtype, tuple(strides))


def _whole(storage: Storage) -> View:
    return View(storage, 0, storage.shape, storage.strides)


def _piece(view: View) -> Piece:
    return Piece(view.base, view.offset * view.base.dtype.itemsize)


def _finished(primitive: Primitive, arguments: dict[str, Piece]) -> Execution:
    """An execution with memory for what the primitive itself needs."""
    if primitive.scratchpad_bytes:
        scratch = Temporary(primitive.scratchpad_bytes, "scratchpad")
        arguments = {**arguments, "scratchpad": Piece(scratch)}
    return Execution(primitive, arguments)


def _in_layout(
    wanted: Layout, given: Layout, piece: Piece, before: list[Execution], state: Any = None
) -> Piece:
    """`piece` in the wanted layout: as it is, or after a reorder that is put into `before`."""
    if wanted == given:
        return piece
    copy = onednn.reorder(given, wanted)
    assert copy is not None
    packed = Temporary(copy.nbytes("dst"), "packed")
    made = _finished(copy, {"src": piece, "dst": Piece(packed)})
    made.packs = state
    before.append(made)
    return Piece(packed)


def _matmul(
    asked: Matmul, views: list[View], result: Storage, posts: Sequence[Post]
) -> list[Execution]:
    x, y = views
    rank = max(len(x.shape), len(y.shape))
    layouts = []
    for view, turned in ((x, asked.transpose_x), (y, asked.transpose_y)):
        shape, strides = list(view.shape), list(_layout(view).strides or ())
        if turned:
            shape[-2:], strides[-2:] = shape[:-3:-1], strides[:-3:-1]
        missing = rank - len(shape)
        fill = max((s * d for s, d in zip(strides, shape, strict=True)), default=1)
        layouts.append(
            Layout(
                (1,) * missing + tuple(shape), view.base.dtype, (fill,) * missing + tuple(strides)
            )
        )
    first, second, folded = _folded(*layouts)
    out = Layout.row_major(folded, result.dtype)
    post, pieces = _posts(posts, out, result)
    primitive = onednn.matmul(first, second, out, post=post)
    assert primitive is not None
    arguments = {"src": _piece(x), "weights": _piece(y), "dst": Piece(result), **pieces}
    return [_finished(primitive, arguments)]


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


def _convolution(
    asked: Convolution, views: list[View], result: Storage, posts: Sequence[Post]
) -> list[Execution]:
    roles = asked.roles
    given: dict[str, tuple[View, Layout]] = {}
    for role, view in zip(roles, (*views, _whole(result)), strict=True):
        layout = _layout(view)
        if asked.channels_last and role != "weight":
            axes = image_axes(len(view.shape), True)
            assert layout.strides is not None
            strides = tuple(layout.strides[a] for a in axes)
            layout = Layout(tuple(view.shape[a] for a in axes), layout.dtype, strides)
        given[role] = view, layout
    window = Window(asked.strides, asked.padding, asked.dilation, asked.groups)
    make, names = CONVOLUTIONS[asked.direction]
    layouts = {role: layout for role, (_, layout) in given.items()}
    layouts["weight"] = window.filters(layouts["weight"])
    post, pieces = _posts(posts, layouts["y"], result)
    if post:
        make = functools.partial(make, post=post)
    primitive = _first_fast(make, layouts, window)
    *reads, writes = names
    before: list[Execution] = []
    after: list[Execution] = []
    arguments = dict(pieces)
    for name in reads:
        view, layout = given[ROLES[name]][0], layouts[ROLES[name]]
        state = view.base.variable if name == "weights" else None
        wanted = primitive.layout(name)
        arguments[name] = _in_layout(wanted, layout, _piece(view), before, state)
    made, layout, target = primitive.layout(writes), layouts[ROLES[writes]], Piece(result)
    arguments[writes] = target
    if made != layout:
        copy = onednn.reorder(made, layout)
        assert copy is not None
        arguments[writes] = Piece(Temporary(primitive.nbytes(writes), "loose"))
        after.append(_finished(copy, {"src": arguments[writes], "dst": target}))
    return [*before, _finished(primitive, arguments), *after]


def _first_fast(
    make: Callable[..., Primitive | None], layouts: dict[str, Layout], window: Window
) -> Primitive:
    """The primitive that needs the fewest reorders and is not the library's slow reference."""
    weight = layouts["weight"]
    free = Layout.any(weight.dims, weight.dtype)
    x, y = layouts["x"], layouts["y"]
    found: Primitive | None = None
    for first in (x, Layout.channels_last(x.dims, x.dtype), Layout.any(x.dims, x.dtype)):
        for last in (y, Layout.any(y.dims, y.dtype)):
            primitive = make(first, free, last, window)
            if primitive is not None and not primitive.implementation.startswith("ref"):
                return primitive
            found = found or primitive
    assert found is not None
    return found
