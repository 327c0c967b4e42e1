"""A row of a table becomes a function of Paddle 1.x.

A row is the name and arguments of 1.x, an arrow, and the call; then, where that is a helper of
ours, what a user writes today:

    brelu(x, t_min=0.0, t_max=24.0, name=None) -> paddle.clip(x, t_min, t_max)
    mul(x, y, x_num_col_dims=1, y_num_col_dims=1, name=None)
        -> fc_mul(x, y, x_num_col_dims, y_num_col_dims)  # paddle.matmul(x, y)

`name` names the result `<name>.tmp_0`. Other arguments that the call does not mention mean the same
in all rows: `act`, the name of an activation, is applied to the result; `out`, `cond` and `output`
are Variables that take it; HINTS were hints to the machine, and change nothing.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.ir.program import Variable
from twinoar.core.tree import map_leaves
from twinoar.core.values import Value
from twinoar.errors import ArgumentError
from twinoar.fluid.mode import begins_static
from twinoar.ops.shape.reshape import reshape

TARGETS = ("out", "cond", "output")
HINTS = frozenset({"force_cpu", "inplace", "is_distributed", "is_sparse", "overwrite", "use_cudnn"})
ACTIVATIONS: dict[str, Callable[..., Any]] = {}


def define(space: dict[str, Any], table: str) -> list[str]:
    """Put a function for each row of `table` into `space`, where its call is evaluated too.

    Returns the names.
    """
    names = []
    space["_finished"] = finished
    for row in rows(table):
        signature, _, call = row.partition(" -> ")
        call, _, modern = call.partition(" # ")
        name = signature.partition("(")[0]
        exec(compile(_source(signature, call), f"<twinoar fluid.layers.{name}>", "exec"), space)
        function = space[name]
        function.__module__ = "paddle.fluid.layers"
        space[name] = begins_static(function)
        space[name].__doc__ = f"{_meaning(call, space)}\n\nModern spelling: `{modern or call}`."
        names.append(name)
    return names


def rows(table: str) -> Iterator[str]:
    """The rows of a table; lines that are indented go on with the row above."""
    joined: list[str] = []
    for line in table.strip().splitlines():
        if line.startswith(" "):
            joined[-1] += " " + line.strip()
        elif line:
            joined.append(line)
    return iter(joined)


def _source(signature: str, call: str) -> str:
    arguments = [a.arg for a in ast.parse(f"def {signature}: ...").body[0].args.args]  # type: ignore[attr-defined]
    mentioned = {n.id for n in ast.walk(ast.parse(call)) if isinstance(n, ast.Name)}
    left = [a for a in arguments if a == "name" or a not in mentioned | HINTS]
    assert not {*left} - {"act", "name", *TARGETS}, f"{signature} does not use {left}"
    given = ", ".join(f"{'out' if a in TARGETS else a}={a}" for a in left)
    return (
        f"def {signature}:\n"
        f"    result = {call}\n"
        f"    return _finished(result{', ' if given else ''}{given})\n"
    )


def _meaning(call: str, space: dict[str, Any]) -> str:
    """The first sentence of what is called."""
    outermost = ast.parse(call, mode="eval").body
    while isinstance(outermost, ast.IfExp):
        outermost = outermost.body
    assert isinstance(outermost, ast.Call), f"what is called first: {call}"
    found = eval(ast.unparse(outermost.func), space)
    return (inspect.getdoc(found) or "").partition("\n\n")[0].replace("\n", " ")


def finished(result: Any, act: Any = None, name: str | None = None, out: Any = None) -> Any:
    """What a function of 1.x returns, made of the result of the modern call.

    1.x has no tensors without dimensions: where the modern result has the shape [], it is [1].
    """
    if isinstance(result, (list, tuple)):
        return map_leaves(lambda x: finished(x, name=name), result)
    if not isinstance(result, Value):
        return result
    if not result.ndim:
        result = reshape(result, [1])
    named(result, name)
    if act is not None:
        result = named(activated(result, act), name)
    if out is None:
        return result
    current().rebind(out, result)
    return out


def named(result: Any, name: str | None) -> Any:
    """The result of an operator, called `<name>.tmp_0`, or with the next free number."""
    if name is not None and isinstance(result, Variable) and result.producer is not None:
        assert result.home is not None
        result.name = result.home.names.fresh(f"{name}.tmp_")
    return result


def activated(x: Any, act: Any) -> Any:
    """`act(x)`: the name of an activation of 1.x, or a dict of its name, "type", and arguments.

    Raises ArgumentError for another name.
    """
    if act is None:
        return x
    options = dict(act) if isinstance(act, dict) else {"type": act}
    kind = options.pop("type", None)
    if kind not in ACTIVATIONS:
        raise ArgumentError(
            f"there is no activation {kind!r}", cure=f"choose one of {', '.join(ACTIVATIONS)}"
        )
    return ACTIVATIONS[kind](x, **options)
