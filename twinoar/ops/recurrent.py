"""Recurrent networks over a whole sequence, as one operator: LSTM, GRU and plain cells.

Its body is a loop over time: written out where the length is known, a `while` where it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from twinoar.core.desc import Desc
from twinoar.core.dtype import int64
from twinoar.core.op import op
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.ops.activation import sigmoid
from twinoar.ops.cast import astype
from twinoar.ops.compare import less_than
from twinoar.ops.control_flow import while_loop
from twinoar.ops.create import fill, zeros
from twinoar.ops.join import concat, split, stack
from twinoar.ops.matmul import matmul
from twinoar.ops.rectifier import relu
from twinoar.ops.sequence import iota
from twinoar.ops.shape import unsqueeze
from twinoar.ops.trigonometry import tanh

Tensor = Value
CellKind = Literal["LSTM", "GRU", "RNN_TANH", "RNN_RELU"]
State = tuple[Tensor, ...]
Cell = Callable[[Tensor, State], State]  # (what the input gives, state) -> the next state
PARTS = 4  # weights and biases of a cell: of the input, and of the state


def _read(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Any:
    if attrs.get("dropout_prob", 0.0) and not attrs.get("is_test", False):
        raise UnsupportedError(
            "rnn with dropout between its layers", cure="save the model in evaluation mode"
        )
    states = [*slots["PreState"], None][:2]
    length = (slots.get("SequenceLength") or [None])[0]
    layers, both = attrs["num_layers"], attrs.get("is_bidirec", False)
    return rnn(slots["Input"][0], *states, length, slots["WeightList"], attrs["mode"], layers, both)


def _write(attrs: dict[str, Any], specs: Sequence[Any]) -> dict[str, Any]:
    return {"input_size": specs[0].shape[-1], "hidden_size": specs[1].shape[-1]}


@op(
    desc=Desc(
        "rnn",
        {
            "Input": "x",
            "PreState": ("h", "c"),
            "SequenceLength": "length",
            "WeightList": "weights",
        },
        outputs=("Out", "State"),
        attrs={"mode": "mode", "num_layers": "layers", "is_bidirec": "bidirectional"},
        fixed={"dropout_prob": 0.0, "is_test": True, "seed": 0},
        extra_outputs=("DropoutState", "Reserve"),
        write=_write,
        read=_read,
    )
)
def rnn(
    x: Tensor,
    h: Tensor,
    c: Tensor | None,
    length: Tensor | None,
    weights: Sequence[Tensor],
    mode: CellKind = "LSTM",
    layers: int = 1,
    bidirectional: bool = False,
) -> tuple[Tensor, ...]:
    """What cells give at each time, layer upon layer, and the states that they end with.

    x: [T,N,I]. h, and for LSTM c: [L,N,H], the states to start from, of layers times directions.
    length: [N], the times of each sequence: later ones leave the state as it is and give zeros.
    weights: for each cell [G*H,I] and [G*H,H], then for each cell two biases [G*H]; G is 4 for
    LSTM (input, forget, cell, output), 3 for GRU (reset, update, candidate), 1 for others.
    Returns [T,N,H or 2*H], then states like h and c. Raises ArgumentError for another number of
    weights.
    """
    directions = 2 if bidirectional else 1
    cells = layers * directions
    if len(weights) != PARTS * cells:
        raise ArgumentError(
            f"rnn takes {PARTS * cells} weights and biases, received {len(weights)}"
        )
    mask = None if length is None else mask_of(x, length)
    ends: list[State] = []
    for layer in range(layers):
        outs = []
        for n in range(layer * directions, (layer + 1) * directions):
            start = (h[n],) if c is None else (h[n], c[n])
            kernels = weights[2 * n : 2 * n + 2]
            biases = weights[2 * (cells + n) : 2 * (cells + n) + 2]
            given = matmul(x, kernels[0], transpose_y=True) + biases[0]
            cell = _cell(mode, kernels[1], biases[1])
            out, end = _run(cell, given, start, mask, n % directions == 1)
            outs.append(out)
            ends.append(end)
        x = outs[0] if directions == 1 else concat(outs, axis=-1)
    return x, *(stack(list(parts)) for parts in zip(*ends, strict=True))


@rnn.samples
def _(s):
    def given(cells, gates):
        shapes = [(gates * 3, 4), (gates * 3, 3)] * cells + [(gates * 3,)] * 2 * cells
        return [s.randn(*shape) for shape in shapes]

    x, h, both = s.randn(3, 2, 4), s.randn(1, 2, 3), s.randn(2, 2, 3)
    yield s(x, h, h, None, given(1, 4), tolerance=1e-4)
    yield s(x, h, None, None, given(1, 3), mode="GRU", tolerance=1e-4)
    yield s(x, both, both, s.ints(1, 4, 2), given(2, 4), bidirectional=True, tolerance=1e-4)
    yield s(x, h, None, None, given(1, 1), mode="RNN_TANH", tolerance=1e-4)
    yield s(x, h, None, None, given(1, 1), mode="RNN_RELU", gradient=False, tolerance=1e-4)
    yield s.bad(ArgumentError, "takes 4 weights", x, h, h, None, [s.randn(12, 4)])


def _cell(mode: CellKind, kernel: Tensor, bias: Tensor) -> Cell:
    def lstm(given: Tensor, state: State) -> State:
        h, c = state
        i, f, g, o = split(given + matmul(h, kernel, transpose_y=True) + bias, 4, axis=-1)
        c = sigmoid(f) * c + sigmoid(i) * tanh(g)
        return sigmoid(o) * tanh(c), c

    def gru(given: Tensor, state: State) -> State:
        (h,) = state
        r, z, g = split(given, 3, axis=-1)
        r_of_h, z_of_h, g_of_h = split(matmul(h, kernel, transpose_y=True) + bias, 3, axis=-1)
        g = tanh(g + sigmoid(r + r_of_h) * g_of_h)
        return (g + sigmoid(z + z_of_h) * (h - g),)

    def plain(given: Tensor, state: State) -> State:
        total = given + matmul(state[0], kernel, transpose_y=True) + bias
        return (tanh(total) if mode == "RNN_TANH" else relu(total),)

    return {"LSTM": lstm, "GRU": gru}.get(mode, plain)


def _run(
    cell: Cell, given: Tensor, start: State, mask: Tensor | None, backward: bool
) -> tuple[Tensor, State]:
    """What a cell gives at each time, [T,N,H], and the state that it ends with."""

    def following(t: Any, state: State) -> tuple[Tensor, State]:
        new = cell(given[t], state)
        if mask is None:
            return new[0], new
        there = mask[t]
        return there * new[0], kept_where(there, new, state)

    return over_time(following, given.shape[0], start, start[0].spec, backward)


def kept_where(there: Tensor, new: State, old: State) -> State:
    """The new state where `there` is 1, the old one where it is 0."""
    return tuple(there * a + (1.0 - there) * b for a, b in zip(new, old, strict=True))


def over_time(
    following: Callable[[Any, State], tuple[Tensor, State]],
    count: Any,
    start: State,
    spec: Spec,
    backward: bool = False,
) -> tuple[Tensor, State]:
    """What `following(t, state)` gives at each of `count` times, [T,...], and the state at the end.

    It returns an output of `spec` and the next state; with `backward` the last time is the first.
    """
    if isinstance(count, int):
        outs: list[Any] = [None] * count
        state = start
        for t in range(count)[:: -1 if backward else 1]:
            outs[t], state = following(t, state)
        return stack(outs) if outs else zeros([0, *spec.shape], spec.dtype), state

    def trip(t: Any, outs: Any, *state: Any) -> list[Any]:
        out, after = following(length - 1 - t if backward else t, state)
        pair = [unsqueeze(out, 0), outs] if backward else [outs, unsqueeze(out, 0)]
        return [t + 1, concat(pair), *after]

    length = fill.function((), count, int64)
    nothing = zeros([0, *spec.shape], spec.dtype)
    found = while_loop(lambda t, *_: less_than(t, length), trip, [0, nothing, *start])
    return found[1], tuple(found[2:])


def mask_of(x: Tensor, length: Tensor) -> Tensor:
    """1 where a time belongs to a sequence, 0 later: [T,N,1]."""
    times = unsqueeze(iota.function(x.shape[0]), 1)
    return astype(unsqueeze(less_than(times, astype(length, int64)), 2), x.dtype)
