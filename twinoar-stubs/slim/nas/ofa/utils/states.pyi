"""Parameters of an ordinary network in a supernet."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.slim.nas.ofa.utils import get_paddle_version as get_paddle_version
pd_ver: builtins.int
from twinoar.slim.nas.ofa.utils import set_state_dict as set_state_dict
