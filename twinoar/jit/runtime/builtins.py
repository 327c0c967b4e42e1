"""Builtin and library functions that mean something else where a Program is built."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from twinoar.core.dim import SymbolicDim
from twinoar.core.interpreter import current
from twinoar.core.ir.program import Variable
from twinoar.core.tree import flatten
from twinoar.core.values import Value
from twinoar.eager.tensor import Tensor
from twinoar.errors import ConversionError
from twinoar.jit.runtime.calls import PACKAGES, call, in_place_of, in_place_of_methods, kept
from twinoar.jit.runtime.iterators import draws
from twinoar.jit.runtime.lists import method_of, stack_of
from twinoar.jit.runtime.logic import asked_in_turn
from twinoar.jit.runtime.numbers import is_symbolic
from twinoar.jit.runtime.output import of_text
from twinoar.jit.runtime.truth import (
    all_true,
    any_true,
    condition,
    hashed,
    is_number_of_a_run,
)
from twinoar.jit.runtime.undecided import require_decided
from twinoar.jit.runtime.undefined import defined
from twinoar.ops.control.branch_and_loop import cond, while_loop
from twinoar.ops.control.number import Number

HOST = (
    "use operators, or run it on the host by static.py_func; "
    "what does not depend on tensors belongs outside the converted function"
)


@in_place_of(isinstance)
def isinstance_(x: Any, kinds: Any) -> bool:
    """`isinstance(x, kinds)`: a symbol is what it stands for."""
    x = defined(x)
    require_decided([x])
    return isinstance(x, kinds) or (is_symbolic(x) and issubclass(_stands_for(x), kinds))


@in_place_of(type)
def type_(x: Any, *rest: Any, **kwargs: Any) -> Any:
    """`type(x)`: of a symbol, what it stands for."""
    require_decided([x])
    return _stands_for(x) if not rest and is_symbolic(x) else type(x, *rest, **kwargs)


def _stands_for(x: Any) -> type:
    if isinstance(x, Number):
        return x.python_type
    return int if isinstance(x, SymbolicDim) else Tensor if isinstance(x, Variable) else type(x)


@in_place_of(all)
def all_(xs: Iterable) -> Any:
    """`all(xs)`; what follows a falsehood is not asked for."""
    return all_true(asked_in_turn(xs, "all"))


@in_place_of(any)
def any_(xs: Iterable) -> Any:
    """`any(xs)`; what follows a truth is not asked for."""
    return any_true(asked_in_turn(xs, "any"))


@in_place_of(map)
def map_(function: Any, *series: Iterable) -> Any:
    """`map(...)`, of the converted function."""
    return draws(map(call(function), *series), series)


@in_place_of(filter)
def filter_(function: Any, xs: Iterable) -> Any:
    """`filter(...)`, of the converted function; its answers are plain."""
    holds = call(function if function is not None else bool)

    def kept_item(x: Any) -> bool:
        decides = condition(holds(x))
        if isinstance(decides, Variable):
            raise ConversionError(
                "filter keeps items by a tensor: how many are left only a run knows",
                cure="keep all and multiply by a mask, or pick rows by x[mask]",
            )
        return bool(decides)

    return draws(filter(kept_item, xs), [xs])


@in_place_of(functools.reduce)
def reduce(function: Any, *args: Any) -> Any:
    """`functools.reduce(...)`, of the converted function."""
    return functools.reduce(call(function), *args)


@in_place_of(sorted)
def sorted_(xs: Iterable, *, key: Any = None, reverse: bool = False) -> list:
    """`sorted(...)`, by what is plain."""
    items = list(xs)
    order = _order(items, key, reverse)
    return [items[i] for i in order]


def _order(items: list, key: Any, reverse: bool) -> list[int]:
    ranks = items if key is None else [call(key)(x) for x in items]
    if any(map(is_symbolic, flatten(ranks)[0])):
        raise ConversionError(
            "a list is sorted by what only a run knows",
            cure="stack the keys, and take the order from paddle.argsort",
        )
    return sorted(range(len(items)), key=ranks.__getitem__, reverse=reverse)


@in_place_of_methods(str)
def of_string(method: Any) -> Callable:
    """`"...".format(x)` and the like."""
    return of_text(method) if not current().runs else method


@in_place_of_methods(list)
def of_list(method: Any) -> Callable:
    """`xs.sort(key=...)` and `xs.index(x)`; all methods of a list whose length only a run knows."""
    if stack_of(method.__self__) is not None:
        return method_of(method.__self__, method.__name__)
    if current().runs or method.__name__ not in ("sort", "index", "count", "remove"):
        found: Callable = kept(method)
        return found
    return functools.partial(_sort if method.__name__ == "sort" else _search, method)


def _sort(method: Any, *, key: Any = None, reverse: bool = False) -> None:
    items = list(method.__self__)
    order = {id(items[i]): place for place, i in enumerate(_order(items, key, reverse))}
    kept(method)(key=lambda x: order[id(x)])


def _search(method: Any, *args: Any) -> Any:
    if any(isinstance(x, (Value, SymbolicDim)) for x in (*args, *method.__self__)):
        raise ConversionError(
            f"{method.__name__} of a list compares tensors, whose truth only a run knows",
            cure="compare them in a loop, or keep positions as plain numbers",
        )
    return kept(method)(*args)


@in_place_of(set)
def set_(*items: Any) -> set:
    """`set(items)`."""
    return hashed(kept(set)(*items))


@in_place_of(frozenset)
def frozenset_(*items: Any) -> frozenset:
    """`frozenset(items)`."""
    return hashed(kept(frozenset)(*items))


@in_place_of(dict)
def dict_(*pairs: Any, **named: Any) -> dict:
    """`dict(pairs)`."""
    return hashed(kept(dict)(*pairs, **named))


@in_place_of(hash)
def hash_(x: Any) -> int:
    """`hash(x)`."""
    if is_number_of_a_run(x) and not current().runs:
        raise ConversionError(
            "the hash of a number that only a run knows is asked for",
            cure="pass the number as a plain argument, or compare numbers by ==",
        )
    return hash(x)


@in_place_of_methods(dict, set, frozenset)
def of_mapping(method: Any) -> Callable:
    """`d.get(k)` and the like: a number that only a run knows is no key."""

    def checked(*args: Any, **kwargs: Any) -> Any:
        if args and is_number_of_a_run(args[0]) and not current().runs:
            raise ConversionError(
                f"a number that only a run knows is the key in {method.__name__} of a "
                f"{type(method.__self__).__name__}",
                cure="compare it with the keys one by one, or pass it as a plain argument",
            )
        return kept(method)(*args, **kwargs)

    return checked


@in_place_of(cond)
def cond_(
    pred: Any,
    true_fn: Any = None,
    false_fn: Any = None,
    name: str | None = None,
    return_names: Any = None,
) -> Any:
    """`static.nn.cond`, of converted functions."""
    true, false = (None if f is None else call(f) for f in (true_fn, false_fn))
    return cond(condition(pred), true, false, name)


@in_place_of(while_loop)
def while_loop_(
    cond: Any, body: Any, loop_vars: Any, is_test: bool = False, name: str | None = None
) -> Any:
    """`static.nn.while_loop`, of converted functions."""
    return while_loop(call(cond), call(body), loop_vars, is_test, name)


def _of_numpy(function: Any) -> Callable | None:
    """A function of NumPy's, which has no tensors while a Program is built."""
    if current().runs or isinstance(function, type):
        return None

    @functools.wraps(function, updated=())
    def on_arrays(*args: Any, **kwargs: Any) -> Any:
        if any(isinstance(x, Value) for x in flatten((args, kwargs))[0]):
            raise ConversionError(
                f"NumPy's {function.__name__} is called on a tensor, whose data only a run knows",
                cure=HOST,
            )
        return kept(function)(*args, **kwargs)

    return on_arrays


PACKAGES["numpy"] = _of_numpy
