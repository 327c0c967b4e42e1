"""Losses between what a student and a teacher compute.

Sources: Hinton et al. 2015, arXiv 1503.02531 (soft labels); Romero et al. 2014, arXiv 1412.6550
(hints); Yim et al. 2017, CVPR (flow of solution procedure); Zhang et al. 2017, arXiv 1706.00384
(mutual learning); Park et al. 2019, arXiv 1904.05068 (relations); Zhao et al. 2022, arXiv
2203.08679 (decoupled); Guo et al. 2020, arXiv 2010.07485 (spherical).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar import nn
from twinoar.errors import ArgumentError, ShapeError, UnknownNameError
from twinoar.nn import functional as F
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.shape.concat import concat

ACTIVATIONS = ("softmax", "sigmoid", None)
NO_CHANCE = 1e5  # of logits: exp(-1e5) is 0 in every dtype
SMALLEST = 1e-12  # of a squared distance: its root has a gradient there


def soft_label_loss(
    student: Any, teacher: Any, temperature: float = 1.0, teacher_temperature: float | None = None
) -> Any:
    """Cross entropy of a student's logits with a teacher's probabilities, the mean of all rows.

    student, teacher: logits, [N, ..., classes]. temperature: what logits are divided by; of the
    teacher's another one where teacher_temperature is given. Raises ShapeError.

    >>> x = twinoar.to_tensor([[2.0, 0.0]])
    >>> round(float(soft_label_loss(x, x)), 4)
    0.3653
    """
    _same_shape(student, teacher)
    other = temperature if teacher_temperature is None else teacher_temperature
    labels = F.softmax(teacher / other)
    return -(labels * F.log_softmax(student / temperature)).sum(-1).mean()


def kl_loss(student: Any, teacher: Any, temperature: float = 1.0) -> Any:
    """Divergence of a teacher's probabilities from a student's, times the temperature squared.

    So gradients are as large for each temperature. student, teacher: logits, [N, ..., classes].
    Raises ShapeError.

    >>> x = twinoar.to_tensor([[2.0, 0.0]])
    >>> round(float(kl_loss(x, x * 2, temperature=2.0)), 4)
    0.2685
    """
    _same_shape(student, teacher)
    labels = F.softmax(teacher / temperature)
    apart = F.log_softmax(teacher / temperature) - F.log_softmax(student / temperature)
    return (labels * apart).sum(-1).mean() * temperature**2


def dkd_loss(
    student: Any, teacher: Any, temperature: float = 1.0, alpha: float = 1.0, beta: float = 1.0
) -> Any:
    """Decoupled distillation: whether it is the teacher's first class, and which other it is.

    alpha, beta: weights of the two divergences, (7) of the source, times the temperature squared.
    student, teacher: logits, [N, classes]. Raises ShapeError.

    >>> x = twinoar.to_tensor([[2.0, 1.0, 0.0]])
    >>> round(float(dkd_loss(x, x * 2)), 4)
    0.1738
    """
    _same_shape(student, teacher)
    first = F.one_hot(teacher.argmax(-1), teacher.shape[-1])
    divergences = []
    for logits in (_first_or_not, _others):
        wanted, found = (logits(x / temperature, first) for x in (teacher, student))
        apart = F.log_softmax(wanted) - F.log_softmax(found)
        divergences.append((F.softmax(wanted) * apart).sum(-1).mean())
    return (alpha * divergences[0] + beta * divergences[1]) * temperature**2


def skd_loss(student: Any, teacher: Any, multiplier: Any = None) -> Any:
    """Spherical distillation: cross entropy of logits whose rows have one mean and one length.

    multiplier: the deviation of all rows, the teacher's own, by row, for None. student, teacher:
    logits, [N, classes]. Raises ShapeError.
    """
    _same_shape(student, teacher)
    scale = teacher.std(axis=1, keepdim=True) if multiplier is None else multiplier
    one, other = (F.layer_norm(x, x.shape[1:], epsilon=1e-7) * scale for x in (student, teacher))
    return -(F.softmax(other) * F.log_softmax(one)).sum(-1).mean()


def fsp_matrix(x: Any, y: Any) -> Any:
    """How channels of two feature maps go together: mean products over the image, [N, C, D].

    x: [N, C, H, W]. y: [N, D, H, W]. Raises ShapeError.

    >>> fsp_matrix(twinoar.ones([1, 2, 4, 4]), twinoar.ones([1, 3, 4, 4])).shape
    [1, 2, 3]
    """
    if len(x.shape) != 4 or [x.shape[0], *x.shape[2:]] != [y.shape[0], *y.shape[2:]]:
        raise ShapeError(
            f"expected [N, C, H, W] and [N, D, H, W], received {list(x.shape)} and {list(y.shape)}"
        )
    rows, columns = x.flatten(2), y.flatten(2)
    return matmul(rows, columns, transpose_y=True) / (x.shape[2] * x.shape[3])


def fsp_loss(student: tuple[Any, Any], teacher: tuple[Any, Any]) -> Any:
    """The mean square between two pairs' `fsp_matrix`, of which channels must be as many."""
    return l2_loss(fsp_matrix(*student), fsp_matrix(*teacher))


def l2_loss(student: Any, teacher: Any) -> Any:
    """The mean square of what two features of one shape differ by. Raises ShapeError."""
    _same_shape(student, teacher)
    return (student - teacher).square().mean()


def dml_loss(one: Any, other: Any) -> Any:
    """Mutual learning: the mean divergence of two predictions from each other, by row.

    one, other: probabilities, [N, ..., classes]. Raises ShapeError.
    """
    _same_shape(one, other)
    return ((one - other) * (one.log() - other.log())).sum() / (2 * one.shape[0])


class _Activated(nn.Layer):
    def __init__(self, act: str | None, axis: int):
        super().__init__()
        if act not in ACTIVATIONS:
            raise UnknownNameError(f"act must be one of {ACTIVATIONS}, received {act!r}")
        self._act, self._axis = act, axis

    def _probabilities(self, x: Any) -> Any:
        if self._act is None:
            return x
        return F.softmax(x, axis=self._axis) if self._act == "softmax" else F.sigmoid(x)


class CELoss(nn.Layer):
    """Cross entropy with labels that are numbers of classes, probabilities, or logits.

    epsilon: smoothing of labels, None for none. label_act: "softmax" for labels of a teacher, which
    are logits; None for probabilities.

    >>> x = twinoar.to_tensor([[2.0, 0.0]])
    >>> round(float(CELoss()(x, x)), 4)
    0.3653
    """

    def __init__(
        self, epsilon: float | None = None, label_act: str | None = "softmax", axis: int = -1
    ):
        super().__init__()
        if label_act not in ("softmax", None):
            raise UnknownNameError(f"label_act must be 'softmax' or None, received {label_act!r}")
        self.epsilon = epsilon if epsilon is not None and 0 < epsilon < 1 else None
        self.label_act, self.axis = label_act, axis

    def forward(self, x: Any, label: Any) -> Any:
        """The mean over all rows."""
        if len(x.shape) != len(label.shape):
            raise ShapeError(f"logits are {list(x.shape)}, labels {list(label.shape)}")
        classes = x.shape[self.axis]
        is_soft = label.shape[self.axis] == classes
        if self.epsilon is not None:
            soft = label if is_soft else F.one_hot(label.squeeze(-1), classes)
            smooth = F.label_smooth(soft, epsilon=self.epsilon)
            return -(smooth * F.log_softmax(x, axis=self.axis)).sum(self.axis).mean()
        if is_soft and self.label_act == "softmax":
            label = F.softmax(label, axis=self.axis)
        return F.cross_entropy(x, label, soft_label=is_soft, axis=self.axis).mean()


class DMLLoss(_Activated):
    """Mutual learning: each of two networks learns from the other.

    act: "softmax" or "sigmoid" for logits, None for probabilities.
    """

    def __init__(self, act: str | None = None, axis: int = -1):
        super().__init__(act, axis)

    def forward(self, out1: Any, out2: Any) -> Any:
        """`dml_loss` of the two."""
        return dml_loss(self._probabilities(out1), self._probabilities(out2))


class KLLoss(_Activated):
    """Divergence of labels from what a student predicts. reduction: as of `kl_div`."""

    def __init__(self, act: str | None = "softmax", axis: int = -1, reduction: str = "mean"):
        super().__init__(act, axis)
        self.reduction = reduction

    def forward(self, input: Any, label: Any) -> Any:
        """input, label: of one shape."""
        _same_shape(input, label)
        predicted, wanted = self._probabilities(input), self._probabilities(label)
        return F.kl_div(predicted.log(), wanted, reduction=self.reduction)


class DistanceLoss(nn.Layer):
    """How far features are apart. mode: "l1", "l2" or "smooth_l1"; the rest as of those layers."""

    def __init__(self, mode: str = "l2", **kargs: Any):
        super().__init__()
        kinds = {"l1": nn.L1Loss, "l2": nn.MSELoss, "smooth_l1": nn.SmoothL1Loss}
        if mode not in kinds:
            raise UnknownNameError(f"mode must be one of {', '.join(kinds)}, received {mode!r}")
        self.loss_func = kinds[mode](**kargs)

    def forward(self, x: Any, y: Any) -> Any:
        """x, y: of one shape."""
        _same_shape(x, y)
        return self.loss_func(x, y)


class MSELoss(DistanceLoss):
    """The mean square: the loss of hints."""

    def __init__(self, **kargs: Any):
        super().__init__("l2", **kargs)


class L1Loss(DistanceLoss):
    """The mean of absolute values."""

    def __init__(self, **kargs: Any):
        super().__init__("l1", **kargs)


class SmoothL1Loss(DistanceLoss):
    """Squares near 0, absolute values elsewhere."""

    def __init__(self, **kargs: Any):
        super().__init__("smooth_l1", **kargs)


class RKdAngle(nn.Layer):
    """How the angles between differences of samples differ."""

    def forward(self, student: Any, teacher: Any) -> Any:
        """student, teacher: [N, ...] of N samples each; features may differ in size."""
        return F.smooth_l1_loss(_angles(student), _angles(teacher))


class RkdDistance(nn.Layer):
    """How the distances between samples differ, each divided by their mean."""

    def __init__(self, eps: float = SMALLEST):
        super().__init__()
        self.eps = eps

    def forward(self, student: Any, teacher: Any) -> Any:
        """As of RKdAngle."""
        return F.smooth_l1_loss(_distances(student, self.eps), _distances(teacher, self.eps))


class RKDLoss(nn.Layer):
    """RKdAngle and RkdDistance together: relations between samples."""

    def __init__(self, eps: float = SMALLEST):
        super().__init__()
        self.rkd_angle_loss_func, self.rkd_dist_func = RKdAngle(), RkdDistance(eps)

    def forward(self, student: Any, teacher: Any) -> Any:
        """As of RKdAngle."""
        return self.rkd_angle_loss_func(student, teacher) + self.rkd_dist_func(student, teacher)


LOSSES: dict[str, Callable[..., nn.Layer]] = {
    kind.__name__: kind
    for kind in (
        CELoss, DMLLoss, KLLoss, DistanceLoss, MSELoss, L1Loss, SmoothL1Loss, RKdAngle, RkdDistance,
        RKDLoss,
    )
}  # fmt: skip


def loss_called(name: str, **settings: Any) -> nn.Layer:
    """The loss of that name. Raises UnknownNameError, ArgumentError."""
    if name not in LOSSES:
        raise UnknownNameError(f"there is no loss {name!r}", cure=f"use one of {', '.join(LOSSES)}")
    try:
        return LOSSES[name](**settings)
    except TypeError as error:
        raise ArgumentError(f"{name} does not take {settings}: {error}") from error


def _first_or_not(logits: Any, first: Any) -> Any:
    """Logits of two classes, the first and all others together, [N, 2]."""
    held = (logits * first).sum(-1, keepdim=True)
    return concat([held, _others(logits, first).logsumexp(-1, keepdim=True)], -1)


def _others(logits: Any, first: Any) -> Any:
    """Logits in which the first class has no chance."""
    return logits - first * NO_CHANCE


def _angles(x: Any) -> Any:
    x = x.flatten(1)
    directions = F.normalize(x.unsqueeze(0) - x.unsqueeze(1), axis=2)
    return matmul(directions, directions, transpose_y=True)


def _distances(x: Any, eps: float) -> Any:
    x = x.flatten(1)
    squares = x.square().sum(1)
    products = matmul(x, x, transpose_y=True)
    found = (squares.unsqueeze(1) + squares.unsqueeze(0) - 2 * products).clip(min=eps).sqrt()
    return found / (found.mean() + eps)


def _same_shape(x: Any, y: Any) -> None:
    if list(x.shape) != list(y.shape):
        raise ShapeError(
            f"student and teacher have one shape, received {list(x.shape)} and {list(y.shape)}",
            cure="align them by a layer, as align_params of Distill does",
        )
