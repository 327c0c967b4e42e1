"""How a user's function becomes an operator: its signature, its name, and whose name that is."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable
from typing import Any

from twinoar.core.op.definition import RESERVED, Op, registry
from twinoar.core.values import Value
from twinoar.errors import (
    ArgumentError,
    DTypeError,
    SourceLine,
    TwinoarError,
    TypeMismatchError,
    is_users_file,
)

PLAIN = (bool, int, float, str)
TAKEN = RESERVED | {"asked", "nth", "present", "results", "spec"}  # names that rules ask for


class CustomOp(Op):
    """An operator of a user's; rules that were derived give way to those that are attached later.

    Pickled by where it stands, as functions are: reading it imports the module that defines it.
    """

    slopes: Any  # of a loop nest: the operator `<name>.slopes`, found by that name

    def __init__(self, definition: Callable[..., Any], **options: Any):
        self.derived: set[str] = set()
        super().__init__(definition, **options)

    def derive(self, **rules: Any) -> None:
        """Attach rules that were derived, where there are none."""
        for kind in rules.keys() - self.rules.keys():
            self.attach(kind, rules[kind])
            self.derived.add(kind)

    def attach(self, kind: str, rule: Any) -> Any:
        """Add the rule of one kind; a second one of that kind is refused."""
        if kind in self.derived:
            self.derived.discard(kind)
            del self.rules[kind]
        return super().attach(kind, rule)

    @property
    def derives_kernel(self) -> bool:  # type: ignore[override]
        """True where the NumPy kernel comes from the expression or the loop nest."""
        return "kernel" in self.derived

    @property
    def type(self) -> str:
        """The operator's own name, which in files is that of twinoar's operators."""
        return self.name

    def __reduce__(self) -> str:
        return self.definition.__qualname__


def with_types(function: Any, wanted: str | None = None) -> types.FunctionType:
    """`function` under the name that is `wanted`, annotated with what is operand, what attribute.

    A parameter without an annotation is an operand; with a plain default, an attribute of its type.
    Raises TypeMismatchError for what cannot be the signature of an operator.
    """
    if not isinstance(function, types.FunctionType):
        raise TypeMismatchError(
            f"an operator is defined by a function, received {type(function).__name__}",
            cure="write `def name(x, scale: float = 1.0): ...` below the decorator",
        )
    name = wanted or function.__name__
    if not name.isidentifier():
        raise ArgumentError(
            f"an operator's name is that of a Python function, received {name!r}",
            cure="define it with def, or pass name='my_operator'",
        )
    hints = _hints(name, function)
    found: dict[str, Any] = {}
    if taken := TAKEN & inspect.signature(function).parameters.keys():
        raise ArgumentError(
            f"operator {name}: the name {min(taken)} means something in rules",
            cure=f"give the parameter another name: {min(taken)}_",
        )
    for p in inspect.signature(function).parameters.values():
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD, p.POSITIONAL_ONLY):
            raise TypeMismatchError(
                f"operator {name}: the parameter {p} must be one operand or attribute",
                cure="name each; any number of tensors is one operand, `xs: Sequence[Tensor]`",
            )
        found[p.name] = hints[p.name] if p.name in hints else _by_default(name, p)
    copy = types.FunctionType(
        function.__code__, function.__globals__, name, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__, copy.__annotations__ = function.__kwdefaults__, found
    copy.__doc__, copy.__module__ = function.__doc__, function.__module__
    copy.__qualname__ = function.__qualname__
    return copy


def _hints(name: str, function: types.FunctionType) -> dict[str, Any]:
    """The annotations of the parameters, as what they stand for."""
    try:
        hints = typing.get_type_hints(function)
    except Exception as error:
        raise TypeMismatchError(
            f"operator {name}: an annotation cannot be read: {error}",
            cure="annotate operands as twinoar.Tensor, attributes as float, int, bool, str, ...",
        ) from error
    hints.pop("return", None)
    return hints


def _by_default(name: str, p: inspect.Parameter) -> Any:
    if p.default is p.empty:
        return Value
    if p.default is None:
        return Value | None
    if type(p.default) in PLAIN:
        return type(p.default)
    raise TypeMismatchError(
        f"operator {name}: the parameter {p} has no annotation",
        cure=f"annotate it, as in `{p.name}: tuple[int, ...] = {p.default!r}`",
    )


def register(made: Op, replace: bool = False) -> Op:
    """Let Programs and files find `made` by its name. Returns it.

    A definition takes the place of an earlier one of the same function, so that a notebook's cell
    may run again, and with `replace` of one from elsewhere. Raises ArgumentError for the name of an
    operator of twinoar's own, or of another user's function.
    """
    before = registry.get(made.name)
    if before is None:
        registry[made.name] = made
        return made
    if not isinstance(before, CustomOp):
        raise ArgumentError(
            f"twinoar has an operator {made.name} of its own",
            cure=f"choose another name: name='my_{made.name}'",
        )
    if not (replace or _place(before) == _place(made)):
        raise ArgumentError(
            f"there is already a custom operator {made.name}, defined in {_place(before)[0]}",
            cure="choose another name with name=, or say replace=True",
        )
    registry[made.name] = made
    return made


def _place(op: Op) -> tuple[str, str]:
    return op.definition.__module__, op.definition.__qualname__


class Rule:
    """A rule that is asked for what its parameters name: those of an operator, and more."""

    def __init__(self, *names: str):
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.__signature__ = inspect.Signature([inspect.Parameter(n, kind) for n in names])
        self.names = names

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.apply(**dict(zip(self.names, args, strict=False)), **kwargs)

    apply: Callable[..., Any]  # what the rule gives, from what it asks for


def parameters(op: Op) -> tuple[str, ...]:
    """The names of the operands and attributes of an operator."""
    return (*(o.name for o in op.operands), *op.attrs)


def refuse_complex(name: str, dtypes: typing.Iterable[Any]) -> None:
    """Raise DTypeError for complex numbers, which the loop language does not have."""
    if any(d is not None and d.is_complex for d in dtypes):
        raise DTypeError(
            "elements are real numbers, received complex ones",
            cure="compose it of operators that take complex numbers: custom.op",
        ).attach(name, ())


def operands_of(op: Op, given: dict[str, Any]) -> list[Any]:
    """The operands among what a rule is given, taken out of it; the variadic one is spread."""
    found: list[Any] = []
    for o in op.operands:
        x = given.pop(o.name)
        found += x if o.variadic else [x]
    return found


def run_rule(
    name: str, what: str, cure: str, rule: Callable[..., Any], *args: Any, **kwargs: Any
) -> Any:
    """What a user's rule returns; where it fails, the error names the operator and the line."""
    try:
        return rule(*args, **kwargs)
    except TwinoarError as error:
        raise error.attach(name, (), _line_of(error)) from error.__cause__
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        better = ArgumentError(f"its {what} failed with {said}", cure=cure)
        raise better.attach(name, (), _line_of(error)) from error


def _line_of(error: Exception) -> SourceLine | None:
    """The innermost line of the user's that an error passed through."""
    found, trace = None, error.__traceback__
    while trace is not None:
        if is_users_file(trace.tb_frame.f_code.co_filename):
            found = SourceLine(trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    return found
