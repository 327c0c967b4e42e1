"""The order of what does not depend on each other."""

from __future__ import annotations

from twinoar.core.op.declare import Spec, Tensor, primitive


@primitive(
    infer=lambda x, after: Spec(x.shape, x.dtype),
    kernel=lambda x, after: x,
    lower=lambda i, x, after: x[i],
    grad=lambda g: (g, None),
    waits=True,
    moves=True,
)
def wait(x: Tensor, after: Tensor) -> Tensor:
    """x itself, for operators that shall not run before `after` has been computed.

    It costs nothing: no memory, no copy. x, after: of any shape and dtype. Returns x.
    """


@wait.samples
def _(s):
    yield s(s.randn(2, 3), s.randn(4))
    yield s(s.ints(0, 9, 2), s.randn())
