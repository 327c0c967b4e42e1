"""The high-level interface: Model, which trains, evaluates, predicts, and tables of layers."""

from twinoar.hapi.model import Model
from twinoar.hapi.summary import flops, summary

__all__ = ["Model", "flops", "summary"]
