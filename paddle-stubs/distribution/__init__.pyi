"""Probability distributions: draws, densities, entropies, divergences, transforms."""

# Written by tools/stubs.py.

from twinoar.distribution import *
