"""Keywords that Paddle 3 takes besides its own: `input` for x, `dim` for axis, `alpha`, and `out`.

They are looked up where a call does not fit, so that calls that do pay next to nothing.
"""

from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from twinoar.core.interpreter import current
from twinoar.errors import TypeMismatchError

F = TypeVar("F", bound=Callable[..., Any])

# Each keyword, and the names of ours that it may stand for.
SPELLINGS: dict[str, tuple[str, ...]] = {
    "A": ("x",),
    "B": ("y",),
    "boundaries": ("sorted_sequence",),
    "dim": ("axis", "axes"),
    "dimension": ("axis",),
    "dims": ("axis", "repeat_times"),
    "dtype": ("shape_or_dtype",),
    "elements": ("x",),
    "end": ("stop",),
    "end_dim": ("stop_axis",),
    "eps": ("epsilon",),
    "exponent": ("y",),
    "from": ("min",),
    "indices": ("num_or_indices",),
    "indices_or_sections": ("num_or_indices",),
    "input": ("x", "values"),
    "lambd": ("threshold", "lam"),
    "m": ("num_columns",),
    "mat2": ("y",),
    "n": ("num_rows",),
    "obj": ("x",),
    "other": ("y",),
    "return_indices": ("return_mask",),
    "sections": ("num_or_indices",),
    "shape": ("shape_or_dtype",),
    "size": ("shape", "shape_or_dtype"),
    "source": ("value",),
    "start_dim": ("start_axis",),
    "steps": ("num",),
    "tensor": ("y",),
    "tensors": ("x",),
    "test_elements": ("test_x",),
    "to": ("max",),
    "vec2": ("y",),
}

OWN = {name for names in SPELLINGS.values() for name in names} - {"x"}
# Functions whose results are others elsewhere, where they are called with those keywords.
STRICT = frozenset({"max", "median", "min", "nanmedian", "sort", "split", "unique"})
# By module and name, the functions that serve calls with keywords that a function lacks.
WIDER: dict[tuple[str, str], Callable[..., Any]] = {}


def widens(function: Any) -> Callable[[F], F]:
    """Declare what serves those calls of `function`, or of an Op, that have keywords more."""

    def declare(wider: F) -> F:
        WIDER[_key(function)] = wider
        return wider

    return declare


def wider_than(function: Any) -> Callable[..., Any] | None:
    """What serves calls of `function`, or of an Op, with keywords that it lacks."""
    return WIDER.get(_key(function))


def _key(function: Any) -> tuple[str, str]:
    return function.__module__, function.__name__


def spelled_freely(function: F) -> F:
    """Declare that keywords may be those that `respelled` knows."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError:
            again = respelled(function, kwargs)
            if again is None:
                check_keywords(function, kwargs)
                raise
        return again(*args)

    return call  # type: ignore[return-value]  # it has the signature of `function`


def check_keywords(function: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Raise TypeMismatchError, with near names, for keywords that `function` does not take."""
    names = parameters(function)
    unknown = [] if names is None else [k for k in given if k not in names and k not in SPELLINGS]
    if not unknown:
        return
    signature = inspect.signature(function)
    near = [n for k in unknown for n in difflib.get_close_matches(k, signature.parameters, 1, 0.5)]
    meant = f"{', '.join(near)} may be meant: " if near else ""
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    name = function.__name__
    raise TypeMismatchError(
        f"{name} has no argument {', '.join(unknown)}",
        cure=f"{meant}call it as {name}{inspect.Signature(bare)}",
    ) from None


def sizes_apart(function: F) -> F:
    """Declare that the first argument, a shape, may also be given as so many numbers."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) > 1 and isinstance(args[1], int):
            args = (list(args),)
        return function(*args, **kwargs)

    return call  # type: ignore[return-value]  # it has the signature of `function`


def respelled(function: Callable[..., Any], given: Mapping[str, Any]) -> Callable[..., Any] | None:
    """`function` with the keywords given in its own spelling; None where that changes nothing.

    Where it has no `out`, the keyword names a tensor, or several, that the results are put into.
    """
    names = parameters(function)
    if names is None or given.keys() <= names:
        return None
    wider = wider_than(function)
    if wider is not None and not (given.keys() - names).isdisjoint(parameters(wider) or ()):
        return respelled(wider, given) or functools.partial(wider, **given)
    found = dict(given)
    out = None if "out" in names else found.pop("out", None)
    for keyword in found.keys() - names:
        free = [n for n in SPELLINGS.get(keyword, ()) if n in names and n not in found]
        if not free or function.__name__ in STRICT:
            return None
        found[free[0]] = found.pop(keyword)
    call = functools.partial(function, **found)
    return call if out is None else functools.partial(_put_into, out, call)


def _put_into(out: Any, call: Callable[..., Any], *args: Any) -> Any:
    results = call(*args)
    several = isinstance(out, (list, tuple))
    pairs = zip(out, results, strict=True) if several else ((out, results),)
    for target, result in pairs:
        current().rebind(target, result)
    return out


def is_respelled(function: Callable[..., Any]) -> bool:
    """Whether keywords of `function`, beside those of its first operand, have other spellings."""
    if not inspect.isfunction(function) or hasattr(function, "respells"):
        return False
    return bool(wider_than(function)) or not OWN.isdisjoint(parameters(function) or ())


def with_name(signature: inspect.Signature) -> inspect.Signature:
    """A signature with `name=None` more; by keyword only, where others behind operands are."""
    plain, keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    kind = keyword if any(p.kind > plain for p in signature.parameters.values()) else plain
    named = inspect.Parameter("name", kind, default=None, annotation="str | None")
    return signature.replace(parameters=[*signature.parameters.values(), named])


@functools.cache
def parameters(function: Callable[..., Any]) -> frozenset[str] | None:
    """The names of what `function` takes by keyword; None where it takes any."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or code.co_flags & inspect.CO_VARKEYWORDS:
        return None
    return frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
