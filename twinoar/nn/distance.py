"""How near vectors are, as layers."""

from twinoar.nn import functional
from twinoar.nn.function_layer import FunctionLayer


class CosineSimilarity(FunctionLayer, of=functional.cosine_similarity, operands=2):
    """The cosine of the angle between vectors along an axis.

    >>> x, y = twinoar.to_tensor([[3.0, 4.0]]), twinoar.to_tensor([[4.0, 3.0]])
    >>> round(twinoar.nn.CosineSimilarity()(x, y).item(), 4)
    0.96
    """


class PairwiseDistance(FunctionLayer, of=functional.pairwise_distance, operands=2):
    """The p-norm of x - y + epsilon along the last dimension.

    >>> x, y = twinoar.to_tensor([[3.0, 4.0]]), twinoar.to_tensor([[0.0, 0.0]])
    >>> round(twinoar.nn.PairwiseDistance()(x, y).item(), 4)
    5.0
    """
