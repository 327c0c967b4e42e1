"""The registry of controllers, and what they share."""

# Written by tools/stubs.py.

import builtins
import twinoar.slim.core
from typing import Any, Literal, overload

import numpy as _numpy

RLCONTROLLER: twinoar.slim.core.Registry
from twinoar.slim.common.rl_controller import action_mapping as action_mapping
from twinoar.slim.common.rl_controller import add_grad as add_grad
from twinoar.slim.common.rl_controller import compute_grad as compute_grad
