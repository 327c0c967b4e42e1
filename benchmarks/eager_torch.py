"""The eager works for torch."""

from __future__ import annotations

import torch
from turns import THREADS, serve

CHAIN = 100

torch.set_num_threads(THREADS)
x = torch.rand(4, 4, dtype=torch.float32, requires_grad=True)
y = torch.rand(4, 4, dtype=torch.float32)


def add() -> object:
    return x + y


def chain() -> None:
    out = x
    for _ in range(CHAIN):
        out = out + y
    out.sum().backward()
    x.grad = None


serve("torch", {"add": lambda: add, "chain": lambda: chain})
