"""ImperativeQuantAware: layers of a network become layers of rounded values, to be trained."""

# Written by tools/stubs.py.

from twinoar.quantization.imperative.qat import *
