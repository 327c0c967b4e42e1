"""What eager execution remembers for backward: a Node per operator, no more than its rule asks.

A Node refers to the Nodes (or leaf tensors) before it, never to its own results, so a graph without
users is freed at once, and an operand or result that the gradient rule does not name is not kept
alive.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.core.device import Buffer
from twinoar.core.op.definition import Op
from twinoar.core.spec import Spec
from twinoar.eager.tensor import SPECS, HookHandle, Tensor
from twinoar.errors import DTypeError, GradientError, ShapeError, SourceLine, TypeMismatchError

_order = itertools.count()
Edge = Any  # Node | Result | leaf Tensor | None


class Result:
    """One of several results of a Node; a Node with one result stands for that result itself."""

    __slots__ = ("__weakref__", "index", "node")

    def __init__(self, node: Node, index: int):
        self.node, self.index = node, index

    def hooks_of(self, x: Tensor) -> dict[int, Callable]:
        """Hooks on this result."""
        return self.node.hooks_at(self.index)

    def retain(self, x: Tensor) -> None:
        """Keep the gradient of `x`, this result, in `x.grad`."""
        self.node.retain(x, self.index)


def graph_freed(op: Op) -> GradientError:
    """The error for going back once more through a call of `op` after a backward pass freed it."""
    return GradientError(
        f"the graph through {op.name} was already used by a backward pass and freed",
        cure="call backward(retain_graph=True) the first time",
    )


def freed_node(op: Op) -> Node:
    """What stands behind a result of `op` that a backward pass has already gone back from."""
    return Node(op, None, [], None, None, None)


class Packed:
    """What a hook has made of data that backward needs, and the hook that makes it data again."""

    __slots__ = ("holder", "spec", "unpack")

    def __init__(self, holder: Any, spec: Spec, unpack: Callable[[Any], Any]):
        self.holder, self.spec, self.unpack = holder, spec, unpack

    def data(self) -> np.ndarray:
        """The data. Raises TypeMismatchError, ShapeError or DTypeError if it is not what it was."""
        found = self.unpack(self.holder)
        if not isinstance(found, Tensor):
            kind = type(found).__name__
            raise TypeMismatchError(f"unpack_hook must return a Tensor, received {kind}")
        if found.spec != self.spec:
            error = ShapeError if found.spec.shape != self.spec.shape else DTypeError
            raise error(
                f"unpack_hook must return what was packed, {self.spec}, received {found.spec}"
            )
        return found._data


class Node:
    """One recorded call: the operator, where operands came from, what its gradient rule needs.

    arrays: operands' data where the rule asks for it. shapes: (shape, dtype) of operands where it
        asks for specs.
    outs: results' data where it asks for them. out_shapes: of several results, to fill in missing
        gradients.
    """

    __slots__ = ("__dict__", "arrays", "attrs", "edges", "op", "order", "outs", "shapes")

    # What most nodes never have stands in the class: a node is made for every recorded call.
    out_shapes: Any = None
    results: list[weakref.ref] | None = None
    hooks: dict[int, dict[int, Callable]] | None = None
    source: SourceLine | None = None

    def __init__(
        self,
        op: Op,
        attrs: Any,
        edges: list,
        arrays: Any,
        shapes: Any,
        outs: Any,
        out_shapes: Any = None,
    ):
        self.op = op
        self.attrs = attrs
        self.edges = edges
        self.arrays = arrays
        self.shapes = shapes
        self.outs = outs
        self.order = next(_order)
        if out_shapes is not None:
            self.out_shapes = out_shapes

    def name(self) -> str:
        """The name of the operator's gradient."""
        return f"{self.op.name}.grad"

    @property
    def next_functions(self) -> list[Node]:
        """The calls that gradients flow on to."""
        found = (getattr(edge, "node", edge) for edge in self.edges)
        return [node for node in found if isinstance(node, Node)]

    def split(self) -> list[Result]:
        """What stands for each of several results; the Node itself holds them weakly."""
        keys = [Result(self, i) for i in range(len(self.out_shapes))]
        self.results = [weakref.ref(key) for key in keys]
        return keys

    def result_keys(self) -> tuple:
        """What stands for each result in backprop; None for one that nobody holds any more."""
        return (self,) if self.results is None else tuple(found() for found in self.results)

    def _key_at(self, index: int) -> Edge:
        if self.results is None:
            return self
        key = self.results[index]()
        if key is None:
            key = Result(self, index)
            self.results[index] = weakref.ref(key)
        return key

    def operand(self, index: int) -> Any:
        """Operand `index` as a value: a Tensor that gradients reach, a literal, or None."""
        return self._value(self.arrays[index], self.edges[index])

    def result(self, index: int) -> Tensor:
        """Result `index` as a Tensor."""
        return self._value(self.outs[index], self._key_at(index))

    def result_spec(self, index: int) -> Spec:
        """The spec of result `index` of several."""
        return SPECS[self.out_shapes[index]]

    def release(self) -> None:
        """Drop what was kept for backward."""
        self.arrays = self.outs = self.attrs = None

    def freed(self) -> GradientError:
        """The error for walking through this node after `release`."""
        return graph_freed(self.op)

    def hooks_at(self, index: int) -> dict[int, Callable]:
        """The hooks on result `index`."""
        if self.hooks is None:
            self.hooks = {}
        return self.hooks.setdefault(index, {})

    def hooks_of(self, x: Tensor) -> dict[int, Callable]:
        """Hooks on the only result."""
        return self.hooks_at(0)

    def retain(self, x: Tensor, index: int = 0) -> None:
        """Keep the gradient of `x`, this node's result, in `x.grad`."""
        held = weakref.ref(x)  # x holds this node: the other way round would make a cycle

        def keep(g: Tensor) -> None:
            tensor = held()
            if tensor is not None:
                tensor.grad = Tensor(g._data, False)

        HookHandle(self.hooks_at(index), keep)

    @staticmethod
    def _value(data: Any, edge: Edge) -> Any:
        if not isinstance(data, (np.ndarray, Buffer)):
            if data.__class__ is not Packed:
                return data
            data = data.data()
        if isinstance(edge, Tensor) and edge._data is data:
            return edge
        return Tensor(data, edge is None, edge)
