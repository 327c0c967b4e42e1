"""In-place operators and augmented assignment."""

import twinoar as paddle
from tests.jit.matrix.case import case, given, number

SIGNS = ([1.0, 2.0], [-1.0, -2.0])


@case(*SIGNS)
def augmented_assignment(x):
    y = x * 1
    y += 2
    y *= x
    y -= 1.5
    y /= 2
    y **= 2
    return y


@case(*SIGNS, fixed=True)
def in_place_methods(x):
    y = x * 1
    y.add_(paddle.ones([2]))
    y.scale_(3.0)
    y.clip_(-2.0, 5.0)
    y.tanh_()
    return y


@case(*SIGNS)
def in_place_in_a_branch(x):
    y = x + 0
    if x.sum() > 0:
        y.add_(x)
    else:
        y.subtract_(x * 2)
    return y * 2


@case(given([1.0, 2.0], number(2)), given([1.0, 2.0], number(0)))
def in_place_in_a_loop(x, n):
    y = x + 0
    while n > 0:
        y.add_(x)
        n = n - 1
    return y


@case(*SIGNS)
def augmented_in_a_branch_and_loop(x):
    y = x * 1
    for i in range(3):
        if y.sum() > 2:
            y -= i
        else:
            y += 2
    return y


@case(*SIGNS)
def in_place_keeps_what_was_read(x):
    y = x * 2
    z = y + 1
    y.add_(z)
    return y, z


@case(*SIGNS, fixed=True)
def in_place_through_another_name(x):
    y = x * 2
    z = y
    z.add_(paddle.ones([2]))
    return y


def change(x):
    x.add_(paddle.ones([2]))


@case(*SIGNS, fixed=True)
def in_place_in_a_function(x):
    y = x * 2
    change(y)
    if y.sum() > 0:
        change(y)
    return y


@case(*SIGNS)
def assign_and_increment(x):
    y = paddle.assign(x)
    step = paddle.zeros([1])
    paddle.increment(step, 2.0)
    if x.sum() > 0:
        paddle.increment(step)
    return y * step


@case(*SIGNS)
def fill_and_zero(x):
    y = x * 1
    z = paddle.zeros_like(y)
    z.fill_(3.0)
    if x.sum() > 0:
        z.zero_()
    return y + z
