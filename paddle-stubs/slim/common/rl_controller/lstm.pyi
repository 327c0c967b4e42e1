"""LSTM: a recurrent network that writes tokens, and learns by the rewards of what it wrote."""

# Written by tools/stubs.py.

from twinoar.slim.common.rl_controller.lstm import *
