"""The loop language: what one element of a result is."""

from twinoar.core.loop import pairs

__all__ = ["pairs"]
