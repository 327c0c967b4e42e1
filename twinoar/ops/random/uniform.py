"""Random numbers from a counter: the same seed gives the same numbers in eager mode, in Programs
and natively, whatever part of them is computed, and on however many threads.

A key is (seed, counter), [2], int64; each draw has its own counter. `twinoar.ops.random.philox`
says what the bits of an element are, `twinoar.core.loop.draws` what numbers follow from them.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from twinoar.core.dtype import DType, default_dtype, dtype_of, float32, float64, int64
from twinoar.core.interpreter import current, eager, using
from twinoar.core.keyword import spelled_freely
from twinoar.core.live import LIVE, READERS
from twinoar.core.loop.draws import (
    ARRAYS,
    bell,
    radius_and_turn,
    scaled,
    unit,
    wide_radius_and_turn,
    wide_unit,
)
from twinoar.core.op.declare import (
    Desc,
    Shape,
    Spec,
    Tensor,
    Value,
    function,
    loop,
    method,
    primitive,
)
from twinoar.core.op.explain import told
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import broadcast
from twinoar.errors import ArgumentError, DTypeError, ShapeError, TypeMismatchError
from twinoar.late import dataclass
from twinoar.ops._sizes import shape_from, sizes
from twinoar.ops.create.fill import constant
from twinoar.ops.math.arithmetic import add, multiply
from twinoar.ops.random.philox import chosen_pair, filled, pair, wide_of, wide_word, word
from twinoar.runtime.own_values import own_values

LARGEST_SEED = 2**63 - 1


def check_key(key: Spec) -> None:
    """Raise ShapeError where a spec is not that of a key."""
    if key.shape != (2,) or key.dtype is not int64:
        raise ShapeError(
            f"a key must be i64[2], received {key}", cure="take one from generator.next_key()"
        )


def count_of(key: np.ndarray, shape: Any, **others: Any) -> int:
    """The elements of a draw of a shape."""
    return math.prod(shape)


def spec_of_draw(key: Spec, shape: Shape, dtype: DType) -> Spec:
    """The result of a draw, after a look at its key."""
    check_key(key)
    return Spec(shape, dtype)


@primitive(
    infer=lambda state: (state, state),
    kernel=lambda state: (state, state + np.array([0, 1])),
    lower=lambda i, state, nth: state[i] if nth == 0 else state[i] + i[0],
)
def split_key(state: Tensor) -> tuple[Tensor, Tensor]:
    """A key to draw with, and the state that the next key comes from: (seed, counter) and (seed,
    counter + 1).
    """


@split_key.samples
def _(s):
    yield s(np.array([7, 0]))


class _Held:
    """A seed, and the tensor that is counted in, once it is asked for."""

    __slots__ = ("seed", "state")

    def __init__(self, seed: int):
        self.seed = seed
        self.state: Any = None


def _counter(state: np.ndarray) -> Tensor:
    with using(eager(UNRECORDED)):
        made = constant.function(state)
    made.name, made.persistable = "random_state", True
    return made


class Generator:
    """Where keys come from: a seed and a counter, kept in one tensor.

    Programs that capture the tensor go on counting where eager mode stopped, and the other way
    round. A thread that plays a rank has a tensor of its own, which begins as that of the process.
    """

    def __init__(self, seed: int = 0):
        self._of_process = _Held(seed)

    @property
    def _held(self) -> _Held:
        """What this thread counts in."""
        own = own_values.get()
        if own is None:
            return self._of_process
        found: _Held | None = own.get(self)
        if found is None:
            found = own[self] = _Held(self._of_process.seed)
            begun = self._of_process.state
            found.state = None if begun is None else _counter(np.array(begun))
        return found

    @property
    def state(self) -> Tensor:
        """(seed, counter), [2], int64: the tensor that stays the same object for good."""
        held = self._held
        if held.state is None:
            held.state = _counter(np.array([held.seed, 0]))
        return held.state

    def manual_seed(self, seed: int) -> Generator:
        """Start again from `seed`. Raises ArgumentError for a negative one."""
        if not 0 <= seed <= LARGEST_SEED:
            raise ArgumentError(
                f"a seed must be in [0, 2**63), received {seed}", cure="give a number such as 42"
            )
        self._held.seed = int(seed)
        self.set_state(np.array([int(seed), 0]))
        return self

    def initial_seed(self) -> int:
        """The seed of the last `manual_seed`."""
        return self._held.seed

    def get_state(self) -> Tensor:
        """A copy of the state."""
        with using(eager(UNRECORDED)):
            return constant.function(np.array(self.state))

    def set_state(self, state: Any) -> None:
        """Go on from a state that `get_state` gave."""
        array = np.array(state, np.int64)
        if array.shape != (2,):
            raise ShapeError(f"a random state has shape [2], received {list(array.shape)}")
        current().python_effect("seeding")
        with using(eager(UNRECORDED)) as interpreter:
            interpreter.rebind(self.state, constant.function(array))

    def next_key(self) -> Tensor:
        """A key that no other draw gets; in a Program another one in each run."""
        return current().random_key(self)

    def split(self) -> Tensor:
        """A key, taken off the state by an operator; in a Program the state is updated by runs."""
        key, following = split_key.function(self.state)
        current().rebind(self.state, following)
        return key

    def draw(self) -> np.ndarray:
        """A key, taken off the state now."""
        with using(eager(UNRECORDED)):
            return np.array(self.split())


@dataclass(frozen=True)
class Draw:
    """What reads a state that is a key: another one for each run. index: among the Program's."""

    index: int
    spec: ClassVar[Spec] = Spec((2,), int64)

    def __call__(self) -> np.ndarray:
        return generator.draw()


generator = Generator()
LIVE["random_state"] = lambda: generator.state
READERS["random_key"] = Draw


@primitive(
    infer=lambda key, shape, min, max, dtype: spec_of_draw(key, shape, dtype),
    elements=count_of,
    desc=Desc(
        "uniform_random",
        attrs={"dtype": "dtype", "min": "min", "max": "max"},
        write=lambda attrs, specs: {"shape": ("LONGS", list(attrs["shape"])), "seed": 0},
        read=lambda slots, attrs: uniform(
            shape_from(slots, attrs, "shape", "ShapeTensor", "ShapeTensorList"),
            attrs["dtype"], attrs["min"], attrs["max"], attrs.get("seed", 0),
        ),
    ),
)  # fmt: skip
def uniform_random(
    key: Tensor, shape: tuple[int, ...], min: float = -1.0, max: float = 1.0, dtype: DType = float32
) -> Tensor:
    """Uniform numbers in [min, max), of `shape`. See `uniform`."""


def _uniform(s: Any, u: Any, min: float, max: float, dtype: DType) -> Any:
    """[0, 1) stretched to [min, max): what rounding would make max is the number before it."""
    x = s.scaled(u, max - min, min)
    last = _last_below(max, dtype)
    return s.select(s.lt(last, x), last, x) if min < last else x


def _last_below(limit: float, dtype: DType) -> float:
    """The greatest number of a dtype that is less than `limit`."""
    nearest = dtype.numpy.type(limit)
    if float(nearest) < limit:
        return float(nearest)
    return float(np.nextafter(nearest, dtype.numpy.type(-math.inf)))


@uniform_random.kernel
def _(key, shape, min, max, dtype):
    def make(words: np.ndarray) -> np.ndarray:
        u = wide_unit(ARRAYS, wide_of(words)) if dtype is float64 else unit(ARRAYS, words)
        return _uniform(ARRAYS, u, min, max, dtype)

    each = 2 if dtype is float64 else 1
    return filled(key, math.prod(shape), each, dtype.numpy, make).reshape(shape)


@uniform_random.lower
def _(i, key, shape, min, max, dtype):
    at = loop.flatten(i, shape)
    u = wide_unit(loop, wide_word(key, at)) if dtype is float64 else unit(loop, word(key, at))
    return _uniform(loop, u, min, max, dtype)


@uniform_random.samples
def _(s):
    key = np.array([3, 1])
    yield s(key, (2, 3))
    yield s(key, (5,), 0.0, 2.0, "float64")
    yield s(key, (), dtype="float16")
    yield s(key, (0, 2))
    yield s.bad(ShapeError, "a key must be", s.ints(0, 9, 3), (2,), static_error=True)


@primitive(
    infer=lambda key, shape, mean, std, dtype: spec_of_draw(key, shape, dtype),
    elements=count_of,
    desc=Desc(
        "gaussian_random",
        attrs={"dtype": "dtype", "mean": "mean", "std": "std"},
        write=lambda attrs, specs: {"shape": ("LONGS", list(attrs["shape"])), "seed": 0},
        read=lambda slots, attrs: gaussian(
            shape_from(slots, attrs, "shape", "ShapeTensor", "ShapeTensorList"),
            attrs["mean"], attrs["std"], attrs.get("seed", 0), attrs["dtype"],
        ),
    ),
)  # fmt: skip
def gaussian_random(
    key: Tensor, shape: tuple[int, ...], mean: float = 0.0, std: float = 1.0, dtype: DType = float32
) -> Tensor:
    """Normal numbers of `shape`. See `gaussian`."""


@gaussian_random.kernel
def _(key, shape, mean, std, dtype):
    is_wide = dtype is float64

    def make(words: np.ndarray) -> np.ndarray:
        is_odd = np.arange(len(words)) % 2 == 1
        first, second = (np.repeat(words[nth::2], 2, axis=0) for nth in (0, 1))
        if is_wide:
            operands = wide_radius_and_turn(ARRAYS, wide_of(first), wide_of(second), is_odd)
        else:
            operands = radius_and_turn(ARRAYS, first, second, is_odd)
        return scaled(bell(ARRAYS, *operands), std, mean)

    return filled(key, math.prod(shape), 1 + is_wide, dtype.numpy, make).reshape(shape)


@gaussian_random.lower
def _(i, key, shape, mean, std, dtype):
    at = loop.flatten(i, shape)
    is_odd = loop.eq(loop.and_(at, 1), 1)
    if dtype is float64:
        block = loop.shr(at, 1)
        operands = wide_radius_and_turn(loop, pair(key, block, 0), pair(key, block, 1), is_odd)
    else:
        is_second = loop.eq(loop.and_(at, 2), 2)
        first, second = chosen_pair(key, loop.shr(at, 2), is_second)
        operands = radius_and_turn(loop, first, second, is_odd)
    return loop.scaled(loop.bell(*operands), std, mean)


@gaussian_random.samples
def _(s):
    key = np.array([3, 1])
    yield s(key, (2, 3))
    yield s(key, (5,), 1.0, 2.0, "float64")
    yield s(key, (), dtype="bfloat16")
    yield s(key, (0, 2))
    yield s.bad(ShapeError, "a key must be", s.ints(0, 9, 3), (2,))


def wide_units(key: np.ndarray, shape: Any) -> np.ndarray:
    """Uniform numbers in [0, 1), float64."""

    def make(words: np.ndarray) -> np.ndarray:
        return wide_unit(ARRAYS, wide_of(words))

    return filled(key, math.prod(shape), 2, np.float64, make).reshape(shape)


@told
def seed(seed: int) -> Generator:
    """Start all random numbers again from `seed`, and return the generator.

    seed: an integer; a truth value counts as 0 or 1. Raises TypeMismatchError for another.

    >>> twinoar.seed(7).initial_seed()
    7
    """
    if not isinstance(seed, (int, np.integer, np.bool_)):
        raise TypeMismatchError(
            f"a seed must be an int, received {type(seed).__name__}",
            cure="give a number such as 42",
        )
    return generator.manual_seed(int(seed))


@told
def get_rng_state(device: Any = None) -> list[Tensor]:
    """The state of the generator, to be handed to `set_rng_state`.

    >>> len(twinoar.get_rng_state())
    1
    """
    return [generator.get_state()]


@told
def set_rng_state(state_list: Any, device: Any = None) -> None:
    """Go on from a state that `get_rng_state` gave. Raises ArgumentError where it is not one.

    >>> state = twinoar.get_rng_state()
    >>> before = twinoar.rand([2])
    >>> twinoar.set_rng_state(state)
    >>> bool((twinoar.rand([2]) == before).all())
    True
    """
    if not isinstance(state_list, (list, tuple)) or len(state_list) != 1:
        count = len(state_list) if isinstance(state_list, (list, tuple)) else "no list"
        raise ArgumentError(
            f"expected the list of one state that get_rng_state() gave, received {count}",
            cure="keep what get_rng_state() returned as it is",
        )
    generator.set_state(state_list[0])


def _key_of(seed: int) -> Any:
    """A key of its own where an operator is given a seed, the generator's next where that is 0."""
    return constant.function(np.array([seed, 0])) if seed else generator.next_key()


def _floating(dtype: Any) -> DType:
    kind = default_dtype() if dtype is None else dtype_of(dtype)
    if not kind.is_floating:
        raise DTypeError(f"random numbers of this kind are floating, received {kind.name}")
    return kind


@function
def uniform(shape: Any, dtype: Any = None, min: Any = 0.0, max: Any = 1.0, seed: int = 0) -> Tensor:
    """Uniform numbers in [min, max).

    shape: sizes. dtype: floating, the default type where it is None. seed: other than 0, the same
    numbers each time.

    >>> x = twinoar.uniform([3], min=2.0, max=3.0)
    >>> bool(((x >= 2) & (x < 3)).all())
    True
    """
    bounds = (float(min), float(max))
    return uniform_random(_key_of(seed), sizes(shape), *bounds, _floating(dtype))


@spelled_freely
def rand(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Uniform numbers in [0, 1).

    >>> twinoar.rand([2, 3]).shape
    [2, 3]
    """
    return uniform(shape, dtype, 0.0, 1.0, name=name)


def gaussian(
    shape: Any,
    mean: float = 0.0,
    std: float = 1.0,
    seed: int = 0,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """Normal numbers of that mean and standard deviation, of a shape."""
    return gaussian_random(
        _key_of(seed), sizes(shape), float(mean), float(std), _floating(dtype), name=name
    )


@told
def standard_normal(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Normal numbers of mean 0 and standard deviation 1.

    >>> twinoar.standard_normal([2, 3]).shape
    [2, 3]
    """
    return gaussian(shape, dtype=dtype, name=name)


@spelled_freely
def randn(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Normal numbers of mean 0 and standard deviation 1: `standard_normal`.

    >>> twinoar.randn([2, 3]).shape
    [2, 3]
    """
    return gaussian(shape, dtype=dtype, name=name)


@function
def normal(mean: Any = 0.0, std: Any = 1.0, shape: Any = None) -> Tensor:
    """Normal numbers; mean and std are numbers, or tensors whose common shape is that of the
    result.

    shape: where both are numbers; [1] if it is None.

    >>> twinoar.normal(5.0, 0.0, [2]).tolist()
    [5.0, 5.0]
    """
    given = [x for x in (mean, std) if isinstance(x, Value)]
    if not given:
        return gaussian([1] if shape is None else shape, mean, std)
    drawn = gaussian(broadcast(*(x.spec.shape for x in given)), dtype=given[0].dtype)
    return add(multiply(drawn, std), mean)


@method("uniform_")
def uniform_(
    x: Tensor, min: float = 0.0, max: float = 1.0, seed: int = 0, name: str | None = None
) -> Tensor:
    """Fill x with uniform numbers in [min, max), in place, and return x."""
    current().rebind(x, uniform(x.spec.shape, x.dtype, min, max, seed))
    return x


@function(method=True)
def normal_(x: Tensor, mean: float = 0.0, std: float = 1.0) -> Tensor:
    """Fill x with normal numbers, in place, and return x."""
    current().rebind(x, gaussian(x.spec.shape, mean, std, dtype=x.dtype))
    return x
