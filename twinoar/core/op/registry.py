"""Every operator by name, those included that few programs use, which are defined late."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from twinoar.core.op.definition import Op


class Registry(MutableMapping[str, "Op"]):
    """Operators by name.

    A name that is not there yet has more operators defined, until it is, and to list them has all.
    So which modules a process has loaded can be told from `defined` alone.
    """

    def __init__(self) -> None:
        self.defined: dict[str, Op] = {}  # by now; to ask it defines nothing
        self.later: tuple[Callable[[], None], ...] = ()  # each defines more, the last all

    def define_more(self) -> bool:
        """Define more operators; False where all are."""
        if not self.later:
            return False
        define, *rest = self.later
        define()  # again in each thread that comes before it has ended
        self.later = tuple(rest)
        return True

    def define_usual(self) -> None:
        """Define all but the last, those that only few programs use."""
        while len(self.later) > 1:
            self.define_more()

    def __getitem__(self, name: str) -> Op:
        while name not in self.defined and self.define_more():
            pass
        return self.defined[name]

    def __contains__(self, name: object) -> bool:
        while name not in self.defined and self.define_more():
            pass
        return name in self.defined

    def __setitem__(self, name: str, op: Op) -> None:
        self.defined[name] = op

    def __delitem__(self, name: str) -> None:
        del self.defined[name]

    def __iter__(self) -> Iterator[str]:
        while self.define_more():
            pass
        return iter(self.defined)

    def __len__(self) -> int:
        while self.define_more():
            pass
        return len(self.defined)


registry = Registry()
