"""Gradients in a Program: `append_backward` and `gradients`."""

from twinoar.static.backward import append_backward, gradients

__all__ = ["append_backward", "gradients"]
