"""Slices and items read and set, with plain and tensor indices."""

import twinoar as paddle
from tests.jit.matrix.case import case, given, number

ROWS = ([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[-1.0, 2.0], [-3.0, 4.0], [0.0, 0.0]])
AT = (given([1.0, 2.0, 3.0], number(0)), given([1.0, 2.0, 3.0], number(2)))
PICKS = (given([1.0, 2.0, 3.0], [2, 0]), given([1.0, 2.0, 3.0], [1, 1]))


@case(*ROWS)
def plain_slices(x):
    return x[1:, 0] + x[:-1, -1] * 2, x[::2], x[..., 1], x[None, 0]


@case(*AT)
def item_at_a_tensor(x, i):
    return x[i] * 2 + x[i - 1]


@case(*PICKS)
def gather_by_index(x, i):
    return x[i] + paddle.gather(x, i)


@case(*ROWS)
def set_item(x):
    y = x * 1
    y[0] = 7.0
    y[1, 1] = x[2, 0] * 2
    y[:, 0] = y[:, 1] + 1
    return y


@case(*AT)
def set_item_at_a_tensor(x, i):
    y = x * 1
    y[i] = 10.0
    return y


@case(*PICKS)
def set_items_at_indices(x, i):
    y = x * 2
    y[i] = 0.5
    return y


@case(*ROWS)
def set_where_a_mask_says(x):
    y = x * 1
    y[x > 2] = 0.0
    return y


@case(*ROWS)
def set_item_in_a_branch(x):
    y = x * 1
    if x.sum() > 5:
        y[0] = 9.0
    else:
        y[:, 1] = x[:, 0]
    return y


@case(given([1.0, 2.0, 3.0], number(3)), given([1.0, 2.0, 3.0], number(1)))
def set_item_in_a_tensor_loop(x, n):
    y = paddle.zeros([3])
    for i in range(n):
        y[i] = x[i] * (i + 1)
    return y


@case(*ROWS)
def set_item_in_a_static_loop(x):
    y = paddle.zeros([3, 2])
    for i in range(3):
        y[i] = x[2 - i] * 2
    return y


@case(*ROWS)
def augmented_item(x):
    y = x * 1
    y[0] += 5
    y[:, 1] *= x[:, 0]
    y[1:] -= 1
    return y


@case(*ROWS)
def where_and_nonzero(x):
    y = paddle.where(x > 2, x, -x)
    found = paddle.nonzero(x > 2)
    return y, found


@case(*ROWS)
def take_the_best_row(x):
    best = x.sum(axis=1).argmax()
    return x[best], x[best, 1]


@case(*ROWS)
def running_maximum(x):
    out = paddle.zeros([3])
    best = x[0, 0]
    for i in range(3):
        if x[i, 0] > best:
            best = x[i, 0]
        out[i] = best
    return out


@case(*ROWS)
def handle_of_an_old_value(x):
    y = x * 1
    before = y
    y = y + 1
    y[0] = 0.0
    return y - before


@case(*ROWS)
def slices_by_names(x):
    start, stop = 1, x.shape[0]
    rows = slice(start, stop)
    return x[rows, start - 1 : stop] * 2


@case(given([1.0, 2.0, 3.0, 4.0], number(2)), given([1.0, 2.0, 3.0, 4.0], number(1)))
def bubble_sort(x, n):
    y = -x
    for i in range(3):
        for j in range(3 - i):
            if y[j] > y[j + 1]:
                low, high = y[j + 1], y[j]
                y[j] = low
                y[j + 1] = high
    return y * n
