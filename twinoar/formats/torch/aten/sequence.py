"""ATen's attention and recurrent networks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from twinoar.core.dtype import bool_
from twinoar.core.op.declare import op_named
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.formats.torch.aten.table import target
from twinoar.ops.activation.softmax import softmax
from twinoar.ops.create.fill import full, zeros
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.sequence.attention import scaled_dot_product_attention
from twinoar.ops.sequence.recurrent import rnn
from twinoar.ops.shape.concat import chunk
from twinoar.ops.shape.reshape import swapaxes, unsqueeze

sigmoid, tanh = op_named("sigmoid"), op_named("tanh")
HEADS, TIMES = 1, 2  # in what ATen attends to; we have them the other way round


@target("aten.scaled_dot_product_attention")
def attention(
    query: Value,
    key: Value,
    value: Value,
    attn_mask: Value | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    """softmax(scale * query key' + attn_mask) value, of [N,heads,T,D]."""
    if not query.ndim == key.ndim == value.ndim == 4 or dropout_p:
        if dropout_p:
            raise UnsupportedError("attention with dropout", cure="export the model after eval()")
        return _weighed(query, key, value, attn_mask, is_causal, scale)
    heads_last = [swapaxes(x, HEADS, TIMES) for x in (query, key, value)]
    told: dict[str, Any] = {"scale": scale, "enable_gqa": enable_gqa}
    out = scaled_dot_product_attention(*heads_last, attn_mask, 0.0, is_causal, False, **told)
    return swapaxes(out, HEADS, TIMES)


def _scores(query: Value, key: Value, scale: float | None) -> Any:
    factor = 1.0 / math.sqrt(query.spec.shape[-1]) if scale is None else scale
    return matmul(query * factor, swapaxes(key, -1, -2))


def _weighed(
    query: Value,
    key: Value,
    value: Value,
    mask: Value | None,
    is_causal: bool,
    scale: float | None,
) -> Any:
    """Attention over any leading dimensions."""
    scores = _scores(query, key, scale)
    if is_causal:
        mask = op_named("tril")(full(list(scores.spec.shape[-2:]), True, "bool"))
    if mask is not None and mask.dtype == bool_:
        scores = op_named("select")(mask, scores, op_named("fill_like")(scores, float("-inf")))
    elif mask is not None:
        scores = scores + mask
    return matmul(softmax(scores, -1), value)


@target(
    "aten._scaled_dot_product_flash_attention_for_cpu",
    "aten._scaled_dot_product_efficient_attention",
)
def flash_attention(
    query: Value,
    key: Value,
    value: Value,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    attn_mask: Value | None = None,
    scale: float | None = None,
) -> Any:
    """Attention; of what its gradient keeps nothing is made."""
    found = attention(query, key, value, attn_mask, dropout_p, is_causal, scale)
    return found, None


def _sequence(x: Value, batch_first: bool) -> Any:
    return swapaxes(x, 0, 1) if batch_first else x


def _recurrent(
    mode: str,
    input: Value,
    states: Sequence[Value],
    params: Sequence[Value],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> Any:
    """What cells give at each time, and the states at the end; params: of each cell in order."""
    if dropout and train:
        raise UnsupportedError("dropout between recurrent layers in training")
    is_single = input.ndim == 2
    if is_single:
        input, states = unsqueeze(input, 1), [unsqueeze(s, 1) for s in states]
        batch_first = False
    width = 4 if has_biases else 2
    cells = [params[n : n + width] for n in range(0, len(params), width)]
    kernels = [w for cell in cells for w in cell[:2]]
    biases = [
        b
        for cell in cells
        for b in (cell[2:] or [zeros(list(cell[0].spec.shape[:1]), cell[0].dtype)] * 2)
    ]
    x = _sequence(input, batch_first)
    start = [*states, None][:2]
    out, *ends = rnn(x, *start, None, [*kernels, *biases], mode, num_layers, bidirectional)
    if is_single:
        return out.squeeze(1), *(end.squeeze(1) for end in ends)
    return _sequence(out, batch_first), *ends


@target("aten.lstm")
def lstm(
    input: Value,
    hx: Sequence[Value],
    params: Sequence[Value],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool = False,
) -> Any:
    """Layers of LSTM: outputs, hidden states and cell states."""
    if not isinstance(batch_first, bool):
        raise UnsupportedError("recurrent networks over packed sequences")
    rest = (has_biases, num_layers, dropout, train, bidirectional, batch_first)
    if any(h.spec.shape[-1] != c.spec.shape[-1] for h, c in [hx]):
        raise UnsupportedError("LSTM with projections")
    return _recurrent("LSTM", input, hx, params, *rest)


def _of_one_state(name: str, mode: str) -> None:
    def call(
        input: Value,
        hx: Value,
        params: Sequence[Value],
        has_biases: bool,
        num_layers: int,
        dropout: float,
        train: bool,
        bidirectional: bool,
        batch_first: bool = False,
    ) -> Any:
        rest = (has_biases, num_layers, dropout, train, bidirectional, batch_first)
        return _recurrent(mode, input, [hx], params, *rest)

    target(f"aten.{name}.input")(call)


_of_one_state("gru", "GRU")
_of_one_state("rnn_tanh", "RNN_TANH")
_of_one_state("rnn_relu", "RNN_RELU")


# One step of a cell.


def _gates(input: Value, h: Value, w_ih: Value, w_hh: Value, biases: Sequence[Value | None]) -> Any:
    """What a cell makes of its input, and of its state."""
    found = [matmul(x, swapaxes(w, 0, 1)) for x, w in ((input, w_ih), (h, w_hh))]
    return [x if b is None else x + b for x, b in zip(found, biases, strict=True)]


@target("aten.lstm_cell")
def lstm_cell(
    input: Value,
    hx: Sequence[Value],
    w_ih: Value,
    w_hh: Value,
    b_ih: Value | None = None,
    b_hh: Value | None = None,
) -> Any:
    """The next hidden state and cell state."""
    h, c = hx
    x, y = _gates(input, h, w_ih, w_hh, (b_ih, b_hh))
    i, f, g, o = chunk(x + y, 4, -1)
    c = sigmoid(f) * c + sigmoid(i) * tanh(g)
    return sigmoid(o) * tanh(c), c


@target("aten.gru_cell")
def gru_cell(
    input: Value,
    hx: Value,
    w_ih: Value,
    w_hh: Value,
    b_ih: Value | None = None,
    b_hh: Value | None = None,
) -> Any:
    """The next state."""
    x, y = (chunk(gate, 3, -1) for gate in _gates(input, hx, w_ih, w_hh, (b_ih, b_hh)))
    r, z = sigmoid(x[0] + y[0]), sigmoid(x[1] + y[1])
    n = tanh(x[2] + r * y[2])
    return (hx - n) * z + n


def _simple_cell(name: str, activation: Callable[[Any], Any]) -> None:
    def call(
        input: Value,
        hx: Value,
        w_ih: Value,
        w_hh: Value,
        b_ih: Value | None = None,
        b_hh: Value | None = None,
    ) -> Any:
        x, y = _gates(input, hx, w_ih, w_hh, (b_ih, b_hh))
        return activation(x + y)

    target(f"aten.rnn_{name}_cell")(call)


_simple_cell("tanh", tanh)
_simple_cell("relu", op_named("relu"))
