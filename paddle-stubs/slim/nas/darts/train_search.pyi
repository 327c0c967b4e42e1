"""DARTSearch: trains a network and, on other data, what it is made of."""

# Written by tools/stubs.py.

from twinoar.slim.nas.darts.train_search import *
