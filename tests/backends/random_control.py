"""Programs of nested branches and loops made at random, whose numbers are small whole ones.

So all arithmetic is exact: two back ends take the same branches, and give equal bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np

import twinoar as paddle
from tests.backends.random_programs import Made
from twinoar.core.delayed import Piece, Text
from twinoar.core.dtype import bool_, float32, int64
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import Spec
from twinoar.ops.control.assertion import check
from twinoar.static.nn import cond, while_loop

SPECS = (
    Spec((), int64),
    Spec((), float32),
    Spec((3,), float32),
    Spec((2, 3), float32),
    Spec((), bool_),
)
MODULUS = 11
DEPTH = 3
Values = list[Any]


def random_control(seed: int) -> Made:
    """The Program of a seed."""
    random, numbers = Random(seed), np.random.default_rng(seed)
    program = Program(f"control_{seed}")
    specs = [spec for spec in SPECS for _ in range(2)]
    inputs = [program.main.add_input(spec) for spec in specs]
    states = [program.add_state(spec, f"state_{n}") for n, spec in enumerate(SPECS[:4])]
    with using(Builder(program, policy=UNRECORDED)):
        values = _block(random.random(), [*inputs, *states], 0)
        for state in states:
            if random.random() < 0.6:
                program.update(state, _alike(random, values, state))
        program.main.outputs = random.sample(values, k=4)

    def array(v: Any) -> np.ndarray:
        return numbers.integers(0, 4, v.spec.shape).astype(v.spec.dtype.numpy)

    return Made(program, list(map(array, inputs)), {s.name: array(s) for s in states})


def _block(seed: float, values: Values, depth: int) -> Values:
    """The values after a few steps. A block that is traced again takes the same steps."""
    random, values = Random(seed), list(values)
    for _ in range(random.randint(1, 4)):
        nests = depth < DEPTH and random.random() < (0.9 if depth == 0 else 0.4)
        step = random.choice((_if, _while)) if nests else random.choice(STEPS)
        values += step(random, values, depth)
    return values


def _alike(random: Random, values: Values, like: Any) -> Any:
    """A value of the same spec, rather a late one; often itself."""
    found = [v for v in values if v.spec == like.spec]
    return found[max(random.randrange(len(found)) for _ in range(random.choice((1, 2))))]


def _following(random: Random, values: Values, of: Sequence[Any]) -> Values:
    """A value for each, by which some change places and others stay."""
    return [_alike(random, values, v) for v in of]


def _truth(random: Random, values: Values) -> Any:
    if random.random() < 0.3:
        return random.choice([v for v in values if v.dtype == "bool"])
    v = random.choice([v for v in values if v.dtype != "bool"])
    return paddle.remainder(v.sum(), 3) > random.choice((0, 1))


def _if(random: Random, values: Values, depth: int) -> Values:
    of = random.sample(values, k=random.randint(1, 4))

    def side(seed: float) -> Callable[[], Values]:
        return lambda: _following(Random(seed), _block(seed, values, depth + 1), of)

    then, orelse = side(random.random()), side(random.random())
    found = cond(_truth(random, values), then, orelse)
    return list(found) if isinstance(found, (list, tuple)) else [found]


def _while(random: Random, values: Values, depth: int) -> Values:
    """A loop of a few iterations, that a condition may end earlier."""
    of = random.sample(values, k=random.randint(1, 5))
    count = paddle.remainder(random.choice([v for v in values if v.dtype == "int64"]), 5)
    seed, ends_early = random.random(), random.random() < 0.5

    def test(i: Any, *carried: Any) -> Any:
        goes_on = i < count
        if not ends_early:
            return goes_on
        return paddle.logical_and(goes_on, _truth(Random(seed), [*values, *carried]))

    def body(i: Any, *carried: Any) -> Values:
        after = _block(seed, [*values, *carried], depth + 1)
        return [i + 1, *_following(Random(seed + 1), after, carried)]

    return list(while_loop(test, body, [paddle.zeros([], "int64"), *of]))[1:]


def _arithmetic(random: Random, values: Values, depth: int) -> Values:
    x = random.choice([v for v in values if v.dtype != "bool"])
    y = _alike(random, values, x)
    op = random.choice((paddle.add, paddle.subtract, paddle.multiply, paddle.maximum))
    return [paddle.remainder(op(x, y), MODULUS)]


def _looked_up(random: Random, values: Values, depth: int) -> Values:
    """A row at an index that data gives."""
    x = random.choice([v for v in values if v.ndim == 2])
    index = random.choice([v for v in values if v.dtype == "int64"])
    row = paddle.gather(x, paddle.remainder(index, 2).reshape([1]))
    return [row.reshape([3])]


def _moved(random: Random, values: Values, depth: int) -> Values:
    x = random.choice([v for v in values if v.ndim == 2])
    return [random.choice((lambda: x[1], lambda: x.t().reshape([2, 3]), lambda: x.sum(0)))()]


def _sorted(random: Random, values: Values, depth: int) -> Values:
    """What a procedure runs."""
    return [paddle.sort(random.choice([v for v in values if v.ndim]), axis=-1)]


def _constant(random: Random, values: Values, depth: int) -> Values:
    return [paddle.to_tensor(np.float32([1, 0, random.randrange(5)])), paddle.ones([2, 3])]


def _compared(random: Random, values: Values, depth: int) -> Values:
    return [_truth(random, values)]


def _asserted(random: Random, values: Values, depth: int) -> Values:
    """What seldom fails."""
    v = random.choice([v for v in values if v.dtype != "bool"])
    check((v.sum() == 5).logical_not(), "ValueError", Text(["it is ", Piece(v, ""), f", {depth}"]))
    return []


STEPS = (
    _arithmetic, _arithmetic, _arithmetic, _looked_up, _moved, _sorted, _constant, _compared,
    _asserted,
)  # fmt: skip
