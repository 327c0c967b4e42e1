"""`paddle.onnx`: what runs here, as files that the runtimes of ONNX read."""

# Written by tools/stubs.py.

from twinoar.onnx import *
