"""Recurrent networks over a whole sequence, as one operator: LSTM, GRU and plain cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from twinoar.core.dtype import int64
from twinoar.core.ir.builder import replay, trace
from twinoar.core.ir.program import Block
from twinoar.core.op.declare import Desc, Spec, Tensor, op
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.ops.activation.rectifier import relu
from twinoar.ops.activation.smooth import sigmoid
from twinoar.ops.control.over_time import (
    after_iterations,
    before_iterations,
    last_of,
    over_time,
    parts,
    specs_of_iteration,
)
from twinoar.ops.control.while_gradient import own_copy
from twinoar.ops.create.range import iota
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import less_than
from twinoar.ops.math.fill import ones_of
from twinoar.ops.math.select import select
from twinoar.ops.math.trigonometry import tanh
from twinoar.ops.reduce.reduction import sum_op
from twinoar.ops.shape.concat import concat, split, stack
from twinoar.ops.shape.reshape import reshape_op, unsqueeze

CellKind = Literal["LSTM", "GRU", "RNN_TANH", "RNN_RELU"]
State = tuple[Tensor, ...]
BLOCKS_KEPT = 256  # of sizes and dtypes that a cell meets
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
    ends: list[list[Tensor]] = []
    for layer in range(layers):
        outs = []
        for n in range(layer * directions, (layer + 1) * directions):
            start = [h[n]] if c is None else [h[n], c[n]]
            kernels = weights[2 * n : 2 * n + 2]
            biases = weights[2 * (cells + n) : 2 * (cells + n) + 2]
            given = matmul(x, kernels[0], transpose_y=True) + biases[0]
            backward = n % directions == 1
            kept = recurrence.function(given, kernels[1], biases[1], mask, start, mode, backward)
            states = kept if isinstance(kept, tuple) else (kept,)
            out = after_iterations(states[0], backward)
            outs.append(out if mask is None else select(mask, out, 0.0))
            ends.append([last_of(s, backward) for s in states])
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


@op
def recurrence(
    given: Tensor,
    kernel: Tensor,
    bias: Tensor,
    mask: Tensor | None,
    start: Sequence[Tensor],
    mode: CellKind = "LSTM",
    backward: bool = False,
) -> tuple[Tensor, ...]:
    """The states of one layer of cells, in one direction, before all times and after each.

    given: [T,N,G*H], what the inputs give. kernel: [G*H,H], bias: [G*H]. mask: bool [T,N,1], true
    where a time belongs to a sequence. start: the states, [N,H] each. backward: from the last time
    on. Returns for each state [T+1,N,H].
    """
    sequences = _present(given, mask)
    operands = [*start, *sequences, kernel, bias]
    specs = specs_of_iteration(parts(operands, len(start), len(sequences)))
    block = own_copy(_iteration(mode, len(start), len(sequences), specs))
    return over_time.function(operands, block, len(start), len(sequences), 0, backward)


@recurrence.samples
def _(s):
    given, kernel, bias, state = s.randn(3, 2, 12), s.randn(12, 3), s.randn(12), s.randn(2, 3)
    mask = np.array([[1, 1], [1, 0], [0, 0]], bool)[:, :, None]
    yield s(given, kernel, bias, None, [state, state], tolerance=1e-4)
    yield s(given, kernel, bias, mask, [state, state], backward=True, tolerance=1e-4)


@lru_cache(BLOCKS_KEPT)
def _iteration(mode: CellKind, states: int, sequences: int, specs: tuple[Spec, ...]) -> Block:
    """What one time does, as a block: states, sequences, kernel and bias to the next states."""

    def iteration(*values: Any) -> State:
        state, (given, *mask), (kernel, bias) = parts(values, states, sequences)
        of_h = matmul(state[0], kernel, transpose_y=True) + bias
        return _next(mode, given, of_h, state, *mask)

    return trace(iteration, *specs).main


@recurrence.grad
def _(vjp, gs, outs, given, kernel, bias, mask, start, mode, backward):
    """An element of a state depends on the gates of that element alone. So its partial derivatives
    at all times are known at once, from gradients that begin with ones, and what is left to do
    time by time are products with them, and one with the kernel.
    """
    before = [before_iterations(h, backward) for h in outs]
    of_h = matmul(before[0], kernel, transpose_y=True) + bias
    operands = (given, of_h, *before, *_present(mask))
    specs = tuple([x.spec for x in operands])
    slopes = [
        replay(vjp(_new_state(mode, n, specs)), (*operands, ones_of(h.spec)))
        for n, h in enumerate(before)
    ]
    count = len(before)
    of_gates = [slope[1] for slope in slopes]
    between = {
        (n, m): slope[2 + m]
        for n, slope in enumerate(slopes)
        for m in range(count)
        if slope[2 + m] is not None
    }
    kept = [before_iterations(g, backward) for g in gs]
    sequences = [*of_gates, *between.values(), *kept]
    ends = [last_of(g, backward) for g in gs]
    operands_back = [*ends, *sequences, kernel]
    inside = specs_of_iteration(parts(operands_back, count, len(sequences)))
    back = own_copy(_iteration_back(count, tuple(between), inside))
    found = over_time.function(operands_back, back, count, len(sequences), 0, not backward)
    *histories, of_pre = found
    through = [before_iterations(h, not backward) for h in histories]
    of_given = of_pre
    if any(slope[0] is not slope[1] for slope in slopes):
        of_given = _added([_spread(g, s[0]) for g, s in zip(through, slopes, strict=True)])
    width, states = kernel.spec.shape
    of_rows = reshape_op(of_pre, (-1, width))
    of_kernel = matmul(of_rows, reshape_op(before[0], (-1, states)), transpose_x=True)
    of_bias = sum_op(of_rows, (0,))
    of_start = [last_of(h, not backward) for h in histories]
    return (of_given, of_kernel, of_bias, None, *of_start)


@lru_cache(BLOCKS_KEPT)
def _new_state(mode: CellKind, n: int, specs: tuple[Spec, ...]) -> Block:
    """The next state n from what inputs give, what h gives, the states, and perhaps a mask."""

    def new(given: Tensor, of_h: Tensor, *rest: Tensor) -> Tensor:
        count = STATES.get(mode, 1)
        return _next(mode, given, of_h, rest[:count], *rest[count:])[n]

    return trace(new, *specs).main


@lru_cache(BLOCKS_KEPT)
def _iteration_back(
    count: int, between: tuple[tuple[int, int], ...], specs: tuple[Spec, ...]
) -> Block:
    """From gradients of states after a time to those before it, and to those of what h gives.

    between: which state depends on which, beside by what h gives.
    """

    def iteration(*values: Any) -> list[Tensor]:
        gs, sequences, (kernel,) = parts(values, count, len(specs) - count - 1)
        slopes = dict(zip(between, sequences[count:], strict=False))
        of_pre = _added([_spread(g, s) for g, s in zip(gs, sequences[:count], strict=True)])
        found = list(sequences[-count:])
        for (n, m), slope in slopes.items():
            found[m] = found[m] + gs[n] * slope
        found[0] = found[0] + matmul(of_pre, kernel)
        return [*found, of_pre]

    return trace(iteration, *specs).main


def _spread(g: Tensor, slope: Tensor) -> Tensor:
    """Gradients [...,H] times what each gate changes, [...,G*H]."""
    *outer, width = slope.spec.shape
    states = g.spec.shape[-1]
    gates = reshape_op(slope, (*outer, width // states, states)) * unsqueeze(g, -2)
    return reshape_op(gates, (*outer, width))


def _added(terms: Sequence[Tensor]) -> Tensor:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def _present(*values: Tensor | None) -> list[Tensor]:
    return [x for x in values if x is not None]


def _next(mode: CellKind, given: Tensor, of_h: Tensor, state: State, *mask: Tensor) -> State:
    """The states after a time; those before it where the mask is false."""
    new = CELLS[mode](given, of_h, state)
    return kept_where(mask[0], new, state) if mask else new


def _lstm(given: Tensor, of_h: Tensor, state: State) -> State:
    i, f, g, o = split(given + of_h, 4, axis=-1)
    c = sigmoid(f) * state[1] + sigmoid(i) * tanh(g)
    return sigmoid(o) * tanh(c), c


def _gru(given: Tensor, of_h: Tensor, state: State) -> State:
    (r, z, g), (r_of_h, z_of_h, g_of_h) = split(given, 3, axis=-1), split(of_h, 3, axis=-1)
    g = tanh(g + sigmoid(r + r_of_h) * g_of_h)
    return (g + sigmoid(z + z_of_h) * (state[0] - g),)


CELLS: dict[str, Callable[[Tensor, Tensor, State], State]] = {
    "LSTM": _lstm,
    "GRU": _gru,
    "RNN_TANH": lambda given, of_h, state: (tanh(given + of_h),),
    "RNN_RELU": lambda given, of_h, state: (relu(given + of_h),),
}
STATES = {"LSTM": 2}  # others have one


def kept_where(there: Tensor, new: State, old: State) -> State:
    """The new state where `there` is true, the old one where it is not."""
    return tuple(select(there, a, b) for a, b in zip(new, old, strict=True))


def mask_of(x: Tensor, length: Tensor) -> Tensor:
    """True where a time belongs to a sequence, false later: bool [T,N,1]."""
    times = unsqueeze(iota.function(x.shape[0]), 1)
    return unsqueeze(less_than(times, astype(length, int64)), 2)
