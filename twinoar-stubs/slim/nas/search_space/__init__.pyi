"""Search spaces: networks that tokens tell apart."""

# Written by tools/stubs.py.

import builtins
import twinoar.slim.core
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.slim.nas import InceptionABlockSpace as InceptionABlockSpace
from twinoar.slim.nas import MobileNetV1BlockSpace as MobileNetV1BlockSpace
from twinoar.slim.nas import MobileNetV1Space as MobileNetV1Space
from twinoar.slim.nas import MobileNetV2BlockSpace as MobileNetV2BlockSpace
from twinoar.slim.nas import MobileNetV2Space as MobileNetV2Space
from twinoar.slim.nas import ResNetBlockSpace as ResNetBlockSpace
from twinoar.slim.nas import ResNetSpace as ResNetSpace
SEARCHSPACE: twinoar.slim.core.Registry
from twinoar.slim.nas import SearchSpaceBase as SearchSpaceBase
from twinoar.slim.nas import SearchSpaceFactory as SearchSpaceFactory
