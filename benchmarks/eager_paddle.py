"""The eager works for a framework with Paddle's API: `eager_paddle.py twinoar` or `... paddle`."""

from __future__ import annotations

import importlib
import sys

from turns import serve

CHAIN = 100

name = sys.argv[1]
paddle = importlib.import_module(name)
paddle.set_device("cpu")
x = paddle.rand([4, 4], dtype="float32")
y = paddle.rand([4, 4], dtype="float32")
x.stop_gradient = False


def add() -> object:
    return x + y


def chain() -> None:
    out = x
    for _ in range(CHAIN):
        out = out + y
    out.sum().backward()
    x.clear_grad()


serve(name, {"add": lambda: add, "chain": lambda: chain})
