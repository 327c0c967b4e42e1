"""SimpleRNN, LSTM and GRU: layers of cells over time, as one operator."""

from __future__ import annotations

from typing import Any

from twinoar.errors import ArgumentError, ShapeError
from twinoar.nn.container import LayerList
from twinoar.nn.functional import dropout
from twinoar.nn.layer import Layer
from twinoar.nn.rnn import RNN, BiRNN, in_time
from twinoar.nn.rnn_cell import GRUCell, LSTMCell, SimpleRNNCell
from twinoar.ops.create.fill import zeros
from twinoar.ops.sequence.recurrent import rnn as rnn_op
from twinoar.ops.shape.concat import concat, stack

DIRECTIONS = {"forward": 1, "bidirect": 2, "bidirectional": 2}
KINDS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


class _Stack(LayerList):
    """Cells in layers, each over all times of what the layer below gives.

    Its parameters have two names: `0.cell.weight_ih`, of the cell, and `weight_ih_l0`.
    """

    mode = ""
    cell_type: Any  # a class of cells

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int,
        direction: str,
        time_major: bool,
        dropout: float,
        attrs: dict[str, Any],
        **options: Any,
    ):
        super().__init__()
        if direction not in DIRECTIONS:
            raise ArgumentError(
                f"direction must be forward or bidirect, received {direction!r}",
                cure="'bidirectional' is the same as 'bidirect'",
            )
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.num_directions, self.time_major, self.dropout = (
            DIRECTIONS[direction], time_major, dropout,
        )  # fmt: skip
        self.proj_size = options.get("proj_size", 0)
        width = (self.proj_size or hidden_size) * self.num_directions
        for layer in range(num_layers):
            cells = [
                self.cell_type(input_size if layer == 0 else width, hidden_size, **options, **attrs)
                for _ in range(self.num_directions)
            ]
            self.append(
                RNN(cells[0], False, time_major)
                if len(cells) == 1
                else BiRNN(cells[0], cells[1], time_major)
            )
        # Paddle's names go along the parameters in order; where cells have others (weight_ho) or a
        # bias is switched off, they fall on other parameters than they say, in its files too
        made = self.parameters()
        for name, parameter in zip(self._names(attrs), made, strict=False):
            self.add_parameter(name, parameter)

    def _names(self, attrs: dict[str, Any]) -> list[str]:
        kinds = [kind for kind in KINDS if attrs.get(f"{kind}_attr") is not False]
        suffixes = ("", "_reverse")[: self.num_directions]
        layers = range(self.num_layers)
        return [f"{k}_l{layer}{end}" for layer in layers for end in suffixes for k in kinds]

    def forward(
        self, inputs: Any, initial_states: Any = None, sequence_length: Any = None
    ) -> tuple[Any, Any]:
        """Outputs and last states."""
        x = in_time(inputs, self.time_major)
        states = self._starts(x, initial_states)
        if self.proj_size:
            out, ends = self._by_cells(x, states, sequence_length)
        elif self.dropout and self.training and self.num_layers > 1:
            out, ends = self._by_layers(x, states, sequence_length)
        else:
            out, *ends = self._run(x, states, sequence_length, 0, self.num_layers)
        return in_time(out, self.time_major), tuple(ends) if len(ends) > 1 else ends[0]

    def flatten_parameters(self) -> None:
        """Kept for Paddle's code: where parameters lie in memory makes no difference."""

    def _starts(self, x: Any, given: Any) -> list[Any]:
        count = 2 if self.mode == "LSTM" else 1
        cells, batch = self.num_layers * self.num_directions, x.shape[1]
        widths = [self.proj_size or self.hidden_size, self.hidden_size][:count]
        if given is None:
            return [zeros([cells, batch, width], x.dtype) for width in widths]
        states = list(given) if isinstance(given, (list, tuple)) else [given]
        for state in states:
            if state.ndim != 3 or state.shape[0] != cells:
                raise ShapeError(
                    f"initial states must be [{cells},N,{widths[0]}], layers times directions "
                    f"first, received {state.spec}",
                    cure="leave them out to start from zeros",
                )
        if len(states) != count:
            raise ArgumentError(f"{type(self).__name__} has {count} states, received {len(states)}")
        return states

    def _cells(self, first: int, last: int) -> list[Layer]:
        found: list[Layer] = []
        for layer in list(self)[first:last]:
            found += [layer.cell] if isinstance(layer, RNN) else [layer.cell_fw, layer.cell_bw]
        return found

    def _run(self, x: Any, states: list[Any], length: Any, first: int, last: int) -> tuple:
        """The layers from `first` on, before `last`, as one operator."""
        cells = self._cells(first, last)
        weights = [w for c in cells for w in (c.weight_ih, c.weight_hh)]
        weights += [b for c in cells for b in (c.bias_ih, c.bias_hh)]
        h, c = [*states, None][:2]
        layers, both = last - first, self.num_directions == 2
        return rnn_op.function(x, h, c, length, weights, self.mode, layers, both)

    def _by_layers(self, x: Any, states: list[Any], length: Any) -> tuple[Any, list[Any]]:
        ends = []
        for layer in range(self.num_layers):
            if layer:
                x = dropout(x, self.dropout, training=True)
            own = slice(layer * self.num_directions, (layer + 1) * self.num_directions)
            x, *end = self._run(x, [s[own] for s in states], length, layer, layer + 1)
            ends.append(end)
        return x, [concat(list(parts)) for parts in zip(*ends, strict=True)]

    def _by_cells(self, x: Any, states: list[Any], length: Any) -> tuple[Any, list[Any]]:
        ends, count = [], self.num_directions
        for layer in range(self.num_layers):
            if layer and self.dropout:
                x = dropout(x, self.dropout, training=self.training)
            cells = self._cells(layer, layer + 1)
            found = [
                RNN(cell, n == 1, True)(x, tuple(s[layer * count + n] for s in states), length)
                for n, cell in enumerate(cells)
            ]
            x = concat([out for out, _ in found], axis=-1)
            ends += [end for _, end in found]
        return x, [stack(list(parts)) for parts in zip(*ends, strict=True)]

    def extra_repr(self) -> str:
        """The sizes, and what is not as usual."""
        found = f"{self.input_size}, {self.hidden_size}"
        if self.num_layers != 1:
            found += f", num_layers={self.num_layers}"
        if self.time_major:
            found += ", time_major=True"
        return found + (f", dropout={self.dropout}" if self.dropout else "")


def _attrs(ih: Any, hh: Any, bias_ih: Any, bias_hh: Any) -> dict[str, Any]:
    return {
        "weight_ih_attr": ih, "weight_hh_attr": hh, "bias_ih_attr": bias_ih,
        "bias_hh_attr": bias_hh,
    }  # fmt: skip


class SimpleRNN(_Stack):
    """Layers of SimpleRNNCell over time.

    inputs: [N,T,input_size], [T,N,input_size] with time_major. initial_states: [L*D,N,hidden_size],
    of layers times directions, zeros by default. sequence_length: [N]; later outputs are zeros,
    states stay. dropout: between layers, in training. Returns outputs, [N,T,D*hidden_size], and the
    last states. Raises ArgumentError for another direction than "forward" and "bidirect".
    """

    cell_type = SimpleRNNCell

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        direction: str = "forward",
        time_major: bool = False,
        dropout: float = 0.0,
        activation: str = "tanh",
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        name: str | None = None,
    ):
        attrs = _attrs(weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        sizes = input_size, hidden_size, num_layers, direction, time_major, dropout
        super().__init__(*sizes, attrs, activation=activation)
        self.mode = f"RNN_{activation.upper()}"


class LSTM(_Stack):
    """Layers of LSTMCell over time. Arguments and results as SimpleRNN's; the states are (h, c).

    proj_size: the size of h, where it is projected.

    >>> out, (h, c) = twinoar.nn.LSTM(4, 3, num_layers=2)(twinoar.ones([2, 5, 4]))
    >>> out.shape, h.shape
    ([2, 5, 3], [2, 2, 3])
    """

    mode, cell_type = "LSTM", LSTMCell

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        direction: str = "forward",
        time_major: bool = False,
        dropout: float = 0.0,
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        proj_size: int = 0,
        name: str | None = None,
    ):
        attrs = _attrs(weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        sizes = input_size, hidden_size, num_layers, direction, time_major, dropout
        super().__init__(*sizes, attrs, proj_size=proj_size)


class GRU(_Stack):
    """Layers of GRUCell over time. Arguments and results as SimpleRNN's.

    >>> out, h = twinoar.nn.GRU(4, 3, direction="bidirect")(twinoar.ones([2, 5, 4]))
    >>> out.shape, h.shape
    ([2, 5, 6], [2, 2, 3])
    """

    mode, cell_type = "GRU", GRUCell

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        direction: str = "forward",
        time_major: bool = False,
        dropout: float = 0.0,
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        name: str | None = None,
    ):
        attrs = _attrs(weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        super().__init__(input_size, hidden_size, num_layers, direction, time_major, dropout, attrs)
