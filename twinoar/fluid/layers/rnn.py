"""Recurrent networks by their 1.x names: cells, steps, and `rnn`, which repeats a cell."""

from __future__ import annotations

from typing import Any

import twinoar as paddle
from twinoar.errors import ArgumentError, ShapeError
from twinoar.fluid.layers.adapter import activated, define
from twinoar.nn import functional as F
from twinoar.ops.math.select import select
from twinoar.static.nn.parameter import Parameters


def product(inputs: list[Any], size: int, parameters: Parameters, weight: Any, bias: Any) -> Any:
    """inputs, joined, times a weight [sum of widths,size], plus a bias [size]."""
    joined = paddle.concat(inputs, -1)
    made = parameters.make((joined.shape[-1], size), joined.dtype, weight)
    added = parameters.make((size,), joined.dtype, bias, is_bias=True)
    out = paddle.matmul(joined, made)
    return out if added is None else out + added


def lstm_step(
    x: Any, hidden: Any, cell: Any, forget_bias: float, weight: Any, bias: Any, name: str | None
) -> tuple[Any, Any]:
    """One step of an LSTM. x: [N,M], hidden, cell: [N,D]. Returns hidden and cell, [N,D].

    Parameters: a weight [M+D,4D] and a bias [4D], of the input gate, the forget gate, the output
    gate and the candidate.
    """
    size = cell.spec.shape[-1]
    gates = product([x, hidden], 4 * size, Parameters("lstm_unit", name), weight, bias)
    let_in, forget, out, candidate = paddle.split(gates, 4, -1)
    kept = cell * F.sigmoid(forget + forget_bias)
    new = kept + F.sigmoid(let_in) * paddle.tanh(candidate)
    return F.sigmoid(out) * paddle.tanh(new), new


def gru_step(
    input: Any,
    hidden: Any,
    size: int,
    weight: Any,
    bias: Any,
    act: str,
    gate_act: str,
    origin: bool,
) -> tuple[Any, Any, Any]:
    """One step of a GRU. input: [N,3D], hidden: [N,D], size: 3D.

    Parameters: a weight [D,3D] and a bias [1,3D], of the update gate, the reset gate and the
    candidate. Returns the next hidden state, the reset one, and the two gates with the candidate.
    """
    width = size // 3
    if size % 3 or hidden.spec.shape[-1] != width:
        raise ShapeError(f"size must be 3 times the width of {hidden.spec}, received {size}")
    parameters = Parameters("gru_unit")
    of_state = parameters.make((width, size), input.dtype, weight)
    added = parameters.make((1, size), input.dtype, bias, is_bias=True)
    input = input if added is None else input + added
    return gated(input, hidden, of_state, act, gate_act, origin)


def gated(
    input: Any, hidden: Any, of_state: Any, act: str, gate_act: str, origin: bool
) -> tuple[Any, Any, Any]:
    """What a GRU makes of its sums over the input, [N,3D], its state and its weight. See gru_step.

    The weight holds one for the gates, [D,2D], and behind it one for the candidate, [D,D]. origin:
    the update gate keeps the old state, as arXiv 1406.1078 has it; otherwise the new one.
    """
    width = hidden.spec.shape[-1]
    flat, cut = paddle.reshape(of_state, [-1]), 2 * width * width
    of_gates = paddle.reshape(flat[:cut], [width, 2 * width])
    of_candidate = paddle.reshape(flat[cut:], [width, width])
    gates = input[:, : 2 * width] + paddle.matmul(hidden, of_gates)
    update, reset = paddle.split(activated(gates, gate_act), 2, -1)
    remembered = reset * hidden
    candidate = input[:, 2 * width :] + paddle.matmul(remembered, of_candidate)
    candidate = activated(candidate, act)
    new = candidate - hidden
    following = candidate - update * new if origin else hidden + update * new
    return following, remembered, paddle.concat([update, reset, candidate], -1)


class RNNCell:
    """The base of cells: `call(inputs, states)` gives the output of a step and the next states."""

    def call(self, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any]:
        """One step; a cell has its own. Raises ArgumentError where it has none."""
        raise ArgumentError(
            f"{type(self).__name__} has no step", cure="define call(inputs, states)"
        )

    def __call__(self, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any]:
        return self.call(inputs, states, **kwargs)

    def get_initial_states(
        self,
        batch_ref: Any,
        shape: Any = None,
        dtype: Any = "float32",
        init_value: float = 0.0,
        batch_dim_idx: int = 0,
    ) -> Any:
        """`init_value` everywhere, [N,*shape] for each of the shapes; N from batch_ref."""
        wanted = self.state_shape if shape is None else shape  # type: ignore[attr-defined]
        if wanted and isinstance(wanted[0], (list, tuple)):
            rest = dtype, init_value, batch_dim_idx
            return [self.get_initial_states(batch_ref, s, *rest) for s in wanted]
        sizes = [batch_ref.spec.shape[batch_dim_idx], *[d for d in wanted if d != -1]]
        return paddle.full(sizes, init_value, dtype)


class LSTMCell(RNNCell):
    """A cell of long and short memory. states: hidden and cell, [N,hidden_size].

    Parameters, made by the first step: a weight [width+hidden_size,4*hidden_size] and a bias, of
    the input gate, the candidate, the forget gate and the output gate.
    """

    def __init__(
        self,
        hidden_size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        gate_activation: Any = None,
        activation: Any = None,
        forget_bias: float = 1.0,
        dtype: Any = "float32",
        name: str = "LSTMCell",
    ):
        self.hidden_size, self.forget_bias = hidden_size, forget_bias
        self.step = _Step(name, param_attr, bias_attr)
        self.gate, self.activation = gate_activation or F.sigmoid, activation or paddle.tanh

    def call(self, inputs: Any, states: Any) -> tuple[Any, Any]:  # type: ignore[override]
        """One step. inputs: [N,M]. Returns the hidden state, and hidden and cell."""
        hidden, cell = states
        gates = self.step.product("w", [inputs, hidden], 4 * self.hidden_size)
        let_in, candidate, forget, out = paddle.split(gates, 4, -1)
        kept = cell * self.gate(forget + self.forget_bias)
        cell = kept + self.gate(let_in) * self.activation(candidate)
        hidden = self.gate(out) * self.activation(cell)
        return hidden, [hidden, cell]

    @property
    def state_shape(self) -> list[list[int]]:
        """The shapes of the states without the batch."""
        return [[self.hidden_size], [self.hidden_size]]


class GRUCell(RNNCell):
    """A gated cell. states: hidden, [N,hidden_size].

    Parameters, made by the first step: weights and biases of the reset gate beside the update gate,
    and of the candidate.
    """

    def __init__(
        self,
        hidden_size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        gate_activation: Any = None,
        activation: Any = None,
        dtype: Any = "float32",
        name: str = "GRUCell",
    ):
        self.hidden_size = hidden_size
        self.step = _Step(name, param_attr, bias_attr)
        self.gate, self.activation = gate_activation or F.sigmoid, activation or paddle.tanh

    def call(self, inputs: Any, states: Any) -> tuple[Any, Any]:  # type: ignore[override]
        """One step. inputs: [N,M]. Returns the hidden state twice."""
        gates = self.gate(self.step.product("gate", [inputs, states], 2 * self.hidden_size))
        reset, update = paddle.split(gates, 2, -1)
        candidate = self.step.product("candidate", [inputs, reset * states], self.hidden_size)
        hidden = update * states + (1.0 - update) * self.activation(candidate)
        return hidden, hidden

    @property
    def state_shape(self) -> list[int]:
        """The shape of the state without the batch."""
        return [self.hidden_size]


class _Step:
    """The weights and biases of a cell, made once, by what they are for."""

    def __init__(self, name: str, weight_attr: Any, bias_attr: Any):
        self.parameters = Parameters(name)
        self.attrs = weight_attr, bias_attr
        self.made: dict[str, tuple[Any, Any]] = {}

    def product(self, purpose: str, inputs: list[Any], size: int) -> Any:
        """inputs, joined, times the weight for `purpose`, plus its bias."""
        joined = paddle.concat(inputs, -1)
        if purpose not in self.made:
            weight, bias = self.attrs
            self.made[purpose] = (
                self.parameters.make((joined.shape[-1], size), joined.dtype, weight),
                self.parameters.make((size,), joined.dtype, bias, is_bias=True),
            )
        weight, bias = self.made[purpose]
        out = paddle.matmul(joined, weight)
        return out if bias is None else out + bias


def rnn(
    cell: RNNCell,
    inputs: Any,
    initial_states: Any = None,
    sequence_length: Any = None,
    time_major: bool = False,
    is_reverse: bool = False,
    **kwargs: Any,
) -> tuple[Any, Any]:
    """A cell for each step of a sequence: its outputs, and the last states.

    inputs: [N,T,M], or [T,N,M] for time_major, T known. sequence_length: [N]; states stay as they
    are after the end. is_reverse: from the last step to the first. Returns [N,T,D], or [T,N,D], and
    the states. Raises ShapeError for an unknown number of steps.

    Modern spelling: a Python loop over `paddle.unstack(inputs, 1)`.
    """
    axis = 0 if time_major else 1
    count = inputs.spec.shape[axis]
    if not isinstance(count, int):
        raise ShapeError(
            f"rnn needs a known number of steps, received {inputs.spec}",
            cure="declare the size of the dimension of time",
        )
    steps = paddle.unstack(inputs, axis)
    states = initial_states
    if states is None:
        states = cell.get_initial_states(steps[0], dtype=inputs.dtype)
    outputs: list[Any] = [None] * count
    for t in reversed(range(count)) if is_reverse else range(count):
        outputs[t], following = cell(steps[t], states, **kwargs)
        states = _until_end(t, sequence_length, states, following)
    return paddle.stack(outputs, axis), states


def _until_end(t: int, lengths: Any, states: Any, following: Any) -> Any:
    if lengths is None:
        return following
    if isinstance(states, (list, tuple)):
        return [_until_end(t, lengths, *pair) for pair in zip(states, following, strict=True)]
    goes_on = paddle.unsqueeze(lengths > t, list(range(1, states.ndim)))
    return select(goes_on, following, states)


__all__ = define(
    globals(),
    """
gru_unit(input, hidden, size, param_attr=None, bias_attr=None, activation='tanh',
        gate_activation='sigmoid', origin_mode=False)
    -> gru_step(
        input, hidden, size, param_attr, bias_attr, activation, gate_activation, origin_mode)
    # fluid.layers.GRUCell(size // 3)
lstm_unit(x_t, hidden_t_prev, cell_t_prev, forget_bias=0.0, param_attr=None, bias_attr=None,
        name=None)
    -> lstm_step(x_t, hidden_t_prev, cell_t_prev, forget_bias, param_attr, bias_attr, name)
    # fluid.layers.LSTMCell(size)
""",
)
__all__ += ["GRUCell", "LSTMCell", "RNNCell", "rnn"]
