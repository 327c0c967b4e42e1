"""Losses by margins, distances and likelihoods, as layers: functions with their arguments kept."""

from twinoar.nn import functional
from twinoar.nn.loss import FunctionLoss


class SoftMarginLoss(FunctionLoss, of=functional.soft_margin_loss):
    """log(1 + exp(-label input)), averaged.

    >>> x, y = twinoar.to_tensor([0.0]), twinoar.to_tensor([1.0])
    >>> round(twinoar.nn.SoftMarginLoss()(x, y).item(), 4)
    0.6931
    """


class HingeEmbeddingLoss(FunctionLoss, of=functional.hinge_embedding_loss):
    """input where label is 1, max(0, margin - input) where it is -1, averaged.

    >>> x, y = twinoar.to_tensor([0.5]), twinoar.to_tensor([-1.0])
    >>> twinoar.nn.HingeEmbeddingLoss()(x, y).item()
    0.5
    """


class CosineEmbeddingLoss(FunctionLoss, of=functional.cosine_embedding_loss, operands=3):
    """1 - cos for vectors that belong together, max(0, cos - margin) for others.

    >>> x, y = twinoar.to_tensor([[1.0, 0.0]]), twinoar.to_tensor([[0.0, 1.0]])
    >>> twinoar.nn.CosineEmbeddingLoss()(x, y, twinoar.to_tensor([1])).item()
    1.0
    """


class TripletMarginLoss(FunctionLoss, of=functional.triplet_margin_loss, operands=3):
    """How far, up to a margin, each input is from being nearer to its positive than its negative.

    >>> x, y = twinoar.to_tensor([[0.0]]), twinoar.to_tensor([[2.0]])
    >>> round(twinoar.nn.TripletMarginLoss(margin=3.0)(x, x, y).item(), 4)
    1.0
    """


class TripletMarginWithDistanceLoss(
    FunctionLoss, of=functional.triplet_margin_with_distance_loss, operands=3
):
    """`TripletMarginLoss` by a distance of the user's.

    >>> x, y = twinoar.to_tensor([[0.0]]), twinoar.to_tensor([[2.0]])
    >>> loss = twinoar.nn.TripletMarginWithDistanceLoss(lambda a, b: (b - a).sum(-1), margin=3.0)
    >>> loss(x, x, y).item()
    1.0
    """


class MultiLabelMarginLoss(FunctionLoss, of=functional.multi_label_margin_loss):
    """By how much other classes come within a margin of 1 of the labels.

    >>> x, y = twinoar.to_tensor([[0.0, 0.5]]), twinoar.to_tensor([[1, -1]])
    >>> twinoar.nn.MultiLabelMarginLoss()(x, y).item()
    0.25
    """


class MultiLabelSoftMarginLoss(FunctionLoss, of=functional.multi_label_soft_margin_loss):
    """The mean over classes of the cross entropy of sigmoid(input) and each label.

    >>> x, y = twinoar.to_tensor([[0.0, 0.0]]), twinoar.to_tensor([[1.0, 0.0]])
    >>> round(twinoar.nn.MultiLabelSoftMarginLoss()(x, y).item(), 4)
    0.6931
    """


class MultiMarginLoss(FunctionLoss, of=functional.multi_margin_loss):
    """By how much wrong classes come within a margin of the right one.

    >>> x, y = twinoar.to_tensor([[0.0, 0.5]]), twinoar.to_tensor([1])
    >>> twinoar.nn.MultiMarginLoss()(x, y).item()
    0.25
    """


class PoissonNLLLoss(FunctionLoss, of=functional.poisson_nll_loss):
    """The negative logarithm of the likelihood of counts.

    >>> x, y = twinoar.to_tensor([0.0]), twinoar.to_tensor([2.0])
    >>> twinoar.nn.PoissonNLLLoss()(x, y).item()
    1.0
    """


class GaussianNLLLoss(FunctionLoss, of=functional.gaussian_nll_loss, operands=3):
    """The negative logarithm of the likelihood of numbers with a mean and a variance.

    >>> x, y = twinoar.to_tensor([0.0]), twinoar.to_tensor([2.0])
    >>> twinoar.nn.GaussianNLLLoss()(x, y, twinoar.to_tensor([1.0])).item()
    2.0
    """
