"""Writing a Program as an ONNX model.

Each operator goes in by its form (`forms`), a composite without one by its body. Dimensions that a
run decides keep their names. Equal Programs give equal bytes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

import twinoar.formats.onnx.forms_of_classes
import twinoar.formats.onnx.forms_of_control
import twinoar.formats.onnx.forms_of_counts
import twinoar.formats.onnx.forms_of_draws
import twinoar.formats.onnx.forms_of_elements
import twinoar.formats.onnx.forms_of_functions
import twinoar.formats.onnx.forms_of_index
import twinoar.formats.onnx.forms_of_layers
import twinoar.formats.onnx.forms_of_math
import twinoar.formats.onnx.forms_of_patches
import twinoar.formats.onnx.forms_of_places
import twinoar.formats.onnx.forms_of_quant
import twinoar.formats.onnx.forms_of_regions
import twinoar.formats.onnx.forms_of_rows
import twinoar.formats.onnx.forms_of_scans
import twinoar.formats.onnx.forms_of_shapes
import twinoar.formats.onnx.forms_of_whole_layers
import twinoar.formats.onnx.forms_of_windows  # noqa: F401  # for what they declare
from twinoar.core.dim import SymbolicDim
from twinoar.core.dtype import DType
from twinoar.core.ir.builder import describe
from twinoar.core.ir.program import Block, Operator, Program, State, Variable, copy_program
from twinoar.core.op.definition import Op
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.beside import Beside
from twinoar.formats.onnx.forms import FORMS, SUITS, VERSIONS, Call
from twinoar.formats.onnx.forms_of_complex import Parts, is_complex, real_spec, write_pair
from twinoar.formats.onnx.graph import LARGEST, GraphWriter
from twinoar.formats.protobuf import serialize
from twinoar.passes.dead import eliminate_dead
from twinoar.passes.decompose import decompose
from twinoar.version import full_version

OLDEST, NEWEST = min(schema.LAYOUT_OF_OPSET), max(schema.LAYOUT_OF_OPSET)
EVERY = range(OLDEST, NEWEST + 1)


def write_model(
    program: Program,
    opset: int,
    value: Callable[[State], np.ndarray],
    beside: Beside | None = None,
    largest: int = LARGEST,
) -> bytes:
    """The bytes of an ONNX model that computes the outputs of `program` from its inputs.

    opset: the version of the operators, 11 to 28. value: what a state holds. beside: takes the
    elements of arrays that are not small. largest: how many bytes of arrays one file holds. Updates
    of states are left out: inference changes nothing. Raises UnsupportedError, with the user's
    line, for an operator without a form there, and for a model that is too large for one file where
    there is none beside it.
    """
    if opset not in schema.LAYOUT_OF_OPSET:
        raise ArgumentError(
            f"expected an opset from {OLDEST} to {NEWEST}, received {opset}",
            cure=f"opset_version={max(OLDEST, min(NEWEST, opset))}",
        )
    lowered, mapping = copy_program(program)
    for v in mapping.values():
        if isinstance(v, Variable):
            v.rebound = None
    lowered.updates = {}
    eliminate_dead(lowered)
    decompose(lowered, lambda op: _is_written(op, opset), _suits)
    eliminate_dead(lowered)
    # What the bodies of composites bring along is no state of the Program that was given.
    writer = ModelWriter(lowered, opset, beside, largest)
    return writer.write(lambda s: value(program.states.get(s.name, s)))


def _is_written(op: Op, opset: int) -> bool:
    return op.body is None or (op.name in FORMS and opset in VERSIONS.get(op.name, EVERY))


def _suits(op: Op, operands: Sequence[Any], attrs: Mapping[str, Any]) -> bool:
    return op.name not in SUITS or SUITS[op.name](operands, attrs)


class ModelWriter:
    """Fills a Model message."""

    def __init__(
        self,
        program: Program,
        opset: int,
        beside: Beside | None = None,
        largest: int = LARGEST,
    ):
        self.program = program
        self.model = schema.Model(ir_version=schema.LAYOUT_OF_OPSET[opset])
        self.model.producer_name, self.model.producer_version = "twinoar", full_version
        self.model.opset_import.add(domain="", version=opset)
        self.model.graph.name = program.name or "main"
        self.graph = GraphWriter(self.model.graph, opset, beside, largest)
        self.names: dict[Variable, str] = {}
        self.imaginary: dict[Variable, str] = {}  # of complex values
        blocks = [program.main, *(b for o in program.main.walk() for b in o.blocks.values())]
        self.read = {x for o in program.main.walk() for x in o.operands if isinstance(x, Variable)}
        self.read |= {v for b in blocks for v in b.outputs if isinstance(v, Variable)}

    def write(self, value: Callable[[State], np.ndarray]) -> bytes:
        """The bytes. value: what a state holds."""
        main = self.program.main
        for v in main.inputs:
            _require_real(v)
            self.define(v)
            _declare(self.model.graph.input.add(), self.names[v], v.spec)
        self._states(value)
        for o in main.ops:
            self._operator(o)
        for n, v in enumerate(main.outputs):
            self._result(self.model.graph, n, v)
        _drop_unread(self.model.graph)
        return serialize(self.model)

    def define(self, v: Variable) -> str:
        """Name a value that is there, from which sizes may be read off."""
        name = self.named(v)
        self.graph.define(name, v.spec)
        return name

    def named(self, v: Variable) -> str:
        """Name a value; a complex one has two names."""
        name = self.names[v] = self.graph.name(v.name)
        if v.spec.dtype.is_complex:
            self.imaginary[v] = self.graph.name(f"{v.name}.imaginary")
        return name

    def _states(self, value: Callable[[State], np.ndarray]) -> None:
        for state in self.program.states.values():
            if state not in self.read:
                continue
            name, array = self.define(state), np.asarray(value(state))
            if state in self.imaginary:
                self.graph.initializer(self.imaginary[state], array.imag)
                array = array.real
            self.graph.initializer(name, array)

    def _operator(self, o: Operator) -> None:
        form = FORMS.get(o.op.name)
        try:
            if any(is_complex(x) for x in (*o.operands, *o.results)):
                self._complex(o)
                return
            if form is None:
                raise UnsupportedError(
                    f"{o.op.name} has no form in ONNX", cure="leave it out, or use jit.save"
                )
            operands = self._operands(o)
            results = [self.named(v) if v in self.read else "" for v in o.results]
            form(Call(self, o, operands, results))
            # Not before: what makes a result cannot read a size off it.
            for v, name in zip(o.results, results, strict=True):
                if name:
                    self.graph.define(name, v.spec)
        except UnsupportedError as error:
            raise error.attach(o.op.name, describe(o.op, o.operands), o.source) from None

    def _complex(self, o: Operator) -> None:
        """An operator with complex numbers, in two parts each."""
        dtypes = [real_spec(x.spec).dtype for x in (*o.operands, *o.results) if _is_value(x)]
        operands = [None if x is None else self._parts(x, dtypes[0]) for x in o.operands]
        results = [
            (self.named(v), self.imaginary.get(v, "")) if v in self.read else ("", "")
            for v in o.results
        ]
        write_pair(self, o, operands, results)
        for v in o.results:
            if v in self.read:
                self.graph.define(self.names[v], v.spec)

    def _parts(self, x: Any, dtype: DType) -> Parts:
        if isinstance(x, Variable):
            return Parts(self.names[x], self.imaginary.get(x, ""), real_spec(x.spec))
        real, imag = (self.graph.constant(part, dtype) for part in (x.real, x.imag))
        return Parts(real, imag if isinstance(x, complex) else "", Spec((), dtype))

    def _operands(self, o: Operator) -> list[str]:
        """The names of the operands; numbers have the dtype of the tensors beside them."""
        dtypes = [x.spec.dtype for x in o.operands if isinstance(x, Variable)]
        found = []
        for x in o.operands:
            if x is None:
                found.append("")
            elif isinstance(x, Variable):
                found.append(self.names[x])
            else:
                found.append(
                    self.graph.constant(x, dtypes[0] if dtypes else o.results[0].spec.dtype)
                )
        return found

    def inlined(self, block: Block, operands: Sequence[str]) -> list[str]:
        """The names of what a block gives, whose operators are written where we are."""
        self.names.update(zip(block.inputs, operands, strict=True))
        for o in block.ops:
            self._operator(o)
        return [self._name_of(v) for v in block.outputs]

    @contextmanager
    def nested(self, name: str) -> Iterator[GraphWriter]:
        """Write into another graph, from which the names of this one can be seen."""
        outer = self.graph
        self.graph = inner = outer.inner(name)
        try:
            yield inner
        finally:
            self.graph = outer

    def result(self, name: str, spec: Spec) -> None:
        """Make a value a result of the graph that is written into."""
        graph = self.graph
        _declare(graph.graph.output.add(), graph.node("Identity", [name]), spec)

    def argument(self, name: str, spec: Spec) -> str:
        """A new input of the graph that is written into."""
        taken = self.graph.name(name)
        _declare(self.graph.graph.input.add(), taken, spec)
        self.graph.define(taken, spec)
        return taken

    def _name_of(self, v: Any) -> str:
        if isinstance(v, Variable):
            return self.names[v]
        array = np.asarray(v)
        return self.graph.constant(array, array.dtype.name)

    def _result(self, message: Any, n: int, v: Any) -> None:
        graph = self.graph
        if not isinstance(v, Variable):
            array = np.asarray(v)
            name = graph.node("Identity", [graph.constant(array, array.dtype.name)])
            _declare(message.output.add(), name, None, array)
            return
        _require_real(v)
        name = self.names[v]
        known = {told.name for told in (*message.input, *message.output)}
        if name in known or isinstance(v, State):  # a result has a name of its own
            name = graph.node("Identity", [name], [graph.name(f"output_{n}")])
        _declare(message.output.add(), name, v.spec)


def _is_value(x: Any) -> bool:
    return isinstance(x, Variable)


def _require_real(v: Variable) -> None:
    """Raise UnsupportedError for an input or output that is complex."""
    if v.spec.dtype.is_complex:
        raise UnsupportedError(
            f"a model of ONNX takes and gives no numbers of {v.spec.dtype.name}: {v.name}",
            cure="take and give real and imaginary parts: as_complex and as_real",
        )


def _drop_unread(graph: Any) -> None:
    """Leave out nodes and arrays that no result needs: forms may make more than is read."""
    needed = {told.name for told in graph.output}
    for n in reversed(range(len(graph.node))):
        if needed.intersection(graph.node[n].output):
            needed |= _read_by(graph.node[n])
        else:
            del graph.node[n]
    for n in reversed(range(len(graph.initializer))):
        if graph.initializer[n].name not in needed:
            del graph.initializer[n]


def _read_by(node: Any) -> set[str]:
    """The names that a node reads, and those that the graphs in it do."""
    graphs = [a.g for a in node.attribute if a.HasField("g")]
    inner = [_read_by(n) for g in graphs for n in g.node]
    outputs = {told.name for g in graphs for told in g.output}
    return set(node.input).union(outputs, *inner)


def bytes_of(state: State) -> int:
    """How many bytes the elements of a state have."""
    return math.prod(int(d) for d in state.spec.shape) * state.spec.dtype.numpy.itemsize


def _declare(value: Any, name: str, spec: Spec | None, array: np.ndarray | None = None) -> None:
    """The name, dtype and sizes of an input or result."""
    value.name = name
    dtype = spec.dtype.name if spec is not None else array.dtype.name  # type: ignore[union-attr]
    sizes: Sequence[Any] = spec.shape if spec is not None else array.shape  # type: ignore[union-attr]
    value.type.tensor_type.elem_type = schema.CODE_OF_DTYPE[dtype]
    value.type.tensor_type.shape.SetInParent()
    for d in sizes:
        told = value.type.tensor_type.shape.dim.add()
        if isinstance(d, SymbolicDim):
            told.dim_param = str(d)
        else:
            told.dim_value = int(d)
