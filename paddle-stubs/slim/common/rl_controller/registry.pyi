"""The registry of controllers, and what they share."""

# Written by tools/stubs.py.

from twinoar.slim.common.rl_controller.registry import *
