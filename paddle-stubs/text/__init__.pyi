"""Texts: tags by Viterbi's algorithm, and data sets."""

# Written by tools/stubs.py.

from twinoar.text import *
