"""Models as libraries of their own, for processors that need not be this one.

`export` writes what computes, `export_sizes` the same for several sizes, `export_training` what
trains, and `load_state` reads back what was trained there. `get_include` is the folder of the
headers with Paddle's names.
"""

from twinoar.export.native.headers import get_include
from twinoar.export.native.sizes import export_sizes
from twinoar.export.native.state import load_state
from twinoar.export.native.training import export_training
from twinoar.export.native.writing import export

__all__ = ["export", "export_sizes", "export_training", "get_include", "load_state"]
