"""Initializer: how a parameter starts."""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.interpreter import recording, using
from twinoar.core.op.explain import Told
from twinoar.core.spec import Spec


class Initializer(Told):
    """Makes the first value of a parameter; subclasses define `make(spec)`, of ordinary operators.

    Called with a spec it returns a value; called with a parameter it fills that, as Paddle's do.
    """

    def __call__(self, target: Any, block: Any = None) -> Any:
        """The first value of a parameter of spec `target`; or fill the parameter `target`."""
        if isinstance(target, Spec):
            return self.make(target)
        interpreter = recording(False)
        with using(interpreter):
            interpreter.rebind(target, self.make(target.spec))
        return None

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        raise NotImplementedError(f"{type(self).__name__} must define make(spec)")


def fans(spec: Spec) -> tuple[int, int]:
    """Numbers of inputs and outputs of a weight of `spec`: [in,out] or [out,in,*kernel].

    For a kernel the second dimension counts as inputs and the first as outputs, each times the
    kernel's size, also where the weight is that of a transposed convolution.

    >>> fans(Spec((100, 300))), fans(Spec((64, 3, 5, 5)))
    ((100, 300), (75, 1600))
    """
    shape: tuple[Any, ...] = spec.shape
    if len(shape) < 2:
        size = shape[0] if shape else 1
        return size, size
    if len(shape) == 2:
        return shape[0], shape[1]
    kernel = math.prod(shape[2:])
    return shape[1] * kernel, shape[0] * kernel
