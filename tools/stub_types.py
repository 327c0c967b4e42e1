"""Types as stubs write them, from the annotations in the sources."""

from __future__ import annotations

import ast
import builtins
import collections.abc
import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from twinoar import Tensor
from twinoar.core.op.definition import Op
from twinoar.core.values import Value

ANY, TENSOR, GIVEN = "Any", "twinoar.Tensor", "twinoar._TensorLike"
NUMPY = {"ndarray": "_numpy.ndarray[Any, Any]", "dtype": "_numpy.dtype[Any]"}


class Types:
    """Writes types by their full names, and notes the modules that these are in.

    homes: the public name of each class, by its identity. place: the module for whose stub they
    are written. pending: classes that are part of what is public without a name there; that stub
    defines them.
    """

    def __init__(self, homes: dict[int, str], place: str):
        self.homes, self.place = homes, place
        self.modules: set[str] = set()
        self.pending: list[tuple[str, type]] = []
        self.takes_private = False

    def named(self, full: str) -> str:
        """A full name, whose module must be imported."""
        self.modules.add(full.rpartition(".")[0])
        return full

    def of_class(self, found: type) -> str | None:
        """A class by its public name, or that of its nearest public base; None without one."""
        is_public = id(found) in self.homes
        if found is Value or (issubclass(found, Tensor) and not is_public):
            return self.named(TENSOR)
        is_private = found.__module__.startswith("twinoar") and not is_public
        if is_private and self.takes_private:
            name = f"_{found.__qualname__.replace('.', '_').lstrip('_')}"
            self.homes[id(found)] = f"{self.place}.{name}"
            self.pending.append((name, found))
        for each in found.__mro__[:-1]:
            if id(each) in self.homes:
                return self.named(self.homes[id(each)])
            if each.__module__ == "numpy" and each.__name__ in NUMPY:
                return NUMPY[each.__name__]
            root = each.__module__.partition(".")[0]
            if each is not found and each in (int, float, str, tuple, list, dict):
                return None
            if root == "numpy":
                return f"_{each.__module__}.{each.__qualname__}"
            if each.__module__ == "builtins" and not hasattr(builtins, each.__qualname__):
                return None
            if root in sys.stdlib_module_names:
                return self.named(f"{each.__module__}.{each.__qualname__}")
        return None

    def written(self, hint: Any, *, given: bool = False) -> str:
        """A type; `given` is that of an argument, where tensors stand for what becomes one."""
        if hint is None or hint is type(None):
            return "None"
        if hint is Any:
            return ANY
        if isinstance(hint, type) and not typing.get_args(hint):
            if given and (hint is Value or issubclass(hint, Tensor)):
                return self.named(GIVEN)
            if given and hint in (int, float, complex):
                return ANY  # numbers of NumPy, tensors and symbols are taken, too
            return self.of_class(hint) or ANY
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        if origin in (typing.Union, types.UnionType):
            parts = dict.fromkeys(self.written(a, given=given) for a in arguments)
            if TENSOR in parts and all(TENSOR in part for part in parts):
                return self.named(TENSOR)  # or several, for which it passes where they are unpacked
            return ANY if ANY in parts else " | ".join(parts)
        if origin is typing.Literal:
            return f"Literal[{', '.join(map(repr, arguments))}]"
        if origin is collections.abc.Callable:
            return self._callable(arguments)
        if isinstance(origin, type):
            name = self.of_class(origin)
            if name is None or not arguments:
                return name or ANY
            inner = ["..." if a is ... else self.written(a, given=given) for a in arguments]
            return f"{name}[{', '.join(inner)}]"
        return ANY

    def _callable(self, arguments: tuple[Any, ...]) -> str:
        self.modules.add("collections.abc")
        taken, returned = arguments or (..., Any)
        if not isinstance(taken, list):
            return f"collections.abc.Callable[..., {self.written(returned)}]"
        listed = ", ".join(map(self.written, taken))
        return f"collections.abc.Callable[[{listed}], {self.written(returned)}]"


@cache
def _names_for_checkers(file: str) -> dict[str, Any]:
    """What a file imports for type checkers alone."""
    found: dict[str, Any] = {}
    for node in ast.parse(Path(file).read_text()).body:
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            imports = [n for n in node.body if isinstance(n, (ast.Import, ast.ImportFrom))]
            exec(compile(ast.Module(imports, []), file, "exec"), found)
    return found


def hint_of(annotation: Any, names: Mapping[str, Any]) -> Any:
    """An annotation of a function or class whose globals are `names`; Any where it has none."""
    if not isinstance(annotation, str):
        return Any if annotation is inspect.Parameter.empty else annotation
    file = names.get("__file__")
    space = {**vars(builtins), **(_names_for_checkers(file) if file else {}), **names}
    return eval(annotation, space)


def operator_behind(function: Any) -> Op | None:
    """The operator that a function or method calls, or is; None for another."""
    plain = inspect.unwrap(function)
    found = getattr(plain, "op", plain)
    return found if isinstance(found, Op) else None


def returned_by(function: Callable[..., Any], owner: type | None = None) -> Any:
    """What a function returns: by its annotation, else what the functions return it ends in."""
    operator = operator_behind(function)
    plain = operator.definition if operator else inspect.unwrap(function)
    if not inspect.isfunction(plain):
        return Any
    said = hint_of(plain.__annotations__.get("return", Any), plain.__globals__)
    if said is not Any:
        return said
    found = [_value(e, plain.__globals__, owner) for e in _returns(plain)]
    return found[0] if found and all(hint is found[0] for hint in found) else Any


def _returns(function: Callable[..., Any]) -> Iterable[ast.expr | None]:
    try:
        lines = inspect.getsource(function)
    except (OSError, TypeError):
        return []
    (tree,) = ast.parse(inspect.cleandoc("\n" + lines)).body
    return [node.value for node in ast.walk(tree) if isinstance(node, ast.Return)]


def _value(e: ast.expr | None, names: Mapping[str, Any], owner: type | None) -> Any:
    """The type of an expression: a call of what is known in `names`, or of a method of `owner`."""
    if not isinstance(e, ast.Call):
        return Any
    called: Any = e.func
    path = []
    while isinstance(called, ast.Attribute):
        path.insert(0, called.attr)
        called = called.value
    if not isinstance(called, ast.Name):
        return Any
    found: Any = owner if called.id == "self" else names.get(called.id)
    for name in path:
        found = getattr(found, name, None)
    if isinstance(found, type):
        return found
    return returned_by(found, owner) if callable(found) else Any
