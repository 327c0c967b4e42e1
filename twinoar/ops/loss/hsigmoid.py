"""Hierarchical sigmoid: the likelihood of a class as that of a path through a binary tree."""

from __future__ import annotations

import numpy as np

from twinoar.core.dim import differ
from twinoar.core.op.declare import Desc, Tensor, function, op
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.activation.smooth import softplus
from twinoar.ops.index.gather import gather
from twinoar.ops.math.arithmetic import floor_divide
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import greater_equal
from twinoar.ops.math.select import clip, select
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.reshape import reshape, unsqueeze
from twinoar.ops.window._geometry import check_floating

BOUND = 40.0  # Paddle's: scores beyond it count as it


@op(
    name="hierarchical_sigmoid",
    amp="high",
    desc=Desc(
        "hierarchical_sigmoid",
        {
            "X": "x",
            "Label": "label",
            "W": "weight",
            "Bias": "bias",
            "PathTable": "path_table",
            "PathCode": "path_code",
        },
        ("Out",),
        {"num_classes": "num_classes"},
        fixed={"is_sparse": False},
        extra_outputs=("PreOut", "W_Out"),
    ),
)
def hsigmoid_loss_op(
    x: Tensor,
    label: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    path_table: Tensor | None = None,
    path_code: Tensor | None = None,
    num_classes: int = 2,
) -> Tensor:
    """The operator under `hsigmoid_loss`."""
    _check(x, label, weight, num_classes)
    nodes, codes = path_table, path_code
    if nodes is None or codes is None:
        nodes, codes = _default_paths(reshape(label, (-1, 1)), num_classes)
    count, depth = nodes.spec.shape
    on_path = greater_equal(nodes, 0)
    flat = reshape(select(on_path, nodes, 0), (-1,))
    vectors = reshape(gather(weight, flat), (count, depth, x.spec.shape[1]))
    scores = total(vectors * unsqueeze(x, 1), 2)
    if bias is not None:
        scores = scores + reshape(gather(reshape(bias, (-1,)), flat), (count, depth))
    scores = select(on_path, scores, 0.0)
    scores = scores + (clip(scores, -BOUND, BOUND) - scores).detach()
    right = select(on_path, astype(codes, x.dtype), 0.0)
    return total(softplus(scores) - right * scores, 1, keepdim=True)


def _default_paths(label: Tensor, num_classes: int) -> tuple[Tensor, Tensor]:
    """Nodes and turns from a leaf to the root of a complete tree, [N,depth], -1 behind the root."""
    code = label + num_classes
    depth = (2 * num_classes - 1).bit_length() - 1
    above = concat([floor_divide(code, 2 ** (k + 1)) for k in range(depth)], 1)
    turns = concat([floor_divide(code, 2**k) % 2 for k in range(depth)], 1)
    return above - 1, turns


@hsigmoid_loss_op.samples
def _(s):
    label = np.array([[0], [3], [5]])
    yield s(s.randn(3, 4), label, s.randn(5, 4), s.randn(5, 1), num_classes=6)
    yield s(s.randn(3, 4), label, s.randn(7, 4), num_classes=8)
    nodes, codes = np.array([[0, 1, -1], [2, 3, 4]]), np.array([[1, 0, -1], [1, 1, 0]])
    yield s(s.randn(2, 3), s.ints(0, 6, 2, 1), s.randn(5, 3), s.randn(5, 1), nodes, codes, 6)
    yield s.bad(ShapeError, "x must be [N,D]", s.randn(3), label, s.randn(5, 4))
    yield s.bad(ShapeError, "weight must be", s.randn(3, 4), label, s.randn(5, 3))
    yield s.bad(ArgumentError, "2 classes", s.randn(3, 4), label, s.randn(5, 4), num_classes=1)


def _check(x: Tensor, label: Tensor, weight: Tensor, num_classes: int) -> None:
    check_floating(x.spec)
    if num_classes < 2:
        raise ArgumentError(f"a tree has at least 2 classes, received {num_classes}")
    if x.ndim != 2 or differ(x.spec.shape[0], label.spec.shape[0]):
        raise ShapeError(f"x must be [N,D], label [N] or [N,1], received {x.spec}, {label.spec}")
    if weight.ndim != 2 or differ(weight.spec.shape[1], x.spec.shape[1]):
        raise ShapeError(f"weight must be [nodes, {x.spec.shape[1]}], received {weight.spec}")


@function
def hsigmoid_loss(
    input: Tensor,
    label: Tensor,
    num_classes: int,
    weight: Tensor,
    bias: Tensor | None = None,
    path_table: Tensor | None = None,
    path_code: Tensor | None = None,
    is_sparse: bool = False,
) -> Tensor:
    """-log of the likelihood of the turns from a class to the root of a binary tree.

    input: [N,D], floating. label: [N] or [N,1], integers. weight: [num_classes - 1, D], a vector
    for each node. bias: [num_classes - 1, 1]. path_table, path_code: [N,depth], the nodes of each
    path and the turns there, -1 behind its end; without them the tree is complete. is_sparse:
    accepted; gradients are dense. As in Paddle each position behind a path's end adds log 2, and
    scores beyond 40 count as 40. Returns [N,1]. Raises ShapeError, ArgumentError. Source: Morin and
    Bengio, Hierarchical Probabilistic Neural Network Language Model, 2005.

    >>> x, w = twinoar.zeros([1, 2]), twinoar.ones([3, 2])
    >>> loss = twinoar.nn.functional.hsigmoid_loss(x, twinoar.to_tensor([1]), 4, w)
    >>> round((-loss).exp().item(), 4)  # two turns, each as likely as not
    0.25
    """
    if (path_table is None) != (path_code is None):
        raise ArgumentError(
            "path_table and path_code belong together, received one of them",
            cure="give both, or none for a complete tree",
        )
    paths = (path_table, path_code)
    return hsigmoid_loss_op(input, label, weight, bias, *paths, num_classes)
