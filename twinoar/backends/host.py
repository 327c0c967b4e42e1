"""This machine as a Target: asked where an Executable is, and nowhere below."""

from __future__ import annotations

from dataclasses import replace

from twinoar import config
from twinoar.backends import onednn
from twinoar.backends.llvm.target import processor
from twinoar.compile.target import Target
from twinoar.runtime import openmp


def host() -> Target:
    """The processor of this process, with the threads and the library that it has now."""
    library = onednn.identity() if config.onednn and onednn.available() else ""
    return replace(processor(), threads=openmp.threads(), library=library)
