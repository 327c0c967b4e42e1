"""`assert` and `raise`: in a branch that a tensor decides they happen when the Program runs."""

from __future__ import annotations

import ast

from twinoar.jit.convert.names import is_generated
from twinoar.jit.convert.template import Transformer, call_runtime, literal


class AssertTransformer(Transformer):
    """assert p, m   ->   runtime.assert_(p, lambda: m, ("a", "b"), False)
    raise e       ->   raise runtime.raised(e, False)

    The texts are those of the operands, where p is a comparison; True stands where an except may
    catch what is raised.
    """

    def __init__(self) -> None:
        super().__init__()
        self.is_caught = False

    def inside(self, node: ast.FunctionDef) -> ast.stmt:
        """What a function that the user wrote raises is not caught around its definition."""
        outer = self.is_caught
        self.is_caught = outer and is_generated(node)
        made = super().inside(node)
        self.is_caught = outer
        return made

    def visit_Try(self, node: ast.Try) -> ast.stmt:
        """Remember that an except stands around what the body raises."""
        outer = self.is_caught
        self.is_caught = outer or bool(node.handlers)
        node.body = [self.visit(s) for s in node.body]
        self.is_caught = outer
        for name in ("handlers", "orelse", "finalbody"):
            setattr(node, name, [self.visit(s) for s in getattr(node, name)])
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        """What conversion itself raises is not for the user's handlers."""
        self.generic_visit(node)
        node.body[:0] = self.placed([ast.Expr(call_runtime("pass_on"))], node)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        """Convert one `assert`."""
        texts = _operands(node.test)
        self.generic_visit(node)
        message = ast.Constant(None) if node.msg is None else self.delayed(node.msg)
        caught = ast.Constant(self.is_caught)
        call = call_runtime("assert_", node.test, message, literal(texts), caught)
        (made,) = self.placed([ast.Expr(call)], node)
        return made

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        """Convert one `raise` of an exception that it names."""
        self.generic_visit(node)
        if node.exc is not None:
            node.exc = self.placed_expression(
                call_runtime("raised", node.exc, ast.Constant(self.is_caught)), node
            )
        return node


def _operands(test: ast.expr) -> list[str]:
    """The texts of both operands of a comparison."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return []
    return [ast.unparse(test.left), ast.unparse(test.comparators[0])]
