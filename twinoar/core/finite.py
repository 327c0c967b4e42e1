"""The check that results are finite, for interpreters and back ends that run kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import BY_NUMPY
from twinoar.errors import NotFiniteError


def require_finite(results: Any) -> None:
    """Raise NotFiniteError where one of an operator's results, arrays, is not finite everywhere."""
    for result in results if results.__class__ is tuple else (results,):
        array = np.asarray(result)
        dtype = BY_NUMPY.get(array.dtype)
        if dtype is None or not dtype.is_differentiable or np.isfinite(array).all():
            continue
        nans, infinities = np.isnan(array).sum(), np.isinf(array).sum()
        raise NotFiniteError(
            f"{nans} results are nan and {infinities} inf, of {array.size} {dtype.name}"
        )
