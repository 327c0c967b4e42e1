"""Houses of Boston: samples (13 features, price), float64; features about 0, in a range of 1."""

# Written by tools/stubs.py.

from twinoar.dataset.uci_housing import *
