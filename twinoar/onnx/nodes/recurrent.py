"""Recurrent networks: steps over time.

Source: https://github.com/onnx/onnx/blob/main/docs/Operators.md#LSTM
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import twinoar as paddle
from twinoar.errors import UnsupportedError
from twinoar.nn import functional as F
from twinoar.onnx.table import node

Step = Callable[..., tuple]
FUNCTIONS: dict[str, Callable[[Any, float | None, float | None], Any]] = {
    "Sigmoid": lambda x, a, b: F.sigmoid(x),
    "Tanh": lambda x, a, b: paddle.tanh(x),
    "Relu": lambda x, a, b: F.relu(x),
    "Softsign": lambda x, a, b: F.softsign(x),
    "Softplus": lambda x, a, b: F.softplus(x),
    "Affine": lambda x, a, b: x * (1.0 if a is None else a) + (b or 0.0),
    "LeakyRelu": lambda x, a, b: F.leaky_relu(x, 0.01 if a is None else a),
    "ThresholdedRelu": lambda x, a, b: F.thresholded_relu(x, 1.0 if a is None else a),
    "ScaledTanh": lambda x, a, b: (1.0 if a is None else a)
    * paddle.tanh(x * (1.0 if b is None else b)),
    "HardSigmoid": lambda x, a, b: paddle.clip(
        x * (0.2 if a is None else a) + (0.5 if b is None else b), 0.0, 1.0
    ),
    "Elu": lambda x, a, b: F.elu(x, 1.0 if a is None else a),
}


def _functions(
    names: list[str] | None,
    alphas: list | None,
    betas: list | None,
    usual: list[str],
    directions: int,
) -> list[list[Callable]]:
    """The activations of each direction."""
    names = names or usual * directions
    alphas, betas = list(alphas or []), list(betas or [])
    found = []
    for n, name in enumerate(names):
        function = {k.lower(): f for k, f in FUNCTIONS.items()}.get(name.lower())
        if function is None:
            raise UnsupportedError(f"the activation {name} is not known")
        a = alphas[n] if n < len(alphas) else None
        b = betas[n] if n < len(betas) else None
        found.append(lambda x, f=function, a=a, b=b: f(x, a, b))
    count = len(usual)
    return [found[d * count : (d + 1) * count] for d in range(directions)]


def _over_time(
    x: Any,
    lengths: Any,
    direction: str,
    layout: int,
    initial: list[Any],
    hidden: int,
    make_step: Callable[[int], Step],
) -> tuple:
    """All states over time, and the last ones. x: [time, batch, features], or batch first."""
    if layout:
        x = x.transpose([1, 0, 2])
        initial = [None if s is None else s.transpose([1, 0, 2]) for s in initial]
    steps, batch = x.shape[:2]
    if not isinstance(steps, int):
        raise UnsupportedError(
            "a recurrent network over a number of steps that a run decides",
            cure="give the number of steps in input_spec",
        )
    directions = 2 if direction == "bidirectional" else 1
    ys, lasts = [], []
    for d in range(directions):
        is_back = direction == "reverse" or d == 1
        step = make_step(d)
        states = tuple(
            paddle.zeros([batch, hidden], x.dtype) if s is None else s[d] for s in initial
        )
        outputs: list[Any] = [None] * steps
        for t in reversed(range(steps)) if is_back else range(steps):
            new = step(x[t], *states)
            if lengths is not None:
                runs = (lengths > t).reshape([-1, 1])
                outputs[t] = paddle.where(runs, new[0], paddle.zeros_like(new[0]))
                new = tuple(paddle.where(runs, a, b) for a, b in zip(new, states, strict=True))
            else:
                outputs[t] = new[0]
            states = new
        ys.append(paddle.stack(outputs))
        lasts.append(states)
    y = paddle.stack(ys, 1)  # [time, directions, batch, hidden]
    last = [paddle.stack([s[n] for s in lasts]) for n in range(len(initial))]
    if layout:
        return y.transpose([2, 0, 1, 3]), *(s.transpose([1, 0, 2]) for s in last)
    return y, *last


def _clipped(x: Any, limit: float | None) -> Any:
    return x if limit is None else paddle.clip(x, -limit, limit)


@node("RNN")
def rnn(
    x: Any,
    w: Any,
    r: Any,
    b: Any = None,
    lengths: Any = None,
    initial_h: Any = None,
    *,
    hidden_size: int | None = None,
    direction: str = "forward",
    layout: int = 0,
    activations: list | None = None,
    activation_alpha: list | None = None,
    activation_beta: list | None = None,
    clip: float | None = None,
    output_sequence: int = 0,
) -> Any:
    functions = _functions(activations, activation_alpha, activation_beta, ["Tanh"], w.shape[0])

    def make_step(d: int) -> Step:
        hidden = r.shape[2]
        bias = 0.0 if b is None else b[d][:hidden] + b[d][hidden:]
        (f,) = functions[d]

        def step(x: Any, h: Any) -> tuple:
            z = paddle.matmul(x, w[d], transpose_y=True) + paddle.matmul(h, r[d], transpose_y=True)
            return (f(_clipped(z + bias, clip)),)

        return step

    return _over_time(x, lengths, direction, layout, [initial_h], r.shape[2], make_step)


@node("GRU")
def gru(
    x: Any,
    w: Any,
    r: Any,
    b: Any = None,
    lengths: Any = None,
    initial_h: Any = None,
    *,
    hidden_size: int | None = None,
    direction: str = "forward",
    layout: int = 0,
    linear_before_reset: int = 0,
    activations: list | None = None,
    activation_alpha: list | None = None,
    activation_beta: list | None = None,
    clip: float | None = None,
    output_sequence: int = 0,
) -> Any:
    usual = ["Sigmoid", "Tanh"]
    functions = _functions(activations, activation_alpha, activation_beta, usual, w.shape[0])
    hidden = r.shape[2]

    def make_step(d: int) -> Step:
        f, g = functions[d]
        bias = paddle.zeros([6 * hidden], x.dtype) if b is None else b[d]
        of_x, of_h = paddle.split(bias, 2)
        gates = of_x[: 2 * hidden] + of_h[: 2 * hidden]

        def step(x: Any, h: Any) -> tuple:
            at_x = paddle.matmul(x, w[d], transpose_y=True)
            at_h = paddle.matmul(h, r[d][: 2 * hidden], transpose_y=True)
            z, reset = paddle.split(f(_clipped(at_x[:, : 2 * hidden] + at_h + gates, clip)), 2, 1)
            rows = r[d][2 * hidden :]
            if linear_before_reset:
                part = reset * (paddle.matmul(h, rows, transpose_y=True) + of_h[2 * hidden :])
            else:
                part = paddle.matmul(reset * h, rows, transpose_y=True) + of_h[2 * hidden :]
            new = g(_clipped(at_x[:, 2 * hidden :] + part + of_x[2 * hidden :], clip))
            return ((1.0 - z) * new + z * h,)

        return step

    return _over_time(x, lengths, direction, layout, [initial_h], hidden, make_step)


@node("LSTM")
def lstm(
    x: Any,
    w: Any,
    r: Any,
    b: Any = None,
    lengths: Any = None,
    initial_h: Any = None,
    initial_c: Any = None,
    p: Any = None,
    *,
    hidden_size: int | None = None,
    direction: str = "forward",
    layout: int = 0,
    input_forget: int = 0,
    activations: list | None = None,
    activation_alpha: list | None = None,
    activation_beta: list | None = None,
    clip: float | None = None,
    output_sequence: int = 0,
) -> Any:
    usual = ["Sigmoid", "Tanh", "Tanh"]
    functions = _functions(activations, activation_alpha, activation_beta, usual, w.shape[0])
    hidden = r.shape[2]

    def make_step(d: int) -> Step:
        f, g, last = functions[d]
        bias = 0.0 if b is None else b[d][: 4 * hidden] + b[d][4 * hidden :]
        peep_i, peep_o, peep_f = paddle.split(p[d], 3) if p is not None else (0.0, 0.0, 0.0)

        def step(x: Any, h: Any, c: Any) -> tuple:
            z = paddle.matmul(x, w[d], transpose_y=True) + paddle.matmul(h, r[d], transpose_y=True)
            i, o, forget, new = paddle.split(z + bias, 4, 1)
            i = f(_clipped(i + peep_i * c, clip))
            forget = 1.0 - i if input_forget else f(_clipped(forget + peep_f * c, clip))
            c = forget * c + i * g(_clipped(new, clip))
            o = f(_clipped(o + peep_o * c, clip))
            return o * last(c), c

        return step

    states = [initial_h, initial_c]
    return _over_time(x, lengths, direction, layout, states, hidden, make_step)
