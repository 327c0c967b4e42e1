"""Sums over the paths of connectionist temporal classification and of transducers, as loops.

They are logarithms in float64, as in the NumPy kernels; threads share sequences. Places of a
sequence stand between cells that no path reaches, so that each has neighbors: two before the first
place, two behind the last.
"""

from __future__ import annotations

import math

from twinoar.core.dtype import bool_, float64, int64
from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import Array, Launcher, cast, fail, local, procedure
from twinoar.late import dataclass

NEVER = -math.inf  # the logarithm of what cannot be
LANES = 16  # sums side by side, which the processor forms at once
MARGIN = 2


@procedure
def either(a, b):
    """The logarithm of the sum of two numbers given as theirs."""
    most = max(a, b)
    least = min(a, b)
    return most if most <= NEVER else most + loop.log(1.0 + loop.exp(least - most))


@procedure
def _any_of(a, b, c):
    """The same of three, without a branch."""
    most = max(a, b, c)
    by = cast(0, most) if most <= NEVER else most
    return by + loop.log(loop.exp(a - by) + loop.exp(b - by) + loop.exp(c - by))


# Connectionist temporal classification.


@dataclass
class Labelled:
    """What `ctc` and its slope share: the logarithm that makes scores probabilities, [T,B]; the
    class of each place, and whether a path may jump to it over a blank, [B,S + 4]; how many frames
    and labels there are, [B,2].
    """

    logits: Array
    norm: Array
    places: Array
    jump: Array
    sizes: Array

    @property
    def of(self) -> tuple[Array, ...]:
        """All, for procedures."""
        return self.logits, self.sizes, self.norm, self.places, self.jump

    @property
    def width(self) -> int:
        """Places of a sequence, with those around them."""
        return self.places.shape[1]


def labelled(p: Launcher, blank: int, *given: Array) -> Labelled:
    """Launch it for logits, label, logits_length, label_length."""
    logits, label = given[:2]
    frames, batch, classes = logits.shape
    norm = p.scratch((frames, batch), float64)
    width = 2 * label.shape[1] + 1 + 2 * MARGIN
    places, jump = p.scratch((batch, width), int64), p.scratch((batch, width), float64)
    sizes = p.scratch((batch, 2), int64)
    p.launch(_checked, batch, *given, blank, places, jump, sizes)
    lines = logits.reshape(frames * batch, classes)
    p.launch(_normed, frames * batch, lines, norm.reshape(frames * batch), work=8 * logits.size)
    return Labelled(logits, norm, places, jump, sizes)


@procedure
def _checked(b, logits, label, logits_length, label_length, blank, places, jump, sizes):
    sizes[b, 0] = 0  # of what is refused
    sizes[b, 1] = 0
    for s in range(places.shape[1]):
        places[b, s] = blank
        jump[b, s] = NEVER
    frames, labels = cast(logits_length[b], int64), cast(label_length[b], int64)
    if frames < 0 or frames > logits.shape[0] or labels < 0 or labels > label.shape[1]:
        fail()
    for k in range(label.shape[1]):
        if k < labels:
            named = cast(label[b, k], int64)
            if named < 0 or named >= logits.shape[2]:
                fail()
            places[b, MARGIN + 2 * k + 1] = named
    for k in range(1, label.shape[1]):
        at = MARGIN + 2 * k + 1
        if places[b, at] != places[b, at - 2]:
            jump[b, at] = 0.0
    sizes[b, 0] = frames
    sizes[b, 1] = labels


@procedure
def _normed(row, lines, norm):
    count = lines.shape[1]
    most = cast(NEVER, float64)
    for c in range(count):
        most = max(most, cast(lines[row, c], float64))
    sums = local(LANES, float64)
    for j in range(LANES):
        sums[j] = 0.0
    whole = count // LANES
    for k in range(whole):
        for j in range(LANES):
            sums[j] += loop.exp(cast(lines[row, k * LANES + j], float64) - most)
    total = cast(0.0, float64)
    for j in range(LANES):
        total += sums[j]
    for c in range(whole * LANES, count):
        total += loop.exp(cast(lines[row, c], float64) - most)
    norm[row] = most + loop.log(total)


@procedure
def _emitted(b, t, s, logits, norm, places):
    """How likely a frame has the class of a place."""
    return cast(logits[t, b, places[b, s]], float64) - norm[t, b]


@procedure
def _step_forward(b, t, before, now, logits, norm, places, jump, alpha):
    """The likelihood of all ways to each place at frame t: Graves et al. 2006, eq. 6."""
    for s in range(MARGIN):
        alpha[b, now, s] = NEVER
        alpha[b, now, places.shape[1] - 1 - s] = NEVER
    if t == 0:
        for s in range(MARGIN, places.shape[1] - MARGIN):
            alpha[b, now, s] = _emitted(b, t, s, logits, norm, places) if s < 4 else NEVER
    else:
        for s in range(MARGIN, places.shape[1] - MARGIN):
            stays, comes = alpha[b, before, s], alpha[b, before, s - 1]
            jumps = alpha[b, before, s - 2] + jump[b, s]
            alpha[b, now, s] = _any_of(stays, comes, jumps) + _emitted(
                b, t, s, logits, norm, places
            )


@procedure
def _likelihood(b, last, labels, alpha):
    """Of the labels: eq. 8; 0, for 1, where no path gives them."""
    end = MARGIN + 2 * labels
    total = either(alpha[b, last, end], alpha[b, last, end - 1])
    return cast(0.0, total) if loop.isnan(total) or loop.abs(total) >= math.inf else total


@procedure
def _lost(b, logits, sizes, norm, places, jump, alpha, out):
    frames = sizes[b, 0]
    for t in range(frames):
        _step_forward(b, t, (t + 1) % 2, t % 2, logits, norm, places, jump, alpha)
    found = cast(0.0, float64)
    if frames > 0:
        found = _likelihood(b, (frames - 1) % 2, sizes[b, 1], alpha)
    out[b, 0] = cast(0.0 - found, out)


def launch_loss(p: Launcher, x: Labelled) -> None:
    """Launch -log of the likelihood of labels into the first result, [B,1]."""
    frames, batch, _ = x.logits.shape
    alpha = p.scratch((batch, 2, x.width), float64)
    p.launch(_lost, batch, *x.of, alpha, p.results[0], work=20 * frames * batch * x.width)


def launch_slope(p: Launcher, x: Labelled, norm_by_times: bool) -> None:
    """Launch its gradient into the first result, [T,B,C]."""
    frames, batch, count = x.logits.shape
    alpha = p.scratch((batch, frames, x.width), float64)
    beta = p.scratch((batch, 2, x.width), float64)
    classes = p.scratch((batch, count), float64)
    p.launch(
        _sloped, batch, *x.of, alpha, beta, classes, p.results[0],
        work=50 * alpha.size + 8 * x.logits.size, norm_by_times=norm_by_times,
    )  # fmt: skip


@procedure
def _sloped(b, logits, sizes, norm, places, jump, alpha, beta, classes, out, *, norm_by_times):
    frames, labels = sizes[b, 0], sizes[b, 1]
    count, width = logits.shape[2], places.shape[1]
    for t in range(frames):
        _step_forward(b, t, max(t - 1, 0), t, logits, norm, places, jump, alpha)
    for t in range(frames, logits.shape[0]):
        for c in range(count):
            out[t, b, c] = cast(0.0, out)
    whole = cast(0.0, float64)
    if frames > 0:
        whole = _likelihood(b, frames - 1, labels, alpha)
    scale = 1.0 / cast(max(frames, 1), float64) if norm_by_times else 1.0
    for s in range(width):  # beta[0] is of the frame behind, with what that emits
        beta[b, 0, s] = NEVER
        beta[b, 1, s] = NEVER
    for t in range(frames - 1, -1, -1):
        _step_back(b, t, frames, labels, places, jump, beta)
        for c in range(count):
            classes[b, c] = 0.0
        is_reached = cast(False, bool_)
        for s in range(MARGIN, width - MARGIN):
            joint = alpha[b, t, s] + beta[b, 1, s] - whole
            is_reached = is_reached | (not loop.abs(joint) >= math.inf)
            classes[b, places[b, s]] += loop.exp(joint)
        for s in range(MARGIN, width - MARGIN):
            beta[b, 0, s] = beta[b, 1, s] + _emitted(b, t, s, logits, norm, places)
        for c in range(count):
            likely = loop.exp(cast(logits[t, b, c], float64) - norm[t, b])
            slope = (likely - classes[b, c]) * scale
            out[t, b, c] = cast(slope if is_reached else cast(0.0, slope), out)


@procedure
def _step_back(b, t, frames, labels, places, jump, beta):
    """The likelihood of all ways on from each place at frame t, without what that emits."""
    end = MARGIN + 2 * labels
    for s in range(MARGIN, places.shape[1] - MARGIN):
        going = _any_of(beta[b, 0, s], beta[b, 0, s + 1], beta[b, 0, s + 2] + jump[b, s + 2])
        is_end = (s == end) | (s == end - 1)
        last = cast(0.0, float64) if is_end else cast(NEVER, float64)
        beta[b, 1, s] = last if t == frames - 1 else going
