"""Observers that look at what a Program rounds: at what it is fed and returns, and within blocks.

What is computed in a branch or a loop never leaves it, so there an observer is called by the
Program itself, in each run of the block.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from twinoar.core.ir.program import Variable
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError
from twinoar.ops.control.host import host_call, register_function
from twinoar.passes.graph import Graph
from twinoar.quantization.factory import QuanterFactory
from twinoar.quantization.program.places import Place
from twinoar.quantization.program.rounding import Rounding
from twinoar.static.executor import Executor
from twinoar.static.program import Program
from twinoar.static.scope import Scope

Batch = Mapping[str, Any]


class _Watch:
    """The observer of one value, under a name that host calls know it by."""

    def __init__(self, value: Variable, observer: Any):
        self.value, self.observer, self.is_empty = value, observer, True
        self.__name__ = f"observe_{value.name}"

    def __call__(self, array: np.ndarray) -> None:
        self.is_empty = False
        try:
            self.observer(to_tensor(array))
        except ArgumentError as error:
            told = f"%{self.value.name}: {error.message}"
            raise ArgumentError(told, cure=error.cure) from error


class Watched:
    """A Program with an observer at each value that is rounded, a value in two places once.

    Raises what `places` raises.
    """

    def __init__(self, program: Program, how: Rounding, observer: QuanterFactory):
        graph = Graph(program)
        self._places = [place for place in how.places(graph) if not place.is_weight]
        self._watches: dict[Variable, _Watch] = {}
        self._outside: list[_Watch] = []
        for place in self._places:
            if place.origin not in self._watches:
                watch = _Watch(place.origin, observer._instance(None))
                self._watches[place.origin] = watch
                self._put_in(graph, place, watch)
        made = graph.to_program()
        assert isinstance(made, Program)
        self._program = made

    def _put_in(self, graph: Graph, place: Place, watch: _Watch) -> None:
        if watch.value.home is graph.program.main:
            self._outside.append(watch)
            return
        with place.before():
            host_call([place.operand], register_function(watch))

    def scales(
        self, batches: Iterable[Batch], executor: Executor, scope: Scope
    ) -> list[np.ndarray]:
        """The scale at each place that is no weight, in order.

        Raises ArgumentError without batches, for values that are not finite, and for a branch that
        no batch takes.
        """
        inputs = {v.name for v in self._program.main.inputs}
        shown = [w for w in self._outside if w.value.name in inputs]
        fetched = [w for w in self._outside if w.value.name not in inputs]
        names = [w.value.name for w in fetched]
        # A Program that nothing is fetched from runs for its effects, which are the observers.
        is_empty = True
        for batch in batches:
            is_empty = False
            found = executor.run(self._program, feed=batch, fetch_list=names, scope=scope)
            for watch in shown:
                watch(np.asarray(batch[watch.value.name]))
            for watch, array in zip(fetched, found, strict=True):
                watch(np.asarray(array))
        if is_empty:
            raise ArgumentError("there is no batch to calibrate on", cure="pass some data")
        return [self._scale(place) for place in self._places]

    def _scale(self, place: Place) -> np.ndarray:
        watch = self._watches[place.origin]
        if watch.is_empty:
            raise ArgumentError(
                f"no batch has reached {place.node.type}, which reads %{place.operand.name} in a "
                "branch or a loop",
                cure="add batches that do, or name the value in skip_tensor_list",
            )
        scale: np.ndarray = watch.observer.scales().numpy()
        return scale
