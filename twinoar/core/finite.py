"""The check that results are finite: an observer, which `config.finite` turns on and off."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import BY_NUMPY
from twinoar.core.interpreter import current
from twinoar.core.observer import EVERYWHERE, OPERATOR, Call, announce, withdraw
from twinoar.core.op.explain import describe
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


class FiniteCheck:
    """Raises NotFiniteError where an operator gives what is not finite."""

    by_operator = True

    def started(self, call: Call) -> None:
        """Nothing to check yet."""

    def ended(self, call: Call, results: Any, began: None) -> None:
        """Check what an operator has given."""
        if results is None or call.kind != OPERATOR:
            return
        try:
            require_finite(results)
        except NotFiniteError as error:
            raise error.attach(call.name, describe(call.op, call.operands)) from None


FINITE = FiniteCheck()


def check_finite(is_on: bool) -> None:
    """Check from now on whether results are finite, in all threads; or no more.

    Raises ConversionError while a function is converted.
    """
    if is_on is (FINITE in EVERYWHERE):
        return
    current().python_effect("the check that results are finite")
    (announce if is_on else withdraw)(FINITE)
