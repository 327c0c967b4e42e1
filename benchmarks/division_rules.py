"""Derived rules of division beside those that torch's DTensor has by hand, for common operators.

    .venv/bin/python benchmarks/division_rules.py --python .venv-peers/bin/python

For each way that twinoar derives to cut a call in two, torch is given operands that lie so and is
asked how the result then lies.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path

import twinoar as paddle
from twinoar.core.ir.builder import infer
from twinoar.core.ir.program import Variable
from twinoar.core.op.definition import registry
from twinoar.core.spec import Spec
from twinoar.distributed.auto_parallel.strategies import strategies

A = (4, 6, 8)
UNARY = [
    "exp",
    "log",
    "tanh",
    "sqrt",
    "abs",
    "sin",
    "cos",
    "sigmoid",
    "relu",
    "erf",
    "floor",
    "ceil",
    "square",
    "rsqrt",
    "reciprocal",
    "log1p",
    "expm1",
    "tan",
    "atan",
    "sinh",
]
BINARY = {
    "add": "a + b",
    "subtract": "a - b",
    "multiply": "a * b",
    "divide": "a / b",
    "maximum": "torch.maximum(a, b)",
    "minimum": "torch.minimum(a, b)",
    "greater_than": "a > b",
    "less_than": "a < b",
    "equal": "a == b",
    "atan2": "torch.atan2(a, b)",
}
REDUCTIONS = {"sum": "sum", "mean": "mean", "max": "amax", "min": "amin", "prod": "prod"}


def calls() -> list[tuple[str, list[tuple[int, ...]], dict, str]]:
    """Operators with shapes and attributes, and what they are in torch."""
    plain = {"transpose_x": False, "transpose_y": False}
    found = [(name, [A], {}, f"torch.{name}(a)") for name in UNARY]
    found += [(name, [A, A], {}, text) for name, text in BINARY.items()]
    found += [("add", [A, (8,)], {}, "a + b")]
    for ours, theirs in REDUCTIONS.items():
        found += [
            (ours, [A], {"axis": (0,), "keepdim": False}, f"torch.{theirs}(a, 0)"),
            (ours, [A], {"axis": (2,), "keepdim": True}, f"torch.{theirs}(a, 2, True)"),
        ]
    return [
        *found,
        ("argmax", [A], {"axis": 1, "keepdim": False, "dtype": paddle.int64}, "torch.argmax(a, 1)"),
        ("softmax", [A], {"axis": 2}, "torch.softmax(a, 2)"),
        ("matmul", [(4, 6), (6, 8)], plain, "a @ b"),
        ("matmul", [A, (4, 8, 2)], plain, "torch.bmm(a, b)"),
        ("matmul", [(4, 6), (8, 6)], {**plain, "transpose_y": True}, "a @ b.t()"),
        ("transpose", [A], {"perm": (2, 0, 1)}, "a.permute(2, 0, 1)"),
        ("reshape", [A], {"shape": (24, 8)}, "a.reshape(24, 8)"),
        ("reshape", [(24, 8)], {"shape": A}, "a.reshape(4, 6, 8)"),
        ("concat", [A, A], {"axis": 1}, "torch.cat([a, b], 1)"),
    ]


def ways() -> list[dict]:
    """Every way to cut each call, as the peer is asked for it."""
    found = []
    for name, shapes, attrs, text in calls():
        op, specs = registry[name], [Spec(shape, paddle.float32) for shape in shapes]
        results = infer(op, tuple(Variable("x", s) for s in specs), attrs)
        found += [
            {"call": text, "shapes": shapes, "takes": s.takes, "gives": s.gives[0]}
            for s in strategies(op, specs, attrs, results)
        ]
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--python", required=True, help="an interpreter that has torch")
    peer = Path(__file__).with_name("division_rules_peer.py")
    command = [options.parse_args().python, str(peer)]
    asked = ways()
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    answers = json.loads(done.stdout)
    others = [(w, a) for w, a in zip(asked, answers, strict=True) if a != w["gives"]]
    print(f"{len(calls())} calls, {len(asked)} ways to cut them, {len(others)} otherwise in torch")
    for way, answer in others:
        print(f"{way['call']}: {way['takes']} -> {way['gives']}, torch: {answer}")


if __name__ == "__main__":
    main()
