"""The forms of values that run along an axis: each step of a Scan knows what came before it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from twinoar.core.dtype import DType, int64
from twinoar.core.spec import Spec
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, form

Step = Callable[[list[str], list[str]], tuple[list[str], list[str]]]
INT64 = schema.CODE_OF_DTYPE["int64"]


class Scan:
    """A Scan in the making: what is carried, what is read at each step, and what each step gives.

    axis: of what is read and given. backwards: from the last step to the first one.
    """

    def __init__(self, call: Call, axis: int = 0, backwards: bool = False):
        self.call, self.axis, self.backwards = call, axis, backwards
        self.carried: list[tuple[str, Spec]] = []
        self.read: list[tuple[str, Spec, int]] = []
        self.given: list[tuple[Spec, int]] = []

    def carries(self, first: str, spec: Spec) -> None:
        """One more value that a step passes on to the next."""
        self.carried.append((first, spec))

    def reads(self, x: str, spec: Spec, axis: int | None = None) -> None:
        """One more value that is read in slices of this spec."""
        self.read.append((x, spec, self.axis if axis is None else axis))

    def gives(self, spec: Spec, axis: int | None = None) -> None:
        """One more slice that each step gives."""
        self.given.append((spec, self.axis if axis is None else axis))

    def written(self, step: Step) -> list[str]:
        """Write it. step: the carried values and the slices -> what is carried on, and is given.

        Returns what was carried last, then what was given.
        """
        call = self.call
        with call.writer.nested("step") as inner:
            carried = [call.writer.argument("before", spec) for _, spec in self.carried]
            slices = [call.writer.argument("now", spec) for _, spec, _ in self.read]
            after, given = step(carried, slices)
            specs = [spec for _, spec in self.carried] + [spec for spec, _ in self.given]
            for name, spec in zip([*after, *given], specs, strict=True):
                call.writer.result(name, spec)
        results = [call.graph.name("scanned") for _ in (*self.carried, *self.given)]
        direction = int(self.backwards)
        call.graph.node(
            "Scan",
            [first for first, _ in self.carried] + [x for x, _, _ in self.read],
            results,
            body=inner.graph,
            num_scan_inputs=len(self.read),
            scan_input_axes=[axis for _, _, axis in self.read],
            scan_output_axes=[axis for _, axis in self.given] or None,
            scan_input_directions=[direction] * len(self.read),
            scan_output_directions=[direction] * len(self.given) or None,
        )
        return results


def without(spec: Spec, axis: int) -> Spec:
    """The spec of a slice."""
    return Spec((*spec.shape[:axis], *spec.shape[axis + 1 :]), spec.dtype)


def filled(call: Call, value: float, spec: Spec) -> str:
    """A tensor of one number."""
    number = call.graph.constant(value, spec.dtype)
    return call.node("Expand", [number, call.graph.shape(spec.shape)]) if spec.shape else number


def counting(call: Call, count: str) -> str:
    """The numbers below a count, which has shape [1]."""
    end = call.node("Reshape", [count, call.ints([])])
    return call.node("Range", [call.graph.constant(0), end, call.graph.constant(1)])


def extreme_of(dtype: DType, least: bool) -> float:
    """The number that is below, or above, all others."""
    if dtype.is_floating:
        return -math.inf if least else math.inf
    limits = np.iinfo(dtype.numpy)
    return int(limits.min if least else limits.max)


@form("cummax", "cummin")
def _(call: Call) -> None:
    axis, least = call.axis % call.rank, call.operator.op.name == "cummin"
    x, spec = call.x[0], call.specs[0]
    if 0 in spec.shape:
        call.gives_each([x, call.node("Cast", [x], to=INT64)])
        return
    part = without(spec, axis)
    scan = Scan(call, axis)
    scan.carries(filled(call, extreme_of(spec.dtype, not least), part), part)
    place = Spec(part.shape, int64)
    scan.carries(filled(call, 0, place), place)
    scan.reads(x, part)
    scan.reads(counting(call, call.graph.size(spec.shape[axis])), Spec((), int64), 0)
    scan.gives(part)
    scan.gives(place)

    def step(carried: list[str], now: list[str]) -> tuple[list[str], list[str]]:
        best, where = carried
        reaches = call.node("Less" if least else "Greater", [now[0], best])
        takes = call.node("Or", [reaches, call.node("Equal", [now[0], best])])
        if spec.dtype.is_floating:  # nan stays, and is the last one where there are several
            is_nan = call.node("Not", [call.node("Equal", [now[0], now[0]])])
            takes = call.node("Or", [takes, is_nan])
        after = [
            call.node("Where", [takes, new, old])
            for new, old in zip(now, (best, where), strict=True)
        ]
        return after, after

    call.gives_each(scan.written(step)[2:])


@form("logcumsumexp")
def _(call: Call) -> None:
    """log(exp(a) + exp(b)) = max(a, b) + log(1 + exp(-|a - b|))."""
    spec = call.out
    x = call.node("Cast", call.x, to=schema.CODE_OF_DTYPE[spec.dtype.name])
    if 0 in spec.shape:
        call.gives("Identity", [x])
        return
    axis = call.axis % call.rank
    part = without(spec, axis)
    zero, one = (call.graph.constant(n, spec.dtype) for n in (0.0, 1.0))
    scan = Scan(call, axis)
    scan.carries(filled(call, -math.inf, part), part)
    scan.reads(x, part)
    scan.gives(part)

    def step(carried: list[str], now: list[str]) -> tuple[list[str], list[str]]:
        pair = [*carried, *now]
        apart = call.node("Neg", [call.node("Abs", [call.node("Sub", pair)])])
        apart = call.node("Where", [call.node("Equal", pair), zero, apart])  # infinities too
        more = call.node("Log", [call.node("Add", [one, call.node("Exp", [apart])])])
        largest = call.node("Where", [call.node("Less", pair), *pair[::-1]])
        after = [call.node("Add", [largest, more])]
        return after, after

    call.gives("Identity", scan.written(step)[1:])


@form("gather_tree")
def _(call: Call) -> None:
    ids, parents = (call.node("Cast", [x], to=INT64) for x in call.x)
    part = without(Spec(call.out.shape, int64), 0)
    if 0 in call.out.shape:
        call.gives("Identity", call.x[:1])
        return
    beams = counting(call, call.graph.size(part.shape[1]))
    scan = Scan(call, backwards=True)
    scan.carries(call.node("Expand", [beams, call.graph.shape(part.shape)]), part)
    scan.reads(ids, part)
    scan.reads(parents, part)
    scan.gives(part)

    def step(carried: list[str], now: list[str]) -> tuple[list[str], list[str]]:
        own, before = (call.node("GatherElements", [x, carried[0]], axis=1) for x in now)
        return [before], [own]

    call.gives_each(scan.written(step)[1:])


@form("viterbi_paths")
def _(call: Call) -> None:
    """Forwards the best score of each tag and where it came from, backwards along these."""
    batch, steps, tags = call.specs[0].shape
    scores = Spec((batch, tags), call.specs[0].dtype)
    column, places = Spec((batch, 1), int64), Spec((batch, tags), int64)
    lengths = call.graph.with_axes("Unsqueeze", call.node("Cast", call.x[2:], to=INT64), [1], 13)
    at = counting(call, call.graph.size(steps))
    forwards = Scan(call, 1)
    forwards.carries(filled(call, 0.0, scores), scores)
    forwards.reads(call.x[0], scores)
    forwards.reads(at, Spec((), int64), 0)
    forwards.gives(places, 0)
    best, before = forwards.written(lambda carried, now: _reached(call, lengths, *carried, *now))
    last = call.node("ArgMax", [best], axis=1, keepdims=1)
    backwards = Scan(call, backwards=True)
    backwards.carries(last, column)
    backwards.reads(before, places)
    backwards.reads(at, Spec((), int64))
    backwards.gives(column, 1)

    def step(carried: list[str], now: list[str]) -> tuple[list[str], list[str]]:
        here = call.node("Less", [now[1], lengths])
        tag = call.node("Where", [here, carried[0], call.graph.constant(0)])
        earlier = call.node("GatherElements", [now[0], carried[0]], axis=1)
        return [call.node("Where", [here, earlier, carried[0]])], [tag]

    path = backwards.written(step)[1]
    score = call.graph.with_axes("ReduceMax", best, [1], 18, keepdims=0)
    path = call.graph.with_axes("Squeeze", path, [2], 13)
    call.gives_each([score, path])


def _reached(call: Call, lengths: str, best: str, own: str, at: str) -> tuple[list[str], list[str]]:
    """One step forwards: the scores of tags, and the tags before them."""
    tagged = call.include_bos_eos_tag
    transitions = call.x[1]
    begin, end = (
        call.node("Gather", [transitions, call.graph.constant(n)], axis=0) for n in (-1, -2)
    )
    ways = call.node("Add", [call.graph.with_axes("Unsqueeze", best, [2], 13), transitions])
    before = call.node("ArgMax", [ways], axis=1, keepdims=0)
    most = call.graph.with_axes("ReduceMax", ways, [1], 18, keepdims=0)
    going = call.node(
        "Where", [call.node("Less", [at, lengths]), call.node("Add", [most, own]), best]
    )
    is_first = call.node("Equal", [at, call.graph.constant(0)])
    start = call.node("Add", [own, begin]) if tagged else own
    after = call.node("Where", [is_first, start, going])
    if tagged:
        is_last = call.node("Equal", [at, call.node("Sub", [lengths, call.graph.constant(1)])])
        after = call.node("Where", [is_last, call.node("Add", [after, end]), after])
    return [after], [before]
