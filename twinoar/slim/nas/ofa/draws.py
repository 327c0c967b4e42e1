"""Which network of a supernet is called: the largest, the smallest, or one that is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from twinoar.errors import ArgumentError
from twinoar.slim.common.draws import seeded
from twinoar.slim.nas.ofa.elastic import CHOICES, WIDTHS

TASKS = (*CHOICES, "depth", "width")
WAYS = ("random", "largest", "smallest")


def phase_of(epoch: int, last_epochs: Sequence[Sequence[int]]) -> tuple[int, int]:
    """The task of an epoch, and the phase in it: where it is not after the last epoch of one.

    After all it is the last.

    >>> phase_of(3, [[1], [2, 3], [4, 5]]), phase_of(9, [[1], [2, 3]])
    ((1, 1), (1, 1))
    """
    for task, phases in enumerate(last_epochs):
        for phase, last in enumerate(phases):
            if epoch <= last:
                return task, phase
    return len(last_epochs) - 1, len(last_epochs[-1]) - 1


class Draws:
    """Draws sizes of networks by a seed of its own, which follows from `paddle.seed`.

    candidates: of layers by name, by the name of what is chosen.
    """

    def __init__(self, candidates: Mapping[str, Any]):
        self._offered = {n for c in candidates.values() if isinstance(c, Mapping) for n in c}
        self._random = seeded()

    def names(self, tasks: Sequence[str]) -> list[str]:
        """What tasks choose: "width" is what layers have of it. Raises ArgumentError."""
        found: list[str] = []
        for task in tasks:
            if task not in TASKS:
                raise ArgumentError(f"expected one of {', '.join(TASKS)}, received {task!r}")
            widths = [n for n in WIDTHS if n in self._offered]
            found += widths if task == "width" else [task]
        return found

    def draw(
        self, candidates: Mapping[str, Any], task: Sequence[str], way: str, phase: int | None
    ) -> dict[str, Any]:
        """A candidate of each. Raises ArgumentError for an unknown way.

        Of what is no task it is the largest; of the last task in a phase n one of the n + 2
        largest.
        """
        if way not in WAYS:
            raise ArgumentError(f"expected one of {', '.join(WAYS)}, received {way!r}")
        found: dict[str, Any] = {}
        for name, values in candidates.items():
            if isinstance(values, Mapping):
                found[name] = self.draw(values, task, way, phase)
            elif way != "random":
                found[name] = values[-1 if way == "largest" else 0]
            elif name not in task:
                found[name] = values[-1]
            else:
                first = 0 if phase is None or name != task[-1] else -(phase + 2)
                offered = values[first:]
                found[name] = offered[int(self._random.integers(len(offered)))]
        return found
