"""Calls of all public functions of tensors at three sizes.

They are written in operator_calls.txt in Paddle's words, so the real Paddle takes them as they are.
A function without a line is called as the first sample of its operator that can be scaled is.
"""

from __future__ import annotations

import ast
import math
import operator
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import twinoar
from tests.paddle.calls import SHORT, read_calls
from tests.paddle.fuzz.cases import examples, functions
from tests.paddle.fuzz.execute import arrays_in, replaced
from twinoar.core.op.definition import operator_of

LINES = Path(__file__).with_name("operator_calls.txt")
# Elements of a call: dispatch decides, kernels in the caches, memory.
ELEMENTS = {"small": 64, "medium": 65_536, "large": 1_000_000}
SIZES = {
    "small": dict(N=64, R=8, C=8, M=8, B=2, K=4, P=4, T=16, W=8),
    "medium": dict(N=65_536, R=256, C=256, M=64, B=4, K=16, P=32, T=64, W=256),
    "large": dict(N=1_000_000, R=1000, C=1000, M=256, B=8, K=32, P=64, T=256, W=1024),
}
TRIAL = 2048  # elements at which it is tried how results grow with operands
MOST = 4  # a scaled call may have so many times the elements that were asked for
# Functions that compute nothing worth timing: they answer about a tensor, or print it.
TELL = {"is_complex", "is_floating_point", "is_integer", "is_tensor", "rank", "shape", "tolist"}
TELL |= {"increment", "incubate.identity_loss", "is_empty", "numel", "shard_index", "batch"}


Wanted = Callable[[str, str], bool]


@dataclass(frozen=True)
class Call:
    """One call of a public function; arrays stand where tensors go."""

    name: str
    function: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    @property
    def elements(self) -> int:
        """Those of all operands."""
        return sum(a.size for a in arrays_in([*self.args, self.kwargs]))

    def in_integers(self) -> Call | None:
        """The call with int64 in place of floats; None where it has others, or none."""
        found = arrays_in([*self.args, self.kwargs])
        if not found or any(a.dtype != np.float32 for a in found):
            return None

        def whole(a: np.ndarray) -> np.ndarray:
            return np.rint(a * 9).astype(np.int64)

        args, kwargs = replaced(list(self.args), whole), replaced(self.kwargs, whole)
        return Call(f"{self.name} int64", self.function, tuple(args), kwargs)


class Maker:
    """Arrays that calls are written with; numbers depend on the text of the call alone."""

    def __init__(self, text: str):
        self.random = np.random.default_rng(zlib.crc32(text.encode()))

    def x(self, *shape: int) -> np.ndarray:
        """Normal numbers."""
        return self.random.standard_normal(shape, "float32")

    array = x

    def u(self, low: float, high: float, *shape: int) -> np.ndarray:
        """Numbers from low to high."""
        return self.random.uniform(low, high, shape).astype("float32")

    def z(self, *shape: int) -> np.ndarray:
        """Complex numbers."""
        return (self.x(*shape) + 1j * self.x(*shape)).astype("complex64")

    def s(self, *shape: int) -> np.ndarray:
        """Normal numbers in ascending order."""
        return np.sort(self.x(*shape))

    def ints(self, low: int, high: int, *shape: int, dtype: str = "int64") -> np.ndarray:
        """Integers from low, less than high."""
        return self.random.integers(low, high, shape).astype(dtype)

    def sorted_ints(self, count: int) -> np.ndarray:
        """Numbers of segments of about four rows each."""
        return np.sort(self.ints(0, max(count // 4, 1), count))

    def bools(self, *shape: int) -> np.ndarray:
        """Truth values, half of them true."""
        return self.random.integers(0, 2, shape) > 0

    def perm(self, count: int) -> np.ndarray:
        """All positions, in a random order."""
        return self.random.permutation(count)

    def definite(self, side: int) -> np.ndarray:
        """A symmetric positive definite matrix."""
        a = self.x(side, side)
        return a @ a.T / side + np.eye(side, dtype="float32")

    def lower(self, side: int) -> np.ndarray:
        """The lower factor of such a matrix."""
        return np.linalg.cholesky(self.definite(side))

    def batch(self, count: int, side: int) -> np.ndarray:
        """So many such matrices."""
        return np.stack([self.definite(side) for _ in range(count)])

    def boxes(self, count: int) -> np.ndarray:
        """Boxes that overlap, as corners."""
        corners = self.random.uniform(0, 2 + count**0.5, (count, 2))
        return np.concatenate([corners, corners + 2], 1).astype("float32")

    @staticmethod
    def zeros(*shape: int) -> np.ndarray:
        """Zeros."""
        return np.zeros(shape, "float32")

    @staticmethod
    def ones(*shape: int) -> np.ndarray:
        """Ones."""
        return np.ones(shape, "float32")

    @staticmethod
    def full(value: int, *shape: int, dtype: str = "int32") -> np.ndarray:
        """Integers of one value."""
        return np.full(shape, value, dtype)


def calls(size: str, wanted: Wanted = lambda name, function: True) -> Iterator[Call]:
    """The calls at a size, of a name and a function that are wanted; first the written ones."""
    yield from written_calls(size, wanted)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from sampled_calls(size, wanted)


def written_calls(size: str, wanted: Wanted = lambda name, function: True) -> Iterator[Call]:
    """Those of operator_calls.txt, in its order."""
    makers = [name for name in vars(Maker) if not name.startswith("_")]
    for text in read_calls(LINES.read_text()):
        node = ast.parse(text, mode="eval").body
        assert isinstance(node, ast.Call)
        name, function = text.removeprefix("paddle."), function_of(node)
        if not wanted(name, function):
            continue
        node.func = ast.Name("give", ast.Load())
        maker = Maker(text)
        names = {name: getattr(maker, name) for name in makers} | SIZES[size]
        names["give"] = lambda *args, **kwargs: (args, kwargs)
        args, kwargs = eval(ast.unparse(node), names)
        yield Call(name, function, args, kwargs)


def function_of(call: ast.Call) -> str:
    """The name of the function inside of paddle."""
    path = ast.unparse(call.func).split(".")
    return ".".join([SHORT.get(path[0], path[0]), *path[1:]]).partition(".")[2]


def written_functions() -> set[str]:
    """The functions that operator_calls.txt has lines for."""
    nodes = [ast.parse(text, mode="eval").body for text in read_calls(LINES.read_text())]
    return {function_of(node) for node in nodes if isinstance(node, ast.Call)}


def sampled_calls(size: str, wanted: Wanted) -> Iterator[Call]:
    """A scaled sample for each function that has no line, and the same in int64 where it may be."""
    seen = {operator.attrgetter(name)(twinoar) for name in written_functions()}
    seen |= {operator_of(function) for function in seen} - {None}
    for name in functions():
        function = operator.attrgetter(name)(twinoar)
        if name in TELL or function in seen or (operator_of(function) or function) in seen:
            continue
        seen.add(operator_of(function) or function)
        if not wanted(f"{name}, a sample", name):
            continue
        for args, kwargs in examples()[name]:
            sample = Call(f"{name}, a sample", name, tuple(args), dict(kwargs))
            call = sample if size == "small" else scaled(sample, ELEMENTS[size])
            if call is not None and arrays_in([*args, kwargs]):
                yield call
                whole = call.in_integers()
                if whole is not None:
                    yield whole
                break


def scaled(sample: Call, elements: int) -> Call | None:
    """The sample with about so many elements in operands and results; None where it has one size.

    All dimensions of one size stay equal. All sizes grow alike, or one of them, which first works.
    """
    sizes = {n for a in arrays_in([*sample.args, sample.kwargs]) for n in a.shape if n > 1}
    first = max(arrays_in([*sample.args, sample.kwargs]), key=np.size, default=np.zeros(0))
    for grown in (sizes, *({n} for n in sorted(sizes, key=lambda n: n not in first.shape[:1]))):
        factor = reach(sample, grown, TRIAL)
        tried = factor and resized(sample, grown, factor)
        made = tried and results(tried)
        if not (factor and tried and made) or factor <= 1:
            continue
        before, after = max(sample.elements, results(sample)), max(tried.elements, made)
        power = math.log(after / before) / math.log(factor)
        if power <= 0.3:
            continue
        wanted = factor * (elements / after) ** (1 / power)
        found = resized(sample, grown, wanted)
        if found is not None and found.elements <= MOST * elements:
            return found
    return None


def reach(sample: Call, grown: set[int], elements: int) -> float | None:
    """The factor on sizes by which operands have so many elements."""
    count = max(
        (sum(n in grown for n in a.shape) for a in arrays_in([*sample.args, sample.kwargs])),
        default=0,
    )
    return (elements / max(sample.elements, 1)) ** (1 / count) if count else None


def resized(sample: Call, grown: set[int], factor: float) -> Call | None:
    """The sample whose dimensions of the sizes `grown` are `factor` times as long."""
    after = {n: max(n, round(n * factor)) for n in grown}
    random = np.random.default_rng(0)

    def stretched(a: np.ndarray) -> np.ndarray:
        for axis, n in enumerate(a.shape):
            if n in after:
                a = np.take(a, np.arange(after[n]) % n, axis)
        if a.dtype != np.float32 or not a.size:
            return a
        # Elements of the sample's range, as what they mean may not allow others.
        return np.clip(a * random.uniform(0.8, 1.2, a.shape).astype("float32"), a.min(), a.max())

    args = tuple(replaced(list(sample.args), stretched))
    return Call(sample.name, sample.function, args, replaced(sample.kwargs, stretched))


def results(call: Call) -> int:
    """Elements of what the call gives; 0 where it fails."""
    given = replaced([list(call.args), call.kwargs], twinoar.to_tensor)
    try:
        found = operator.attrgetter(call.function)(twinoar)(*given[0], **given[1])
    except Exception:
        return 0
    return sum(max(t.size, 1) for t in tensors_in(found))


def tensors_in(value: Any) -> list[Any]:
    """The tensors in nested lists and tuples, of any framework."""
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in tensors_in(v)]
    return [value] if hasattr(value, "dtype") and hasattr(value, "shape") else []
