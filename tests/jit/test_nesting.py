"""How code runs nests: any two of the ways to say it, in either order, eagerly and converted.

Each member leaves a mark on `compute`, and `SEEN` reads it off: whether the result is recorded, its
dtype, what a profiler noted, what was packed, and so on. A pair must show both marks whichever is
outside, and a member that is refused inside a converted function is refused there in every pair.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config
from twinoar.core.interpreter import current, products_now, under
from twinoar.core.observer import EVERYWHERE
from twinoar.core.policy import PLAIN
from twinoar.core.values import Value
from twinoar.errors import ConversionError, NotFiniteError, ProgramError
from twinoar.profiler import Profiler


@dataclass(frozen=True)
class Lowering:
    """An autocast that lets `multiply` compute in float16."""

    def cast(self, op: Any, operands: tuple[Any, ...]) -> tuple[Any, ...]:
        if op.name != "multiply":
            return operands
        return tuple(paddle.cast(x, "float16") if isinstance(x, Value) else x for x in operands)


class World:
    """What a member of the matrix leaves behind outside of the result."""

    def __init__(self) -> None:
        self.packed: list[Any] = []
        self.profiler: Any = None
        self.placed = self.products = ""
        self.is_lazy = False
        self.x = paddle.to_tensor([1.0, -1.0], stop_gradient=False)
        self.y: Any = None


@contextmanager
def profiled(world: World) -> Iterator[None]:
    with Profiler(on_trace_ready=lambda _: None) as profiler:
        yield
    world.profiler = profiler


def pack(world: World) -> Callable[[Any], Any]:
    def packing(x: Any) -> Any:
        world.packed.append(x.numpy())
        return x.numpy()

    return packing


WAYS: dict[str, Callable[[World], AbstractContextManager]] = {
    "no_grad": lambda world: paddle.no_grad(),
    "autocast": lambda world: under(autocast=Lowering()),
    "profiler": profiled,
    "LazyGuard": lambda world: paddle.LazyGuard(),
    "saved_tensors_hooks": lambda world: paddle.autograd.saved_tensors_hooks(
        pack(world), paddle.to_tensor
    ),
    "device_guard": lambda world: paddle.static.device_guard("gpu:1"),
    "products": lambda world: under(products="medium"),
    "nan check": lambda world: config.override(finite=True),
}
PAIRS = list(permutations(WAYS, 2))
# Those that mean something for runs alone: within a converted function they are refused.
OUTSIDE = {
    "profiler": ConversionError,
    "LazyGuard": ProgramError,
    "saved_tensors_hooks": ProgramError,
    "nan check": ConversionError,
}


def compute(x: Any) -> Any:
    return x * x


def check(world: World, ways: set[str], is_converted: bool) -> None:
    """Each mark is there where its member is, and is not where it is not."""
    y = world.y
    assert y.stop_gradient is ("no_grad" in ways)
    assert y.dtype.name == ("float16" if "autocast" in ways else "float32")
    assert y.tolist() == [1.0, 1.0]
    if "profiler" in ways:
        events = world.profiler.profiler_result.events
        names = {e.name for e in events if e.kind == "Operator"}
        assert ("multiply" in names) is not is_converted
        assert bool([e for e in events if e.kind == "Program"]) is is_converted
    assert bool(world.packed) is ("saved_tensors_hooks" in ways and "no_grad" not in ways)
    assert world.is_lazy is ("LazyGuard" in ways)
    assert world.placed == ("gpu:1" if "device_guard" in ways else "")
    assert world.products == ("medium" if "products" in ways else "highest")
    if "no_grad" not in ways:
        y.astype("float32").sum().backward()
        assert world.x.grad.tolist() == [2.0, -2.0]


def check_within(world: World, ways: set[str], function: Callable) -> None:
    """What needs to be looked at within the blocks."""
    world.y = function(world.x)
    world.placed, world.products = current().policy.placed, products_now()
    made = paddle.create_parameter([2], "float32")
    world.is_lazy = "Not initialized" in repr(made)
    negative = paddle.to_tensor([-1.0])
    again = paddle.jit.to_static(paddle.log) if function is not compute else paddle.log
    if "nan check" in ways:
        with pytest.raises(NotFiniteError, match="log"):
            again(negative)
    else:
        assert np.isnan(again(negative).numpy()).all()


def within(names: tuple[str, ...], world: World, body: Callable[[], None]) -> None:
    """Run `body` within these ways, the first outside."""
    if not names:
        body()
        return
    with WAYS[names[0]](world):
        within(names[1:], world, body)


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert current().policy is PLAIN
    assert not EVERYWHERE


@pytest.mark.parametrize("pair", PAIRS, ids=" in ".join)
@pytest.mark.parametrize("is_converted", [False, True], ids=["eager", "converted"])
def test_two_ways_around_a_call(pair: tuple[str, str], is_converted: bool) -> None:
    world = World()
    function = paddle.jit.to_static(lambda x: x * x) if is_converted else compute
    within(pair[::-1], world, lambda: check_within(world, set(pair), function))
    check(world, set(pair), is_converted)


@pytest.mark.parametrize("pair", PAIRS, ids=" in ".join)
def test_a_function_that_was_converted_before_follows_the_ways_around_its_call(
    pair: tuple[str, str],
) -> None:
    function = paddle.jit.to_static(lambda x: x * x)
    function(paddle.to_tensor([1.0, -1.0], stop_gradient=False))
    world = World()
    within(pair[::-1], world, lambda: check_within(world, set(pair), function))
    check(world, set(pair), True)
    assert function(paddle.ones([2])).dtype == paddle.float32


def marks_of(converted: Any, x: Any) -> dict[str, Any]:
    """What the latest Program of a function shows of the ways within it."""
    program = converted.get_concrete_program(x)[0].program
    (multiply,) = [o for o in program.main.ops if o.op.name == "multiply"]
    (result,) = multiply.results
    return {
        "no_grad": result.stop_gradient,
        "autocast": result.dtype.name == "float16",
        "device_guard": multiply.attr("op_device") == "gpu:1",
    }


@pytest.mark.parametrize("pair", PAIRS, ids=" in ".join)
@pytest.mark.parametrize("inside", [1, 2])
def test_ways_within_a_converted_function(pair: tuple[str, str], inside: int) -> None:
    """The inner one of two, or both, are within: the function is traced under them."""
    world, inner = World(), pair[:inside][::-1]

    def function(x: Any) -> Any:
        with WAYS[inner[0]](world):
            if len(inner) == 1:
                y = x * x
            else:
                with WAYS[inner[1]](world):
                    y = x * x
        return y

    converted = paddle.jit.to_static(function)
    refusal = next((OUTSIDE[way] for way in inner if way in OUTSIDE), None)
    if refusal is not None:
        with pytest.raises(refusal, match="cure:"):
            within(pair[inside:], world, lambda: converted(world.x))
        return

    def body() -> None:
        world.y = converted(world.x)
        expected = {way: way in pair for way in ("no_grad", "autocast", "device_guard")}
        assert marks_of(converted, world.x) == expected

    within(pair[inside:], world, body)
    assert world.y.stop_gradient is ("no_grad" in pair)
    assert world.y.tolist() == [1.0, 1.0]
    if "saved_tensors_hooks" in pair[inside:]:
        assert bool(world.packed) is ("no_grad" not in pair)


@pytest.mark.parametrize("pair", PAIRS, ids=" in ".join)
def test_two_ways_around_and_within_the_building_of_a_program(pair: tuple[str, str]) -> None:
    world, program = World(), paddle.static.Program()

    def build() -> None:
        with paddle.static.program_guard(program):
            x = paddle.static.data("x", [2])
            x.stop_gradient = False
            world.y = x * x

    within(pair[::-1], world, build)
    (multiply,) = [o for o in program.main.ops if o.op.name == "multiply"]
    assert world.y.stop_gradient is ("no_grad" in pair)
    assert (world.y.dtype.name == "float16") is ("autocast" in pair)
    assert (multiply.attr("op_device") == "gpu:1") is ("device_guard" in pair)
    assert not world.packed
    run = paddle.static.Executor().run
    feed = {"x": np.array([1.0, -1.0], "float32")}
    found: list[Any] = []
    within(pair, world, lambda: found.extend(run(program, feed=feed, fetch_list=[world.y])))
    assert found[0].tolist() == [1.0, 1.0]


def test_a_converted_function_has_one_program_for_each_policy_that_it_depends_on() -> None:
    function = paddle.jit.to_static(lambda x: x * x)
    for way in WAYS:
        for _ in range(2):
            world = World()
            within((way,), world, lambda world=world: function(world.x))
    whats = [cause.what for cause in function.why_recompiled()]
    assert sorted(whats) == ["device_guard", "recording of gradients", "the autocast"]


@pytest.mark.parametrize("seed", range(24))
def test_any_number_of_ways_nests_in_any_order(seed: int) -> None:
    draw = random.Random(seed)
    ways = tuple(draw.sample(list(WAYS), draw.randint(3, len(WAYS))))
    is_converted = draw.random() < 0.5
    function = paddle.jit.to_static(lambda x: x * x) if is_converted else compute
    world = World()
    within(ways, world, lambda: check_within(world, set(ways), function))
    check(world, set(ways), is_converted)
