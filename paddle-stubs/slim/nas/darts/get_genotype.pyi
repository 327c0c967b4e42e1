"""What a search has found: of each node the two strongest edges, and the operation of each."""

# Written by tools/stubs.py.

from twinoar.slim.nas.darts.get_genotype import *
