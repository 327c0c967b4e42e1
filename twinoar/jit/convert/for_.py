"""`for`: the body becomes a function of an item that shares names with the function around."""

from __future__ import annotations

import ast

from twinoar.jit.convert.template import LoopTransformer, call_runtime, literal


class ForTransformer(LoopTransformer):
    """for t in s: a   ->   runtime.for_(s, body, stopped, ("t", "x"), ("x",))

    The body takes one item, and unpacks it into the target itself. stopped: tells whether a `break`
    has come (see jumps), or None. Last come the names that are used outside the loop too.
    """

    def visit_For(self, node: ast.For) -> ast.stmt | list[ast.stmt]:
        """Convert one `for`; jumps and else have been taken out of it."""
        self.generic_visit(node)
        item, name = self.fresh("item"), self.fresh("body")
        unpack = ast.copy_location(ast.Assign([node.target], ast.Name(item, ast.Load())), node)
        body = [unpack, *node.body]
        stopped: ast.expr = ast.Constant(None)
        if hasattr(node, "broken"):
            stopped = self.delayed(ast.Name(node.broken, ast.Load()))
        names = self.shared(body)
        outliving = literal(self.outliving(node, names))
        call = call_runtime("for_", node.iter, name, stopped, literal(names), outliving)
        return self.placed([self.function(name, body, [item]), ast.Expr(call)], node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        """[a for t in s if p]   ->   [a for t in runtime.items(s) if runtime.chosen(p)]"""
        self.generic_visit(node)
        node.iter = self.placed_expression(call_runtime("items", node.iter), node.iter)
        node.ifs = [self.placed_expression(call_runtime("chosen", p), p) for p in node.ifs]
        return node
