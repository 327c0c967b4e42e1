"""Tensors as floats of 8 bits with a scale for each block of 128 numbers, and products of them.

The scales are those of "DeepSeek-V3 Technical Report", DeepSeek-AI, 2024, section 3.3.2: a block's
largest magnitude becomes the largest float8. They are what numbers are multiplied by afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.dtype import bfloat16, dtype_of, float8_e4m3fn, float32, int32, limits, uint8
from twinoar.core.interpreter import current
from twinoar.core.op.declare import Tensor, function
from twinoar.errors import ArgumentError, DTypeError, ShapeError, UnsupportedError
from twinoar.incubate.nn.functional.experts import moe_gate_dispatch
from twinoar.ops.activation.swiglu import swiglu
from twinoar.ops.index.repeat import repeat_interleave
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal
from twinoar.ops.math.floating import frexp, ldexp
from twinoar.ops.math.select import maximum, minimum, select
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.reduce.extreme import max_op
from twinoar.ops.shape.concat import split, stack
from twinoar.ops.shape.pad import pad_constant
from twinoar.ops.shape.reshape import reshape, transpose
from twinoar.ops.shape.slice import slice_op
from twinoar.ops.shape.view_dtype import view_dtype_op

BLOCK = 128
LARGEST = float(limits(float8_e4m3fn).max)
WIDEST = float(limits(float32).max)
BIAS = 127  # of a scale's exponent where that alone is kept, as 8 bits
ROWS = {"1x128": 1, "128x128": BLOCK}


@function
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
) -> tuple[Tensor, ...]:
    """x as float8_e4m3fn, and a scale for each block.

    x: [M,N], floating. epsilon: the least magnitude that a scale is made for. using_pow2_scale:
    scales are powers of 2, at least as large as needed. using_ue8m0_scale: so they are, of each
    row, and given by exponents of 8 bits, four in an int32. quant_method: "1x128" or "128x128",
    the rows and columns of a block; the last ones may be smaller. Returns [M,N] and
    [ceil(M / rows),ceil(N / 128)], float32, which output_scale_transpose transposes;
    input_transpose appends the same of the transpose of x, and return_transpose_only leaves that
    alone. Raises ShapeError, ArgumentError, DTypeError, UnsupportedError for another output_type.

    >>> x = twinoar.to_tensor([[1.0, -3.0, 0.3], [0.0, 0.0, 0.0]])
    >>> small, scale = twinoar.incubate.nn.functional.fp8_quant_blockwise(x)
    >>> scale.tolist(), (small.astype("float32") * scale.T).tolist()
    ([[0.0078125, 1.0]], [[1.0, -3.0, 0.3125], [0.0, 0.0, 0.0]])
    """
    if quant_method not in ROWS:
        raise ArgumentError(
            f"quant_method must be one of {', '.join(ROWS)}, received {quant_method!r}"
        )
    if output_type != "e4m3":
        raise UnsupportedError(f"output_type must be 'e4m3', received {output_type!r}")
    _check(x, 2)
    found: list[Tensor] = []
    for given in (x, transpose(x, [1, 0])) if input_transpose else (x,):
        rows = ROWS[quant_method]
        small, scale, exponent = _quantized(
            given, rows, using_pow2_scale or using_ue8m0_scale, epsilon
        )
        if using_ue8m0_scale:
            scale = _packed(exponent, rows, given.spec.shape[0])
        found += [small, transpose(scale, [1, 0]) if output_scale_transpose else scale]
    return tuple(found[2:] if input_transpose and return_transpose_only else found)


def _check(x: Tensor, ndim: int) -> None:
    if x.ndim != ndim:
        raise ShapeError(f"expected {ndim} dimensions, received {x.spec}")
    if not x.dtype.is_floating:
        raise DTypeError(f"expected floating numbers, received {x.spec}")


def _quantized(
    x: Tensor, rows: int, is_power: bool, epsilon: float = 0.0
) -> tuple[Tensor, Tensor, Tensor]:
    """x in float8, the scale of each block of rows and 128 columns, and the exponents of scales."""
    m, n = x.spec.shape
    wide = astype(x, float32)
    largest = _of_blocks(magnitude(wide), rows)
    if epsilon:
        largest = maximum(largest, epsilon)
    factor = minimum(select(equal(largest, 0.0), 1.0, LARGEST / largest), WIDEST)
    exponent = frexp(factor)[1] - 1
    if is_power:
        factor = _power(exponent)
    small = astype(wide * _to_elements(factor, rows, m, n), float8_e4m3fn)
    return small, _power(-exponent) if is_power else 1.0 / factor, -exponent


def _of_blocks(x: Tensor, rows: int) -> Tensor:
    """The largest number of each block."""
    m, n = x.spec.shape
    below, right = -m % rows, -n % BLOCK
    full = pad_constant(x, (0, below, 0, right)) if below or right else x
    blocks = reshape(full, [(m + below) // rows, rows, (n + right) // BLOCK, BLOCK])
    return max_op(blocks, (1, 3))


def _to_elements(x: Tensor, rows: int, m: Any, n: Any) -> Tensor:
    """The number of its block for each element of [m,n]."""
    found = repeat_interleave(x, BLOCK, 1)
    found = repeat_interleave(found, rows, 0) if rows > 1 else found
    return slice_op(found, (0, 1), (0, 0), (m, n))


def _power(exponent: Tensor) -> Tensor:
    """2 to an exponent."""
    return ldexp(exponent * 0.0 + 1.0, exponent)


def _packed(exponent: Tensor, rows: int, m: Any) -> Tensor:
    """Exponents of each row, four in an integer."""
    found = astype(exponent + BIAS, uint8)
    found = slice_op(repeat_interleave(found, rows, 0), (0,), (0,), (m,)) if rows > 1 else found
    missing = -found.spec.shape[1] % 4
    return view_dtype_op(pad_constant(found, (0, 0, 0, missing)), int32)


@function
def fused_act_dequant(x: Tensor, x_scale: Tensor) -> Tensor:
    """Blocks of 128 numbers in a row by their scales: what `fp8_quant_blockwise` rounded.

    x: [M,N], float8. x_scale: [M,ceil(N / 128)], float32; or [M,ceil(N / 512)], int32, exponents of
    8 bits. Returns [M,N], bfloat16. Raises ShapeError.

    >>> x = twinoar.to_tensor([[1.0, 2.0]], dtype="float8_e4m3fn")
    >>> back = twinoar.incubate.nn.functional.fused_act_dequant
    >>> back(x, twinoar.to_tensor([[0.5]])).tolist()
    [[0.5, 1.0]]
    """
    return astype(_dequantized(x, x_scale, 1), bfloat16)


def _dequantized(x: Tensor, scale: Tensor, rows: int) -> Tensor:
    """x in float32, by the scales of its blocks."""
    if x.ndim != 2 or scale.ndim != 2:
        raise ShapeError(f"expected matrices, received {x.spec} and {scale.spec}")
    m, n = x.spec.shape
    if scale.dtype is int32:
        exponents = view_dtype_op(scale, uint8)
        scale = _power(astype(exponents, int32) - BIAS)
    wanted = (-(-m // rows), -(-n // BLOCK))
    if scale.spec.shape[0] != wanted[0] or scale.spec.shape[1] < wanted[1]:
        raise ShapeError(f"{x.spec} has scales {list(wanted)}, received {scale.spec}")
    return astype(x, float32) * _to_elements(scale, rows, m, n)


@function
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
) -> Tensor:
    """a times the transpose of b, both float8 with scales of blocks; added up in float32.

    a: [M,K]. b: [N,K]. a_decode_scale: [ceil(K / 128),M] where is_a_1d_scaled, as
    `fp8_quant_blockwise` gives it by default, else [ceil(M / 128),ceil(K / 128)]; b_decode_scale so
    for b. out: takes the result, to which accumulate adds what it holds. use_split_accumulator: is
    without effect. Returns [M,N], out_dtype. Raises ShapeError; UnsupportedError for a bias, which
    Paddle refuses, too.

    >>> f = twinoar.incubate.nn.functional
    >>> a, scale = f.fp8_quant_blockwise(twinoar.to_tensor([[1.0, 2.0], [3.0, 4.0]]))
    >>> f.fp8_gemm_blockwise(a, scale, a, scale, "float32").tolist()
    [[5.0, 11.0], [11.0, 25.0]]
    """
    if bias is not None:
        raise UnsupportedError("a bias is not part of the product", cure="add it to the result")
    wide = []
    for x, scale, is_1d in (
        (a, a_decode_scale, is_a_1d_scaled),
        (b, b_decode_scale, is_b_1d_scaled),
    ):
        if is_1d:
            wide.append(_dequantized(x, transpose(scale, [1, 0]), 1))
        else:
            wide.append(_dequantized(x, scale, BLOCK))
    found = matmul(*wide, transpose_y=True)
    if out is None:
        return astype(found, dtype_of(out_dtype))
    if out.spec.shape != found.spec.shape:
        raise ShapeError(f"out must be {list(found.spec.shape)}, received {out.spec}")
    total = found + astype(out, float32) if accumulate else found
    current().rebind(out, astype(total, out.dtype))
    return out


@function
def fused_stack_transpose_quant(
    x: Sequence[Tensor], transpose: bool = True
) -> tuple[Tensor, Tensor]:
    """Matrices, each transposed, one below the other, as float8, and the scale of each block.

    x: [M,K] each, floating, of multiples of 128. transpose: whether to transpose them. Returns
    [len(x) * K,M], float8_e4m3fn, or [len(x) * M,K]; and a scale for each block of 128 rows and
    columns, float32. Raises ShapeError, DTypeError.

    >>> quantized = twinoar.incubate.nn.functional.fused_stack_transpose_quant
    >>> [t.shape for t in quantized([twinoar.ones([256, 128])] * 2)]
    [[256, 256], [2, 2]]
    """
    for matrix in x:
        _check(matrix, 2)
    whole = stack(list(x))
    if transpose:
        whole = _turned(whole, [0, 2, 1])
    _, m, n = whole.spec.shape
    if m % BLOCK or n % BLOCK:
        raise ShapeError(f"expected sizes that are multiples of {BLOCK}, received {x[0].spec}")
    return _quantized(reshape(whole, [-1, n]), BLOCK, False)[:2]


_turned = transpose  # the operator, where a parameter has its name


@function
def fused_transpose_split_quant(
    x: Tensor,
    input_scales: Tensor | None,
    tokens_per_expert: Sequence[int],
    pow_2_scales: bool = False,
) -> tuple[list[Tensor], list[Tensor]]:
    """The transpose of x as float8, for each expert its tokens, and scales of 128 tokens.

    x: [M,K], floating; or float8 with input_scales, see `fused_act_dequant`. tokens_per_expert:
    multiples of 128 that add up to M. pow_2_scales: scales are powers of 2. Returns [K,tokens],
    float8_e4m3fn, and [tokens / 128,K], float32, for each expert; nothing for an x without
    elements. Raises ShapeError, ArgumentError, DTypeError.

    >>> split = twinoar.incubate.nn.functional.fused_transpose_split_quant
    >>> [[t.shape for t in part] for part in split(twinoar.ones([256, 5]), None, [0, 256])]
    [[[5, 0], [5, 256]], [[0, 5], [2, 5]]]
    """
    if input_scales is not None:
        x = _dequantized(x, input_scales, 1)
    _check(x, 2)
    return ([], []) if 0 in x.spec.shape else _split(x, tokens_per_expert, pow_2_scales)


def _split(
    x: Tensor, tokens_per_expert: Sequence[int], is_power: bool
) -> tuple[list[Tensor], list[Tensor]]:
    """The transpose of [tokens,K] in float8, and the scales of 128 tokens, for each expert."""
    counts = [int(count) for count in tokens_per_expert]
    if any(count % BLOCK or count < 0 for count in counts) or sum(counts) != x.spec.shape[0]:
        raise ArgumentError(
            f"tokens_per_expert must be multiples of {BLOCK} that add up to {x.spec.shape[0]}, "
            f"received {counts}"
        )
    small, scale, _ = _quantized(transpose(x, [1, 0]), 1, is_power)
    blocks = [count // BLOCK for count in counts]
    return split(small, counts, 1), split(transpose(scale, [1, 0]), blocks, 0)


@function
def fused_transpose_wlch_split_quant(
    x: Tensor, tokens_per_expert: Sequence[int], pow_2_scales: bool = False
) -> tuple[list[Tensor], list[Tensor]]:
    """`fused_transpose_split_quant` of tokens that lie by rank, expert of the rank, and place.

    x: [W,L,C,H], floating: the tokens of an expert are those of all W ranks. tokens_per_expert:
    multiples of 128 that add up to W * L * C. Returns [H,tokens], float8_e4m3fn, and
    [tokens / 128,H], float32, for each expert. Raises ShapeError, ArgumentError, DTypeError.

    >>> split = twinoar.incubate.nn.functional.fused_transpose_wlch_split_quant
    >>> [[t.shape for t in part] for part in split(twinoar.ones([2, 2, 64, 3]), [128, 128])]
    [[[3, 128], [3, 128]], [[1, 3], [1, 3]]]
    """
    _check(x, 4)
    w, experts, c, h = x.spec.shape
    tokens = reshape(transpose(x, [1, 0, 2, 3]), [w * experts * c, h])
    return _split(tokens, tokens_per_expert, pow_2_scales)


@function
def fused_weighted_swiglu_act_quant(
    x: Tensor, prob: Tensor | None = None, using_pow2_scaling: bool = False
) -> tuple[Tensor, Tensor]:
    """`swiglu(x) * prob` in float32, as float8, and the scale of each block of 128 columns.

    x: [*,2 * D], floating. prob: one number for each row, [*] or [*,1]. Returns [R,D],
    float8_e4m3fn, where R is the product of *, and [R,ceil(D / 128)], float32. Raises ShapeError,
    DTypeError.

    >>> quantized = twinoar.incubate.nn.functional.fused_weighted_swiglu_act_quant
    >>> [t.shape for t in quantized(twinoar.ones([2, 3, 512]), twinoar.ones([2, 3]))]
    [[6, 256], [6, 2]]
    """
    if not x.ndim or x.spec.shape[-1] % 2:
        raise ShapeError(f"the last dimension of x must be even, received {x.spec}")
    rows = reshape(astype(x, float32), [-1, x.spec.shape[-1]])
    _check(rows, 2)
    found = swiglu(rows)
    if prob is not None:
        weights = reshape(astype(prob, float32), [-1, 1])
        if weights.spec.shape[0] != found.spec.shape[0]:
            raise ShapeError(f"prob must have a number for each row of {x.spec}, not {prob.spec}")
        found = found * weights
    return _quantized(found, 1, using_pow2_scaling)[:2]


@function
def moe_gate_dispatch_and_quant(
    x: Tensor,
    gate_logits: Tensor,
    corr_bias: Tensor | None,
    k: int,
    capacity: int,
    use_pad: bool,
    use_pow2_scale: bool,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """`moe_gate_dispatch`, whose rows are float8: those, a scale for each 128 columns, the rest.

    >>> x, gates = twinoar.ones([4, 256]), twinoar.rand([4, 8])
    >>> send = twinoar.incubate.nn.functional.moe_gate_dispatch_and_quant
    >>> [t.shape for t in send(x, gates, None, 2, 3, True, True)]
    [[24, 256], [24, 2], [4, 2], [2, 4], [8], [4, 2]]
    """
    rows, *others = moe_gate_dispatch(x, gate_logits, corr_bias, k, capacity, use_pad)
    return *_quantized(rows, 1, use_pow2_scale)[:2], *others  # type: ignore[return-value]
