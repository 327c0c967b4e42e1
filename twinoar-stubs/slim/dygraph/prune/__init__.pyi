"""Pruning of networks that run at once, by PaddleSlim's name of its module."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.slim import FPGMFilterPruner as FPGMFilterPruner
from twinoar.slim import FilterPruner as FilterPruner
from twinoar.slim import GMPUnstructuredPruner as GMPUnstructuredPruner
from twinoar.slim import L1NormFilterPruner as L1NormFilterPruner
from twinoar.slim import L2NormFilterPruner as L2NormFilterPruner
from twinoar.slim import Pruner as Pruner
from twinoar.slim import Status as Status
from twinoar.slim import UnstructuredPruner as UnstructuredPruner
