"""Functions of float8 are names that refuse."""

from __future__ import annotations

import inspect

import pytest

import twinoar as paddle
from twinoar.errors import UnsupportedError
from twinoar.incubate.nn import functional as F


@pytest.mark.parametrize(
    "name",
    [
        "fp8_gemm_blockwise",
        "fp8_quant_blockwise",
        "fused_act_dequant",
        "fused_stack_transpose_quant",
        "fused_transpose_split_quant",
        "fused_transpose_wlch_split_quant",
        "fused_weighted_swiglu_act_quant",
        "moe_gate_dispatch_and_quant",
    ],
)
def test_a_function_of_float8_says_what_to_do(name):
    function = getattr(F, name)
    needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    with pytest.raises(UnsupportedError, match=f"{name} needs float8") as caught:
        function(*[paddle.ones([1])] * len(needed))
    assert caught.value.cure
