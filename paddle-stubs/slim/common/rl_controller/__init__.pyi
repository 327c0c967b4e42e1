"""Controllers of searches that learn by rewards, by PaddleSlim's name of their module."""

# Written by tools/stubs.py.

from twinoar.slim.common.rl_controller import *
