"""Runs one module plainly and under `to_static`, and says how they compare."""

from __future__ import annotations

import array
import bisect
import collections
import contextlib
import dataclasses
import functools
import heapq
import io
import linecache
import math
import operator
import re
import sys
import tempfile
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar import config, nn
from twinoar.core.tree import flatten
from twinoar.errors import FailedAssertion, TwinoarError
from twinoar.jit import load, save, to_static
from twinoar.jit.warning import LostChangeWarning
from twinoar.static import InputSpec

INPUTS = (
    ((1.0, 2.0, -0.5), (0.5, -1.0, 3.0)),
    ((-2.0, -1.0, 0.25), (1.0, 1.0, -4.0)),
    ((3.0, 0.5, 0.75), (-1.0, 2.0, 0.0)),
    ((1.0, 2.0, -0.5), (0.5, -1.0, 3.0)),
)
EXACT, NATIVE = 1e-6, 2e-4
EQUAL, REFUSED, WRONG, CRASHED, INVALID = "equal", "refused", "WRONG", "CRASHED", "invalid"
VALID = (ValueError, LookupError, AssertionError, ArithmeticError)
MODES = ("numpy", "native", "saved")


def plain(x: Any) -> Any:
    """`x` as it is seen from outside: tensors as lists and dtypes, objects by their classes."""
    if isinstance(x, paddle.Tensor):
        return x.tolist(), str(x.dtype)
    if isinstance(x, dict):
        return {k: plain(v) for k, v in x.items()}
    if isinstance(x, (list, tuple, collections.deque)):
        return [plain(v) for v in x]
    return x if isinstance(x, (int, float, str, bytes, type(None))) else type(x).__name__


GIVEN = {
    "np": np, "paddle": paddle, "nn": nn, "plain": plain, "sys": sys,
    **{m.__name__: m for m in (
        array, bisect, collections, contextlib, dataclasses, functools, heapq, io, math, operator
    )},
}  # fmt: skip


@dataclass
class Verdict:
    """How a module fared. told: what differed, or what was refused."""

    kind: str
    told: str = ""
    mode: str = ""

    def sign(self) -> str:
        """The same for failures that look alike."""
        return f"{self.kind}: {re.sub(r'[0-9.]+|%[0-9]+', '#', self.told)[:100]}"


def loaded(text: str) -> types.ModuleType:
    """The module of a text, whose source is found by what converts it."""
    name = "hazardous"
    file = f"<{name} {abs(hash(text))}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    module = types.ModuleType(name)
    module.__dict__.update(GIVEN, set_global=module.__dict__.__setitem__)
    sys.modules[name] = module
    paddle.seed(0)
    exec(compile(text, file, "exec"), module.__dict__)
    return module


def tensors(values: tuple) -> list[paddle.Tensor]:
    return [paddle.to_tensor(v, dtype="float32", stop_gradient=False) for v in values]


def leaf_of(x: Any) -> Any:
    """A leaf of a result as a plain value, with what it is."""
    if isinstance(x, paddle.Tensor):
        return "tensor", str(x.dtype), np.asarray(x.numpy(), np.float64)
    return (type(x).__name__, x) if isinstance(x, (int, str, type(None))) else ("float", float(x))


@dataclass
class Outcome:
    """What one call gave. error: its class, which ends the calls; raised: the exception itself."""

    seen: list[Any]
    error: type | None = None
    raised: BaseException | None = None


def outcomes(module: types.ModuleType, function: Callable) -> Iterator[Outcome]:
    """What each call gives: results, prints, gradients and what it leaves outside itself."""
    for i, values in enumerate(INPUTS):
        given = tensors(values)
        paddle.seed(i)
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                results, _ = flatten(function(*given))
            seen = [leaf_of(x) for x in results]
            seen += gradients(module, given, results)
        except (Exception, RecursionError) as error:
            kind = next(k for k in type(error).__mro__ if k.__module__ == "builtins")
            yield Outcome([printed.getvalue()], kind, error)
            return
        yield Outcome([*seen, printed.getvalue(), plain(module.seen())])
        module.change(i)


def gradients(module: types.ModuleType, given: list, results: list) -> list[Any]:
    """The gradients of the sum of what wants them, which are cleared."""
    found = [(i + 1, x) for i, x in enumerate(results) if isinstance(x, paddle.Tensor)]
    wanting = [x.sum() * i for i, x in found if not x.stop_gradient]
    if wanting:
        sum(wanting).backward()
    net = getattr(module, "NET", None)
    leaves = [*given, *(net.parameters() if net is not None else ())]
    found = [0.0 if x.grad is None else np.asarray(x.grad.numpy(), np.float64) for x in leaves]
    for x in leaves:
        x.clear_gradient(set_to_zero=False)
    return found


def difference(a: Any, b: Any, tolerance: float) -> str:
    """Where and how two plain values differ, but for little of a float; nothing if they agree."""
    is_array = isinstance(a, np.ndarray) or isinstance(b, np.ndarray)
    if is_array or (isinstance(a, float) and isinstance(b, float)):
        if np.ndim(a) * np.ndim(b) == 0:  # no gradient is one of zeros
            a, b = np.broadcast_arrays(a, b)
        near = np.shape(a) == np.shape(b) and np.allclose(
            a, b, rtol=tolerance, atol=tolerance, equal_nan=True
        )
        return "" if near else f"{a!r} is {b!r}"
    if type(a) is not type(b) or not isinstance(a, (dict, list, tuple)):
        return "" if type(a) is type(b) and a == b else f"{a!r} is {b!r}"
    keys = list(a) if isinstance(a, dict) else range(len(a))
    if keys != (list(b) if isinstance(b, dict) else range(len(b))):
        return f"{a!r} is {b!r}"
    found = ((k, difference(a[k], b[k], tolerance)) for k in keys)
    return next((f"[{k!r}]{told}" for k, told in found if told), "")


@contextlib.contextmanager
def settled() -> Iterator[None]:
    """What modules change of the process is put back."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        finally:
            paddle.set_default_dtype("float32")


def plain_outcomes(text: str) -> list[Outcome]:
    """What plain Python gives."""
    with settled():
        module = loaded(text)
        return list(outcomes(module, module.function))


def verdict(text: str, modes: tuple[str, ...] = MODES[:1]) -> Verdict:
    """How a module fares in all these modes: the first that is not equal, else equal."""
    try:
        expected = plain_outcomes(text)
    except Exception as error:
        return Verdict(INVALID, f"{type(error).__name__}: {error}")
    if expected[-1].error is not None and not issubclass(expected[-1].error, VALID):
        return Verdict(INVALID, repr(expected[-1].raised))
    if isinstance(expected[-1].raised, TwinoarError) and len(expected) == 1:
        return Verdict(INVALID, repr(expected[-1].raised))
    raises = expected[0].error is not None
    for mode in modes:
        if mode == "saved" and (raises or trains(text)):
            continue
        with settled():
            found = saved(text) if mode == "saved" else converted(text, mode, expected)
        if found.kind != EQUAL:
            found.mode = mode
            return found
    return Verdict(EQUAL)


def trains(text: str) -> bool:
    """True for what a saved model does otherwise: it is in inference, and draws other numbers."""
    function = text.partition("def function")[2].partition("def change")[0]
    return any(x in function for x in ("normed", "NET.train", "paddle.rand"))


def converted(text: str, backend: str, expected: list[Outcome]) -> Verdict:
    """How the calls of the converted function compare."""
    with config.override(backend=backend):
        module = loaded(text)
        calls = outcomes(module, to_static(module.function))
        for number, (want, got) in enumerate(zip(expected, calls, strict=False)):
            if got.raised is not None and got.error is not want.error:
                return unequal(got.raised, number, want)
            if got.error is not want.error:
                return Verdict(WRONG, f"call {number} raises no {want.error}")
            tolerance = EXACT if backend == "numpy" else NATIVE
            for place, (a, b) in enumerate(zip(want.seen, got.seen, strict=False)):
                told = difference(a, b, tolerance)
                if told:
                    return Verdict(WRONG, f"call {number}, value {place}{told}")
            if len(want.seen) != len(got.seen):
                return Verdict(WRONG, f"call {number}: another number of values")
    return Verdict(EQUAL)


def unequal(error: BaseException, number: int, want: Outcome) -> Verdict:
    """What an exception is that plain Python does not raise."""
    text = str(error).splitlines() or [""]
    told = f"call {number}: {type(error).__name__}: {text[0]}"
    is_told = isinstance(error, TwinoarError) and getattr(error, "cure", "")
    is_told = is_told or "outside of the converted function" in text[0]  # of a number's range
    if is_told and not isinstance(error, FailedAssertion):
        return Verdict(REFUSED, told)
    return Verdict(CRASHED, f"{told} in place of {want.error}")


def saved(text: str) -> Verdict:
    """How a saved and loaded model compares, where nothing is lost by saving."""
    module = loaded(text)
    specs = [InputSpec([3], "float32", name) for name in "xy"]
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error", LostChangeWarning)
        path = str(Path(folder) / "model")
        try:
            save(to_static(module.function, input_spec=specs), path, verify=False)
        except LostChangeWarning:
            return Verdict(EQUAL)
        except TwinoarError as error:
            return Verdict(REFUSED if error.cure else CRASHED, f"save: {error}".splitlines()[0])
        except Exception as error:
            return Verdict(CRASHED, f"save: {error!r}")
        model = load(path)
    for number, values in enumerate(INPUTS[:3]):
        fresh = loaded(text)
        want, got = (one_call(f, values) for f in (fresh.function, model))
        told = difference(want, got, NATIVE)
        if told:
            return Verdict(WRONG, f"saved, input {number}, value {told}")
    return Verdict(EQUAL)


def one_call(function: Callable, values: tuple) -> Any:
    """The tensors that a call gives, or the class of its exception; prints."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            results, _ = flatten(function(*(x.detach() for x in tensors(values))))
    except Exception as error:
        return next(k for k in type(error).__mro__ if k.__module__ == "builtins").__name__
    kept = [np.asarray(x.numpy(), np.float64) for x in results if isinstance(x, paddle.Tensor)]
    return [*kept[:2], printed.getvalue()]
