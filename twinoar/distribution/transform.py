"""Transforms of random numbers, chains of them, and the distributions that they make."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any

from twinoar.core.dim import Dim
from twinoar.core.dtype import DType
from twinoar.core.op.explain import Told
from twinoar.core.spec import Shape
from twinoar.core.values import Value
from twinoar.core.values import Value as Tensor
from twinoar.distribution.distribution import Distribution, sum_rightmost
from twinoar.errors import ShapeError, TypeMismatchError, UnsupportedError


class Transform(Told):
    """Base of transforms; a subclass defines `_forward`, `_inverse` and a logarithm of the
    Jacobian's determinant, `_forward_log_det_jacobian` or `_inverse_log_det_jacobian`.

    domain_rank, codomain_rank: how many dimensions make one input and one output.
    injective: whether each output comes from one input.

    A call with a tensor is `forward`; with a transform, the chain of the two (that one first); with
    a distribution, the transformed distribution.
    """

    domain_rank = 0
    codomain_rank = 0
    injective = True

    def __call__(self, input: Any) -> Any:
        if isinstance(input, Distribution):
            return TransformedDistribution(input, [self])
        if isinstance(input, Transform):
            return ChainTransform([input, self])
        return self.forward(input)

    def forward(self, x: Tensor) -> Any:
        """The output for x."""
        return self._forward(checked(x, "x", self.domain_rank))

    def inverse(self, y: Tensor) -> Any:
        """The input that gives y."""
        return self._inverse(checked(y, "y", self.codomain_rank))

    def forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        """The logarithm of the size of the Jacobian's determinant at x.

        Raises UnsupportedError where inputs are not determined by outputs.
        """
        self._require_injective()
        checked(x, "x", self.domain_rank)
        if _defines(self, "_forward_log_det_jacobian"):
            return self._forward_log_det_jacobian(x)
        return -self._inverse_log_det_jacobian(self.forward(x))

    def inverse_log_det_jacobian(self, y: Tensor) -> Any:
        """The logarithm of the size of the determinant of the inverse's Jacobian at y."""
        checked(y, "y", self.codomain_rank)
        if _defines(self, "_inverse_log_det_jacobian"):
            return self._inverse_log_det_jacobian(y)
        return -self._forward_log_det_jacobian(self.inverse(y))

    def forward_shape(self, shape: Sequence[Dim]) -> tuple[Dim, ...]:
        """The shape of the output for an input of `shape`."""
        return tuple(self._forward_shape(tuple(shape)))

    def inverse_shape(self, shape: Sequence[Dim]) -> tuple[Dim, ...]:
        """The shape of the input for an output of `shape`."""
        return tuple(self._inverse_shape(tuple(shape)))

    def _forward(self, x: Any) -> Any:
        raise self._without("_forward")

    def _inverse(self, y: Any) -> Any:
        raise self._without("_inverse")

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        raise self._without("_forward_log_det_jacobian")

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        raise self._without("_inverse_log_det_jacobian")

    def _forward_shape(self, shape: Shape) -> Sequence[Dim]:
        return shape

    def _inverse_shape(self, shape: Shape) -> Sequence[Dim]:
        return shape

    def _require_injective(self) -> None:
        if not self.injective:
            raise UnsupportedError(
                f"{type(self).__name__} has no such determinant: several inputs give one output",
                cure="use a transform that can be inverted",
            )

    def _without(self, what: str) -> UnsupportedError:
        return UnsupportedError(
            f"{type(self).__name__} does not define {what}", cure="define it in the subclass"
        )


def _defines(transform: Transform, name: str) -> bool:
    return getattr(type(transform), name) is not getattr(Transform, name)


def checked(x: Any, name: str, rank: int = 0) -> Any:
    """x, a tensor of at least `rank` dimensions; raises TypeMismatchError, ShapeError."""
    if not isinstance(x, Value):
        raise TypeMismatchError(
            f"expected {name} to be a Tensor, received {type(x).__name__}",
            cure="convert it with to_tensor",
        )
    if x.ndim < rank:
        raise ShapeError(f"{name} must have at least {rank} dimensions, received {x.shape}")
    return x


class ChainTransform(Transform):
    """Transforms one after the other, the first one first.

    transforms: at least one.
    """

    def __init__(self, transforms: Sequence[Transform]):
        self.transforms = transforms_of(transforms)
        self.injective = all(t.injective for t in self.transforms)
        self.domain_rank, self.codomain_rank = self._ranks()

    def _ranks(self) -> tuple[int, int]:
        """How many dimensions make one input and one output of the whole."""
        first, last = self.transforms[0].domain_rank, self.transforms[-1].codomain_rank
        for t in self.transforms:
            first = max(first, t.domain_rank) + t.codomain_rank - t.domain_rank
        for t in reversed(self.transforms):
            last = max(last, t.codomain_rank) + t.domain_rank - t.codomain_rank
        return last, first

    def _forward(self, x: Any) -> Any:
        for t in self.transforms:
            x = t.forward(x)
        return x

    def _inverse(self, y: Any) -> Any:
        for t in reversed(self.transforms):
            y = t.inverse(y)
        return y

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        rank, terms = self.domain_rank, []
        for t in self.transforms:
            terms.append(sum_rightmost(t.forward_log_det_jacobian(x), rank - t.domain_rank))
            x = t.forward(x)
            rank += t.codomain_rank - t.domain_rank
        return functools.reduce(operator.add, terms)

    def _forward_shape(self, shape: Shape) -> Sequence[Dim]:
        for t in self.transforms:
            shape = t.forward_shape(shape)
        return shape

    def _inverse_shape(self, shape: Shape) -> Sequence[Dim]:
        for t in reversed(self.transforms):
            shape = t.inverse_shape(shape)
        return shape


class TransformedDistribution(Distribution):
    """What draws of `base` become by `transforms`, the first one first.

    >>> d = twinoar.distribution
    >>> normal = d.Normal(0.0, 1.0)
    >>> log_normal = d.TransformedDistribution(normal, [d.ExpTransform()])
    >>> round(log_normal.prob(twinoar.ones([])).item(), 4)
    0.3989
    """

    def __init__(self, base: Distribution, transforms: Sequence[Transform]):
        if not isinstance(base, Distribution):
            raise TypeMismatchError(f"base must be a Distribution, received {type(base).__name__}")
        chain = ChainTransform(transforms)
        whole = (*base.batch_shape, *base.event_shape)
        if len(whole) < chain.domain_rank:
            raise ShapeError(
                f"the transforms take {chain.domain_rank} dimensions, draws of base have "
                f"{len(whole)}",
                cure="give the parameters of base more dimensions",
            )
        self.base, self.transforms, self._chain = base, chain.transforms, chain
        shape = chain.forward_shape(whole)
        grown = max(len(base.event_shape) - chain.domain_rank, 0)
        events = len(shape) - chain.codomain_rank - grown
        super().__init__(shape[:events], shape[events:])

    @property
    def dtype(self) -> DType:
        """The dtype of the base's parameters."""
        return self.base.dtype

    def sample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`: the base's, transformed, with the gradient that these have."""
        return self._chain.forward(self.base.sample(shape))

    def rsample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`, with the gradient of the base's parameters."""
        return self._chain.forward(self.base.rsample(shape))

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the density at `value`.

        Raises UnsupportedError where a transform cannot be inverted.
        """
        y = self._value(value)
        x = self._chain.inverse(y)
        stretched = self._chain.forward_log_det_jacobian(x)
        rank = max(self._chain.domain_rank, len(self.base.event_shape))
        log_prob = sum_rightmost(self.base.log_prob(x), rank - len(self.base.event_shape))
        return log_prob - sum_rightmost(stretched, rank - self._chain.domain_rank)


def transforms_of(transforms: Any) -> list[Transform]:
    """A list of at least one Transform; raises TypeMismatchError for anything else."""
    listed = list(transforms) if isinstance(transforms, (list, tuple)) else []
    if not listed or not all(isinstance(t, Transform) for t in listed):
        raise TypeMismatchError(
            f"transforms must be a list of Transforms, received {transforms!r}",
            cure="pass a list, such as [ExpTransform()]",
        )
    return listed
