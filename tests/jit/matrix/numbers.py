"""Numbers of tensors: int(t), float(t), bool(t), t.item()."""

from tests.jit.matrix.case import case, given, number

VALUES = ([1.5, 2.0, 3.0], [-1.5, -2.0, 9.0])
NUMBERS = (given([1.0, 2.0], number(0)), given([1.0, 2.0], number(3)))


@case(*VALUES)
def int_of_a_tensor(x):
    n = int(x.sum())
    return x * n


@case(*VALUES)
def float_of_a_tensor(x):
    k = float(x.max())
    return x * k + 1


@case(*VALUES)
def bool_of_a_tensor(x):
    if bool(x.sum() > 5):
        return x * 2
    return x - 1


@case(*VALUES)
def item(x):
    k = x.max().item()
    if k > 5:
        return x * 2
    return x * k


@case(*NUMBERS)
def int_keeps_the_dtype_of_what_it_meets(x, n):
    k = int(n)
    return x * k, x + k / 2, x + k // 2


@case(*NUMBERS)
def int_as_a_bound(x, n):
    for i in range(int(n)):
        x = x + i
    return x


@case(*NUMBERS)
def int_as_an_index(x, n):
    k = int(n) % 2
    return x[k] * 2


@case(*VALUES)
def arithmetic_of_numbers(x):
    low, high = float(x.min()), float(x.max())
    middle = (low + high) / 2
    if abs(middle) > 3:
        middle = middle - 3
    return x - middle


@case(*VALUES)
def cast_in_a_loop(x):
    count = 0
    while float(x.sum()) < 20:
        x = x + 2
        count += 1
    return x * int(count)


@case(*NUMBERS)
def plain_casts(x, n):
    return x * int("3") + float("1.5") + int(2.7) + bool(0) + n.astype("float32")


@case(*VALUES)
def argmax_as_an_index(x):
    best = x.argmax()
    return x[best] * 2 + x[int(x.argmin())]


@case(*NUMBERS)
def promotion_of_ints(x, n):
    total = n + 1
    y = total / 2
    return x * y, total // 2, total % 2, total**2, -n


@case(*VALUES)
def numbers_of_a_shape(x):
    n = x.shape[0]
    return x / n + float(n) + int(n / 2)


@case(*VALUES)
def mean_by_hand(x):
    total = 0.0
    count = 0
    for value in x:
        total = total + value
        count += 1
    return total / count


@case(*NUMBERS)
def bool_and_int_mix(x, n):
    is_zero = n == 0
    return x * int(is_zero) + float(is_zero) + x * (1 - is_zero.astype("float32"))
