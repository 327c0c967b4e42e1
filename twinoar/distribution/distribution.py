"""What all distributions share: shapes, probabilities from their logarithm, and parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from twinoar.core.dim import Dim
from twinoar.core.dtype import DType, default_dtype, dtype_of
from twinoar.core.interpreter import recording, using
from twinoar.core.op.explain import Told, told
from twinoar.core.spec import broadcast
from twinoar.core.values import Value
from twinoar.core.values import Value as Tensor
from twinoar.eager.query import finfo
from twinoar.errors import TypeMismatchError, UnsupportedError
from twinoar.ops._sizes import sizes
from twinoar.ops.create.fill import constant
from twinoar.ops.math.cast import astype
from twinoar.ops.math.exponential import exp
from twinoar.ops.math.select import clip, maximum
from twinoar.ops.random.uniform import rand
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.expand import broadcast_to

Rule = TypeVar("Rule", bound=Callable[..., Any])
RULES: dict[tuple[type, type], Callable[..., Any]] = {}
SMALLEST_UNIFORM = 2.0**-25  # half of the distance of uniform numbers: its logarithm exists


class Distribution(Told):
    """Base of distributions: a batch of them, each over events.

    batch_shape: sizes of the parameters. event_shape: sizes of one draw. Draws of `shape` are
    [*shape, *batch_shape, *event_shape].
    """

    def __init__(self, batch_shape: Sequence[Dim] = (), event_shape: Sequence[Dim] = ()):
        self._batch_shape = tuple(batch_shape)
        self._event_shape = tuple(event_shape)

    @property
    def dtype(self) -> DType:
        """The dtype of the parameters."""
        return floating_of(*vars(self).values())

    @property
    def batch_shape(self) -> tuple[Any, ...]:
        """The sizes of the batch of distributions."""
        return self._batch_shape

    @property
    def event_shape(self) -> tuple[Any, ...]:
        """The sizes of one draw."""
        return self._event_shape

    @property
    def mean(self) -> Tensor:
        """The mean."""
        raise self._without("mean")

    @property
    def variance(self) -> Tensor:
        """The variance."""
        raise self._without("variance")

    def sample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`, without a gradient."""
        with using(recording(False)):
            return self.rsample(shape)

    def rsample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`, with the gradient of the parameters."""
        raise self._without("rsample")

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        raise self._without("entropy")

    def kl_divergence(self, other: Distribution) -> Tensor:
        """The Kullback-Leibler divergence from `other`; see `kl_divergence`."""
        return kl_divergence(self, other)

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the probability, or of its density, at `value`."""
        raise self._without("log_prob")

    def prob(self, value: Tensor) -> Tensor:
        """The probability, or its density, at `value`."""
        return exp(self.log_prob(value))

    probs: Any = prob  # the name in Paddle 2; for some distributions the parameter of that name

    def _value(self, x: Any) -> Any:
        """x as a tensor of the dtype of the parameters."""
        return tensor(x, self.dtype)

    def _extended(self, shape: Sequence[int]) -> tuple[Any, ...]:
        """The sizes of draws of `shape`."""
        return (*sizes(shape), *self._batch_shape, *self._event_shape)

    def _without(self, what: str) -> UnsupportedError:
        return UnsupportedError(
            f"{type(self).__name__} has no {what}",
            cure="use another distribution, or write a subclass that defines it",
        )


class ExponentialFamily(Distribution):
    """Base of the distributions whose density is exp(parameters * statistics - normalizer)."""


def register_kl(cls_p: type[Distribution], cls_q: type[Distribution]) -> Callable[[Rule], Rule]:
    """Decorator: the function of (p, q) that computes their divergence, for these classes and for
    those below them that have none of their own.

    Raises TypeMismatchError for classes that are no distributions.
    """
    for given in (cls_p, cls_q):
        if not (isinstance(given, type) and issubclass(given, Distribution)):
            raise TypeMismatchError(f"expected a class of distributions, received {given!r}")

    def register(rule: Rule) -> Rule:
        RULES[cls_p, cls_q] = rule
        return rule

    return register


@told
def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """The Kullback-Leibler divergence of p from q, in nats: the mean of log(p(x) / q(x)) under p.

    Returns the batch shape of the two. Raises UnsupportedError for classes without a rule.

    >>> d = twinoar.distribution
    >>> d.kl_divergence(d.Normal(0.0, 1.0), d.Normal(1.0, 1.0)).item()
    0.5
    """
    for of_p in type(p).__mro__:
        for of_q in type(q).__mro__:
            if (of_p, of_q) in RULES:
                return RULES[of_p, of_q](p, q)
    raise UnsupportedError(
        f"there is no divergence of {type(p).__name__} from {type(q).__name__}",
        cure="write it, and declare it with register_kl",
    )


def parameters(*given: Any) -> list[Any]:
    """Numbers, lists, arrays and tensors as tensors of one floating dtype and one shape."""
    dtype = floating_of(*given)
    return broadcast_all(*(tensor(x, dtype) for x in given))


def broadcast_all(*tensors: Any) -> list[Any]:
    """Tensors in the shape that they broadcast to."""
    shape = broadcast(*(x.spec.shape for x in tensors))
    return [x if x.spec.shape == shape else broadcast_to(x, shape) for x in tensors]


def tensor(x: Any, dtype: DType) -> Any:
    """x as a tensor of `dtype`. Raises TypeMismatchError for None, which NumPy takes for nan."""
    if x is None or isinstance(x, str):
        raise TypeMismatchError(
            f"a distribution expects numbers or tensors, received {x!r}", cure="give a number"
        )
    if not isinstance(x, Value):
        return constant.function(np.asarray(x, dtype.numpy))
    return x if x.dtype is dtype else astype(x, dtype)


def floating_of(*given: Any) -> DType:
    """The dtype of the first floating tensor or array; else the default one."""
    for x in given:
        if isinstance(x, (Value, np.ndarray)) and dtype_of(x.dtype).is_floating:
            return dtype_of(x.dtype)
    return default_dtype()


def clipped(probs: Any) -> Any:
    """Probabilities away from 0 and 1, by the precision of their dtype."""
    eps = float(finfo(probs.dtype).eps)
    return clip(probs, eps, 1.0 - eps)


def open_uniform(shape: Sequence[Any], dtype: DType) -> Any:
    """Uniform numbers in (0, 1), whose logarithms are finite."""
    return maximum(rand(shape, dtype), SMALLEST_UNIFORM)


def sum_rightmost(x: Any, count: int) -> Any:
    """x summed over its last `count` dimensions."""
    return total(x, list(range(-count, 0))) if count else x
