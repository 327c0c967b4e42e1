"""Quanters whose scales or bounds are learnt, by PaddleSlim's name of their module."""

# Written by tools/stubs.py.

from twinoar.slim.quant.quanters import *
