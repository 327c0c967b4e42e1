"""Every operator, one family a file; importing this package loads all and checks their rules."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import warnings

from twinoar.core.op.definition import check_complete

# Infinity and nan are results like any other. A filter costs nothing where none comes up, and
# `np.errstate` around each kernel would; NumPy's warnings about users' own arithmetic stay.
warnings.filterwarnings("ignore", r".* encountered in ", RuntimeWarning, r"twinoar\.")

_collects = gc.isenabled()
gc.disable()  # all that is made here stays: to search it for garbage took a sixth of the import
try:
    for _module in pkgutil.walk_packages(__path__, f"{__name__}."):
        importlib.import_module(f"{__name__}.{_module.name.removeprefix(f'{__name__}.')}")
finally:
    if _collects:
        gc.enable()
check_complete()
