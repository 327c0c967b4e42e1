"""Viterbi's algorithm: the best sequence of tags, by scores of tags and of what follows what."""

from __future__ import annotations

import numpy as np

from twinoar.core.dtype import int64
from twinoar.core.op.declare import Desc, Spec, Tensor, function, primitive
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, DTypeError, ShapeError


@primitive(
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


@viterbi.infer
def _(potentials, transitions, lengths, include_bos_eos_tag):
    if potentials.ndim != 3:
        raise ShapeError(f"potentials must be [B,T,N], received {potentials}")
    batch, _, tags = potentials.shape
    if not may_equal(transitions.shape, (tags, tags)):
        raise ShapeError(f"transition_params must be [{tags},{tags}], received {transitions}")
    if not may_equal(lengths.shape, (batch,)):
        raise ShapeError(f"lengths must be [{batch}], received {lengths}")
    if not potentials.dtype.is_floating or transitions.dtype is not potentials.dtype:
        raise DTypeError(
            f"potentials and transition_params must have one floating dtype, received "
            f"{potentials} and {transitions}"
        )
    if not lengths.dtype.is_integer:
        raise DTypeError(f"lengths must be integers, received {lengths}")
    longest: int = None  # type: ignore[assignment]  # the data decides
    return Spec((batch,), potentials.dtype), Spec((batch, longest), int64)


@viterbi.kernel
def _(potentials, transitions, lengths, include_bos_eos_tag):
    batch, steps, tags = potentials.shape
    if lengths.shape != (batch,) or transitions.shape != (tags, tags) or lengths.dtype.kind != "i":
        raise IndexError
    if batch and not (lengths.min() >= 1 and lengths.max() <= steps):
        raise ArgumentError(
            f"lengths must be in 1 to {steps}, received {lengths.min()} to {lengths.max()}"
        )
    longest = int(lengths.max(initial=0))
    best = np.zeros((batch, tags), potentials.dtype)
    before = np.zeros((longest, batch, tags), np.int64)
    for t in range(longest):
        reached = best[:, :, None] + transitions
        here = t < lengths
        if t:
            before[t] = reached.argmax(1)
            best = np.where(here[:, None], reached.max(1) + potentials[:, t], best)
        else:
            best = potentials[:, 0] + (transitions[-1] if include_bos_eos_tag else 0)
        if include_bos_eos_tag:
            best = best + np.where((t == lengths - 1)[:, None], transitions[-2], 0)
    path = np.zeros((batch, longest), np.int64)
    tag = best.argmax(1)
    for t in reversed(range(longest)):
        here = t < lengths
        path[:, t] = np.where(here, tag, 0)
        tag = np.where(here, np.take_along_axis(before[t], tag[:, None], 1)[:, 0], tag)
    return best.max(1).astype(potentials.dtype), path


@viterbi.samples
def _(s):
    lengths = np.array([3, 1])
    yield s(s.randn(2, 3, 4), s.randn(4, 4), lengths, gradient=False, half=False)
    yield s(s.randn(2, 3, 4), s.randn(4, 4), lengths, False, gradient=False, half=False)
    yield s.bad(ShapeError, r"must be [B,T,N]", s.randn(2, 3), s.randn(3, 3), lengths)
    yield s.bad(ShapeError, "must be [4,4]", s.randn(2, 3, 4), s.randn(3, 3), lengths)
    yield s.bad(ShapeError, "must be [2]", s.randn(2, 3, 4), s.randn(4, 4), s.ints(1, 3, 3))
    yield s.bad(DTypeError, "must be integers", s.randn(2, 3, 4), s.randn(4, 4), s.randn(2))
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

    >>> import twinoar
    >>> scores = twinoar.to_tensor([[[1.0, 0.0], [0.0, 3.0]]])
    >>> follows, lengths = twinoar.zeros([2, 2]), twinoar.to_tensor([2])
    >>> best, tags = twinoar.text.viterbi_decode(scores, follows, lengths, False)
    >>> best.tolist(), tags.tolist()
    ([4.0], [[0, 1]])
    """
    return viterbi(potentials, transition_params, lengths, include_bos_eos_tag)
