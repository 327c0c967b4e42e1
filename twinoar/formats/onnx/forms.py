"""How operators are spelled in ONNX: a function for each, which writes the nodes of one call.

@form("relu6")
def _(call):
    call.gives("Clip", [call.x[0], call.number(0.0), call.number(6.0)])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from twinoar.core.dtype import float32
from twinoar.core.ir.program import Block, Operator
from twinoar.core.spec import Spec
from twinoar.errors import UnsupportedError
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.graph import GraphWriter
from twinoar.late import dataclass

Form = Callable[["Call"], object]
FORMS: dict[str, Form] = {}  # by the operator's name
VERSIONS: dict[str, range] = {}  # composites that go in by their body in other versions
Suits = Callable[[Sequence[Any], Mapping[str, Any]], bool]
SUITS: dict[str, Suits] = {}  # composites of which some calls go in by their body


def form(
    *names: str, since: int = 0, until: int = 1000, suits: Suits | None = None
) -> Callable[[Form], Form]:
    """Declare the form of operators.

    Composites are taken apart before opset `since`, from `until` on, and where a call, by its
    operands and attributes, does not suit the form.
    """

    def declared(rule: Form) -> Form:
        FORMS.update(dict.fromkeys(names, rule))
        VERSIONS.update(dict.fromkeys(names, range(since, until)))
        SUITS.update(dict.fromkeys(names, suits) if suits is not None else {})
        return rule

    return declared


def is_single(operands: Sequence[Any], attrs: Mapping[str, Any]) -> bool:
    """Whether the first operand is float32, for which every runtime has kernels."""
    return operands[0].spec.dtype is float32


def same(table: dict[str, str]) -> None:
    """Declare operators that are one node each, with the same operands and no attributes."""
    for name, type in table.items():
        FORMS[name] = _node_of(type)


def _node_of(type: str) -> Form:
    return lambda call: call.gives(type, call.x)


class Writer(Protocol):
    """What writes a model, for forms of operators with blocks."""

    graph: GraphWriter

    def inlined(self, block: Block, operands: Sequence[str]) -> list[str]: ...

    def nested(self, name: str) -> AbstractContextManager[GraphWriter]: ...

    def argument(self, name: str, spec: Spec) -> str: ...

    def result(self, name: str, spec: Spec) -> None: ...


@dataclass
class Call:
    """One call of an operator on its way into a graph.

    x: the names of its operands, empty where there is none. results: those of its results.
    """

    writer: Writer
    operator: Operator
    x: list[str]
    results: list[str]

    def __getattr__(self, name: str) -> Any:
        """An attribute of the operator, by its name."""
        try:
            return self.__dict__["operator"].attrs[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def graph(self) -> GraphWriter:
        """The graph that is written into."""
        return self.writer.graph

    @property
    def opset(self) -> int:
        """The version of the operators to write."""
        return self.graph.opset

    @property
    def specs(self) -> list[Spec]:
        """The shapes and dtypes of the operands."""
        return [getattr(x, "spec", None) for x in self.operator.operands]  # type: ignore[misc]

    @property
    def out(self) -> Spec:
        """The shape and dtype of the first result."""
        return next(v.spec for v in self.operator.results if v is not None)

    @property
    def rank(self) -> int:
        """The dimensions of the first operand."""
        return len(self.specs[0].shape)

    def node(self, type: str, operands: Sequence[str], **attributes: Any) -> str:
        """A node in between."""
        return self.graph.node(type, operands, **attributes)

    def gives(self, type: str, operands: Sequence[str], **attributes: Any) -> None:
        """The node that makes the results."""
        self.graph.node(type, operands, self.results, **attributes)

    def gives_each(self, found: Sequence[str]) -> None:
        """Make values the results, in their dtypes."""
        for name, value, v in zip(self.results, found, self.operator.results, strict=True):
            if name:
                code = schema.CODE_OF_DTYPE[v.spec.dtype.name]
                self.graph.node("Cast", [value], [name], to=code)

    def number(self, value: float) -> str:
        """A number of the dtype of the first operand that is a tensor."""
        first = next(spec for spec in self.specs if spec is not None)
        return self.graph.constant(value, first.dtype)

    def ints(self, values: Sequence[int]) -> str:
        """Numbers, in one dimension."""
        return self.graph.constant(list(values))

    def since(self, opset: int, type: str) -> None:
        """Raise UnsupportedError if the node is newer than what is written."""
        if self.opset < opset:
            raise UnsupportedError(
                f"{type} is in ONNX since opset {opset}, {self.opset} is written",
                cure=f"opset_version={opset}",
            )


class Turned(Call):
    """A call whose first operand and result have channels last, on the way to where they are first.

    The first operand is turned, and what the form gives is turned back.
    """

    data_format = "NCHW"

    @property
    def specs(self) -> list[Spec]:
        first, *rest = super().specs
        sizes = first.shape
        return [Spec((sizes[0], sizes[-1], *sizes[1:-1]), first.dtype), *rest]


def channels_first(rule: Form) -> Form:
    """A form of operators with channels first that serves those with channels last as well."""

    def turned(call: Call) -> None:
        layout = call.data_format
        if not layout or layout[1] == "C":
            rule(call)
            return
        rank = call.rank
        x = call.node("Transpose", call.x[:1], perm=[0, rank - 1, *range(1, rank - 1)])
        result = call.graph.name("turned")
        inner = Turned(call.writer, call.operator, [x, *call.x[1:]], [result, *call.results[1:]])
        rule(inner)
        back = [0, *range(2, rank), 1]
        call.graph.node("Transpose", [result], call.results[:1], perm=back)

    return turned
