"""Random numbers from a counter: the same seed gives the same numbers in eager mode, in Programs
and natively.

A key is (seed, counter), [2], int64; each draw has its own counter. Its bits are those of
Philox4x64-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011) under the key
(seed, 0): block j = 1, 2, ... is the cipher of (j, counter, 0, 0) and gives four 64-bit words. The
numbers follow from word w[i], or from h[i], the 32-bit halves of the words, low half first:

    uniform in [0, 1)   float64: (w[i] >> 11) * 2**-53        others: (h[i] >> 8) * 2**-24
    normal              from w[2k], w[2k+1] as uniform float64 u, v: r = sqrt(-2 log(1 - u));
                        element 2k is r cos(2 pi v), element 2k+1 is r sin(2 pi v)
    integer in [a, b)   a + w[i] mod (b - a)
    permutation         the stable order of w[0], w[1], ...
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from twinoar.core.dtype import DType, default_dtype, dtype_of, float32, int64
from twinoar.core.interpreter import current, eager, using
from twinoar.core.keyword import spelled_freely
from twinoar.core.live import LIVE, READERS
from twinoar.core.op.declare import Desc, Shape, Spec, Tensor, Value, function, method, primitive
from twinoar.core.op.explain import told
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import broadcast
from twinoar.errors import ArgumentError, DTypeError, ShapeError, TypeMismatchError
from twinoar.ops._sizes import shape_from, size, sizes
from twinoar.ops.create.fill import constant
from twinoar.ops.math.arithmetic import add, multiply

LARGEST_SEED = 2**63 - 1


def words(key: np.ndarray, count: int) -> np.ndarray:
    """The first `count` 64-bit words of a key."""
    seed, counter = (int(k) for k in key)
    return np.random.Philox(key=seed, counter=[0, counter, 0, 0]).random_raw(count)


def halves(key: np.ndarray, count: int) -> np.ndarray:
    """The first `count` 32-bit halves of a key's words, low halves first."""
    return words(key, -(-count // 2)).astype("<u8", copy=False).view("<u4")[:count]


def unit(key: np.ndarray, shape: Any, dtype: np.dtype) -> np.ndarray:
    """Uniform numbers in [0, 1), float64 for float64, else float32."""
    count = math.prod(shape)
    if dtype == np.float64:
        return ((words(key, count) >> 11) * 2.0**-53).reshape(shape)
    return ((halves(key, count) >> 8) * np.float32(2**-24)).astype(np.float32).reshape(shape)


def bell(key: np.ndarray, shape: Any) -> np.ndarray:
    """Normal numbers, float64, by Box and Muller's transform."""
    count = math.prod(shape)
    u = ((words(key, count + count % 2) >> 11) * 2.0**-53).reshape(-1, 2)
    radius, angle = np.sqrt(-2.0 * np.log1p(-u[:, 0])), 2.0 * np.pi * u[:, 1]
    out = np.stack([radius * np.cos(angle), radius * np.sin(angle)], -1)
    return out.reshape(-1)[:count].reshape(shape)


def check_key(key: Spec) -> None:
    """Raise ShapeError where a spec is not that of a key."""
    if key.shape != (2,) or key.dtype is not int64:
        raise ShapeError(
            f"a key must be i64[2], received {key}", cure="take one from generator.next_key()"
        )


def _drawn(key: Spec, shape: Shape, dtype: DType) -> Spec:
    check_key(key)
    return Spec(shape, dtype)


@primitive(
    infer=lambda state: (state, state),
    kernel=lambda state: (state, state + np.array([0, 1])),
)
def split_key(state: Tensor) -> tuple[Tensor, Tensor]:
    """A key to draw with, and the state that the next key comes from: (seed, counter) and (seed,
    counter + 1).
    """


@split_key.lower
def _(i, state, nth):
    return state[i] if nth == 0 else state[i] + i[0]


@split_key.samples
def _(s):
    yield s(np.array([7, 0]))


class Generator:
    """Where keys come from: a seed and a counter, kept in one tensor.

    Programs that capture the tensor go on counting where eager mode stopped, and the other way
    round.
    """

    def __init__(self, seed: int = 0):
        self._seed = seed
        self._state: Any = None

    @property
    def state(self) -> Tensor:
        """(seed, counter), [2], int64: the tensor that stays the same object for good."""
        if self._state is None:
            with using(eager(UNRECORDED)):
                self._state = constant.function(np.array([self._seed, 0]))
            self._state.name, self._state.persistable = "random_state", True
        return self._state

    def manual_seed(self, seed: int) -> Generator:
        """Start again from `seed`. Raises ArgumentError for a negative one."""
        if not 0 <= seed <= LARGEST_SEED:
            raise ArgumentError(
                f"a seed must be in [0, 2**63), received {seed}", cure="give a number such as 42"
            )
        self._seed = int(seed)
        self.set_state(np.array([self._seed, 0]))
        return self

    def initial_seed(self) -> int:
        """The seed of the last `manual_seed`."""
        return self._seed

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
    infer=lambda key, shape, min, max, dtype: _drawn(key, shape, dtype),
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


@uniform_random.kernel
def _(key, shape, min, max, dtype):
    u = unit(key, shape, dtype.numpy)
    return (u * u.dtype.type(max - min) + u.dtype.type(min)).astype(dtype.numpy, copy=False)


@uniform_random.samples
def _(s):
    key = np.array([3, 1])
    yield s(key, (2, 3))
    yield s(key, (5,), 0.0, 2.0, "float64")
    yield s(key, (), dtype="float16")
    yield s(key, (0, 2))
    yield s.bad(ShapeError, "a key must be", s.ints(0, 9, 3), (2,), static_error=True)


@primitive(
    infer=lambda key, shape, mean, std, dtype: _drawn(key, shape, dtype),
    kernel=lambda key, shape, mean, std, dtype: (bell(key, shape) * std + mean).astype(dtype.numpy),
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
    """Normal numbers of `shape`, computed in float64. See `gaussian`."""


@gaussian_random.samples
def _(s):
    key = np.array([3, 1])
    yield s(key, (2, 3))
    yield s(key, (5,), 1.0, 2.0, "float64")
    yield s(key, (), dtype="bfloat16")
    yield s(key, (0, 2))
    yield s.bad(ShapeError, "a key must be", s.ints(0, 9, 3), (2,))


def _integers_spec(key: Spec, shape: Shape, low: int, high: int, dtype: DType) -> Spec:
    if low >= high:
        raise ArgumentError(
            f"low must be below high, received low={low} and high={high}", cure="exchange the two"
        )
    return _drawn(key, shape, dtype)


@primitive(
    infer=_integers_spec,
    desc=Desc(
        "randint",
        attrs={"dtype": "dtype", "low": "low", "high": "high"},
        write=lambda attrs, specs: {"shape": ("LONGS", list(attrs["shape"])), "seed": 0},
        read=lambda slots, attrs: randint(
            attrs["low"],
            attrs["high"],
            shape_from(slots, attrs, "shape", "ShapeTensor", "ShapeTensorList"),
            attrs["dtype"],
        ),
    ),
)
def randint_random(
    key: Tensor, shape: tuple[int, ...], low: int, high: int, dtype: DType = int64
) -> Tensor:
    """Integers in [low, high), of `shape`. See `randint`."""


@randint_random.kernel
def _(key, shape, low, high, dtype):
    if low >= high:
        raise ArgumentError(
            f"low must be below high, received low={low} and high={high}", cure="exchange the two"
        )
    drawn = words(key, math.prod(shape)) % np.uint64(high - low)
    return (drawn.astype(np.int64) + low).astype(dtype.numpy).reshape(shape)


@randint_random.samples
def _(s):
    key = np.array([3, 1])
    yield s(key, (2, 3), -5, 5)
    yield s(key, (4,), 0, 2, "int32")
    yield s(key, (), 0, 9, "float32")
    yield s.bad(ArgumentError, "low must be below high", key, (2,), 3, 3)


@primitive(
    infer=lambda key, n, dtype: _drawn(key, (n,), dtype),
    kernel=lambda key, n, dtype: np.argsort(words(key, n), kind="stable").astype(dtype.numpy),
    desc=Desc(
        "randperm",
        attrs={"n": "n", "dtype": "dtype"},
        read=lambda slots, attrs: randperm(attrs["n"], attrs["dtype"]),
    ),
)
def permutation(key: Tensor, n: int, dtype: DType = int64) -> Tensor:
    """The numbers from 0 to n - 1 in random order. See `randperm`."""


@permutation.samples
def _(s):
    yield s(np.array([3, 1]), 6)
    yield s(np.array([3, 1]), 0, "int32")


@told
def seed(seed: int) -> Generator:
    """Start all random numbers again from `seed`, and return the generator.

    seed: an integer; a truth value counts as 0 or 1. Raises TypeMismatchError for another.

    >>> import twinoar
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

    >>> import twinoar
    >>> len(twinoar.get_rng_state())
    1
    """
    return [generator.get_state()]


@told
def set_rng_state(state_list: Any, device: Any = None) -> None:
    """Go on from a state that `get_rng_state` gave. Raises ArgumentError where it is not one.

    >>> import twinoar
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

    >>> import twinoar
    >>> x = twinoar.uniform([3], min=2.0, max=3.0)
    >>> bool(((x >= 2) & (x < 3)).all())
    True
    """
    bounds = (float(min), float(max))
    return uniform_random(_key_of(seed), sizes(shape), *bounds, _floating(dtype))


@spelled_freely
def rand(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Uniform numbers in [0, 1).

    >>> import twinoar
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

    >>> import twinoar
    >>> twinoar.standard_normal([2, 3]).shape
    [2, 3]
    """
    return gaussian(shape, dtype=dtype, name=name)


@spelled_freely
def randn(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Normal numbers of mean 0 and standard deviation 1: `standard_normal`.

    >>> import twinoar
    >>> twinoar.randn([2, 3]).shape
    [2, 3]
    """
    return gaussian(shape, dtype=dtype, name=name)


@function
def normal(mean: Any = 0.0, std: Any = 1.0, shape: Any = None) -> Tensor:
    """Normal numbers; mean and std are numbers, or tensors whose common shape is that of the
    result.

    shape: where both are numbers; [1] if it is None.

    >>> import twinoar
    >>> twinoar.normal(5.0, 0.0, [2]).tolist()
    [5.0, 5.0]
    """
    given = [x for x in (mean, std) if isinstance(x, Value)]
    if not given:
        return gaussian([1] if shape is None else shape, mean, std)
    drawn = gaussian(broadcast(*(x.spec.shape for x in given)), dtype=given[0].dtype)
    return add(multiply(drawn, std), mean)


@spelled_freely
def randint(
    low: Any = 0, high: Any = None, shape: Any = (1,), dtype: Any = None, name: str | None = None
) -> Tensor:
    """Integers in [low, high), or in [0, low) where high is None; int64 by default.

    Raises ArgumentError for none.

    >>> import twinoar
    >>> int(twinoar.randint(3, 4))
    3
    """
    first, last = (0, low) if high is None else (low, high)
    kind = int64 if dtype is None else dtype_of(dtype)
    bounds = (size(first, "low"), size(last, "high"))
    return randint_random(generator.next_key(), sizes(shape), *bounds, kind, name=name)


@function
def randint_like(x: Tensor, low: Any = 0, high: Any = None, dtype: Any = None) -> Tensor:
    """Integers in [low, high), or [0, low), of the shape of x and of its dtype where `dtype` is
    None.

    >>> import twinoar
    >>> twinoar.randint_like(twinoar.zeros([2]), 5, 6).tolist()
    [5.0, 5.0]
    """
    return randint(low, high, x.spec.shape, x.dtype if dtype is None else dtype)


@told
def randperm(n: Any, dtype: Any = "int64", name: str | None = None) -> Tensor:
    """The numbers from 0 to n - 1 in random order, [n].

    >>> import twinoar
    >>> sorted(twinoar.randperm(4).tolist())
    [0, 1, 2, 3]
    """
    return permutation(generator.next_key(), size(n, "n"), dtype_of(dtype), name=name)


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
