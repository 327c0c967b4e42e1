"""Graphs: messages along edges, rows of segments, samples of neighbors, renumbering of nodes."""

# Written by tools/stubs.py.

from twinoar.geometric import *
