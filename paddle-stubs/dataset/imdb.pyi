"""Reviews of movies: samples (ids of the words, label), 0 for praise and 1 for blame."""

# Written by tools/stubs.py.

from twinoar.dataset.imdb import *
