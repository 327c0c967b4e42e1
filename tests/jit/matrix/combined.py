"""Constructs in combination, as small programs of users."""

import twinoar as paddle
from tests.jit.matrix.case import case, case_of_new, given, number
from twinoar import nn
from twinoar.nn import functional

SEQUENCES = (
    [[1.0, 2.0], [3.0, -4.0], [0.5, 0.5]],
    [[-1.0, 0.0], [0.0, 0.0], [2.0, 2.0]],
    [[1.0, 1.0]],
)


@case(*SEQUENCES)
def cumulative_with_reset(x):
    total = paddle.zeros([2])
    outs = []
    for row in x:
        total = total + row
        if total.sum() > 3:
            total = paddle.zeros([2])
        outs.append(total)
    return paddle.stack(outs)


@case(*SEQUENCES)
def first_row_that_fits(x):
    for i in range(x.shape[0]):
        row = x[i]
        if row.sum() > 0.5 and row.min() > 0:
            return row * (i + 1)
    return x[0] * 0


@case(given([4.0], number(10)), given([0.1], number(3)))
def halve_until_small(x, limit):
    steps = 0
    history = []
    while x > 0.5:
        x = x / 2
        steps += 1
        history.append(x)
        if steps >= limit:
            break
    if steps == 0:
        return x, x * 0
    return x, x * steps + len(history)


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


@case([1.0, 2.0, 3.0, 4.0], [4.0, 1.0, 1.0, 1.0])
def stable_rank_of_the_first(x):
    rank = 0
    for value in x[1:]:
        if value > x[0]:
            rank += 1
        elif value == x[0]:
            continue
    return x * rank


@case([[1.0, 2.0], [0.5, 1.0]], [[-3.0, 1.0], [2.0, -2.0]])
def fixed_point_with_two_exits(x):
    y = x
    for i in range(6):
        new = paddle.tanh(y) * 0.5 + x * 0.1
        if (new - y).abs().max() < 0.05:
            return new, new * i
        if new.max() > 10:
            break
        y = new
    return y, y * 0


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


@case_of_new(*SEQUENCES)
class Recurrent(nn.Layer):
    def __init__(self):
        super().__init__()
        self.input, self.state = nn.Linear(2, 3), nn.Linear(3, 3)
        self.steps_kept = 2

    def step(self, x, h, *, gate=None):
        h = paddle.tanh(self.input(x) + self.state(h))
        return h if gate is None else h * gate

    def forward(self, x, h=None):
        if h is None:
            h = paddle.zeros([1, 3])
        outputs = []
        for row in x:
            h = self.step(row.unsqueeze(0), h)
            if h.max() > 0.9:
                h = self.step(row.unsqueeze(0), h, gate=0.5)
            outputs.append(h)
        return paddle.concat(outputs), h


@case_of_new([[1.0, 2.0]], [[-2.0, 0.0], [1.0, 1.0]])
class ExitsEarly(nn.Layer):
    def __init__(self):
        super().__init__()
        self.blocks = nn.LayerList([nn.Linear(2, 2) for _ in range(3)])
        self.heads = nn.LayerList([nn.Linear(2, 3) for _ in range(3)])

    def forward(self, x):
        for block, head in zip(self.blocks, self.heads, strict=True):
            x = functional.relu(block(x))
            logits = head(x)
            if functional.softmax(logits).max() > 0.5:
                return logits
        return logits


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


@case([[1.0, 5.0], [2.0, 1.0], [0.0, 3.0]], [[0.0, 1.0], [9.0, 1.0], [3.0, 3.0]])
def greedy_choice_without_repetition(x):
    taken = paddle.zeros([2])
    total = paddle.zeros([])
    for i in range(3):
        scores = x[i] - taken * 100
        best = scores.argmax()
        total = total + x[i][best]
        taken[best] = taken[best] + 1
        if taken.min() > 0:
            break
    return total, taken


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


@case([3.0, -1.0], [0.2, 0.1], fixed=True)
def piecewise_in_a_helper_in_a_loop(x):
    def huber(e, delta=1.0):
        if e.abs() < delta:
            return 0.5 * e * e
        return delta * (e.abs() - 0.5 * delta)

    return paddle.stack([huber(e) for e in x]).sum()
