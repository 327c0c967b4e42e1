"""Serves `import paddle` from twinoar, so that scripts written for Paddle run unmodified.

Nothing happens on import: `install()` puts the finder in place, and so does `twinoar run`.
"""

from __future__ import annotations

from twinoar.compat.finder import install, uninstall

__all__ = ["install", "uninstall"]
