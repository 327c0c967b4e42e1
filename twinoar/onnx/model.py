"""An ONNX model as objects: graphs of nodes, with attributes that are Python values."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.errors import FileError
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.tensors import array_of, dtype_of
from twinoar.formats.protobuf import parse

STANDARD = ("", "ai.onnx")  # two spellings of the domain of ONNX's own operators


@dataclass
class Reference:
    """An attribute of a node in a function: that of the call, of this name."""

    name: str


@dataclass
class Node:
    """One call of an operator."""

    type: str
    domain: str
    name: str
    inputs: list[str]
    outputs: list[str]
    attributes: dict[str, Any]

    @property
    def told(self) -> str:
        """How errors name it."""
        kind = f"{self.domain}.{self.type}" if self.domain else self.type
        return f"{kind} {self.name!r}" if self.name else f"{kind} that makes {self.outputs}"


@dataclass
class Given:
    """An input or output of a graph. dtype: None where it is no tensor; shape: None if unknown."""

    name: str
    dtype: np.dtype | None
    shape: list[int | str | None] | None


@dataclass
class Graph:
    """Nodes in their order, with the arrays they know."""

    name: str
    inputs: list[Given]
    outputs: list[Given]
    nodes: list[Node]
    arrays: dict[str, np.ndarray]

    def bodies(self) -> Iterator[Graph]:
        """The graphs in attributes of its nodes, and those within."""
        for node in self.nodes:
            for value in node.attributes.values():
                if isinstance(value, Graph):
                    yield value
                    yield from value.bodies()


@dataclass
class Function:
    """An operator that a model defines itself, by a graph."""

    graph: Graph
    opsets: dict[str, int]
    defaults: dict[str, Any]


@dataclass
class Model:
    """A graph, and what its operators mean. opsets: the version of each domain's operators."""

    graph: Graph
    opsets: dict[str, int]
    functions: dict[tuple[str, str], Function] = field(default_factory=dict)


def read_model(source: str | os.PathLike | bytes) -> Model:
    """The model in a file, or in the bytes of one.

    Raises FileError where that is none, UnsupportedError for elements that cannot be held.
    """
    if isinstance(source, bytes):
        folder, what, data = None, "the ONNX model", source
    else:
        path = Path(source)
        folder, what = str(path.resolve().parent), repr(str(path))
        try:
            data = path.read_bytes()
        except OSError as error:
            raise FileError(
                f"cannot read {what}: {error.strerror}", cure="check the path"
            ) from None
    message = parse(schema.Model, data, what)
    if not message.HasField("graph"):
        raise FileError(f"{what}: expected an ONNX model, which has a graph")
    return of_message(message, folder)


def of_message(message: Any, folder: str | None = None) -> Model:
    """The model that a Model message describes."""
    reader = _Reader(folder)
    functions = {
        (_domain(f.domain), f.name): Function(
            Graph(
                f.name,
                [Given(n, None, None) for n in f.input],
                [Given(n, None, None) for n in f.output],
                [reader.node(n) for n in f.node],
                {},
            ),
            _opsets(f.opset_import),
            {a.name: reader.attribute(a) for a in f.attribute_proto},
        )
        for f in message.functions
    }
    return Model(reader.graph(message.graph), _opsets(message.opset_import), functions)


def _domain(name: str) -> str:
    return "" if name in STANDARD else name


def _opsets(told: Any) -> dict[str, int]:
    return {_domain(o.domain): o.version for o in told} or {"": 1}


class _Reader:
    """Messages as objects. folder: where elements outside the file lie."""

    def __init__(self, folder: str | None):
        self.folder = folder

    def graph(self, message: Any) -> Graph:
        return Graph(
            message.name,
            [self.given(v) for v in message.input],
            [self.given(v) for v in message.output],
            [self.node(n) for n in message.node],
            {t.name: array_of(t, self.folder) for t in message.initializer},
        )

    def given(self, message: Any) -> Given:
        if not message.type.HasField("tensor_type"):
            return Given(message.name, None, None)
        told = message.type.tensor_type
        dtype = schema.DTYPE_OF_CODE.get(told.elem_type)
        shape: list[int | str | None] | None = None
        if told.HasField("shape"):
            shape = [
                d.dim_value if d.HasField("dim_value") else d.dim_param or None
                for d in told.shape.dim
            ]
        return Given(message.name, dtype_of(told.elem_type) if dtype else None, shape)

    def node(self, message: Any) -> Node:
        return Node(
            message.op_type,
            _domain(message.domain),
            message.name,
            list(message.input),
            list(message.output),
            {a.name: self.attribute(a) for a in message.attribute},
        )

    def attribute(self, message: Any) -> Any:
        if message.ref_attr_name:
            return Reference(message.ref_attr_name)
        kind = schema.ATTRIBUTE_OF_CODE.get(message.type) or _kind(message)
        if kind is None:
            raise FileError(f"the attribute {message.name!r} is of the unknown type {message.type}")
        value = getattr(message, schema.FIELD_OF_ATTRIBUTE[kind])
        if kind == "GRAPH":
            return self.graph(value)
        if kind == "TENSOR":
            return array_of(value, self.folder)
        if kind == "TENSORS":
            return [array_of(t, self.folder) for t in value]
        if kind == "STRING":
            return _text(value)
        if kind == "STRINGS":
            return [_text(s) for s in value]
        return list(value) if kind in ("FLOATS", "INTS") else value


def _kind(message: Any) -> str | None:
    """The type of an attribute that does not tell it, as the first files of ONNX."""
    fields = {told.name for told, _ in message.ListFields()}
    found = [kind for kind, name in schema.FIELD_OF_ATTRIBUTE.items() if name in fields]
    return found[0] if found else None


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def resolved(attributes: Mapping[str, Any], call: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes of a node in a function, with those that refer to the call's replaced."""
    found = {}
    for name, value in attributes.items():
        if isinstance(value, Reference):
            if value.name not in call:
                continue
            value = call[value.name]
        found[name] = value
    return found
