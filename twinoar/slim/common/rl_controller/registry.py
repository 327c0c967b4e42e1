"""The registry of controllers, and what they share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from twinoar.core.public import declared
from twinoar.slim.core.registry import Registry

RLCONTROLLER = Registry("RLController")


def action_mapping(actions: Any, range_table: Any) -> np.ndarray:
    """Numbers between -1 and 1 as tokens from 0 to below those of `range_table`: int64.

    >>> action_mapping(np.array([-1.0, 0.0, 0.99]), [4, 4, 10]).tolist()
    [0, 2, 9]
    """
    scaled = (np.asarray(actions) + 1.0) * (np.asarray(range_table) / 2.0)
    return scaled.astype(np.int64)


def add_grad(dict1: Mapping[str, Any], dict2: Mapping[str, Any]) -> dict[str, Any]:
    """The sums of what two dictionaries have by the names of the first.

    >>> add_grad({"w": 1.0}, {"w": 2.0})
    {'w': 3.0}
    """
    return {name: value + dict2[name] for name, value in dict1.items()}


def compute_grad(dict1: Mapping[str, Any], dict2: Mapping[str, Any]) -> dict[str, Any]:
    """The differences of what two dictionaries have by the names of the first.

    >>> compute_grad({"w": 1.0}, {"w": 2.0})
    {'w': -1.0}
    """
    return {name: value - dict2[name] for name, value in dict1.items()}


__all__ = declared(globals(), "RLCONTROLLER")
