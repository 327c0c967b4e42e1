"""RNN and BiRNN: a cell of any kind over all times of sequences."""

from __future__ import annotations

from typing import Any

from twinoar.core.tree import flatten, unflatten
from twinoar.core.values import Value
from twinoar.errors import ShapeError, TypeMismatchError
from twinoar.nn.layer import Layer
from twinoar.ops.control.through_time import through_time
from twinoar.ops.sequence.recurrent import kept_where, mask_of
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.reshape import transpose


class RNN(Layer):
    """Runs a cell over time.

    cell: an RNNCellBase, or a Layer whose `forward(inputs, states)` returns an output and states.
    is_reverse: from the last time to the first. time_major: inputs are [T,N,...], else [N,T,...].

    Called with inputs, and optionally initial_states and sequence_length, [N]: states stay as they
    are after the end of a sequence, outputs there are what the cell gives. Returns the outputs, in
    the order of the inputs, and the last states.

    >>> rnn = twinoar.nn.RNN(twinoar.nn.GRUCell(4, 3))
    >>> out, h = rnn(twinoar.ones([2, 5, 4]))
    >>> out.shape, h.shape
    ([2, 5, 3], [2, 3])
    """

    def __init__(self, cell: Layer, is_reverse: bool = False, time_major: bool = False):
        super().__init__()
        if not isinstance(cell, Layer):
            raise TypeMismatchError(
                f"cell must be a Layer, received {type(cell).__name__}",
                cure="pass an instance, such as nn.GRUCell(4, 3)",
            )
        self.cell, self.is_reverse, self.time_major = cell, is_reverse, time_major

    def forward(
        self,
        inputs: Any,
        initial_states: Any = None,
        sequence_length: Any = None,
        **kwargs: Any,
    ) -> tuple[Any, Any]:
        """Outputs and last states."""
        x = in_time(inputs, self.time_major)
        if initial_states is None:
            initial_states = self.cell.get_initial_states(x, batch_dim_idx=1)
        start, structure = flatten(initial_states)
        mask = None if sequence_length is None else mask_of(x, sequence_length)

        def step(now: list[Any], state: tuple[Any, ...]) -> tuple[list[Any], tuple[Any, ...]]:
            out, states = self.cell(now[0], unflatten(structure, list(state)), **kwargs)
            new = tuple(flatten(states)[0])
            return [out], kept_where(now[1], new, state) if len(now) > 1 else new

        sequences = [x] if mask is None else [x, mask]
        (out,), end = through_time(step, sequences, tuple(start), self.is_reverse)
        return in_time(out, self.time_major), unflatten(structure, list(end))


class BiRNN(Layer):
    """Runs one cell forward in time and another one backward; their outputs side by side.

    Called as RNN is, with a pair of initial states. Returns outputs [N,T,2*H] and a pair of states.

    >>> rnn = twinoar.nn.BiRNN(twinoar.nn.GRUCell(4, 3), twinoar.nn.GRUCell(4, 3))
    >>> rnn(twinoar.ones([2, 5, 4]))[0].shape
    [2, 5, 6]
    """

    def __init__(self, cell_fw: Layer, cell_bw: Layer, time_major: bool = False):
        super().__init__()
        self.cell_fw, self.cell_bw, self.time_major = cell_fw, cell_bw, time_major
        self.rnns = (RNN(cell_fw, False, time_major), RNN(cell_bw, True, time_major))

    def forward(
        self,
        inputs: Any,
        initial_states: Any = None,
        sequence_length: Any = None,
        **kwargs: Any,
    ) -> tuple[Any, tuple[Any, Any]]:
        """Outputs and last states."""
        starts = (None, None) if initial_states is None else initial_states
        outs, ends = zip(
            *(
                rnn(inputs, start, sequence_length, **kwargs)
                for rnn, start in zip(self.rnns, starts, strict=True)
            ),
            strict=True,
        )
        return concat(list(outs), axis=-1), ends


def in_time(x: Value, time_major: bool) -> Any:
    """[N,T,...] as [T,N,...], and the other way round; `x` itself if it is time_major.

    Raises ShapeError where there is no time.
    """
    if x.ndim < 3:
        raise ShapeError(
            f"expected sequences [N,T,...] or [T,N,...], received {x.spec}",
            cure="a single step is a call of the cell",
        )
    return x if time_major else transpose(x, [1, 0, *range(2, x.ndim)])
