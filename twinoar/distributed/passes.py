"""`paddle.distributed.passes`: changes of Programs for several processes, which are refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from twinoar.distributed.world import refused_alone
from twinoar.errors import TypeMismatchError

CURE = "leave it out: the compiler fuses and plans by itself, see twinoar.passes"


class PassContext:
    """What passes have done, and attributes that they leave for each other."""

    def __init__(self) -> None:
        self._passes: list[Any] = []
        self._attrs: dict[str, Any] = {}

    def set_attr(self, key: str, value: Any) -> None:
        """Leave an attribute."""
        self._attrs[key] = value

    def get_attr(self, key: str, default: Any = None) -> Any:
        """An attribute that was left."""
        return self._attrs.get(key, default)

    @property
    def passes(self) -> list[Any]:
        """The passes that have run: none."""
        return self._passes


def new_pass(name: str, pass_attrs: Mapping[str, Any] | None = None) -> Any:
    """The pass of that name: raises UnsupportedError."""
    raise refused_alone(f"the pass {name!r}", CURE)


class PassManager:
    """Runs passes in turn; there are none to run.

    >>> PassManager([]).names
    []
    """

    def __init__(
        self,
        passes: Sequence[Any],
        context: PassContext | None = None,
        auto_solve_conflict: Any = 1,
    ):
        if passes:
            raise TypeMismatchError(f"there are no passes for processes, received {passes!r}")
        self.context, self.passes = context or PassContext(), list(passes)

    @property
    def names(self) -> list[str]:
        """The names of the passes."""
        return []

    def apply(self, main_programs: Any, startup_programs: Any) -> PassContext:
        """Run the passes: the Programs stay as they are."""
        return self.context


__all__ = ["PassContext", "PassManager", "new_pass"]
