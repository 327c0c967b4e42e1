"""Every operator, one family a file; importing this package loads all and checks their rules."""

from __future__ import annotations

import importlib
import pkgutil

from twinoar.core.op import check_complete

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
check_complete()
