"""Connectionist temporal classification: the likelihood of labels that no frame is told.

A path names a class for each frame; what is left of it when repetitions are merged and blanks are
dropped are the labels. Between the labels, before and after them, blanks may stand: S = 2 L + 1
places. Source: Graves et al. 2006, Connectionist Temporal Classification, section 4.
"""

from __future__ import annotations

import numpy as np

from twinoar.core.op.declare import Desc, Spec, Tensor, function, primitive
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, AxisError, DTypeError, ShapeError
from twinoar.ops.loss._paths import labelled, launch_loss, launch_slope
from twinoar.ops.loss.nll import check_reduction, reduce_loss
from twinoar.ops.math.arithmetic import divide
from twinoar.ops.math.cast import astype
from twinoar.ops.shape.reshape import reshape, unsqueeze
from twinoar.ops.window._geometry import check_floating


@primitive(
    slow_kernel=True,
    amp="full",
    desc=Desc(
        "warpctc",
        {
            "Logits": "logits",
            "Label": "label",
            "LogitsLength": "logits_length",
            "LabelLength": "label_length",
        },
        ("Loss",),
        {"blank": "blank", "norm_by_times": "norm_by_times"},
        extra_outputs=("WarpCTCGrad",),
    ),
)
def ctc(
    logits: Tensor,
    label: Tensor,
    logits_length: Tensor,
    label_length: Tensor,
    blank: int = 0,
    norm_by_times: bool = False,
) -> Tensor:
    """-log of the likelihood of each sequence of labels, 0 where there are not frames enough.

    Arguments: see `ctc_loss`. Returns [B,1].
    """


@primitive(slow_kernel=True)
def ctc_slope(
    logits: Tensor,
    label: Tensor,
    logits_length: Tensor,
    label_length: Tensor,
    blank: int = 0,
    norm_by_times: bool = False,
) -> Tensor:
    """The gradient of `ctc`: softmax(logits) minus how likely each class is at each frame, [T,B,C].

    Source: Graves et al. 2006, eq. 16.
    """


@ctc.infer
def _(logits, label, logits_length, label_length, blank, norm_by_times):
    _check(logits, label, logits_length, label_length, blank)
    return Spec((logits.shape[1], 1), logits.dtype)


@ctc_slope.infer
def _(logits, label, logits_length, label_length, blank, norm_by_times):
    _check(logits, label, logits_length, label_length, blank)
    return logits


@ctc.kernel
def _(logits, label, logits_length, label_length, blank, norm_by_times):
    paths = _Paths(logits, label, logits_length, label_length, blank)
    return (0.0 - paths.likelihood(paths.forward()))[:, None].astype(logits.dtype)


@ctc_slope.kernel
def _(logits, label, logits_length, label_length, blank, norm_by_times):
    paths = _Paths(logits, label, logits_length, label_length, blank)
    slope = paths.slope()
    if norm_by_times:
        slope /= np.maximum(paths.frames, 1)[:, None]
    return slope.astype(logits.dtype)


@ctc.procedure
def _(p, logits, label, logits_length, label_length, blank):
    launch_loss(p, labelled(p, blank, logits, label, logits_length, label_length))


@ctc_slope.procedure
def _(p, logits, label, logits_length, label_length, blank, norm_by_times):
    paths = labelled(p, blank, logits, label, logits_length, label_length)
    launch_slope(p, paths, norm_by_times)


@ctc.grad
def _(g, logits, label, logits_length, label_length, blank, norm_by_times):
    slope = ctc_slope(logits, label, logits_length, label_length, blank, norm_by_times)
    return unsqueeze(g, 0) * slope, None, None, None


class _Paths:
    """Sums over the paths of B sequences, as logarithms, in float64."""

    def __init__(
        self,
        logits: np.ndarray,
        label: np.ndarray,
        logits_length: np.ndarray,
        label_length: np.ndarray,
        blank: int,
    ):
        _check_values(logits, label, logits_length, label_length)
        shifted = logits.astype(np.float64)
        shifted -= shifted.max(2, keepdims=True, initial=-np.inf)
        self.logs = shifted - np.log(np.exp(shifted).sum(2, keepdims=True))  # [T,B,C]
        self.frames, self.labels = logits_length.astype(np.int64), label_length.astype(np.int64)
        count, length = label.shape
        self.places = np.full((count, 2 * length + 1), blank, np.int64)  # [B,S], classes
        given = np.arange(length) < self.labels[:, None]
        self.places[:, 1::2] = np.where(given, label, blank)
        self.emitted = np.take_along_axis(self.logs, self.places[None], 2)  # [T,B,S]
        self.jump = np.full((count, max(2 * length - 1, 0)), -np.inf)  # [B,S-2], over a blank
        self.jump[:, 1::2][self.places[:, 3::2] != self.places[:, 1:-2:2]] = 0.0

    def forward(self) -> np.ndarray:
        """The likelihood of all ways to each place at each frame, [T,B,S]: alpha, eq. 6."""
        out = np.full(self.emitted.shape, -np.inf)
        if not len(out):
            return out
        out[0, :, :2] = self.emitted[0, :, :2]
        for t in range(1, len(out)):
            before, now = out[t - 1], out[t]
            now[:] = before
            np.logaddexp(now[:, 1:], before[:, :-1], out=now[:, 1:])
            np.logaddexp(now[:, 2:], before[:, :-2] + self.jump, out=now[:, 2:])
            now += self.emitted[t]
        return out

    def backward(self) -> np.ndarray:
        """The likelihood of all ways on from each place, without its frame, [T,B,S]: beta."""
        out = np.full(self.emitted.shape, -np.inf)
        after = np.full(self.places.shape, -np.inf)
        at = np.arange(self.places.shape[1])
        ends = (at == 2 * self.labels[:, None]) | (at == 2 * self.labels[:, None] - 1)
        for t in reversed(range(len(out))):
            going = after.copy()
            np.logaddexp(going[:, :-1], after[:, 1:], out=going[:, :-1])
            np.logaddexp(going[:, :-2], after[:, 2:] + self.jump, out=going[:, :-2])
            is_last = (self.frames == t + 1)[:, None]
            out[t] = np.where(is_last, np.where(ends, 0.0, -np.inf), going)
            after = out[t] + self.emitted[t]
        return out

    def likelihood(self, alpha: np.ndarray) -> np.ndarray:
        """Of the labels, [B]: eq. 8; 0, for 1, where no path gives them."""
        if not len(alpha):
            return np.zeros(len(self.frames))
        rows = np.arange(len(self.frames))
        last = alpha[np.maximum(self.frames, 1) - 1, rows]  # [B,S]
        ends = 2 * self.labels
        on_blank, on_label = last[rows, ends], last[rows, np.maximum(ends - 1, 0)]
        total = np.where(ends > 0, np.logaddexp(on_blank, on_label), on_blank)
        return np.where((self.frames > 0) & np.isfinite(total), total, 0.0)

    def slope(self) -> np.ndarray:
        """The gradient of -likelihood, [T,B,C]: 0 behind a sequence, and where no path is."""
        alpha = self.forward()
        joint = alpha + self.backward() - self.likelihood(alpha)[:, None]  # [T,B,S]
        out: np.ndarray = np.exp(self.logs)
        rows = np.arange(len(self.frames))
        for s in range(joint.shape[2]):  # classes repeat along S, not along B
            out[:, rows, self.places[:, s]] -= np.exp(joint[:, :, s])
        out[np.isinf(joint).all(2)] = 0.0
        return out


def _check(logits: Spec, label: Spec, logits_length: Spec, label_length: Spec, blank: int) -> None:
    check_floating(logits)
    if logits.ndim != 3 or label.ndim != 2:
        raise ShapeError(
            "log_probs must be [frames, batch, classes], labels [batch, length], "
            f"received {logits} and {label}",
            cure="transpose log_probs where the batch comes first",
        )
    batch, classes = logits.shape[1:]
    named = ("labels", label), ("input_lengths", logits_length), ("label_lengths", label_length)
    for name, x in named:
        if not may_equal((batch,), x.shape[:1]) or (x is not label and x.ndim != 1):
            raise ShapeError(f"{name} must have an entry for each of {batch}, received {x}")
        if not x.dtype.is_integer:
            raise DTypeError(f"{name} must hold integers, received {x}")
    if isinstance(classes, int) and not 0 <= blank < classes:
        raise ArgumentError(f"blank must be a class, 0 to {classes - 1}, received {blank}")


def _check_values(
    logits: np.ndarray, label: np.ndarray, logits_length: np.ndarray, label_length: np.ndarray
) -> None:
    for name, x in (("labels", label), ("lengths", logits_length), ("lengths", label_length)):
        if x.dtype.kind not in "iu":
            raise DTypeError(f"{name} must hold integers, received {x.dtype.name}")
    limits = (logits_length, logits.shape[0], "frames"), (label_length, label.shape[1], "labels")
    for lengths, most, what in limits:
        if lengths.size and not 0 <= lengths.min() <= lengths.max() <= most:
            raise ArgumentError(f"a sequence has 0 to {most} {what}, received lengths {lengths}")
    given = label[np.arange(label.shape[1]) < label_length[:, None]]
    if given.size and not 0 <= given.min() <= given.max() < logits.shape[2]:
        wrong = given[(given < 0) | (given >= logits.shape[2])][0]
        raise AxisError(f"label {wrong} names no class: there are {logits.shape[2]}")


def _samples(s, **checks):
    lengths = np.array([6, 6, 4]), np.array([3, 2, 1])
    label = np.array([[1, 1, 3], [2, 3, 1], [3, 2, 1]], "int32")
    yield s(s.randn(6, 3, 5), label, *lengths, **checks)
    yield s(s.randn(6, 3, 5), label, *lengths, 4, **checks)
    yield s(s.randn(3, 3, 5), label, np.array([3, 2, 0]), lengths[1], **checks)
    yield s(s.randn(4, 2, 3), s.ints(1, 3, 2, 0), *np.array([[4, 3], [0, 0]]), **checks)
    yield s.bad(ShapeError, "transpose", s.randn(6, 5), label, *lengths)
    yield s.bad(ShapeError, "entry for each", s.randn(6, 2, 5), label, *lengths)
    yield s.bad(DTypeError, "integers", s.randn(6, 3, 5), s.randn(3, 3), *lengths)
    yield s.bad(ArgumentError, "blank must be", s.randn(6, 3, 5), label, *lengths, 5)


ctc.samples(lambda s: _samples(s, second=False))
ctc_slope.samples(lambda s: _samples(s, gradient=False))


@function(named=False)
def ctc_loss(
    log_probs: Tensor,
    labels: Tensor,
    input_lengths: Tensor,
    label_lengths: Tensor,
    blank: int = 0,
    reduction: str = "mean",
    norm_by_times: bool = False,
    zero_infinity: bool = False,
) -> Tensor:
    """-log of the likelihood of labels whose places in a sequence of frames are not known.

    log_probs: scores, which a softmax is taken of, [T,B,C], float. labels: [B,L], integers.
    input_lengths, label_lengths: how many of T and L count, [B], integers. blank: the class that
    stands for no label. reduction: "none"; "sum"; or "mean", of losses divided by the number of
    their labels. norm_by_times: gradients, not losses, are divided by input_lengths. zero_infinity:
    accepted; where frames do not suffice for the labels the loss and its gradient always are 0.
    Returns [], or for "none" [B]. Raises ShapeError, ArgumentError, AxisError for a label that
    names no class. Source: Graves et al. 2006, section 4.

    >>> scores = twinoar.zeros([2, 1, 2])  # paths -1, 1-, 11 of four give the label
    >>> one = twinoar.ones([1], "int64")
    >>> loss = twinoar.nn.functional.ctc_loss(scores, one.reshape([1, 1]), one * 2, one)
    >>> round(loss.exp().item(), 4)
    1.3333
    """
    check_reduction(reduction)
    lengths = (input_lengths, label_lengths)
    loss = reshape(ctc(log_probs, labels, *lengths, blank, norm_by_times), (-1,))
    if reduction == "mean":
        loss = divide(loss, astype(label_lengths, loss.dtype))
    return reduce_loss(loss, reduction)
