"""The graph of a model, as VisualDL and TensorBoard take it: operators within layers, and values.

Operators stand in the scope of the layer that called them: `/Sequential[model]/Linear[0]/`.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from twinoar.core.interpreter import current, under
from twinoar.core.ir.program import Block, Operator, Program, Variable
from twinoar.core.spec import Spec
from twinoar.errors import TypeMismatchError
from twinoar.jit.to_static import to_static

MODEL = "model"  # how the outermost layer is called
INPUT, OUTPUT, PARAMETER = "feed", "fetch", "parameter"


@dataclass(frozen=True)
class Node:
    """An operator, input, parameter or output. path: scopes and its own name, `/A[b]/linear_0`.

    reads, makes: names of values. attrs: plain Python.
    """

    path: str
    kind: str
    reads: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()
    attrs: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Graph:
    """Nodes in the order in which they run, and the values between them; kept: parameters."""

    nodes: tuple[Node, ...]
    values: dict[str, Spec]
    kept: frozenset[str]


def graph_of(model: Any, input_spec: Sequence[Any]) -> Graph:
    """The graph of a Layer called on inputs as `input_spec` says, in the mode that it is in.

    input_spec: an InputSpec or a Tensor for each argument. Raises TypeMismatchError for what is no
    Layer, and what `to_static` does.
    """
    if not hasattr(model, "named_children"):
        raise TypeMismatchError(
            f"expected a Layer, received {type(model).__name__}", cure="give the network itself"
        )
    forward = getattr(model.forward, "dygraph_function", model.forward)

    entered: list[ExitStack] = []

    def call(*inputs: Any) -> Any:
        with _scoped(model, entered):
            return forward(*inputs)

    specs = list(input_spec) if isinstance(input_spec, (list, tuple)) else [input_spec]
    with _scopes_of(model, entered):
        program = to_static(call).get_concrete_program(*specs)[0].program
    return _graph(program)


def told_of(graph: Graph) -> str:
    """How many operators and layers there are, and of which kinds."""
    operators = [n for n in graph.nodes if n.kind not in (INPUT, OUTPUT, PARAMETER)]
    layers = {
        "/".join(parts[:k])
        for n in operators
        for parts in [n.path.split("/")[1:-1]]
        for k in range(1, len(parts) + 1)
    }
    kinds = ", ".join(
        f"{count} {kind}" for kind, count in Counter(n.kind for n in operators).items()
    )
    return f"{len(operators)} operators in {len(layers)} layers: {kinds}"


@contextmanager
def _scoped(model: Any, entered: list[ExitStack]) -> Iterator[None]:
    """The outermost scope; those that layers have entered, and not left for an error, end in it."""
    with under(scope=f"/{type(model).__name__}[{MODEL}]/"):
        try:
            yield
        finally:
            while entered:
                entered.pop().close()


@contextmanager
def _scopes_of(model: Any, entered: list[ExitStack]) -> Iterator[None]:
    """Meanwhile what a layer inside `model` calls stands in its scope."""

    def enter(name: str) -> Any:
        def hook(layer: Any, inputs: Any) -> None:
            above = current().policy.scope
            entered.append(ExitStack())
            entered[-1].enter_context(under(scope=f"{above}{type(layer).__name__}[{name}]/"))

        return hook

    def leave(layer: Any, inputs: Any, outputs: Any) -> None:
        entered.pop().close()

    with ExitStack() as hooks:
        for path, layer in model.named_sublayers():
            name = path.rpartition(".")[2]
            # Outside of the user's own hooks, whose operators are the layer's, too.
            hooks.callback(layer.register_forward_pre_hook(enter(name), prepend=True).remove)
            hooks.callback(layer.register_forward_post_hook(leave).remove)
        yield


def _graph(program: Program) -> Graph:
    """The graph of a Program; what blocks do inside is not shown."""
    counts: Counter[str] = Counter()
    values: dict[str, Spec] = {}
    scopes: dict[str, str] = {}  # of parameters: that of their first reader
    nodes = []
    for v in program.main.inputs:
        values[v.name] = v.spec
        nodes.append(Node(f"/{v.name}", INPUT, (), (v.name,)))
    for o in program.main.ops:
        scope = o.marks.get("op_namescope", "/")
        read = [x for x in (*o.operands, *_read_inside(o)) if isinstance(x, Variable)]
        for x in read:
            scopes.setdefault(x.name, scope)
            values.setdefault(x.name, x.spec)
        made = [v for v in o.results if v is not None]
        values |= {v.name: v.spec for v in made}
        path = f"{scope}{o.op.name}_{counts[o.op.name]}"
        counts[o.op.name] += 1
        reads = tuple(dict.fromkeys(x.name for x in read))
        nodes.append(Node(path, o.op.name, reads, tuple(v.name for v in made), tuple(_attrs(o))))
    states = [s.name for s in program.states.values() if s.name in scopes]
    parameters = [Node(f"{scopes[name]}{name}", PARAMETER, (), (name,)) for name in states]
    numbers = itertools.count()
    outputs = [
        Node(f"/output_{next(numbers)}", OUTPUT, (v.name,))
        for v in program.main.outputs
        if isinstance(v, Variable) and v.name in values
    ]
    return Graph((*parameters, *nodes, *outputs), values, frozenset(states))


def _read_inside(o: Operator) -> Iterator[Variable]:
    """What the blocks of an operator read that stands outside of them."""
    for block in o.blocks.values():
        made = {*block.inputs, *(v for inner in block.ops for v in inner.results)}
        for inner in block.ops:
            for x in (*inner.operands, *_read_inside(inner)):
                if isinstance(x, Variable) and x not in made:
                    yield x


def _attrs(o: Operator) -> Iterator[tuple[str, Any]]:
    """Attributes in plain Python; operands that are numbers among them, by their places."""
    for n, x in enumerate(o.operands):
        if x is not None and not isinstance(x, Variable):
            yield f"operand {n}", _plain(x)
    for name, value in o.attrs.items():
        if not isinstance(value, Block) and value is not None:
            yield name, _plain(value)


def _plain(value: Any) -> Any:
    """A number, a text, or a list of one kind of these."""
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)) and value:
        kinds = {type(x) for x in value}
        if len(kinds) == 1 and kinds <= {bool, int, float, str}:
            return list(value)
    return str(value)
