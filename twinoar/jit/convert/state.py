"""Attributes, items and names from outside the function: reads are noted, changes journaled."""

from __future__ import annotations

import ast
import builtins
import re
import types
from collections.abc import Mapping
from typing import Any

from twinoar.jit.convert.names import PREFIX, assigned_names, declared, parameters
from twinoar.jit.convert.template import RUNTIME, Transformer, call_runtime

OUTSIDE = f"{PREFIX}outside"
OPERATIONS = {
    ast.Add: "iadd", ast.Sub: "isub", ast.Mult: "imul", ast.MatMult: "imatmul", ast.Div: "itruediv",
    ast.FloorDiv: "ifloordiv", ast.Mod: "imod", ast.Pow: "ipow", ast.LShift: "ilshift",
    ast.RShift: "irshift", ast.BitOr: "ior", ast.BitXor: "ixor", ast.BitAnd: "iand",
}  # fmt: skip
Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


class StateTransformer(Transformer):
    """a.b         ->   runtime.attribute(a, "b")
    a[i]           ->   runtime.item(a, i)
    a.b = a[i] = v ->   runtime.changed(a).b = runtime.changed(a)[i] = v
    n += v         ->   n = runtime.in_place("iadd", n, v)

    A name that the function finds outside itself is an attribute of OUTSIDE first. It comes after
    all others, so these see the syntax as the user wrote it.
    """

    def __init__(self, function: types.FunctionType):
        super().__init__()
        self.names: Mapping[str, Any] = function.__globals__
        self.cells = set(function.__code__.co_freevars)
        self.mangled = {
            re.sub("^_[^_]\\w*?(?=__)", "", n): n
            for n in function.__code__.co_names
            if re.fullmatch("_[^_]\\w*?__\\w*[^_]_?", n)
        }
        self.scopes: list[set[str]] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        """Its decorators and defaults belong to the scope around it; annotations stay."""
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        self._visit_defaults(node.args)
        self.scopes.append(_bound(node))
        node.body = self._visit_all(node.body)
        self.scopes.pop()
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        """A scope of its parameters."""
        self._visit_defaults(node.args)
        self.scopes.append(set(parameters(node)))
        node.body = self.visit(node.body)
        self.scopes.pop()
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        """A scope of its own, which its methods do not see."""
        node.bases, node.keywords = self._visit_all(node.bases), self._visit_all(node.keywords)
        node.decorator_list = self._visit_all(node.decorator_list)
        own = set(assigned_names(node.body))
        for i, statement in enumerate(node.body):
            is_method = isinstance(statement, ast.FunctionDef)
            self.scopes.append(set() if is_method else own)
            node.body[i] = self.visit(statement)
            self.scopes.pop()
        return node

    def _visit_comprehension(self, node: Comprehension) -> ast.expr:
        """A scope of its targets; the first iterable stands outside it."""
        first = node.generators[0]
        first.iter = self.visit(first.iter)
        targets = [g.target for g in node.generators]
        self.scopes.append({n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)})
        for g in node.generators:
            g.target = self.visit(g.target)
            g.ifs = [self.visit(test) for test in g.ifs]
            if g is not first:
                g.iter = self.visit(g.iter)
        if isinstance(node, ast.DictComp):
            node.key, node.value = self.visit(node.key), self.visit(node.value)
        else:
            node.elt = self.visit(node.elt)
        self.scopes.pop()
        return node

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = _visit_comprehension

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        """Patterns are no expressions."""
        if node.guard is not None:
            node.guard = self.visit(node.guard)
        node.body = self._visit_all(node.body)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """Annotations inside functions are not evaluated."""
        node.target = self.visit(node.target)
        if node.value is not None:
            node.value = self.visit(node.value)
        if not isinstance(node.target, ast.Name):
            node.simple = 0
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """n   ->   OUTSIDE.n, read or changed as attributes are; a local name stays."""
        return self._name(node, whole=True)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Convert a read, or what is assigned or deleted."""
        return self._attribute(node, whole=True)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Convert a read, or what is assigned or deleted."""
        return self._item(node, whole=True)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """Lists and the like change in place; attributes and items are read and assigned."""
        value = self.visit(node.value)
        if not isinstance(node.target, ast.Name) or self._is_outside(node.target.id):
            node.target, node.value = self.visit(node.target), value
            return node
        name = node.target.id
        operation = ast.Constant(OPERATIONS[type(node.op)])
        made = call_runtime("in_place", operation, name, value)
        assign = ast.Assign([ast.Name(name, ast.Store())], made)
        return self.placed([assign], node)[0]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Of what is called only what it is counts: `runtime.call` looks at it."""
        if _is_runtimes(node.func, "call"):
            node.args = [self._receiver(a) for a in node.args]
        else:
            self.generic_visit(node)
        return node

    def _receiver(self, node: ast.expr) -> ast.expr:
        """An expression of which only an attribute or item is used next."""
        if isinstance(node, ast.Name):
            return self._name(node, whole=False)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, whole=False)
        if isinstance(node, ast.Subscript):
            return self._item(node, whole=False)
        visited: ast.expr = self.visit(node)
        return visited

    def _name(self, node: ast.Name, whole: bool) -> ast.expr:
        if not self._is_outside(node.id):
            return node
        outside = ast.Name(OUTSIDE, ast.Load())
        return self._attribute_of(outside, node.id, node, whole)

    def _attribute(self, node: ast.Attribute, whole: bool) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id.startswith(PREFIX):
            return node
        name = self.mangled.get(node.attr, node.attr)
        return self._attribute_of(self._receiver(node.value), name, node, whole)

    def _attribute_of(self, holder: ast.expr, name: str, node: Any, whole: bool) -> ast.expr:
        if isinstance(node.ctx, ast.Load):
            parts = (ast.Constant(name), *_flag(whole))
            return self.placed_expression(call_runtime("attribute", holder, *parts), node)
        made = ast.Attribute(call_runtime("changed", holder), name, node.ctx)
        return self.placed_expression(made, node)

    def _item(self, node: ast.Subscript, whole: bool) -> ast.expr:
        key = node.slice
        parts = key.elts if isinstance(key, ast.Tuple) else [key]
        node.slice = self.visit(key)
        if not isinstance(node.ctx, ast.Load):
            node.value = self.placed_expression(
                call_runtime("changed", self._receiver(node.value)), node.value
            )
            return node
        if any(isinstance(p, (ast.Slice, ast.Starred)) for p in parts):
            node.value = self.visit(node.value)
            return node
        holder = self._receiver(node.value)
        return self.placed_expression(call_runtime("item", holder, node.slice, *_flag(whole)), node)

    def _is_outside(self, name: str) -> bool:
        """True for a global that is no module, and for a variable of a function around."""
        if name.startswith((PREFIX, "__")) or any(name in bound for bound in self.scopes):
            return False
        if name in self.cells:
            return True
        return not self._is_builtin(name) and not isinstance(self.names.get(name), types.ModuleType)

    def _is_builtin(self, name: str) -> bool:
        bound = any(name in scope for scope in self.scopes) or name in self.cells
        return hasattr(builtins, name) and name not in self.names and not bound

    def _visit_defaults(self, arguments: ast.arguments) -> None:
        arguments.defaults = [self.visit(d) for d in arguments.defaults]
        arguments.kw_defaults = [d and self.visit(d) for d in arguments.kw_defaults]

    def _visit_all(self, nodes: list[Any]) -> list[Any]:
        return [self.visit(node) for node in nodes]


def _is_runtimes(node: ast.expr, name: str) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == name
        and isinstance(node.value, ast.Name)
        and node.value.id == RUNTIME
    )


def _flag(whole: bool) -> tuple[ast.expr, ...]:
    return () if whole else (ast.Constant(False),)


def _bound(function: ast.FunctionDef) -> set[str]:
    """The names that are local to a function."""
    elsewhere = declared(function, ast.Global) | declared(function, ast.Nonlocal)
    return {*assigned_names(function.body), *parameters(function)} - elsewhere
