"""Shapes and element types of the results of a C++ operator, before it runs.

An unknown size is -1 in C++. Which unknown size a result has is found by asking again with numbers
in their place: a size that follows one of them is that one; other sizes only the data decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from twinoar.core.dim import Dim, is_known
from twinoar.core.spec import Spec
from twinoar.errors import ExtensionError
from twinoar.utils.cpp_extension.declaration import GRAD, NEW, Declaration, Slot
from twinoar.utils.cpp_extension.library import Library

UNKNOWN = -1
PROBES = ((3, 2), (10**9 + 7, 4))  # a first number for unknown sizes, and the step to the next
Shape = tuple[Any, ...]


def result_specs(
    library: Library, op: Declaration, slots: list[Any], attrs: dict[str, Any]
) -> tuple[Spec, ...]:
    """Specs of the results for Specs by slot; None stands for a size that only the data decides.

    Raises ExtensionError where C++ does, and where it has no function and nothing can be guessed.
    """
    if "shape" in op.infers:
        shapes = _shapes(library, op, slots, attrs)
    else:
        shapes = [spec.shape for spec in _defaults(op, slots, "SetInferShapeFn")]
    if "dtype" in op.infers:
        dtypes = library.infer_dtypes(op, _with_sizes(slots, lambda d: UNKNOWN), attrs)
    else:
        dtypes = [spec.dtype for spec in _defaults(op, slots, "SetInferDtypeFn")]
    if len(shapes) != len(dtypes):
        raise ExtensionError(
            f"{op.name} has {len(shapes)} shapes for its results and {len(dtypes)} element types",
            cure="let both functions return one for each output",
        )
    return tuple(_arranged(op, slots, list(map(Spec, shapes, dtypes))))


def _shapes(
    library: Library, op: Declaration, slots: list[Any], attrs: dict[str, Any]
) -> list[Shape]:
    unknown = list(dict.fromkeys(d for s in _specs(slots) for d in s.shape if not is_known(d)))
    found = library.infer_shapes(op, _with_sizes(slots, lambda d: UNKNOWN), attrs)
    if not unknown:
        return list(found)
    answers = []
    for first, step in PROBES:
        numbers = {d: first + step * i for i, d in enumerate(unknown)}
        try:
            answers.append(library.infer_shapes(op, _with_sizes(slots, numbers.get), attrs))
        except ExtensionError:  # such sizes do not fit each other, as the real ones may
            return [(None,) * len(shape) for shape in found]
    names = {tuple(first + step * i for first, step in PROBES): d for i, d in enumerate(unknown)}
    return [
        tuple(_agreed(names, *sizes) for sizes in zip(*shapes, strict=True))
        for shapes in zip(found, *answers, strict=True)
    ]


def _agreed(names: dict[tuple[int, ...], Dim], size: int, first: int, second: int) -> Dim | None:
    """The size on which three answers agree: one number, or one of the unknown sizes."""
    if size == first == second:
        return size
    return names.get((first, second)) if size == UNKNOWN else None


def _defaults(op: Declaration, slots: list[Any], function: str) -> Iterator[Spec]:
    """What each result is taken to be like, where C++ has no function that says it."""
    given = dict(zip((slot.name for slot in op.inputs), slots, strict=True))
    for output in op.outputs:
        if output.declared in op.inplace or (output.is_optional and _of(output, given) is None):
            continue
        like = _like(op, output, given)
        if like is None:
            raise ExtensionError(
                f"nothing says what {output.declared} of {op.name} is like",
                cure=f"declare it with {function}",
            )
        yield from like if isinstance(like, list) else (like,)


def _like(op: Declaration, output: Slot, given: dict[str, Any]) -> Any:
    """The input that an output is like: a gradient like what it is the gradient of."""
    if not output.name.endswith((GRAD, NEW)):
        return next(iter(given.values())) if len(given) == len(op.outputs) == 1 else None
    gradients = [slot for name, slot in given.items() if name.endswith(GRAD)]
    return _of(output, given) or (gradients[0] if len(gradients) == 1 else None)


def _of(output: Slot, given: dict[str, Any]) -> Any:
    """The input that an output is the gradient of, or of whose gradient it is one."""
    name = output.name
    while name.endswith((GRAD, NEW)):
        name = name.removesuffix(NEW) if name.endswith(NEW) else name.removesuffix(GRAD)
        if given.get(name) is not None:
            return given[name]
    return None


def _arranged(op: Declaration, slots: list[Any], own: list[Spec]) -> Iterator[Spec]:
    """The specs of all outputs in order: `own`, and those of inputs that are changed in place."""
    by_name = dict(zip((slot.declared for slot in op.inputs), slots, strict=True))
    remaining = iter(own)
    singles = sum(1 for o in op.outputs if o.declared not in op.inplace and not o.is_list)
    for output in op.outputs:
        if output.declared in op.inplace:
            yield from _specs([by_name[op.inplace[output.declared]]])
        else:
            yield from islice(remaining, len(own) - singles if output.is_list else 1)


def _with_sizes(slots: list[Any], size_of: Callable[[Any], Any]) -> list[Any]:
    """The Specs by slot with a number in place of each unknown size."""

    def known(x: Any) -> Any:
        if isinstance(x, list):
            return [known(y) for y in x]
        if x is None:
            return None
        return Spec(tuple(d if is_known(d) else size_of(d) for d in x.shape), x.dtype)

    return [known(slot) for slot in slots]


def _specs(slots: list[Any]) -> Iterator[Spec]:
    for slot in slots:
        yield from slot if isinstance(slot, list) else () if slot is None else (slot,)
