"""What a run must leave as it was: kept before, and put back after."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import CellType
from typing import Any

import numpy as np

from twinoar.core.device import to_host
from twinoar.core.ir.program import State
from twinoar.core.layer_like import LayerLike
from twinoar.eager.tensor import Tensor
from twinoar.jit.concrete import live_value
from twinoar.jit.runtime.journal import Place
from twinoar.jit.tracing import Trace
from twinoar.ops.random.uniform import generator

CONTAINERS = (list, dict, set, deque)


def layers_met(trace: Trace) -> list[LayerLike]:
    """The Layers that a trace has called."""
    guards = trace.guards
    noted = [holder for holder, attribute, _ in guards.same if attribute == "training"]
    return [*(watched.layer for watched in guards.layers), *noted]


def array_of(state: State) -> np.ndarray:
    """What a state holds now."""
    return np.asarray(state.data) if state.is_constant else to_host(live_value(state)._data)


@contextmanager
def in_eval_mode(layers: Iterable[LayerLike]) -> Iterator[None]:
    """These Layers in eval mode; afterwards each is in its own again."""
    training = [x for x in layers if x.training]
    for x in training:
        x.training = False
    try:
        yield
    finally:
        for x in training:
            x.training = True


class Kept:
    """What these hold now: tensors and their gradients, attributes, contents of containers.

    function: what it finds by name, its globals and the variables around it, is kept as well; so is
    the random state. places: further ones.
    """

    def __init__(
        self,
        function: Callable,
        layers: Iterable[LayerLike],
        tensors: Iterable[Any],
        places: Iterable[Place] = (),
    ):
        layers = list(layers)
        self.names, containers = _found_by_name(function)
        self.places = [(p, p.keep()) for p in places]
        self.containers = [_Kept(x) for x in (*(x.__dict__ for x in layers), *containers)]
        held = [t for x in layers for t in (*x._parameters.values(), *x._buffers.values())]
        found = {id(t): t for t in (*held, *tensors, generator.state) if isinstance(t, Tensor)}
        self.tensors = [_KeptTensor(t) for t in found.values()]

    def restore(self) -> None:
        """Make all of it as it was."""
        for place, kept in reversed(self.places):
            place.restore(kept)
        for tensor in self.tensors:
            tensor.restore()
        for container in reversed(self.containers):
            container.restore()
        self.names.restore()

    def values(self) -> list[tuple[Tensor, np.ndarray, np.ndarray | None]]:
        """What the tensors hold by now, and their gradients."""
        return [(k.tensor, k.tensor._data, _gradient(k.tensor)) for k in self.tensors]


@contextmanager
def undone(*what: Any) -> Iterator[None]:
    """Whatever happens in this block to what `Kept(*what)` keeps is undone."""
    kept = Kept(*what)
    try:
        yield
    finally:
        kept.restore()


def _gradient(tensor: Tensor) -> np.ndarray | None:
    return getattr(tensor._grad, "_data", None)


class _KeptTensor:
    """What a tensor holds."""

    def __init__(self, tensor: Tensor):
        self.tensor = tensor
        self.state = tensor._data, tensor.stop_gradient, tensor.producer, tensor._grad
        self.gradient = _gradient(tensor)

    def restore(self) -> None:
        """Make it as it was. Arrays are never written, so the old one still holds the value."""
        t = self.tensor
        t._data, t.stop_gradient, t.producer, t._grad = self.state
        if self.gradient is not None:
            t._grad._data = self.gradient  # type: ignore[union-attr]  # it has data


class _Kept:
    """What a container holds, and the containers in it."""

    def __init__(self, container: Any):
        self.container, self.contents = container, container.copy()
        inside = container.values() if isinstance(container, dict) else container
        self.inner = [(x, x.copy()) for x in inside if isinstance(x, CONTAINERS)]

    def restore(self) -> None:
        """Make it as it was, where it is not."""
        for container, contents in ((self.container, self.contents), *self.inner):
            if not _is_same(container, contents):
                container.clear()
                add = container.extend if hasattr(container, "extend") else container.update
                add(contents)


def _is_same(now: Any, then: Any) -> bool:
    """True if two containers hold the very same objects in the same order."""
    if len(now) != len(then):
        return False
    if isinstance(now, dict):
        return all(k is j and v is w for (k, v), (j, w) in zip(now.items(), then.items()))  # noqa: B905
    return all(x is y for x, y in zip(now, then, strict=True))


class _Names:
    """What a function's globals and the variables around it hold."""

    def __init__(self, space: dict[str, Any], names: Iterable[str], cells: Iterable[CellType]):
        self.space = space
        self.values = {n: space[n] for n in names if n in space}
        self.cells = [(c, c.cell_contents) for c in cells if _is_filled(c)]

    def restore(self) -> None:
        """Make them hold it again."""
        self.space.update(self.values)
        for cell, value in self.cells:
            cell.cell_contents = value


def _found_by_name(function: Callable) -> tuple[_Names, list[Any]]:
    """The names from outside that a function uses, and the containers among what they hold."""
    plain = getattr(function, "func", function)
    plain = getattr(plain, "__func__", plain)
    code = getattr(plain, "__code__", None)
    if code is None:
        return _Names({}, (), ()), []
    names = _Names(plain.__globals__, code.co_names, plain.__closure__ or ())
    values = (*names.values.values(), *(v for _, v in names.cells))
    return names, [x for x in values if isinstance(x, CONTAINERS)]


def _is_filled(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False
