"""Special functions by the names that PyTorch has for them."""

from __future__ import annotations

from typing import Any

from twinoar.core.explain import explained
from twinoar.core.op import publish
from twinoar.core.values import Value as Tensor
from twinoar.ops import softmax as softmax_module
from twinoar.ops.math import expm1
from twinoar.ops.reduce import logsumexp


@explained
def softmax(input: Tensor, dim: int | None = None, dtype: Any = None) -> Tensor:
    """exp(x) / sum(exp(x)) along `dim`. See `nn.functional.softmax`.

    dim: None means the first dimension of x where it has none, one or three, else the second.

    >>> import twinoar
    >>> twinoar.special.softmax(twinoar.zeros([2])).tolist()
    [0.5, 0.5]
    """
    if dim is None:
        dim = 0 if input.ndim in (0, 1, 3) else 1
    return softmax_module.softmax(input, dim, dtype)


__all__ = ["expm1", "logsumexp", "softmax"]

publish(globals())
