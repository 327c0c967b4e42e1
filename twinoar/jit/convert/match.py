"""`match`: what it is about is asked whether it can be matched before a run."""

from __future__ import annotations

import ast

from twinoar.jit.convert.template import Transformer, call_runtime


class MatchTransformer(Transformer):
    """match a: ...   ->   match runtime.subject(a): ..."""

    def visit_Match(self, node: ast.Match) -> ast.stmt:
        """Convert one `match` that has patterns of values or classes."""
        self.generic_visit(node)
        kinds = (ast.MatchValue, ast.MatchClass, ast.MatchSingleton)
        if any(isinstance(p, kinds) for c in node.cases for p in ast.walk(c.pattern)):
            node.subject = self.placed_expression(
                call_runtime("subject", node.subject), node.subject
            )
        for case in node.cases:
            if case.guard is not None:
                case.guard = self.placed_expression(call_runtime("guard", case.guard), case.guard)
        return node
