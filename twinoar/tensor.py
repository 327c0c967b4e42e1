"""The functions of tensors by the place where Paddle has them too: `paddle.tensor.concat`."""

from __future__ import annotations

from typing import Any

import twinoar
from twinoar import linalg
from twinoar.core.op.definition import operator_of
from twinoar.core.values import INPLACE
from twinoar.ops.random.nucleus import top_p_sampling
from twinoar.signal import istft, stft

METHODS = ("exponential_", "inverse", "resize_", "set_", "sigmoid", "uniform_")


def _is_function(name: str) -> bool:
    """Whether a name at the top is a function that makes tensors, or asks about them."""
    found = vars(twinoar).get(name)
    module = getattr(operator_of(found) or found, "__module__", None) or ""
    return module.startswith(("twinoar.ops", "twinoar.eager")) and name[0].islower()


FUNCTIONS: dict[str, Any] = {name: getattr(linalg, name) for name in linalg.__all__}
FUNCTIONS |= {name: getattr(twinoar.Tensor, name) for name in METHODS}
FUNCTIONS |= INPLACE
FUNCTIONS |= {name: getattr(twinoar, name) for name in twinoar.__all__ if _is_function(name)}
FUNCTIONS |= {"istft": istft, "stft": stft, "top_p_sampling": top_p_sampling}
globals().update(FUNCTIONS)
