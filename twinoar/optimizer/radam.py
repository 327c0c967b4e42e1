"""RAdam: Adam that rectifies the uncertain scale of its first steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar.ops.optimizer.radam import radam
from twinoar.optimizer.adam import BETAS, ByBetas
from twinoar.optimizer.memory import Moment
from twinoar.optimizer.optimizer import Rule


class RAdam(ByBetas):
    """Adam whose steps are scaled by how sure the mean of squares is, and not by it at first.

    The rest, and what is raised: see Adam. Source: arXiv 1908.03265, algorithm 2.

    >>> w = twinoar.create_parameter([1], "float32")
    >>> w.set_value([1.0])
    >>> (w * 2).sum().backward()
    >>> twinoar.optimizer.RAdam(0.25, parameters=[w]).step()
    >>> round(w.item(), 4)
    0.5
    """

    _is_formula = True
    _rule = Rule(radam, *BETAS)

    def moments(self, settings: Mapping[str, Any]) -> tuple[Moment, ...]:
        """Powers of both betas, rho, and means of the gradient and of its square."""
        ones = (Moment(name, 1.0) for name in ("beta1_pow", "beta2_pow", "rho"))
        return *ones, Moment("moment1"), Moment("moment2")
