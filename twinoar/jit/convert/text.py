"""Texts: f-strings and `%`, which may hold values that only a run knows."""

from __future__ import annotations

import ast

from twinoar.jit.convert.template import Transformer, call_runtime


class TextTransformer(Transformer):
    """f"a {x!r:>4}"   ->   runtime.joined("a ", (x, 114, ">4"))
    a % b           ->   runtime.percent(a, b)
    """

    takes_generators = True

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """Convert an f-string with braces in it."""
        self.generic_visit(node)
        if not any(isinstance(v, ast.Tuple) for v in node.values):
            return node
        return self.placed_expression(call_runtime("joined", *node.values), node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        """What stands in braces as (value, conversion, format)."""
        self.generic_visit(node)
        how = node.format_spec or ast.Constant("")
        made = ast.Tuple([node.value, ast.Constant(node.conversion), how], ast.Load())
        return self.placed_expression(made, node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Convert `%`."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.Mod):
            return node
        return self.placed_expression(call_runtime("percent", node.left, node.right), node)
