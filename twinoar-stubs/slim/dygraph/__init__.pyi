"""What PaddleSlim has for networks that run at once."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.slim import Distill as Distill
from twinoar.slim import FPGMFilterPruner as FPGMFilterPruner
from twinoar.slim import FilterPruner as FilterPruner
from twinoar.slim import GMPUnstructuredPruner as GMPUnstructuredPruner
from twinoar.slim import L1NormFilterPruner as L1NormFilterPruner
from twinoar.slim import L2NormFilterPruner as L2NormFilterPruner
from twinoar.slim import Pruner as Pruner
from twinoar.slim import Status as Status
from twinoar.slim import UnstructuredPruner as UnstructuredPruner
def config2yaml(configs: collections.abc.Sequence[Any], yaml_path: builtins.str) -> None:
    """Write the configs of a Distill to a file: YAML, or JSON by its name."""
from . import dist as dist
from . import prune as prune
def yaml2config(yaml_path: builtins.str) -> builtins.list[Any]:
    """The configs of such a file"""
