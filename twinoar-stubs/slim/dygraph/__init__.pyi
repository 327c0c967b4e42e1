"""What PaddleSlim has for networks that run at once."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.quantization import AbsmaxQuantizer as AbsmaxQuantizer
from twinoar.slim import Distill as Distill
from twinoar.slim import FPGMFilterPruner as FPGMFilterPruner
from twinoar.slim import FilterPruner as FilterPruner
from twinoar.slim import GMPUnstructuredPruner as GMPUnstructuredPruner
from twinoar.quantization import HistQuantizer as HistQuantizer
from twinoar.quantization import KLQuantizer as KLQuantizer
from twinoar.slim import L1NormFilterPruner as L1NormFilterPruner
from twinoar.slim import L2NormFilterPruner as L2NormFilterPruner
from twinoar.slim import PTQ as PTQ
from twinoar.quantization import PerChannelAbsmaxQuantizer as PerChannelAbsmaxQuantizer
from twinoar.slim import Pruner as Pruner
from twinoar.slim import QAT as QAT
from twinoar.slim import Status as Status
from twinoar.slim import UnstructuredPruner as UnstructuredPruner
from twinoar.slim import config2yaml as config2yaml
from . import dist as dist
from . import prune as prune
from . import quant as quant
from twinoar.slim import yaml2config as yaml2config
