"""The call that a number stands for: by signature, or an example of the operator, changed."""

from __future__ import annotations

import inspect
import operator
import sys
import zlib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import twinoar
from tests.paddle import calls
from tests.paddle.fuzz import attributes, indexing
from tests.paddle.fuzz.draw import FLOATS, INTS, Draw
from tests.paddle.fuzz.execute import Call, arrays_in, replaced
from twinoar.core.op.definition import operator_of
from twinoar.testing.sample import samples_of

NAMES = Path(__file__).parents[2] / "project" / "public_names.txt"
SPACES = ("", "nn.functional", "linalg", "fft", "signal", "vision.ops", "geometric", "incubate")

# The arguments that must be sorted.
SORTED = {"searchsorted": 0, "bucketize": 1}
# The operands whose rows are boxes, which end after they start.
BOXES = {f"vision.ops.{name}": 1 for name in ("roi_align", "roi_pool", "psroi_pool")}
LEFT_OUT = set(Path(__file__).with_name("left_out.txt").read_text().split())


@dataclass(frozen=True)
class Case:
    """One call of a function, and how it came to be."""

    number: int
    call: Call

    @property
    def text(self) -> str:
        """The call as one would write it, without the elements of large arrays."""
        return self._text(40)

    @property
    def whole_text(self) -> str:
        """The call with all elements."""
        return self._text(sys.maxsize)

    def _text(self, most: int) -> str:
        args = [shown(a, most) for a in self.call["args"]]
        args += [f"{key}={shown(value, most)}" for key, value in self.call["kwargs"].items()]
        form = {"function": "", "method": " as a method", "in place": " in place"}
        return f"{self.call['name']}({', '.join(args)}){form[self.call['form']]}"

    def with_call(self, **changed: Any) -> Case:
        return replace(self, call={**self.call, **changed})


def shown(value: Any, most: int) -> str:
    """An operand in words; the elements of an array where there are no more than that."""
    if isinstance(value, np.ndarray):
        elements = str(value.tolist()) if value.size <= most else "..."
        return f"{value.dtype}{list(value.shape)}:{elements}"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(shown(v, most) for v in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner},)"
    return repr(value)


@cache
def functions() -> dict[str, inspect.Signature]:
    """The functions under test, by their names inside of paddle, with signatures."""
    found = {}
    for line in NAMES.read_text().split():
        space, _, name = line.partition(".")[2].rpartition(".")
        if space not in SPACES or name in LEFT_OUT or name.endswith("_"):
            continue
        function = operator.attrgetter(line.partition(".")[2])(twinoar)
        if inspect.isfunction(function):
            found[line.partition(".")[2]] = inspect.signature(function)
    return found


@cache
def examples() -> dict[str, list[tuple[tuple, dict[str, Any]]]]:
    """Calls of each function that succeed: the samples of its operator, and lines of calls.txt."""
    found: dict[str, list] = {name: [] for name in functions()}
    for name in found:
        op = operator_of(operator.attrgetter(name)(twinoar))
        if op is not None and "samples" in op.rules:
            found[name] += [(s.args, s.kwargs) for s in samples_of(op) if s.error is None]
    for name, args, kwargs in calls.arguments(calls.LIST.read_text()):
        if name in found:
            found[name].append((args, kwargs))
    return {
        name: [e for e in some if sum(a.size for a in arrays_in(e)) <= 400]
        for name, some in found.items()
    }


def seen(name: str, parameter: str) -> list[Any]:
    """What the examples of a function have for a parameter, where it is no tensor."""
    found = []
    position = list(functions()[name].parameters).index(parameter)
    for args, kwargs in examples()[name]:
        value = args[position] if position < len(args) else kwargs.get(parameter)
        if value is not None and not arrays_in(value):
            found.append(value)
    return found


def case(number: int) -> Case:
    """The call that the number stands for."""
    draw = Draw(number)
    kind = draw.random.random()
    if kind < 0.08:
        return Case(number, indexing.call(draw))
    name = function_of(number)
    if kind < 0.6 and examples()[name]:
        args, kwargs = changed_example(draw, name)
    else:
        args, kwargs = by_signature(draw, name)
    if name in SORTED and len(args) > SORTED[name] and arrays_in(args[SORTED[name]]):
        args[SORTED[name]] = np.sort(np.atleast_1d(args[SORTED[name]]))
    if name in BOXES and len(args) > BOXES[name] and arrays_in(args[BOXES[name]]):
        args[BOXES[name]] = ended(args[BOXES[name]])
    form = form_of(draw, name, args)
    return Case(number, {"name": name, "form": form, "args": args, "kwargs": kwargs})


def ended(boxes: np.ndarray) -> np.ndarray:
    """Boxes with the lesser corner first; what else is drawn stays."""
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        return boxes
    return np.sort(boxes.reshape(-1, 2, 2), 1).reshape(-1, 4)


def function_of(number: int) -> str:
    """The function that the number stands for; of new functions each takes its share alone."""
    return max(functions(), key=lambda name: zlib.crc32(f"{number} {name}".encode()))


def form_of(draw: Draw, name: str, args: list[Any]) -> str:
    last = name.rpartition(".")[2]
    if not args or not isinstance(args[0], np.ndarray):
        return "function"
    if draw.chance(0.12) and hasattr(twinoar.Tensor, last + "_") and "." not in name:
        return "in place"
    return "method" if draw.chance(0.12) and hasattr(twinoar.Tensor, last) else "function"


def is_tensor(parameter: inspect.Parameter) -> bool:
    return "Tensor" in str(parameter.annotation)


def is_sequence(parameter: inspect.Parameter) -> bool:
    return "Sequence[Tensor]" in str(parameter.annotation)


def by_signature(draw: Draw, name: str) -> tuple[list[Any], dict[str, Any]]:
    """Arguments by their names and annotations alone."""
    given: dict[str, Any] = {}
    args, kwargs = [], {}
    skipped = False
    for parameter in functions()[name].parameters.values():
        required = parameter.default is parameter.empty
        keyword = parameter.kind is parameter.KEYWORD_ONLY
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            if parameter.kind is parameter.VAR_POSITIONAL and is_tensor(parameter):
                args += operands(draw)
            continue
        if parameter.name in attributes.KEPT or (not required and draw.chance(0.6)):
            skipped = True
            continue
        value = argument(draw, name, parameter, given)
        given[parameter.name] = value
        if keyword or skipped or (not required and draw.chance(0.7)):
            kwargs[parameter.name] = value
            skipped = True
        else:
            args.append(value)
    return args, kwargs


def operands(draw: Draw) -> list[np.ndarray]:
    """Two or three arrays that broadcast, mostly of one dtype."""
    shape, dtype = draw.shape(), draw.dtype()
    return [
        draw.array(draw.broadcast(shape) if draw.chance(0.3) else shape, other(draw, dtype))
        for _ in range(draw.between(1, 3))
    ]


def other(draw: Draw, dtype: str) -> str:
    return dtype if draw.chance(0.88) else draw.dtype()


def argument(draw: Draw, name: str, parameter: inspect.Parameter, given: dict[str, Any]) -> Any:
    if is_sequence(parameter):
        return operands(draw)
    if not is_tensor(parameter):
        operand = parameter.name in ("y", "values", "updates") and draw.chance(0.7)
        if not operand:
            return attributes.attribute(draw, parameter, given, seen(name, parameter.name))
    first = next((v for v in given.values() if isinstance(v, np.ndarray)), None)
    if first is None:
        return draw.array(draw.shape(), draw.dtype())
    if parameter.name in ("index", "indices", "label") and draw.chance(0.7):
        shape = draw.broadcast(first.shape) if draw.chance(0.5) else (draw.size(),)
        high = max(first.shape, default=1)
        low = -high if draw.chance(0.1) else 0
        return np.asarray(draw.numbers.integers(low, max(high, 1), shape)).astype(
            draw.one(("int64", "int64", "int32"))
        )
    if parameter.name in ("mask", "condition"):
        return draw.array(draw.broadcast(first.shape), "bool")
    if parameter.name in ("y", "other") and draw.chance(0.06):
        return attributes.scalar(draw, given)
    return draw.array(draw.broadcast(first.shape), other(draw, str(first.dtype)))


def changed_example(draw: Draw, name: str) -> tuple[list[Any], dict[str, Any]]:
    """An example with other elements, sizes, dtypes or attributes."""
    args, kwargs = draw.one(examples()[name])
    args, kwargs = list(args), dict(kwargs)
    if draw.chance(0.5):
        args, kwargs = other_attributes(draw, name, args, kwargs)
    given = (args, kwargs)
    resized = draw.chance(0.4)
    if resized:
        given = other_sizes(draw, given)
    if draw.chance(0.35):
        given = other_dtypes(draw, given)
    if resized or draw.chance(0.7):
        given = other_elements(draw, given)
    return given


def other_attributes(
    draw: Draw, name: str, args: list[Any], kwargs: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """One or two attributes drawn anew."""
    parameters = functions()[name].parameters
    free = [
        (i, p)
        for i, p in enumerate(parameters.values())
        if not is_tensor(p)
        and p.name not in attributes.KEPT
        and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
    ]
    given = dict(zip(parameters, args, strict=False)) | kwargs
    for i, parameter in draw.random.sample(free, min(len(free), draw.between(1, 2))):
        value = attributes.attribute(draw, parameter, given, seen(name, parameter.name))
        if i < len(args):
            args[i] = value
        else:
            kwargs[parameter.name] = value
        given[parameter.name] = value
    return args, kwargs


def other_sizes(draw: Draw, given: Any) -> Any:
    """All dimensions of one size get another, by repeating or leaving out elements."""
    sizes = sorted({size for array in arrays_in(list(given)) for size in array.shape})
    if not sizes:
        return given
    before = draw.one(sizes)
    after = draw.one((0, 1, before + 1, before + 2, max(before - 1, 1), 2 * before))

    def resized(array: np.ndarray) -> np.ndarray:
        for axis, size in enumerate(array.shape):
            if size == before:
                picked = np.arange(after) % max(size, 1)
                array = (
                    np.take(array, picked, axis)
                    if size
                    else np.zeros_like(
                        array, shape=(*array.shape[:axis], after, *array.shape[axis + 1 :])
                    )
                )
        return array

    return replaced(list(given), resized)


def other_dtypes(draw: Draw, given: Any) -> Any:
    """All arrays of floats, or all of integers, in another dtype; or one array."""
    kind = draw.one(("fc", "fc", "iu", "b"))
    one = draw.chance(0.15)
    anything = draw.chance(0.3)
    same = ((*FLOATS, "float16", "complex64") if kind == "fc" else INTS) if not anything else None
    after = draw.one(same) if same else draw.dtype()
    done = False

    def cast(array: np.ndarray) -> np.ndarray:
        nonlocal done
        if array.dtype.kind not in kind or (one and done):
            return array
        done = True
        return converted(array, after)

    return replaced(list(given), cast)


def converted(array: np.ndarray, dtype: str) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        if array.dtype.kind == "c" and np.dtype(dtype).kind != "c":
            array = array.real
        return np.asarray(np.nan_to_num(array)).astype(dtype)


def other_elements(draw: Draw, given: Any) -> Any:
    """Floats drawn anew; integers stay, for they are often positions."""

    def drawn(array: np.ndarray) -> np.ndarray:
        fresh = array.dtype.kind in "fc" and array.dtype.name != "bfloat16"
        return draw.array(array.shape, array.dtype.name) if fresh else array

    return replaced(list(given), drawn)
