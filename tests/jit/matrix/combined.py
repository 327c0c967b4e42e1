"""Constructs in combination, as small programs of users."""

from __future__ import annotations

import twinoar as paddle
from tests.jit.matrix.case import case, case_of_new, given, number
from twinoar import nn
from twinoar.nn import functional

SEQUENCES = (
    [[1.0, 2.0], [3.0, -4.0], [0.5, 0.5]],
    [[-1.0, 0.0], [0.0, 0.0], [2.0, 2.0]],
    [[1.0, 1.0]],
)


def softmax_by_hand(x):
    largest = x.max(axis=-1, keepdim=True)
    e = (x - largest).exp()
    return e / e.sum(axis=-1, keepdim=True)


@case(*SEQUENCES)
def attention_by_hand(x):
    scores = x @ x.t() / x.shape[1] ** 0.5
    n = x.shape[0]
    if n > 1:
        scores = scores + paddle.triu(paddle.full([n, n], -1e4), 1)
    return softmax_by_hand(scores) @ x


@case(given([0.0, 0.0, 1.0], number(5)), given([1.0, 0.0, 0.0], number(2)))
def state_machine(x, n):
    state, out = 0, x
    for step in range(n):
        if state == 0:
            out = out + x
            state = 1
        elif state == 1:
            out = out * 2
            state = 2 if out.sum() > 6 else 0
        else:
            out = out - step
            state = 0
    return out * (state + 1)


@case([0.3, 0.7], [5.0, 5.0])
def gradient_descent_inside(x):
    w = paddle.zeros([2])
    rate = 0.3
    for _ in range(5):
        error = w - x
        if error.abs().max() < 1e-2:
            rate = rate / 2
        w = w - rate * 2 * error
    return w


@case_of_new([[1.0, 2.0]], [[-2.0, 0.0]], fixed=True)
class AdaptiveComputation(nn.Layer):
    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(2, 2)
        self.halt = nn.Linear(2, 1)

    def forward(self, x):
        total = paddle.zeros([1, 1])
        out = paddle.zeros_like(x)
        steps = 0
        while total.max() < 1 and steps < 6:
            x = paddle.tanh(self.cell(x))
            p = functional.sigmoid(self.halt(x))
            out = out + p * x
            total = total + p
            steps += 1
        return out, total


@case(given([[1.0, 2.0]], "sum"), given([[1.0, 2.0]], "mean"), given([[1.0, 2.0]], "none"))
def loss_with_reduction(x, reduction):
    loss = (x - 1) ** 2
    if reduction == "sum":
        return loss.sum()
    if reduction == "mean":
        return loss.mean()
    return loss


@case([1.0, 10.0, 100.0], [1.0, 0.1, 0.01])
def clip_by_norm(x):
    norm = (x * x).sum().sqrt()
    limit = 5.0
    return x * (limit / norm) if norm > limit else x
