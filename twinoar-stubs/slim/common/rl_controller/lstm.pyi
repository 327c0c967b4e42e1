"""LSTM: a recurrent network that writes tokens, and learns by the rewards of what it wrote."""

# Written by tools/stubs.py.

import builtins
import twinoar.slim.core
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.slim.common.rl_controller import LSTM as LSTM
from twinoar.slim.common import RLBaseController as RLBaseController
RLCONTROLLER: twinoar.slim.core.Registry
from twinoar.slim.common.rl_controller import lstm_cell as lstm_cell
from twinoar.slim.common.rl_controller import uniform_initializer as uniform_initializer
