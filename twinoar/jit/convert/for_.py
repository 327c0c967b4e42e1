"""`for`: the body becomes a function of the loop's target and the names that it assigns."""

from __future__ import annotations

import ast

from twinoar.jit.convert.names import assigned_names, leaves, side_effects
from twinoar.jit.convert.template import Transformer, call_runtime, function_of, literal, store


class ForTransformer(Transformer):
    """for t in s: a   ->   t, x = runtime.for_(s, body, ("t", "x"), locals(), side_effects)

    The body takes one item first, and unpacks it into the target itself.
    """

    def visit_For(self, node: ast.For) -> ast.stmt | list[ast.stmt]:
        """Convert one `for`; one with break, continue, return or else stays Python's."""
        self.generic_visit(node)
        item = self.fresh("item")
        unpack = ast.Assign([node.target], ast.Name(item, ast.Load()))
        body = [unpack, *node.body]
        names = assigned_names(body)
        if node.orelse or leaves(node.body) or self.outside & set(names):
            return node
        name = self.fresh("body")
        call = call_runtime(
            "for_", node.iter, name, literal(names), self.locals(), literal(side_effects(node.body))
        )
        return self.placed(
            [function_of(name, [item, *names], body, names), store(names, call)], node
        )
