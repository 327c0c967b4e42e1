"""PTQRegistry: which layers ImperativePTQ knows, and which it quantizes."""

# Written by tools/stubs.py.

from twinoar.quantization.imperative.ptq_registry import *
