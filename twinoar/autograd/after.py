"""What happens after each backward: whoever sums gradients over processes is told of it here."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable
from typing import Any

Listener = Callable[[Any, list], None]
LISTENERS: list[weakref.WeakMethod[Listener]] = []


def after_backward(listener: Listener) -> None:
    """Call `listener(interpreter, leaves)` after each backward that users ask for.

    leaves: the tensors whose gradients it has changed, on the eager record or in a trace. listener:
    a method, of an object that is not kept alive by it.
    """
    LISTENERS.append(weakref.WeakMethod(listener))


def tell(here: Any, leaves: list) -> None:
    """Call all listeners that are left."""
    for reference in list(LISTENERS):
        listener = reference()
        if listener is None:
            with contextlib.suppress(ValueError):  # another thread was here first
                LISTENERS.remove(reference)
        else:
            listener(here, leaves)
