"""print, assert, f-strings, raise, try and with around what is static."""

import contextlib
import warnings

import twinoar as paddle
from tests.jit.matrix.case import case, given, number

SIGNS = ([1.0, 2.0], [-1.0, -2.0])


@case(*SIGNS)
def prints_a_tensor(x):
    y = x * 2
    print(y)
    return y + 1


@case(*SIGNS)
def prints_text_and_values(x):
    print("sum:", x.sum(), "of", len(x), sep=" ", end=";\n")
    return x


@case(*SIGNS)
def prints_in_a_branch(x):
    if x.sum() > 0:
        print("positive", x.max())
        y = x * 2
    else:
        print("negative")
        y = x
    return y


@case(given([1.0], number(0)), given([1.0], number(3)))
def prints_in_a_loop(x, n):
    for i in range(n):
        x = x * 2
        print(i, x)
    print("done")
    return x


@case(*SIGNS)
def formats_plain_values(x):
    name = f"{len('abc')}:{2.5:.2f}:{'a'!r:>5}"
    return x * len(name), name


@case(*SIGNS)
def formats_a_tensor(x):
    total = x.sum()
    print(f"total {total} of {x.shape}")
    return x


@case([1.0, 2.0], [-1.0, -2.0], raises=(AssertionError,))
def asserts(x):
    assert x.sum() > 0, "the sum must be positive"
    return x * 2


@case([1.0, 2.0], [5.0, 5.0], [-1.0, -2.0], raises=(AssertionError,))
def asserts_in_a_branch(x):
    if x.sum() > 5:
        assert x.max() < 5, "too large"
        x = x * 2
    return x


@case(given([1.0, 2.0], 2), given([1.0, 2.0], 3), raises=(AssertionError,))
def asserts_a_plain_value(x, n):
    assert n == 2, f"expected 2, received {n}"
    return x * n


@case(given([1.0, 2.0], 1), given([1.0, 2.0], -1), raises=(ValueError,))
def raises_on_a_plain_value(x, n):
    if n < 0:
        raise ValueError(f"n is {n}")
    return x * n


@case(given([1.0], "2"), given([1.0], "two"))
def try_around_plain_code(x, text):
    try:
        factor = int(text)
    except ValueError:
        factor = -1
    else:
        factor += 10
    finally:
        x = x + 1
    return x * factor


@case(*SIGNS)
def try_around_a_tensor_branch(x):
    try:
        if x.sum() > 0:
            y = x * 2
        else:
            y = x * 3
    except ZeroDivisionError:
        y = x
    return y


@case(*SIGNS)
def try_finally_with_return(x):
    log = []
    try:
        return x * 2
    finally:
        log.append("done")


@case(*SIGNS)
def with_no_grad(x):
    with paddle.no_grad():
        scale = x.max() * 2
    return x * scale


@case(*SIGNS)
def no_grad_in_a_branch(x):
    if x.sum() > 0:
        with paddle.no_grad():
            y = x * 3
        z = y + x
    else:
        z = x * 2
    return z


@contextlib.contextmanager
def doubling(log):
    log.append("open")
    yield 2.0
    log.append("closed")


@case(*SIGNS)
def with_a_context_manager_of_the_user(x):
    log = []
    with doubling(log) as factor, contextlib.suppress(KeyError):
        if x.sum() > 0:
            x = x * factor
    return x * len(log)


@case(*SIGNS)
def with_around_a_loop(x):
    with warnings.catch_warnings():
        for i in range(2):
            if x.sum() < 2:
                x = x + i
    return x
