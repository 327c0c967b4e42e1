"""The one declaration of a public function around operators: `@function`.

A function that only writes arguments as users do, or joins a few operators, says in one line what
it is besides: a method, a function in place. What all of them have, a parameter `name`, other
spellings of keywords and what is said of a call that fails, is here.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypeVar, overload

from twinoar.core.keyword import parameters, with_name
from twinoar.core.op.explain import MISFITS, attach_call, explained, respelled_or_told
from twinoar.core.values import Value, placed
from twinoar.errors import TwinoarError
from twinoar.late import LateSignature

P = ParamSpec("P")
R = TypeVar("R", covariant=True)


class Named(Protocol[P, R]):
    """What `function` makes of a definition, for those who check types: it takes a name, too."""

    __name__: str

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...

    @overload
    def __call__(self, *args: Any, name: str | None, **kwargs: Any) -> R: ...


@overload
def function(definition: Callable[P, R]) -> Named[P, R]: ...


@overload
def function(
    *, method: bool | str = False, inplace: bool | Callable[..., Any] = False, named: bool = True
) -> Callable[[Callable[P, R]], Named[P, R]]: ...


def function(definition: Callable[..., Any] | None = None, **places: Any) -> Any:
    """Declare a public function, and where else users find it.

    It takes what the definition does, and `name`, which its result then has, unless the definition
    has a parameter of that name or says `named=False`. Keywords may be spelled, and calls that
    fail are told, as `explained` says.

    method, inplace: as `core.values.placed` takes them.
    """
    if definition is None:
        return functools.partial(_declared, **places)
    return _declared(definition)


def _declared(
    definition: Callable[..., Any],
    method: bool | str = False,
    inplace: bool | Callable[..., Any] = False,
    named: bool = True,
) -> Callable[..., Any]:
    has_name = not named or "name" in (parameters(definition) or ())
    made = explained(definition) if has_name else with_named_result(definition)
    return placed(made, method, inplace)


def with_named_result(definition: Callable[..., Any]) -> Callable[..., Any]:
    """`explained(definition)` with the parameter `name` more, as the last one."""
    code = definition.__code__
    by_keyword = code.co_kwonlyargcount or code.co_flags & inspect.CO_VARARGS
    most = sys.maxsize if by_keyword else code.co_argcount + 1

    @functools.wraps(definition)
    def call(*args: Any, name: str | None = None, **kwargs: Any) -> Any:
        try:
            out = definition(*args, **kwargs)
        except TwinoarError as error:
            attach_call(call, error, args, kwargs)
            raise
        except MISFITS as error:
            if len(args) == most and name is None:  # the last is the name
                again: Callable[[], Any] = functools.partial(
                    call, *args[:-1], name=args[-1], **kwargs
                )
            else:
                again = respelled_or_told(call, error, args, kwargs)
        else:
            return out if name is None else _renamed(out, name, args, kwargs)
        out = again()
        return out if name is None else _renamed(out, name, args, kwargs)

    signature = LateSignature(lambda: with_name(inspect.signature(definition)))
    call.__signature__ = signature  # type: ignore[attr-defined]
    call.respells = True  # type: ignore[attr-defined]
    return call


def _renamed(out: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`out`, under that name if it is one new tensor."""
    if isinstance(out, Value) and not any(out is x for x in (*args, *kwargs.values())):
        out.rename(name)
    return out
