"""Names that a path through the code has not assigned."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twinoar.errors import ConversionError


class Undefined:
    """What a name holds that only one branch, or a loop that may not run, would have assigned."""

    def __init__(self, name: str):
        object.__setattr__(self, "name", name)

    def _refuse(self, *args: Any, **kwargs: Any) -> Any:
        name = object.__getattribute__(self, "name")
        raise ConversionError(
            f"{name} may be undefined here: one branch, or a loop that may not run, "
            "does not assign it",
            cure=f"assign {name} before the branch or loop",
        )

    __getattr__ = __call__ = __bool__ = __iter__ = __len__ = __getitem__ = __setitem__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = (
        _refuse
    )
    __lt__ = __le__ = __gt__ = __ge__ = __neg__ = __matmul__ = __rmatmul__ = __float__ = __int__ = (
        _refuse
    )


def require_defined(values: Iterable[Any]) -> None:
    """Raise ConversionError for a value that only one branch, or a loop, would have assigned."""
    for x in values:
        if isinstance(x, Undefined):
            x._refuse()


def values_of(names: tuple[str, ...], scope: dict[str, Any]) -> list[Any]:
    return [scope[n] if n in scope else Undefined(n) for n in names]
