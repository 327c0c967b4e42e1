"""DARTS: what a network is made of is learnt by gradients. PaddleSlim's names."""

# Written by tools/stubs.py.

from twinoar.slim.nas.darts import *
