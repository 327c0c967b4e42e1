"""`paddle.onnx`: what runs here, as files that the runtimes of ONNX read, and their models here."""

# Written by tools/stubs.py.

from twinoar.onnx import *
