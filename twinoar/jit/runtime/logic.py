"""`and`, `or`, `not`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.ir import Variable
from twinoar.core.values import Value
from twinoar.ops.cast import cast
from twinoar.ops.control_flow import as_variable
from twinoar.ops.logical import logical_and, logical_not, logical_or


def and_(*parts: Callable) -> Any:
    """`a and b and ...`; short circuit as long as values are plain."""
    result = parts[0]()
    for part in parts[1:]:
        if isinstance(result, Variable):
            result = logical_and(_truth(result), _truth(part()))
        elif not result:
            return result
        else:
            result = part()
    return result


def or_(*parts: Callable) -> Any:
    """`a or b or ...`; short circuit as long as values are plain."""
    result = parts[0]()
    for part in parts[1:]:
        if isinstance(result, Variable):
            result = logical_or(_truth(result), _truth(part()))
        elif result:
            return result
        else:
            result = part()
    return result


def not_(x: Any) -> Any:
    """`not x`."""
    return logical_not(_truth(x)) if isinstance(x, Variable) else not x


def _truth(x: Any) -> Variable:
    v = (
        x
        if isinstance(x, Variable)
        else as_variable(current(), x if isinstance(x, Value) else bool(x))
    )
    return v if v.dtype == "bool" else cast(v, "bool")
