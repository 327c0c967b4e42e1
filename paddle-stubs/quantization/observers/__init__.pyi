"""`paddle.quantization.observers`: what values a network has, and how to round them well."""

# Written by tools/stubs.py.

from twinoar.quantization.observers import *
