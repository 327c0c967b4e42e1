"""`for`, and what it runs over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import Any

from twinoar.core.dim import SymbolicDim
from twinoar.core.dtype import int64
from twinoar.core.ir.program import Variable
from twinoar.errors import ConversionError
from twinoar.jit.runtime.alone import computed_alone
from twinoar.jit.runtime.branch import follow, ternary
from twinoar.jit.runtime.calls import in_place_of
from twinoar.jit.runtime.iterators import advance, draws, lose
from twinoar.jit.runtime.lists import length, stack_of
from twinoar.jit.runtime.loop import MOST_GUARDED, Loop, check_iterations
from twinoar.jit.runtime.merge import is_tensor
from twinoar.jit.runtime.names import Slot, places_of
from twinoar.jit.runtime.truth import not_
from twinoar.ops.control.assertion import check
from twinoar.ops.control.number import number, of_size
from twinoar.ops.math.logical import logical_and

END = object()


class Indexed:
    """What a loop of a Program runs over: items by index, as many as only a run knows.

    length: a number. item: of an index, the item there.
    """

    def __init__(self, length: Any, item: Callable[[Any], Any]):
        self.length, self.item = length, item

    def __iter__(self) -> Iterator[Any]:
        raise ConversionError(
            "what is iterated here has a length that only a run knows, "
            "and this is no for statement of a converted function",
            cure="write a for statement",
        )

    def __len__(self) -> int:
        raise ConversionError("the length is one that only a run knows", cure="use a for statement")

    def __getitem__(self, index: Any) -> Any:
        return self.item(index + self.length if isinstance(index, int) and index < 0 else index)


class Rows(Sequence):
    """Items by index, each read when its turn comes: what is changed before is seen."""

    def __init__(self, length: int, item: Callable[[Any], Any]):
        self.length, self.item = length, item

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: Any) -> Any:
        if not -self.length <= index < self.length:
            raise IndexError(index)
        return self.item(index % self.length)


@in_place_of(range)
def range_(*bounds: Any) -> Any:
    """`range(...)`, also of Variables and of sizes that only a run knows."""
    if not any(isinstance(b, (Variable, SymbolicDim)) for b in bounds):
        return range(*bounds)
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    start, stop, step = (_int(b) for b in (start, stop, step))
    if isinstance(step, int) and step == 0:
        raise ValueError("range() arg 3 must not be zero")
    if not isinstance(step, int):
        check(step != 0, "ValueError", "range() arg 3 must not be zero")
    return Indexed(_range_length(start, stop, step), lambda i: start + i * step)


def _range_length(start: Any, stop: Any, step: Any) -> Any:
    """How many numbers a range has; negative where it has none."""
    if isinstance(step, int):
        return (stop - start + step - 1) // step if step > 0 else (start - stop - step - 1) // -step
    return -((start - stop) // step)


def _int(bound: Any) -> Any:
    """A bound of a range as a number."""
    if isinstance(bound, SymbolicDim):
        return of_size(bound)
    return number(bound, int64) if is_tensor(bound) else bound


@in_place_of(enumerate)
def enumerate_(iterable: Any, start: Any = 0) -> Any:
    """`enumerate(...)`, also of what only a run knows the length of."""
    found = items(iterable)
    if isinstance(found, Indexed):
        return Indexed(found.length, lambda i: (i + start, found.item(i)))
    return draws(enumerate(found, start), [found])


@in_place_of(reversed)
def reversed_(iterable: Any) -> Any:
    """`reversed(...)`, also of what only a run knows the length of."""
    found = _sized(iterable)
    if isinstance(found, Indexed):
        return Indexed(found.length, lambda i: found.item(found.length - 1 - i))
    return reversed(found)


@in_place_of(zip)
def zip_(*iterables: Any, strict: bool = False) -> Any:
    """`zip(...)`, also of what only a run knows the length of."""
    found = [items(x) for x in iterables]
    if not any(isinstance(x, Indexed) for x in found):
        return draws(zip(*found, strict=strict), found)
    if not all(isinstance(x, Indexed) for x in found) or strict:
        raise ConversionError(
            "zip() joins a tensor whose length only a run knows with something else"
            + (", strictly" if strict else ""),
            cure="zip tensors alone, or give the size in the InputSpec",
        )
    shortest = found[0].length
    for x in found[1:]:
        shortest = _smaller(shortest, x.length)
    return Indexed(shortest, lambda i: tuple(x.item(i) for x in found))


def _smaller(a: Any, b: Any) -> Any:
    return ternary(a < b, lambda: a, lambda: b)


def items(iterable: Any) -> Any:
    """What a loop runs over: an iterable of Python's, or an Indexed."""
    found = _sized(iterable)
    advance(found)
    return (found[i] for i in range(len(found))) if isinstance(found, Variable) else found


def _sized(iterable: Any) -> Any:
    if isinstance(iterable, Variable) and iterable.ndim:
        return _indexed(iterable.spec.shape[0], lambda i: iterable[i])
    held = stack_of(iterable)
    return iterable if held is None else _indexed(length(iterable), held.item)


def _indexed(count: Any, item: Callable[[Any], Any]) -> Any:
    return Rows(count, item) if isinstance(count, int) else Indexed(of_size(count), item)


def chosen(condition: Any) -> Any:
    """The condition of a comprehension."""
    if isinstance(condition, Variable):
        raise ConversionError(
            "a comprehension chooses its items by a tensor: how many there are, only a run knows",
            cure="write a for loop with an if, or use paddle.where or a mask",
        )
    return condition


def for_(
    iterable: Iterable,
    body: Callable,
    stopped: Callable | None,
    names: tuple[str, ...],
    outliving: tuple[str, ...],
) -> None:
    """`for item in iterable: body(item)`, until `stopped()`; both share `names`.

    outliving: those that are used outside the loop too.
    """
    found = items(iterable)
    if isinstance(found, Indexed):
        _tensor_loop(found, body, stopped, names, outliving)
        return
    iterator, is_lost = iter(found), False
    for iterations in count():
        has_stopped = stopped() if stopped is not None else False
        may_have_stopped = isinstance(has_stopped, Variable)
        if not may_have_stopped and has_stopped:
            break
        if iterator is found:
            advance(iterator)
        if may_have_stopped and iterator is found:
            what = "a tensor decides whether the loop comes to this item"
            item = computed_alone(lambda: next(iterator, END), what)
        else:
            item = next(iterator, END)
        if item is END:
            break
        if may_have_stopped:
            is_lost = True
            check_iterations(iterations, MOST_GUARDED)
            assert stopped is not None
            follow(stopped, body, (item,), names)
        else:
            body(item)
    if is_lost and iterator is found:
        lose(iterator)


def _tensor_loop(
    found: Indexed,
    body: Callable,
    stopped: Callable | None,
    names: tuple[str, ...],
    outliving: tuple[str, ...],
) -> None:
    counter = Slot("the counter", 0)

    def test() -> Any:
        going = counter.read() < found.length
        return going if stopped is None else logical_and(going, not_(stopped()))

    def iteration() -> None:
        index = counter.read()
        counter.write(index + 1)
        body(found.item(index))

    Loop(test, iteration, outliving).build([counter, *places_of(names, body)])
