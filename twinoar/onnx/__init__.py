"""`paddle.onnx`: what runs here, as files that the runtimes of ONNX read."""

from twinoar.onnx.export import export

__all__ = ["export"]
