"""Registries, by PaddleSlim's name."""

from twinoar.core.public import exported
from twinoar.slim.core.registry import Registry

__all__ = exported(globals())
