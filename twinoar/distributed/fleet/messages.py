"""What stages of a pipeline send each other: tensors whose shapes and dtypes are told once.

A message begins with a header: what it is, for which micro-batch, and the number of its form. The
form itself (how many tensors there are, their shapes, dtypes, and which want gradients) follows
where the receiver does not know that number yet. Both sides know in which order the other sends, as
schedules are data; so nothing has to be sent in lock step, and what comes is checked.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from twinoar.core.dtype import dtype_of
from twinoar.eager.tensor import Tensor
from twinoar.errors import DistributedError, TypeMismatchError
from twinoar.runtime.collective import Communicator, Task

Key = tuple[str, int, int]  # kind, the stage that sends, micro-batch
KINDS = ("forward", "backward")
HEADER = 5  # numbers: kind, stage, micro-batch, the form's number, and how many bytes it has


class Mailbox:
    """Messages of one step between this rank of a pipeline and others.

    known: numbers of forms by peer, which outlive a step. expected: what each peer sends here, in
    its order.
    """

    def __init__(
        self,
        there: Communicator,
        known: tuple[dict[int, set[int]], dict[int, dict[int, Any]]],
        expected: Mapping[int, Iterable[Key]],
    ):
        self._there = there
        self._told, self._heard = known
        self._expected = {peer: deque(keys) for peer, keys in expected.items()}
        self._arrived: dict[Key, Any] = {}
        self._leaving: list[Task] = []

    def send(self, key: Key, values: Any, peer: int) -> None:
        """Begin to send what a layer returns: a tensor, or a tuple, list or dict of them."""
        structure, tensors = _taken_apart(values)
        specs = [[x.dtype.name, list(x.shape), bool(x.stop_gradient)] for x in tensors]
        form = json.dumps([structure, specs]).encode()
        number = int.from_bytes(hashlib.blake2b(form, digest_size=7).digest(), "little")
        told = self._told.setdefault(peer, set())
        is_new = number not in told
        told.add(number)
        kind, stage, micro = key
        header = [KINDS.index(kind), stage, micro, number, len(form) if is_new else 0]
        self._put(np.array(header, np.int64), peer)
        if is_new:
            self._put(np.frombuffer(form, np.uint8), peer)
        for x in tensors:
            self._put(np.ascontiguousarray(x.numpy()), peer)

    def _put(self, array: np.ndarray, peer: int) -> None:
        self._leaving = [task for task in self._leaving if not task.is_completed()]
        self._leaving.append(self._there.send(array, peer))

    def take(self, key: Key, peer: int) -> Any:
        """What another has sent under a key, as leaves; what came before it is kept.

        Raises DistributedError where something else comes, or the other has ended.
        """
        while key not in self._arrived:
            following = self._expected[peer].popleft()
            self._arrived[following] = self._receive(following, peer)
        return self._arrived.pop(key)

    def _receive(self, key: Key, peer: int) -> Any:
        header = self._get((HEADER,), np.dtype(np.int64), peer)
        kind, stage, micro, number, size = (int(n) for n in header)
        if (kind, stage, micro) != (KINDS.index(key[0]), *key[1:]):
            here, wanted = self._there.rank, _named(KINDS.index(key[0]), *key[1:])
            raise DistributedError(
                f"rank {self._there.ranks[peer]} sends {_named(kind, stage, micro)}, rank "
                f"{self._there.ranks[here]} expects {wanted}",
                cure="let all stages train with the same schedule_mode and accumulate_steps",
            )
        heard = self._heard.setdefault(peer, {})
        if size:
            text = self._get((size,), np.dtype(np.uint8), peer).tobytes()
            heard[number] = json.loads(text)
        structure, specs = heard[number]
        tensors = []
        for dtype, shape, stop_gradient in specs:
            x = Tensor(self._get(tuple(shape), dtype_of(dtype).numpy, peer), stop_gradient)
            tensors.append(x)
        return _put_together(structure, tensors)

    def _get(self, shape: tuple[int, ...], dtype: Any, peer: int) -> np.ndarray:
        found = np.empty(shape, dtype)
        self._there.receive(found, peer).wait()
        return found

    def finish(self) -> None:
        """Wait until all has left."""
        for task in self._leaving:
            task.wait()
        self._leaving = []


def _named(kind: int, stage: int, micro: int) -> str:
    what = ("activations", "gradients")[kind] if 0 <= kind < len(KINDS) else "something"
    return f"{what} of stage {stage} for micro-batch {micro}"


def _taken_apart(values: Any) -> tuple[Any, list[Tensor]]:
    """How tensors are put together: None for one, a number for a tuple, names for a dict."""
    if isinstance(values, Tensor):
        return None, [values]
    structure: Any
    if isinstance(values, dict):
        structure, tensors = list(values), list(values.values())
    elif isinstance(values, tuple | list):
        structure, tensors = len(values), list(values)
    else:
        structure, tensors = None, [values]
    for x in tensors:
        if not isinstance(x, Tensor):
            raise TypeMismatchError(
                f"a stage of a pipeline returns a {type(x).__name__}",
                cure="return a Tensor, or a tuple or dict of Tensors",
            )
    return structure, tensors


def _put_together(structure: Any, tensors: list[Tensor]) -> Any:
    if structure is None:
        return tensors[0]
    return (
        tuple(tensors) if isinstance(structure, int) else dict(zip(structure, tensors, strict=True))
    )


def tensors_of(values: Any) -> list[Tensor]:
    """The tensors that a stage takes or returns, in order."""
    return _taken_apart(values)[1]
