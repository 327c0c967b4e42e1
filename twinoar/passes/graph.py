"""A Program as a graph: operators as nodes that know who makes what they read, and who reads them.

    graph = program.to_graph()
    for node in graph.find("dropout"):
        graph.replace(node, node.inputs[0])
    program = graph.to_program()

A Graph is a copy: the Program that it was made of stays as it is. Nodes may be connected in any
order; `to_program` puts them in one that runs, and refuses a cycle.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Operator, Program, State, Variable, copy_program
from twinoar.core.ir.silent import live
from twinoar.core.ir.verify import verify
from twinoar.core.near import near_names
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError, UnknownNameError
from twinoar.inspection.picture import write_picture
from twinoar.passes.manager import copy_of


class Node:
    """An operator of the outermost block, as a part of a Graph."""

    __slots__ = ("graph", "operator")

    def __init__(self, graph: Graph, operator: Operator):
        self.graph, self.operator = graph, operator

    @property
    def type(self) -> str:
        """The name of the operator, as Programs print it."""
        return self.operator.op.name

    @property
    def attrs(self) -> dict[str, Any]:
        """The attributes by name."""
        return self.operator.attrs

    @property
    def inputs(self) -> list[Variable]:
        """The Variables that it reads, in order."""
        return [x for x in self.operator.operands if isinstance(x, Variable)]

    @property
    def outputs(self) -> list[Variable]:
        """The Variables that it defines."""
        return [v for v in self.operator.results if v is not None]

    @property
    def producers(self) -> list[Node]:
        """The nodes that define what it reads, each once."""
        found = dict.fromkeys(v.producer for v in self.inputs if v.producer is not None)
        return [self.graph._nodes[o] for o in found]

    @property
    def users(self) -> list[Node]:
        """The nodes that read what it defines, each once, in order."""
        return self.graph.users_of(*self.outputs)

    def connect(self, old: Variable, new: Variable) -> None:
        """Let this node read `new` where it reads `old`. Raises ProgramError if it does not."""
        if all(v is not old for v in self.inputs):
            raise ProgramError(f"{self} does not read %{old.name}", cure="see node.inputs")
        operands = self.operator.operands
        self.operator.operands = tuple(new if x is old else x for x in operands)

    def __repr__(self) -> str:
        return f"<node {self.operator}>"


class Graph:
    """The outermost block of a Program as nodes; iterating gives them in topological order.

    Raises ProgramError where that order is asked for and there is a cycle.

    >>> from twinoar import passes, square, tanh
    >>> from twinoar.core.ir.builder import trace
    >>> from twinoar.core.spec import Spec
    >>> graph = passes.Graph(trace(lambda x: square(tanh(x)), Spec((2,))))
    >>> [node.type for node in graph]
    ['tanh', 'square']
    >>> [user.type for user in graph.find("tanh")[0].users]
    ['square']
    """

    def __init__(self, program: Program):
        if not isinstance(program, Program):
            raise TypeMismatchError(f"expected a Program, received {type(program).__name__}")
        self.program = copy_of(program)
        self._nodes = {o: Node(self, o) for o in self.program.main.ops}

    def __iter__(self) -> Iterator[Node]:
        return iter([self._nodes[o] for o in self._sorted()])

    def __len__(self) -> int:
        return len(self._nodes)

    @property
    def inputs(self) -> list[Variable]:
        """What is fed."""
        return self.program.main.inputs

    @property
    def outputs(self) -> list[Variable]:
        """What the Program returns."""
        return self.program.main.outputs

    def find(self, *types: str) -> list[Node]:
        """The nodes whose operator has one of these names, in topological order."""
        return [n for n in self if n.type in types]

    def variable(self, name: str) -> Variable:
        """The Variable called `name`. Raises UnknownNameError."""
        return self.program.variable(name)

    def node_of(self, v: Variable | str) -> Node | None:
        """The node that defines a Variable; None for an input or a state."""
        producer = self._own(v).producer
        return None if producer is None else self._nodes[producer]

    def users_of(self, *variables: Variable | str) -> list[Node]:
        """The nodes that read one of these Variables, each once, in order."""
        wanted = {self._own(v) for v in variables}
        nodes = (self._nodes[o] for o in self.program.main.ops)
        return [n for n in nodes if any(x in wanted for x in n.inputs)]

    def before(self, node: Node) -> using:
        """Operators called in this `with` block become nodes before `node`."""
        return using(_Adding(self, self._index(node), node.operator))

    def after(self, node: Node) -> using:
        """Operators called in this `with` block become nodes after `node`."""
        return using(_Adding(self, self._index(node) + 1, node.operator))

    def insert_after(self, v: Variable | str, function: Callable[..., Variable]) -> Variable:
        """Let all that read `v` read `function(v)`, whose operators become nodes; returns that.

        Raises ProgramError for a result of another shape or dtype.
        """
        old = self._own(v)
        at = 0 if old.producer is None else self._index(self._nodes[old.producer]) + 1
        known = set(self._nodes)
        with using(_Adding(self, at, old.producer)):
            new = function(old)
        self._substitute(old, new, [o for o in self._nodes if o in known])
        return new

    def replace(self, old: Node | Variable | str, new: Any) -> None:
        """Let all that read `old` read `new`. A node goes; `new` has a value for each result.

        new: Variables of the graph. Raises ProgramError for another shape or dtype.
        """
        if not isinstance(old, Node):
            self._substitute(self._own(old), new, list(self._nodes))
            return
        values = list(new) if isinstance(new, (tuple, list)) else [new]
        results = old.operator.results
        if len(values) != len(results):
            raise ProgramError(f"{old} has {len(results)} results, received {len(values)} for them")
        for v, value in zip(results, values, strict=True):
            if v is not None:
                self._substitute(v, value, [o for o in self._nodes if o is not old.operator])
        self.delete(old)

    def delete(self, node: Node) -> None:
        """Remove a node. Raises ProgramError while something reads what it defines."""
        readers = [n for n in node.users if n is not node]
        kept = {*self.outputs, *self.program.updates.values()}
        if readers or any(v in kept for v in node.outputs):
            by = ", ".join(n.type for n in readers) or "the program, which returns or keeps it"
            raise ProgramError(
                f"{node.operator} is still read by {by}",
                cure="replace it, or delete what reads it first",
            )
        self._index(node)
        self.program.main.ops.remove(node.operator)
        del self._nodes[node.operator]

    def subgraph(
        self, inputs: Sequence[Variable | str], outputs: Sequence[Variable | str]
    ) -> Program:
        """The Program that computes `outputs` from `inputs`, which may be any Variables.

        Raises ProgramError where the outputs need another input.
        """
        program, mapping = copy_program(self.program)
        main = program.main
        fed = [mapping[self._own(v)] for v in inputs]
        for v in fed:
            if isinstance(v, State):
                raise ArgumentError(f"%{v.name} is a state, and cannot be an input")
            if v.producer is not None:
                v.producer.results = tuple(None if r is v else r for r in v.producer.results)
                v.producer = None
        main.outputs = [mapping[self._own(v)] for v in outputs]
        program.updates = {}
        live(main)
        read = {x for o in main.ops for x in o.operands if isinstance(x, Variable)}
        read.update(main.outputs)
        program.states = {name: s for name, s in program.states.items() if s in read}
        if missing := [f"%{v.name}" for v in main.inputs if v in read - set(fed)]:
            raise ProgramError(
                f"the outputs need {', '.join(missing)} too", cure="add it to the inputs"
            )
        main.inputs = fed
        return verify(program)

    def to_program(self) -> Program:
        """The Program of this graph, verified. Raises ProgramError for a cycle."""
        self.program.main.ops = self._sorted()
        return verify(copy_of(self.program))

    def draw(self, file: str | Path) -> Path:
        """Write a picture: `.svg`, `.html` (the picture and the text) or `.dot`; returns its path.

        Raises ArgumentError for another ending.
        """
        return write_picture(self.to_program(), Path(file))

    # Paddle's names.

    def all_op_nodes(self) -> list[Node]:
        """All nodes, as Paddle's IrGraph calls them."""
        return list(self)

    def all_var_nodes(self) -> list[Variable]:
        """All Variables: states, inputs, results."""
        return [*self.program.states.values(), *self.program.main.variables()]

    def topology_sort(self) -> list[Node]:
        """All nodes in topological order."""
        return list(self)

    def safe_remove_nodes(self, nodes: Node | Sequence[Node]) -> None:
        """Remove nodes that nothing but these nodes reads. Raises ProgramError for others."""
        left = [nodes] if isinstance(nodes, Node) else list(nodes)
        order = {n.operator: at for at, n in enumerate(self)}
        for node in sorted(left, key=lambda n: -order[n.operator]):
            self.delete(node)

    def _own(self, v: Variable | str) -> Variable:
        if isinstance(v, str):
            return self.variable(v)
        if v.home is not self.program.main:
            known = [x.name for x in self.all_var_nodes()]
            if v.name not in known:
                raise UnknownNameError(
                    f"%{v.name} is no variable of the graph", cure=near_names(v.name, known)
                )
            return self.variable(v.name)
        return v

    def _index(self, node: Node) -> int:
        if self._nodes.get(node.operator) is not node:
            raise ProgramError(f"{node.operator} is no longer, or was never, a node of this graph")
        return self.program.main.ops.index(node.operator)

    def _substitute(self, old: Variable, new: Any, readers: Sequence[Operator]) -> None:
        if isinstance(new, Variable):
            new = self._own(new)
        if not isinstance(new, Variable) or new.spec != old.spec:
            received = new.spec if isinstance(new, Variable) else repr(new)
            raise ProgramError(
                f"%{old.name}: {old.spec} cannot be replaced by {received}",
                cure="give a Variable of the same shape and dtype",
            )
        for o in readers:
            o.operands = tuple(new if x is old else x for x in o.operands)
        main, program = self.program.main, self.program
        main.outputs = [new if v is old else v for v in main.outputs]
        program.updates = {s: new if v is old else v for s, v in program.updates.items()}

    def _sorted(self) -> list[Operator]:
        """The operators after what they read, otherwise as they stood; effects keep their order."""
        ops = self.program.main.ops
        position = {o: n for n, o in enumerate(ops)}
        effects = [o for o in ops if o.has_effect]
        waits = {
            o: {x.producer for x in o.operands if isinstance(x, Variable) and x.producer}
            for o in ops
        }
        for first, second in pairwise(effects):
            waits[second].add(first)
        followers: dict[Operator, list[Operator]] = {o: [] for o in ops}
        for o, before in waits.items():
            for b in before:
                followers[b].append(o)
        ready = [position[o] for o in ops if not waits[o]]
        heapq.heapify(ready)
        found = []
        while ready:
            o = ops[heapq.heappop(ready)]
            found.append(o)
            for f in followers[o]:
                waits[f].discard(o)
                if not waits[f]:
                    heapq.heappush(ready, position[f])
        if len(found) < len(ops):
            circle = _cycle(next(o for o in ops if waits[o]), waits)
            raise ProgramError(
                f"the graph has a cycle: {' -> '.join(o.op.name for o in circle)}",
                cure="an operator must not read what is computed from its own result",
            )
        return found


class _Adding(Builder):
    """Makes operators that are called into nodes at a place."""

    def __init__(self, graph: Graph, at: int, near: Operator | None):
        super().__init__(graph.program, at=at)
        self.graph, self.follows = graph, False
        if near is not None:
            self.source, self.role, self.marks = near.source, near.role, near.marks

    def append(self, o: Operator) -> None:
        """Put a finished operator in its place, and make it a node."""
        super().append(o)
        self.graph._nodes[o] = Node(self.graph, o)


def _cycle(start: Operator, waits: dict[Operator, set[Operator]]) -> list[Operator]:
    """Operators that wait for each other, in the order of the data; the first is also the last."""
    path = [start]
    while True:
        nearest = next(o for o in waits[path[-1]] if waits[o])
        if nearest in path:
            return [nearest, *path[: path.index(nearest) : -1], nearest]
        path.append(nearest)
