"""The dataclass whose methods are made late is Python's in all that its users see."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from twinoar import late

OPTIONS = [
    {},
    {"frozen": True},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"eq": False},
    {"frozen": True, "eq": False},
    {"frozen": True, "slots": True, "repr": False},
]


class Plain:
    """A point with what fields can have."""

    x: int
    y: tuple[int, ...] = (1, 2)
    names: list[str] = dataclasses.field(default_factory=list, compare=False)
    count: int = dataclasses.field(default=7, init=False, repr=False)


def both(options: dict[str, bool], body: type = Plain) -> tuple[Any, Any]:
    """The class as Python declares it, and as we do."""
    made = []
    for declare in (dataclasses.dataclass, late.dataclass):
        space = {k: v for k, v in vars(body).items() if k not in ("__dict__", "__weakref__")}
        made.append(declare(**options)(type("Made", body.__bases__, space)))
    return made[0], made[1]


def told(call: Any) -> Any:
    """What a call returns as text, or the error that it raises."""
    try:
        return repr(call())
    except Exception as error:
        return type(error), str(error).replace("both.<locals>.", "")


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize(
    "use",
    [
        lambda cls: dataclasses.asdict(cls(1)),
        lambda cls: dataclasses.asdict(cls(1, (3,), names=["a"])),
        lambda cls: dataclasses.astuple(dataclasses.replace(cls(1), x=5)),
        lambda cls: cls(1) == cls(1, names=["a"]),
        lambda cls: cls(1) == cls(2),
        lambda cls: cls(1) == 1,
        lambda cls: len({cls(1), cls(1), cls(3)}),
        lambda cls: cls.__hash__ is None,
        lambda cls: setattr(cls(1), "x", 3),
        lambda cls: delattr(cls(1), "x"),
        lambda cls: cls(1).names is cls(1).names,
        lambda cls: cls.__match_args__,
        lambda cls: getattr(cls, "__slots__", None),
        lambda cls: str(inspect.signature(cls)),
        lambda cls: (cls.__init__.__qualname__, cls.__eq__.__module__),
        lambda cls: [f.name for f in dataclasses.fields(cls)],
        lambda cls: dataclasses.asdict(copy.copy(cls(1))),
        lambda cls: dataclasses.asdict(copy.deepcopy(cls(1, names=["a"]))),
    ],
)
def test_a_class_does_what_that_of_python_does(use: Any, options: dict[str, bool]) -> None:
    expected, received = (told(lambda: use(cls)) for cls in both(options))  # noqa: B023
    assert received == expected


def test_what_is_shown_is_what_python_shows() -> None:
    expected, received = both({})
    assert repr(received(1)) == repr(expected(1))


@pytest.mark.parametrize("arguments", [(), (1, 2, 3, 4), (1, 2, 3, 4, 5)])
def test_arguments_that_do_not_fit_are_refused_as_python_does(arguments: tuple) -> None:
    expected, received = both({"frozen": True})
    assert told(lambda: received(*arguments)) == told(lambda: expected(*arguments))


class OwnMethods:
    """One with methods of its own, that are kept."""

    x: int

    def __post_init__(self) -> None:
        self.seen = True

    def __eq__(self, other: object) -> bool:
        return True

    def __repr__(self) -> str:
        return "own"


@pytest.mark.parametrize("options", [{}, {"frozen": False, "slots": False}])
def test_methods_of_the_class_are_kept(options: dict[str, bool]) -> None:
    _, cls = both(options, OwnMethods)
    assert (cls(1), cls(2).seen, cls(1) == cls(2), cls.__hash__) == (cls(3), True, True, None)
    assert repr(cls(1)) == "own"


@late.dataclass(frozen=True, slots=True)
class Kept:
    """One that is found by its name."""

    x: int
    more: tuple[int, ...] = ()


@late.dataclass(frozen=True)
class Wider(Kept):
    """One with a field more."""

    y: int = 3


@pytest.mark.parametrize("value", [Kept(1, (2,)), Wider(1, y=5)])
def test_a_frozen_one_is_pickled(value: Kept) -> None:
    assert pickle.loads(pickle.dumps(value)) == value


def test_a_subclass_has_the_fields_of_both() -> None:
    assert Wider(1, (), 4) == Wider(1, y=4) != Kept(1)
    assert repr(Wider(1)) == "Wider(x=1, more=(), y=3)"


def test_one_that_holds_itself_is_shown() -> None:
    _, cls = both({})
    one = cls(1)
    one.names.append(one)
    assert repr(one).endswith("names=[...])")


def test_methods_are_made_once_for_all_threads() -> None:
    _, cls = both({"frozen": True})
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(cls, range(64)))
    assert made == [cls(n) for n in range(64)]
