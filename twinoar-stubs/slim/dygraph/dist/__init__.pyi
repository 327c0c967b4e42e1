"""Teachers of networks that run at once, by PaddleSlim's name of its module."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.slim import Distill as Distill
from twinoar.slim import config2yaml as config2yaml
from twinoar.slim import yaml2config as yaml2config
