"""The same call in each way in which twinoar runs one."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import twinoar
from tests.paddle import run_calls
from tests.paddle.fuzz.execute import Call, apart, arrays_in, caller, outcome, replaced
from twinoar import config

Outcome = dict[str, Any]


def native(call: Call) -> Outcome:
    """Eager, as users have it."""
    return outcome(twinoar, call)


def numpy(call: Call) -> Outcome:
    """Eager, on NumPy kernels alone."""
    with config.override(backend="numpy"):
        return outcome(twinoar, call)


def of_tensors(call: Call) -> Callable[..., Any]:
    """The call as a function of its tensors."""
    function = caller(twinoar, call)

    def run(*tensors: Any) -> Any:
        rest = list(tensors)
        args = replaced(call["args"], lambda _: rest.pop(0))
        kwargs = replaced(call["kwargs"], lambda _: rest.pop(0))
        return function(*args, **kwargs)

    return run


def leaves_of(call: Call) -> list[Any]:
    arrays = arrays_in([call["args"], call["kwargs"]])
    return [twinoar.to_tensor(a, stop_gradient=a.dtype.kind not in "fc") for a in arrays]


def converted(call: Call) -> Outcome:
    """Under `to_static`, forwards and backwards."""
    leaves = leaves_of(call)
    function = twinoar.jit.to_static(of_tensors(call))
    return run_calls.attempt(twinoar, lambda: apart(function(*leaves)), leaves)


def saved(call: Call) -> Outcome:
    """Saved by `jit.save` and loaded; a loaded function has no gradients of what it is given."""
    leaves = leaves_of(call)
    specs = [twinoar.static.InputSpec(leaf.shape, leaf.dtype) for leaf in leaves]

    def made() -> Any:
        function = twinoar.jit.to_static(of_tensors(call), input_spec=specs)
        with tempfile.TemporaryDirectory() as folder:
            twinoar.jit.save(function, str(Path(folder) / "call"), input_spec=specs)
            return twinoar.jit.load(str(Path(folder) / "call"))(*leaves)

    return {k: v for k, v in run_calls.attempt(twinoar, made, leaves).items() if k != "gradients"}


def program(call: Call) -> Outcome:
    """A static Program, run by an Executor, with the gradients of its feeds."""
    arrays = arrays_in([call["args"], call["kwargs"]])
    names = [f"feed_{i}" for i in range(len(arrays))]

    def made() -> Any:
        static = twinoar.static
        twinoar.enable_static()
        with static.scope_guard(static.Scope()), static.program_guard(static.Program()):
            feeds = [
                static.data(n, a.shape, str(a.dtype)) for n, a in zip(names, arrays, strict=True)
            ]
            for feed, array in zip(feeds, arrays, strict=True):
                feed.stop_gradient = array.dtype.kind not in "fc"
            results = tensors_in(of_tensors(call)(*feeds))
            return static.Executor().run(
                feed=dict(zip(names, arrays, strict=True)), fetch_list=results
            )

    return run_calls.attempt(twinoar, made, [])


def tensors_in(value: Any) -> list[Any]:
    """The tensors and Variables in a result, in order."""
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in tensors_in(v)]
    return [value] if hasattr(value, "stop_gradient") else []


def as_fetched(results: Any) -> list[Any]:
    """The tensors among the results of an eager call, as fetches give them."""
    if isinstance(results, dict) and "array" in results:
        return [{**results, "stopped": None, "array": np.asarray(results["array"])}]
    found = results.values() if isinstance(results, dict) else results
    return [f for r in found for f in as_fetched(r)] if isinstance(found, (list, tuple)) else []


def as_numbers(results: Any) -> list[Any]:
    """The numbers in a result, which a saved function gives as tensors without dimensions."""
    if isinstance(results, (list, tuple)):
        return [n for r in results for n in as_numbers(r)]
    if not isinstance(results, (bool, int, float, complex)):
        return []
    array = np.asarray(results)
    return [{"dtype": str(array.dtype), "stopped": None, "array": array}]


MODES = {
    "native": native,
    "numpy": numpy,
    "to_static": converted,
    "static": program,
    "saved": saved,
}


def run(mode: str, call: Call) -> Outcome:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return MODES[mode](call)
