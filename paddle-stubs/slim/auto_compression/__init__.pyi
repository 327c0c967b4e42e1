"""AutoCompression: saved models are compressed by strategies of a configuration."""

# Written by tools/stubs.py.

from twinoar.slim.auto_compression import *
