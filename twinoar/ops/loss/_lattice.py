"""Sums over the paths of transducers through lattices of frames and labels, as loops.

They are logarithms in float64, as in the NumPy kernels; threads share sequences.
"""

from __future__ import annotations

from twinoar.core.dtype import float64, int64
from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import Array, Launcher, cast, fail, procedure
from twinoar.ops.loss._paths import NEVER, either


def launch_lattice(p: Launcher, blank: int, *given: Array) -> tuple[Array, Array]:
    """Launch the likelihood of all ways on from each place, [B,T+1,U+2]; what is [B,2] then
    are the frames and labels.

    given: logs, label, input_lengths, label_lengths. Source: arXiv 1211.3711, eq. 18.
    """
    batch, frames, positions, _ = given[0].shape
    beta = p.scratch((batch, frames + 1, positions + 1), float64)
    sizes = p.scratch((batch, 2), int64)
    p.launch(_backward, batch, *given, blank, beta, sizes, work=50 * beta.size)
    return beta, sizes


def launch_loss(p: Launcher, blank: int, *given: Array) -> None:
    """Launch -log of the likelihood of labels into the first result."""
    beta, _ = launch_lattice(p, blank, *given)
    p.launch(_lost, beta.shape[0], beta, p.results[0])


def launch_slope(p: Launcher, blank: int, fastemit_lambda: float, *given: Array) -> None:
    """Launch its gradient into the first result: eq. 20."""
    logs, label = given[:2]
    alpha = p.scratch(logs.shape[:3], float64)
    work = 100 * alpha.size + logs.size
    said, of = 1.0 + float(fastemit_lambda), launch_lattice(p, blank, *given)
    p.launch(
        _sloped, logs.shape[0], logs, label, blank, said, alpha, *of, p.results[0], work=work
    )  # fmt: skip


@procedure
def _on_label(b, t, u, logs, label, labels):
    """How likely the next label is said; never behind the last."""
    found = cast(NEVER, float64)
    if u < labels:
        found = cast(logs[b, t, u, cast(label[b, u], int64)], float64)
    return found


@procedure
def _backward(b, logs, label, input_lengths, label_lengths, blank, beta, sizes):
    sizes[b, 0] = 0  # of what is refused
    sizes[b, 1] = 0
    frames, labels = cast(input_lengths[b], int64), cast(label_lengths[b], int64)
    positions = logs.shape[2]
    if frames < 1 or frames > logs.shape[1] or labels < 0:
        fail()
    if labels > label.shape[1] or labels > positions - 1:
        fail()
    for u in range(labels):
        named = cast(label[b, u], int64)
        if named < 0 or named >= logs.shape[3]:
            fail()
    sizes[b, 0] = frames
    sizes[b, 1] = labels
    for t in range(frames + 1):
        for u in range(positions + 1):
            beta[b, t, u] = NEVER
    beta[b, frames, labels] = 0.0
    for t in range(frames - 1, -1, -1):
        for u in range(positions - 1, -1, -1):
            going = cast(logs[b, t, u, blank], float64) + beta[b, t + 1, u]
            saying = _on_label(b, t, u, logs, label, labels) + beta[b, t, u + 1]
            beta[b, t, u] = either(going, saying)


@procedure
def _lost(b, beta, out):
    out[b] = cast(0.0 - beta[b, 0, 0], out)


@procedure
def _forward(b, frames, labels, logs, label, blank, alpha):
    """The likelihood of all ways to each place: eq. 16."""
    for t in range(frames):
        for u in range(logs.shape[2]):
            found = cast(0.0 if t + u == 0 else NEVER, float64)
            if t > 0:
                found = alpha[b, t - 1, u] + cast(logs[b, t - 1, u, blank], float64)
            if u > 0:
                said = alpha[b, t, u - 1] + _on_label(b, t, u - 1, logs, label, labels)
                found = either(found, said)
            alpha[b, t, u] = found


@procedure
def _sloped(b, logs, label, blank, weight, alpha, beta, sizes, out):
    frames, labels = sizes[b, 0], sizes[b, 1]
    for t in range(logs.shape[1]):
        for u in range(logs.shape[2]):
            for c in range(logs.shape[3]):
                out[b, t, u, c] = cast(0, out)
    _forward(b, frames, labels, logs, label, blank, alpha)
    whole = beta[b, 0, 0]
    for t in range(frames):
        for u in range(logs.shape[2]):
            on_blank = cast(logs[b, t, u, blank], float64)
            going = loop.exp(alpha[b, t, u] + on_blank + beta[b, t + 1, u] - whole)
            if u < labels:
                on_label = _on_label(b, t, u, logs, label, labels)
                said = loop.exp(alpha[b, t, u] + on_label + beta[b, t, u + 1] - whole)
                named = cast(label[b, u], int64)
                if named == blank:
                    going = going + weight * said
                else:
                    out[b, t, u, named] = cast(0.0 - weight * said, out)
            out[b, t, u, blank] = cast(0.0 - going, out)
