"""This machine as a Target: asked where an Executable is, and nowhere below."""

from __future__ import annotations

from dataclasses import replace

from twinoar import config
from twinoar.backends import onednn
from twinoar.backends.llvm.target import processor
from twinoar.compile.target import Target
from twinoar.core.policy import Exactness
from twinoar.runtime import openmp


def host(products: Exactness = "highest") -> Target:
    """The processor of this process, with the threads and the library that it has now.

    products: how exact those of float32 are at least. Three products of bfloat16, which "high" lets
    a processor take, are slower than one of float32 where vectors are multiplied; so only "medium"
    makes a difference.
    """
    library = onednn.identity() if config.onednn and onednn.available() else ""
    found = replace(processor(), threads=openmp.threads(), library=library)
    return found.rounding() if products == "medium" else found
