"""Models as libraries of their own, for processors that need not be this one: `export`."""

from twinoar.export.native.headers import get_include
from twinoar.export.native.writing import export

__all__ = ["export", "get_include"]
