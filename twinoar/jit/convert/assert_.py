"""`assert` and `raise`: in a branch that a tensor decides they happen when the Program runs."""

from __future__ import annotations

import ast

from twinoar.jit.convert.template import Transformer, call_runtime, literal


class AssertTransformer(Transformer):
    """assert p, m   ->   runtime.assert_(p, lambda: m, ("a", "b"))
    raise e       ->   raise runtime.raised(e)

    The texts are those of the operands, where p is a comparison.
    """

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        """Convert one `assert`."""
        texts = _operands(node.test)
        self.generic_visit(node)
        message = ast.Constant(None) if node.msg is None else self.delayed(node.msg)
        call = call_runtime("assert_", node.test, message, literal(texts))
        (made,) = self.placed([ast.Expr(call)], node)
        return made

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        """Convert one `raise` of an exception that it names."""
        self.generic_visit(node)
        if node.exc is not None:
            node.exc = self.placed_expression(call_runtime("raised", node.exc), node)
        return node


def _operands(test: ast.expr) -> list[str]:
    """The texts of both operands of a comparison."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return []
    return [ast.unparse(test.left), ast.unparse(test.comparators[0])]
