"""Passes: functions from Program to Program, for users and for the compiler."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import pathlib
import twinoar.fluid
import twinoar.jit
import twinoar.passes
import twinoar.static
from typing import Any, Literal, overload

import numpy as _numpy

class Attr:
    """In a pattern, captures the value of an attribute, or of a literal operand, under `name`."""
    def __init__(self, name: builtins.str) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    name: builtins.str
class Graph:
    """The outermost block of a Program as nodes; iterating gives them in topological order."""
    def __init__(self, program: twinoar.jit._Program) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[twinoar.passes.Node]: ...
    def __len__(self) -> builtins.int: ...
    @property
    def inputs(self) -> builtins.list[twinoar.fluid.Variable]:
        """What is fed."""
    @property
    def outputs(self) -> builtins.list[twinoar.fluid.Variable]:
        """What the Program returns."""
    def find(self, *types: builtins.str) -> builtins.list[twinoar.passes.Node]:
        """The nodes whose operator has one of these names, in topological order."""
    def variable(self, name: builtins.str) -> twinoar.fluid.Variable:
        """The Variable called `name`"""
    def node_of(self, v: twinoar.fluid.Variable | builtins.str) -> twinoar.passes.Node | None:
        """The node that defines a Variable; None for an input or a state."""
    def users_of(self, *variables: twinoar.fluid.Variable | builtins.str) -> builtins.list[twinoar.passes.Node]:
        """The nodes that read one of these Variables, each once, in order."""
    def before(self, node: twinoar.passes.Node) -> twinoar.passes._using:
        """Operators called in this `with` block become nodes before `node`."""
    def after(self, node: twinoar.passes.Node) -> twinoar.passes._using:
        """Operators called in this `with` block become nodes after `node`."""
    def insert_after(self, v: twinoar.fluid.Variable | builtins.str, function: collections.abc.Callable[..., twinoar.fluid.Variable]) -> twinoar.fluid.Variable:
        """Let all that read `v` read `function(v)`, whose operators become nodes; returns that."""
    def replace(self, old: twinoar.passes.Node | twinoar.fluid.Variable | builtins.str, new: Any) -> None:
        """Let all that read `old` read `new`"""
    def delete(self, node: twinoar.passes.Node) -> None:
        """Remove a node"""
    def subgraph(self, inputs: collections.abc.Sequence[twinoar.fluid.Variable | builtins.str], outputs: collections.abc.Sequence[twinoar.fluid.Variable | builtins.str]) -> twinoar.jit._Program:
        """The Program that computes `outputs` from `inputs`, which may be any Variables."""
    def to_program(self) -> twinoar.jit._Program:
        """The Program of this graph, verified"""
    def draw(self, file: builtins.str | pathlib.Path) -> pathlib.Path:
        """Write a picture: `.svg`, `.html` (the picture and the text) or `.dot`; returns its path."""
    def all_op_nodes(self) -> builtins.list[twinoar.passes.Node]:
        """All nodes, as Paddle's IrGraph calls them."""
    def all_var_nodes(self) -> builtins.list[twinoar.fluid.Variable]:
        """All Variables: states, inputs, results."""
    def topology_sort(self) -> builtins.list[twinoar.passes.Node]:
        """All nodes in topological order."""
    def safe_remove_nodes(self, nodes: twinoar.passes.Node | collections.abc.Sequence[twinoar.passes.Node]) -> None:
        """Remove nodes that nothing but these nodes reads"""
    program: Any
INFERENCE: builtins.tuple
class Node:
    """An operator of the outermost block, as a part of a Graph."""
    def __init__(self, graph: twinoar.passes.Graph, operator: twinoar.static.Operator) -> None: ...
    @property
    def type(self) -> builtins.str:
        """The name of the operator, as Programs print it."""
    @property
    def attrs(self) -> builtins.dict[builtins.str, Any]:
        """The attributes by name."""
    @property
    def inputs(self) -> builtins.list[twinoar.fluid.Variable]:
        """The Variables that it reads, in order."""
    @property
    def outputs(self) -> builtins.list[twinoar.fluid.Variable]:
        """The Variables that it defines."""
    @property
    def producers(self) -> builtins.list[twinoar.passes.Node]:
        """The nodes that define what it reads, each once."""
    @property
    def users(self) -> builtins.list[twinoar.passes.Node]:
        """The nodes that read what it defines, each once, in order."""
    def connect(self, old: twinoar.fluid.Variable, new: twinoar.fluid.Variable) -> None:
        """Let this node read `new` where it reads `old`"""
    graph: Any
    operator: Any
class PassRecord:
    """What one pass did in one run."""
    hits: builtins.int | None
    before: builtins.str
    after: builtins.str
    def difference(self, context: Any = 1) -> builtins.str:
        """What the pass changed as a unified diff, with `context` lines around each change."""
    def __init__(self, name: builtins.str, seconds: Any, operators_before: Any, operators_after: Any, hits: Any = None, before: builtins.str = '', after: builtins.str = '') -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    name: builtins.str
    seconds: builtins.float
    operators_before: builtins.int
    operators_after: builtins.int
class Rule:
    """One rewrite rule, and a pass: called with a Program it applies itself to all of it, in place."""
    where: collections.abc.Callable[..., builtins.bool] | None
    shared: builtins.bool
    hits: builtins.int
    def __call__(self, program: twinoar.jit._Program) -> twinoar.jit._Program: ...
    def __init__(self, name: builtins.str, doc: builtins.str, pattern: Any, replace: collections.abc.Callable[..., Any], where: collections.abc.Callable[..., builtins.bool] | None = None, shared: builtins.bool = False, hits: Any = 0) -> None: ...
    name: builtins.str
    doc: builtins.str
    pattern: Any
    replace: collections.abc.Callable[..., Any]
def diff(a: twinoar.jit._Program, b: twinoar.jit._Program, context: Any = 1) -> builtins.str:
    """The operators, states and updates that differ, as a unified diff; '' where there are none."""
def for_inference(program: twinoar.jit._Program, values: collections.abc.Mapping[builtins.str, _numpy.ndarray[Any, Any]] | None = None) -> twinoar.jit._Program:
    """Run the passes of INFERENCE, in place"""
def get(name: builtins.str) -> collections.abc.Callable[[twinoar.jit._Program], twinoar.jit._Program]:
    """The pass called `name`"""
def names() -> builtins.list[builtins.str]:
    """The names of all passes, sorted."""
def recompute(program: twinoar.jit._Program, checkpoints: collections.abc.Sequence[twinoar.fluid.Variable | builtins.str]) -> twinoar.jit._Program:
    """Let the backward part, in place, compute again what the forward part had between checkpoints."""
def register(name: Any = None) -> Any:
    """Decorator: a pass, a function from Program to Program or a Rule, that is known by a name."""
def rewrite(pattern: collections.abc.Callable[..., Any], *, where: collections.abc.Callable[..., builtins.bool] | None = None, shared: builtins.bool = False) -> collections.abc.Callable[[collections.abc.Callable[..., Any]], twinoar.passes.Rule]:
    """Decorator: a rule that replaces what `pattern` builds by what the function returns."""
def run(program: twinoar.jit._Program, passes: collections.abc.Sequence[builtins.str | collections.abc.Callable[[twinoar.jit._Program], twinoar.jit._Program]] | builtins.str | collections.abc.Callable[[twinoar.jit._Program], twinoar.jit._Program], *, record: builtins.list[twinoar.passes.PassRecord] | None = None) -> twinoar.jit._Program:
    """A Program that passes have been run on, in order; the one that is given stays as it is."""
class _using:
    """Operators called in this block, by this thread, go to `interpreter`."""
    def __init__(self, interpreter: Any) -> None: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *raised: Any) -> None: ...
