"""Convolution: forward, both its gradients, and transposed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twinoar.backends.onednn.attributes import PostOp, Precision
from twinoar.backends.onednn.layout import Layout, Sizes
from twinoar.backends.onednn.library import Dims
from twinoar.backends.onednn.primitive import Primitive, built

TRAINING, INFERENCE = 64, 96
DIRECT_CONVOLUTION, DIRECT_DECONVOLUTION = 1, 10


@dataclass(frozen=True, slots=True)
class Window:
    """How filters move over images, in pixels, an axis after the other, as operators say it.

    padding: before and after on each axis (top, bottom, left, right). dilation: 1 is dense. groups:
    channels and filters are cut into so many.
    """

    stride: Sizes = (1, 1)
    padding: Sizes = (0, 0, 0, 0)
    dilation: Sizes = (1, 1)
    groups: int = 1

    def c_arguments(self) -> list[object]:
        """Strides, dilation (the library's 0 is dense), padding before and after."""
        spread = [d - 1 for d in self.dilation]
        before, after = self.padding[::2], self.padding[1::2]
        return [Dims(*sizes) for sizes in (self.stride, spread, before, after)]

    def filters(self, weights: Layout) -> Layout:
        """Filters [O,C/groups,...] as the library wants them: [groups,O/groups,C/groups,...]."""
        is_split = self.groups == 1 or len(weights.dims) == len(self.stride) + 3
        return weights if is_split else weights.split(self.groups)


def convolution_forward(
    src: Layout,
    weights: Layout,
    dst: Layout,
    window: Window,
    *,
    bias: Layout | None = None,
    post: Sequence[PostOp] = (),
    precision: Precision = "strict",
    training: bool = False,
) -> Primitive | None:
    """dst = post(src * weights + bias), None where the library has no such convolution.

    src: [N,C,H,W]. weights: [O,C/groups,KH,KW]. bias: [O]. dst: [N,O,OH,OW]; one or three spatial
    axes likewise. Any layout may be `any`. Arguments: src, weights, bias, dst. With groups the
    weights' layout is that of `window.filters`.
    """
    names = ["src", "weights", *(["bias"] if bias else []), "dst"]
    kind = [TRAINING if training else INFERENCE, DIRECT_CONVOLUTION]
    layouts = [src, window.filters(weights), bias, dst]
    arguments = [*kind, *layouts, *window.c_arguments()]
    return built("convolution_forward", arguments, names, post, precision)


def convolution_backward_data(
    diff_src: Layout,
    weights: Layout,
    diff_dst: Layout,
    window: Window,
    *,
    precision: Precision = "strict",
) -> Primitive | None:
    """The gradient of the images, which is also transposed convolution without a bias.

    Shapes as in `convolution_forward`. Arguments: diff_dst, weights, diff_src.
    """
    arguments = [DIRECT_CONVOLUTION, diff_src, window.filters(weights), diff_dst]
    arguments += [*window.c_arguments(), None]
    names = ["diff_dst", "weights", "diff_src"]
    return built("convolution_backward_data", arguments, names, precision=precision)


def convolution_backward_weights(
    src: Layout,
    diff_weights: Layout,
    diff_dst: Layout,
    window: Window,
    *,
    diff_bias: Layout | None = None,
    precision: Precision = "strict",
) -> Primitive | None:
    """The gradient of the filters, and of the bias [O] where there is one.

    Shapes as in `convolution_forward`. Arguments: src, diff_dst, diff_weights, diff_bias.
    """
    arguments = [DIRECT_CONVOLUTION, src, window.filters(diff_weights), diff_bias, diff_dst]
    arguments += [*window.c_arguments(), None]
    names = ["src", "diff_dst", "diff_weights", *(["diff_bias"] if diff_bias else [])]
    return built("convolution_backward_weights", arguments, names, precision=precision)
