"""Viterbi's algorithm: the best sequence of tags, by scores of tags and of what follows what."""

from __future__ import annotations

import numpy as np

from twinoar.core.dtype import BY_NUMPY, int32, int64
from twinoar.core.loop.language import NARROW, compute_dtype
from twinoar.core.loop.procedure import cast, fail, procedure
from twinoar.core.op.declare import Desc, Spec, Tensor, function, op, primitive
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.create.range import iota
from twinoar.ops.index.gather import gather_op
from twinoar.ops.index.mask import nonzero_op
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import less_than
from twinoar.ops.pool.maximum_index import comes_first
from twinoar.ops.reduce.reduction import any_op
from twinoar.ops.shape.reshape import reshape_op, unsqueeze_op


@primitive(
    slow_kernel=True,
)
def viterbi_paths(
    potentials: Tensor, transitions: Tensor, lengths: Tensor, include_bos_eos_tag: bool = True
) -> tuple[Tensor, Tensor]:
    """The scores of the best sequences, [B], and these, 0 behind their ends: [B,T], int64."""


@viterbi_paths.infer
def _(potentials, transitions, lengths, include_bos_eos_tag):
    if potentials.ndim != 3:
        raise ShapeError(f"potentials must be [B,T,N], received {potentials}")
    batch, steps, tags = potentials.shape
    if not may_equal(transitions.shape, (tags, tags)):
        raise ShapeError(f"transition_params must be [{tags},{tags}], received {transitions}")
    if not may_equal(lengths.shape, (batch,)):
        raise ShapeError(f"lengths must be [{batch}], received {lengths}")
    least = 2 if include_bos_eos_tag else 1
    if isinstance(tags, int) and tags < least:
        raise ShapeError(f"there must be at least {least} tags, received {tags}")
    if not potentials.dtype.is_floating or transitions.dtype is not potentials.dtype:
        raise DTypeError(
            f"potentials and transition_params must have one floating dtype, received "
            f"{potentials} and {transitions}"
        )
    if not lengths.dtype.is_integer:
        raise DTypeError(f"lengths must be integers, received {lengths}")
    return Spec((batch,), potentials.dtype), Spec((batch, steps), int64)


@viterbi_paths.kernel
def _(potentials, transitions, lengths, include_bos_eos_tag):
    batch, steps, tags = potentials.shape
    if (
        lengths.shape != (batch,)
        or transitions.shape != (tags, tags)
        or lengths.dtype.kind not in "iu"
    ):
        raise IndexError
    if tags < (2 if include_bos_eos_tag else 1):
        raise IndexError
    if batch and not (lengths.min() >= 1 and lengths.max() <= steps):
        raise ArgumentError(
            f"lengths must be in 1 to {steps}, received {lengths.min()} to {lengths.max()}"
        )
    dtype = potentials.dtype
    if BY_NUMPY[dtype] in NARROW:
        potentials, transitions = potentials.astype("float32"), transitions.astype("float32")
    best = np.zeros((batch, tags), potentials.dtype)
    before = np.zeros((steps, batch, tags), np.int64)
    for t in range(steps):
        here = (t < lengths)[:, None]
        if t:
            reached = best[:, :, None] + transitions
            before[t] = reached.argmax(1)
            best = np.where(here, reached.max(1) + potentials[:, t], best)
        else:
            best = potentials[:, 0] + (transitions[-1] if include_bos_eos_tag else 0)
        if include_bos_eos_tag:
            best = np.where((t == lengths - 1)[:, None], best + transitions[-2], best)
    path = np.zeros((batch, steps), np.int64)
    tag = best.argmax(1)
    for t in reversed(range(steps)):
        here = t < lengths
        path[:, t] = np.where(here, tag, 0)
        tag = np.where(here, np.take_along_axis(before[t], tag[:, None], 1)[:, 0], tag)
    return best.max(1).astype(dtype), path


@viterbi_paths.procedure
def _(p, potentials, transitions, lengths, include_bos_eos_tag):
    batch, steps, tags = potentials.shape
    dtype = compute_dtype(potentials.dtype)
    best = p.scratch((batch, 2, tags), dtype)
    before = p.scratch((batch, steps, tags), int32)
    p.launch(_followed, batch, potentials, transitions, lengths, best, before, *p.results,
             work=potentials.size * tags, ends=include_bos_eos_tag)  # fmt: skip


@procedure
def _followed(b, potentials, transitions, lengths, best, before, scores, path, *, ends):
    """best: two lines, the scores of the best sequences to each tag, before and at a place."""
    steps, tags = potentials.shape[1], potentials.shape[2]
    length = cast(lengths[b], int64)
    if length < 1 or length > steps:
        fail()
    for j in range(tags):
        first = cast(potentials[b, 0, j], best)
        if ends:
            first = first + cast(transitions[tags - 1, j], best)
        best[b, 0, j] = first
    for t in range(1, length):
        old, new = (t - 1) % 2, t % 2
        for j in range(tags):
            best[b, new, j] = best[b, old, 0] + cast(transitions[0, j], best)
            before[b, t, j] = cast(0, before)
        for i in range(1, tags):
            score = best[b, old, i]
            for j in range(tags):
                reached = score + cast(transitions[i, j], best)
                is_better = comes_first(reached, best[b, new, j])
                best[b, new, j] = reached if is_better else best[b, new, j]
                before[b, t, j] = cast(i, before) if is_better else before[b, t, j]
        for j in range(tags):
            best[b, new, j] = best[b, new, j] + cast(potentials[b, t, j], best)
    last = (length - 1) % 2
    if ends:
        for j in range(tags):
            best[b, last, j] = best[b, last, j] + cast(transitions[tags - 2, j], best)
    score = best[b, last, 0]
    tag = cast(0, int64)
    for j in range(1, tags):
        is_better = comes_first(best[b, last, j], score)
        score = best[b, last, j] if is_better else score
        tag = j if is_better else tag
    scores[b] = cast(score, scores)
    for t in range(steps - 1, length - 1, -1):
        path[b, t] = 0
    for t in range(length - 1, 0, -1):
        path[b, t] = tag
        tag = cast(before[b, t, tag], int64)
    path[b, 0] = tag


@viterbi_paths.samples
def _(s):
    lengths = np.array([3, 1])
    yield s(s.randn(2, 3, 4), s.randn(4, 4), lengths, gradient=False, half=False)
    yield s(s.randn(2, 3, 4), s.randn(4, 4), lengths, False, gradient=False, half=False)
    yield s.bad(ShapeError, r"must be [B,T,N]", s.randn(2, 3), s.randn(3, 3), lengths)
    yield s.bad(ShapeError, "must be [4,4]", s.randn(2, 3, 4), s.randn(3, 3), lengths)
    yield s.bad(ShapeError, "must be [2]", s.randn(2, 3, 4), s.randn(4, 4), s.ints(1, 3, 3))
    yield s.bad(DTypeError, "must be integers", s.randn(2, 3, 4), s.randn(4, 4), s.randn(2))
    yield s.bad(ShapeError, "at least 2 tags", s.randn(2, 3, 1), s.randn(1, 1), lengths)
    yield s.bad(
        ArgumentError, "1 to 3", s.randn(2, 3, 4), s.randn(4, 4), lengths + 1, static_error=False
    )


def _shortened(potentials: Spec, *rest: Spec, **attrs: bool) -> tuple[Spec, Spec]:
    scores, path = viterbi_paths.rules["infer"](potentials, *rest, **attrs)
    longest: int = None  # type: ignore[assignment]  # the data decides
    return scores, Spec((path.shape[0], longest), int64)


@op(
    infer=_shortened,
    desc=Desc(
        "viterbi_decode",
        {"Input": "potentials", "Transition": "transitions", "Length": "lengths"},
        outputs=("Scores", "Path"),
        attrs={"include_bos_eos_tag": "include_bos_eos_tag"},
    ),
)
def viterbi(
    potentials: Tensor, transitions: Tensor, lengths: Tensor, include_bos_eos_tag: bool = True
) -> tuple[Tensor, Tensor]:
    """The best sequences and their scores: the operator under `viterbi_decode`."""
    scores, path = viterbi_paths(potentials, transitions, lengths, include_bos_eos_tag)
    places = unsqueeze_op(iota(path.spec.shape[1]), (1,))
    reaches = any_op(less_than(places, astype(lengths, int64)), (1,))  # a sequence, [T]
    return scores, gather_op(path, reshape_op(nonzero_op(reaches), (-1,)), 1)


@viterbi.samples
def _(s):
    lengths = np.array([3, 1])
    yield s(s.randn(2, 3, 4), s.randn(4, 4), lengths, gradient=False, half=False)
    yield s(s.randn(2, 3, 4), s.randn(4, 4), lengths, False, gradient=False, half=False)
    yield s.bad(ShapeError, r"must be [B,T,N]", s.randn(2, 3), s.randn(3, 3), lengths)
    yield s.bad(ShapeError, "must be [4,4]", s.randn(2, 3, 4), s.randn(3, 3), lengths)
    yield s.bad(ShapeError, "must be [2]", s.randn(2, 3, 4), s.randn(4, 4), s.ints(1, 3, 3))
    yield s.bad(DTypeError, "must be integers", s.randn(2, 3, 4), s.randn(4, 4), s.randn(2))
    yield s.bad(ShapeError, "at least 2 tags", s.randn(2, 3, 1), s.randn(1, 1), lengths)
    yield s.bad(
        ArgumentError, "1 to 3", s.randn(2, 3, 4), s.randn(4, 4), lengths + 1, static_error=False
    )


@function
def viterbi_decode(
    potentials: Tensor, transition_params: Tensor, lengths: Tensor, include_bos_eos_tag: bool = True
) -> tuple[Tensor, Tensor]:
    """The sequences of tags with the highest scores, and these.

    potentials: the score of each tag at each place, [B,T,N]. transition_params: of the tag of a
    column after that of a row, [N,N]; with `include_bos_eos_tag` the last row is of what comes
    first, the one before it of what comes last. lengths: of the sequences, [B], 1 to T. Returns
    scores [B] and tags [B,longest], int64, 0 behind the end. Raises ShapeError, DTypeError,
    ArgumentError. Source: A. Viterbi, 1967.

    >>> scores = twinoar.to_tensor([[[1.0, 0.0], [0.0, 3.0]]])
    >>> follows, lengths = twinoar.zeros([2, 2]), twinoar.to_tensor([2])
    >>> best, tags = twinoar.text.viterbi_decode(scores, follows, lengths, False)
    >>> best.tolist(), tags.tolist()
    ([4.0], [[0, 1]])
    """
    return viterbi(potentials, transition_params, lengths, include_bos_eos_tag)
