"""Teachers of networks that run at once, by PaddleSlim's name of its module."""

from twinoar.core.public import exported
from twinoar.slim.common.distillations import config2yaml, yaml2config
from twinoar.slim.distill import Distill

__all__ = exported(globals())
