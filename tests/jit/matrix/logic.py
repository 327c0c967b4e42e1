"""`and`, `or`, `not`, chained comparisons, walrus."""

import twinoar as paddle
from tests.jit.matrix.case import case, given

SIGNS = ([1.0, 2.0], [-1.0, -2.0], [0.0, 0.0], [9.0, 9.0])


@case(*SIGNS)
def and_of_tensors(x):
    if x.sum() > 0 and x.max() < 5:
        x = x * 2
    return x


@case(*SIGNS)
def or_of_tensors(x):
    if x.sum() < 0 or x.max() > 5:
        x = x * 2
    return x


@case(*SIGNS)
def mixed(x):
    if (x.sum() > 0 and x.max() < 10) or not x.min() > -5:
        y = x + 1
    else:
        y = x - 1
    return y


@case(given([1.0], None), given([1.0], [2.0]), given([3.0], [2.0]))
def guard_of_none(x, limit):
    if limit is not None and x > limit:
        return x - limit
    return x


@case(given([1.0], True), given([1.0], False), given([-1.0], True))
def plain_and_tensor(x, flag):
    if flag and x > 0:
        x = x * 2
    if x > 0 and flag:
        x = x * 3
    if flag or x > 0:
        x = x * 5
    if x > 0 or flag:
        x = x * 7
    return x


@case(given([1.0], ()), given([1.0], ([4.0],)), given([8.0], ([4.0],)))
def short_circuit_protects(x, others):
    if others and x < others[0]:
        x = x + others[0]
    if not others or x > others[0] * 2:
        x = x * 2
    return x


@case(*SIGNS)
def short_circuit_of_tensors_runs_one_side(x):
    seen = x * 0

    def late():
        nonlocal seen
        seen = seen + 1
        return x.max() > 1

    if x.sum() > 0 and late():
        x = x * 2
    return x, seen


@case(given([1.0], 0), given([1.0], 3))
def value_of_or_is_the_operand(x, size):
    size = size or 2
    name = "" or "given"
    both = size and 5
    return x * size + len(name) + both


@case(given([1.0], None), given([1.0], [5.0]))
def default_by_none_test(x, bias):
    bias = bias if bias is not None else paddle.zeros([1])
    return x + bias


@case(*SIGNS)
def chained_comparison(x):
    if 0 < x.sum() < 5:
        y = x * 2
    else:
        y = x * 3
    return y


@case(*SIGNS)
def chained_comparison_of_three(x):
    low, high = x.min(), x.max()
    if -1.5 <= low <= high < 8 != 7:
        x = x + 10
    return x


@case(*SIGNS)
def comparison_computes_its_middle_once(x):
    count = 0

    def middle():
        nonlocal count
        count += 1
        return x.sum()

    if -1 < middle() < 4:
        x = x * 2
    return x + count


@case(*SIGNS)
def not_of_tensor(x):
    positive = x.sum() > 0
    if not positive:
        x = x - 3
    if not (positive and x.max() > 5):
        x = x * 2
    return x


@case(*SIGNS)
def kept_truth_value(x):
    large = x.sum() > 0 and x.max() > 5
    small = not large
    y = x
    if large:
        y = y * 2
    if small:
        y = y * 3
    return y


@case(*SIGNS)
def bitwise_and_any_all(x):
    mask = (x > 0) & ~(x > 5) | (x == 9)
    if mask.all():
        x = x + 1
    if mask.any() and not paddle.isnan(x).any():
        x = x * 2
    return x * mask.astype("float32")


@case(*SIGNS)
def any_and_all_of_plain_lists(x):
    flags = [True, False]
    if any(flags) and not all(flags):
        x = x * 2
    return x


@case(*SIGNS)
def any_and_all_of_tensor_truths(x):
    if any([x.sum() > 5, x.min() < 0]):
        x = x * 2
    if all(v > -1.5 for v in (x.min(), x.max())):
        x = x + 10
    return x


@case(*SIGNS)
def walrus(x):
    if (total := x.sum()) > 0:
        x = x / total
    while (largest := x.max()) < 2:
        x = x + 1
    return x * largest


@case(given([1.0], 2), given([1.0], 7))
def membership(x, n):
    if n in (2, 3) and n not in [5]:
        x = x * 2
    return x if x is not None else n


@case(*SIGNS)
def comparison_of_whole_tensors(x):
    y = x * 1
    if paddle.equal_all(x, y) and paddle.allclose(x, y):
        x = x + 1
    return x


@case(*SIGNS)
def conditional_expression_in_a_test(x):
    if (x.sum() if x.max() > 1 else x.min()) > 0:
        x = x * 4
    return x
