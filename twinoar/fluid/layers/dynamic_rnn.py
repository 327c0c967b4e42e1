"""DynamicRNN, and by it dynamic_lstm and dynamic_gru: networks over sequences of several lengths.

1.x packs sequences one after the other; here they are padded, [batch,time,*], with `lengths`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import twinoar as paddle
from twinoar.core.interpreter import current, using
from twinoar.errors import ArgumentError, ShapeError
from twinoar.fluid.layers.adapter import activated
from twinoar.fluid.layers.rnn import gated
from twinoar.ops.loss.label import sequence_mask
from twinoar.ops.math.select import select
from twinoar.static.nn.parameter import Parameters
from twinoar.static.nn.sequence import sequence_reverse
from twinoar.static.nn.static_rnn import StaticRNN

State = Sequence[Any]


class DynamicRNN:
    """A recurrent network over sequences: in `with rnn.block():` stands what is done at each step.

    lengths: of the sequences, [batch]; memories stay as they are after the end, and outputs are
    zeros. A call returns what `output` named, [batch,time,*] each: one Variable, or a list of
    several. Modern spelling: `static.nn.StaticRNN`, or `fluid.layers.rnn` of a cell.
    """

    def __init__(self, name: str | None = None, lengths: Any = None):
        self._network, self._lengths = StaticRNN(name), lengths
        self._first: Any = None  # the first sequence
        self._goes_on: Any = None  # at a step, for which sequences

    @contextmanager
    def block(self) -> Iterator[None]:
        """The block in which one step is written."""
        with self._network.step():
            yield

    def step_input(self, x: Any, level: int = 0) -> Any:
        """What a step sees of the sequences x, [batch,time,*]: [batch,*]. There is one level."""
        if x.ndim < 2:
            raise ShapeError(f"sequences are [batch, time, ...], received {x.spec}")
        with using(current().outer):
            by_time = paddle.transpose(x, [1, 0, *range(2, x.ndim)])
            inside = None
            if self._first is None and self._lengths is not None:
                mask = sequence_mask(self._lengths, x.spec.shape[1], "bool")
                inside = paddle.transpose(mask, [1, 0])
        if self._first is None:
            self._first = x
        if inside is not None:
            self._goes_on = self._network.step_input(inside)
        return self._network.step_input(by_time)

    def static_input(self, x: Any) -> Any:
        """What every step sees: x itself."""
        return x

    def memory(
        self,
        init: Any = None,
        shape: Any = None,
        value: float = 0.0,
        need_reorder: bool = False,
        dtype: Any = "float32",
    ) -> Any:
        """What the step before has left; in the first step init, or `value` in [batch,*shape].

        Raises ArgumentError before the first step_input.
        """
        if self._first is None:
            raise ArgumentError("a memory comes after the first step_input", cure="call it first")
        if init is None:
            with using(current().outer):
                init = paddle.full([self._first.spec.shape[0], *shape], value, dtype)
        return self._network.memory(init=init)

    def update_memory(self, ex_mem: Any, new_mem: Any) -> None:
        """Let `new_mem` be what the next step finds in `ex_mem`."""
        self._network.update_memory(ex_mem, self._until_end(new_mem, ex_mem))

    def output(self, *outputs: Any) -> None:
        """Collect each of `outputs` of every step."""
        self._network.output(*(self._until_end(o, 0.0) for o in outputs))

    def __call__(self) -> Any:
        found = self._network()
        several = isinstance(found, list)
        states = [
            paddle.transpose(v, [1, 0, *range(2, v.ndim)]) for v in (found if several else [found])
        ]
        return states if several else states[0]

    def _until_end(self, new: Any, old: Any) -> Any:
        if self._goes_on is None:
            return new
        return select(paddle.unsqueeze(self._goes_on, list(range(1, new.ndim))), new, old)


def dynamic_gru(
    input: Any,
    size: int,
    param_attr: Any = None,
    bias_attr: Any = None,
    is_reverse: bool = False,
    gate_activation: str = "sigmoid",
    candidate_activation: str = "tanh",
    h_0: Any = None,
    origin_mode: bool = False,
    lengths: Any = None,
) -> Any:
    """The hidden states of a GRU, [batch,time,size], zeros after the end.

    input: [batch,time,3*size], what update gate, reset gate and candidate get of the steps. h_0:
    [batch,size]. is_reverse: from the last step to the first. Parameters: a weight [size,3*size]
    and a bias [1,3*size]. Raises ShapeError for another width.

    Modern spelling: fluid.layers.rnn of a fluid.layers.GRUCell.
    """
    _check(input, 3 * size, "dynamic_gru")
    parameters = Parameters("gru")
    of_state = parameters.make((size, 3 * size), input.dtype, param_attr)
    bias = parameters.make((1, 3 * size), input.dtype, bias_attr, is_bias=True)

    def step(now: Any, hidden: Any) -> list[Any]:
        now = now if bias is None else now + bias
        return [gated(now, hidden, of_state, candidate_activation, gate_activation, origin_mode)[0]]

    return _over_time(step, input, [_start(input, size, h_0)], lengths, is_reverse)[0]


def dynamic_lstm(
    input: Any,
    size: int,
    h_0: Any = None,
    c_0: Any = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_peepholes: bool = True,
    is_reverse: bool = False,
    gate_activation: str = "sigmoid",
    cell_activation: str = "tanh",
    candidate_activation: str = "tanh",
    dtype: Any = "float32",
    name: str | None = None,
    lengths: Any = None,
) -> tuple[Any, Any]:
    """The hidden states and cells of an LSTM, [batch,time,size/4], zeros after the end.

    input: [batch,time,size], what candidate, input gate, forget gate and output gate get of the
    steps. h_0, c_0: [batch,size/4]. use_peepholes: the gates see the cell. is_reverse: from the
    last step to the first. Parameters: a weight [size/4,size] and a bias [1,size], with peepholes
    [1,7*size/4]. Raises ShapeError for another width.

    Modern spelling: fluid.layers.rnn of a fluid.layers.LSTMCell.
    """
    _check(input, size, "dynamic_lstm")
    width, parameters = size // 4, Parameters("lstm", name)
    of_state = parameters.make((width, size), input.dtype, param_attr)
    count = 7 * width if use_peepholes else size
    bias = parameters.make((1, count), input.dtype, bias_attr, is_bias=True)
    seen = [None] * 3
    if use_peepholes and bias is not None:
        seen = [bias[:, size + k * width : size + (k + 1) * width] for k in range(3)]

    def gate(x: Any, cell: Any, peephole: Any) -> Any:
        return activated(x if peephole is None else x + cell * peephole, gate_activation)

    def step(now: Any, hidden: Any, cell: Any) -> list[Any]:
        sums = now + paddle.matmul(hidden, of_state)
        sums = sums if bias is None else sums + bias[:, :size]
        candidate, let_in, forget, out = paddle.split(sums, 4, -1)
        kept = cell * gate(forget, cell, seen[1])
        new = kept + gate(let_in, cell, seen[0]) * activated(candidate, candidate_activation)
        return [gate(out, new, seen[2]) * activated(new, cell_activation), new]

    starts = [_start(input, width, given) for given in (h_0, c_0)]
    hidden, cell = _over_time(step, input, starts, lengths, is_reverse)
    return hidden, cell


def _check(input: Any, width: int, function: str) -> None:
    if input.ndim != 3 or input.spec.shape[2] != width:
        raise ShapeError(
            f"{function} takes sequences [batch, time, {width}], received {input.spec}",
            cure="let fluid.layers.fc with num_flatten_dims=2 make them",
        )


def _start(input: Any, width: int, given: Any) -> Any:
    return paddle.zeros([input.spec.shape[0], width], input.dtype) if given is None else given


def _over_time(
    step: Callable[..., State], input: Any, starts: State, lengths: Any, is_reverse: bool
) -> list[Any]:
    """The states that `step` gives at each time, [batch,time,*] each."""
    if is_reverse:
        input = sequence_reverse(input, lengths=lengths)
    network = DynamicRNN(lengths=lengths)
    with network.block():
        now = network.step_input(input)
        memories = [network.memory(init=start) for start in starts]
        for memory, new in zip(memories, step(now, *memories), strict=True):
            network.update_memory(memory, new)
            network.output(new)
    found = network()
    states = found if isinstance(found, list) else [found]
    return [sequence_reverse(v, lengths=lengths) for v in states] if is_reverse else states


__all__ = ["DynamicRNN", "dynamic_gru", "dynamic_lstm"]
