"""Elastic layers, by PaddleSlim's name of their module."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.slim.nas.ofa import BaseBlock as BaseBlock
from twinoar.slim.nas.ofa import Block as Block
from twinoar.slim.nas.ofa import SuperBatchNorm2D as SuperBatchNorm2D
from twinoar.slim.nas.ofa import SuperConv2D as SuperConv2D
from twinoar.slim.nas.ofa import SuperConv2DTranspose as SuperConv2DTranspose
from twinoar.slim.nas.ofa import SuperDepthwiseConv2D as SuperDepthwiseConv2D
from twinoar.slim.nas.ofa import SuperDepthwiseConv2DTranspose as SuperDepthwiseConv2DTranspose
from twinoar.slim.nas.ofa import SuperEmbedding as SuperEmbedding
from twinoar.slim.nas.ofa import SuperGroupConv2D as SuperGroupConv2D
from twinoar.slim.nas.ofa import SuperGroupConv2DTranspose as SuperGroupConv2DTranspose
from twinoar.slim.nas.ofa import SuperInstanceNorm2D as SuperInstanceNorm2D
from twinoar.slim.nas.ofa import SuperLayerNorm as SuperLayerNorm
from twinoar.slim.nas.ofa import SuperLinear as SuperLinear
from twinoar.slim.nas.ofa import SuperSeparableConv2D as SuperSeparableConv2D
from twinoar.slim.nas.ofa import SuperSyncBatchNorm as SuperSyncBatchNorm
