"""`while`."""

import twinoar as paddle
from tests.jit.matrix.case import case, given, number

ITERATIONS = ([200.0, 1.0], [60.0, 0.0], [1.0, 2.0])  # none, one, many


@case(*ITERATIONS)
def until_large(x):
    while x.sum() < 100:
        x = x * 2 + 1
    return x


@case(given([1.0], number(0)), given([1.0], number(1)), given([1.0], number(5)))
def counted_by_a_tensor(x, n):
    i = paddle.zeros([], dtype="int64")
    while i < n:
        x = x * 2 + i.astype("float32")
        i = i + 1
    return x


@case(given([1.0], number(0)), given([1.0], number(1)), given([1.0], number(5)))
def counted_by_an_int(x, n):
    i = 0
    while i < n:
        x = x + i
        i += 1
    return x * i


@case(*ITERATIONS)
def int_carried_beside_a_tensor(x):
    steps = 0
    while x.sum() < 100:
        x = x * 3 + 1
        steps = steps + 1
    return x + steps


@case([1.0], [10.0], [0.5])
def static_iteration_count(x):
    i = 0
    while i < 4:
        x = x * 1.5
        i += 1
    return x + i


@case(given([1.0], number(3)), given([4.0], number(1)), given([4.0], number(0)))
def two_states(x, n):
    a, b = x, x + 1
    while n > 0:
        a, b = b, a + b
        n = n - 1
    return a, b


@case([1.0, 2.0], [100.0, 2.0], [-5.0, 1.0])
def branch_inside(x):
    total = paddle.zeros([2])
    while total.max() < 10:
        if x.sum() > 0:
            total = total + 3
        else:
            total = total + 1
        x = x - 1
    return total, x


@case(*ITERATIONS)
def loop_inside_a_branch(x):
    if x.max() < 100:
        while x.sum() < 100:
            x = x * 2 + 1
    else:
        x = x / 2
    return x


@case(given([1.0], number(2), number(3)), given([1.0], number(0), number(3)),
      given([1.0], number(2), number(0)))  # fmt: skip
def nested(x, n, m):
    i = 0
    while i < n:
        j = 0
        while j < m:
            x = x + i * j + 1
            j = j + 1
        i = i + 1
    return x


@case(given([1.0], number(2)), given([1.0], number(4)))
def static_loop_inside(x, n):
    while n > 0:
        for k in range(3):
            x = x * 1.1 + k
        n = n - 1
    return x


@case(given([2.0], number(1)), given([2.0], number(3)))
def temporary_in_the_body(x, n):
    while n > 0:
        half = x / 2
        x = x + half * half
        n = n - 1
    return x


@case(given([2.0], number(1)), given([2.0], number(3)))
def temporary_read_after(x, n):
    half = x
    while n > 0:
        half = x / 2
        x = x + half * half
        n = n - 1
    return x + half


@case(*ITERATIONS)
def test_of_and(x):
    n = 0
    while x.sum() < 100 and n < 3:
        x = x * 2 + 1
        n += 1
    return x


@case(*ITERATIONS)
def test_of_not_or(x):
    while not (x.sum() > 100 or x.max() > 50):
        x = x * 3
    return x


@case(*ITERATIONS)
def while_else(x):
    while x.sum() < 100:
        x = x * 2 + 1
    else:
        x = x + 1000
    return x


@case(given([1.0], [6.0]), given([10.0], [4.0]), given([3.0], [3.0]))
def greatest_common_divisor(x, y):
    while y > 0:
        x, y = y, x % y
    return x


@case([27.0], [1.0], [6.0])
def collatz(x):
    count = 0
    while x > 1:
        if x % 2 == 0:
            x = x / 2
        else:
            x = 3 * x + 1
        count += 1
    return x + count


@case([2.0], [9.0], [100.0])
def newton_square_root(x):
    guess = x
    while (guess * guess - x).abs() > 1e-3 * x:
        guess = (guess + x / guess) / 2
    return guess


@case([[1.0, 2.0], [3.0, 4.0]], [[0.5, 0.1], [0.1, 0.5]], fixed=True)
def power_iteration(m):
    v = paddle.ones([2, 1])
    change = paddle.ones([])
    while change > 1e-3:
        new = paddle.matmul(m, v)
        new = new / (new * new).sum().sqrt()
        change = (new - v).abs().max()
        v = new
    return v


@case(given([1.0, 2.0], 3), given([1.0, 2.0], 0))
def plain_while_around_a_tensor_branch(x, n):
    while n:
        if x.sum() > 5:
            x = x - 2
        else:
            x = x * 2
        n -= 1
    return x


@case([1.0], [3.0])
def bool_flag_carried(x):
    going = True
    while going:
        x = x * 2
        going = x < 20
    return x


@case([1.0], [30.0])
def plain_bool_set_in_a_branch(x):
    done = False
    while not done:
        x = x + 7
        if x > 20:
            done = True
    return x


@case(given([1.0], number(2)), given([1.0], number(0)))
def counter_of_other_dtype(x, n):
    i = paddle.to_tensor(0.0)
    while i < n:
        x = x + i
        i = i + 1
    return x + i
