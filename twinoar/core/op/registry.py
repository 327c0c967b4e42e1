"""Every operator by name, those included that few programs use, which are defined late."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from twinoar.core.op.definition import Op


class Registry(MutableMapping[str, "Op"]):
    """Operators by name.

    What asks for a name that is not there, or for all, gets every operator: `define_rest` is called
    first. So which modules a process has loaded can be told from `defined` alone.
    """

    def __init__(self) -> None:
        self.defined: dict[str, Op] = {}  # by now; to ask it defines nothing
        self.define_rest: Callable[[], None] | None = None

    def _complete(self) -> None:
        if self.define_rest is not None:
            self.define_rest()  # again in each thread that comes before it has ended
            self.define_rest = None

    def __getitem__(self, name: str) -> Op:
        if name not in self.defined:
            self._complete()
        return self.defined[name]

    def __contains__(self, name: object) -> bool:
        if name not in self.defined:
            self._complete()
        return name in self.defined

    def __setitem__(self, name: str, op: Op) -> None:
        self.defined[name] = op

    def __delitem__(self, name: str) -> None:
        del self.defined[name]

    def __iter__(self) -> Iterator[str]:
        self._complete()
        return iter(self.defined)

    def __len__(self) -> int:
        self._complete()
        return len(self.defined)


registry = Registry()
