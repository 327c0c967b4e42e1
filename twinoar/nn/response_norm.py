"""Local response normalization as a layer."""

from twinoar.nn import functional
from twinoar.nn.function_layer import FunctionLayer


class LocalResponseNorm(FunctionLayer, of=functional.local_response_norm):
    """x / (k + alpha m)^beta, where m is the mean square of `size` channels around each.

    >>> twinoar.nn.LocalResponseNorm(5)(twinoar.ones([1, 3, 2, 2])).shape
    [1, 3, 2, 2]
    """
