"""The loss of transducers: the likelihood of labels that a model says between frames.

At each frame a model says labels, and a blank to go on to the next frame: a path through a lattice
of T frames and U labels. Source: Graves 2012, arXiv 1211.3711, section 2.4.
"""

from __future__ import annotations

import numpy as np

from twinoar.core.op.declare import Desc, Spec, Tensor, function, primitive
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, AxisError, DTypeError, ShapeError
from twinoar.ops.loss._lattice import launch_loss, launch_slope
from twinoar.ops.loss.nll import check_reduction, reduce_loss
from twinoar.ops.shape.reshape import reshape
from twinoar.ops.window._geometry import check_floating


@primitive(
    slow_kernel=True,
    amp="full",
    desc=Desc(
        "warprnnt",
        {
            "input": "logs",
            "label": "label",
            "input_lengths": "input_lengths",
            "label_lengths": "label_lengths",
        },
        ("loss",),
        {"blank": "blank", "fastemit_lambda": "fastemit_lambda"},
        extra_outputs=("warprnntgrad",),
    ),
)
def rnnt(
    logs: Tensor,
    label: Tensor,
    input_lengths: Tensor,
    label_lengths: Tensor,
    blank: int = 0,
    fastemit_lambda: float = 0.001,
) -> Tensor:
    """-log of the likelihood of each sequence of labels, [B]; arguments: see `rnnt_loss`."""


@primitive(slow_kernel=True)
def rnnt_slope(
    logs: Tensor,
    label: Tensor,
    input_lengths: Tensor,
    label_lengths: Tensor,
    blank: int = 0,
    fastemit_lambda: float = 0.001,
) -> Tensor:
    """The gradient of `rnnt`, [B,T,U+1,C]: minus how likely each step of a path is.

    Those of labels are 1 + fastemit_lambda times as large. Source: arXiv 2010.11148, eq. 9.
    """


@rnnt.infer
def _(logs, label, input_lengths, label_lengths, blank, fastemit_lambda):
    _check(logs, label, input_lengths, label_lengths, blank)
    return Spec(logs.shape[:1], logs.dtype)


@rnnt_slope.infer
def _(logs, label, input_lengths, label_lengths, blank, fastemit_lambda):
    _check(logs, label, input_lengths, label_lengths, blank)
    return logs


@rnnt.kernel
def _(logs, label, input_lengths, label_lengths, blank, fastemit_lambda):
    lattice = _Lattice(logs, label, input_lengths, label_lengths, blank)
    return (0.0 - lattice.backward()[:, 0, 0]).astype(logs.dtype)


@rnnt_slope.kernel
def _(logs, label, input_lengths, label_lengths, blank, fastemit_lambda):
    lattice = _Lattice(logs, label, input_lengths, label_lengths, blank)
    return lattice.slope(fastemit_lambda).astype(logs.dtype)


@rnnt.procedure
def _(p, logs, label, input_lengths, label_lengths, blank):
    launch_loss(p, blank, logs, label, input_lengths, label_lengths)


@rnnt_slope.procedure
def _(p, logs, label, input_lengths, label_lengths, blank, fastemit_lambda):
    launch_slope(p, blank, fastemit_lambda, logs, label, input_lengths, label_lengths)


@rnnt.grad
def _(g, logs, label, input_lengths, label_lengths, blank, fastemit_lambda):
    lengths = (input_lengths, label_lengths)
    slope = rnnt_slope(logs, label, *lengths, blank, fastemit_lambda)
    return reshape(g, (-1, 1, 1, 1)) * slope, None, None, None


class _Lattice:
    """Sums over the paths of B sequences, as logarithms, in float64."""

    def __init__(
        self,
        logs: np.ndarray,
        label: np.ndarray,
        input_lengths: np.ndarray,
        label_lengths: np.ndarray,
        blank: int,
    ):
        _check_values(logs, label, input_lengths, label_lengths)
        batch, _, positions, classes = logs.shape
        self.shape, self.blank = logs.shape, blank
        self.frames = input_lengths.astype(np.int64)
        self.labels = label_lengths.astype(np.int64)
        wide = logs.astype(np.float64)
        self.said = np.zeros((batch, positions), np.int64)
        most = min(positions - 1, label.shape[1])
        self.said[:, :most] = np.clip(label[:, :most], 0, classes - 1)
        self.on_blank = wide[..., blank]  # [B,T,U+1]
        of_label = np.take_along_axis(wide, self.said[:, None, :, None], 3)[..., 0]
        at = np.arange(positions)
        self.on_label = np.where((at < self.labels[:, None])[:, None], of_label, -np.inf)

    def backward(self) -> np.ndarray:
        """The likelihood of all ways on from each place, [B,T+1,U+2], -inf outside: eq. 18."""
        batch, frames, positions, _ = self.shape
        out = np.full((batch, frames + 1, positions + 1), -np.inf)
        rows = np.arange(batch)
        out[rows, self.frames, self.labels] = 0.0
        for t in reversed(range(frames)):
            inside = t < self.frames
            for u in reversed(range(positions)):
                going = self.on_blank[:, t, u] + out[:, t + 1, u]
                saying = self.on_label[:, t, u] + out[:, t, u + 1]
                out[:, t, u] = np.where(inside, np.logaddexp(going, saying), out[:, t, u])
        return out

    def forward(self) -> np.ndarray:
        """The likelihood of all ways to each place, [B,T,U+1]: eq. 16."""
        batch, frames, positions, _ = self.shape
        out = np.full((batch, frames, positions), -np.inf)
        out[:, :1, :1] = 0.0
        for t in range(frames):
            for u in range(positions):
                ways = [out[:, t, u]]
                if t:
                    ways.append(out[:, t - 1, u] + self.on_blank[:, t - 1, u])
                if u:
                    ways.append(out[:, t, u - 1] + self.on_label[:, t, u - 1])
                out[:, t, u] = np.logaddexp.reduce(ways)
        return out

    def slope(self, fastemit_lambda: float) -> np.ndarray:
        """The gradient of -likelihood: eq. 20."""
        alpha, beta = self.forward(), self.backward()
        whole = beta[:, :1, :1]
        going = np.exp(alpha + self.on_blank + beta[:, 1:, :-1] - whole)
        saying = np.exp(alpha + self.on_label + beta[:, :-1, 1:] - whole)
        inside = (np.arange(self.shape[1]) < self.frames[:, None])[..., None]
        out = np.zeros(self.shape)
        out[..., self.blank] = -np.where(inside, going, 0.0)
        places = self.said[:, None, :, None].repeat(self.shape[1], 1)
        before = np.take_along_axis(out, places, 3)
        is_said = np.arange(self.shape[2]) < self.labels[:, None, None]
        said = np.where(inside & is_said, saying, 0.0)[..., None] * (1 + fastemit_lambda)
        np.put_along_axis(out, places, before - said, 3)
        return out


def _check(logs: Spec, label: Spec, input_lengths: Spec, label_lengths: Spec, blank: int) -> None:
    check_floating(logs)
    if logs.ndim != 4 or label.ndim != 2:
        raise ShapeError(
            "input must be [batch, frames, labels + 1, classes], label [batch, labels], "
            f"received {logs} and {label}"
        )
    batch, _, _, classes = logs.shape
    named = ("label", label), ("input_lengths", input_lengths), ("label_lengths", label_lengths)
    for name, x in named:
        if not may_equal((batch,), x.shape[:1]) or (x is not label and x.ndim != 1):
            raise ShapeError(f"{name} must have an entry for each of {batch}, received {x}")
        if not x.dtype.is_integer:
            raise DTypeError(f"{name} must hold integers, received {x}")
    if isinstance(classes, int) and not 0 <= blank < classes:
        raise ArgumentError(f"blank must be a class, 0 to {classes - 1}, received {blank}")


def _check_values(
    logs: np.ndarray, label: np.ndarray, input_lengths: np.ndarray, label_lengths: np.ndarray
) -> None:
    for name, x in (("label", label), ("lengths", input_lengths), ("lengths", label_lengths)):
        if x.dtype.kind not in "iu":
            raise DTypeError(f"{name} must hold integers, received {x.dtype.name}")
    most = min(logs.shape[2] - 1, label.shape[1])
    limits = (input_lengths, 1, logs.shape[1], "frames"), (label_lengths, 0, most, "labels")
    for lengths, least, greatest, what in limits:
        if lengths.size and not least <= lengths.min() <= lengths.max() <= greatest:
            raise ArgumentError(
                f"a sequence has {least} to {greatest} {what}, received lengths {lengths}"
            )
    given = label[np.arange(label.shape[1]) < label_lengths[:, None]]
    if given.size and not 0 <= given.min() <= given.max() < logs.shape[3]:
        wrong = given[(given < 0) | (given >= logs.shape[3])][0]
        raise AxisError(f"label {wrong} names no class: there are {logs.shape[3]}")


def _samples(s, **checks):
    label, frames, counts = (
        np.array(numbers, "int32") for numbers in ([[1, 2], [3, 1]], [4, 3], [2, 1])
    )
    lengths = (frames, counts)
    yield s(s.randn(2, 4, 3, 5), label, *lengths, 0, 0.0, **checks)
    yield s(s.randn(2, 4, 3, 5), label, *lengths, 4, 0.0, **checks)
    yield s(s.randn(1, 2, 1, 3), label[:1, :0], counts[:1], counts[:1] * 0, 0, 0.0, **checks)
    yield s.bad(ShapeError, "labels + 1", s.randn(2, 4, 5), label, *lengths)
    yield s.bad(ShapeError, "entry for each", s.randn(3, 4, 3, 5), label, *lengths)
    yield s.bad(DTypeError, "integers", s.randn(2, 4, 3, 5), s.randn(2, 2), *lengths)
    yield s.bad(ArgumentError, "blank must be", s.randn(2, 4, 3, 5), label, *lengths, 5)


rnnt.samples(lambda s: _samples(s, second=False))
rnnt_slope.samples(lambda s: _samples(s, gradient=False))


@function
def rnnt_loss(
    input: Tensor,
    label: Tensor,
    input_lengths: Tensor,
    label_lengths: Tensor,
    blank: int = 0,
    fastemit_lambda: float = 0.001,
    reduction: str = "mean",
) -> Tensor:
    """-log of the likelihood of labels that a transducer says between frames.

    input: logarithms of probabilities, [B,T,U+1,C], float: at each frame, after each number of
    labels. label: [B,U], integers. input_lengths, label_lengths: how many of T and U count, [B].
    blank: the class that goes on to the next frame. fastemit_lambda: by how much gradients of
    labels are larger, so that they come early. reduction: "none", "sum" or "mean". Returns [], or
    for "none" [B]. Raises ShapeError, ArgumentError, AxisError for a label that names no class.
    Source: arXiv 1211.3711, section 2.4; arXiv 2010.11148 for fastemit_lambda.

    >>> logs, one = twinoar.full([1, 1, 2, 2], 0.5).log(), twinoar.ones([1], "int64")
    >>> loss = twinoar.nn.functional.rnnt_loss(logs, one.reshape([1, 1]), one, one)
    >>> round((-loss).exp().item(), 4)  # the label, and a blank
    0.25
    """
    check_reduction(reduction)
    lengths = (input_lengths, label_lengths)
    loss = rnnt(input, label, *lengths, blank, fastemit_lambda)
    return reduce_loss(loss, reduction)
