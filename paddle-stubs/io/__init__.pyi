"""Data loading: datasets, samplers, and DataLoader with its worker processes."""

# Written by tools/stubs.py.

from twinoar.io import *
