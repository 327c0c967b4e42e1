"""The cases of `cases.txt`, evaluated by twinoar at once and in a Program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from twinoar import fluid, static
from twinoar.core.values import Value

HERE = Path(__file__).parent
RECORDED = json.loads((HERE / "recorded.json").read_text())  # by Paddle 1.8.5: see record.py


def weights(value: Any) -> Any:
    array = np.array(value, "float32")
    return fluid.ParamAttr(initializer=fluid.initializer.NumpyArrayInitializer(array))


def constant(value: float) -> Any:
    return fluid.ParamAttr(initializer=fluid.initializer.Constant(value))


def at_once(case: str) -> list[np.ndarray]:
    """The results where operators run at once."""

    def tensor(value: Any, dtype: str = "float32") -> Any:
        return fluid.dygraph.to_variable(np.array(value, dtype))

    with fluid.dygraph.guard():
        out = eval(case, {"L": fluid.layers, "T": tensor, "W": weights, "C": constant, "np": np})
        return [v.numpy() for v in values(out)]


def of_any_batch(case: str) -> list[np.ndarray]:
    """The results of a Program that does not know the first size of its inputs."""
    return in_a_program(case, [None])


def in_a_program(case: str, first: list[None] | None = None) -> list[np.ndarray]:
    """The results that a Program gives. first: the first size of its inputs, if not the data's."""
    feeds: dict[str, np.ndarray] = {}
    main, startup = static.Program(), static.Program()

    def tensor(value: Any, dtype: str = "float32") -> Any:
        name = f"x{len(feeds)}"
        feeds[name] = np.array(value, dtype)
        sizes = list(feeds[name].shape)
        declared = fluid.data(name, [*first, *sizes[1:]] if first else sizes, dtype)
        declared.stop_gradient = False
        return declared

    with static.program_guard(main, startup):
        out = eval(case, {"L": fluid.layers, "T": tensor, "W": weights, "C": constant, "np": np})
    executor = static.Executor()
    executor.run(startup)
    return executor.run(main, feed=feeds, fetch_list=values(out))


def values(out: Any) -> list[Any]:
    """The tensors that a case returns; not those in a list among them, the states of `auc`."""
    results = list(out) if isinstance(out, (list, tuple)) else [out]
    return [v for v in results if isinstance(v, Value)]
