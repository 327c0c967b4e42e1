"""Probability distributions: draws, densities, entropies, divergences, transforms."""

import twinoar.distribution.divergence  # declares the rules of kl_divergence
from twinoar.core.public import exported
from twinoar.distribution.categorical import Categorical, Multinomial
from twinoar.distribution.continuous_bernoulli import ContinuousBernoulli
from twinoar.distribution.count import Bernoulli, Binomial, Geometric, Poisson
from twinoar.distribution.distribution import (
    Distribution,
    ExponentialFamily,
    kl_divergence,
    register_kl,
)
from twinoar.distribution.element_transform import (
    AbsTransform,
    AffineTransform,
    ExpTransform,
    PowerTransform,
    SigmoidTransform,
    TanhTransform,
)
from twinoar.distribution.event_transform import (
    IndependentTransform,
    ReshapeTransform,
    SoftmaxTransform,
    StackTransform,
    StickBreakingTransform,
)
from twinoar.distribution.half_line import Chi2, Exponential, Gamma
from twinoar.distribution.independent import Independent
from twinoar.distribution.lkj_cholesky import LKJCholesky
from twinoar.distribution.log_normal import LogNormal
from twinoar.distribution.multivariate_normal import MultivariateNormal
from twinoar.distribution.real_line import Cauchy, Gumbel, Laplace, Normal, StudentT, Uniform
from twinoar.distribution.simplex import Beta, Dirichlet
from twinoar.distribution.transform import ChainTransform, Transform, TransformedDistribution

__all__ = exported(globals())
