"""What the calls of `by_position.txt` give, under twinoar and under the real Paddle."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

CALLS = [
    line
    for line in Path(__file__).with_suffix(".txt").read_text().splitlines()
    if not line.startswith("#")
]


def space(paddle: ModuleType, by_position: Any, by_type: Any) -> dict[str, Any]:
    """The names that the calls use."""
    r = np.random.RandomState(0)
    made = {
        "x": r.rand(3, 4).astype("float32") + 0.1,
        "y": r.rand(3, 4).astype("float32") + 0.1,
        "i": r.randint(0, 3, (3, 4)),
        "j": r.randint(1, 4, (3, 4)),
        "sq": (np.eye(3) * 3 + r.rand(3, 3)).astype("float32"),
        "pd": (np.eye(3) * 3 + 0.1).astype("float32"),
        "img": r.rand(2, 4, 6, 6).astype("float32"),
        "idx": np.array([0, 2]),
        "c": (r.rand(3, 4) + 1j * r.rand(3, 4)).astype("complex64"),
        "w": r.rand(4, 4, 3, 3).astype("float32"),
        "s5": np.sort(r.rand(5)).astype("float32"),
    }
    found = {name: paddle.to_tensor(array) for name, array in made.items()}
    found |= {"b": found["x"] > 0.5, "b2": found["y"] > 0.5}
    return found | {"paddle": paddle, "C": by_position, "L": by_type}


def outcome(value: Any) -> Any:
    """Dtype and elements, of lists one by one."""
    if isinstance(value, (list, tuple)):
        return [outcome(v) for v in value]
    if not hasattr(value, "numpy"):
        return value
    array = value.numpy()
    parts = np.stack([array.real, array.imag]) if array.dtype.kind == "c" else array
    return {"dtype": str(value.dtype), "elements": parts.astype("float64").tolist()}


def outcomes(paddle: ModuleType, by_position: Any, by_type: Any) -> list[Any]:
    """What each call gives."""
    names = space(paddle, by_position, by_type)
    return [outcome(eval(call, names)) for call in CALLS]
