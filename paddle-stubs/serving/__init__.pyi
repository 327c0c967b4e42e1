"""The model server: a repository of models, batches of requests, and the protocols around them."""

# Written by tools/stubs.py.

from twinoar.serving import *
