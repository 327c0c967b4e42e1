"""Functions whose results are float8: names, until there are tensors of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from twinoar.core.op.declare import Tensor
from twinoar.errors import UnsupportedError


def fp8_gemm_blockwise(
    a: Tensor,
    a_decode_scale: Tensor,
    b: Tensor,
    b_decode_scale: Tensor,
    out_dtype: Any,
    out: Tensor | None = None,
    bias: Tensor | None = None,
    accumulate: bool = False,
    use_split_accumulator: bool = True,
    is_a_1d_scaled: bool = True,
    is_b_1d_scaled: bool = True,
) -> NoReturn:
    """Raises UnsupportedError: there are no tensors of float8."""
    _refuse("fp8_gemm_blockwise", "multiply bfloat16 or float32 by fused_linear")


def fp8_quant_blockwise(
    x: Tensor,
    epsilon: float = 0.0,
    input_transpose: bool = False,
    output_scale_transpose: bool = True,
    return_transpose_only: bool = False,
    using_pow2_scale: bool = True,
    using_ue8m0_scale: bool = False,
    quant_method: str = "1x128",
    output_type: str = "e4m3",
    name: str | None = None,
) -> NoReturn:
    """Raises UnsupportedError: there are no tensors of float8."""
    _refuse("fp8_quant_blockwise", "keep x in bfloat16")


def fused_act_dequant(x: Tensor, x_scale: Tensor) -> NoReturn:
    """Raises UnsupportedError: there are no tensors of float8."""
    _refuse("fused_act_dequant", "keep activations in bfloat16")


def fused_stack_transpose_quant(x: Sequence[Tensor], transpose: bool = True) -> NoReturn:
    """Raises UnsupportedError: there are no tensors of float8."""
    _refuse("fused_stack_transpose_quant", "stack and transpose in bfloat16")


def fused_transpose_split_quant(
    x: Tensor,
    input_scales: Tensor | None,
    tokens_per_expert: Sequence[int],
    pow_2_scales: bool = False,
) -> NoReturn:
    """Raises UnsupportedError: there are no tensors of float8."""
    _refuse("fused_transpose_split_quant", "transpose and split in bfloat16")


def fused_transpose_wlch_split_quant(
    x: Tensor, tokens_per_expert: Sequence[int], pow_2_scales: bool = False
) -> NoReturn:
    """Raises UnsupportedError: there are no tensors of float8."""
    _refuse("fused_transpose_wlch_split_quant", "transpose and split in bfloat16")


def fused_weighted_swiglu_act_quant(
    x: Tensor,
    prob: Tensor | None = None,
    using_pow2_scaling: bool = False,
    name: str | None = None,
) -> NoReturn:
    """Raises UnsupportedError: there are no tensors of float8."""
    _refuse("fused_weighted_swiglu_act_quant", "multiply swiglu(x) by prob in bfloat16")


def moe_gate_dispatch_and_quant(
    x: Tensor,
    gate_logits: Tensor,
    corr_bias: Tensor | None,
    k: int,
    capacity: int,
    use_pad: bool,
    use_pow2_scale: bool,
) -> NoReturn:
    """Raises UnsupportedError: there are no tensors of float8."""
    _refuse("moe_gate_dispatch_and_quant", "call moe_gate_dispatch")


def _refuse(name: str, cure: str) -> NoReturn:
    raise UnsupportedError(f"{name} needs float8, and there are no tensors of it", cure=cure)
