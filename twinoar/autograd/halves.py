"""A backward pass in two halves: gradients of inputs at once, those of all other leaves later.

The first half is what others wait for. It keeps, of each call that lies between inputs and outputs
and takes something else as well, such as a weight, the gradient that has arrived; the second half
goes on from there. No gradient rule computes anything twice if it asks for `wanted`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from twinoar.autograd.after import LISTENERS, tell
from twinoar.autograd.backprop import accumulate, seeded
from twinoar.autograd.tape import (
    Between,
    _arriving,
    _by_key,
    _incoming,
    _operand_gradients,
    _reachable,
    accumulate_in_leaf,
    key_of,
)
from twinoar.core.interpreter import current, eager, using
from twinoar.eager.tape import Node
from twinoar.eager.tensor import Tensor


def backward_in_halves(
    outputs: Sequence[Tensor], gradients: Sequence[Tensor | None], inputs: Sequence[Tensor]
) -> tuple[list[Tensor | None], Callable[[], list[Tensor]]]:
    """The gradients of `inputs`, and what adds those of the other leaves to their `.grad`.

    outputs, gradients: as of `backward`. inputs: leaves, whose `.grad` stays as it is. The function
    is called once; it returns the leaves, and frees the graph. Raises as `backward` does.

    >>> x, w = (twinoar.to_tensor([v], stop_gradient=False) for v in (2.0, 3.0))
    >>> (first,), rest = backward_in_halves([x * w], [None], [x])
    >>> first.item(), w.grad is None, len(rest()), w.grad.item()
    (3.0, True, 1, 2.0)
    """
    seeds = _by_key(seeded(list(outputs), list(gradients)))
    nodes = _reachable(seeds)
    for node in nodes:
        if node.attrs is None:
            raise node.freed()
    keys = [key_of(x) for x in inputs]
    between = Between(set(keys), set())
    chosen = set(between.chosen(nodes))
    grads: dict[Any, Any] = {k: g for k, g in seeds.items() if k in between.leading}
    others: dict[Any, Any] = {k: g for k, g in seeds.items() if k not in between.leading}
    arrived: dict[Node, list] = {}
    with using(eager(current().policy.derived(False))):
        for node in nodes:
            gs = _incoming(node, grads) if node in chosen else None
            if gs is None:
                continue
            if _is_divisible(node):
                _flow(node, gs, between.edges(node), grads)
                arrived[node] = gs
            else:
                _flow(node, gs, list(node.edges), grads, others, between.leading)

    def rest() -> list[Tensor]:
        with using(eager(current().policy.derived(False))):
            for node in nodes:
                gs = arrived.pop(node, None)
                if gs is not None:
                    edges = [None if key in between.leading else key for key in node.edges]
                else:
                    edges, gs = list(node.edges), _incoming(node, others)
                if gs is not None and any(key is not None for key in edges):
                    _flow(node, gs, edges, others)
                node.release()
        for leaf, g in others.items():
            accumulate_in_leaf(leaf, g)
        leaves = list(others)
        if LISTENERS:
            tell(current(), leaves)
        return leaves

    return [grads.get(key) for key in keys], rest


def _is_divisible(node: Node) -> bool:
    """Whether the rule of a call computes what is asked for alone.

    Another computes all at once, and once: that of a PyLayer may do anything.
    """
    rule = node.op.grad_rule
    return rule is not None and "wanted" in rule.asks


def _flow(node: Node, gs: list, edges: list, *tables: Any) -> None:
    """Let gradients of a node's results flow on along the edges that are not None.

    tables: where they go; or those that lead to inputs, the others, and the keys that lead there.
    """
    grads, others, leading = tables if len(tables) > 1 else (tables[0], {}, None)
    for key, g in zip(edges, _operand_gradients(node, edges, gs, False), strict=True):
        if key is not None and g is not None:
            here = grads if leading is None or key in leading else others
            accumulate(here, key, _arriving(key, g, False))
