"""Recurrent cells: one step of a network over time."""

from __future__ import annotations

import math
from typing import Any

from twinoar.errors import ArgumentError
from twinoar.nn.initializer import Constant, Uniform
from twinoar.nn.layer import Layer
from twinoar.ops.activation.rectifier import relu
from twinoar.ops.activation.smooth import sigmoid
from twinoar.ops.create.fill import full
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.trigonometry import tanh
from twinoar.ops.shape.concat import split

ACTIVATIONS = {"tanh": tanh, "relu": relu}


class RNNCellBase(Layer):
    """One step of a recurrent network: `forward(inputs, states)` gives an output and new states.

    Subclasses say in `state_shape` what a state is: sizes without the batch, nested as the states
    are.
    """

    @property
    def state_shape(self) -> Any:
        """Sizes of the states, without the batch."""
        raise ArgumentError(
            f"{type(self).__name__} does not say what its states are",
            cure="define the property state_shape, or pass initial states",
        )

    @property
    def state_dtype(self) -> Any:
        """The dtype of the states; None is that of the inputs."""
        return None

    def get_initial_states(
        self,
        batch_ref: Any,
        shape: Any = None,
        dtype: Any = None,
        init_value: float = 0.0,
        batch_dim_idx: int = 0,
    ) -> Any:
        """States to start from, `init_value` everywhere, for as many sequences as `batch_ref` has.

        batch_ref: a tensor whose dimension `batch_dim_idx` is the batch. shape: sizes without the
        batch, `state_shape` by default. dtype: `state_dtype`, or that of batch_ref.
        """
        chosen = dtype or self.state_dtype or batch_ref.dtype
        batch = batch_ref.shape[batch_dim_idx]

        def start(sizes: Any) -> Any:
            if _is_sizes(sizes):
                return full([batch, *sizes], init_value, chosen)
            return tuple(start(inner) for inner in sizes)

        return start(self.state_shape if shape is None else shape)


class _Cell(RNNCellBase):
    """A cell with one weight and bias for the input, and one for the state."""

    gates = 1

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        weight_ih_attr: Any,
        weight_hh_attr: Any,
        bias_ih_attr: Any,
        bias_hh_attr: Any,
        proj_size: int = 0,
    ):
        super().__init__()
        if hidden_size <= 0:
            raise ArgumentError(
                f"hidden_size of {type(self).__name__} must be positive, received {hidden_size}",
                cure="it is the number of units of the state",
            )
        self.input_size, self.hidden_size, self.proj_size = input_size, hidden_size, proj_size
        rows, bound = self.gates * hidden_size, 1.0 / math.sqrt(hidden_size)
        uniform = Uniform(-bound, bound)
        self.weight_ih = self._made([rows, input_size], weight_ih_attr, uniform)
        self.weight_hh = self._made([rows, proj_size or hidden_size], weight_hh_attr, uniform)
        self.bias_ih = self._made([rows], bias_ih_attr, uniform, is_bias=True)
        self.bias_hh = self._made([rows], bias_hh_attr, uniform, is_bias=True)

    def _made(self, shape: list[int], attr: Any, initializer: Any, is_bias: bool = False) -> Any:
        """A parameter; where `attr` is False one that is not trained, zeros for a bias."""
        if attr is not False:
            return self.create_parameter(shape, attr, None, is_bias, initializer)
        fixed = Constant(0.0) if is_bias else initializer
        made = self.create_parameter(shape, None, None, is_bias, fixed)
        made.stop_gradient = True
        return made

    def _given(self, inputs: Any, h: Any) -> tuple[Any, Any]:
        """What the input and the state add up to, before the nonlinearity."""
        return (
            matmul(inputs, self.weight_ih, transpose_y=True) + self.bias_ih,
            matmul(h, self.weight_hh, transpose_y=True) + self.bias_hh,
        )

    @property
    def state_shape(self) -> Any:
        """(hidden_size,)."""
        return (self.hidden_size,)

    def extra_repr(self) -> str:
        """The sizes."""
        return f"{self.input_size}, {self.hidden_size}"


class SimpleRNNCell(_Cell):
    """h' = act(x W_ih + b_ih + h W_hh + b_hh), act: "tanh" or "relu".

    inputs: [N,input_size], states: [N,hidden_size], zeros by default. Returns (h', h'). Raises
    ArgumentError for another activation.

    >>> out, h = twinoar.nn.SimpleRNNCell(4, 3)(twinoar.ones([2, 4]))
    >>> out.shape
    [2, 3]
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        activation: str = "tanh",
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        name: str | None = None,
    ):
        if activation not in ACTIVATIONS:
            raise ArgumentError(
                f"activation must be 'tanh' or 'relu', received {activation!r}",
                cure="derive a cell of your own from RNNCellBase for others",
            )
        super().__init__(
            input_size, hidden_size, weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr
        )
        self.activation = activation

    def forward(self, inputs: Any, states: Any = None) -> tuple[Any, Any]:
        """One step."""
        h = self.get_initial_states(inputs) if states is None else states
        of_input, of_state = self._given(inputs, h)
        h = ACTIVATIONS[self.activation](of_input + of_state)
        return h, h

    def extra_repr(self) -> str:
        """The sizes, and the activation if it is not tanh."""
        chosen = f", activation={self.activation}" if self.activation != "tanh" else ""
        return super().extra_repr() + chosen


class LSTMCell(_Cell):
    """Long short-term memory (Hochreiter and Schmidhuber, 1997).

    i, f, g, o = x W_ih + b_ih + h W_hh + b_hh; c' = sigmoid(f) c + sigmoid(i) tanh(g);
    h' = sigmoid(o) tanh(c'), with proj_size multiplied by W_ho.

    inputs: [N,input_size]; states: (h, c), [N,hidden_size] each, h [N,proj_size] with a projection,
    zeros by default. Returns h' and (h', c'). Raises ArgumentError for a proj_size of hidden_size
    or more.

    >>> out, (h, c) = twinoar.nn.LSTMCell(4, 3)(twinoar.ones([2, 4]))
    >>> out.shape, c.shape
    ([2, 3], [2, 3])
    """

    gates = 4

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        proj_size: int = 0,
        name: str | None = None,
    ):
        if not 0 <= proj_size < max(hidden_size, 1):
            raise ArgumentError(
                f"proj_size must be in [0, hidden_size), received {proj_size} "
                f"with hidden_size {hidden_size}",
                cure="0 is no projection",
            )
        attrs = weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr
        super().__init__(input_size, hidden_size, *attrs, proj_size)
        if proj_size:
            bound = 1.0 / math.sqrt(hidden_size)
            shape = [hidden_size, proj_size]
            self.weight_ho = self._made(shape, weight_hh_attr, Uniform(-bound, bound))

    def forward(self, inputs: Any, states: Any = None) -> tuple[Any, tuple[Any, Any]]:
        """One step."""
        h, c = self.get_initial_states(inputs) if states is None else states
        of_input, of_state = self._given(inputs, h)
        i, f, g, o = split(of_input + of_state, 4, axis=-1)
        c = sigmoid(f) * c + sigmoid(i) * tanh(g)
        h = sigmoid(o) * tanh(c)
        if self.proj_size:
            h = matmul(h, self.weight_ho)
        return h, (h, c)

    @property
    def state_shape(self) -> Any:
        """((hidden_size or proj_size,), (hidden_size,))."""
        return (self.proj_size or self.hidden_size,), (self.hidden_size,)


class GRUCell(_Cell):
    """Gated recurrent unit (Cho et al., 2014), with the reset gate behind the product.

    r, z from x W_ih + b_ih + h W_hh + b_hh; g = tanh(x W_ig + b_ig + sigmoid(r) (h W_hg + b_hg));
    h' = sigmoid(z) h + (1 - sigmoid(z)) g.

    inputs: [N,input_size], states: [N,hidden_size], zeros by default. Returns (h', h').

    >>> twinoar.nn.GRUCell(4, 3)(twinoar.ones([2, 4]))[0].shape
    [2, 3]
    """

    gates = 3

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        name: str | None = None,
    ):
        super().__init__(
            input_size, hidden_size, weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr
        )

    def forward(self, inputs: Any, states: Any = None) -> tuple[Any, Any]:
        """One step."""
        h = self.get_initial_states(inputs) if states is None else states
        of_input, of_state = self._given(inputs, h)
        r, z, g = split(of_input, 3, axis=-1)
        r_of_h, z_of_h, g_of_h = split(of_state, 3, axis=-1)
        g = tanh(g + sigmoid(r + r_of_h) * g_of_h)
        h = g + sigmoid(z + z_of_h) * (h - g)
        return h, h


def _is_sizes(shape: Any) -> bool:
    return all(isinstance(n, int) for n in shape)
