"""Backward over the eager tape: from seeds to gradients of tensors."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import numpy as np

from twinoar.autograd.backprop import (
    accumulate,
    check_differentiable,
    derived_grad,
    gives_rows,
    no_graph_of_rows,
    require_values,
    seeded,
    vjp,
)
from twinoar.autograd.conjugation import between_conjugations
from twinoar.core.device import Buffer
from twinoar.core.interpreter import beside, current, eager, observers_now, using
from twinoar.core.observer import BACKWARD, Call, observed
from twinoar.core.op.definition import Op
from twinoar.core.values import Value
from twinoar.eager.interpreter import LARGE, Eager
from twinoar.eager.tape import Node, Result
from twinoar.eager.tensor import SPECS, ZEROS, Tensor
from twinoar.errors import ProgramError, ShapeError, TwinoarError, TypeMismatchError
from twinoar.ops.index.selected_rows import (
    SelectedRows,
    add_gradients,
    dense,
)
from twinoar.ops.math.cast import astype
from twinoar.ops.math.fill import zeros_of


class Tape:
    """Gradients along the eager record, and those that live tensors keep.

    Each is computed under the Policy of `here`, without what that says of users' own calls.
    """

    def backward(self, here: Any, outputs: list, gradients: list, retain_graph: bool) -> list:
        """Add the gradients of `outputs` to those of the leaves, which are returned."""
        return observed(
            observers_now(),
            Call(BACKWARD, "backward"),
            lambda: self._backward(outputs, gradients, retain_graph),
        )

    def _backward(self, outputs: list, gradients: list, retain_graph: bool) -> list:
        _require_tensors(outputs, gradients)
        seeds = _by_key(seeded(outputs, gradients))
        grads = differentiate(seeds, create_graph=False, retain_graph=retain_graph)
        for leaf, g in grads.items():
            accumulate_in_leaf(leaf, g)
        return list(grads)

    def grad(self, here: Any, *given: Any, **options: Any) -> list:
        """The gradients of outputs with respect to inputs; None where there is none."""
        return observed(
            observers_now(), Call(BACKWARD, "grad"), lambda: self._grad(*given, **options)
        )

    def read(self, here: Any, x: Any) -> Tensor | None:
        """The accumulated gradient of `x`; zeros are made when they are first looked at."""
        if x._grad is ZEROS:
            dtype = None if x._grad_dtype is None else x._grad_dtype.numpy
            x._grad = Tensor(np.zeros_like(x._data, dtype), False)
        return x._grad

    def presence(self, x: Any) -> bool:
        """True: a gradient that is not there is None."""
        return True

    def set(self, here: Any, x: Any, gradient: Tensor | None) -> None:
        """Let `gradient` be the accumulated gradient of `x`."""
        if gradient is not None and not isinstance(gradient, Tensor):
            raise ProgramError(f"{gradient} has no data to be the gradient of {x.name}")
        x._grad = gradient

    def clear(self, here: Any, x: Any, set_to_zero: bool) -> None:
        """Make the gradient of `x`, where there is one, zeros; or forget it, and SelectedRows."""
        is_kept = set_to_zero and x._grad is not None and not isinstance(x._grad, SelectedRows)
        x._grad = ZEROS if is_kept else None

    def _grad(
        self,
        outputs: list,
        inputs: list,
        gradients: list,
        *,
        create_graph: bool,
        retain_graph: bool,
        blocked: list,
    ) -> list:
        _require_tensors([*outputs, *inputs], gradients)
        pairs = [(x, g) for x, g in zip(outputs, gradients, strict=True) if not x.stop_gradient]
        seeds = _by_key(seeded([x for x, _ in pairs], [g for _, g in pairs]))
        stops = {key_of(x) for x in blocked}
        grads = differentiate(
            {k: g for k, g in seeds.items() if k not in stops},
            create_graph=create_graph,
            retain_graph=retain_graph,
            between=Between({key_of(x) for x in inputs}, stops),
        )
        return [grads.get(key_of(x)) for x in inputs]


def accumulate_in_leaf(leaf: Tensor, g: Any) -> None:
    """Add `g`, after the leaf's hooks, to the gradient of a leaf."""
    here = eager(current().policy.derived(False))
    if leaf._hooks is not None:
        with using(here):
            g = _call_hooks(g, leaf._hooks)
    if leaf._grad_dtype is not None:
        with using(here):
            g = astype(g, leaf._grad_dtype)
    before: Any = leaf._grad
    if before is not None and before is not ZEROS:
        with using(here):
            g = add_gradients(before, g)
    if not isinstance(g, SelectedRows):
        g = Tensor(g._data, False)
    leaf._grad = g


def key_of(x: Tensor) -> Any:
    """What stands for `x` in a gradient table."""
    return x.producer if x.producer is not None else x


def node_of(key: Any) -> Node | None:
    """The Node that made what `key` stands for; None for a leaf."""
    return key.node if key.__class__ is Result else key if key.__class__ is Node else None


def differentiate(
    seeds: dict[Any, Tensor],
    *,
    create_graph: bool,
    retain_graph: bool,
    between: Between | None = None,
) -> dict[Any, Tensor]:
    """Gradients by key: of the leaves that `seeds` (key -> gradient) depend on, or of inputs.

    between: the inputs, and what else takes part. Raises GradientError where an operator on the way
    has no gradient, or was freed.
    """
    grads, found = dict(seeds), {}
    nodes = _reachable(seeds)
    if between is not None:
        nodes = between.chosen(nodes)
    for node in nodes:
        if node.attrs is None:
            raise node.freed()
    with using(eager(current().policy.derived(create_graph))):
        for node in nodes:
            if node.results is None and node.hooks is None:
                g = grads.pop(node, None)
                gs = None if g is None else [g]
            else:
                gs = _incoming(node, grads)
            if gs is None:  # reached, but no gradient flows here
                continue
            edges = node.edges
            if between is not None:
                found.update(between.found(node, gs))
                edges = between.edges(node)
            g = gs[0]
            if g is None or g._data.__class__ is ndarray:
                out = _operand_gradients(node, edges, gs, create_graph)
            else:
                with using(beside(g)):
                    out = _operand_gradients(node, edges, gs, create_graph)
            for key, g in zip(edges, out, strict=True):
                if key is not None and g is not None:
                    if g.__class__ is not Tensor:
                        g = _arriving(key, g, create_graph)
                    before = grads.get(key)
                    grads[key] = g if before is None else add_gradients(before, g)
            if not retain_graph:
                node.release()
    return grads if between is None else {**grads, **found}


def _arriving(key: Any, g: Any, create_graph: bool) -> Any:
    """A gradient as what `key` stands for takes it: SelectedRows come to leaves alone.

    Raises GradientError where it shall have a graph, which SelectedRows have not.
    """
    if not isinstance(g, SelectedRows):
        return g
    if create_graph:
        raise no_graph_of_rows()
    return g if node_of(key) is None else dense(g)


class Between:
    """What lies between outputs and `inputs`, without what is `blocked`; all are keys."""

    def __init__(self, inputs: set, blocked: set):
        self.inputs, self.blocked = inputs, blocked
        self.leading = inputs - blocked  # keys that an input can be reached from

    def chosen(self, nodes: list[Node]) -> list[Node]:
        """The nodes that matter, of nodes given latest first."""
        kept = []
        for node in reversed(nodes):
            keys = node.result_keys()
            if any(key in self.leading for key in node.edges):
                self.leading.update(k for k in keys if k is not None and k not in self.blocked)
            if any(key in self.leading for key in keys):
                kept.append(node)
        return kept[::-1]

    def edges(self, node: Node) -> list:
        """Where gradients flow on to from a node."""
        return [key if key in self.leading else None for key in node.edges]

    def found(self, node: Node, gs: list) -> dict[Any, Tensor]:
        """The gradients of those results of a node that are inputs."""
        pairs = zip(node.result_keys(), gs, strict=True)
        return {k: g for k, g in pairs if g is not None and k in self.inputs}


def _by_key(pairs: list[tuple[Tensor, Tensor]]) -> dict[Any, Tensor]:
    """Gradients in a table; those of one tensor are added up."""
    seeds: dict[Any, Tensor] = {}
    for x, g in pairs:
        accumulate(seeds, key_of(x), g)
    return seeds


def _require_tensors(values: list, gradients: list) -> None:
    require_values(values, gradients)
    if any(isinstance(x, Value) and not isinstance(x, Tensor) for x in (*values, *gradients)):
        raise ProgramError(
            "a Variable has no gradient before its Program runs",
            cure="use static.append_backward(loss) or static.gradients(targets, inputs)",
        )


def _incoming(node: Node, grads: dict) -> list | None:
    """The gradients of a node's results after their hooks, taken out; None where there are none."""
    gs = [grads.pop(key, None) for key in node.result_keys()]
    if node.hooks is not None:
        gs = [_call_hooks(g, node.hooks.get(i)) for i, g in enumerate(gs)]
    return None if all(g is None for g in gs) else gs


def _reachable(seeds: dict) -> list[Node]:
    """Nodes that the seeds depend on, latest first."""
    stack = [n for n in map(node_of, seeds) if n is not None]
    found = set(stack)
    while stack:
        for key in stack.pop().edges:
            if key is None:
                continue
            before = key if key.__class__ is Node else node_of(key)
            if before is not None and before not in found:
                found.add(before)
                stack.append(before)
    return sorted(found, key=attrgetter("order"), reverse=True)


def _operand_gradients(node: Node, edges: list, gs: list, create_graph: bool) -> tuple:
    op = node.op
    rule = op.grad_rule
    if node.results is not None and op.fills_gradients:
        gs = _fill_in(node, gs)
    try:
        if rule is not None:
            asked = []
            for name, place in rule.asked:
                if place is not None:
                    asked.append(node.operand(place))
                elif name == "g":
                    asked.append(gs[0])
                elif name == "wanted":
                    asked.append(tuple([edge is not None for edge in edges]))
                elif name == "specs":
                    asked.append([SPECS[s] if s.__class__ is tuple else s for s in node.shapes])
                else:
                    asked.append(_offer(node, op, name, gs))
            out = None
            g = gs[0]
            if g is not None and g._data.dtype.kind == "c" and not rule.knows_complex:
                return between_conjugations(rule, asked)
            # A call of `_elements` is spared where the only array is a small gradient.
            if (g is None or g._data.size >= LARGE or node.arrays or node.outs) and (
                not create_graph
                and Eager.kernels.knows(op)
                and (elements := _elements(node, gs)) >= 0
                and not gives_rows(op, node.attrs)
            ):
                out = Eager.kernels.gradient(op, rule.function, asked, elements)
            if out is None:
                out = rule.function(*asked)
            return out if out.__class__ is tuple else (out,)
        check_differentiable(op, node.attrs)
        operands = [node.operand(i) for i in range(len(node.edges))]
        derived = derived_grad(op)
        out = derived.gradients((*gs, *operands), **node.attrs, **{derived.count: len(gs)})
        return out if isinstance(out, tuple) else (out,)
    except TwinoarError as error:
        raise error.attach(f"{op.name}.grad", (), node.source) from None


ndarray = np.ndarray


def _elements(node: Node, gs: list) -> int:
    """Those of the largest array that a rule may ask for; -1 where one is not the CPU's."""
    found = 0
    for values in ([None if g is None else g._data for g in gs], node.arrays, node.outs):
        for a in values or ():
            if isinstance(a, ndarray):
                found = max(found, a.size)
            elif isinstance(a, Buffer):
                return -1
    return found


def _offer(node: Node, op: Op, name: str, gs: list) -> Any:
    """What a gradient rule asks for as `name`, from what the tape kept."""
    if name == "out":
        return node.result(0)
    if name in op.attrs:
        return node.attrs[name]
    if name == "gs":
        return tuple(gs)
    if name == "outs":
        return tuple(node.result(i) for i in range(len(gs)))
    if name == "vjp":
        return vjp
    first = len(op.operands) - 1  # of a variadic operand, which stands last
    return tuple(node.operand(i) for i in range(first, len(node.edges)))


def _fill_in(node: Node, gs: list) -> list:
    specs = [node.result_spec(i) for i in range(len(gs))]
    return [
        zeros_of(s) if g is None and s.dtype.is_differentiable else g
        for g, s in zip(gs, specs, strict=True)
    ]


def _call_hooks(g: Tensor | None, hooks: dict | None) -> Any:
    if g is None or not hooks:
        return g
    for hook in list(hooks.values()):
        replaced = hook(g)
        if replaced is not None:
            g = _checked(replaced, g)
    return g


def _checked(replaced: Any, g: Tensor) -> Tensor:
    """What a hook returned."""
    if not isinstance(replaced, Tensor):
        raise TypeMismatchError(
            f"a hook must return a Tensor or None, received {type(replaced).__name__}"
        )
    if replaced.spec.shape != g.spec.shape:
        raise ShapeError(
            f"a hook returned a gradient of shape {replaced.shape} for one of shape {g.shape}"
        )
    return replaced
