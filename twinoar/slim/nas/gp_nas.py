"""GPNAS: how good a network will be, from those that were measured, by a Gaussian process.

Source: Li et al. 2020, "GP-NAS: Gaussian Process Based Neural Architecture Search", CVPR 2020,
section 3: the mean is linear in what describes a network, with weights of a Gaussian prior.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, ShapeError

RIDGE = 1e-7  # added to diagonals before they are inverted; PaddleSlim's
PRIOR = 0.01  # variance of the weights before anything is measured; PaddleSlim's
KERNELS = (1, 2)


class GPNAS:
    """Predicts scores of networks from the numbers that describe them, such as their tokens.

    c_flag: the kernel of two descriptions at distance d: 1 for exp(-d^2 / 16) / 2, 2 for
    exp(-d / 12). m_flag: the form of the posterior mean: 1 adds to the mean before what the gain
    makes of the errors, 2 weighs both by their precisions. X: [N,F] are descriptions, Y: [N] are
    scores. Results are float64. Raises ArgumentError.

    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
    >>> Y = X @ [1.0, 2.0] + 0.5
    >>> search = GPNAS()
    >>> mean, covariance = search.get_initial_mean(X[:3], Y[:3]), search.get_initial_cov(X[:3])
    >>> weights = search.get_posterior_mean(X, Y)
    >>> search.get_predict(X).round(2).ravel().tolist()
    [2.5, 1.5, 3.5, 0.5]
    """

    def __init__(self, c_flag: int = 2, m_flag: int = 2):
        if c_flag not in KERNELS or m_flag not in KERNELS:
            raise ArgumentError(f"c_flag and m_flag are 1 or 2, received {c_flag!r} and {m_flag!r}")
        self.c_flag, self.m_flag = c_flag, m_flag
        self.w: np.ndarray | None = None
        self.cov_w: np.ndarray | None = None
        self.cov_mat: np.ndarray | None = None

    def get_predict(self, X: Any) -> np.ndarray:  # PaddleSlim's names
        """The mean of the scores: [N,1]. Raises ArgumentError before a mean is known."""
        return _with_one(X) @ self._weights()

    def get_predict_jiont(self, X: Any, X_train: Any, Y_train: Any) -> np.ndarray:
        """Scores of networks from their mean, and from how near measured networks are: [N,1].

        X_train, Y_train: the networks that were measured. Spelled as in PaddleSlim.
        """
        known = np.asarray(X_train, np.float64)
        errors = _scores(Y_train, known) - self.get_predict(known)
        among = self._kernel(known, known) + RIDGE * np.eye(len(known))
        to_known = self._kernel(np.asarray(X, np.float64), known)
        return self.get_predict(X) + to_known @ np.linalg.solve(among, errors)

    def get_initial_mean(self, X: Any, Y: Any) -> np.ndarray:
        """Weights of the mean by least squares: [F + 1, 1]."""
        x = _with_one(X)
        self.w = np.linalg.solve(x.T @ x + RIDGE * np.eye(x.shape[1]), x.T @ _scores(Y, x))
        return self.w

    def get_initial_cov(self, X: Any) -> np.ndarray:
        """The covariance of the weights before networks are measured: [F + 1, F + 1]."""
        self.cov_w = PRIOR * np.eye(_with_one(X).shape[1])
        return self.cov_w

    def get_posterior_mean(self, X: Any, Y: Any) -> np.ndarray:
        """Weights of the mean after networks were measured: [F + 1, 1].

        Raises ArgumentError before `get_initial_mean` and `get_initial_cov`.
        """
        x, w, prior = _with_one(X), self._weights(), self._prior()
        y, count, features = _scores(Y, x), *x.shape
        noise = np.linalg.inv(self._kernel(x, x) + RIDGE * np.eye(count))
        if self.m_flag == 1:
            spread = noise + x @ prior @ x.T + RIDGE * np.eye(count)
            self.w = w + prior @ x.T @ np.linalg.solve(spread, y - x @ w)
        else:
            precision = np.linalg.inv(prior + RIDGE * np.eye(features))
            both = x.T @ noise @ x + precision + RIDGE * np.eye(features)
            self.w = np.linalg.solve(both, x.T @ noise @ y + precision @ w)
        return self.w

    def get_posterior_cov(self, X: Any, Y: Any) -> np.ndarray:
        """The covariance of the weights after networks were measured: [F + 1, F + 1].

        Raises ArgumentError before `get_initial_cov`.
        """
        x = _with_one(X)
        _scores(Y, x)
        ridge = RIDGE * np.eye(x.shape[1])
        measured = np.linalg.inv(x.T @ self._kernel(x, x) @ x + ridge)
        before = np.linalg.inv(self._prior() + ridge)
        self.cov_mat = np.linalg.inv(measured + before + ridge)
        return self.cov_mat

    def _kernel(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """How alike each of x [N,F] and each of y [M,F] are: [N,M]."""
        squares = np.square(x[:, None] - y[None]).sum(axis=-1)
        if self.c_flag == 1:
            return np.asarray(0.5 * np.exp(-squares / 16))
        return np.asarray(np.exp(-np.sqrt(squares) / 12))

    def _weights(self) -> np.ndarray:
        if self.w is None:
            raise ArgumentError("no mean is known yet", cure="call get_initial_mean before")
        return self.w

    def _prior(self) -> np.ndarray:
        if self.cov_w is None:
            raise ArgumentError("no covariance is known yet", cure="call get_initial_cov before")
        return self.cov_w


def _with_one(x: Any) -> np.ndarray:
    """Descriptions [N,F] with a 1 at the end of each: [N,F + 1]."""
    found = np.asarray(x, np.float64)
    if found.ndim != 2 or not found.size:
        raise ShapeError(f"expected descriptions [N,F], received {found.shape}")
    return np.concatenate([found, np.ones((len(found), 1))], axis=1)


def _scores(y: Any, x: np.ndarray) -> np.ndarray:
    """Scores as a column, one for each description. Raises ShapeError, ArgumentError."""
    found = np.asarray(y, np.float64).reshape(-1, 1)
    if len(found) != len(x):
        raise ShapeError(f"there are {len(x)} descriptions and {len(found)} scores")
    if not np.isfinite(found).all():
        raise ArgumentError("scores must be finite")
    return found
