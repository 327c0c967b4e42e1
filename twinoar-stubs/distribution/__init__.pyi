"""Probability distributions: draws, densities, entropies, divergences, transforms."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.distribution
from typing import Any, Literal, overload

import numpy as _numpy

class AbsTransform(twinoar.distribution.Transform):
    """abs(x); its inverse gives both -y and y."""
    injective: builtins.bool
class AffineTransform(twinoar.distribution.Transform):
    """loc + scale x."""
    def __init__(self, loc: twinoar._TensorLike, scale: twinoar._TensorLike) -> None: ...
    @property
    def loc(self) -> twinoar.Tensor:
        """What is added."""
    @property
    def scale(self) -> twinoar.Tensor:
        """What x is multiplied by."""
class Bernoulli(twinoar.distribution.ExponentialFamily):
    """1 with the probability probs, else 0."""
    def __init__(self, probs: Any, name: builtins.str | None = None) -> None: ...
    @property
    def logits(self) -> twinoar.Tensor:
        """log(probs / (1 - probs)), finite."""
    @property
    def mean(self) -> twinoar.Tensor:
        """probs."""
    @property
    def variance(self) -> twinoar.Tensor:
        """probs (1 - probs)."""
    def sample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`: zeros and ones."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ..., temperature: Any = ...) -> twinoar.Tensor:
        """Draws of `shape` with a gradient, before the sigmoid that makes soft zeros and ones of them"""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the probability of `value`."""
    def entropy(self) -> twinoar.Tensor:
        """The entropy, in nats."""
    def cdf(self, value: Any) -> twinoar.Tensor:
        """The probability of what is at most `value`."""
    probs: Any
class Beta(twinoar.distribution.ExponentialFamily):
    """Numbers in (0, 1) of density proportional to x^(alpha - 1) (1 - x)^(beta - 1)."""
    def __init__(self, alpha: Any, beta: Any) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """alpha / (alpha + beta)."""
    @property
    def variance(self) -> twinoar.Tensor:
        """alpha beta / ((alpha + beta)^2 (alpha + beta + 1))."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`, with the gradient of alpha and beta."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the density at `value`."""
    def entropy(self) -> twinoar.Tensor:
        """The entropy, in nats."""
    alpha: Any
    beta: Any
class Binomial(twinoar.distribution.Distribution):
    """How many of total_count trials of probability probs succeed."""
    def __init__(self, total_count: Any, probs: Any) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """total_count probs."""
    @property
    def variance(self) -> twinoar.Tensor:
        """total_count probs (1 - probs)."""
    def sample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`, of the dtype of probs, without a gradient."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the probability of `value`."""
    def entropy(self) -> twinoar.Tensor:
        """The entropy, in nats: a sum over all counts."""
    total_count: Any
    probs: Any
class Categorical(twinoar.distribution.Distribution):
    """Classes drawn with odds."""
    def __init__(self, logits: Any, name: builtins.str | None = None) -> None: ...
    def sample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Classes, [*shape,...], int64."""
    def prob(self, value: Any) -> twinoar.Tensor:
        """The probabilities of the classes `value`."""
    def probs(self, value: Any) -> twinoar.Tensor:
        """The probabilities of the classes `value`."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithms of `prob`."""
    def entropy(self) -> twinoar.Tensor:
        """The entropy, in nats."""
    logits: Any
class Cauchy(twinoar.distribution.Distribution):
    """The Cauchy distribution around loc, half of it within scale; it has no mean."""
    def __init__(self, loc: Any, scale: Any, name: builtins.str | None = None) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """Raises ArgumentError: there is none."""
    @property
    def variance(self) -> twinoar.Tensor:
        """Raises ArgumentError: there is none."""
    @property
    def stddev(self) -> twinoar.Tensor:
        """Raises ArgumentError: there is none."""
    def sample(self, shape: collections.abc.Sequence[Any] = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """Draws of `shape`, without a gradient."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """Draws of `shape`, with the gradient of loc and scale."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the density at `value`."""
    def entropy(self) -> twinoar.Tensor:
        """log(4 pi scale)."""
    def cdf(self, value: Any) -> twinoar.Tensor:
        """The probability of what is at most `value`."""
    loc: Any
    scale: Any
class ChainTransform(twinoar.distribution.Transform):
    """Transforms one after the other, the first one first."""
    def __init__(self, transforms: collections.abc.Sequence[twinoar.distribution.Transform]) -> None: ...
    transforms: Any
    injective: Any
    domain_rank: Any
    codomain_rank: Any
class Chi2(twinoar.distribution.Gamma):
    """The chi-squared distribution of df degrees of freedom: gamma of df / 2 and rate 1 / 2."""
    def __init__(self, df: Any) -> None: ...
    df: Any
class ContinuousBernoulli(twinoar.distribution.Distribution):
    """Numbers in [0, 1] of density proportional to probs^x (1 - probs)^(1 - x)."""
    def __init__(self, probs: Any, lims: builtins.tuple[Any, Any] = ...) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """probs / (2 probs - 1) + 1 / (2 atanh(1 - 2 probs))."""
    @property
    def variance(self) -> twinoar.Tensor:
        """probs (probs - 1) / (1 - 2 probs)^2 + 1 / (2 atanh(1 - 2 probs))^2."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`, with the gradient of probs."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the density at `value`."""
    def entropy(self) -> twinoar.Tensor:
        """The entropy, in nats."""
    def cdf(self, value: Any) -> twinoar.Tensor:
        """The probability of what is at most `value`."""
    def icdf(self, value: Any) -> twinoar.Tensor:
        """What is exceeded with the probability 1 - value."""
    probs: Any
    lims: Any
class Dirichlet(twinoar.distribution.ExponentialFamily):
    """Shares x of density proportional to the product of x^(concentration - 1)."""
    def __init__(self, concentration: Any) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """concentration by its sum."""
    @property
    def variance(self) -> twinoar.Tensor:
        """mean (1 - mean) / (sum of concentration + 1)."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`, with the gradient of concentration."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the density at `value`, [...,K]."""
    def entropy(self) -> twinoar.Tensor:
        """The entropy, in nats."""
    concentration: Any
class Distribution:
    """Base of distributions: a batch of them, each over events."""
    def __init__(self, batch_shape: collections.abc.Sequence[Any] = ..., event_shape: collections.abc.Sequence[Any] = ...) -> None: ...
    @property
    def dtype(self) -> twinoar.dtype:
        """The dtype of the parameters."""
    @property
    def batch_shape(self) -> builtins.tuple[Any, ...]:
        """The sizes of the batch of distributions."""
    @property
    def event_shape(self) -> builtins.tuple[Any, ...]:
        """The sizes of one draw."""
    @property
    def mean(self) -> twinoar.Tensor:
        """The mean."""
    @property
    def variance(self) -> twinoar.Tensor:
        """The variance."""
    def sample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`, without a gradient."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`, with the gradient of the parameters."""
    def entropy(self) -> twinoar.Tensor:
        """The entropy, in nats."""
    def kl_divergence(self, other: twinoar.distribution.Distribution) -> twinoar.Tensor:
        """The Kullback-Leibler divergence from `other`; see `kl_divergence`."""
    def log_prob(self, value: twinoar._TensorLike) -> twinoar.Tensor:
        """The logarithm of the probability, or of its density, at `value`."""
    def prob(self, value: twinoar._TensorLike) -> twinoar.Tensor:
        """The probability, or its density, at `value`."""
    def probs(self, value: twinoar._TensorLike) -> twinoar.Tensor:
        """The probability, or its density, at `value`."""
class ExpTransform(twinoar.distribution.Transform):
    """exp(x)."""
class Exponential(twinoar.distribution.ExponentialFamily):
    """The exponential distribution: rate exp(-rate x)."""
    def __init__(self, rate: Any) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """1 / rate."""
    @property
    def variance(self) -> twinoar.Tensor:
        """1 / rate^2."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`, with the gradient of rate."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the density at `value`."""
    def entropy(self) -> twinoar.Tensor:
        """1 - log(rate)."""
    def cdf(self, value: Any) -> twinoar.Tensor:
        """The probability of what is at most `value`."""
    def icdf(self, value: Any) -> twinoar.Tensor:
        """What is exceeded with the probability 1 - value."""
    rate: Any
class ExponentialFamily(twinoar.distribution.Distribution):
    """Base of the distributions whose density is exp(parameters * statistics - normalizer)."""
class Gamma(twinoar.distribution.ExponentialFamily):
    """The gamma distribution: rate^a x^(a - 1) exp(-rate x) / gamma(a), with a the concentration."""
    def __init__(self, concentration: Any, rate: Any) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """concentration / rate."""
    @property
    def variance(self) -> twinoar.Tensor:
        """concentration / rate^2."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`, with the gradient of concentration and rate."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the density at `value`."""
    def entropy(self) -> twinoar.Tensor:
        """The entropy, in nats."""
    concentration: Any
    rate: Any
class Geometric(twinoar.distribution.Distribution):
    """How many trials of probability probs fail before one succeeds."""
    def __init__(self, probs: Any) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """1 / probs - 1."""
    @property
    def variance(self) -> twinoar.Tensor:
        """(1 - probs) / probs^2."""
    @property
    def stddev(self) -> twinoar.Tensor:
        """The square root of the variance."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`; being whole, they have a gradient of zero."""
    def log_pmf(self, k: Any) -> twinoar.Tensor:
        """The logarithm of the probability of k."""
    def pmf(self, k: Any) -> twinoar.Tensor:
        """The probability of k."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the probability of `value`."""
    def entropy(self) -> twinoar.Tensor:
        """The entropy, in nats."""
    def cdf(self, k: Any) -> twinoar.Tensor:
        """The probability of at most k."""
    probs: Any
class Gumbel(twinoar.distribution.Distribution):
    """The Gumbel distribution, of greatest values: its distribution function is exp(-exp(-z)), z = (x - loc) / scale."""
    def __init__(self, loc: Any, scale: Any) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """loc + scale * Euler's constant."""
    @property
    def variance(self) -> twinoar.Tensor:
        """scale^2 pi^2 / 6."""
    @property
    def stddev(self) -> twinoar.Tensor:
        """The square root of the variance."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`, with the gradient of loc and scale."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the density at `value`."""
    def entropy(self) -> twinoar.Tensor:
        """log(scale) + 1 + Euler's constant."""
    def cdf(self, value: Any) -> twinoar.Tensor:
        """The probability of what is at most `value`."""
    loc: Any
    scale: Any
class Independent(twinoar.distribution.Distribution):
    """`base`, whose last batch dimensions count as parts of events."""
    def __init__(self, base: twinoar.distribution.Distribution, reinterpreted_batch_rank: Any) -> None: ...
    @property
    def dtype(self) -> twinoar.dtype:
        """The dtype of the base's parameters."""
    @property
    def mean(self) -> twinoar.Tensor:
        """The mean of base."""
    @property
    def variance(self) -> twinoar.Tensor:
        """The variance of base."""
    def sample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`: the base's."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`, with the gradient of the parameters."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the probability, or of its density, at `value`."""
    def entropy(self) -> twinoar.Tensor:
        """The entropy, in nats."""
    base: twinoar.distribution.Distribution
class IndependentTransform(twinoar.distribution.Transform):
    """`base`, whose last batch dimensions count as parts of events."""
    def __init__(self, base: twinoar.distribution.Transform, reinterpreted_batch_rank: Any) -> None: ...
    injective: Any
    domain_rank: Any
    codomain_rank: Any
class LKJCholesky(twinoar.distribution.Distribution):
    """Lower triangles L with L L^T a matrix of correlations, of density proportional to the determinant of that to the power of concentration - 1."""
    def __init__(self, dim: Any = 2, concentration: Any = ..., sample_method: Literal['onion', 'cvine'] = 'onion') -> None: ...
    def rsample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`, [*shape,...,dim,dim], with the gradient of concentration."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the density at `value`, [...,dim,dim]."""
    concentration: Any
    dim: builtins.int
    sample_method: Literal['onion', 'cvine']
class Laplace(twinoar.distribution.Distribution):
    """The Laplace distribution around loc: exp(-abs(x - loc) / scale) / (2 scale)."""
    def __init__(self, loc: Any, scale: Any) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """loc."""
    @property
    def variance(self) -> twinoar.Tensor:
        """2 scale^2."""
    @property
    def stddev(self) -> twinoar.Tensor:
        """sqrt(2) scale."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`, with the gradient of loc and scale."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the density at `value`."""
    def entropy(self) -> twinoar.Tensor:
        """1 + log(2 scale)."""
    def cdf(self, value: Any) -> twinoar.Tensor:
        """The probability of what is at most `value`."""
    def icdf(self, value: Any) -> twinoar.Tensor:
        """What is exceeded with the probability 1 - value."""
    loc: Any
    scale: Any
class LogNormal(twinoar.distribution.TransformedDistribution):
    """exp(x) of normal numbers x of mean loc and standard deviation scale."""
    def __init__(self, loc: Any, scale: Any) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """exp(loc + scale^2 / 2)."""
    @property
    def variance(self) -> twinoar.Tensor:
        """(exp(scale^2) - 1) exp(2 loc + scale^2)."""
    def entropy(self) -> twinoar.Tensor:
        """The normal distribution's, and loc."""
    loc: Any
    scale: Any
class Multinomial(twinoar.distribution.Distribution):
    """How often each class comes in total_count draws."""
    def __init__(self, total_count: Any, probs: Any) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """total_count probs."""
    @property
    def variance(self) -> twinoar.Tensor:
        """total_count probs (1 - probs)."""
    def sample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Counts, [*shape,...,K], of the dtype of probs, without a gradient."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the probability of the counts `value`, [...,K]."""
    def entropy(self) -> twinoar.Tensor:
        """The entropy, in nats: by that of the classes, and the expected log(count!)."""
    total_count: builtins.int
    probs: Any
class MultivariateNormal(twinoar.distribution.Distribution):
    """The normal distribution of vectors of mean loc."""
    def __init__(self, loc: Any, covariance_matrix: twinoar._TensorLike | None = None, precision_matrix: twinoar._TensorLike | None = None, scale_tril: twinoar._TensorLike | None = None) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """loc."""
    @property
    def covariance_matrix(self) -> twinoar.Tensor:
        """The covariances, [...,K,K]."""
    @property
    def precision_matrix(self) -> twinoar.Tensor:
        """The inverse of the covariances, [...,K,K]."""
    @property
    def variance(self) -> twinoar.Tensor:
        """The variance of each element, [...,K]."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`, with the gradient of the parameters."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the density at `value`, [...,K]."""
    def entropy(self) -> twinoar.Tensor:
        """The entropy, in nats."""
    def half_log_determinant(self) -> twinoar.Tensor:
        """Half the logarithm of the determinant of the covariances."""
    loc: Any
    scale_tril: Any
class Normal(twinoar.distribution.ExponentialFamily):
    """The normal distribution of mean loc and standard deviation scale."""
    def __init__(self, loc: Any, scale: Any, name: builtins.str | None = None) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """loc."""
    @property
    def variance(self) -> twinoar.Tensor:
        """scale^2."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ..., seed: Any = 0) -> twinoar.Tensor:
        """Draws of `shape`, with the gradient of loc and scale."""
    def sample(self, shape: collections.abc.Sequence[Any] = ..., seed: Any = 0) -> twinoar.Tensor:
        """What `rsample` gives, with its gradient, as in Paddle; `detach()` ends that."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the density at `value`."""
    def entropy(self) -> twinoar.Tensor:
        """log(scale) + (1 + log(2 pi)) / 2."""
    loc: Any
    scale: Any
class Poisson(twinoar.distribution.Distribution):
    """The Poisson distribution: rate^k exp(-rate) / k!."""
    def __init__(self, rate: Any) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """rate."""
    @property
    def variance(self) -> twinoar.Tensor:
        """rate."""
    def sample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`, without a gradient."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the probability of `value`."""
    def entropy(self) -> twinoar.Tensor:
        """The entropy, in nats: a sum over 30 standard deviations and more."""
    rate: Any
class PowerTransform(twinoar.distribution.Transform):
    """x to the power of `power`, of positive x."""
    def __init__(self, power: twinoar._TensorLike) -> None: ...
    @property
    def power(self) -> twinoar.Tensor:
        """The exponent."""
class ReshapeTransform(twinoar.distribution.Transform):
    """Events of in_event_shape as events of out_event_shape, of as many elements."""
    def __init__(self, in_event_shape: collections.abc.Sequence[Any], out_event_shape: collections.abc.Sequence[Any]) -> None: ...
    @property
    def in_event_shape(self) -> builtins.tuple[builtins.int, ...]:
        """The shape of an input event."""
    @property
    def out_event_shape(self) -> builtins.tuple[builtins.int, ...]:
        """The shape of an output event."""
    domain_rank: Any
    codomain_rank: Any
class SigmoidTransform(twinoar.distribution.Transform):
    """1 / (1 + exp(-x))."""
class SoftmaxTransform(twinoar.distribution.Transform):
    """softmax over the last dimension; its inverse is the logarithm, which sums to another number."""
    domain_rank: builtins.int
    codomain_rank: builtins.int
    injective: builtins.bool
class StackTransform(twinoar.distribution.Transform):
    """One transform for each slice along `axis`."""
    def __init__(self, transforms: collections.abc.Sequence[twinoar.distribution.Transform], axis: Any = 0) -> None: ...
    @property
    def transforms(self) -> builtins.list[twinoar.distribution.Transform]:
        """The transforms."""
    @property
    def axis(self) -> builtins.int:
        """The dimension whose slices are transformed."""
    injective: Any
    domain_rank: Any
    codomain_rank: Any
class StickBreakingTransform(twinoar.distribution.Transform):
    """Shares of a stick, from which sigmoid(x) of what is left is broken off again and again."""
    domain_rank: builtins.int
    codomain_rank: builtins.int
class StudentT(twinoar.distribution.Distribution):
    """Student's t distribution of df degrees of freedom, moved by loc and scaled by scale."""
    def __init__(self, df: Any, loc: Any, scale: Any, name: builtins.str | None = None) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """loc; nan where df is at most 1."""
    @property
    def variance(self) -> twinoar.Tensor:
        """scale^2 df / (df - 2); infinite where df is at most 2, nan where it is at most 1."""
    def sample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """What `rsample` gives, with its gradient, as in Paddle."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`, with the gradient of the parameters."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the density at `value`."""
    def entropy(self) -> twinoar.Tensor:
        """The entropy, in nats."""
    df: Any
    loc: Any
    scale: Any
class TanhTransform(twinoar.distribution.Transform):
    """tanh(x)."""
class Transform:
    """Base of transforms; a subclass defines `_forward`, `_inverse` and a logarithm of the Jacobian's determinant, `_forward_log_det_jacobian` or `_inverse_log_det_jacobian`."""
    domain_rank: builtins.int
    codomain_rank: builtins.int
    injective: builtins.bool
    def __call__(self, input: Any) -> Any: ...
    def forward(self, x: twinoar._TensorLike) -> Any:
        """The output for x."""
    def inverse(self, y: twinoar._TensorLike) -> Any:
        """The input that gives y."""
    def forward_log_det_jacobian(self, x: twinoar._TensorLike) -> twinoar.Tensor:
        """The logarithm of the size of the Jacobian's determinant at x."""
    def inverse_log_det_jacobian(self, y: twinoar._TensorLike) -> Any:
        """The logarithm of the size of the determinant of the inverse's Jacobian at y."""
    def forward_shape(self, shape: collections.abc.Sequence[Any]) -> builtins.tuple[Any, ...]:
        """The shape of the output for an input of `shape`."""
    def inverse_shape(self, shape: collections.abc.Sequence[Any]) -> builtins.tuple[Any, ...]:
        """The shape of the input for an output of `shape`."""
class TransformedDistribution(twinoar.distribution.Distribution):
    """What draws of `base` become by `transforms`, the first one first."""
    def __init__(self, base: twinoar.distribution.Distribution, transforms: collections.abc.Sequence[twinoar.distribution.Transform]) -> None: ...
    @property
    def dtype(self) -> twinoar.dtype:
        """The dtype of the base's parameters."""
    def sample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`: the base's, transformed, with the gradient that these have."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ...) -> twinoar.Tensor:
        """Draws of `shape`, with the gradient of the base's parameters."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the density at `value`."""
    base: twinoar.distribution.Distribution
    transforms: Any
class Uniform(twinoar.distribution.Distribution):
    """Equal density between low and high, and none at these."""
    def __init__(self, low: Any, high: Any, name: builtins.str | None = None) -> None: ...
    @property
    def mean(self) -> twinoar.Tensor:
        """(low + high) / 2."""
    @property
    def variance(self) -> twinoar.Tensor:
        """(high - low)^2 / 12."""
    def rsample(self, shape: collections.abc.Sequence[Any] = ..., seed: Any = 0) -> twinoar.Tensor:
        """Draws of `shape`, with the gradient of low and high."""
    def sample(self, shape: collections.abc.Sequence[Any] = ..., seed: Any = 0) -> twinoar.Tensor:
        """What `rsample` gives, with its gradient, as in Paddle; `detach()` ends that."""
    def log_prob(self, value: Any) -> twinoar.Tensor:
        """The logarithm of the density at `value`."""
    def prob(self, value: Any) -> twinoar.Tensor:
        """The density at `value`."""
    def probs(self, value: Any) -> twinoar.Tensor:
        """The density at `value`."""
    def entropy(self) -> twinoar.Tensor:
        """log(high - low)."""
    low: Any
    high: Any
@overload
def kl_divergence(p: twinoar.distribution.Distribution, q: twinoar.distribution.Distribution) -> twinoar.Tensor:
    """The Kullback-Leibler divergence of p from q, in nats: the mean of log(p(x) / q(x)) under p."""
@overload
def kl_divergence(*args: Any, p: Any = ..., q: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def register_kl(cls_p: builtins.type[twinoar.distribution.Distribution], cls_q: builtins.type[twinoar.distribution.Distribution]) -> collections.abc.Callable[[Any], Any]:
    """Decorator: the function of (p, q) that computes their divergence, for these classes and for those below them that have none of their own."""
