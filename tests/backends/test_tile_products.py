"""Products of small matrices in procedures are those of NumPy, for all widths of registers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.backends.test_native_procedures import run
from twinoar.backends.host import host
from twinoar.backends.llvm.contraction.tile import shape_of
from twinoar.backends.llvm.procedure import emit_procedure
from twinoar.backends.llvm.target import attributes
from twinoar.backends.llvm.tile_products import strips
from twinoar.compile.target import Target
from twinoar.core.dtype import DType, bfloat16, float32, float64
from twinoar.core.loop.procedure import Array, Launch, Launcher, local, procedure, products
from twinoar.core.loop.translate import translated
from twinoar.errors import ProgramError

SIZES = [(4, 4, 1), (4, 8, 3), (8, 4, 20), (12, 64, 64), (64, 36, 100), (4, 4, 129)]


@procedure
def multiplied(row, x, out, *, height, inner, across, turned, adds):
    """out[row], [height,across], is the product of the two matrices that a row of x begins with."""
    right = local(inner * across, x.dtype)
    for i in range(inner * across):
        right[i] = x[row, height * inner + i]
    for i in range(height * across):
        out[row, i] = x[row, i] if adds else out[row, i]
    products(
        out, (row, 0), x, (row, 0), right, rows=height, inner=inner, across=across, adds=adds,
        row_step=1 if turned else inner, inner_step=height if turned else 1,
    )  # fmt: skip


def launched(**known: Any) -> Any:
    def rule(p: Launcher, x: Array) -> None:
        p.launch(multiplied, x.shape[0], x, p.results[0], **known)

    return rule


@pytest.mark.parametrize("rows, inner, across", SIZES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("adds", [False, True])
def test_products_are_those_of_numpy(rows, inner, across, dtype, turned, adds):
    count = max(rows * inner + inner * across, rows * across)
    x = np.random.default_rng(3).standard_normal((2, count)).astype(dtype)
    rule = launched(height=rows, inner=inner, across=across, turned=turned, adds=adds)
    found = run(rule, x)[:, : rows * across].reshape(2, rows, across)
    shape = (2, inner, rows) if turned else (2, rows, inner)
    left = x[:, : rows * inner].reshape(shape).astype("float64")
    left = left.swapaxes(1, 2) if turned else left
    right = x[:, rows * inner :][:, : inner * across].reshape(2, inner, across)
    expected = left @ right.astype("float64")
    if adds:
        expected += x[:, : rows * across].reshape(expected.shape)
    tolerance = {"float32": 1e-5, "float64": 1e-13}[dtype]
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * 10)


TARGETS = [
    Target("x86_64", "znver4", "+avx512f", 512),
    Target("x86_64", "haswell", "+avx2", 256),
    Target("x86_64", "generic", "", 128),
    Target("aarch64", "generic", "+neon", 128),
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", [float32, float64])
@pytest.mark.parametrize("across", [1, 2, 3, 4, 20, 63, 64, 80, 255])
def test_strips_cover_each_column_once(target: Target, dtype: DType, across: int):
    found = list(strips(across, shape_of(dtype, target)))
    columns = [s.first + i for s in found for i in range(s.lanes * s.vectors)]
    assert columns == list(range(across))


def text(target: Target, dtype: DType = float32, **changes: Any) -> str:
    known = {"height": 8, "inner": 8, "across": 64, "turned": False, "adds": True, **changes}
    x = Array(0, dtype, (2, 4096))
    made = translated(Launch(multiplied, 2, (x, x), known, 1))
    return emit_procedure(made, [0, 1], target, attributes(target))


def test_sums_stay_in_registers_as_wide_as_the_targets():
    wide, narrow = (text(replace(host(), vector_bits=bits)) for bits in (512, 256))
    assert "phi <16 x float>" in wide and "phi <8 x float>" in narrow
    inside = re.search(r"fmuladd.*?store <", wide, re.DOTALL)
    assert inside is not None and "store" not in inside[0].removesuffix("store <")


@pytest.mark.parametrize("changes", [{"height": 6}, {"inner": 2}])
def test_rows_and_steps_that_are_no_multiples_of_four_are_refused(changes):
    with pytest.raises(ProgramError, match="multiples of four"):
        text(host(), **changes)


def test_other_dtypes_are_refused():
    with pytest.raises(ProgramError, match="float32 or of float64"):
        text(host(), bfloat16)


def test_a_product_prints():
    x = Array(0, float32, (2, 4096))
    known = {"height": 8, "inner": 4, "across": 16, "turned": False, "adds": True}
    shown = str(translated(Launch(multiplied, 2, (x, x), known, 1)))
    assert "times own0, 8 x 4 x 16" in shown and "+= a0[" in shown
