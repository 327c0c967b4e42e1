"""Functions that stop gradients within branches and loops which depend on a tensor."""

import twinoar as pd


@pd.no_grad()
def squared(x):
    return x * x


def truncated_backpropagation(x):
    h, i = x * 1, pd.to_tensor(0)
    while i < 2:
        h = (h * 2).detach()
        i += 1
    return (h * x).sum()


def detached_and_used_again(x):
    h, i = x, pd.to_tensor(0)
    while i < 2:
        h = (h * x * 2).detach() * x
        i += 1
    return (h * h).sum()


def detached_on_one_side(x):
    if x.sum() > 0:
        y = (x * 2).detach()
    else:
        y = x * 3
    return (y * x).sum()


def detached_itself(x):
    y = x.detach() if x.sum() > 0 else x
    return (y * x).sum()


def without_gradients_in_a_side(x):
    if x.sum() > 0:
        with pd.no_grad():
            y = x * 2
        z = y * x + squared(x)
    else:
        z = x * 3
    return (z * x).sum()


def with_gradients_in_a_side_without(x):
    y = x
    if x.sum() > 0:
        with pd.no_grad():
            a = x * 2
            with pd.enable_grad():
                b = x * a
            c = b * x
        y = b * x + c * x
    return y.sum()


def around_a_loop(x):
    h, i = x * 1, pd.to_tensor(0)
    with pd.no_grad():
        while i < 2:
            h = h * x
            i += 1
    return (h * x).sum()


def around_a_loop_without_iterations(x):
    h = x * 1
    with pd.no_grad():
        while h.sum() > 1e6:
            h = h * x
    return (h * x).sum()


def partly_detached_list(x):
    a, i = [x * 1, x * 2], pd.to_tensor(0)
    while i < 2:
        a[0] = (a[0] * x).detach()
        a[1] = a[1] * x
        i += 1
    return (a[0] * x + a[1]).sum()


def turns(x):
    a, b, i = x * 1, x * 2, pd.to_tensor(0)
    while i < 3:
        a, b = b.detach(), a * x
        i += 1
    return (a * x + b).sum()


def in_one_iteration(x):
    h, i = x * 1, pd.to_tensor(0)
    while i < 3:
        if i == 1:
            h = h.detach()
        h = h * x
        i += 1
    return h.sum()


def three_deep(x):
    h, i = x * 1, pd.to_tensor(0)
    while i < 2:
        j = pd.to_tensor(0)
        while j < 2:
            if h.sum() > 3:
                h = (h * x).detach()
            else:
                h = h * x
            j += 1
        i += 1
    return (h * x).sum()


def rows(x):
    h = x.sum()
    for v in x:
        h = (h * v).detach()
    return h * x.sum()


def from_outside(x):
    w = (x * x).detach()
    y = w * x if x.sum() > 0 else x
    return y.sum()


def flag_on_one_side(x):
    y = x * 2
    if x.sum() > 0:
        y.stop_gradient = True
        z = y * x
    else:
        z = x * 3
    return (z + y * x).sum()


def flag_after_a_use(x):
    y = x * 2
    z = y * 3
    y.stop_gradient = True
    return (z + y * x).sum()


def flag_read(x):
    y = x * 2
    y.stop_gradient = True
    z = x * 3 if y.stop_gradient else x * 5
    return (z * y).sum()


def flag_of_all_in_a_list(x):
    both = [x * 2, x * 3]
    if x.sum() > 0:
        for t in both:
            t.stop_gradient = True
    return (both[0] * x + both[1] * x).sum()


def leaf_made_of_a_detached_value(x):
    y = (x * 2).detach()
    y.stop_gradient = False
    z = (y * y * x).sum()
    (g,) = pd.grad(z, y, create_graph=True)
    return (g * x).sum()


def detached_in_place(x):
    y = x * 2
    if x.sum() > 0:
        y.detach_()
    return (y * x).sum()


def through_cond(x):
    a = x * 2

    def yes():
        with pd.no_grad():
            b = a * x
        return b, a * x

    p, q = pd.static.nn.cond(x.sum() > 0, yes, lambda: (a * x, (a * x).detach()))
    return (p * x + q).sum()


def through_while_loop(x):
    def iteration(i, h):
        return [i + 1, (h * x).detach() * x]

    i = pd.to_tensor(0)
    return pd.static.nn.while_loop(lambda i, h: i < 3, iteration, [i, x * 1])[1].sum()


def through_switch_case(x):
    cases = {0: lambda: x, 1: lambda: (x * 5).detach()}
    return (pd.static.nn.switch_case(pd.to_tensor(1), cases, lambda: x * 2) * x).sum()


def written_without_gradients(x):
    y = x * 1
    with pd.no_grad():
        y.add_(x)
    return (y * x).sum()


def written_without_gradients_on_one_side(x):
    y = x * 1
    if x.sum() > 0:
        with pd.no_grad():
            y[0] = 5.0
    return (y * x).sum()


# What a file of Paddle's cannot say: the history of what is written where nothing is recorded.
UNSAVED = [written_without_gradients, written_without_gradients_on_one_side]
SAVED = [
    f
    for f in list(vars().values())
    if getattr(f, "__module__", None) == __name__ and f is not squared and f not in UNSAVED
]
