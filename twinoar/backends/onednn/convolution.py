"""Convolution: forward, both its gradients, and transposed."""

from __future__ import annotations

from collections.abc import Sequence

from twinoar.backends.onednn.attributes import PostOp, Precision, Scales
from twinoar.backends.onednn.layout import Layout
from twinoar.backends.onednn.primitive import Primitive, built
from twinoar.backends.onednn.window import Window, propagation

DIRECT_CONVOLUTION, DIRECT_DECONVOLUTION = 1, 10


def convolution_forward(
    src: Layout,
    weights: Layout,
    dst: Layout,
    window: Window,
    *,
    bias: Layout | None = None,
    post: Sequence[PostOp] = (),
    precision: Precision = "strict",
    scales: Scales | None = None,
    training: bool = False,
) -> Primitive | None:
    """dst = post(src * weights + bias), None where the library has no such convolution.

    src: [N,C,H,W]. weights: [O,C/groups,KH,KW]. bias: [O]. dst: [N,O,OH,OW]; one or three spatial
    axes likewise. Any layout may be `any`. Arguments: src, weights, bias, dst. With groups the
    weights' layout is that of `window.filters`.
    """
    names = ["src", "weights", *(["bias"] if bias else []), "dst"]
    kind = [propagation(training), DIRECT_CONVOLUTION]
    layouts = [src, window.filters(weights), bias, dst]
    arguments = [*kind, *layouts, *window.c_arguments()]
    return built("convolution_forward", arguments, names, post, precision, scales)


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


def deconvolution_forward(
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
    """Transposed convolution, dst = post(src * weights + bias); None where there is none.

    src: [N,C,H,W]. weights: [C,O/groups,KH,KW], of which the library sees `window.transposed`.
    bias: [O]. dst: [N,O,OH,OW]. Without bias and operations it is `convolution_backward_data` of
    dst; its own gradients are `convolution_forward`, and `convolution_backward_weights` with the
    roles of images and results exchanged. Arguments: src, weights, bias, dst.
    """
    names = ["src", "weights", *(["bias"] if bias else []), "dst"]
    kind = [propagation(training), DIRECT_DECONVOLUTION]
    layouts = [src, window.transposed(weights), bias, dst]
    arguments = [*kind, *layouts, *window.c_arguments()]
    return built("deconvolution_forward", arguments, names, post, precision)
