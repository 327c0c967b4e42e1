"""Running the nodes of a graph, eagerly or while a Program is recorded."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

import numpy as np

import twinoar.onnx.nodes  # noqa: F401  # for what they declare
from twinoar.core.interpreter import eager, using
from twinoar.eager.tensor import Tensor
from twinoar.errors import FileError, TwinoarError, UnsupportedError
from twinoar.formats.onnx.tensors import dtype_of
from twinoar.onnx import values
from twinoar.onnx.model import Function, Graph, Model, Node, resolved
from twinoar.onnx.table import Rule, rule_of

Values = MutableMapping[str, Any]
# Nodes whose first result has elements other than those of the operands.
OF_OTHER_ELEMENTS = {
    "ArgMax", "ArgMin", "DequantizeLinear", "Equal", "Greater", "GreaterOrEqual", "IsInf", "IsNaN",
    "Less", "LessOrEqual", "NonZero", "Not", "Shape", "Size",
}  # fmt: skip
# Nodes whose whole numbers may need more bits than their operands have.
CARRYING = {
    "Add", "BitCast", "BitShift", "BitwiseNot", "Cast", "CastLike", "CumProd", "CumSum", "MatMul",
    "Mul", "Neg", "Pow", "ReduceProd", "ReduceSum", "Sub", "Sum",
}  # fmt: skip
# What comes of nodes with other operands and attributes than their type has.
MALFORMED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
NEWEST = 28  # the version of the operators that the rules were written by


class Run:
    """The nodes of a model at work. is_training: whether dropout drops."""

    def __init__(self, model: Model, is_training: bool = False):
        self.model, self.is_training = model, is_training
        graphs = (model.graph, *model.graph.bodies())
        arrays = {name: a.dtype.name for graph in graphs for name, a in graph.arrays.items()}
        given = {v.name: v.dtype.name for graph in graphs for v in graph.inputs if v.dtype}
        # The elements of values that tensors do not have.
        self.unsigned = {n: d for n, d in (given | arrays).items() if d in values.HELD}

    def graph(self, graph: Graph, given: Values, arrays: Mapping[str, Any] | None = None) -> list:
        """The outputs of a graph. given: values by name; they hold all others afterwards."""
        for name, array in (graph.arrays if arrays is None else arrays).items():
            given.setdefault(name, array)
        for node in graph.nodes:
            self.node(node, given, self.model.opsets)
        missing = [v.name for v in graph.outputs if v.name not in given]
        if missing:
            raise FileError(f"no node of the ONNX graph {graph.name!r} makes its outputs {missing}")
        return [given[v.name] for v in graph.outputs]

    def node(self, node: Node, given: Values, opsets: Mapping[str, int]) -> None:
        """Run one node, which puts its results into `given`."""
        try:
            results = self._results(node, given, opsets)
        except TwinoarError as error:
            if not getattr(error, "__notes__", None):
                error.add_note(f"  in the ONNX node {node.told}")
            raise
        except MALFORMED as error:
            raise FileError(
                f"the ONNX node {node.told} is not well formed: {type(error).__name__}: {error}",
                cure="check the model with onnx.checker",
            ) from error
        for name, value in zip(node.outputs, self._cut(node, results), strict=False):
            if name:
                given[name] = value

    def _cut(self, node: Node, results: Sequence[Any]) -> Sequence[Any]:
        """Results of unsigned elements, without what their bits do not hold."""
        named = [self.unsigned[name] for name in node.inputs if name in self.unsigned]
        code = node.attributes.get("to", node.attributes.get("dtype"))
        if isinstance(code, int):
            named = [n for n in (dtype_of(code).name,) if n in values.HELD]
        if not named or node.type in OF_OTHER_ELEMENTS or not results:
            return results
        held = str(getattr(results[0], "dtype", "")).removeprefix("paddle.")
        if held not in (named[0], values.HELD[named[0]]):
            return results
        self.unsigned[node.outputs[0]] = named[0]
        if node.type in CARRYING and named[0] in values.MASKS:
            return [values.tensor(results[0]) & values.MASKS[named[0]], *results[1:]]
        return results

    def _results(self, node: Node, given: Values, opsets: Mapping[str, int]) -> Sequence[Any]:
        function = self.model.functions.get((node.domain, node.type))
        operands = [given[name] if name else None for name in node.inputs]
        if function is not None:
            return self._function(function, node, operands)
        opset = opsets.get(node.domain, NEWEST)
        rule = rule_of(node.domain, node.type, opset)
        if rule is None:
            raise UnsupportedError(
                f"the ONNX operator {node.told} of opset {opset} is not known",
                cure="export the model with other operators, or another opset",
            )
        return self._by_rule(rule, node, operands, given, opset)

    def _function(self, function: Function, node: Node, operands: list) -> list:
        attributes = function.defaults | node.attributes
        inner = dict(zip((v.name for v in function.graph.inputs), operands, strict=False))
        for v in function.graph.inputs:
            inner.setdefault(v.name, None)
        for n in function.graph.nodes:
            told = Node(
                n.type, n.domain, n.name, n.inputs, n.outputs, resolved(n.attributes, attributes)
            )
            self.node(told, inner, function.opsets)
        return [inner[v.name] for v in function.graph.outputs]

    def _by_rule(
        self, rule: Rule, node: Node, operands: list, given: Values, opset: int
    ) -> Sequence[Any]:
        if any(isinstance(x, np.ndarray) and x.dtype == object for x in operands):
            found = self._of_sizes(node, operands)
            if found is not None:
                return [values.whole(found)]
        attributes = self._attributes(rule, node, given, opset)
        are_arrays = all(x is None or isinstance(x, np.ndarray) for x in operands)
        is_known = are_arrays and all(x is None or x.dtype != object for x in operands)
        if is_known and not (rule.has_body or rule.is_random):
            with using(eager()):
                found = self._called(rule, operands, attributes)
                return [x.numpy() if isinstance(x, Tensor) else x for x in found]
        return self._called(rule, operands, attributes)

    def _of_sizes(self, node: Node, operands: list) -> Any:
        rule = values.OF_SIZES.get(node.type)
        are_arrays = all(x is None or isinstance(x, np.ndarray) for x in operands)
        if rule is None or not are_arrays or any(x is not None and x.ndim > 1 for x in operands):
            return None
        return rule(*operands, **node.attributes)

    def _attributes(self, rule: Rule, node: Node, given: Values, opset: int) -> dict[str, Any]:
        unknown = sorted(set(node.attributes) - set(rule.attributes))
        if unknown:
            raise UnsupportedError(
                f"the attributes {unknown} of {node.type} in opset {opset} are not known"
            )
        attributes = {
            name: self._body(value, given) if isinstance(value, Graph) else value
            for name, value in node.attributes.items()
        }
        of_run = {
            "opset": opset,
            "training": self.is_training,
            "results": [bool(name) for name in node.outputs],
            "dtypes": [self.unsigned.get(name, "") for name in node.inputs],
        }
        return attributes | {name: of_run[name] for name in rule.told}

    def _body(self, graph: Graph, given: Values) -> Any:
        def body(*operands: Any) -> list:
            names = [v.name for v in graph.inputs]
            inner = dict(zip(names, operands, strict=True))
            return self.graph(graph, ChainMap(inner, given))

        body.inputs, body.outputs = graph.inputs, graph.outputs  # type: ignore[attr-defined]
        return body

    def _called(self, rule: Rule, operands: list, attributes: dict[str, Any]) -> Sequence[Any]:
        taken = [_taken(rule.operand(n), x) for n, x in enumerate(operands)]
        found = rule.function(*taken, **attributes)
        return found if isinstance(found, tuple) else (found,)


def _taken(said: str, x: Any) -> Any:
    """An operand as its declaration says."""
    if said == "Known":
        return values.known(x)
    if said == "Sizes":
        return values.sizes(x)
    return x if said == "Told" else values.tensor(x)
