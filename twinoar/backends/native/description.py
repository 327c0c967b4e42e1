"""What an operator asks of kernels for sums of products, and which of these there are run it."""

from __future__ import annotations

from twinoar import config
from twinoar.backends import onednn
from twinoar.compile.element import asked_by
from twinoar.compile.graph import Order
from twinoar.core.dtype import bfloat16, float16, float32, float64
from twinoar.core.ir import Operator, Variable
from twinoar.core.library import Convolution, Description, Matmul

IN_LIBRARY = (float32, bfloat16)
IN_LOOPS = (float32, float64, bfloat16, float16)
FEW = 4  # groups with fewer filters or channels: loops over elements do less in vain


def for_library(o: Operator) -> Description | None:
    """What an operator asks of oneDNN; None where that is not here, or does not do it."""
    is_served = all(x.spec.dtype in IN_LIBRARY for x in _operands(o))
    return _asked(o) if is_served and config.onednn and onednn.available() else None


def for_loops(o: Operator) -> Description | None:
    """What an operator asks of our own tiled loops; None where plain loops are as good."""
    if any(x.spec.dtype not in IN_LOOPS for x in _operands(o)):
        return None
    asked = _asked(o)
    return None if isinstance(asked, Convolution) and _is_depthwise(asked, o) else asked


def result_order(o: Operator) -> Order | bool | None:
    """The order in which a call writes its result: True for row-major, None where none runs it."""
    asked = for_library(o) or for_loops(o)
    if isinstance(asked, Convolution) and asked.direction != "backward_weights":
        rank = o.results[0].spec.ndim  # type: ignore[union-attr]
        return True if asked.channels_last else (0, *range(2, rank), 1)
    return None if asked is None else True


def _asked(o: Operator) -> Description | None:
    rule = o.op.rules.get("library")
    specs = tuple(x.spec if isinstance(x, Variable) else x for x in o.operands)
    if rule is None or any(0 in s.shape for s in specs if s is not None):
        return None
    given = {**o.attrs, "specs": specs}
    found: Description | None = rule(**{name: given[name] for name in asked_by(rule)})
    return found if isinstance(found, (Matmul, Convolution)) else None


def _is_depthwise(asked: Convolution, o: Operator) -> bool:
    """True where each group has so few filters or channels that tiles would be empty."""
    if asked.groups == 1:
        return False
    place = asked.roles.index("weight")
    weight = o.results[0] if place == len(o.operands) else o.operands[place]
    filters, channels, *_ = weight.spec.shape
    return min(filters // asked.groups, channels) < FEW


def _operands(o: Operator) -> list[Variable]:
    return [x for x in o.operands if isinstance(x, Variable)]
