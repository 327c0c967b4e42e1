"""The graph of an ONNX model while it is written: nodes, constants, sizes that only a run knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.dim import Dim, SymbolicDim
from twinoar.core.dtype import DType
from twinoar.core.spec import Spec
from twinoar.errors import UnsupportedError
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.beside import SMALL, Beside
from twinoar.formats.onnx.tensors import fill_tensor

LARGEST = 2**31 - 2**25  # bytes of arrays: a message has 2**31 - 1, with nodes and names
NODE_OF = {"floordiv": "Div", "mod": "Mod", "max": "Max"}  # sizes are not negative


class GraphWriter:
    """Fills a Graph message. Values are known by their names; an empty name is a missing operand.

    opset: the version of the operators to write. beside: takes the elements of arrays that are not
    small. largest: how many bytes of arrays the graph and those within it may hold themselves.
    """

    def __init__(
        self, graph: Any, opset: int, beside: Beside | None = None, largest: int = LARGEST
    ):
        self.graph, self.opset = graph, opset
        self.beside, self.largest = beside, largest
        self.held = [0]  # bytes of arrays in the message, of all graphs that are within each other
        self.taken: set[str] = {""}
        self.constants: dict[tuple[str, tuple[int, ...], bytes], str] = {}
        self.places: dict[str, tuple[str, int]] = {}  # a size -> a value and its dimension
        self.sizes: dict[str, str] = {}
        self.integers: dict[str, str] = {}  # floats that are whole -> the same as integers

    # Names.

    def name(self, hint: str) -> str:
        """A name that nothing else has."""
        found, number = hint, 0
        while found in self.taken:
            number += 1
            found = f"{hint}_{number}"
        self.taken.add(found)
        return found

    def define(self, name: str, spec: Spec) -> None:
        """Remember which sizes a value has."""
        for axis, d in enumerate(spec.shape):
            if isinstance(d, SymbolicDim):
                self.places.setdefault(str(d), (name, axis))

    # Nodes.

    def node(
        self,
        type: str,
        operands: Sequence[str],
        results: Sequence[str] | None = None,
        **attributes: Any,
    ) -> str:
        """Append a node; the name of its first result. Attributes that are None are left out."""
        node = self.graph.node.add()
        node.op_type = type
        operands = list(operands)
        while operands and not operands[-1]:
            operands.pop()
        node.input.extend(operands)
        results = [self.name(type.lower())] if results is None else results
        node.output.extend(results)
        for name, value in attributes.items():
            if value is not None:
                _fill_attribute(node.attribute.add(), name, value)
        return results[0]

    def constant(self, value: Any, dtype: str | DType = "int64") -> str:
        """The name of an initializer; equal ones are one."""
        array = np.asarray(value, dtype.numpy if isinstance(dtype, DType) else dtype)
        key = array.dtype.name, array.shape, array.tobytes()
        if key not in self.constants:
            self.constants[key] = self.initializer(self.name("constant"), array)
        return self.constants[key]

    def initializer(self, name: str, array: np.ndarray) -> str:
        """An array beside the nodes, by a name that is free; the name.

        Raises UnsupportedError where there are more bytes than one message holds.
        """
        if self.beside is not None and array.nbytes >= SMALL:
            self.beside.add(self.graph.initializer.add(), name, array)
            return name
        self.held[0] += array.nbytes
        if self.held[0] > self.largest:
            raise UnsupportedError(
                f"the model has {self.held[0]} bytes and more, and one ONNX file holds "
                f"{self.largest}",
                cure="onnx.export(..., external_data=True) writes them beside it",
            )
        fill_tensor(self.graph.initializer.add(), name, array)
        return name

    def inner(self, name: str) -> GraphWriter:
        """A writer of a graph within this one, from which the names of this one can be seen."""
        found = GraphWriter(schema.Graph(name=name), self.opset, self.beside, self.largest)
        found.taken, found.held = self.taken, self.held
        found.places, found.sizes = dict(self.places), dict(self.sizes)
        found.constants = dict(self.constants)
        return found

    def with_axes(self, type: str, x: str, axes: Sequence[int], since: int, **attrs: Any) -> str:
        """A node whose axes are an operand since a version, and were an attribute before."""
        if self.opset < since:
            return self.node(type, [x], axes=list(axes), **attrs)
        return self.node(type, [x, self.constant(list(axes))], **attrs)

    # Sizes.

    def shape(self, sizes: Sequence[Dim]) -> str:
        """A value that holds these sizes."""
        if not any(isinstance(d, SymbolicDim) for d in sizes):
            return self.constant(list(sizes))
        parts = [self.size(d) for d in sizes]
        return self.node("Concat", parts, axis=0)

    def size(self, d: Dim) -> str:
        """A value of shape [1] that holds a size. Raises UnsupportedError if no value tells it."""
        if not isinstance(d, SymbolicDim):
            return self.constant([d])
        key = str(d)
        if key not in self.sizes:
            self.sizes[key] = self._computed(d)
        return self.sizes[key]

    def _computed(self, d: SymbolicDim) -> str:
        if str(d) in self.places:
            return self._read_off(*self.places[str(d)])
        total = ""
        for monomial, coefficient in d.terms:
            product = "" if coefficient == 1 and monomial else self.constant([coefficient])
            for atom in monomial:
                factor = self._atom(atom)
                product = self.node("Mul", [product, factor]) if product else factor
            total = self.node("Add", [total, product]) if total else product
        return total

    def _atom(self, atom: Any) -> str:
        if not isinstance(atom, str):
            function, a, b = atom
            return self.node(NODE_OF[function], [self.size(a), self.size(b)])
        if atom not in self.places:
            raise UnsupportedError(
                f"the size {atom} is needed, which no tensor has",
                cure="give the size as a number, or take it from the shape of an input",
            )
        return self._read_off(*self.places[atom])

    def _read_off(self, name: str, axis: int) -> str:
        shape = self.node("Shape", [name])
        return self.node("Gather", [shape, self.constant([axis])], axis=0)


def _fill_attribute(told: Any, name: str, value: Any) -> None:
    told.name = name
    kind = _kind(value)
    told.type = schema.CODE_OF_ATTRIBUTE[kind]
    if kind == "TENSOR":
        fill_tensor(told.t, "", value)
    elif kind == "GRAPH":
        told.g.CopyFrom(value)
    elif kind == "STRINGS":
        told.strings.extend(text.encode() for text in value)
    elif kind == "STRING":
        told.s = value.encode()
    elif kind.endswith("S"):
        getattr(told, kind.lower()).extend(value)
    else:
        setattr(told, kind[0].lower(), value)


def _kind(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return "TENSOR"
    if isinstance(value, str):
        return "STRING"
    if isinstance(value, schema.Graph):
        return "GRAPH"
    if isinstance(value, (list, tuple)) and any(isinstance(x, str) for x in value):
        return "STRINGS"
    if isinstance(value, (list, tuple)):
        return "FLOATS" if any(isinstance(x, float) for x in value) else "INTS"
    return "FLOAT" if isinstance(value, float) else "INT"
