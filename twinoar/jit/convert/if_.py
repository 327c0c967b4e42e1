"""`if`: both sides become functions that share the names they assign with the function around."""

from __future__ import annotations

import ast

from twinoar.jit.convert.template import Transformer, call_runtime, literal


class IfTransformer(Transformer):
    """if p: a
    else: b      ->   runtime.if_(p, true, false, ("x", "y"))

    One that guards what follows a jump (`if flag: pass else: a`, see jumps) becomes
    runtime.unless(lambda: flag, rest, ("x", "y")).
    """

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        """Convert one `if`; jumps have been taken out of it."""
        self.generic_visit(node)
        names = literal(self.shared([*node.body, *node.orelse]))
        if getattr(node, "guards", False):
            rest = self.fresh("rest")
            made = [self.function(rest, node.orelse)]
            call = call_runtime("unless", self.delayed(node.test), rest, names)
        else:
            true, false = self.fresh("true"), self.fresh("false")
            made = [self.function(true, node.body), self.function(false, node.orelse)]
            call = call_runtime("if_", node.test, true, false, names)
        return self.placed([*made, ast.Expr(call)], node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """a if p else b   ->   runtime.ternary(p, lambda: a, lambda: b, ("x",))"""
        self.generic_visit(node)
        call = call_runtime(
            "ternary",
            node.test,
            self.delayed(node.body),
            self.delayed(node.orelse),
            literal(self.shared([node.body, node.orelse])),
        )
        return self.placed_expression(call, node)
