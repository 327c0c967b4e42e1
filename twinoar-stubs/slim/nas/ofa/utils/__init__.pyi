"""What supernets need beside: parameters of other networks, sizes by a rule."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.slim.nas.ofa import dynabert_config as dynabert_config
def get_paddle_version() -> builtins.int:
    """200: the names are those of Paddle 2.0 and later, as PaddleSlim counts."""
pd_ver: builtins.int
def set_state_dict(model: twinoar.nn.Layer, state_dict: collections.abc.Mapping[builtins.str, Any]) -> None:
    """Give a supernet the parameters that the network had which became it."""
from . import states as utils
