"""Conditions and loops: graphs as operands of nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.eager.tensor import Tensor
from twinoar.errors import UnsupportedError
from twinoar.onnx import values
from twinoar.onnx.table import Body, Told, node


def _told(x: Any) -> Any:
    """A truth value, or None where a run decides it."""
    if isinstance(x, (np.ndarray, Tensor)):
        return bool(np.asarray(x if isinstance(x, np.ndarray) else x.numpy()).reshape(-1)[0])
    return None


@node("If")
def condition(cond: Any, *, then_branch: Body, else_branch: Body) -> Any:
    known = _told(cond)
    if known is not None:
        return tuple(then_branch() if known else else_branch())
    found = paddle.static.nn.cond(
        cond.reshape([]),
        lambda: [values.tensor(x) for x in then_branch()],
        lambda: [values.tensor(x) for x in else_branch()],
    )
    return tuple(found) if isinstance(found, (list, tuple)) else (found,)


@node("Loop")
def loop(trips: Told, cond: Told, *carried: Told, body: Body) -> Any:
    if len(body.outputs) == 1 + len(carried):
        # A Program has loops, but none that collects: that one is taken apart if its end is known.
        trips, cond, *carried = (values.tensor(x) for x in (trips, cond, *carried))  # type: ignore[assignment]
    count, goes_on = _number(trips), True if cond is None else _told(cond)
    if (trips is None or count is not None) and goes_on is not None:
        found = _run_loop(count, goes_on, list(carried), body)
        if found is not None:
            return found
    return _recorded_loop(trips, cond, list(carried), body)


def _number(x: Any) -> int | None:
    if isinstance(x, Tensor):
        x = x.numpy()
    return int(x.reshape(-1)[0]) if isinstance(x, np.ndarray) else None


def _run_loop(count: int | None, goes_on: bool, carried: list, body: Any) -> tuple | None:
    """The loop step by step; None where a run decides how long it goes on."""
    scanned: list[list] = [[] for _ in body.outputs[1 + len(carried) :]]
    n = 0
    while goes_on and (count is None or n < count):
        following, *new = body(np.asarray(n, "int64"), np.asarray(True), *carried)
        told = _told(following)
        if told is None:
            return None
        carried, parts = new[: len(carried)], new[len(carried) :]
        for kept, part in zip(scanned, parts, strict=True):
            kept.append(values.tensor(part))
        n, goes_on = n + 1, told
    return *carried, *(
        _stacked(kept, v) for kept, v in zip(scanned, body.outputs[1 + len(carried) :], strict=True)
    )


def _stacked(parts: list, told: Any) -> Any:
    if parts:
        return paddle.stack(parts)
    sizes = [d if isinstance(d, int) else 0 for d in told.shape or []]
    return paddle.zeros([0, *sizes], values.HELD.get(told.dtype.name, told.dtype.name))


def _recorded_loop(trips: Any, cond: Any, carried: list, body: Any) -> tuple:
    if len(body.outputs) > 1 + len(carried):
        raise UnsupportedError(
            "a loop that collects results, and whose length a run decides",
            cure="run the model eagerly",
        )
    last = None if trips is None else values.tensor(trips).reshape([]).astype("int64")
    first = paddle.full([], True, "bool") if cond is None else values.tensor(cond).reshape([])
    start = paddle.zeros([], "int64")

    def goes_on(n: Any, told: Any, *state: Any) -> Any:
        return told if last is None else paddle.logical_and(told, n < last)

    def step(n: Any, told: Any, *state: Any) -> list:
        following, *new = (values.tensor(x) for x in body(n, told, *state))
        return [n + 1, following.reshape([]), *new]

    state = [values.tensor(x) for x in carried]
    found = paddle.static.nn.while_loop(goes_on, step, [start, first, *state])
    return tuple(found[2:])


@node("Scan", since=9)
def scan(
    *x: Any,
    body: Body,
    num_scan_inputs: int,
    scan_input_axes: list | None = None,
    scan_input_directions: list | None = None,
    scan_output_axes: list | None = None,
    scan_output_directions: list | None = None,
) -> Any:
    count = len(x) - num_scan_inputs
    state, given = list(x[:count]), x[count:]
    outputs = len(body.outputs) - count
    axes = scan_input_axes or [0] * num_scan_inputs
    backward = scan_input_directions or [0] * num_scan_inputs
    steps = given[0].shape[axes[0]]
    if not isinstance(steps, int):
        raise UnsupportedError(
            "a scan over a number of steps that a run decides", cure="give the sizes as numbers"
        )
    parts: list[list] = [[] for _ in range(outputs)]
    for n in range(steps):
        now = [
            paddle.slice(g, [a], [m], [m + 1]).squeeze(a)
            for g, a, m in (
                (g, a % len(g.shape), steps - 1 - n if b else n)
                for g, a, b in zip(given, axes, backward, strict=True)
            )
        ]
        new = body(*state, *now)
        state = new[:count]
        for kept, part in zip(parts, new[count:], strict=True):
            kept.append(values.tensor(part))
    out_axes = scan_output_axes or [0] * outputs
    reversed_ = scan_output_directions or [0] * outputs
    collected = [
        paddle.stack(kept[::-1] if b else kept, a)
        for kept, a, b in zip(parts, out_axes, reversed_, strict=True)
    ]
    return *state, *collected


@node("Scan", since=8)
def scan_of_batches(
    lengths: Any, *x: Any, body: Body, num_scan_inputs: int, directions: list | None = None
) -> Any:
    if lengths is not None:
        raise UnsupportedError("Scan of opset 8 with lengths of sequences", cure="use opset 9")
    found = [
        scan(
            *(v[n] for v in x),
            body=body,
            num_scan_inputs=num_scan_inputs,
            scan_input_directions=directions,
        )
        for n in range(x[0].shape[0])
    ]
    return tuple(paddle.stack([values.tensor(f[k]) for f in found]) for k in range(len(found[0])))
