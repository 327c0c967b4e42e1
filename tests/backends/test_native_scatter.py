"""Slices combined at positions that repeat, as compiled loops: what NumPy's kernels say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import twinoar as paddle
from tests.backends.test_native_order import compiled
from twinoar.errors import AxisError
from twinoar.ops.index.along_axis import put_along_axis_op
from twinoar.ops.index.gather import added_at, scatter_op, sum_at
from twinoar.ops.index.gather_nd import index_put_op, scatter_nd_add
from twinoar.ops.index.segment import pooled_rows
from twinoar.ops.sequence.embedding import embedding_sum

pytestmark = pytest.mark.usefixtures("one_pass_for_most", "strict")

DTYPES = ["bool", "uint8", "int8", "int32", "int64", "float16", "bfloat16", "float32", "float64",
          "complex64", "complex128"]  # fmt: skip
TOLERANCE = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-5, "complex64": 1e-5}
REDUCES = ["assign", "add", "multiply", "amin", "amax", "mean"]
SEEDS = range(6)


def numbers(random: np.random.Generator, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Some of which are equal; of floats some are nan or infinite."""
    if dtype == "bool":
        return random.random(shape) < 0.5
    if dtype.startswith(("int", "uint")):
        return random.integers(0, 100, shape).astype(dtype)
    x = random.standard_normal(shape).round(1)
    if dtype.startswith("complex"):
        return (x + 1j * random.standard_normal(shape)).astype(dtype)
    x = np.where(random.random(shape) < 0.02, random.choice([np.nan, np.inf], shape), x)
    return x.astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)


def positions(random: np.random.Generator, n: int, shape: tuple[int, ...]) -> np.ndarray:
    """Of a line of n elements, some counted from its end."""
    kind = random.choice(["int32", "int64"])
    return random.integers(-n, n, shape).astype(kind)


def agree(op: Any, *operands: Any, **attrs: Any) -> None:
    """A compiled operator and its NumPy kernel, of which attributes may be operands too."""
    flat = [y for x in operands for y in (x if isinstance(x, list) else [x])]
    arrays = [y for y in flat if isinstance(y, np.ndarray)]

    def call(*given: Any) -> Any:
        left = iter(given)

        def one(x: Any) -> Any:
            return next(left) if isinstance(x, np.ndarray) else x

        return op(
            *([one(y) for y in x] if isinstance(x, list) else one(x) for x in operands), **attrs
        )

    wanted = op.kernel_rule(*flat, **attrs)
    (found,) = compiled(call, *arrays)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    exact = wanted.dtype.kind in "biu"
    tolerance = 0 if exact else TOLERANCE.get(str(wanted.dtype), 1e-12)
    wide = np.complex128 if wanted.dtype.kind == "c" else np.float64
    if exact:
        np.testing.assert_array_equal(found, wanted)
    else:
        np.testing.assert_allclose(
            found.astype(wide), wanted.astype(wide), rtol=tolerance, atol=10 * tolerance
        )


def sizes(random: np.random.Generator, ndim: int) -> tuple[int, ...]:
    return tuple(random.integers(1, 7, ndim).tolist())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("seed", SEEDS)
def test_added_put_and_scattered(seed: int, dtype: str) -> None:
    random = np.random.default_rng(seed)
    shape = sizes(random, int(random.integers(1, 4)))
    x = numbers(random, shape, dtype)
    depth = int(random.integers(1, len(shape) + 1))
    lead = (int(random.integers(0, 9)),)
    index = np.stack([positions(random, n, lead).astype("int64") for n in shape[:depth]], -1)
    agree(scatter_nd_add, x, index, numbers(random, lead + shape[depth:], dtype))
    indices = [positions(random, shape[d], lead if d else (1,)) for d in range(depth)]
    common = np.broadcast_shapes(*(i.shape for i in indices))
    for value in (numbers(random, common + shape[depth:], dtype), numbers(random, (1,), dtype)):
        for accumulate in (False, True):
            agree(index_put_op, x, value, indices, accumulate=accumulate)
    rows = positions(random, shape[0], lead)
    for overwrite in (False, True):
        updates = numbers(random, lead + shape[1:], dtype)
        agree(scatter_op, x, rows, updates, overwrite=overwrite)
    axis = int(random.integers(0, len(shape)))
    places = positions(random, shape[axis], lead)
    values = numbers(random, (*shape[:axis], *lead, *shape[axis + 1 :]), dtype)
    agree(sum_at, values, places, size=shape[axis], axis=axis)
    agree(added_at, x, places, values, axis=axis - len(shape))
    one = numbers(random, (*shape[:axis], 1, *shape[axis + 1 :]), dtype)
    agree(added_at, x, places, one, axis=axis)


@pytest.mark.parametrize("dtype", [d for d in DTYPES if not d.startswith("complex")])
@pytest.mark.parametrize("seed", SEEDS)
def test_put_along_an_axis(seed: int, dtype: str) -> None:
    random = np.random.default_rng(seed)
    shape = sizes(random, int(random.integers(1, 4)))
    axis = int(random.integers(0, len(shape)))
    x = numbers(random, shape, dtype)
    for is_cut in (False, True):
        part = tuple(int(random.integers(1, n + 1)) if is_cut else n for n in shape)
        part = (*part[:axis], int(random.integers(0, 9)), *part[axis + 1 :])
        index = positions(random, shape[axis], part)
        values = numbers(random, part, dtype)
        for reduce in REDUCES if dtype != "bool" else REDUCES[:-1]:
            for include in (False, True):
                given = {"axis": axis, "reduce": reduce, "include_self": include}
                agree(put_along_axis_op, x, index, values, **given)


@pytest.mark.parametrize("dtype", DTYPES[1:-2])
@pytest.mark.parametrize("pool", ["sum", "mean", "max", "min"])
def test_rows_and_vectors_that_are_put_together(pool: str, dtype: str) -> None:
    random = np.random.default_rng(len(pool))
    for width in ((), (3,), (2, 40)):
        x, index = numbers(random, (30, *width), dtype), random.integers(0, 12, 30)
        agree(pooled_rows, x, index, rows=14, pool=pool)
        agree(embedding_sum, x.reshape(30, -1), index, rows=14, padding_idx=len(width))


@pytest.mark.parametrize("far", [-5, 4, 2**40])
def test_a_position_outside_is_told(far: int) -> None:
    x, index = np.zeros((4, 3), "float32"), np.array([0, far, 1])
    values = np.ones((3, 3), "float32")
    for call in (
        lambda x, i, v: scatter_op(x, i, v),
        lambda x, i, v: added_at(x, i, v, 0),
        lambda x, i, v: index_put_op(x, v, [i]),
        lambda x, i, v: index_put_op(x, 0.0, [i, i]),
        lambda x, i, v: sum_at(v, i, 4, 0),
        lambda x, i, v: added_at(x.t(), i, v.t(), 1),
        lambda x, i, v: pooled_rows(v, i, 4),
        lambda x, i, v: scatter_nd_add(x, paddle.stack([i, i * 0], -1), v[:, 0]),
        lambda x, i, v: put_along_axis_op(x, i.unsqueeze(1), v[:, :1], 0),
    ):
        with pytest.raises(AxisError, match=f"{far} is out of range"):
            compiled(call, x, index, values)
    for axis in (0, 1):
        empty = [np.moveaxis(a[:, :0], 0, axis).copy() for a in (x, values)]
        with pytest.raises(AxisError, match=f"{far} is out of range"):
            compiled(lambda x, i, v: added_at(x, i, v, axis), empty[0], index, empty[1])  # noqa: B023


SEVERAL = """
import hashlib
import numpy as np
import twinoar as paddle
from tests.backends.test_native_order import compiled
from twinoar.ops.index.along_axis import put_along_axis_op
from twinoar.ops.index.gather import added_at
from twinoar.ops.sequence.embedding import embedding_sum
found = hashlib.sha256()
random = np.random.default_rng(0)
for n, width in ((3, 500), (4000, 33), (50_000, 1), (1, 9000)):
    x, values = (random.standard_normal((m, width)).astype("float32") for m in (n, 5000))
    index = random.integers(0, n, 5000)
    table = np.ascontiguousarray(np.broadcast_to(index[:, None], values.shape))
    for out in (
        compiled(lambda x, i, v: added_at(x, i, v, 0), x, index, values),
        compiled(lambda x, i, v: added_at(x, i, v, 1), x.T.copy(), index, values.T.copy()),
        compiled(lambda x, i, v: embedding_sum(v, i, len(x), None), x, index, values),
        compiled(lambda x, i, v: put_along_axis_op(x, i, v, 0, "mean"), x, table, values),
        compiled(lambda x, i, v: put_along_axis_op(x, i, v, 0, "multiply"), x, table, values),
    ):
        found.update(out[0].tobytes())
print(found.hexdigest())
"""


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", SEVERAL],
            env={**os.environ, "OMP_NUM_THREADS": threads},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2", "3", "3")
    }
    assert len(found) == 1
