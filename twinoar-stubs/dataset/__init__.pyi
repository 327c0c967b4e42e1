"""Paddle 1's data sets: each `train()` and `test()` returns a reader of samples."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from . import cifar as cifar
from . import common as common
from . import conll05 as conll05
from . import imdb as imdb
from . import imikolov as imikolov
from . import mnist as mnist
from . import movielens as movielens
from . import uci_housing as uci_housing
from . import wmt14 as wmt14
from . import wmt16 as wmt16
