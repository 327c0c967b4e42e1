"""`paddle.onnx`: what runs here, as files that the runtimes of ONNX read, and their models here."""

from twinoar.onnx.export import export
from twinoar.onnx.layer import ImportedLayer, load

__all__ = ["ImportedLayer", "export", "load"]
