"""Calls of oneDNN for products of integers: the primitives that run one.

Images lie with channels last, matrices row by row; what lies otherwise is brought there first. The
library computes with unsigned left operands, and makes up for the sign of others with more work, so
what holds no number below 0 is passed as unsigned: its bits are the same.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from twinoar.backends import onednn
from twinoar.backends.native.library import (
    Execution,
    finished,
    in_layout,
    layout_of,
    piece_of,
)
from twinoar.backends.onednn import Layout, Primitive, Scales, Window
from twinoar.compile.part import Piece, Temporary
from twinoar.compile.pipeline import CallStep
from twinoar.compile.storage import View
from twinoar.core.dtype import float32, int8, uint8
from twinoar.core.op.library import Convolution, Scaled, image_axes

ACTIVATIONS = {
    "relu": onednn.Eltwise("relu"),
    "relu6": onednn.Eltwise("clip", 0.0, 6.0),
    "hardswish": onednn.Eltwise("hardswish", 1 / 6, 0.5),
}


def integer_executions(step: CallStep, asked: Scaled) -> list[Execution]:
    """The primitives that run a call, in order."""
    assert step.result is not None
    kind = _Images if isinstance(asked.product, Convolution) else _Matrices
    return kind(asked, step.operands, step.result).executions()


class _Product:
    """A product on its way to primitives. before: what brings operands into their layouts."""

    def __init__(self, asked: Scaled, operands: list[Any], result: View):
        self.asked, self.result = asked, result
        self.x, self.weight, self.scale, self.bias, self.residual, self.factor = operands
        self.before: list[Execution] = []
        self.arguments: dict[str, Piece] = {"scales": piece_of(self.scale)}
        if self.bias is not None:
            self.arguments["bias"] = piece_of(self.bias)

    def executions(self) -> list[Execution]:
        """The primitives in order."""
        self.arguments["src"] = self._brought(self.x)
        made = self.made(self.posts())
        lies = self.filters()
        self.arguments["weights"] = in_layout(
            made.layout("weights"), lies, piece_of(self.weight), self.before,
            self.weight.base.variable,
        )  # fmt: skip
        given, wanted = self.given(self.result), self.wanted(self.result)
        after: list[Execution] = []
        self.arguments["dst"] = piece_of(self.result)
        if not wanted.matches(given):
            copy = onednn.reorder(wanted, given)
            assert copy is not None
            self.arguments["dst"] = Piece(Temporary(wanted.nbytes, "loose"))
            places = {"src": self.arguments["dst"], "dst": piece_of(self.result)}
            after.append(finished(copy, places))
        return [*self.before, finished(made, self.arguments), *after]

    def posts(self) -> list[onednn.PostOp]:
        """What is done to each element after the bias is added."""
        found: list[onednn.PostOp] = []
        like = self.folded(self.result)
        if self.residual is not None:
            self.arguments[f"post_{len(found)}"] = self._brought(self.residual)
            found.append(onednn.Binary("add", self.folded(self.residual)))
        if self.asked.activation:
            found.append(ACTIVATIONS[self.asked.activation])
        if self.factor is not None:
            self.arguments[f"post_{len(found)}"] = piece_of(self.factor)
            ones = (1,) * len(like.dims)
            found.append(onednn.Binary("mul", Layout.row_major(ones, float32)))
        return found

    def source(self) -> Layout:
        """How the left operand is read."""
        layout = self.folded(self.x)
        signed = layout.dtype is int8 and self.asked.nonnegative
        return replace(layout, dtype=uint8) if signed else layout

    def scales(self, *axes: int) -> Scales:
        """What sums are multiplied by, with the axes of the weights for outputs."""
        (count,) = self.scale.shape
        return Scales(count, axes if count > 1 else ())

    def _brought(self, view: View) -> Piece:
        return in_layout(self.wanted(view), self.given(view), piece_of(view), self.before)

    def given(self, view: View) -> Layout:
        """How what is like the result lies, in the library's order of dimensions."""
        raise NotImplementedError

    def wanted(self, view: View) -> Layout:
        """How it is to lie."""
        raise NotImplementedError

    def folded(self, view: View) -> Layout:
        """How it is told the primitive, once it lies so."""
        return self.wanted(view)

    def filters(self) -> Layout:
        """How the weights lie."""
        raise NotImplementedError

    def made(self, posts: list[onednn.PostOp]) -> Primitive:
        """The primitive."""
        raise NotImplementedError


class _Images(_Product):
    """A convolution."""

    def given(self, view: View) -> Layout:
        layout = layout_of(view)
        assert isinstance(self.asked.product, Convolution) and layout.strides is not None
        axes = image_axes(len(view.shape), self.asked.product.channels_last)
        return Layout(
            tuple(view.shape[a] for a in axes), layout.dtype, tuple(layout.strides[a] for a in axes)
        )

    def wanted(self, view: View) -> Layout:
        return Layout.channels_last(self.given(view).dims, view.base.dtype)

    def filters(self) -> Layout:
        return self._window().filters(layout_of(self.weight))

    def made(self, posts: list[onednn.PostOp]) -> Primitive:
        filters = self.filters()
        axes = (0,) if self._window().groups == 1 else (0, 1)
        bias = None if self.bias is None else Layout.row_major(self.bias.shape, float32)
        found = onednn.convolution_forward(
            self.source(), Layout.any(filters.dims, int8), self.folded(self.result),
            self._window(), bias=bias, post=posts, scales=self.scales(*axes),
        )  # fmt: skip
        assert found is not None
        return found

    def _window(self) -> Window:
        asked = self.asked.product
        assert isinstance(asked, Convolution)
        return Window(asked.strides, asked.padding, asked.dilation, asked.groups)


class _Matrices(_Product):
    """A product with one matrix, whose rows are those of all matrices on its left."""

    def given(self, view: View) -> Layout:
        return layout_of(view)

    def wanted(self, view: View) -> Layout:
        return Layout.row_major(view.shape, view.base.dtype)

    def folded(self, view: View) -> Layout:
        *rows, columns = view.shape
        return Layout.row_major((math.prod(rows), columns), view.base.dtype)

    def filters(self) -> Layout:
        return layout_of(self.weight)

    def made(self, posts: list[onednn.PostOp]) -> Primitive:
        bias = None if self.bias is None else Layout.row_major((1, *self.bias.shape), float32)
        found = onednn.matmul(
            self.source(), Layout.any(self.weight.shape, int8), self.folded(self.result),
            bias=bias, post=posts, scales=self.scales(1),
        )  # fmt: skip
        assert found is not None
        return found
