"""Workers of servers as a group: sums, gatherings and barriers by way of the first server."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.distributed.ps.communicator import Communicator
from twinoar.errors import DistributedError, TypeMismatchError

REDUCTIONS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "sum": np.add,
    "max": np.maximum,
    "min": np.minimum,
    "prod": np.multiply,
    "avg": np.add,
}


class Peers:
    """What `fleet.util` asks of a group, for the workers of a job with servers."""

    def __init__(self, there: Callable[[], Communicator], rank: int, size: int):
        self._there, self.rank, self.size = there, rank, size

    def barrier(self) -> None:
        """Wait for the other workers."""
        self._there().barrier()

    def all_reduce(self, x: np.ndarray, reduction: str) -> np.ndarray:
        """The reduction over workers, in their order. Raises DistributedError for other shapes."""
        given = self._gathered(f"all_reduce {reduction} of {x.dtype}{list(x.shape)}", x)
        found = functools.reduce(REDUCTIONS[reduction], given)
        return np.asarray(found / len(given) if reduction == "avg" else found)

    def all_gather_object(self, value: Any) -> list[Any]:
        """What each worker has, in their order: an array, or what JSON can say.

        Raises TypeMismatchError for anything else: nothing that is sent runs code.
        """
        if isinstance(value, np.ndarray | np.generic):
            return self._gathered("all_gather of arrays", np.asarray(value))
        try:
            text = json.dumps(value).encode()
        except (TypeError, ValueError) as error:
            raise TypeMismatchError(
                f"workers of servers gather arrays and plain values: {error}",
                cure="give numbers, texts, lists or dicts of them, or an array",
            ) from None
        given = self._gathered("all_gather", np.frombuffer(text, np.uint8))
        return [json.loads(a.tobytes()) for a in given]

    def give_each(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """What each worker has for this one, in their order; `arrays` has one for each."""
        given = {str(w): a for w, a in enumerate(arrays)}
        found = self._there().exchange("alltoall", given)
        return [a for _, a in sorted(found.items()) if a is not None]

    def _gathered(self, what: str, x: np.ndarray) -> list[np.ndarray]:
        found = self._there().exchange(what, {"all": x})
        given = [a for _, a in sorted(found.items())]
        if any(a is None for a in given):
            raise DistributedError(f"{what}: a worker gave nothing")
        return given  # type: ignore[return-value]  # as was just looked at
