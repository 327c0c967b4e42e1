"""Distributions, divergences and transforms with Paddle's API, whoever serves it."""

from __future__ import annotations

from typing import Any

import numpy as np

A, B = [0.3, 0.6], [1.0, 2.0]
MATRIX, TRIANGLE = [[2.0, 0.5], [0.5, 1.0]], [[2.0, 0.0], [0.5, 1.0]]
THREE = [0.2, 0.3, 0.5]

# name: (a distribution from (distribution, tensor), where it is asked)
CASES: dict[str, tuple[Any, Any]] = {
    "Bernoulli": (lambda d, t: d.Bernoulli(t(A)), [0.0, 1.0]),
    "Bernoulli of a number": (lambda d, t: d.Bernoulli(0.3), [0.0, 1.0]),
    "Bernoulli at the ends": (lambda d, t: d.Bernoulli(t([0.0, 1.0])), [1.0, 1.0]),
    "Beta": (lambda d, t: d.Beta(t(A), t(B)), [0.2, 0.7]),
    "Binomial": (lambda d, t: d.Binomial(10, t(A)), [0.0, 3.0]),
    "Binomial of counts": (lambda d, t: d.Binomial(t([3, 5]), t(A)), [0.0, 3.0]),
    "Categorical": (lambda d, t: d.Categorical(t(THREE)), np.array([0, 2])),
    "Categorical rows": (lambda d, t: d.Categorical(t([THREE, [1, 2, 3.0]])), np.array([0, 2])),
    "Categorical each": (lambda d, t: d.Categorical(t([A, B])), np.array([[0, 1, 1], [1, 1, 0]])),
    "Cauchy": (lambda d, t: d.Cauchy(t(A), t(B)), [0.2, 0.7]),
    "Chi2": (lambda d, t: d.Chi2(t(A)), [0.2, 0.7]),
    "ContinuousBernoulli": (lambda d, t: d.ContinuousBernoulli(t(A)), [0.2, 0.7]),
    "ContinuousBernoulli near 1/2": (
        lambda d, t: d.ContinuousBernoulli(t([0.4995, 0.5])), [0.2, 0.7],
    ),
    "Dirichlet": (lambda d, t: d.Dirichlet(t([0.5, 1.5, 2.0])), THREE),
    "Exponential": (lambda d, t: d.Exponential(t(A)), [0.2, 0.7]),
    "Gamma": (lambda d, t: d.Gamma(t(A), t(B)), [0.2, 0.7]),
    "Geometric": (lambda d, t: d.Geometric(t(A)), [0.0, 3.0]),
    "Gumbel": (lambda d, t: d.Gumbel(t(A), t(B)), [0.2, 0.7]),
    "Independent": (lambda d, t: d.Independent(d.Normal(t(A), t(B)), 1), [0.2, 0.7]),
    "Laplace": (lambda d, t: d.Laplace(t(A), t(B)), [0.2, 0.7]),
    "LKJCholesky": (lambda d, t: d.LKJCholesky(2, t(B)), [[1.0, 0.0], [0.6, 0.8]]),
    "LKJCholesky of a number": (
        lambda d, t: d.LKJCholesky(3, 0.7), [[1.0, 0, 0], [0.6, 0.8, 0], [0.48, 0.6, 0.64]],
    ),
    "LogNormal": (lambda d, t: d.LogNormal(t(A), t(B)), [0.2, 0.7]),
    "Multinomial": (lambda d, t: d.Multinomial(10, t(THREE)), [2.0, 3.0, 5.0]),
    "MultivariateNormal": (
        lambda d, t: d.MultivariateNormal(t(A), covariance_matrix=t(MATRIX)), [0.2, 0.7],
    ),
    "MultivariateNormal by precision": (
        lambda d, t: d.MultivariateNormal(t(A), precision_matrix=t(MATRIX)), [0.2, 0.7],
    ),
    "MultivariateNormal by a triangle": (
        lambda d, t: d.MultivariateNormal(t(A), scale_tril=t([TRIANGLE] * 3)), [0.2, 0.7],
    ),
    "Normal": (lambda d, t: d.Normal(t(A), t(B)), [0.3, 0.7]),
    "Normal of numbers": (lambda d, t: d.Normal(0.5, 2), [0.3]),
    "Normal of arrays": (lambda d, t: d.Normal(np.array(A), np.array(B)), np.array(A)),
    "Poisson": (lambda d, t: d.Poisson(t([1.5, 4.0])), [0.0, 3.0]),
    "StudentT": (lambda d, t: d.StudentT(t([3.0, 5.0]), t(A), t(B)), [0.2, 0.7]),
    "StudentT without moments": (lambda d, t: d.StudentT(t([1.0, 2.0]), 0.0, 1.0), [0.2, 0.7]),
    "Transformed": (
        lambda d, t: d.TransformedDistribution(
            d.Normal(t(A), t(B)), [d.AffineTransform(t(1.0), t(2.0)), d.ExpTransform()]
        ),
        [3.0, 4.0],
    ),
    "Transformed to shares": (
        lambda d, t: d.TransformedDistribution(
            d.Normal(t(A), t(B)), [d.StickBreakingTransform()]
        ),
        [0.3, 0.2, 0.5],
    ),
    "Uniform": (lambda d, t: d.Uniform(t(A), t(B)), [0.8, 0.1]),
}  # fmt: skip
ASKED = ("mean", "variance", "entropy", "log_prob", "prob", "cdf", "icdf")

# name: (p, q) from (distribution, tensor)
PAIRS: dict[str, Any] = {
    "Bernoulli": lambda d, t: (d.Bernoulli(t(A)), d.Bernoulli(t([0.5, 0.5]))),
    "Beta": lambda d, t: (d.Beta(t(A), t(B)), d.Beta(t(B), t(A))),
    "Binomial": lambda d, t: (d.Binomial(3, t(A)), d.Binomial(3, t([0.5, 0.5]))),
    "Categorical": lambda d, t: (d.Categorical(t([A, B])), d.Categorical(t([B, B]))),
    "Cauchy": lambda d, t: (d.Cauchy(t(A), t(B)), d.Cauchy(t(B), t(A))),
    "Chi2": lambda d, t: (d.Chi2(t(A)), d.Gamma(t(B), t(A))),
    "ContinuousBernoulli": lambda d, t: (
        d.ContinuousBernoulli(t(A)), d.ContinuousBernoulli(t([0.5, 0.5])),
    ),
    "Dirichlet": lambda d, t: (d.Dirichlet(t(A)), d.Dirichlet(t(B))),
    "Exponential": lambda d, t: (d.Exponential(t(A)), d.Exponential(t(B))),
    "Gamma": lambda d, t: (d.Gamma(t(A), t(B)), d.Gamma(t(B), t(A))),
    "Laplace": lambda d, t: (d.Laplace(t(A), t(B)), d.Laplace(t(B), t(A))),
    "LogNormal": lambda d, t: (d.LogNormal(t(A), t(B)), d.LogNormal(t(B), t(A))),
    "MultivariateNormal": lambda d, t: (
        d.MultivariateNormal(t(A), scale_tril=t(TRIANGLE)),
        d.MultivariateNormal(t(B), precision_matrix=t(MATRIX)),
    ),
    "Normal": lambda d, t: (d.Normal(t(A), t(B)), d.Normal(t(B), t(A))),
    "Poisson": lambda d, t: (d.Poisson(t(A)), d.Poisson(t(B))),
}  # fmt: skip

# name: (a transform from (distribution, tensor), what it is given)
TRANSFORMS: dict[str, tuple[Any, Any]] = {
    "Affine": (lambda d, t: d.AffineTransform(t(A), t(B)), [-1.0, 2.0]),
    "Chain": (
        lambda d, t: d.ChainTransform([d.ExpTransform(), d.StickBreakingTransform()]), [0.1, 0.2],
    ),
    "Exp": (lambda d, t: d.ExpTransform(), [0.5, 1.0]),
    "Independent": (lambda d, t: d.IndependentTransform(d.ExpTransform(), 1), [A, B]),
    "Power": (lambda d, t: d.PowerTransform(t(2.0)), [1.0, 2.0]),
    "Reshape": (lambda d, t: d.ReshapeTransform((2, 3), (3, 2)), [[THREE, THREE]]),
    "Sigmoid": (lambda d, t: d.SigmoidTransform(), [0.5, 1.0]),
    "Stack": (
        lambda d, t: d.StackTransform((d.ExpTransform(), d.PowerTransform(t(2.0))), 1), [A, B],
    ),
    "StickBreaking": (lambda d, t: d.StickBreakingTransform(), [0.1, 0.2, 0.3]),
    "Tanh": (lambda d, t: d.TanhTransform(), [0.1, 0.2, 0.3]),
}  # fmt: skip


def results(paddle: Any) -> dict[str, Any]:
    """[dtype, values] of everything that the tables name; None where it is not served."""

    def tensor(value: Any) -> Any:
        plain = isinstance(value, np.ndarray) or all(
            type(x) is int for x in np.ravel(value).tolist()
        )
        return paddle.to_tensor(np.asarray(value, None if plain else "float32"))

    d = paddle.distribution
    found = {}
    for name, (make, at) in CASES.items():
        made, where = make(d, tensor), tensor(at)
        for asked in ASKED:
            found[f"{name}: {asked}"] = _shown(lambda a=asked, m=made, w=where: _asked(m, a, w))
        found[f"{name}: sample"] = [list(made.sample([4, 3]).shape)]
    for name, pair in PAIRS.items():
        found[f"divergence: {name}"] = _shown(lambda p=pair: d.kl_divergence(*p(d, tensor)))
    for name, (make, at) in TRANSFORMS.items():
        made, x = make(d, tensor), tensor(at)
        y = made.forward(x)
        found[f"{name}: forward"] = _shown(lambda y=y: y)
        found[f"{name}: inverse"] = _shown(lambda m=made, y=y: m.inverse(y))
        found[f"{name}: stretches"] = _shown(lambda m=made, x=x: m.forward_log_det_jacobian(x))
        found[f"{name}: shape"] = [list(made.forward_shape(tuple(x.shape)))]
    return found


def _asked(made: Any, asked: str, where: Any) -> Any:
    if asked in ("mean", "variance"):
        return getattr(made, asked)
    return made.entropy() if asked == "entropy" else getattr(made, asked)(where)


def _shown(compute: Any) -> Any:
    try:
        out = compute()
    except (NotImplementedError, AttributeError, ValueError):
        return None
    return [str(out.dtype).rpartition(".")[2], out.numpy().tolist()]
