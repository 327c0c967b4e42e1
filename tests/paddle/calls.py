"""Reads `calls.txt`: the single calls that its lines stand for, and the public names in each.

A list on a line is so many calls, and a comprehension over names written out is one for each.
"""

from __future__ import annotations

import ast
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

LIST = Path(__file__).with_name("calls.txt")
OLDER = Path(__file__).with_name("older_calls.txt")  # for Paddle 2.6.2

SHORT = {
    "nn": "paddle.nn",
    "F": "paddle.nn.functional",
    "I": "paddle.nn.initializer",
    "T": "paddle.vision.transforms",
    "lr": "paddle.optimizer.lr",
    "static": "paddle.static",
}


def read_calls(text: str) -> list[str]:
    """The calls of a list of lines, each as one expression; those with # are comments."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [
        ast.unparse(call) for line in lines for call in single(ast.parse(line, mode="eval").body)
    ]


def single(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.List):
        for element in node.elts:
            yield from single(element)
    elif isinstance(node, ast.BinOp) and isinstance(node.right, (ast.List, ast.ListComp)):
        yield from single(node.left)
        yield from single(node.right)
    elif isinstance(node, ast.ListComp) and isinstance(node.generators[0].iter, ast.Tuple):
        for element in node.generators[0].iter.elts:
            yield from single(substituted(node.elt, node.generators[0].target, element))
    else:
        yield node


def substituted(node: ast.expr, target: ast.expr, value: ast.expr) -> ast.expr:
    """A copy of `node` in which the names in `target` are what `value` has for them."""
    if isinstance(target, ast.Tuple):
        assert isinstance(value, ast.Tuple), ast.unparse(value)
        named = zip(target.elts, value.elts, strict=True)
    else:
        named = zip([target], [value], strict=True)
    values = {ast.unparse(name): given for name, given in named}

    class Substitute(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            return values.get(name.id, name)

    copy = ast.parse(ast.unparse(node), mode="eval").body
    return Substitute().visit(copy)


def names_in(call: str, known: set[str]) -> list[str]:
    """The names among `known` that the call uses; an attribute of a value is one of a tensor."""
    found = set()
    for node in ast.walk(ast.parse(call, mode="eval")):
        if isinstance(node, ast.Attribute):
            path = ast.unparse(node).split(".")
            full = ".".join([SHORT.get(path[0], path[0]), *path[1:]])
            found.add(full if full in known else f"paddle.Tensor.{node.attr}")
    return sorted(found & known)


class Recorder:
    """What a call is written with, where arrays stand for tensors."""

    def __init__(self, call: str):
        self.random = np.random.RandomState(zlib.crc32(call.encode()))

    def array(self, *shape: int, dtype: str = "float32") -> np.ndarray:
        return np.asarray(self.random.standard_normal(shape)).astype(dtype)

    def ints(self, low: int, high: int, *shape: int, dtype: str = "int64") -> np.ndarray:
        return np.asarray(self.random.randint(low, high, shape)).astype(dtype)

    def u(self, low: float, high: float, *shape: int, dtype: str = "float32") -> np.ndarray:
        return np.asarray(self.random.uniform(low, high, shape)).astype(dtype)

    def bools(self, *shape: int) -> np.ndarray:
        return np.asarray(self.random.randint(0, 2, shape) > 0)

    def t(self, values: object, dtype: str | None = None) -> np.ndarray:
        made = np.asarray(values)
        floats = made.dtype == "float64" and dtype is None
        return made.astype("float32" if floats else dtype or made.dtype)


def arguments(text: str) -> Iterator[tuple[str, tuple, dict[str, object]]]:
    """Of the calls of a public function on fresh tensors and constants: its name, the arguments."""
    for call in read_calls(text):
        node = ast.parse(call, mode="eval").body
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        path = ast.unparse(node.func).split(".")
        if path[0] not in ("paddle", "F"):
            continue
        recorder = Recorder(call)
        names = {name: getattr(recorder, name) for name in ("array", "ints", "u", "bools", "t")}
        names |= {"x": recorder.array, "give": lambda *args, **kwargs: (args, kwargs)}
        node.func = ast.Name("give", ast.Load())
        try:
            args, kwargs = eval(ast.unparse(node), names)
        except (NameError, AttributeError):
            continue
        yield ".".join([SHORT.get(path[0], path[0]), *path[1:]]).partition(".")[2], args, kwargs
