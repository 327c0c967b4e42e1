"""`if`: both sides become functions of the names that they assign."""

from __future__ import annotations

import ast

from twinoar.jit.convert.names import assigned_names, leaves, side_effects
from twinoar.jit.convert.template import Transformer, call_runtime, function_of, literal, store


class IfTransformer(Transformer):
    """if p: a
    else: b      ->   x, y = runtime.if_(p, true, false, ("x", "y"), locals(), side_effects)
    """

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        """Convert one `if`; one that leaves by return, break or continue stays Python's."""
        self.generic_visit(node)
        statements = [*node.body, *node.orelse]
        names = assigned_names(statements)
        if leaves(statements) or self.outside & set(names):
            return node
        true, false = self.fresh("true"), self.fresh("false")
        call = call_runtime(
            "if_",
            node.test,
            true,
            false,
            literal(names),
            self.locals(),
            literal(side_effects(statements)),
        )
        made = [
            function_of(true, names, node.body),
            function_of(false, names, node.orelse),
            store(names, call),
        ]
        return self.placed(made, node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """a if p else b   ->   runtime.ternary(p, lambda: a, lambda: b)"""
        self.generic_visit(node)
        return self.placed_expression(
            call_runtime("ternary", node.test, self.delayed(node.body), self.delayed(node.orelse)),
            node,
        )
