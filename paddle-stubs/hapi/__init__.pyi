"""The high-level interface: Model, which trains, evaluates, predicts, and tables of layers."""

# Written by tools/stubs.py.

from twinoar.hapi import *
