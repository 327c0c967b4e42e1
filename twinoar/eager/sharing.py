"""Tensors that share memory: a tensor and its views; a write to one is seen in all.

Nobody writes arrays. A write gives the root another array, and all that show it read theirs anew;
of a recorded write, with its gradients. Tensors that recorded views link have one history, so the
graph of a write belongs to all of them. Views that `detach` or `no_grad` have cut off the graph
have a history of their own: a write changes their data, and leaves their graph.

A view holds its memory and its history; the root refers to its memory weakly. So a root whose views
are gone is an ordinary tensor again, with an array that nobody else holds.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from twinoar.core.interpreter import eager, using
from twinoar.core.op.view import ALL_OF_IT, AnyStep, OpStep, Step, replaced, shown
from twinoar.core.policy import UNRECORDED
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError
from twinoar.ops.index.gather import gather_op
from twinoar.ops.index.gather_nd import index_put_op
from twinoar.ops.shape.reshape import reshape_op

LONGEST = 64  # steps to a view; longer chains are of loops, and would cost more at each iteration
CROWDED = 16  # views from which those that are gone are looked for, whenever their number doubled


class History:
    """The place in the graph of a root, as those see it whom gradients link to it."""

    __slots__ = ("__weakref__", "producer", "stop_gradient")

    def __init__(self, stop_gradient: bool, producer: Any):
        self.stop_gradient, self.producer = stop_gradient, producer


class Memory:
    """What several tensors show. root: the tensor that shows all of it, while it is there."""

    __slots__ = ("__weakref__", "_crowded", "_views", "data", "history", "root")

    def __init__(self, root: Tensor):
        self.data = root._data
        self.root: Any = weakref.ref(root)
        self.history: Any = _gone
        self._views: list[weakref.ref[Tensor]] = []
        self._crowded = CROWDED

    def history_of_root(self) -> History:
        """The history of the root, which is there."""
        found = self.history()
        if found is None:
            root = self.root()
            found = History(root.stop_gradient, root.producer)
            self.history = weakref.ref(found)
        return found

    def add(self, view: Tensor, steps: tuple[AnyStep, ...], history: History) -> None:
        """Let `view` be what these steps show."""
        view._shown = _tuple(Shown, (self, steps, history))
        views = self._views
        views.append(weakref.ref(view))
        if len(views) > self._crowded:
            views[:] = [v for v in views if v() is not None]
            self._crowded = max(CROWDED, 2 * len(views))

    def views(self) -> Iterator[Tensor]:
        """The views that are there."""
        for reference in list(self._views):
            view = reference()
            if view is not None and view._shown is not None and view._shown.memory is self:
                yield view


class Shown(NamedTuple):
    """What a view shows, and the history that it has in common with others."""

    memory: Memory
    steps: tuple[AnyStep, ...]
    history: History


_tuple = tuple.__new__  # half of what the constructor of a NamedTuple costs, for each view


def _gone() -> None:
    """What a weak reference to something that is gone gives."""


def share(base: Tensor, view: Tensor, step: AnyStep, apart: bool = False) -> None:
    """Let `view` show the memory of `base`. apart: no gradient links the two."""
    if base._shown is not None:
        if len(base._shown.steps) >= LONGEST:  # of the base, so that its views go on from there
            base._shown = base._shown._replace(steps=(_by_positions(*base._shown[:2]),))
        memory, steps, history = base._shown
    else:
        memory, steps, history = _memory_of_root(base), (), None
    if apart or (view.stop_gradient and not base.stop_gradient):
        history = History(True, None)
    if step is not ALL_OF_IT:
        steps = (*steps, step)
    memory.add(view, steps, history or memory.history_of_root())
    if base._version:
        view._version = base._version


def _by_positions(memory: Memory, steps: tuple[AnyStep, ...]) -> AnyStep:
    """Many steps as one, which knows the position of each element: views of views end in a loop."""
    shape = memory.data.shape
    with using(eager(UNRECORDED)):
        places = Tensor(np.arange(memory.data.size).reshape(shape))
        for step in steps:
            places = Tensor(step.read(places)._data)  # each for itself, so that no chain begins
        flat = reshape_op(places, (-1,))

    def read(base: Tensor) -> Tensor:
        return reshape_op(gather_op(reshape_op(base, (-1,)), flat), tuple(places.shape))

    def write(base: Tensor, part: Tensor) -> Tensor:
        put = index_put_op(reshape_op(base, (-1,)), reshape_op(part, (-1,)), [flat])
        return reshape_op(put, shape)

    return Step(read, write)


def share_results(op: Any, base: Any, out: Any, attrs: dict[str, Any]) -> None:
    """Let what an operator with a rule `view` gave show the memory of its operand."""
    if not isinstance(base, Tensor):
        return
    if isinstance(out, tuple):
        for nth, x in enumerate(out):
            share(base, x, OpStep(op, attrs, nth))
    elif base._shown is None or _is_view(base, out, op, attrs):
        share(base, out, OpStep(op, attrs))


def _is_view(base: Tensor, out: Tensor, op: Any, attrs: dict[str, Any]) -> bool:
    """False where elements that lie apart cannot be had in another shape without a copy.

    Where the root does not lie row by row (results lie as they come), decided on memory that does,
    and that nobody touches.
    """
    data, steps = base._shown.memory.data, base._shown.steps
    if isinstance(data, np.ndarray) and data.flags.c_contiguous:
        part, whole = out._data, base._data
        owner = part.base
        if owner is not None and part.size and (owner is whole or owner is whole.base):
            return True  # NumPy's own question takes longer
        return np.may_share_memory(part, whole)
    untouched = Tensor(np.empty(data.shape, data.dtype))
    layout = shown(untouched, (*steps, OpStep(op, attrs)))
    return np.may_share_memory(layout._data, untouched._data)


def _memory_of_root(root: Tensor) -> Memory:
    memory = None if root._views is None else root._views()
    if memory is None:
        memory = Memory(root)
        root._views = weakref.ref(memory)
    return memory


def _seen(x: Tensor) -> Shown | None:
    """What a view shows, or a root that has views; None for a tensor that shares nothing."""
    if x._shown is not None:
        return x._shown
    memory = None if x._views is None else x._views()
    return None if memory is None else Shown(memory, (), memory.history_of_root())


def kin_of(x: Tensor) -> list[Tensor]:
    """The other tensors that a write to `x` changes."""
    seen = _seen(x)
    if seen is None:
        return []
    found = [seen.memory.root(), *seen.memory.views()]
    return [t for t in found if t is not None and t is not x]


def reseat(target: Tensor, value: Tensor) -> bool:
    """Where `value` is a view of `target`: let target be that view from now on (`x.reshape_`)."""
    mine, its = _seen(target), value._shown
    if mine is None or its is None or its.memory is not mine.memory:
        return False
    if len(its.steps) <= len(mine.steps) or its.steps[: len(mine.steps)] != mine.steps:
        return False
    if target._shown is None:
        mine.memory.root, target._views = _gone, None
    mine.memory.add(target, its.steps, its.history)
    for x in kin_of(target):
        x._version = target._version
    return True


def write(interpreter: Any, target: Tensor, value: Tensor) -> np.ndarray:
    """Carry the new value of `target` over to all that share its memory; the array it has then.

    interpreter: which records, or not. Raises ArgumentError where it records and the memory is that
    of a leaf that wants a gradient.
    """
    seen = _seen(target)
    if seen is None:
        return value._data
    memory, steps, history = seen
    records = interpreter.policy.records
    if records and history.producer is None and not history.stop_gradient:
        raise ArgumentError(
            f"{target.name} shows the memory of a leaf tensor that wants a gradient, and is "
            "changed in place",
            cure="work on a copy (x.clone()), or change it under no_grad()",
        )
    with using(interpreter):
        if records:
            root = Tensor(memory.data, history.stop_gradient, history.producer)
            root = replaced(root, steps, value)
            history.stop_gradient, history.producer = root.stop_gradient, root.producer
        else:
            root = replaced(Tensor(memory.data), steps, Tensor(value._data))
        if isinstance(root._data, np.ndarray):
            root._data = np.asarray(root._data, order="C")
        memory.data = root._data
        for x in (memory.root(), *memory.views()):
            if x is not None and x is not target:
                linked = records and _seen(x).history is history  # type: ignore[union-attr]
                _follow(x, root, linked)
                x._version = target._version
        return shown(root, steps)._data


def _follow(x: Tensor, root: Tensor, linked: bool) -> None:
    """Let x show `root` as it is now; with its graph, where they are linked."""
    now = root if x._shown is None else shown(root, x._shown.steps)
    x._data = now._data
    if linked:
        x.producer, x.stop_gradient = now.producer, now.stop_gradient
