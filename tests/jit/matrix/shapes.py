"""x.shape[i] and what is computed from it, also where a size is known only when it runs."""

import twinoar as paddle
from tests.jit.matrix.case import case, given

BATCHES = ([[1.0, 2.0], [3.0, 4.0]], [[1.0, -2.0]], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
IMAGES = ([[[1.0, 2.0], [3.0, 4.0]]], [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]])


@case(*BATCHES)
def flatten_by_arithmetic(x):
    return x.reshape([x.shape[0] * x.shape[1]])


@case(*BATCHES)
def reshape_with_minus_one(x):
    return x.reshape([x.shape[0], -1, 1]), x.reshape([-1])


@case(*IMAGES)
def unpacked_shape(x):
    n, h, w = x.shape
    return x.reshape([n, h * w]).transpose([1, 0]).reshape([h, w, n])


@case(*BATCHES)
def division_by_a_size(x):
    return x.sum() / (x.shape[0] * x.shape[1])


@case(*BATCHES)
def size_in_a_test(x):
    if x.shape[0] > 1:
        y = x * 2
    else:
        y = x - 1
    return y


@case(*BATCHES)
def size_and_tensor_in_a_test(x):
    if x.shape[0] == 2 and x.sum() > 0:
        x = x + 1
    return x


@case(*BATCHES)
def half_the_rows(x):
    half = (x.shape[0] + 1) // 2
    return x[:half] * 2, x[half:]


@case(*BATCHES)
def mask_of_a_size(x):
    n = x.shape[0]
    mask = paddle.tril(paddle.ones([n, n]))
    return paddle.matmul(mask, x)


@case(*BATCHES)
def expand_and_tile(x):
    n = x.shape[0]
    row = paddle.to_tensor([[1.0, 2.0]])
    return row.expand([n, 2]) * x + paddle.tile(row, [n, 1])


@case(*BATCHES)
def shape_as_a_tensor(x):
    shape = paddle.shape(x)
    return x * shape[0].astype("float32") + shape[1]


@case(*BATCHES)
def broadcast_to_the_shape_of_another(x):
    bias = paddle.to_tensor([5.0])
    return paddle.broadcast_to(bias, x.shape) + x


@case(*IMAGES)
def heads_split_and_joined(x):
    n, t, d = x.shape
    heads = 2
    q = x.reshape([n, t, heads, d // heads]).transpose([0, 2, 1, 3])
    q = q * 2
    return q.transpose([0, 2, 1, 3]).reshape([n, t, d])


@case(*BATCHES)
def number_of_elements(x):
    return x / x.numel().astype("float32") + x.size + x.ndim


@case(given([[1.0], [2.0]], [[1.0, 2.0], [3.0, 4.0]]), given([[1.0]], [[1.0, 2.0]]))
def sizes_of_two_tensors(x, y):
    if x.shape[0] == y.shape[0]:
        return paddle.concat([x, y], axis=1)
    return y


@case(*BATCHES)
def loop_over_a_size(x):
    total = paddle.zeros([2])
    for i in range(x.shape[0] - 1):
        total = total + x[i] * x[i + 1]
    return total


@case(*BATCHES)
def while_over_a_size(x):
    i = 0
    total = paddle.zeros([2])
    while i < x.shape[0]:
        total = total + x[i]
        i = i + 2
    return total


@case([1.0, 2.0, 3.0], [1.0, -2.0, -3.0, 4.0])
def sizes_that_data_decides(x):
    kept = x[x > 0]
    if kept.shape[0] > 2:
        return kept.sum()
    return kept.sum() * 10 + kept.shape[0]
