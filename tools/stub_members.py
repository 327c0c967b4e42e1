"""What a stub says of one public name: a function, a class with its members, a constant."""

from __future__ import annotations

import ast
import enum
import functools
import inspect
import keyword
import textwrap
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from stub_types import ANY, TENSOR, Types, hint_of, operator_behind, returned_by

from twinoar import Tensor
from twinoar.core.keyword import SPELLINGS, is_respelled, wider_than
from twinoar.core.op.definition import Op
from twinoar.core.values import INPLACE, LateMethod, Value
from twinoar.nn import Layer
from twinoar.nn.function_layer import FunctionLayer

SHOWN = {
    "__init__", "__call__", "__getattr__", "__getitem__", "__setitem__", "__delitem__", "__len__",
    "__iter__", "__next__", "__contains__", "__enter__", "__exit__", "__bool__", "__int__",
    "__float__", "__index__", "__complex__", "__array__", "__eq__", "__ne__", "__lt__", "__le__",
    "__gt__", "__ge__", "__neg__", "__pos__", "__abs__", "__invert__", "__reversed__",
    *(f"__{side}{name}__" for side in ("", "r", "i") for name in (
        "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
        "lshift", "rshift")),
}  # fmt: skip
SPELLING = {
    "twinoar.core.keyword",
    "twinoar.core.op.explain",
    "twinoar.core.op.function",
}  # what they wrap takes more keywords
EMPTY = inspect.Parameter.empty
SAME = "  # type: ignore[override]"


class Writer:
    """Writes the stub of the module `place`."""

    def __init__(self, types: Types, place: str):
        self.types, self.place = types, place
        self.public = set(types.homes)

    def member(self, name: str, value: Any) -> str:
        """The statement that makes `name` known."""
        if isinstance(value, ModuleType):
            return self._module(name, value)
        home = self.types.homes.get(id(value))
        if home is not None and home != f"{self.place}.{name}":
            module, _, own = home.rpartition(".")
            if module == self.place:
                return f"{name} = {own}\n"
            return f"from {module} import {own} as {name}\n"
        if inspect.isclass(value):
            return self.class_(name, value)
        if inspect.isroutine(value):
            return self.function(name, value)
        return f"{name}: {self.types.written(type(value))}\n"

    def _module(self, name: str, module: ModuleType) -> str:
        parent, _, own = module.__name__.rpartition(".")
        if not module.__name__.startswith("twinoar"):
            return f"import {module.__name__} as {name}\n"
        return f"from {'.' if parent == self.place else parent} import {own} as {name}\n"

    def function(self, name: str, value: Any, owner: type | None = None, indent: str = "") -> str:
        """A function, or a method; with overloads where keywords have other spellings."""
        kind, plain = _unbound(value)
        returned = self._returned(name, plain, owner)
        listed = self._parameters(plain, kind if owner is not None else "function")
        head = f"{indent}@{kind}\n" if kind in ("staticmethod", "classmethod") else ""
        ignored = SAME if owner is not None and name in ("__eq__", "__ne__") else ""
        body = _doc(plain, indent + "    ") or f" ...{ignored}"
        one = f"{head}{indent}def {name}({listed}) -> {returned}:{body}\n"
        others = self._spelled_otherwise(plain, owner is Tensor)
        if others is None:
            return one
        first = "self, " if owner is not None and not head else ""
        other = f"{head}{indent}def {name}({first}*args: {ANY}, {others}) -> {returned}: ...\n"
        return f"{indent}@overload\n{one}{indent}@overload\n{other}"

    def _returned(self, name: str, plain: Any, owner: type | None) -> str:
        if name.endswith("_") and INPLACE.get(name) is plain:
            return self.types.named(TENSOR)
        if name == "__init__":
            return "None"
        self.types.takes_private = owner is None or id(owner) in self.public
        returned = self.types.written(returned_by(plain, owner))
        self.types.takes_private = False
        return returned

    def _parameters(self, plain: Any, kind: str) -> str:
        if INPLACE.get(getattr(plain, "__name__", "")) is plain:
            plain = inspect.getclosurevars(plain).nonlocals["compute"]
        operator = operator_behind(plain)
        try:
            signature = operator.__signature__ if operator else inspect.signature(plain)
        except (TypeError, ValueError):
            return "*args: Any, **kwargs: Any"
        names = _globals(plain)
        written, kinds = [], [p.kind for p in signature.parameters.values()]
        for number, p in enumerate(signature.parameters.values()):
            if number == 0 and kind not in ("function", "staticmethod"):
                written.append("cls" if kind == "classmethod" else "self")
                if p.kind is p.POSITIONAL_ONLY and kinds[1:2] != [p.POSITIONAL_ONLY]:
                    written.append("/")
                continue
            if p.kind is p.KEYWORD_ONLY and not {p.KEYWORD_ONLY, p.VAR_POSITIONAL} & set(
                kinds[:number]
            ):
                written.append("*")
            written.append(self._parameter(p, names))
            if p.kind is p.POSITIONAL_ONLY and kinds[number + 1 : number + 2] != [p.kind]:
                written.append("/")
        return ", ".join(written)

    def _parameter(self, p: inspect.Parameter, names: dict[str, Any]) -> str:
        stars = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        hint = hint_of(p.annotation, names)
        text = self.types.written(hint, given=True)
        if p.default is None and text not in (ANY, "None") and "None" not in text.split(" | "):
            text = f"{text} | None"
        default = "" if p.default is EMPTY else f" = {_default(p.default)}"
        return f"{stars}{p.name}: {text}{default}"

    def _spelled_otherwise(self, plain: Any, is_method: bool) -> str | None:
        """All keywords of a function that takes those of Paddle 3, too; None for another.

        A method of tensors, whose first argument nobody names, must have others of them.
        """
        operator = operator_behind(plain)
        is_free = getattr(plain, "__globals__", {}).get("__name__") in SPELLING
        is_free = is_free and not (is_method and not is_respelled(inspect.unwrap(plain)))
        if operator is None and not is_free:
            return None
        signature = operator.__signature__ if operator else inspect.signature(plain)
        names = list(signature.parameters)
        own = set(names)
        more = [k for k, meant in SPELLINGS.items() if own & set(meant) and k not in own]
        wider = wider_than(operator or inspect.unwrap(plain))
        more += [n for n in inspect.signature(wider).parameters if n not in own] if wider else []
        keywords = dict.fromkeys(k for k in [*names, *more, "out"] if not keyword.iskeyword(k))
        variadic = {p.name for p in signature.parameters.values() if p.kind is p.VAR_POSITIONAL}
        return ", ".join(f"{k}: {ANY} = ..." for k in keywords if k not in {"self", *variadic})

    def class_(self, name: str, cls: type) -> str:
        bases, merged = self._bases(cls)
        is_named_tuple = issubclass(cls, tuple) and hasattr(cls, "_fields")
        lines = [_doc(cls, "    ").removeprefix("\n") + "\n"] if _doc(cls, "    ") else []
        done = set(cls._fields) if is_named_tuple else set()  # type: ignore[attr-defined]
        if is_named_tuple:
            bases = [self.types.named("typing.NamedTuple")]
            hints = _annotations(cls)
            lines += [f"    {n}: {self.types.written(hints.get(n, Any))}\n" for n in cls._fields]  # type: ignore[attr-defined]
        done |= {"function"} if issubclass(cls, FunctionLayer) else set()
        for each in merged:
            for member, value in list(vars(each).items()):
                if member in done or (member[0] == "_" and member not in SHOWN):
                    continue
                done.add(member)
                lines.append(self._member_of_class(cls, member, value))
        if (
            "__init__" not in done
            and not is_named_tuple
            and cls.__init__ is object.__init__
            and "__new__" in vars(cls)
        ):  # type: ignore[misc]
            lines.append(f"    def __init__(self, *args: {ANY}, **kwargs: {ANY}) -> None: ...\n")
        lines += self._attributes(cls, merged, done)
        lines += self._call_of_layer(cls, merged, done)
        head = f"class {name}({', '.join(bases)}):" if bases else f"class {name}:"
        return f"{head}\n{''.join(lines)}" if any(lines) else f"{head} ...\n"

    def _bases(self, cls: type) -> tuple[list[str], list[type]]:
        """The public bases, and the classes whose members are those of this one."""
        if issubclass(cls, enum.Enum):
            return [
                self.types.named(
                    f"enum.{cls.__mro__[1].__name__}"
                    if cls.__mro__[1].__module__ == "enum"
                    else "enum.Enum"
                )
            ], [cls]
        if cls is not Tensor and issubclass(cls, Value) and not issubclass(cls, Tensor):
            merged = [k for k in cls.__mro__ if k not in Value.__mro__]
            return [self.types.named(TENSOR)], merged
        public, merged = [], [cls]
        covered: set[type] = {object}
        for each in cls.__mro__[1:]:
            if each in covered:
                continue
            root = each.__module__.partition(".")[0]
            if root != "twinoar" or id(each) in self.types.homes:
                covered |= set(each.__mro__)
                text = self.types.of_class(each)
                if text is not None and each.__module__ not in ("typing", "abc"):
                    public.append(text)
            else:
                merged.append(each)
        return public, merged

    def _member_of_class(self, cls: type, name: str, value: Any) -> str:
        if isinstance(value, LateMethod):
            value = value.__get__(None, cls)
        if hasattr(value, "stands_for"):  # a method of a dataclass that is made late
            value = value.stands_for()
        if isinstance(value, (property, functools.cached_property)):
            getter = value.fget if isinstance(value, property) else value.func
            returned = self.types.written(returned_by(getter, cls))
            doc = _doc(getter, " " * 8) or " ..."
            text = f"    @property\n    def {name}(self) -> {returned}:{doc}\n"
            if getattr(value, "fset", None) or isinstance(value, functools.cached_property):
                text += f"    @{name}.setter\n    def {name}(self, value: {ANY}) -> None: ...\n"
            return text
        if (
            isinstance(value, (staticmethod, classmethod))
            or inspect.isroutine(value)
            or isinstance(value, Op)
        ):
            if isinstance(value, Op):
                value = value.public
            return self.function(name, value, cls, "    ")
        if isinstance(value, enum.Enum):
            return (
                f"    {name} = {value.value!r}\n"
                if isinstance(value.value, (int, str))
                else f"    {name} = ...\n"
            )
        if inspect.isclass(value):
            return f"    {name}: Any\n"
        if name.startswith("__"):
            return ""
        hint = _annotations(cls).get(name, type(value))
        return f"    {name}: {self._attribute(hint)}\n"

    def _attribute(self, hint: Any) -> str:
        return (
            ANY
            if hint in (type(None), object) or inspect.ismemberdescriptor(hint)
            else self.types.written(hint)
        )

    def _attributes(self, cls: type, merged: list[type], done: set[str]) -> Iterator[str]:
        """What instances have: annotated in the class, or assigned by its methods."""
        if issubclass(cls, enum.Enum):
            return
        for each in merged:
            for name, hint in {**_assigned(each), **_kept(each), **_annotations(each)}.items():
                if name not in done and name[0] != "_":
                    done.add(name)
                    yield f"    {name}: {self.types.written(hint)}\n"

    def _call_of_layer(self, cls: type, merged: list[type], done: set[str]) -> Iterator[str]:
        """What calling a layer gives is what its `forward` does."""
        own = any("forward" in vars(each) for each in merged)
        if issubclass(cls, Layer) and own and "__call__" not in done:
            returned = self.types.written(returned_by(cls.forward, cls))
            if returned != ANY:
                taken = f"self, *inputs: {ANY}, **kwargs: {ANY}"
                yield f"    def __call__({taken}) -> {returned}: ...\n"


def _unbound(value: Any) -> tuple[str, Any]:
    for kind in (staticmethod, classmethod):
        if isinstance(value, kind):
            return kind.__name__, value.__func__
    return "method", value


def _globals(plain: Any) -> dict[str, Any]:
    operator = operator_behind(plain)
    if operator is not None:
        plain = wider_than(operator) or operator.definition
    of = getattr(plain, "arguments_of", None)  # the function that a layer is
    return _globals(of) if of else getattr(inspect.unwrap(plain), "__globals__", {})


def _annotations(cls: type) -> dict[str, Any]:
    module = inspect.getmodule(cls)
    names = vars(module) if module else {}
    return {k: hint_of(v, names) for k, v in vars(cls).get("__annotations__", {}).items()}


def _assigned(cls: type) -> dict[str, Any]:
    """The attributes that methods give to `self`, with their types as far as these are said."""
    found: dict[str, Any] = {}
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    except (OSError, TypeError):
        return found
    module = inspect.getmodule(cls)
    names = vars(module) if module else {}
    for function in (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)):
        given = {a.arg: a.annotation for a in (*function.args.args, *function.args.kwonlyargs)}
        for node in ast.walk(function):
            for target, value, said in _targets(node):
                hint = said or (given.get(value.id) if isinstance(value, ast.Name) else None)
                known = _evaluated(hint, names) if hint is not None else Any
                if known is Any and isinstance(value, ast.Call):
                    known = _made(value, cls)
                found.setdefault(target, known)
    return found


def _kept(cls: type) -> dict[str, Any]:
    """The attributes of a layer that keeps the arguments of its function, with their types."""
    of = getattr(vars(cls).get("__init__"), "arguments_of", None)
    if of is None:
        return {}
    assert issubclass(cls, FunctionLayer)
    how, names = cls._keeping, _globals(of)
    return {how.attribute(p.name): hint_of(p.annotation, names) for p in how.parameters(of)}


def _evaluated(annotation: ast.expr, names: dict[str, Any]) -> Any:
    """An annotation that Python does not evaluate itself; Any for what it could not."""
    try:
        return hint_of(ast.unparse(annotation), names)
    except (NameError, TypeError):
        return Any


def _targets(node: ast.AST) -> Iterator[tuple[str, ast.expr | None, ast.expr | None]]:
    """The attributes of self that a statement assigns: name, value, annotation."""
    if isinstance(node, ast.AnnAssign):
        pairs: list[tuple[ast.expr, ast.expr | None]] = [(node.target, node.value)]
    elif isinstance(node, ast.Assign):
        pairs = []
        for target in node.targets:
            several = isinstance(target, ast.Tuple)
            values = node.value.elts if isinstance(node.value, ast.Tuple) else None
            if several and values is not None and len(values) == len(target.elts):  # type: ignore[attr-defined]
                pairs += zip(target.elts, values, strict=True)  # type: ignore[attr-defined]
            elif several:
                pairs += [(t, None) for t in target.elts]  # type: ignore[attr-defined]
            else:
                pairs.append((target, node.value))
    else:
        return
    for target, value in pairs:
        if isinstance(target, ast.Attribute) and getattr(target.value, "id", "") == "self":
            yield target.attr, value, getattr(node, "annotation", None)


def _made(call: ast.Call, cls: type) -> Any:
    """What a call of a method of the class returns."""
    if isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", "") == "self":
        method = getattr(cls, call.func.attr, None)
        if inspect.isfunction(method):
            return returned_by(method, cls)
    return Any


def _default(value: Any) -> str:
    plain = value is None or isinstance(value, (bool, str)) or type(value) is int
    return repr(value) if plain and len(repr(value)) < 30 else "..."


def _doc(value: Any, indent: str) -> str:
    """The first line of a docstring, as the body of a stub."""
    text = (getattr(value, "__doc__", None) or "").strip().split("\n\n")[0]
    first = " ".join(text.split()).split(". ")[0].replace("\\", "\\\\").replace('"', "'")
    return f'\n{indent}"""{first}"""' if first else ""
