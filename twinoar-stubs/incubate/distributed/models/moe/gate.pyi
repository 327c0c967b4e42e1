"""Gates: which experts get each token, and how much their results count."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.incubate.distributed.models.moe import BaseGate as BaseGate
from twinoar.incubate.distributed.models.moe import GShardGate as GShardGate
from twinoar.incubate.distributed.models.moe import NaiveGate as NaiveGate
from twinoar.incubate.distributed.models.moe import SwitchGate as SwitchGate
