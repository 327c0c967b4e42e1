"""What data chooses, in compiled Programs and in large eager calls: what NumPy's kernels say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.backends.compiled_calls import compiled, same, sample
from twinoar.backends.host import host
from twinoar.backends.native.operation import Counted, make_operation
from twinoar.core.dtype import int64
from twinoar.ops.index.mask import masked_select, nonzero_op
from twinoar.ops.index.unique import unique_consecutive_op, unique_op

pytestmark = pytest.mark.usefixtures("one_pass_for_most", "native")

DTYPES = ["bool", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64"]
SHAPES = [
    (0,),
    (1,),
    (63,),
    (1024,),
    (70_000,),
    (3, 5),
    (400, 70),
    (5, 6, 7),
    (0, 3),
    (9, 30, 4, 2),
]


def eagerly(op: Any, *arrays: np.ndarray, **attrs: Any) -> list[np.ndarray]:
    """What is computed eagerly where arrays are large."""
    made = make_operation(op, arrays, attrs, host())
    assert isinstance(made, Counted)
    found = made.run(arrays)
    assert found is not None
    return list(found)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_nonzero_is_numpys(dtype: str, shape: tuple[int, ...]) -> None:
    x = sample(shape, dtype, 3)
    x[np.random.default_rng(1).random(shape) < 0.4] = 0
    wanted = (nonzero_op.kernel_rule(x),)
    same(compiled(nonzero_op, x), wanted)
    same(eagerly(nonzero_op, x), wanted)


@pytest.mark.parametrize("chosen", [0.0, 0.02, 0.5, 1.0])
@pytest.mark.parametrize("dtype", [*DTYPES, "complex64"])
def test_masked_select_is_numpys(dtype: str, chosen: float) -> None:
    for shape in ((7,), (5000,), (200, 300)):
        x = sample(shape, "float32").astype(dtype) if dtype == "complex64" else sample(shape, dtype)
        mask = np.random.default_rng(2).random(shape) < chosen
        wanted = (masked_select.kernel_rule(x, mask),)
        same(compiled(masked_select, x, mask), wanted)
        same(eagerly(masked_select, x, mask), wanted)


@pytest.mark.parametrize("op", [unique_op, unique_consecutive_op], ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_unique_is_numpys(dtype: str, op: Any) -> None:
    for shape in ((1,), (70_000,), (30, 40)):
        x = np.sort(sample(shape, dtype, 3).reshape(-1)).repeat(2).reshape(2, *shape)
        wanted = op.kernel_rule(x, None, int64)
        same(compiled(lambda x: op(x), x), wanted)
        same(eagerly(op, x, axis=None, dtype=int64), wanted)


def test_masks_broadcast_and_need_not_lie_in_rows() -> None:
    x, mask = sample((300, 200), "float32"), sample((200, 300), "bool").T
    for given in ((x, mask), (x[::-2, ::3], mask[::2, 1::3]), (x, mask[:1]), (x[:, :1], mask)):
        same(eagerly(masked_select, *given), (masked_select.kernel_rule(*given),))


SEVERAL = """
import sys
sys.path.insert(0, {tests!r})
import twinoar as paddle
from tests.backends.compiled_calls import compiled, sample
x = sample((1001, 301), "float32")
for found in compiled(lambda x: (paddle.nonzero(x > 0), paddle.masked_select(x, x > 0)), x):
    print(found.tobytes().hex())
"""


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    text = SEVERAL.format(tests=str(Path(__file__).parents[2]))
    found = {
        subprocess.run(
            [sys.executable, "-c", text],
            env={**os.environ, "OMP_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2", "3")
    }
    assert len(found) == 1


def test_a_step_with_several_masks_runs_without_numpy() -> None:
    def function(x: Any) -> Any:
        kept = x[x > 0]
        return kept[kept < 1].sum() + paddle.where(x < 0)[0].astype("float32").sum()

    converted = paddle.jit.to_static(function)
    for seed in range(3):
        x = sample((40, 30), "float64", seed)
        x = np.nan_to_num(x.astype("float32"), posinf=2, neginf=-2)
        kept = x[x > 0]
        wanted = kept[kept < 1].sum() + np.nonzero(x < 0)[0].sum()
        np.testing.assert_allclose(converted(paddle.to_tensor(x)), wanted, rtol=1e-5)
    assert "NumPy" not in converted.concrete_program.explain()
