"""`break`, `continue`, `return` in branches and loops, and `else` of loops."""

import twinoar as paddle
from tests.jit.matrix.case import case, given, number

SIGNS = ([1.0, 2.0], [-1.0, -2.0], [0.0, 0.0])
COUNTS = (given([1.0], number(0)), given([1.0], number(1)), given([1.0], number(9)))


@case(*SIGNS)
def early_return(x):
    if x.sum() > 0:
        return x
    return x * 2


@case(*SIGNS)
def return_on_both_sides(x):
    if x.sum() > 0:
        return x + 1
    else:
        return x - 1


@case([3.0], [1.0], [-1.0])
def several_early_returns(x):
    if x > 2:
        return x * 3
    x = x + 1
    if x > 1:
        return x * 2
    x = x + 1
    return x


@case([1.0], [7.0], [-2.0], [-20.0])
def return_at_any_depth(x):
    if x > 0:
        if x > 5:
            return x * 10
        y = x + 1
    else:
        if x < -10:
            return x / 10
        y = x - 1
    y = y * 2
    return y


@case([1.0], [7.0], [-2.0], [-20.0])
def born_beside_returns(x):
    if x > 0:
        if x > 5:
            return x * 10
        y = x + 1
    else:
        if x < -10:
            return x / 10
        y = x - 1
    return y


@case(*SIGNS)
def tuple_returned_early(x):
    if x.sum() > 0:
        return x, x.max()
    y = x * 2
    return y, y.min()


@case(*COUNTS)
def while_with_break(x, n):
    i = 0
    while i < n:
        x = x * 2
        if x > 10:
            break
        i += 1
    return x + i


@case(*COUNTS)
def while_true_with_break(x, n):
    while True:
        if n < 1:
            break
        x = x + n
        n = n - 2
    return x


@case(*COUNTS)
def while_with_continue(x, n):
    i = 0
    while i < n:
        i += 1
        if i % 2 == 0:
            continue
        x = x + i
    return x


@case(*COUNTS)
def break_and_continue(x, n):
    i = 0
    while i < n:
        i += 1
        if i == 2:
            continue
        if x > 15:
            break
        x = x + i
    return x, x * i


@case(*COUNTS)
def return_in_while(x, n):
    while n > 0:
        x = x * 3
        if x > 20:
            return x - 20
        n = n - 1
    return x


@case(*COUNTS)
def while_else_not_left(x, n):
    while n > 0:
        if x > 8:
            break
        x = x + n
        n = n - 1
    else:
        x = x * 100
    return x


@case([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [-1.0, 0.0, 0.0])
def for_range_with_tensor_break(x):
    total = paddle.zeros([])
    for i in range(3):
        if total > 4:
            break
        total = total + x[i]
    return total


@case([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [-1.0, 0.0, 0.0])
def for_range_with_tensor_continue(x):
    total = paddle.zeros([])
    for i in range(3):
        if x[i] < 2:
            continue
        total = total + x[i] * (i + 1)
    return total


@case(*COUNTS)
def for_tensor_range_with_break(x, n):
    for i in range(n):
        if x > 6:
            break
        x = x + i
    return x


@case(*COUNTS)
def for_tensor_range_with_continue(x, n):
    for i in range(n):
        if i == 1:
            continue
        x = x + i
    return x


@case([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [-1.0, 0.0, 0.0, 7.0])
def return_in_for_over_a_tensor(x):
    for item in x:
        if item > 2:
            return item * 10
    return x.sum()


@case([1.0, 2.0, 3.0, 4.0], [-4.0, 5.0, 6.0, 0.0])
def break_of_the_inner_loop(x):
    total = paddle.zeros([])
    for i in range(3):
        for j in range(4):
            if x[j] > i + 1:
                break
            total = total + x[j]
    return total


@case([1.0, 2.0, 3.0, 4.0], [-4.0, 5.0, 6.0, 0.0])
def return_out_of_two_loops(x):
    total = paddle.zeros([])
    for i in range(3):
        for j in range(4):
            total = total + x[j] * i
            if total > 8:
                return total
    return -total


@case(given([1.0, 2.0], 1), given([1.0, 2.0], 5))
def plain_break_and_continue(x, stop):
    for i in range(4):
        if i == stop:
            break
        if i % 2:
            continue
        x = x + i
    return x


@case([1.0], [5.0], [50.0])
def return_in_a_branch_in_a_loop_in_a_branch(x):
    if x < 20:
        k = 0
        while k < 4:
            if x > 10:
                return x, x - 10
            x = x * 2
            k += 1
        x = x + 0.5
    return x, -x


@case(*SIGNS)
def code_after_a_loop_that_returns(x):
    i = 0
    while i < 3:
        if x.sum() > 2:
            return x * 7
        x = x + 1
        i = i + 1
    y = x * 2
    if y.max() > 3:
        y = y - 3
    return y


@case([1.0], [4.0], [-1.0])
def jump_in_an_elif(x):
    i = 0
    while i < 5:
        i += 1
        if x > 6:
            x = x - 1
        elif x > 3:
            x = x + 5
            continue
        elif x < 0:
            break
        x = x + 1
    return x


@case([1.0, -1.0, 2.0], [-1.0, -1.0, -2.0])
def search_with_flag(x):
    found = False
    where = -1
    for i in range(3):
        if x[i] > 1:
            found = True
            where = i
            break
    if found:
        x = x * 2
    return x + where


@case([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [-1.0, 0.0, 0.0])
def for_else(x):
    for item in x:
        if item > 5:
            found = item
            break
    else:
        found = x.min()
    return found


@case([1.0, 2.0, 3.0], [-4.0, 5.0, 6.0], [30.0, 0.0, 0.0])
def born_in_an_endless_loop(x):
    while True:
        y = x * 2
        x = x + 1
        if x.sum() > 20:
            break
    return y


@case([1.0, 2.0, 3.0], [-4.0, 5.0, 6.0], [-9.0, 0.0, 0.0])
def while_else_that_returns(x):
    n = paddle.to_tensor(0)
    while n < 5:
        n = n + 1
        if x.sum() > 3:
            y = x * 2
            break
        x = x + 1
    else:
        return x
    return y


@case([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [-1.0, 0.0, 0.0])
def break_out_of_two_loops(x):
    for a in x:
        for b in x:
            if a * b > 6:
                best = a + b
                break
        else:
            continue
        break
    else:
        return x.sum()
    return best


@case([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [-1.0, 0.0, 0.0])
def target_after_a_break(x):
    for i in range(x.shape[0]):
        if x[i] > 2:
            break
    else:
        i = -1
    return x * i


@case(*SIGNS, raises=(ValueError, TypeError))
def raises_on_both_sides(x):
    if x.sum() > 0:
        raise ValueError("positive")
    raise TypeError("negative")
